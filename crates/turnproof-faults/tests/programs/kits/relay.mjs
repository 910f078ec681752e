/** Asks another subject, whose command is its arguments, through the functions of the kit: all but the kit is right. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { OPERATIONS, Rejected, Unsupported, serve } from "../../../../../adapters/kit/node/turnproof-subject.mjs";

const [program, ...words] = process.argv.slice(2);
const other = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: other.stdout })[Symbol.asyncIterator]();

const encoded = (data) => Buffer.from(data).toString("base64");

/** JSON in which an index that a number cannot tell is written as it is. */
const json = (value) =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `big ${one}` : one)).replace(/"big ([0-9]+)"/, "$1");

async function ask(operation, input) {
  other.stdin.write(`${json({ cmd: "run", seq: 1, operation, input })}\n`);
  const answer = JSON.parse((await lines.next()).value);
  if (answer.rejected) {
    throw new Rejected(answer.rejected.message);
  }
  if (answer.unsupported !== undefined) {
    throw new Unsupported(answer.unsupported);
  }
  return answer.output;
}

/** What is base64 under a name, as bytes. */
function toBytes(value, name) {
  if (value && `${name}_b64` in value) {
    value[name] = Buffer.from(value[`${name}_b64`], "base64");
    delete value[`${name}_b64`];
  }
  return value;
}

const onTheWire = (one, name) => (one[name] instanceof Uint8Array ? { [`${name}_b64`]: encoded(one[name]) } : one);

const inputs = {
  parse: (data) => ({ jsonl_b64: encoded(data) }),
  resume: (data) => ({ jsonl_b64: encoded(data) }),
  repair: (data) => ({ jsonl_b64: encoded(data) }),
  normalize_api: (messages, options) => ({ messages, options }),
  normalize_api_incremental: (messages, options) => ({ messages, options }),
  derive_uuid: (parent, index) => ({ parent, index }),
  short_id: (uuid) => ({ uuid }),
  record: (data, session, steps) => {
    return { jsonl_b64: encoded(data), session, steps: steps.map((step) => onTheWire(step, "other_writer")) };
  },
  accumulate: (items) => ({ items: items.map((item) => onTheWire(item, "bytes")) }),
  play: (list) => ({ inputs: list }),
  check_request: (request, host) => ({ request, host }),
  check_response: (response) => ({ response }),
  make: (factory, args, given) => ({ factory, arguments: args, ...given }),
  usage: (files) => ({ files: files.map((file) => ({ jsonl_b64: encoded(file) })) }),
  fold: (messages, folding) => ({ messages, folding }),
};

const outputs = {
  parse: (parsed) => ({ ...parsed, records: parsed.records.map((record) => toBytes(record, "written")) }),
  normalize_api_incremental: ({ requests }) => requests,
  derive_uuid: ({ uuid }) => uuid,
  short_id: ({ short_id }) => short_id,
  record: ({ answers }) => answers.map((answer) => toBytes(answer, "jsonl")),
  resume: ({ conversation }) => {
    conversation?.records.forEach((record) => toBytes(record, "record"));
    return conversation;
  },
  play: (played) => {
    played.moments.forEach((moment) => toBytes(moment.requested ?? moment.crashed, "transcript"));
    return toBytes(played, "transcript");
  },
  check_request: ({ errors }) => errors,
  check_response: ({ errors }) => errors,
  usage: ({ rows }) => rows,
  repair: (repaired) => {
    repaired.changes.forEach((change) => toBytes(toBytes(change, "before"), "after"));
    repaired.removed.forEach((piece) => toBytes(piece, "removed"));
    return toBytes(repaired, "jsonl");
  },
};

const operations = OPERATIONS.map((operation) => {
  const input = inputs[operation] ?? ((messages) => ({ messages }));
  const output = outputs[operation] ?? ((value) => value);
  return [operation, async (...given) => output(await ask(operation, input(...given)))];
});

serve({ name: "relay", operations: Object.fromEntries(operations) });
