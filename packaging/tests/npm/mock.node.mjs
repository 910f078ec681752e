// The mock, and its fixture for node:test.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { BrokenRules, startMock } from "turnproof";
import { claudeMock } from "turnproof/node-test";

const HELLO = [{ role: "user", content: "hello" }];

async function ask(url, messages = HELLO) {
  const body = JSON.stringify({ model: "claude-opus-4-6", max_tokens: 99, messages });
  const headers = { "x-api-key": "k", "anthropic-version": "2023-06-01", "content-type": "application/json" };
  return (await fetch(`${url}/v1/messages`, { method: "POST", body, headers })).json();
}

test("a script may be changed while the mock runs", async () => {
  const mock = await startMock({ script: ["one"] });
  try {
    assert.equal((await ask(mock.url)).content[0].text, "one");
    await mock.script([["two"], 529, "three"]);
    await mock.fault("rate-limit");
    const said = [];
    for (let count = 0; count < 4; count += 1) said.push(await ask(mock.url));
    assert.deepEqual(
      said.map((one) => one.error?.type ?? one.content[0].text),
      ["rate_limit_error", "two", "overloaded_error", "three"],
    );
    assert.deepEqual((await mock.requests()).map((one) => one.status), [200, 429, 200, 529, 200]);
    await assert.rejects(mock.script({ step_: [] }), /unknown field `step_`/);
    await assert.rejects(mock.fault("never"), /there is no fault/);
  } finally {
    await mock.stop();
  }
});

test("requests are kept with their bodies and verdicts, and a run begins again", async () => {
  const mock = await startMock();
  await ask(mock.url);
  await ask(mock.url, []);
  const [first, second] = await mock.requests();
  assert.deepEqual([first.body.messages, first.ok, first.reply.role], [HELLO, true, "assistant"]);
  assert.deepEqual([second.legal, second.error], [false, "messages: at least one message is required"]);
  assert.notEqual(first.headers["x-api-key"], "k");
  await assert.rejects(mock.assertLegal(), (error) => error instanceof BrokenRules && error.requests.length === 1);
  await mock.begin(new Uint8Array([0, 0]));
  assert.deepEqual(await mock.requests(), []);
  await ask(mock.url);
  assert.equal((await mock.requests())[0].number, 1);
  await mock.stop();
  assert.equal((await mock.requests()).length, 1, "what came can be looked at");
  await assert.rejects(mock.script(["one"]), /has ended/);
  await assert.rejects(startMock({ script: { step_: [] } }), TypeError);
});

test("a fixture sets the environment", async (t) => {
  const mock = await claudeMock(t, { script: ["one"] });
  assert.equal(process.env.ANTHROPIC_BASE_URL, mock.url);
  assert.equal((await ask(process.env.ANTHROPIC_BASE_URL)).content[0].text, "one");
});

function ran(script, reporter) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const head = `
    import { test } from "node:test";
    import { claudeMock } from "turnproof/node-test";
    const ask = ${ask};
    const HELLO = [];
  `;
  const words = [`--test-reporter=${reporter}`, "--input-type=module", "-e", head + script];
  const { stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: "utf8" });
  return stdout + stderr;
}

const BROKEN = "error[api/first-user]: a list of messages that is empty";

test("a test fails by its requests alone", () => {
  const said = ran(
    `
    test("illegal", async (t) => { await ask((await claudeMock(t)).url) });
    test("meant", async (t) => { const mock = await claudeMock(t); await ask(mock.url); await mock.clear() });
    `,
    "tap",
  );
  assert.match(said, /pass 1\n/, said);
  assert.match(said, /fail 1\n/);
  assert.equal(said.split(BROKEN).length, 2, said);
});

test("a test that has failed by an error of its own names the rule, too", () => {
  const script = `
    test("illegal", async (t) => { await ask((await claudeMock(t)).url); throw new Error("of its own") });
  `;
  for (const reporter of ["tap", "spec"]) {
    const said = ran(script, reporter);
    assert.match(said, /of its own/);
    assert.match(said, /fail 1\n/);
    assert.equal(said.split(BROKEN).length, 2, said);
  }
});
