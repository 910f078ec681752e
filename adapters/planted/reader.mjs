// A reader of transcripts in Node, by SPEC.md 3.5. `reader.mjs MISTAKE` has one small mistake.
import { serve } from "../kit/node/turnproof-subject.mjs";

const WRONG = process.argv[2] ?? "";

const MISTAKES = {
  double: "writes records back with `JSON.stringify`, numbers as doubles",
  proto: "copies members by assignment, and loses `__proto__`",
  readline: "splits lines as `readline` does, also at U+2028 and U+2029",
  "utf-16": "counts UTF-16 units where bytes are asked for",
  trim: "takes for blank what `trim` does, also no-break spaces",
  decoder: "decodes each line with `TextDecoder`, which swallows a byte order mark",
  null: "takes null for a record, since its `typeof` is object",
  array: "takes an array for a record, since its `typeof` is object",
  falsy: "drops members whose value is falsy",
  torn: "rejects the rest of a line whose first record is torn",
  nested: "takes any object with a type for a record behind a torn one",
  latin1: "decodes bytes as latin1 before it writes them back",
  cache: "remembers its answer by the length of the file",
};

const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const OTHER = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const SPACE = /[ \t\r]*/y;
// Bytes are held as latin1, a character each.
const BLANK = WRONG === "trim" ? /(?:[ \t\r\v\f]|\xef\xbb\xbf|\xc2\xa0|\xe2\x80[\xa8\xa9]|\xe3\x80\x80)*/y : /(?:[ \t\r]|\xef\xbb\xbf)*/y;
const LINE_END = WRONG === "readline" ? /\n|\xe2\x80[\xa8\xa9]/g : /\n/g;
const DEEPEST = 128;
const ID_KEYS = ["parentUuid", "sessionId", "leafUuid", "messageId"];

/** The end of what a sticky pattern finds here; -1 where it finds nothing. */
function after(pattern, data, at) {
  pattern.lastIndex = at;
  return pattern.test(data) ? pattern.lastIndex : -1;
}

/** The end of the JSON value that begins here, -1 where none does; the members of an object, as they are written. */
function value(data, at, depth, members) {
  const opening = data[at];
  if (opening !== "{" && opening !== "[") {
    return Math.max(after(STRING, data, at), after(OTHER, data, at));
  }
  if (depth === DEEPEST) return -1;
  const closing = opening === "{" ? "}" : "]";
  at = after(SPACE, data, at + 1);
  if (data[at] === closing) return at + 1;
  for (;;) {
    let key;
    if (opening === "{") {
      const end = after(STRING, data, at);
      if (end < 0) return -1;
      key = data.slice(at, end);
      at = after(SPACE, data, end);
      if (data[at] !== ":") return -1;
      at = after(SPACE, data, at + 1);
    }
    const end = value(data, at, depth + 1);
    if (end < 0) return -1;
    members?.set(text(key), data.slice(at, end));
    at = after(SPACE, data, end);
    if (data[at] === closing) return at + 1;
    if (data[at] !== ",") return -1;
    at = after(SPACE, data, at + 1);
  }
}

/** A string of JSON; null for any other value. */
function text(token) {
  if (!token?.startsWith('"')) return null;
  const decoded = Buffer.from(token, "latin1").toString("utf8");
  return JSON.parse(decoded).toWellFormed();
}

/** The end and the members of the object that begins here; null where none does. */
function record(data, at) {
  const members = new Map();
  const isObject = data[at] === "{" || (WRONG === "array" && data[at] === "[");
  if (WRONG === "null" && data.startsWith("null", at)) return { end: at + 4, members };
  const end = isObject ? value(data, at, 0, data[at] === "{" ? members : undefined) : -1;
  return end < 0 ? null : { end, members };
}

function nextRecoverable(data, from) {
  for (const { index } of data.slice(from).matchAll(/\{"[A-Za-z_]/g)) {
    const whole = record(data, from + index);
    if (whole === null || text(whole.members.get("type")) === null) continue;
    const follows = data[after(BLANK, data, whole.end)];
    if (WRONG === "nested") return from + index;
    if (ID_KEYS.some((key) => whole.members.has(key)) && ![",", "]", "}"].includes(follows)) return from + index;
  }
  return -1;
}

/** An object with these members, the values as they are written. */
function object(members) {
  const member = ([key, token]) => `${Buffer.from(JSON.stringify(key)).toString("latin1")}:${token}`;
  return Buffer.from(`{${members.map(member)}}`, "latin1");
}

/** What is written back. */
function written(data, members) {
  const bytes = Buffer.from(data, "latin1");
  const parsed = () => JSON.parse(bytes.toString("utf8"));
  switch (WRONG) {
    case "double":
      return Buffer.from(JSON.stringify(parsed()));
    case "latin1":
      return Buffer.from(data, "utf8");
    case "proto": {
      const copy = {};
      for (const [key, token] of members) copy[key] = token;
      return object(Object.entries(copy));
    }
    case "falsy":
      return object([...members].filter(([, token]) => !["null", "false", "0", '""'].includes(token)));
    default:
      return bytes;
  }
}

class Reading {
  records = [];
  blank = [];
  rejected = [];

  stretch(data, base) {
    let at = 0;
    while (at < data.length) {
      let end = after(BLANK, data, at);
      if (end > at) this.blank.push([base + at, base + end]);
      at = end;
      if (at === data.length) return;
      const whole = record(data, at);
      if (whole === null) {
        end = WRONG === "torn" ? -1 : nextRecoverable(data, at + 1);
        if (end < 0) {
          end = data.length;
          while (/[ \t\r]$|\xef\xbb\xbf$/.test(data.slice(at, end))) end -= data[end - 1] === "\xbf" ? 3 : 1;
        }
        this.rejected.push({ start: base + at, end: base + end });
      } else {
        end = whole.end;
        const [type, uuid] = ["type", "uuid"].map((key) => text(whole.members.get(key)));
        const bytes = written(data.slice(at, end), whole.members);
        this.records.push({ start: base + at, end: base + end, type, uuid, written: bytes });
      }
      at = end;
    }
  }

  line(data, base) {
    if (WRONG === "decoder" && data.startsWith("\xef\xbb\xbf")) return this.line(data.slice(3), base);
    for (const { 0: part, index } of data.matchAll(/\x00+|[^\x00]+/g)) {
      if (part.startsWith("\x00")) {
        this.rejected.push({ start: base + index, end: base + index + part.length });
      } else {
        this.stretch(part, base + index);
      }
    }
  }
}

const remembered = new Map();

function parse(bytes) {
  if (WRONG === "cache" && remembered.has(bytes.length)) return remembered.get(bytes.length);
  const data = Buffer.from(bytes).toString("latin1");
  const reading = new Reading();
  let at = 0;
  for (const { 0: lineEnd, index } of data.matchAll(LINE_END)) {
    reading.line(data.slice(at, index), at);
    at = index + lineEnd.length;
    reading.blank.push([index, at]);
  }
  reading.line(data.slice(at), at);
  const place = (offset) => (WRONG === "utf-16" ? Buffer.from(data.slice(0, offset), "latin1").toString().length : offset);
  const placed = (one) => ({ ...one, start: place(one.start), end: place(one.end) });
  const answer = {
    records: reading.records.map(placed),
    blank: reading.blank.map(([start, end]) => [place(start), place(end)]),
    rejected: reading.rejected.map(placed),
  };
  remembered.set(bytes.length, answer);
  return answer;
}

if (WRONG === "--list") {
  console.log(JSON.stringify(MISTAKES));
} else {
  serve({ name: "planted-node", operations: { parse } });
}
