/** TanStack AI with `@tanstack/ai-anthropic`: what `chat` makes of `ModelMessage`s. */
import { fetch, KEY, messagesOf, MODEL } from "../common/intercept.mjs";
import { blocks, SCHEMA, toolNames, turns, unsupported } from "../common/neutral.mjs";
import { packageVersion } from "../common/versions.mjs";
import { serve, Unsupported } from "../kit/node/turnproof-subject.mjs";

import { chat, toolDefinition } from "@tanstack/ai";
import { createAnthropicChat } from "@tanstack/ai-anthropic";

const adapter = createAnthropicChat(MODEL, KEY, { fetch, maxRetries: 0 });

function normalize_api(messages, options) {
  const history = turns(messages, options);
  const made = history.flatMap(({ role, content }) => (role === "assistant" ? [reply(content)] : prompts(content)));
  const tools = toolNames(history).map((name) => toolDefinition({ name, description: "", inputSchema: SCHEMA }));
  return messagesOf(async () => {
    for await (const event of chat({ adapter, messages: made, tools })) {
      // Errors are told in the stream, not thrown.
      if (event.type === "RUN_ERROR") {
        throw new Error(event.message ?? event.error?.message ?? JSON.stringify(event));
      }
    }
  });
}

/** A reply has three members: thinking, content and calls. It has no place for another order of blocks. */
const PLACES = ["thinking", "text", "tool_use"];

function reply(content) {
  const all = blocks(content);
  const places = all.map((block) => {
    const place = PLACES.indexOf(block.type);
    if (place < 0) {
      throw unsupported(block, "a reply");
    }
    return place;
  });
  if (places.some((place, at) => place < places[at - 1])) {
    throw new Unsupported("blocks of a reply in another order than thinking, text and calls");
  }
  const [thinking, texts, calls] = PLACES.map((type) => all.filter((block) => block.type === type));
  return {
    role: "assistant",
    content: texts.length > 1 ? texts.map(part) : (texts[0]?.text ?? null),
    ...(thinking.length > 0 ? { thinking: thinking.map(thought) } : {}),
    ...(calls.length > 0 ? { toolCalls: calls.map(call) } : {}),
  };
}

const thought = ({ thinking, signature }) => ({
  content: thinking,
  ...(signature === undefined ? {} : { signature }),
});

/** Arguments are JSON as a text. Those of a call that was cut off are such a text already. */
const call = ({ id, name, input }) => ({
  id,
  type: "function",
  function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
});

/** A message for each result, and one for what stands between them. */
function prompts(content) {
  if (typeof content === "string") {
    return [{ role: "user", content }];
  }
  const messages = [];
  for (const block of content) {
    if (block.type === "tool_result") {
      messages.push(result(block));
      continue;
    }
    if (messages.at(-1)?.role !== "user") {
      messages.push({ role: "user", content: [] });
    }
    messages.at(-1).content.push(part(block));
  }
  return messages.length > 0 ? messages : [{ role: "user", content: [] }];
}

function result({ tool_use_id, content, is_error }) {
  const said = blocks(content ?? []).filter(({ type }) => type === "text");
  return {
    role: "tool",
    toolCallId: tool_use_id,
    content: typeof content === "string" ? content : (content ?? []).map(part),
    ...(is_error ? { error: said.map(({ text }) => text).join("\n") } : {}),
  };
}

function part(block) {
  const { type, source, title, context } = block;
  switch (type) {
    case "text":
      return { type, content: block.text };
    case "image":
      return { type, source: media(source) };
    case "document":
      if (source.type === "text") {
        throw new Unsupported("a document of text: documents of its Anthropic adapter are PDF");
      }
      return { type, source: media(source), metadata: { title, context } };
    default:
      throw unsupported(block, "a prompt");
  }
}

const media = (source) =>
  source.type === "url"
    ? { type: "url", value: source.url }
    : { type: "data", value: source.data, mimeType: source.media_type };

serve({
  name: "tanstack-ai-anthropic",
  version: packageVersion(import.meta.url, "@tanstack/ai-anthropic"),
  profile: "anthropic",
  operations: { normalize_api },
});
