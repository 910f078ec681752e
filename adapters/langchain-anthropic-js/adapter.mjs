/** LangChain's `@langchain/anthropic`: the requests of `ChatAnthropic.invoke`, and the messages of its `stream`. */
import { fetch, KEY, messagesOf, MODEL, refused, streamed } from "../common/intercept.mjs";
import { argumentsObject, blocks, SCHEMA, TOOL, toolNames, turns } from "../common/neutral.mjs";
import { onlyUsual, responses } from "../common/streams.mjs";
import { packageVersion } from "../common/versions.mjs";
import { serve, Unsupported } from "../kit/node/turnproof-subject.mjs";

import { ChatAnthropic } from "@langchain/anthropic";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";

const model = new ChatAnthropic({
  model: MODEL,
  apiKey: KEY,
  maxTokens: 100,
  maxRetries: 0,
  clientOptions: { fetch },
});

function normalize_api(messages, options) {
  const history = turns(messages, options);
  const tools = declared(toolNames(history));
  const made = history.flatMap(({ role, content }) => (role === "assistant" ? reply(content) : prompts(content)));
  return messagesOf(() => model.bindTools(tools).invoke(made));
}

const declared = (names) => names.map((name) => ({ name, input_schema: SCHEMA }));

/** Content holds the blocks of the API as they are, and `tool_calls` says the calls once more: so replies come. */
function reply(content) {
  const calls = blocks(content).filter(({ type }) => type === "tool_use");
  const tool_calls = calls.map((call) => ({
    type: "tool_call",
    id: call.id,
    name: call.name,
    args: argumentsObject(call),
  }));
  return new AIMessage({ content, tool_calls });
}

/** A message for each result, and one for what stands between them. */
function prompts(content) {
  if (typeof content === "string") {
    return [new HumanMessage({ content })];
  }
  const groups = [];
  for (const block of content) {
    if (block.type === "tool_result") {
      groups.push(result(block));
    } else if (Array.isArray(groups.at(-1))) {
      groups.at(-1).push(block);
    } else {
      groups.push([block]);
    }
  }
  const made = groups.map((group) => (Array.isArray(group) ? new HumanMessage({ content: group }) : group));
  return made.length > 0 ? made : [new HumanMessage({ content: [] })];
}

const result = ({ tool_use_id, content, is_error }) =>
  new ToolMessage({ tool_call_id: tool_use_id, content: content ?? [], status: is_error ? "error" : "success" });

/** A message for each block: what its message has around the content is of another form than the API's. */
async function accumulate(items) {
  const events = [];
  for (const response of responses(items)) {
    const { id, model: name, content } = await read(response);
    for (const block of content) {
      const uuid = `00000000-0000-4000-8000-${String(events.length).padStart(12, "0")}`;
      events.push({ type: "assistant", uuid, message: { id, role: "assistant", model: name, content: [block] } });
    }
  }
  return { events, live: events };
}

async function read(response) {
  if (response.isCut) {
    throw new Unsupported("a stream that was cut off: which of its blocks are finished is not told");
  }
  onlyUsual(response);
  let whole;
  const { error } = await streamed(response.body, async () => {
    // Without tools it joins all texts of a reply to one string.
    const tools = declared([TOOL, ...response.names]);
    for await (const chunk of await model.bindTools(tools).stream("a")) {
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
  });
  if (error !== undefined) {
    throw refused(error);
  }
  return whole === undefined ? { content: [] } : { ...whole.additional_kwargs, content: blocksOf(whole) };
}

/** The blocks of a message: its calls have their inputs in `tool_calls`, or as a text in `invalid_tool_calls`. */
function blocksOf({ content, tool_calls, invalid_tool_calls }) {
  const calls = [...tool_calls, ...invalid_tool_calls];
  return (content === "" ? [] : blocks(content)).flatMap(({ index, ...block }) => {
    if (block.type === "input_json_delta") {
      return [];
    }
    if (block.type !== "tool_use") {
      return [block];
    }
    const call = calls.splice(calls.findIndex(({ id }) => id === block.id), 1)[0];
    return [{ type: "tool_use", id: block.id, name: block.name, input: call?.args }];
  });
}

serve({
  name: "langchain-anthropic-js",
  version: packageVersion(import.meta.url, "@langchain/anthropic"),
  profile: "anthropic",
  operations: { normalize_api, accumulate },
});
