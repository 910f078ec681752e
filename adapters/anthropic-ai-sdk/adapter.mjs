/** The package `@anthropic-ai/sdk`: the requests of `messages.create`, and the messages of `beta.messages.stream`. */
import { fetch, KEY, messagesOf, MODEL, refused, streamed } from "../common/intercept.mjs";
import { SCHEMA, toolNames, turns } from "../common/neutral.mjs";
import { responses } from "../common/streams.mjs";
import { serve } from "../kit/node/turnproof-subject.mjs";

import Anthropic from "@anthropic-ai/sdk";
import { VERSION } from "@anthropic-ai/sdk/version";

const client = new Anthropic({ apiKey: KEY, fetch, maxRetries: 0 });

function normalize_api(messages, options) {
  const history = turns(messages, options);
  const tools = toolNames(history).map((name) => ({ name, input_schema: SCHEMA }));
  return messagesOf(() => client.messages.create({ model: MODEL, max_tokens: 100, messages: history, tools }));
}

/** Whole messages are all that the package makes of streams: nothing is yielded block by block. */
async function accumulate(items) {
  const messages = [];
  for (const response of responses(items)) {
    messages.push(...(await read(response)));
  }
  return { events: [], live: [], messages };
}

async function read({ body, isCut }) {
  const messages = [];
  let unfinished;
  const { error } = await streamed(body, async () => {
    const request = { model: MODEL, max_tokens: 100, messages: [{ role: "user", content: "a" }] };
    const stream = client.beta.messages.stream(request);
    stream.on("streamEvent", ({ type }, snapshot) => {
      if (type === "message_start" || unfinished !== undefined) {
        unfinished = type === "message_stop" ? undefined : snapshot;
      }
    });
    stream.on("message", (message) => messages.push(message));
    await stream.done();
  });
  // A stream that was cut off is an error. What it brought until then was told with each event.
  if (error !== undefined && !isCut) {
    throw refused(error);
  }
  return unfinished === undefined ? messages : [...messages, unfinished];
}

serve({ name: "anthropic-ai-sdk", version: VERSION, profile: "anthropic", operations: { normalize_api, accumulate } });
