import type { Arbitrary } from "fast-check";

/** A turn of a request. */
export interface Turn {
  role: "user" | "assistant";
  content: string | Array<{ type: string; [member: string]: any }>;
}

/** Dialogues that any client can hold, legal as requests or not: dangling calls, empty texts, odd ids. */
export function histories(): Arbitrary<Turn[]>;

/** Dialogues that are legal requests as they are. Nothing of them may be lost. */
export function legalHistories(): Arbitrary<Turn[]>;

/** Whole messages that a model may answer to this body, which must be legal. */
export function replies(request: object): Arbitrary<any>;

/** The same as streams of server-sent events, as text. */
export function streams(request: object): Arbitrary<string>;

/** Transcripts of a client, JSON Lines, as they can really happen; `damaged` ones have lines that are torn or wrong. */
export function sessions(options?: { damaged?: boolean }): Arbitrary<Uint8Array>;

/** Bytes for `Mock.begin`, which choose what the model says. Smaller ones are plainer replies. */
export function choices(): Arbitrary<Uint8Array>;
