// Verdicts on requests, replies and sessions, by node:test.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import {
  IllegalReply,
  IllegalRequest,
  assertLegal,
  assertLegalReply,
  checkRequest,
  checkResponse,
  checkSession,
  repair,
} from "turnproof";

const SESSION = process.env.TURNPROOF_SAMPLE_SESSION;
const HELLO = { role: "user", content: "hello" };
const CALL = { type: "tool_use", id: "toolu_1", name: "weather", input: {} };
const DANGLING = [HELLO, { role: "assistant", content: [CALL] }, { role: "user", content: "And now?" }];
const body = (messages) => ({ model: "claude-opus-4-6", max_tokens: 9, messages });

test("a violation says where and what the API answers", () => {
  const [found, ...more] = checkRequest(body(DANGLING));
  assert.equal(more.length, 0);
  assert.deepEqual([found.rule, found.severity, found.kind], ["pairing/result-follows-use", "error", "no-result"]);
  assert.deepEqual([found.turn, found.block, found.path], [1, 0, "messages.1.content.0"]);
  assert.match(found.error, /^messages\.1: `tool_use` ids were found without/);
});

test("an illegal request fails with what check prints", () => {
  assert.throws(
    () => assertLegal(body(DANGLING)),
    (error) => error instanceof IllegalRequest && /turnproof explain pairing\/result-follows-use/.test(error.message),
  );
  assertLegal(body([HELLO]));
});

test("a request may be text, bytes or objects", () => {
  const text = JSON.stringify(body(DANGLING), null, 1);
  for (const form of [text, new TextEncoder().encode(text), body(DANGLING), DANGLING]) {
    assert.equal(checkRequest(form).length, 1);
  }
  assert.equal(checkRequest(body([{ role: "user", content: "\ud83d" }]))[0].rule, "api/valid-unicode");
});

test("what is no request is refused, and the next call is answered", () => {
  assert.throws(() => checkRequest("{"), SyntaxError);
  for (const wrong of [{}, 7, undefined]) assert.throws(() => checkRequest(wrong), TypeError);
  assert.throws(() => checkRequest(body([HELLO]), { host: "nowhere" }), /there is no host nowhere/);
  assert.deepEqual(checkRequest(body([HELLO])), []);
});

test("a reply is judged in each form", () => {
  const message = { type: "message", id: "msg_1", role: "assistant", model: "m", content: [], stop_reason: null };
  assert.ok(checkResponse(message).some((found) => found.rule === "reply/usage"));
  assert.ok(checkResponse([{ type: "ping" }, { type: "message_stop" }]).length > 0);
  assert.throws(() => assertLegalReply(JSON.stringify(message)), IllegalReply);
  assert.throws(() => checkResponse("good day"), TypeError);
});

test("a session has a verdict and a repair", { skip: !SESSION && "no session is named" }, () => {
  const verdict = checkSession(SESSION);
  assert.deepEqual([verdict.state, verdict.accepted], ["refused", false]);
  assert.match(verdict.run, /^turnproof repair/);
  const whole = join(mkdtempSync(join(tmpdir(), "turnproof-")), "whole.jsonl");
  const repaired = repair(SESSION, { to: whole });
  assert.ok(repaired.changes.length > 0 && existsSync(whole));
  assert.equal(checkSession(whole).state, "healthy");
  assert.throws(() => repair(SESSION, { to: whole }), { code: "EEXIST" });
  assert.throws(() => checkSession("nowhere.jsonl"), /there is no such file/);
});

test("a script that has asked ends by itself", () => {
  const script = 'import { checkRequest } from "turnproof"; console.log(checkRequest([]).length);';
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { timeout: 60_000 });
  assert.equal(said.toString(), "1\n");
});

test("a program that is not there is named", () => {
  const script = 'import { checkRequest } from "turnproof"; try { checkRequest([]) } catch (e) { console.log(e.message) }';
  const env = { ...process.env, TURNPROOF_PROGRAM: "/nowhere/turnproof" };
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { env, timeout: 60_000 });
  assert.match(said.toString(), /\/nowhere\/turnproof gives no answer/);
});
