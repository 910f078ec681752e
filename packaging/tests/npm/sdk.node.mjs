// The official packages against the mock, in their own way: streams, tools, retries, counts, models, batches, and the
// clients for Bedrock and Vertex.

import assert from "node:assert/strict";
import { test } from "node:test";

import Anthropic, { BadRequestError } from "@anthropic-ai/sdk";
import { AnthropicBedrock } from "@anthropic-ai/bedrock-sdk";
import { AnthropicVertex } from "@anthropic-ai/vertex-sdk";
import { startMock } from "turnproof";

const ASKED = { model: "claude-opus-4-6", max_tokens: 4096, messages: [{ role: "user", content: "hello" }] };
const TOOLS = [
  { name: "shell", input_schema: { type: "object", properties: { command: { type: "string" } } } },
  { name: "read", input_schema: { type: "object", properties: { path: { type: "string" } } } },
];
const CALLS = [
  { type: "thinking", thinking: "I look." },
  { type: "text", text: "I look." },
  { type: "tool_use", use: "shell", text: "echo alpha" },
  { type: "tool_use", use: "read", text: "/a.txt" },
];

/** A mock, and a client of it; at the end every request was legal. */
async function mocked(t, settings) {
  const mock = await startMock(settings);
  t.after(() => mock.stop());
  return { mock, client: new Anthropic({ baseURL: mock.url, apiKey: "sk-ant-mock", maxRetries: 2 }) };
}

test("a loop of tools, streamed", async (t) => {
  const { mock, client } = await mocked(t, { script: [CALLS] });
  const asked = { ...ASKED, tools: TOOLS, thinking: { type: "adaptive" } };
  const message = await client.messages.stream(asked).finalMessage();
  assert.deepEqual(message.content.map((block) => block.type), ["thinking", "text", "tool_use", "tool_use"]);
  const calls = message.content.filter((block) => block.type === "tool_use");
  assert.deepEqual(calls[0].input, { command: "echo alpha" });
  const results = calls.map((call) => ({ type: "tool_result", tool_use_id: call.id, content: "alpha" }));
  const said = [{ role: "assistant", content: message.content }, { role: "user", content: results }];
  const after = await client.messages.create({ ...asked, messages: [...ASKED.messages, ...said] });
  assert.equal(after.stop_reason, "end_turn");
  await mock.assertLegal();
});

test("an overloaded host is asked again, and a stream that is cut is an error", async (t) => {
  const { mock, client } = await mocked(t, { script: ["one"] });
  await mock.fault("529");
  assert.equal((await client.messages.create(ASKED)).content[0].text, "one");
  await mock.fault("cut-event=4");
  await assert.rejects(client.messages.stream(ASKED).finalMessage());
  assert.ok((await client.messages.stream(ASKED).finalMessage()).content[0].text.startsWith("Reply"));
  assert.deepEqual((await mock.requests()).map((one) => one.status).slice(0, 2), [529, 200]);
});

test("a body that is not legal comes back as the error that it is", async (t) => {
  const { client } = await mocked(t);
  await assert.rejects(client.messages.create({ ...ASKED, messages: [] }), (error) => {
    assert.ok(error instanceof BadRequestError);
    assert.equal(error.error.error.message, "messages: at least one message is required");
    return error.requestID.startsWith("req_");
  });
});

test("counts, models and batches", async (t) => {
  const { mock, client } = await mocked(t);
  const { model, messages } = ASKED;
  assert.ok((await client.messages.countTokens({ model, messages, tools: TOOLS })).input_tokens > 10);
  const names = [];
  for await (const one of client.models.list()) names.push(one.id);
  assert.equal((await client.models.retrieve(names[0])).id, names[0]);
  const batch = await client.messages.batches.create({ requests: [{ custom_id: "a", params: ASKED }] });
  assert.equal((await client.messages.batches.retrieve(batch.id)).processing_status, "ended");
  const results = [];
  for await (const one of await client.messages.batches.results(batch.id)) results.push(one);
  assert.ok(results[0].result.message.content[0].text.startsWith("Reply"));
  await mock.assertLegal();
});

test("the clients for clouds", async (t) => {
  const { mock } = await mocked(t);
  const keys = { awsAccessKey: "a", awsSecretKey: "b", awsRegion: "us-east-1" };
  const bedrock = new AnthropicBedrock({ baseURL: mock.url, ...keys });
  const streamed = bedrock.messages.stream({ ...ASKED, model: "anthropic.claude-opus-4-6-v1:0" });
  assert.ok((await streamed.finalMessage()).content[0].text.startsWith("Reply"));
  const authClient = { getRequestHeaders: async () => new Headers({ authorization: "Bearer t" }) };
  const vertex = new AnthropicVertex({ baseURL: `${mock.url}/v1`, region: "global", projectId: "p", authClient });
  assert.ok((await vertex.messages.create(ASKED)).content[0].text.startsWith("Reply"));
  await mock.assertLegal();
});
