/** The package `@anthropic-ai/sdk` as it stands: a request has the turns that its caller gave. */
import { fetch, KEY, messagesOf, MODEL } from "../common/intercept.mjs";
import { SCHEMA, toolNames, turns } from "../common/neutral.mjs";
import { serve } from "../kit/node/turnproof-subject.mjs";

import Anthropic from "@anthropic-ai/sdk";
import { VERSION } from "@anthropic-ai/sdk/version";

const client = new Anthropic({ apiKey: KEY, fetch, maxRetries: 0 });

function normalize_api(messages, options) {
  const history = turns(messages, options);
  const tools = toolNames(history).map((name) => ({ name, input_schema: SCHEMA }));
  return messagesOf(() => client.messages.create({ model: MODEL, max_tokens: 100, messages: history, tools }));
}

serve({ name: "anthropic-ai-sdk", version: VERSION, profile: "anthropic", operations: { normalize_api } });
