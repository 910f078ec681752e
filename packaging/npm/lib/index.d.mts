/// <reference lib="esnext.disposable" />

/** Whose rules judge a request. `portable` is every host of every year. */
export type Host = "anthropic" | "bedrock-converse" | "bedrock-invoke" | "vertex" | "portable";

/** How bad it is: an error is refused by the host, or breaks a client. */
export type Severity = "info" | "warning" | "error";

/** A place where a rule is broken. */
export interface Violation {
  /** The id of the rule, such as `pairing/result-follows-use`; `turnproof explain RULE` teaches it. */
  readonly rule: string;
  /** How bad it is at the host that was asked about. */
  readonly severity: Severity;
  /** Where: the path of the turn or block, such as `messages.1.content.0`. */
  readonly path: string;
  /** The kind of violation, a fixed word of the rule in kebab case. Decide by rule and kind, not by sentences. */
  readonly kind: string;
  /** What is there, a sentence. */
  readonly found: string;
  /** What should be there, a sentence. */
  readonly expected: string;
  /** What differs from case to case: ids, counts, names. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What the API answers. */
  readonly error: string | undefined;
  /** The beginning of the block or event, as JSON on one line. */
  readonly excerpt: string;
  /** The turn of a request, from 0, and the block in it, from 0. */
  readonly turn: number | undefined;
  readonly block: number | undefined;
  /** The event of a stream, from 0, and its line, from 1. */
  readonly event: number | undefined;
  readonly line: number | undefined;
}

export interface RequestOptions {
  /** `anthropic` unless said. */
  host?: Host;
}

/** The program is not here, or does not answer. */
export class ProgramError extends Error {}

/** The host refuses the request. The message is what `turnproof check --request` prints. */
export class IllegalRequest extends Error {
  readonly report: string;
  readonly violations: Violation[];
}

/** Clients cannot read the reply. The message is what `turnproof check --response` prints. */
export class IllegalReply extends Error {
  readonly report: string;
  readonly violations: Violation[];
}

/**
 * What the rules say of a request before it is sent. The empty list, or one without errors, says that it is legal.
 *
 * `body` is the body as an object, its list of messages, or either as JSON text. The first call starts the program; each
 * one after it takes a fraction of a millisecond. Throws `TypeError` or `SyntaxError` for what is no request at all, and
 * `ProgramError` where there is no program.
 */
export function checkRequest(body: unknown, options?: RequestOptions): Violation[];

/** Throws `IllegalRequest` where the host refuses the request; throws as `checkRequest` else. */
export function assertLegal(body: unknown, options?: RequestOptions): void;

/**
 * What the rules say of a reply. It is legal where no violation is a warning or an error.
 *
 * `reply` is a stream of server-sent events as text or bytes, a message, or a list of events. Throws `TypeError` for what
 * is no reply at all.
 */
export function checkResponse(reply: unknown): Violation[];

/** Throws `IllegalReply` where clients cannot read the reply; throws as `checkResponse` else. */
export function assertLegalReply(reply: unknown): void;

