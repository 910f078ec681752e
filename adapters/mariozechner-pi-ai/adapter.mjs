/** `@mariozechner/pi-ai`: what `complete` makes of a `Context` for its Anthropic models. */
import { KEY, messagesOf, MODEL } from "../common/intercept.mjs";
import { argumentsObject, blocks, namesById, SCHEMA, TOOL, toolNames, turns, unsupported } from "../common/neutral.mjs";
import { packageVersion } from "../common/versions.mjs";
import { serve, Unsupported } from "../kit/node/turnproof-subject.mjs";

import { complete, getModel } from "@mariozechner/pi-ai";

const model = getModel("anthropic", MODEL);
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };

function normalize_api(messages, options) {
  const history = turns(messages, options);
  const names = namesById(history);
  const made = history.flatMap(({ role, content }) =>
    role === "assistant" ? [reply(content)] : prompts(content, names),
  );
  const tools = toolNames(history).map((name) => ({ name, description: "", parameters: SCHEMA }));
  return messagesOf(async () => {
    // Marks for the cache are no content, and would be new in what is sent.
    const answer = await complete(model, { messages: made, tools }, { apiKey: KEY, cacheRetention: "none" });
    // Errors are told in the answer, not thrown.
    if (answer.stopReason === "error") {
      throw new Error(answer.errorMessage);
    }
  });
}

function reply(content) {
  const parts = blocks(content).map(replyPart);
  const stopReason = parts.some(({ type }) => type === "toolCall") ? "toolUse" : "stop";
  return {
    role: "assistant",
    api: model.api,
    provider: model.provider,
    model: model.id,
    content: parts,
    usage,
    stopReason,
    timestamp: 0,
  };
}

function replyPart(block) {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return {
        type: "thinking",
        thinking: block.thinking,
        ...(block.signature === undefined ? {} : { thinkingSignature: block.signature }),
      };
    case "redacted_thinking":
      return { type: "thinking", thinking: "", redacted: true, thinkingSignature: block.data };
    case "tool_use":
      return { type: "toolCall", id: block.id, name: block.name, arguments: argumentsObject(block) };
    default:
      throw unsupported(block, "a reply");
  }
}

/** A message for each result, and one for what stands between them. */
function prompts(content, names) {
  if (typeof content === "string") {
    return [{ role: "user", content, timestamp: 0 }];
  }
  const messages = [];
  for (const block of content) {
    if (block.type === "tool_result") {
      messages.push(result(block, names));
      continue;
    }
    if (messages.at(-1)?.role !== "user") {
      messages.push({ role: "user", content: [], timestamp: 0 });
    }
    messages.at(-1).content.push(part(block, "a prompt"));
  }
  return messages.length > 0 ? messages : [{ role: "user", content: [], timestamp: 0 }];
}

const result = ({ tool_use_id, content, is_error }, names) => ({
  role: "toolResult",
  toolCallId: tool_use_id,
  toolName: names.get(tool_use_id) ?? TOOL,
  content: blocks(content ?? []).map((block) => part(block, "a result")),
  isError: is_error === true,
  timestamp: 0,
});

function part(block, place) {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      if (block.source.type !== "base64") {
        throw new Unsupported(`an image by its URL in ${place}: the type of images has data alone`);
      }
      return { type: "image", data: block.source.data, mimeType: block.source.media_type };
    default:
      throw unsupported(block, place);
  }
}

serve({
  name: "mariozechner-pi-ai",
  version: packageVersion(import.meta.url, "@mariozechner/pi-ai"),
  profile: "anthropic",
  operations: { normalize_api },
});
