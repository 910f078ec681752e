/** The AI SDK (`ai`) with `@ai-sdk/anthropic`: the requests of `generateText`, and the messages of `streamText`. */
import { fetch, KEY, messagesOf, MODEL, refused, streamed } from "../common/intercept.mjs";
import { modelMessages } from "../common/model-messages.mjs";
import { SCHEMA, toolNames, turns } from "../common/neutral.mjs";
import { onlyUsual, responses } from "../common/streams.mjs";
import { packageVersion } from "../common/versions.mjs";
import { Rejected, serve, Unsupported } from "../kit/node/turnproof-subject.mjs";

import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, jsonSchema, streamText, tool } from "ai";

const model = createAnthropic({ apiKey: KEY, fetch })(MODEL);

function normalize_api(messages, options) {
  const history = turns(messages, options);
  const made = modelMessages(history);
  const tools = declared(toolNames(history));
  return messagesOf(() => generateText({ model, messages: made, tools, maxRetries: 0, maxOutputTokens: 100 }));
}

const declared = (names) => Object.fromEntries(names.map((name) => [name, tool({ inputSchema: jsonSchema(SCHEMA) })]));

/** Whole messages are all that `content` has of a stream: nothing is yielded block by block. */
async function accumulate(items) {
  const messages = [];
  for (const response of responses(items)) {
    messages.push(await read(response));
  }
  return { events: [], live: [], messages };
}

async function read(response) {
  if (response.isCut) {
    throw new Unsupported("a stream that was cut off: `content` is there when a step is finished");
  }
  onlyUsual(response);
  const { error, value } = await streamed(response.body, () => message(response.names));
  if (error !== undefined) {
    throw refused(error);
  }
  return value;
}

async function message(names) {
  const result = streamText({ model, prompt: "a", tools: declared(names), maxRetries: 0, onError() {} });
  for await (const part of result.fullStream) {
    if (part.type === "error") {
      throw part.error;
    }
  }
  const { id, modelId } = await result.response;
  const metadata = (await result.providerMetadata)?.anthropic;
  if (metadata === undefined) {
    throw new Rejected("the step has no metadata of a message", "NoMetadata");
  }
  const { usage, stopSequence, container, contextManagement } = metadata;
  if (container || contextManagement) {
    throw new Unsupported("late fields that it gives in another form: container, context_management");
  }
  return {
    id,
    type: "message",
    role: "assistant",
    model: modelId,
    content: (await result.content).flatMap(block),
    stop_reason: await result.rawFinishReason,
    stop_sequence: stopSequence,
    usage,
  };
}

/** The block of a part of the content. */
function block(part) {
  const metadata = part.providerMetadata?.anthropic;
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }];
    case "reasoning":
      return metadata?.redactedData === undefined
        ? [{ type: "thinking", thinking: part.text, signature: metadata?.signature ?? "" }]
        : [{ type: "redacted_thinking", data: metadata.redactedData }];
    case "tool-call":
      return [{ type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input }];
    case "custom": // says that the message starts
    case "tool-error": // says that nobody ran a call
      return [];
    default:
      throw new Unsupported(`a part of the type ${part.type}`);
  }
}

serve({
  name: "ai",
  version: packageVersion(import.meta.url, "ai"),
  profile: "anthropic",
  operations: { normalize_api, accumulate },
});
