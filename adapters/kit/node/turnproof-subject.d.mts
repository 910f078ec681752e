/** The types of `turnproof-subject.mjs`, which says what it is. */

/** JSON, as `JSON.parse` gives it. Strings may hold halves of surrogate pairs. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A message of a session: SPEC.md, section 2. Only `type` is certain. */
export interface Message {
  type: string;
  uuid?: string;
  message?: { role?: string; content?: string | Block[]; [name: string]: unknown };
  [name: string]: unknown;
}

/** A block of content, such as text or a call. */
export interface Block {
  type: string;
  [name: string]: any;
}

/** A turn of a request. */
export interface Turn {
  role: "user" | "assistant";
  content: string | Block[];
}

/** What a request is made for, beside the messages. */
export interface Options {
  /** Project context, which goes in front of the first user message. */
  context?: string | null;
}

/** What `parse` gives. All offsets are bytes from the file's start. */
export interface Parsed {
  /** The records in file order. `written` is the record as the program writes it back. */
  records: { start: number; end: number; type?: string | null; uuid?: string | null; written: Uint8Array }[];
  /** The blank ranges, line ends among them. */
  blank: [start: number, end: number][];
  /** The ranges that hold no record. */
  rejected: { start: number; end: number; reason: string }[];
  /** The rules of the family `wire` that it noticed the file to break. */
  reports?: { rule: string; start: number; end: number }[];
}

/** One thing that happens while a session is recorded. */
export type Step =
  | { list: Message[] }
  | { list_before_request: Message[] }
  | "flush"
  /** From now on the disk takes so many bytes more; null: it takes everything. */
  | { disk_takes: number | null }
  | "restart"
  | { other_writer: Uint8Array }
  | { hints: { [name: string]: unknown } };

/** The answer to a step: the uuid that the next message chains to, or an error, and the file. */
export interface StepAnswer {
  tip?: string | null;
  error?: string | null;
  jsonl: Uint8Array;
}

/** A conversation that was found in a transcript. */
export interface Conversation {
  /** Each record's bytes as they stand in the file. */
  records: { uuid: string; record: Uint8Array }[];
  notes?: string[];
}

/** One thing that happens to a stream. An event that is no JSON comes as its text. */
export type Item = { event: any } | { bytes: Uint8Array } | "abandon" | { message: Message };

/** What `accumulate` gives. */
export interface Streamed {
  /** What was yielded, in order, as it was when it was yielded. */
  events: unknown[];
  /** The messages that remain, with all that came late. */
  live: unknown[];
  slots?: unknown[];
  messages?: unknown[];
  /** The first thing that was wrong with a stream, if anything was. */
  fault?: { name: string; message: string; item: number };
}

/** One entry of the log of a loop. */
export type Moment =
  | { typed: { input: number; content: unknown; queued: boolean } }
  | { joined: { input: number; uuid: string } }
  | { yielded: unknown }
  | { amended: unknown }
  | { requested: { messages: unknown[]; turns: unknown[]; transcript: Uint8Array } }
  | { summary_ordered: string[] }
  | { summary_failed: string[] }
  | { compacted: unknown[] }
  | { crashed: { transcript: Uint8Array } }
  | { resumed: unknown[] }
  | { forked: unknown[] };

/** What `play` gives. */
export interface Played {
  moments: Moment[];
  transcript: Uint8Array;
  /** Whether the disk took everything, with one writer on the file. */
  whole: boolean;
}

/** The host that a request must please. */
export type Host = "portable" | "anthropic" | "bedrock-converse" | "bedrock-invoke" | "vertex";

/** A message that a factory made, and what predicates say of it. */
export interface Made {
  message: unknown;
  predicates?: { [name: string]: boolean };
}

/** What the caller of a factory gives beside its arguments. */
export interface Given {
  uuid?: string;
  timestamp?: string;
  source?: { now: string; ids: string[] };
}

/** A row of `usage`: the members of SPEC.md, section 8.1. */
export type UsageRow = { [name: string]: unknown };

/** A repaired file. Without `changes` or `removed` less is judged. */
export interface Repaired {
  jsonl: Uint8Array;
  changes?: { line: number; rule: string; what?: string; before: Uint8Array; after: Uint8Array }[];
  removed?: { line: number; rule?: string; reason?: string; removed: Uint8Array }[];
}

type May<T> = T | Promise<T>;

/** The functions: what each gets, and what it gives. The bytes that one gets are a `Buffer`. */
export interface Operations {
  parse?(data: Uint8Array): May<Parsed>;
  /** With `messages_after`, the messages that it got as they are now, it is judged that it changes nothing. */
  normalize_api?(messages: Message[], options: Options): May<Turn[] | { messages: Turn[]; messages_after?: Message[] }>;
  /** The turns after each of the messages. */
  normalize_api_incremental?(messages: Message[], options: Options): May<Turn[][]>;
  normalize_ui?(messages: Message[]): May<unknown[]>;
  reorder_ui?(messages: Message[]): May<unknown[]>;
  derive_uuid?(parent: string, index: bigint): May<string>;
  short_id?(uuid: string): May<string>;
  /** An answer for each step. */
  record?(data: Uint8Array, session: string, steps: Step[]): May<StepAnswer[]>;
  resume?(data: Uint8Array): May<Conversation | null>;
  accumulate?(items: Item[]): May<Streamed>;
  play?(inputs: any[]): May<Played>;
  /** The errors; a text is one about the request as a whole. */
  check_request?(request: any, host: Host): May<(string | { turn: number | null; error: string })[]>;
  /** The errors; a text is one about the reply as a whole. */
  check_response?(response: string): May<(string | { event: number | null; error: string })[]>;
  make?(factory: string, args: { [name: string]: any }, given: Given): May<Made | Made[]>;
  usage?(files: Uint8Array[]): May<UsageRow[]>;
  /** The repaired file; bytes alone say neither what was changed nor what was removed. */
  repair?(data: Uint8Array): May<Uint8Array | Repaired>;
  fold?(messages: Message[], folding: "group" | "collapse"): May<unknown[]>;
  unfold?(messages: Message[]): May<unknown[]>;
  bridge?(messages: Message[]): May<unknown[]>;
}

/** Who is judged, and what it does. */
export interface Subject {
  /** The name in reports. */
  name: string;
  /** The version in reports. */
  version?: string;
  /** The host that its requests are for; never judged. */
  profile?: string;
  /**
   * Say false when the code under test has a reader or writer of JSON of its own that refuses halves of surrogate
   * pairs. It is then not asked about them. `JSON` takes them, and so this is true by default.
   */
  lone_surrogates?: boolean;
  operations: Operations;
}

/** The names of all operations. */
export declare const OPERATIONS: readonly (keyof Operations)[];

/** The code under test refuses this input. `why` is in words, or the error that it threw. */
export declare class Rejected extends Error {
  constructor(why: string | Error, kind?: string);
  readonly kind: string | undefined;
}

/** This is not done, and should not be judged. */
export declare class Unsupported extends Error {
  constructor(why: string);
}

/**
 * The messages as turns, one a message. Content that is a text becomes one text block. `Unsupported` is thrown for a
 * message that is neither of `user` nor of `assistant`.
 */
export declare function history(messages: Message[]): { role: "user" | "assistant"; content: Block[] }[];

/** Answers questions until turnproof says that it is over, and ends the program. */
export declare function serve(subject: Subject): Promise<void>;
