//! Unread faults in counting *usage*.

use turnproof::operation::Value;
use turnproof_rules::json;

use super::super::walk::{is, kind, remove, text};
use super::super::wrong::Wrong;
use super::{Unread, unread};

const COUNTED: [&str; 4] = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "usage/unread-first-line-wins",
        "8.1: in one file the last line of the reply that has the number wins (ccusage/ccusage#938)",
        "takes the numbers of the first line of a reply",
        Wrong::UsageLines(|lines| {
            let mut seen = std::collections::HashMap::new();
            for line in lines.iter_mut().filter(|line| kind(line) == "assistant") {
                let key = (text(&line["message"], "id").to_owned(), text(line, "requestId").to_owned());
                let usage = line.pointer("/message/usage").cloned();
                if let (Some(usage), false) = (usage, key.0.is_empty()) {
                    line["message"]["usage"] = seen.entry(key).or_insert(usage).clone();
                }
            }
        }),
    ),
    unread(
        "usage/unread-nested-cache",
        "8.1: cache_creation_input_tokens is the number that is counted",
        "counts the cache by its breakdown in cache_creation",
        Wrong::UsageLines(|lines| {
            for usage in lines.iter_mut().filter_map(|line| line.pointer_mut("/message/usage")) {
                let Some(parts) = usage.get("cache_creation").and_then(Value::as_object) else { continue };
                let sum: u64 = parts.values().filter_map(Value::as_u64).fold(0, u64::saturating_add);
                usage["cache_creation_input_tokens"] = sum.into();
            }
        }),
    ),
    unread(
        "usage/unread-halves-of-tokens",
        "8.1: a number is whole; another value is missing",
        "rounds a number that is not whole",
        Wrong::UsageLines(|lines| {
            for usage in lines.iter_mut().filter_map(|line| line.pointer_mut("/message/usage")) {
                for name in COUNTED {
                    if let Some(number) = usage.get(name).and_then(Value::as_f64)
                        && number.fract() != 0.0
                        && number > 0.0
                    {
                        usage[name] = json!(number.round() as u64);
                    }
                }
            }
        }),
    ),
    unread(
        "usage/unread-synthetic-replies-count",
        "8.1: lines of the model <synthetic> are none",
        "counts messages that no model made as replies",
        Wrong::UsageLines(|lines| {
            for line in lines.iter_mut().filter(|line| is(line, "isApiErrorMessage")) {
                if line.pointer("/message/model") == Some(&json!("<synthetic>")) {
                    line["message"]["model"] = "synthetic".into();
                }
            }
        }),
    ),
    unread(
        "usage/unread-forks-are-heads",
        "8.1: the head of a reply is its first line without forkedFrom",
        "counts a reply under the first line that it finds, a fork's copy or not",
        Wrong::UsageLines(|lines| lines.iter_mut().for_each(|line| remove(line, "forkedFrom"))),
    ),
];
