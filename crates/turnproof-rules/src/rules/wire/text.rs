//! The *text* of a record is its JSON as characters: encoding, escapes, keys and nesting.

use crate::rules::{Judge, Rule, Severity};

use super::agreement::{Agreement, Reach};

const UTF8_AGREEMENT: Agreement = Agreement {
    rule: "wire/utf8",
    reach: Reach::Piece,
    untouched: "no record holds bytes other than UTF-8, and no range is rejected for them",
};

pub(super) const UTF8: Rule = Rule {
    id: UTF8_AGREEMENT.rule,
    title: "a file is UTF-8, and a record whose strings are not is read all the same",
    severity: Severity::Error,
    doc: "Bytes that are not UTF-8 may stand inside the strings of a record; then the record is read, each \
          bad sequence shown as U+FFFD, and reported. Anywhere else they make the range unreadable, and it \
          is rejected as `invalid-utf8`.\n\n\
          Such bytes come from a buffer that was cut inside a character, from programs whose output was \
          copied without decoding it, and from disks. A reader that decodes the file as a whole fails on \
          all of it because of one byte; one that decodes line by line and drops what fails loses a \
          record, and with it the way to everything before.",
    example: b"{\"type\":\"user\",\"uuid\":\"u1\",\"cwd\":\"/tmp/caf\xE9\"}\n",
    remedy: "Work on bytes and decode single strings, lossily, when they are asked for. Keep the record's \
             bytes for writing.",
    sources: &["spec section 3", "anthropics/claude-code#81843", "field cases 2.2 (2.1.89, 2.1.94)"],
    judge: Judge::Parse(|case| UTF8_AGREEMENT.judge(case)),
};

const SURROGATE_AGREEMENT: Agreement = Agreement {
    rule: "wire/no-lone-surrogate",
    reach: Reach::Piece,
    untouched: "no record holds an escape that is half of a surrogate pair",
};

pub(super) const NO_LONE_SURROGATE: Rule = Rule {
    id: SURROGATE_AGREEMENT.rule,
    title: "strings hold no half of a surrogate pair, and a record that does is read and kept as it is",
    severity: Severity::Error,
    doc: "JSON writes a character beyond U+FFFF as two escapes, `\\ud83d\\ude00`. Text that was cut \
          between the two leaves one half, which stands for no character. The record must be read, the \
          half shown as U+FFFD, the bytes kept, and the record reported; keys count too.\n\n\
          JavaScript carries such halves without complaint, so they reach the transcript; the API refuses \
          the request that holds one (`no low surrogate in string`). Since the record is in the history, \
          every later request fails too and the session is bricked. Strict JSON readers in other \
          languages refuse the whole line, and so lose it.",
    example:
        b"{\"type\":\"user\",\"uuid\":\"u1\",\"message\":{\"role\":\"user\",\"content\":\"cut \\ud83d\"}}\n",
    remedy: "Cut text between characters, not between UTF-16 units. Replace halves by U+FFFD before a \
             request is sent; in the file the record may stay as it is.",
    sources: &[
        "spec section 3",
        "anthropics/claude-code#3277",
        "anthropics/claude-code#1939",
        "anthropics/claude-code#65155",
        "anthropics/claude-code#56064",
        "API: no low surrogate in string",
    ],
    judge: Judge::Parse(|case| SURROGATE_AGREEMENT.judge(case)),
};

const UNIQUE_KEYS_AGREEMENT: Agreement = Agreement {
    rule: "wire/unique-keys",
    reach: Reach::Piece,
    untouched: "no object in a record repeats a key",
};

pub(super) const UNIQUE_KEYS: Rule = Rule {
    id: UNIQUE_KEYS_AGREEMENT.rule,
    title: "no object repeats a key, and where one does the last value counts",
    severity: Severity::Warning,
    doc: "RFC 8259 leaves open what a repeated key means. Transcripts are written and read by JavaScript, \
          where the last value wins, so every reader has to do the same; the record is reported. Keys are \
          compared as text, so `\"uuid\"` and `\"\\u0075uid\"` are the same one, at any depth.\n\n\
          Readers that take the first value, or search the text for `\"uuid\":`, see another id than the \
          client does, and then find parents missing that are there. Readers that refuse repeated keys \
          lose the record. It is a warning because a reader that follows the rule loses nothing.",
    example: b"{\"type\":\"user\",\"uuid\":\"u1\",\"uuid\":\"u2\"}\n",
    remedy: "Let the last value win. A writer that merges objects as text should merge them as objects.",
    sources: &["spec section 3", "RFC 8259 section 4"],
    judge: Judge::Parse(|case| UNIQUE_KEYS_AGREEMENT.judge(case)),
};

const DEPTH_AGREEMENT: Agreement =
    Agreement { rule: "wire/depth", reach: Reach::Piece, untouched: "nothing nests deeper than 128" };

pub(super) const DEPTH: Rule = Rule {
    id: DEPTH_AGREEMENT.rule,
    title: "arrays and objects nest at most 128 deep, and what goes deeper is rejected without a crash",
    severity: Severity::Error,
    doc: "A reader that calls itself for each array and object runs out of stack on a line of brackets, \
          and in most languages that is the end of the process, not an error. So nesting has a limit: at \
          128 containers a record is still read, at 129 its range is rejected as `too-deep` and \
          reported, and reading goes on behind it.\n\n\
          No real record comes near the limit; tool inputs and results, which are whatever a model or a \
          server sends, can. A client was seen to die with a `RangeError` over a damaged transcript. \
          Readers must agree on the limit, or one drops what another resumes from.",
    example: TOO_DEEP,
    remedy: "Count containers while reading and stop at the 129th. Store deeper values as a string.",
    sources: &["spec section 3", "anthropics/claude-code#20992"],
    judge: Judge::Parse(|case| DEPTH_AGREEMENT.judge(case)),
};

/// A record of 129 containers: itself and 128 arrays.
const TOO_DEEP: &[u8] = b"{\"type\":\"user\",\"uuid\":\"u1\",\"x\":\
    [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\
    [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\
    ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\
    ]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\
    }\n";
