//! Faults with *thinking*: what the model wrote for itself, and what the API takes back only as it was.

use turnproof_rules::operation::Value;

use super::walk::{is_thinking, kind, retain, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/keeps-thinking-at-the-end", "thinking/not-last")
        .that("sends a reply that was stopped while it thought, and one that thought only")
        .seen_in("anthropics/claude-code#10199")
        .by(Wrong::HiddenWhere("assistant", is_signed)),
    fault("normalize_api/keeps-unsigned-thinking", "thinking/signed")
        .that("sends thinking that another vendor's model wrote, without a signature")
        .by(Wrong::HiddenWhere("assistant", |block| kind(block) == "thinking" && text(block, "signature").is_empty())),
    fault("normalize_api/keeps-redacted-thinking-without-data", "thinking/signed")
        .that("sends redacted thinking whose data never came")
        .by(Wrong::HiddenWhere("assistant", |block| {
            kind(block) == "redacted_thinking" && text(block, "data").is_empty()
        })),
    fault("normalize_api/cleans-thinking", "thinking/unmodified")
        .that("cleans all texts of white space at their ends and of letters beyond ASCII, thinking too")
        .by(Wrong::EachBlock("assistant", |block| {
            if kind(block) == "thinking" {
                let words = text(block, "thinking").trim();
                block["thinking"] = words.chars().filter(char::is_ascii).collect::<String>().into();
            }
        })),
    fault("normalize_api/keeps-the-thinking-of-both-tries", "thinking/unmodified")
        .that("keeps the thinking of both tries when a reply was streamed twice")
        .by(Wrong::Blocks("assistant", |blocks| {
            if let Some(first) = blocks.first().filter(|block| is_thinking(block)) {
                blocks.insert(0, first.clone());
            }
        })),
    fault("normalize_api/drops-thinking-to-save-room", "thinking/unmodified")
        .that("drops all thinking, that of the last reply too")
        .by(Wrong::List(|_, turns| retain(turns, "assistant", |block| !is_thinking(block)))),
    fault("normalize_api/turns-thinking-around", "thinking/unmodified")
        .that("reverses the order of the thinking in a turn")
        .seen_in("anthropics/claude-code#19460")
        .by(Wrong::Blocks("assistant", |blocks| {
            let thoughts: Vec<Value> = blocks.iter().filter(|block| is_thinking(block)).cloned().collect();
            let places = blocks.iter_mut().filter(|block| is_thinking(block));
            places.zip(thoughts.into_iter().rev()).for_each(|(place, thought)| *place = thought);
        })),
];

/// Whether a block is thinking that the API would take.
fn is_signed(block: &Value) -> bool {
    let has = |name: &str| !text(block, name).is_empty();
    match kind(block) {
        "thinking" => has("signature") && block.get("thinking").is_some_and(Value::is_string),
        _ => kind(block) == "redacted_thinking" && has("data"),
    }
}
