/**
 * Makes responses of the items of `accumulate` (SPEC.md 4, 10.4): what an accumulator of streams reads.
 *
 * A response is one stream of server-sent events. A new one begins where a message starts after the last one has
 * stopped, and after a stream was abandoned. What people say meanwhile is no part of a stream, and is left out.
 */
import { Unsupported } from "../kit/node/turnproof-subject.mjs";
import { serverSent } from "./intercept.mjs";

/** Each response: its bytes as they came, and whether it ends before its message stops, or with an error of the API. */
export function responses(items) {
  const all = [];
  let chunks = [];
  let hasStopped = false;
  const end = () => {
    if (chunks.length > 0) {
      all.push(response(chunks));
    }
    chunks = [];
    hasStopped = false;
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
      hasStopped ||= event?.type === "message_stop";
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
  return { body: ReadableStream.from(chunks), isCut: !text.includes('"message_stop"') || text.includes('"error"') };
}
