/** Answers each operation on the kit with something that shows what it was given, and misbehaves where it is told to. */
import { execFileSync } from "node:child_process";
import { Rejected, Unsupported, history, serve } from "../../../../../adapters/kit/node/turnproof-subject.mjs";

function short_id(uuid) {
  switch (uuid) {
    case "refuse":
      throw new Rejected("this is no UUID", "BadId");
    case "refuse with an error":
      throw new Rejected(new TypeError("odd"));
    case "not done":
      throw new Unsupported("not today");
    case "crash":
      throw new RangeError("there is no such thing");
    case "exit":
      process.exit(1);
    case "print":
      console.log("printed");
      process.stdout.write("written\n");
      console.info(execFileSync("echo", ["by a child"]).toString());
  }
  return uuid.slice(0, 6);
}

async function normalize_ui(messages) {
  await new Promise((resolve) => setImmediate(resolve));
  return messages;
}

const parse = (data) => ({
  records: [{ start: 0, end: data.length, written: new Uint8Array(data) }],
  blank: [[1, 2]],
  rejected: [],
});

function record(data, session, steps) {
  return steps.map((step) => {
    if (step.other_writer) {
      data = Buffer.concat([data, step.other_writer]);
      return { error: session, jsonl: data };
    }
    return { tip: typeof step === "string" ? step : Object.keys(step)[0], jsonl: data };
  });
}

const resume = (data) => (data.length ? { records: [{ uuid: "u1", record: data }], notes: ["a note"] } : null);

const accumulate = (items) => ({
  events: items.map((item) => (typeof item === "string" ? item : item.event ?? [...item.bytes])),
  live: [],
});

const play = (inputs) => ({
  moments: [
    { requested: { messages: [], turns: inputs, transcript: Buffer.from([0xfe]) } },
    { crashed: { transcript: Buffer.from([0xfd]) } },
    { joined: { input: 1, uuid: "u1" } },
  ],
  transcript: Buffer.from([0xff]),
  whole: true,
});

const usage = (files) => {
  const unknown = files.reduce((sum, file) => sum + file.length, 0);
  const row = { session: null, model: null, sidechain: false, replies: files.length, unknown };
  const read = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return [{ ...row, ...read, input_tokens: 0, output_tokens: 0 }];
};

const repair = (data) => {
  if (!data.length) {
    return data;
  }
  const change = { line: 1, rule: "wire/no-nul", before: data, after: Buffer.from([]) };
  return { jsonl: data, changes: [change], removed: [{ line: 2, removed: Buffer.from([0xff]) }] };
};

serve({
  name: "echo",
  version: "1.0",
  lone_surrogates: !process.argv.includes("strict"),
  operations: {
    parse,
    normalize_api: (messages) => ({ messages: history(messages), messages_after: messages }),
    normalize_api_incremental: (messages, options) => messages.map(() => [options]),
    normalize_ui,
    reorder_ui: (messages) => messages.toReversed(),
    derive_uuid: (parent, index) => `${parent}-${index}`,
    short_id,
    record,
    resume,
    accumulate,
    play,
    check_request: (request, host) => [host, { turn: 1, error: "worse" }],
    check_response: (response) => [response, { event: 1, error: "worse" }],
    make: (factory, args, given) => ({ message: [factory, args, given], predicates: { is_meta: true } }),
    usage,
    repair,
    fold: (messages, folding) => [...messages, folding],
    unfold: (messages) => messages,
    bridge: (messages) => messages,
  },
});
