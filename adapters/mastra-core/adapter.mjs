/** Mastra's `@mastra/core`: what `Agent.generate` makes of `ModelMessage`s, with a model of `@ai-sdk/anthropic`. */
import { fetch, KEY, messagesOf, MODEL } from "../common/intercept.mjs";
import { bareFile, modelMessages } from "../common/model-messages.mjs";
import { SCHEMA, toolNames, turns } from "../common/neutral.mjs";
import { packageVersion } from "../common/versions.mjs";
import { serve } from "../kit/node/turnproof-subject.mjs";

import { createAnthropic } from "@ai-sdk/anthropic";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";

const model = createAnthropic({ apiKey: KEY, fetch })(MODEL);

function normalize_api(messages, options) {
  const history = turns(messages, options);
  const named = toolNames(history).map((id) => [id, createTool({ id, description: "", inputSchema: SCHEMA })]);
  const agent = new Agent({ id: "agent", name: "agent", instructions: "", model, tools: Object.fromEntries(named) });
  const made = modelMessages(history, bareFile);
  return messagesOf(() => agent.generate(made, { maxSteps: 1, modelSettings: { maxRetries: 0 } }));
}

serve({
  name: "mastra-core",
  version: packageVersion(import.meta.url, "@mastra/core"),
  profile: "anthropic",
  operations: { normalize_api },
});
