//! Faults with *thinking*: what the model wrote for itself, and what the API takes back only as it
//! was.

use serde_json::Value;

use super::Fault;
use super::spoil::{keeping, turns};
use super::walk::{blocks_mut, each, hide_type, is_of, is_thinking, kind, lists, retain, text};

/// The faults that rules of the family `thinking` convict.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "normalize_api/keeps-thinking-at-the-end",
        title: "sends a reply that was stopped while it thought, and one that thought only",
        source: Some("anthropics/claude-code#10199"),
        rule: "thinking/not-last",
        wrong: keeping(|messages| {
            each(messages, "assistant", |block| {
                if is_signed(block) {
                    hide_type(block);
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/keeps-unsigned-thinking",
        title: "sends thinking that another vendor's model wrote, without a signature",
        source: None,
        rule: "thinking/signed",
        wrong: keeping(|messages| {
            each(messages, "assistant", |block| {
                if kind(block) == "thinking" && text(block, "signature").is_empty() {
                    hide_type(block);
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/keeps-redacted-thinking-without-data",
        title: "sends redacted thinking whose data never came",
        source: None,
        rule: "thinking/signed",
        wrong: keeping(|messages| {
            each(messages, "assistant", |block| {
                if kind(block) == "redacted_thinking" && text(block, "data").is_empty() {
                    hide_type(block);
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/cleans-thinking",
        title: "cleans all texts of white space at their ends and of letters beyond ASCII, thinking too",
        source: None,
        rule: "thinking/unmodified",
        wrong: turns(|_, turns| {
            each(turns, "assistant", |block| {
                if kind(block) == "thinking" {
                    let words = text(block, "thinking").trim();
                    block["thinking"] = words.chars().filter(char::is_ascii).collect::<String>().into();
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/keeps-the-thinking-of-both-tries",
        title: "keeps the thinking of a reply that was streamed twice from both tries",
        source: None,
        rule: "thinking/unmodified",
        wrong: turns(|_, turns| {
            lists(turns, "assistant", |blocks| {
                if let Some(first) = blocks.first().filter(|block| is_thinking(block)) {
                    blocks.insert(0, first.clone());
                }
            })
        }),
    },
    Fault {
        id: "normalize_api/drops-thinking-to-save-room",
        title: "drops all thinking, that of the last reply too",
        source: None,
        rule: "thinking/unmodified",
        wrong: turns(|_, turns| retain(turns, "assistant", |block| !is_thinking(block))),
    },
    Fault {
        id: "normalize_api/turns-thinking-around",
        title: "puts the thinking of a turn in the order in which its lines were found from the end",
        source: Some("anthropics/claude-code#19460"),
        rule: "thinking/unmodified",
        wrong: turns(|_, mut turns| {
            for blocks in turns.iter_mut().filter(|turn| is_of(turn, "assistant")).filter_map(blocks_mut) {
                let thoughts: Vec<Value> =
                    blocks.iter().filter(|block| is_thinking(block)).cloned().collect();
                let places = blocks.iter_mut().filter(|block| is_thinking(block));
                places.zip(thoughts.into_iter().rev()).for_each(|(place, thought)| *place = thought);
            }
            turns
        }),
    },
];

/// Whether a block is thinking that the API would take.
fn is_signed(block: &Value) -> bool {
    let has = |name: &str| !text(block, name).is_empty();
    match kind(block) {
        "thinking" => has("signature") && block.get("thinking").is_some_and(Value::is_string),
        _ => kind(block) == "redacted_thinking" && has("data"),
    }
}
