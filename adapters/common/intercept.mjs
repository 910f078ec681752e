/**
 * Catches the request that a library sends to the Messages API, and answers it: nothing goes over the network.
 *
 * Import this module before the library. `messagesOf(call)` gives the `messages` of the request that `call` makes, and
 * `streamed(body, call)` answers that request with this body. Caught is `fetch`: the one of this module for libraries
 * that take one, and the global one, which is the same. Nothing else gets an answer. A library that downloads what a
 * URL in the history names cannot be asked about it here, and so `Unsupported` is thrown.
 */
import { AsyncLocalStorage } from "node:async_hooks";

import { Rejected, Unsupported } from "../kit/node/turnproof-subject.mjs";

export const MODEL = "claude-sonnet-4-5";
export const KEY = "sk-ant-none";

Object.assign(process.env, { ANTHROPIC_API_KEY: KEY, DO_NOT_TRACK: "1", MASTRA_TELEMETRY_DISABLED: "1" });

/** The reply to a request whose own answer is not asked for. */
const REPLY = {
  id: "msg_reply",
  type: "message",
  role: "assistant",
  model: MODEL,
  content: [{ type: "text", text: "ok" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};

/** The same reply as a stream. */
const REPLY_EVENTS = [
  { type: "message_start", message: { ...REPLY, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ok" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
];

/** Events in the form in which the API sends them. */
export const serverSent = (events) =>
  events.map((event) => `event: ${event?.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");

/** The call that is under way: the requests that it made, and the stream that answers them. */
const calls = new AsyncLocalStorage();

const fetchOfNode = globalThis.fetch;

export async function fetch(url, init) {
  const request = new Request(url, init);
  const call = calls.getStore();
  const { protocol, pathname } = new URL(request.url);
  if (protocol === "data:") {
    // Such a URL holds what it names, and some libraries read it so.
    return fetchOfNode(request);
  }
  if (!call || !pathname.endsWith("/messages")) {
    if (call && request.method === "GET") {
      call.download = request.url;
    }
    return new Response("there is no network here", { status: 404 });
  }
  const text = await request.text();
  call.bodies.push(text);
  if (JSON.parse(text).stream) {
    return new Response(call.stream, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  }
  return new Response(JSON.stringify(REPLY), { headers: { "content-type": "application/json" } });
}

globalThis.fetch = fetch;

/**
 * The `messages` of the request that `call` makes.
 *
 * What the library throws before it has made one is its refusal, or a crash (`refused`). What it makes of the fixed
 * reply does not matter.
 */
export async function messagesOf(call) {
  const { bodies, download, error } = await outcome(serverSent(REPLY_EVENTS), call);
  if (download !== undefined) {
    throw new Unsupported(`the library downloads ${download}, and there is no network here`);
  }
  if (bodies.length > 0) {
    if (error !== undefined) {
      console.error("after the request:", error);
    }
    return JSON.parse(bodies[0]).messages;
  }
  if (error === undefined) {
    throw new Rejected("it returned without a request", "NoRequest");
  }
  throw refused(error);
}

/** Calls, and answers the request with a body of server-sent events. What the library threw is `error`. */
export const streamed = (stream, call) => outcome(stream, call);

async function outcome(stream, call) {
  const made = { bodies: [], stream, download: undefined, error: undefined, value: undefined };
  try {
    made.value = await calls.run(made, call);
  } catch (error) {
    made.error = error ?? new Error("nothing was thrown, as an error");
  }
  return made;
}

/**
 * What to throw for an error of a library: `Rejected` for one that it throws on purpose, and the error itself for
 * others, which are crashes.
 *
 * Not on purpose are the errors that JavaScript itself throws at a wrong use, such as the `TypeError` of
 * `undefined.id`. Bad JSON and bad values (an error with a code, such as a URL that is none) are refusals.
 */
export function refused(error) {
  const isOfLanguage = error?.constructor === TypeError || error?.constructor === ReferenceError;
  const isOverflow = error?.constructor === RangeError;
  return (isOfLanguage || isOverflow) && error.code === undefined ? error : new Rejected(error);
}
