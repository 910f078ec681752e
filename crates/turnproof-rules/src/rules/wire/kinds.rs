//! A *kind* is what a record's `type` says it is; rules on kinds and on the types of their fields.

use crate::rules::{Judge, Rule, Severity};

use super::agreement::{Agreement, Reach};

const TYPED_FIELDS_AGREEMENT: Agreement = Agreement {
    rule: "wire/typed-fields",
    reach: Reach::Piece,
    untouched: "every known field of every record has its JSON type",
};

pub(super) const TYPED_FIELDS: Rule = Rule {
    id: TYPED_FIELDS_AGREEMENT.rule,
    title: "known fields have the JSON type that is agreed on, and a record whose fields do not is kept",
    severity: Severity::Warning,
    doc: "A few dozen members of the known kinds have an agreed JSON type: ids and texts are strings, \
          flags are booleans, counts are numbers, `content` is a string or an array of blocks. Each may be \
          missing or null. Where one has another type, the record stays a record with all its bytes, and \
          it is reported; readers treat the field as missing. Members that are not known, side records \
          and unknown kinds are free.\n\n\
          Field after field has changed its shape between versions. Readers that map records to strict \
          types have rejected whole classes of records over one field: 1,409 of 1,409 hook summaries in \
          one case. Others crash: a boundary whose metadata was null stopped every later compaction, and \
          a `parentUuid` that is an object ends a well-known reader with an exception.",
    example: b"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":{\"id\":\"u0\"}}\n",
    remedy: "Look at each field's JSON type when it is used, and take a wrong one for a missing one. A \
             writer should be corrected; old files may stay.",
    sources: &["spec sections 2 and 3", "omnigent-ai/omnigent#1957", "field cases 2.3 and 2.6"],
    judge: Judge::Parse(|case| TYPED_FIELDS_AGREEMENT.judge(case)),
};

const LIVE_ONLY_AGREEMENT: Agreement = Agreement {
    rule: "wire/live-only-kind",
    reach: Reach::Piece,
    untouched: "no record is of a kind that lives in memory only",
};

pub(super) const LIVE_ONLY_KIND: Rule = Rule {
    id: LIVE_ONLY_AGREEMENT.rule,
    title: "kinds that live in memory only are not on disk, and one that is gets kept and reported",
    severity: Severity::Warning,
    doc: "`tool_use_summary`, `tombstone`, `grouped_tool_use`, `stream_event` and `stream_request_start` are \
          events of a running session: they fold, withdraw or announce messages for whoever watches. The \
          transcript holds what was said, so they have no place in it. A reader keeps such a record like \
          any other, never puts it in the chain, and reports it.\n\n\
          A file that holds one was written by a program that stored its event stream instead of its \
          messages. `progress` was written once by official clients and is therefore only accepted; in \
          some sessions it made up 99.6 percent of many gigabytes, which is why the others must stay out. \
          Readers that fail on a `type` they do not expect lose the file over a record that means nothing.",
    example:
        b"{\"type\":\"tombstone\",\"uuid\":\"u1\",\"message\":{\"type\":\"assistant\",\"uuid\":\"u2\"}}\n",
    remedy: "Write messages, not events. In a file that has such records they can be deleted, unless a \
             record names one as its parent: link that one to the record before.",
    sources: &["spec sections 2 and 3.2", "anthropics/claude-code#18905", "datadog-labs/trajectory#78"],
    judge: Judge::Parse(|case| LIVE_ONLY_AGREEMENT.judge(case)),
};
