// For fast-check: cases of the same generators as `turnproof test` and `turnproof mock`. fast-check draws bytes and
// shrinks them; the program makes cases of them.

import fc from "fast-check";

import { ask, oneLine } from "./dialogue.mjs";

const LONGEST = 256;

function drawn(what, request) {
  const bytes = fc.uint8Array({ maxLength: LONGEST, size: "max" });
  const asked = request === undefined ? "" : `,"request":${oneLine(request)}`;
  return bytes.map((chosen) => {
    const choices = Buffer.from(chosen).toString("base64");
    return ask("draw", `{"what":"${what}","bytes_b64":"${choices}"${asked}}`);
  });
}

const turns = (found) => found.messages.map(({ message }) => message);

export function histories() {
  return drawn("history").map(turns);
}

export function legalHistories() {
  return drawn("history")
    .filter((found) => found.legal)
    .map(turns);
}

export function replies(request) {
  return drawn("reply", { ...request, stream: false }).map((found) => JSON.parse(found.reply));
}

export function streams(request) {
  return drawn("reply", { ...request, stream: true }).map((found) => found.reply);
}

export function sessions({ damaged = false } = {}) {
  return drawn(damaged ? "damaged_session" : "session").map((found) => Buffer.from(found.jsonl_b64, "base64"));
}

/** Bytes for `Mock.begin`, which choose what the model says. */
export function choices() {
  return fc.uint8Array({ maxLength: 64, size: "max" });
}
