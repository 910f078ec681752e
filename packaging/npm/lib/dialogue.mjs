// A *dialogue* with one process of the program: questions and answers, a line each (SPEC 10.4). A thread talks to the
// process, so that a call returns its answer and nobody has to wait with `await`.

import { createRequire } from "node:module";
import { MessageChannel, Worker, receiveMessageOnPort } from "node:worker_threads";

const { program } = createRequire(import.meta.url)("../bin/program.js");

/** The program is not here, or does not answer. */
export class ProgramError extends Error {
  name = "ProgramError";
}

/** The path of the program. Throws `ProgramError` where there is none. */
export function found() {
  try {
    return program();
  } catch (error) {
    throw new ProgramError(error.message);
  }
}

/** Milliseconds that an answer may take. */
const WAIT = 120_000;

let running;
let number = 0;

function start() {
  const { port1: port, port2: theirs } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./asking.mjs", import.meta.url), {
    workerData: { program: found(), signal, port: theirs },
    transferList: [theirs],
    // Flags of this process, such as `--input-type`, are not for that file.
    execArgv: [],
  });
  // The process of the program ends with this one.
  worker.unref();
  return { port, signal, worker };
}

/** What the thread says next; `undefined` where it says nothing. */
function answered(port, signal) {
  for (;;) {
    // It may speak between a look and a wait: then the count has changed, and the wait is over at once.
    const count = Atomics.load(signal, 0);
    const said = receiveMessageOnPort(port)?.message;
    if (said !== undefined || Atomics.wait(signal, 0, count, WAIT) === "timed-out") return said;
  }
}

/**
 * The output to a question, whose input is JSON on one line.
 *
 * Throws `TypeError` with the program's words where it refuses the input, and `ProgramError` where it does not answer.
 */
export function ask(question, input) {
  running ??= start();
  const { port, signal, worker } = running;
  number += 1;
  port.postMessage(`{"cmd":"run","seq":${number},"operation":"${question}","input":${input}}\n`);
  const said = answered(port, signal);
  if (said?.line === undefined) {
    running = undefined;
    worker.terminate();
    throw new ProgramError(`${found()} gives no answer to ${question}: ${said?.ended ?? "it takes too long"}`);
  }
  const answer = JSON.parse(said.line);
  if (answer.output !== undefined) return answer.output;
  if (answer.rejected) throw new TypeError(answer.rejected.message);
  throw new ProgramError(`${found()} cannot answer ${question}: it is of another version than this package`);
}

/** The JSON of a value on one line. A text, or bytes, are taken as JSON already; throws where that is none. */
export function oneLine(value) {
  const text = value instanceof Uint8Array ? new TextDecoder("utf-8", { fatal: true }).decode(value) : value;
  if (typeof text === "string") {
    JSON.parse(text);
    // Outside of its strings JSON may have line ends, and inside it has none.
    return text.replace(/[\r\n]/g, " ");
  }
  const json = JSON.stringify(value);
  if (json === undefined) throw new TypeError(`${typeof value} has no form in JSON`);
  return json;
}
