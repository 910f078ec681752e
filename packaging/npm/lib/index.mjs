// Verdicts on requests, replies and sessions, and a mock of the Messages API. `index.d.mts` says what each does.

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";

import { ProgramError, ask, oneLine } from "./dialogue.mjs";

export { Mock, BrokenRules, startMock } from "./mock.mjs";
export { ProgramError };

const HOSTS = ["anthropic", "bedrock-converse", "bedrock-invoke", "vertex", "portable"];

class Illegal extends Error {
  constructor(judged) {
    super(judged.report);
    this.report = judged.report;
    this.violations = judged.violations.map(violation);
  }
}

export class IllegalRequest extends Illegal {
  name = "IllegalRequest";
}

export class IllegalReply extends Illegal {
  name = "IllegalReply";
}

function violation(said) {
  return Object.freeze({
    rule: said.rule,
    severity: said.severity,
    path: said.path,
    kind: said.violation_kind,
    found: said.found,
    expected: said.expected,
    values: said.values,
    error: said.error ?? undefined,
    excerpt: said.excerpt,
    turn: said.turn ?? undefined,
    block: said.block ?? undefined,
    event: said.event ?? undefined,
    line: said.line ?? undefined,
  });
}

export function judgeRequest(body, { host = "anthropic" } = {}) {
  if (!HOSTS.includes(host)) throw new TypeError(`there is no host ${host}; there are ${HOSTS.join(", ")}`);
  return ask("judge_request", `{"request":${oneLine(body)},"host":"${host}"}`);
}

export function checkRequest(body, options) {
  return judgeRequest(body, options).violations.map(violation);
}

export function assertLegal(body, options) {
  const judged = judgeRequest(body, options);
  if (!judged.legal) throw new IllegalRequest(judged);
}

function replyText(reply) {
  if (typeof reply === "string") return reply;
  if (reply instanceof Uint8Array) return new TextDecoder("utf-8", { fatal: true }).decode(reply);
  return Array.isArray(reply) ? reply.map(oneLine).join("\n") : oneLine(reply);
}

export function judgeResponse(reply) {
  return ask("judge_response", JSON.stringify({ response: replyText(reply) }));
}

export function checkResponse(reply) {
  return judgeResponse(reply).violations.map(violation);
}

export function assertLegalReply(reply) {
  const judged = judgeResponse(reply);
  if (!judged.legal) throw new IllegalReply(judged);
}

export function checkSession(path) {
  const { verdict, report } = ask("judge_session", JSON.stringify({ path: resolve(path) }));
  return Object.freeze({
    file: path,
    state: verdict.class,
    messages: verdict.messages,
    comesBack: verdict.comes_back,
    accepted: verdict.accepted ?? undefined,
    errors: verdict.errors,
    consequences: verdict.consequences,
    lostBytes: verdict.lost_bytes,
    broken: verdict.broken,
    run: verdict.run ?? undefined,
    report,
    details: verdict,
  });
}

export function repair(path, { to } = {}) {
  let content = readFileSync(path);
  if (content[0] === 0x1f && content[1] === 0x8b) content = gunzipSync(content);
  const said = ask("repair", JSON.stringify({ jsonl_b64: content.toString("base64") }));
  const bytes = (text) => Buffer.from(text, "base64");
  const repaired = Object.freeze({
    content: bytes(said.jsonl_b64),
    changes: (said.changes ?? []).map(({ line, rule, what, before_b64, after_b64 }) => {
      return { line, rule, what, before: bytes(before_b64), after: bytes(after_b64) };
    }),
    removed: (said.removed ?? []).map(({ line, rule, reason, removed_b64 }) => {
      return { line, rule: rule ?? undefined, reason, content: bytes(removed_b64) };
    }),
  });
  if (to !== undefined) writeFileSync(to, repaired.content, { flag: "wx" });
  return repaired;
}
