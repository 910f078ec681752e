/**
 * The kit for Node: lets functions of yours answer the questions of turnproof. Copy this file beside your adapter, and
 * `turnproof-subject.d.mts` too if you write TypeScript.
 *
 *     import { history, serve } from "./turnproof-subject.mjs";
 *
 *     serve({ name: "my-pipeline", operations: { normalize_api: (messages, options) => history(messages) } });
 *
 * It needs Node 20 or later, and no package. The protocol is section 10.4 of turnproof's SPEC.md. The types say what
 * each function gets and gives.
 *
 * Where the protocol has base64, a function gets and gives bytes. It may be async. What it throws decides what is
 * answered:
 *
 * - `Rejected`: the code under test refuses this input. A rule says whether it may.
 * - `Unsupported`: this is not done. It is counted, and not judged.
 * - anything else: the program prints the stack and ends. That is a crash, and a finding of its own.
 */
import { writeSync } from "node:fs";
import { inspect } from "node:util";

const PROTOCOL = 1;

/** The exit code after a crash. It is not 1, which turnproof takes for a refusal where a process gets one question. */
const CRASHED = 70;

/** The code under test refuses this input. `why` is in words, or the error that it threw. */
export class Rejected extends Error {
  constructor(why, kind) {
    const isError = why instanceof Error;
    super((isError ? why.message : String(why ?? "")) || kind || "no reason was given");
    this.name = "Rejected";
    this.kind = kind ?? (isError ? why.name : undefined);
  }
}

/** This is not done, and should not be judged. `why` is in words. */
export class Unsupported extends Error {
  constructor(why) {
    super(String(why));
    this.name = "Unsupported";
  }
}

/**
 * The messages as turns, `role` and `content`, one a message. Content that is a text becomes one text block.
 *
 * There are two roles. For a message that is neither of `user` nor of `assistant`, `Unsupported` is thrown.
 */
export function history(messages) {
  return messages.map((message) => {
    const role = message.type;
    if (role !== "user" && role !== "assistant") {
      throw new Unsupported(`a message of type ${role}`);
    }
    const content = message.message?.content;
    if (typeof content === "string") {
      return { role, content: [{ type: "text", text: content }] };
    }
    if (!Array.isArray(content)) {
      throw new Unsupported(`a message of type ${role} without content`);
    }
    return { role, content: [...content] };
  });
}

// ---- Bytes: what is base64 on the wire is bytes in functions. -------------------------------------------------------

const decoded = (text) => Buffer.from(text, "base64");

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const each = (values, change) => (Array.isArray(values) ? values.map(change) : values);

/**
 * A copy of an object, in which a member that is bytes has the name and the form of the wire. What is anything else
 * stays as it is: turnproof says what is wrong with it.
 */
function withBytes(value, name) {
  if (!isObject(value) || !(value[name] instanceof Uint8Array)) {
    return value;
  }
  const { [name]: bytes, ...rest } = value;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { ...rest, [`${name}_b64`]: buffer.toString("base64") };
}

/** A step or an item: an object of one member, of which one kind has base64. */
function bytesOfMember(value, name) {
  const wire = `${name}_b64`;
  return isObject(value) && wire in value ? { [name]: decoded(value[wire]) } : value;
}

/** An output of one member. An object that has it already stays. */
const named = (name) => (value) => (isObject(value) && name in value ? value : { [name]: value });

/** What an output of one member holds, whether it was given with its name or without. */
const inner = (value, name) => (isObject(value) && name in value ? value[name] : value);

/** The errors of a validator; a text is one about the whole. */
const errors = (place) => (value) => {
  const error = (one) => (typeof one === "string" ? { [place]: null, error: one } : one);
  return { errors: each(inner(value, "errors"), error) };
};

function withRecords(value, name) {
  const records = (list) => each(list, (record) => withBytes(record, name));
  return isObject(value) && "records" in value ? { ...value, records: records(value.records) } : value;
}

function repaired(value) {
  const whole = withBytes(value instanceof Uint8Array ? { jsonl: value } : value, "jsonl");
  if (!isObject(whole)) {
    return whole;
  }
  const { changes, removed } = whole;
  const change = (one) => withBytes(withBytes(one, "before"), "after");
  return { ...whole, changes: each(changes, change), removed: each(removed, (piece) => withBytes(piece, "removed")) };
}

