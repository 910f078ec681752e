// A *mock* of the Messages API: a process that plays the model, judges each request, and refuses what the API would.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { ProgramError, found } from "./dialogue.mjs";

/** A key that opens nothing. */
const KEY = "sk-ant-api03-turnproof-mock";

const SHORT = {
  cut: "cut-event=4",
  end: "end-event=4",
  stall: "stall-event=4",
  overloaded: "529",
  "rate-limit": "429",
};

export class BrokenRules extends Error {
  name = "BrokenRules";

  constructor(requests) {
    super(requests.map((request) => request.report.trimEnd()).join("\n"));
    // Who prints an error prints its members, too, and the message says it all.
    Object.defineProperty(this, "requests", { value: requests });
  }
}

export class Mock {
  #child;
  #requests = [];
  #waiting = [];
  #ended = false;

  constructor(child, lines, url) {
    this.#child = child;
    this.url = url;
    lines.on("line", (line) => this.#read(JSON.parse(line)));
    lines.on("close", () => {
      this.#ended = true;
      for (const { reject } of this.#waiting.splice(0)) reject(new ProgramError("the mock has ended"));
    });
  }

  get env() {
    const loopback = "127.0.0.1,localhost";
    const known = process.env.NO_PROXY || process.env.no_proxy;
    return {
      ANTHROPIC_BASE_URL: this.url,
      ANTHROPIC_API_BASE: this.url,
      ANTHROPIC_HOST: this.url,
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BEDROCK_BASE_URL: this.url,
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: this.url,
      ANTHROPIC_VERTEX_BASE_URL: `${this.url}/v1`,
      TURNPROOF_MOCK_URL: this.url,
      NO_PROXY: known ? `${known},${loopback}` : loopback,
    };
  }

  script(script) {
    return this.#say({ script: asScript(script) });
  }

  fault(...faults) {
    return this.#say({ faults: faults.map((fault) => SHORT[fault] ?? fault).join(",") });
  }

  seed(seed) {
    return this.#say({ seed });
  }

  async begin(choices) {
    await this.#say({ begin: true, ...(choices && { replies_b64: Buffer.from(choices).toString("base64") }) });
    this.#requests = [];
  }

  async requests() {
    if (!this.#ended) await this.#say({});
    return [...this.#requests];
  }

  async problems() {
    return (await this.requests()).filter((request) => !request.ok);
  }

  async assertLegal() {
    const problems = await this.problems();
    if (problems.length > 0) throw new BrokenRules(problems);
  }

  async clear() {
    await this.requests();
    this.#requests = [];
  }

  async stop() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "close");
      this.#child.stdin.end();
      await ended;
    }
  }

  [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    return this.stop();
  }

  #say(line) {
    if (this.#ended) return Promise.reject(new ProgramError("the mock has ended"));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${JSON.stringify(line)}\n`);
    });
  }

  #read(said) {
    if (said.kind === "request") this.#requests.push(request(said));
    if (said.kind === "ready") this.#waiting.shift()?.resolve();
    if (said.kind === "refused") this.#waiting.shift()?.reject(new TypeError(said.error));
  }
}

export async function startMock({ script, seed, host = "anthropic", onIllegal = "refuse" } = {}) {
  const words = ["mock", "--control", "--host", host, "--on-illegal", onIllegal];
  const child = spawn(found(), words, { stdio: ["pipe", "pipe", "pipe"] });
  let why = "";
  child.stderr.on("data", (piece) => (why += piece));
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout });
  const failed = new Promise((_, reject) => {
    child.on("error", (error) => reject(new ProgramError(`the mock did not start: ${error.message}`)));
    child.on("close", () => reject(new ProgramError(`the mock did not start: ${why.trim()}`)));
  });
  // It fails before it is started, or nobody asks any more.
  failed.catch(() => {});
  const [first] = await Promise.race([once(lines, "line"), failed]);
  const mock = new Mock(child, lines, JSON.parse(first).url);
  try {
    if (script !== undefined) await mock.script(script);
    if (seed !== undefined) await mock.seed(seed);
  } catch (error) {
    await mock.stop();
    throw error;
  }
  return mock;
}

function asScript(script) {
  return Array.isArray(script) ? { main: "all", step: script.map(asStep) } : script;
}

function asStep(step) {
  if (typeof step === "string") return { text: step };
  if (typeof step === "number") return { error: { status: step } };
  if (Array.isArray(step)) {
    return { blocks: step.map((block) => (typeof block === "string" ? { type: "text", text: block } : block)) };
  }
  return "type" in step ? { blocks: [step] } : step;
}

function request(said) {
  let record;
  const read = () => (record ??= JSON.parse(said.record));
  return {
    number: said.number,
    line: said.request,
    model: said.model,
    turns: said.turns,
    legal: said.legal ?? undefined,
    lost: said.lost,
    ok: said.legal !== false && !said.lost,
    error: said.error ?? undefined,
    status: said.status,
    answer: said.answer,
    notes: said.notes,
    report: said.report ?? "",
    get body() {
      return read().request;
    },
    get headers() {
      return read().headers;
    },
    get reply() {
      return read().stream ?? read().response;
    },
  };
}
