// The matchers, the fixture and the arbitraries, as a typed project uses them.

import fc from "fast-check";
import { checkRequest, checkResponse, type Host, type Mock, type Request, type Violation } from "turnproof";
import { choices, histories, legalHistories, replies, sessions, streams } from "turnproof/fast-check";
import { test } from "turnproof/vitest";
import { expect } from "vitest";

const body = (messages: unknown) => ({ model: "claude-opus-4-6", max_tokens: 4096, messages });
const REQUEST = {
  ...body([{ role: "user", content: "hello" }]),
  tools: [{ name: "weather", input_schema: { type: "object" } }],
};
const severe = (found: Violation[]) => found.filter((one) => one.severity !== "info" && one.rule !== "reply/known");

async function ask(mock: Mock, messages: unknown): Promise<any> {
  const headers = { "x-api-key": "k", "anthropic-version": "2023-06-01" };
  const sent = { method: "POST", body: JSON.stringify(body(messages)), headers };
  return (await fetch(`${mock.url}/v1/messages`, sent)).json();
}

test("matchers judge requests and replies", () => {
  const host: Host = "vertex";
  expect(REQUEST).toBeLegalRequest({ host });
  expect(body([])).not.toBeLegalRequest();
  expect(() => expect(body([])).toBeLegalRequest()).toThrow(/error\[api\/first-user\]/);
  expect(() => expect(REQUEST).not.toBeLegalRequest()).toThrow(/expected a request that is not legal/);
  expect({ type: "message" }).not.toBeLegalReply();
});

test("the fixture plays a script", async ({ claudeMock }) => {
  expect(process.env.ANTHROPIC_BASE_URL).toBe(claudeMock.url);
  await claudeMock.script(["one", [{ type: "tool_use", name: "weather" }, "text"], { text: "a", delay: 1 }]);
  expect((await ask(claudeMock, REQUEST.messages)).content[0].text).toBe("one");
  await claudeMock.begin(fc.sample(choices(), { numRuns: 1, seed: 1 })[0]);
  const seen: Request[] = await claudeMock.requests();
  expect(seen).toEqual([]);
});

test.fails("the fixture fails a test that sends an illegal request", async ({ claudeMock }) => {
  await ask(claudeMock, []);
  await claudeMock.assertLegal();
});

test("what is drawn is what it says", () => {
  const options = { seed: 1, numRuns: 100 };
  fc.assert(fc.property(legalHistories(), (history) => void expect(history).toBeLegalRequest()), options);
  fc.assert(fc.property(replies(REQUEST), (reply) => void expect(severe(checkResponse(reply))).toEqual([])), options);
  fc.assert(fc.property(streams(REQUEST), (stream) => void expect(severe(checkResponse(stream))).toEqual([])), options);
  fc.assert(fc.property(sessions(), (session) => session.length === 0 || session[0] === 0x7b), options);
});

test("what fails is shrunk", () => {
  const dangles = (history: unknown) => checkRequest(history).some((one) => one.rule === "pairing/result-follows-use");
  const found = fc.check(fc.property(histories(), (history) => !dangles(history)), { seed: 1, numRuns: 1000 });
  expect(found.counterexample?.[0].length).toBeLessThanOrEqual(6);
});