function played(value) {
  const moment = (one) => {
    if (!isObject(one)) {
      return one;
    }
    const kind = ["requested", "crashed"].find((name) => name in one);
    return kind ? { ...one, [kind]: withBytes(one[kind], "transcript") } : one;
  };
  const whole = withBytes(value, "transcript");
  return isObject(whole) ? { ...whole, moments: each(whole.moments, moment) } : whole;
}

/** What the caller of a factory gives beside its arguments. */
const given = ({ uuid, timestamp, source }) =>
  Object.fromEntries(Object.entries({ uuid, timestamp, source }).filter(([, value]) => value != null));

const messages = { input: (asked) => [asked.messages], output: named("messages") };
const request = (output) => ({ input: (asked) => [asked.messages, asked.options ?? {}], output });

/** Each operation: the arguments that a function gets, and the output that is made of what it gives. */
const SHAPES = {
  parse: { input: (asked) => [decoded(asked.jsonl_b64)], output: (value) => withRecords(value, "written") },
  normalize_api: request(named("messages")),
  normalize_api_incremental: request(named("requests")),
  normalize_ui: messages,
  reorder_ui: messages,
  // An index may be larger than a number can tell exactly. In a string each quote is escaped, so this is the member.
  derive_uuid: {
    input: (asked, line) => [asked.parent, BigInt(/"index":\s*([0-9]+)/.exec(line)[1])],
    output: named("uuid"),
  },
  short_id: { input: (asked) => [asked.uuid], output: named("short_id") },
  record: {
    input: (asked) => {
      const steps = asked.steps.map((step) => bytesOfMember(step, "other_writer"));
      return [decoded(asked.jsonl_b64), asked.session, steps];
    },
    output: (value) => ({ answers: each(inner(value, "answers"), (answer) => withBytes(answer, "jsonl")) }),
  },
  resume: {
    input: (asked) => [decoded(asked.jsonl_b64)],
    output: (value) => ({ conversation: withRecords(inner(value, "conversation"), "record") }),
  },
  accumulate: {
    input: (asked) => [asked.items.map((item) => bytesOfMember(item, "bytes"))],
    output: (value) => value,
  },
  play: { input: (asked) => [asked.inputs], output: played },
  check_request: { input: (asked) => [asked.request, asked.host], output: errors("turn") },
  check_response: { input: (asked) => [asked.response], output: errors("event") },
  make: {
    input: (asked) => [asked.factory, asked.arguments, given(asked)],
    output: (value) => (isObject(value) && "message" in value ? { messages: [value] } : named("messages")(value)),
  },
  usage: { input: (asked) => [asked.files.map((file) => decoded(file.jsonl_b64))], output: named("rows") },
  repair: { input: (asked) => [decoded(asked.jsonl_b64)], output: repaired },
  fold: { input: (asked) => [asked.messages, asked.folding], output: named("messages") },
  unfold: messages,
  bridge: messages,
};

/** The names of all operations. */
export const OPERATIONS = Object.freeze(Object.keys(SHAPES));

// ---- The loop. ------------------------------------------------------------------------------------------------------

/**
 * Answers questions until turnproof says that it is over, and ends the program. Only what has a function is asked.
 *
 * From this call on, standard output belongs to the answers: what `console.log` prints goes to standard error.
 */
export async function serve({ name, version, profile, lone_surrogates = true, operations }) {
  const unknown = Object.keys(operations ?? {}).filter((operation) => !OPERATIONS.includes(operation));
  const known = OPERATIONS.filter((operation) => typeof operations?.[operation] === "function");
  if (unknown.length > 0 || known.length === 0) {
    const what = unknown.length > 0 ? `there is no operation ${unknown.join(", ")}` : "there is no function";
    throw new TypeError(`serve(): ${what}; the operations are ${OPERATIONS.join(", ")}`);
  }
  const announcement = { name, version, language: "node", operations: known, profile, lone_surrogates };
  takeOutput();
  let number = 0;
  for await (const line of lines(process.stdin)) {
    number += 1;
    const text = line.toString("utf8");
    const command = read(text, number);
    if (command.cmd === "stop") {
      break;
    }
    say(command.cmd === "start" ? announcement : await answer(command, text, operations));
  }
  end(0);
}

