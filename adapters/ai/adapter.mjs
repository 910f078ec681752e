/** The AI SDK (`ai`) with `@ai-sdk/anthropic`: what `generateText` makes of `ModelMessage`s. */
import { fetch, KEY, messagesOf, MODEL } from "../common/intercept.mjs";
import { modelMessages } from "../common/model-messages.mjs";
import { SCHEMA, toolNames, turns } from "../common/neutral.mjs";
import { packageVersion } from "../common/versions.mjs";
import { serve } from "../kit/node/turnproof-subject.mjs";

import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, jsonSchema, tool } from "ai";

const model = createAnthropic({ apiKey: KEY, fetch })(MODEL);

function normalize_api(messages, options) {
  const history = turns(messages, options);
  const declared = toolNames(history).map((name) => [name, tool({ inputSchema: jsonSchema(SCHEMA) })]);
  const tools = Object.fromEntries(declared);
  const made = modelMessages(history);
  return messagesOf(() => generateText({ model, messages: made, tools, maxRetries: 0, maxOutputTokens: 100 }));
}

serve({
  name: "ai",
  version: packageVersion(import.meta.url, "ai"),
  profile: "anthropic",
  operations: { normalize_api },
});
