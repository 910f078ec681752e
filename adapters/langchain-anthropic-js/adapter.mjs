/** LangChain's `@langchain/anthropic`: what `ChatAnthropic.invoke` makes of a list of messages. */
import { fetch, KEY, messagesOf, MODEL } from "../common/intercept.mjs";
import { argumentsObject, blocks, SCHEMA, toolNames, turns } from "../common/neutral.mjs";
import { packageVersion } from "../common/versions.mjs";
import { serve } from "../kit/node/turnproof-subject.mjs";

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
  const tools = toolNames(history).map((name) => ({ name, input_schema: SCHEMA }));
  const made = history.flatMap(({ role, content }) => (role === "assistant" ? reply(content) : prompts(content)));
  return messagesOf(() => model.bindTools(tools).invoke(made));
}

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

serve({
  name: "langchain-anthropic-js",
  version: packageVersion(import.meta.url, "@langchain/anthropic"),
  profile: "anthropic",
  operations: { normalize_api },
});
