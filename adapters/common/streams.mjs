/**
 * Makes responses of the items of `accumulate` (SPEC.md 4, 10.4): what an accumulator of streams reads.
 *
 * A response is one stream of server-sent events. A new one begins where a message starts after the last one has
 * stopped, and after a stream was abandoned. What people say meanwhile is no part of a stream, and is left out.
 */
import { Unsupported } from "../kit/node/turnproof-subject.mjs";
import { serverSent } from "./intercept.mjs";

/**
 * Each response: `body`, its bytes as they came; `isCut`, whether it ends before its message stops, or with an error of
 * the API; `types` and `names`, what stands in it as a `type` and as a `name`.
 */
export function responses(items) {
  const all = [];
  let chunks = [];
  let hasStarted = false;
  let hasStopped = false;
  const end = () => {
    if (chunks.length > 0) {
      all.push(response(chunks));
    }
    chunks = [];
    hasStarted = hasStopped = false;
  };
  for (const item of items) {
    if (item === "abandon") {
      end();
    } else if (item.bytes !== undefined) {
      chunks.push(item.bytes);
    } else if ("event" in item) {
      const { event } = item;
      if (event?.type === "message_start" && hasStopped) {
        end();
      }
      hasStarted ||= event?.type === "message_start";
      hasStopped ||= hasStarted && event?.type === "message_stop";
      chunks.push(Buffer.from(typeof event === "string" ? `data: ${event}\n\n` : serverSent([event])));
    }
  }
  end();
  return all;
}

function response(chunks) {
  const text = Buffer.concat(chunks).toString("latin1");
  if (text.split('"message_start"').length > 2) {
    throw new Unsupported("more than one stream in the same bytes: a response is one stream");
  }
  const isCut = !text.includes('"message_stop"') || text.includes('"error"');
  return { body: ReadableStream.from(chunks), isCut, types: members("type", text), names: members("name", text) };
}

/** The types of events, deltas and blocks that each library has a form for. */
const TYPES = [
  "message_start message message_delta message_stop ping content_block_start content_block_delta content_block_stop",
  "text text_delta thinking thinking_delta signature_delta redacted_thinking tool_use input_json_delta",
].flatMap((types) => types.split(" "));

/** For libraries with messages of their own form: a stream with another type cannot be told in the API's form. */
export function onlyUsual({ types }) {
  const unusual = types.find((type) => !TYPES.includes(type));
  if (unusual !== undefined) {
    throw new Unsupported(`a stream with ${unusual}: its messages have another form for it, or none`);
  }
}

/** The texts that members of this name have. In JSON that is inside of a text, quotes are escaped. */
function members(name, text) {
  const found = text.matchAll(new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`, "g"));
  return [...new Set([...found].map(([, value]) => value))];
}
