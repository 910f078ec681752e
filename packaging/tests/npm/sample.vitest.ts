import Anthropic from "@anthropic-ai/sdk";
import { test } from "turnproof/vitest";

const call: Anthropic.ContentBlockParam = { type: "tool_use", id: "toolu_1", name: "weather", input: {} };
const result: Anthropic.ContentBlockParam = { type: "tool_result", tool_use_id: "toolu_1", content: "rain" };
const cases = [{ name: "dangling", answers: [] }, { name: "answered", answers: [result] }];
test.for(cases)("$name", async ({ answers }, { claudeMock: _ }) => {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Weather?" }];
  messages.push({ role: "assistant", content: [call] });
  messages.push({ role: "user", content: [...answers, { type: "text", text: "And now?" }] });
  await new Anthropic().messages.create({ model: "claude-opus-4-6", max_tokens: 99, messages });
});
