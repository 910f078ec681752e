//! *Strange* blocks: those that are nothing known, and an example of each type in the format's table of shapes that no
//! other form is of.

use std::sync::LazyLock;

use turnproof_format::shapes::{self, BLOCK_TYPES};
use turnproof_format::{SERVER_CALLS, SERVER_RESULTS};

use super::row::{Row, joined, named, rows};
use crate::scenario::choice::{Choice, Form};

/// The plainest one comes first.
const UNKNOWN: &[Row] = &[
    ("of-tomorrow", r#"{"type":"block_of_tomorrow"}"#),
    ("no-members", "{}"),
    ("null-type", r#"{"type":null}"#),
    ("empty-type", r#"{"type":"","text":"a"}"#),
    ("upper-case", r#"{"type":"TEXT","text":"a","camelCase":1}"#),
    ("number-type", r#"{"type":7,"text":"a"}"#),
    ("number", "7"),
    ("text", r#""a""#),
    ("null", "null"),
    ("said-twice", r#"{"type":"block_of_tomorrow","n":1,"n":2}"#),
    ("half-a-pair-key", r#"{"type":"block_of_tomorrow","half \ud83d":"\ude00"}"#),
    ("of-tomorrow-with-own-members", r#"{"type":"block_of_tomorrow","n":1,"_meta":{"a":1},"isMeta":true,"uuid":"u1"}"#),
    ("call-of-tomorrow", r#"{"type":"tool_of_tomorrow_use","id":"srvtoolu_1","name":"n","input":{}}"#),
    ("result-of-tomorrow", r#"{"type":"tool_of_tomorrow_result","tool_use_id":"srvtoolu_1","content":[]}"#),
    ("half-upload", r#"{"type":"container_upload","file":"f"}"#),
    ("half-search-result", r#"{"type":"search_result","source":"a","content":[{"type":"text","text":"a"}]}"#),
    ("compaction-of-odd-members", r#"{"type":"compaction","content":"a","summary":"a","signature":7}"#),
];

/// The types that have forms of their own, beside those of server tools.
const WITH_FORMS: [&str; 7] = ["text", "image", "document", "thinking", "redacted_thinking", "tool_use", "tool_result"];

const OTHERS: usize = BLOCK_TYPES.len() - WITH_FORMS.len() - SERVER_CALLS.len() - SERVER_RESULTS.len();

static FORMS: [Row; UNKNOWN.len() + OTHERS] =
    joined(&[UNKNOWN, &named::<OTHERS>(&BLOCK_TYPES, &[&WITH_FORMS, &SERVER_CALLS, &SERVER_RESULTS])]);

rows! {
    /// Blocks of no form above: unknown ones, and one of each other type.
    StrangeForm of FORMS {
        TEXT "text"
        OF_TOMORROW_WITH_OWN_MEMBERS "of-tomorrow-with-own-members"
        CALL_OF_TOMORROW "call-of-tomorrow"
        RESULT_OF_TOMORROW "result-of-tomorrow"
    }
}

/// The JSON of each form, in their order.
static JSON: LazyLock<Vec<String>> = LazyLock::new(|| {
    let rows = StrangeForm::ALL.iter().map(|form| *form.what());
    rows.map(|row| shapes::block(row).map_or_else(|| row.to_owned(), shapes::Shape::example)).collect()
});

impl Form for StrangeForm {
    fn json(self) -> &'static str {
        &JSON[usize::from(self.place())]
    }
}