/** What becomes of a session. */
export interface Verdict {
  readonly file: string;
  /** `refused`: the API refuses what is sent of it. `damaged`: something is lost. `unreadable`: nothing comes back. */
  readonly state: "healthy" | "damaged" | "refused" | "unreadable" | "not a session";
  /** How many messages it has, and how many come back when it is resumed. */
  readonly messages: number;
  readonly comesBack: number;
  /** Whether the API takes what is sent of it; nothing is sent where it is `undefined`. */
  readonly accepted: boolean | undefined;
  /** Why the API refuses it: rules, and its words. */
  readonly errors: ReadonlyArray<{ readonly rule: string; readonly error: string }>;
  /** What it means for who holds it, sentences. */
  readonly consequences: readonly string[];
  /** Bytes that hold no record. */
  readonly lostBytes: number;
  /** The rules that are broken, each with how often. */
  readonly broken: Readonly<Record<string, number>>;
  /** The command to run next, where there is one. */
  readonly run: string | undefined;
  /** What `turnproof check` prints. */
  readonly report: string;
  /** All that `turnproof check --verdict --format json` says. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What becomes of a session: the file of one transcript. Throws `TypeError` where it cannot be read. */
export function checkSession(path: string): Verdict;

/** What a repair changed: `before` is empty where something was added, `after` where something was taken out. */
export interface Change {
  readonly line: number;
  readonly rule: string;
  readonly what: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** A piece that a repair took out. */
export interface Removed {
  readonly line: number;
  readonly rule: string | undefined;
  readonly reason: string;
  readonly content: Uint8Array;
}

/** A session made whole: the repaired transcript, and what was done to it. */
export interface Repair {
  readonly content: Uint8Array;
  readonly changes: readonly Change[];
  readonly removed: readonly Removed[];
}

/** Makes a session whole, and changes as little as can be. With `to` it is written to that new file. */
export function repair(path: string, options?: { to?: string }): Repair;

/** A block of a reply: a text, or a block of a script (docs/mock.md). */
export type Block = string | Readonly<Record<string, unknown>>;

/** A reply: a text, a list of blocks, the status of an error, or a step of a script. */
export type Step = string | number | readonly Block[] | Readonly<Record<string, unknown>>;

/** The steps in order, one for each request for a message, or a whole script with its `step` and what else a script has. */
export type Script = readonly Step[] | Readonly<Record<string, unknown>>;

/** A request that came to a mock. */
export interface Request {
  /** Which one it is, from 1. */
  readonly number: number;
  /** The method and the path. */
  readonly line: string;
  readonly model: string;
  readonly turns: number;
  /** Whether the host takes it; `undefined` where it has no body to judge. */
  readonly legal: boolean | undefined;
  /** Whether it says something otherwise than the request that it continues. */
  readonly lost: boolean;
  /** Whether it is legal, and nothing was lost. */
  readonly ok: boolean;
  /** What the API says of it, where it is not legal. */
  readonly error: string | undefined;
  /** The status of the answer, and the answer in a few words. */
  readonly status: number;
  readonly answer: string;
  /** The step that was played, what was left out of it, what failed. */
  readonly notes: readonly string[];
  /** What `turnproof mock` prints, where it is not legal or lost something; empty else. */
  readonly report: string;
  /** The body that was sent, parsed. */
  readonly body: any;
  /** The headers, by their names in small letters. Keys are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was sent back: a message or an error, or the text of a stream. */
  readonly reply: unknown;
}

/** Requests were not legal, or lost something. The message is what `turnproof mock` prints. */
export class BrokenRules extends Error {
  readonly requests: Request[];
}

export interface MockOptions extends RequestOptions {
  /** What the model says. */
  script?: Script;
  /** What it says where the script says nothing. */
  seed?: number;
  /** Whether an illegal request is refused, as the API does, or answered all the same. */
  onIllegal?: "refuse" | "answer";
}

/** A mock of the Messages API on a free port of loopback. */
export class Mock implements AsyncDisposable {
  private constructor();
  /** Where it listens, such as `http://127.0.0.1:40213`. */
  readonly url: string;
  /** The variables by which SDKs and clients find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Says what the model says from the next request on. Rejects with `TypeError` what is no script. */
  script(script: Script): Promise<void>;
  /**
   * Lets answers fail: each fault hits one of the next answers, and the one after it is a good one. A fault is one of
   * `turnproof mock --faults`, or `cut`, `end`, `stall`, `overloaded`, `rate-limit`.
   */
  fault(...faults: string[]): Promise<void>;
  /** Lets the model say whatever a model may say, by this seed, where no script says it. */
  seed(seed: number): Promise<void>;
  /** Begins a run: forgets what was asked and played. Bytes choose what the model says. */
  begin(choices?: Uint8Array): Promise<void>;
  /** What was asked until now, in order. */
  requests(): Promise<Request[]>;
  /** Requests that were not legal, or lost something. */
  problems(): Promise<Request[]>;
  /** Rejects with `BrokenRules` where there are problems. */
  assertLegal(): Promise<void>;
  /** Forgets the requests until now: a test that meant them to be refused goes on with it. */
  clear(): Promise<void>;
  /** Ends it. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a mock. Rejects with `ProgramError` where that cannot be done, and with `TypeError` for a wrong script. */
export function startMock(options?: MockOptions): Promise<Mock>;