function read(text, number) {
  let command;
  try {
    command = JSON.parse(text);
  } catch (error) {
    refuse(`line ${number} is no JSON: ${error.message}`);
  }
  if (!["start", "run", "stop"].includes(command?.cmd)) {
    refuse(`line ${number} is no command of the protocol: its \`cmd\` is none of start, run and stop`);
  }
  if (command.cmd === "start" && (command.protocol ?? PROTOCOL) !== PROTOCOL) {
    refuse(`this kit speaks protocol ${PROTOCOL}: copy the kit that comes with your turnproof`);
  }
  return command;
}

async function answer({ seq, operation, input }, text, operations) {
  try {
    if (!OPERATIONS.includes(operation) || typeof operations[operation] !== "function") {
      throw new Unsupported(`this subject does not do ${operation}`);
    }
    // Nobody should be blamed for what this kit has lost. A recorder keeps numbers as they are written.
    if (operation === "record" ? changesNumbers(text) : operation !== "derive_uuid" && losesNumbers(text)) {
      throw new Unsupported("the input has a number that Node reads or writes as another one");
    }
    const shape = SHAPES[operation];
    const output = shape.output(await operations[operation](...shape.input(input, text)));
    if (isObject(output) && "messages_after" in output && changesNumbers(text)) {
      delete output.messages_after;
    }
    return { seq, output };
  } catch (error) {
    if (error instanceof Rejected) {
      return { seq, rejected: { message: error.message, kind: error.kind } };
    }
    if (error instanceof Unsupported) {
      return { seq, unsupported: error.message };
    }
    throw error;
  }
}

/** Whether JSON has a number that `JSON.parse` changes: one beyond doubles, or an integer beyond 2^53. */
function losesNumbers(text) {
  const isKept = (value) => (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value));
  // Most questions have no digits for it.
  return /[eE]\+?[0-9]{3}|[0-9]{16}/.test(text) && numbers(text).some((number) => !isKept(Number(number)));
}

/** Whether JSON has a number that would be written in another form, such as 2.50. */
const changesNumbers = (text) => numbers(text).some((number) => String(Number(number)) !== number);

/** The numbers of JSON as they are written: what stands outside of strings and begins with a digit or a minus. */
function numbers(text) {
  const token = /"|-?[0-9][0-9.eE+-]*/g;
  const all = [];
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '"') {
      token.lastIndex = endOfString(text, token.lastIndex);
    } else {
      all.push(found[0]);
    }
  }
  return all;
}

/** The place behind the quote that ends a string: the next one without an odd number of backslashes before it. */
function endOfString(text, from) {
  for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let start = quote;
    while (text[start - 1] === "\\") {
      start -= 1;
    }
    if ((quote - start) % 2 === 0) {
      return quote + 1;
    }
  }
  return text.length;
}

/** The lines of a stream, however large, without their ends. */
async function* lines(stream) {
  let parts = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      yield parts.length === 1 ? parts[0] : Buffer.concat(parts);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start));
    }
  }
  if (parts.length > 0) {
    yield Buffer.concat(parts);
  }
}

function say(answer) {
  // Halves of surrogate pairs are written as escapes by `JSON.stringify`.
  let unsent = Buffer.from(`${JSON.stringify(answer)}\n`);
  while (unsent.length > 0) {
    try {
      unsent = unsent.subarray(writeSync(1, unsent));
    } catch (error) {
      if (error.code === "EPIPE") {
        end(0);
      }
      if (error.code !== "EAGAIN") {
        throw error;
      }
      // The pipe is full until turnproof reads on.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

let isEnding = false;

/** What anybody prints goes to standard error from here on, and each end that is not ours is a crash. */
function takeOutput() {
  if (process.stdin.isTTY) {
    console.error("waiting for questions; turnproof asks them: turnproof smoke --subject 'node …'");
  }
  process.stdout.write = process.stderr.write.bind(process.stderr);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.on("exit", (code) => {
    if (!isEnding) {
      console.error(`the code under test ended the program with exit code ${code}, or will never answer`);
      process.exitCode = CRASHED;
    }
  });
}

function crash(error) {
  if (error instanceof Error) {
    // The message once more: of what a program says, the last lines are shown.
    console.error(`${error.stack}\n${error.name}: ${error.message}`);
  } else {
    console.error(`what was thrown is no Error: ${inspect(error)}`);
  }
  end(CRASHED);
}

function refuse(why) {
  console.error(`turnproof-subject: ${why}`);
  end(CRASHED);
}

function end(code) {
  isEnding = true;
  process.exit(code);
}
