//! A *line* holds one record and ends with LF; rules on files whose lines are damaged.

use crate::rules::{Judge, Rule, Severity};

use super::agreement::{Agreement, Reach};

const JSON_OBJECT_AGREEMENT: Agreement = Agreement {
    rule: "wire/json-object",
    reach: Reach::File,
    untouched: "the file holds nothing but blanks and NUL",
};

pub(super) const JSON_OBJECT: Rule = Rule {
    id: JSON_OBJECT_AGREEMENT.rule,
    title: "each record is one whole JSON object, and what is none is rejected while reading goes on",
    severity: Severity::Error,
    doc: "A line that is not a JSON object is set aside with its place and its reason (`not-json`, \
          `not-object`, `cut-short`), it is reported, and the next line is read as if nothing had \
          happened. Every whole object is a record, whatever its `type` and its members, and nothing else \
          is one: not a bare array, and not an object found inside the ruins of another.\n\n\
          Transcripts get such lines from crashes and from writers that share a file. Readers that stop \
          there cut a session short or cannot open it at all; one bad line must cost one line. Nor do \
          line separators other than LF end a line: a tool's output may hold U+2028 inside a string, and \
          readers that split there lose a good record.",
    example: b"{\"type\":\"user\",\"uuid\":\"u1\"}\n[1,2]\n{\"type\":\"user\" \"uuid\":\"u2\"}\n",
    remedy: "Split at LF only, try each line by itself, and keep what fails as a rejected range. To mend a \
             file, remove the rejected lines and link the record after them to the one before.",
    sources: &[
        "spec section 3",
        "anthropics/claude-code#76059",
        "anthropics/claude-code#20992",
        "anthropics/claude-code#27472",
    ],
    judge: Judge::Parse(|case| JSON_OBJECT_AGREEMENT.judge(case)),
};

const ONE_RECORD_AGREEMENT: Agreement = Agreement {
    rule: "wire/one-record-per-line",
    reach: Reach::Line,
    untouched: "no line holds more than one record or the beginning of one before another",
};

pub(super) const ONE_RECORD_PER_LINE: Rule = Rule {
    id: ONE_RECORD_AGREEMENT.rule,
    title: "a line holds one record, and of a line with more every whole one is recovered",
    severity: Severity::Error,
    doc: "When two writers append to one file, or a crash eats a line end, records come to stand on one \
          line: glued (`}{`), or one cut short in its middle with a whole one spliced in after it. Glued \
          records must all come back. Of a splice the whole record comes back and the beginning before it \
          is rejected as `cut-short`. The line is reported: for each record after the first, or for the \
          range that was cut short.\n\n\
          An audit of 10,949 real files found 30 bad lines, 21 of them splices and 3 glued. Most readers \
          lose both records of a glued pair and some keep only the second; the lost one takes everything \
          before it out of the conversation, since its children no longer find their parent.",
    example: b"{\"type\":\"user\",\"uuid\":\"u1\"}{\"type\":\"user\",\"uuid\":\"u2\"}\n",
    remedy: "After a whole object go on reading on the same line. After a failure look for the next object \
             that is surely a record. When writing, append whole lines in one write, and put a LF first \
             if the file does not end with one.",
    sources: &["spec section 3", "anthropics/claude-code#81843", "anthropics/claude-code#20992"],
    judge: Judge::Parse(|case| ONE_RECORD_AGREEMENT.judge(case)),
};

const TERMINATED_AGREEMENT: Agreement = Agreement {
    rule: "wire/terminated",
    reach: Reach::Piece,
    untouched: "the last line ends with LF, or holds nothing but blanks and NUL",
};

pub(super) const TERMINATED: Rule = Rule {
    id: TERMINATED_AGREEMENT.rule,
    title: "the last line ends with LF, and one that does not is read if it is whole",
    severity: Severity::Warning,
    doc: "A file whose last line has no LF was cut off while it was written, or is being written now. If \
          the line is a whole object it is a record like any other; if not, it is rejected as torn. Either \
          way the missing LF is reported, once, at the last record or rejected range of the line.\n\n\
          After a power loss this is the ordinary state of a session. Readers that give up on the torn \
          line resume to an empty conversation. A writer that appends without adding the LF first glues \
          its next record to the torn one, and then both are lost to most readers.",
    example: b"{\"type\":\"user\",\"uuid\":\"u1\"}\n{\"type\":\"assistant\",\"uu",
    remedy: "Add the missing LF before anything is appended; a torn record itself cannot be brought back.",
    sources: &["spec section 3", "anthropics/claude-code#53821", "anthropics/claude-code#81843"],
    judge: Judge::Parse(|case| TERMINATED_AGREEMENT.judge(case)),
};

const NO_NUL_AGREEMENT: Agreement =
    Agreement { rule: "wire/no-nul", reach: Reach::Line, untouched: "the file holds no NUL byte" };

pub(super) const NO_NUL: Rule = Rule {
    id: NO_NUL_AGREEMENT.rule,
    title: "a file holds no NUL bytes, and runs of them are skipped without losing what stands beside them",
    severity: Severity::Error,
    doc: "JSON never holds a raw NUL, so each run of them is a rejected range of its own (`nul`), \
          reported, and what lies on either side of it on the line is read as if the run were not \
          there.\n\n\
          File systems leave such runs: after a crash a file may have grown before its data arrived, and \
          the hole reads as NUL, in the middle or as a tail of many kilobytes. The next record is then \
          appended right behind it, on the same line. Readers that take the line as a whole lose that \
          record, and older clients stopped there or did not list the session at all.",
    example: b"\0\0\0\0{\"type\":\"user\",\"uuid\":\"u1\"}\n",
    remedy: "Cut a line at its NUL runs and read each part by itself. To mend a file, delete the runs.",
    sources: &[
        "spec section 3",
        "anthropics/claude-code#49876",
        "anthropics/claude-code#76059",
        "anthropics/claude-code#50347",
    ],
    judge: Judge::Parse(|case| NO_NUL_AGREEMENT.judge(case)),
};
