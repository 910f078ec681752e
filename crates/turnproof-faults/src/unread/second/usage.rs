//! Unread faults in *usage*: which lines are one reply, and under what it counts.

use std::collections::{HashMap, HashSet};

use turnproof::operation::{Object, Value};

use super::{Unread, unread};
use crate::walk::{is, kind, remove, text};
use crate::wrong::Wrong;

const NUMBERS: [&str; 4] = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "usage/unread-lines-without-a-request",
        "8.1: lines that have no requestId have the same one (ccusage/ccusage#985)",
        "counts each line that has no requestId as a reply of its own",
        Wrong::UsageLines(|lines| {
            for (at, line) in lines.iter_mut().enumerate() {
                if !key(line).is_empty() && text(line, "requestId").is_empty() {
                    line["requestId"] = format!("line {at}").into();
                }
            }
        }),
    ),
    unread(
        "usage/unread-one-id-is-one-reply",
        "8.1: lines with one message.id and one requestId are one reply",
        "knows a reply by its message.id alone",
        Wrong::UsageLines(|lines| {
            let mut requests: HashMap<String, Value> = HashMap::new();
            for line in lines.iter_mut().filter(|line| !key(line).is_empty()) {
                let own = line.get("requestId").cloned().unwrap_or_default();
                let first = requests.entry(key(line).to_owned()).or_insert(own);
                line["requestId"] = first.clone();
            }
        }),
    ),
    unread(
        "usage/unread-text-is-a-number",
        "8.1: a number is whole; another value is missing",
        "reads a text of digits as a number",
        Wrong::UsageLines(|lines| {
            each_usage(lines, |usage| {
                for name in NUMBERS {
                    if let Some(number) = text(usage, name).parse::<u64>().ok().filter(|number| *number < 1 << 53) {
                        usage[name] = number.into();
                    }
                }
            });
        }),
    ),
    unread(
        "usage/unread-greatest-of-a-file",
        "8.1: in one file the last line of the reply that has the number wins",
        "takes the greatest number of all lines of a reply in a file",
        Wrong::UsageLines(|lines| {
            let mut greatest: HashMap<(String, String, &str), u64> = HashMap::new();
            for line in lines.iter_mut().filter(|line| !key(line).is_empty()) {
                let (id, request) = (key(line).to_owned(), text(line, "requestId").to_owned());
                for name in NUMBERS {
                    let Some(number) = line.pointer_mut(&format!("/message/usage/{name}")) else { continue };
                    let Some(own) = number.as_u64() else { continue };
                    let most = greatest.entry((id.clone(), request.clone(), name)).or_default();
                    *most = own.max(*most);
                    *number = (*most).into();
                }
            }
        }),
    ),
    unread(
        "usage/unread-model-of-the-last-line",
        "8.1: the reply counts under the head's message.model",
        "counts a reply under the model of its last line",
        Wrong::UsageLines(|lines| {
            let mut models: HashMap<(String, String), Value> = HashMap::new();
            for line in lines.iter().filter(|line| !key(line).is_empty()) {
                let model = line.pointer("/message/model").cloned().unwrap_or_default();
                models.insert((key(line).to_owned(), text(line, "requestId").to_owned()), model);
            }
            for line in lines.iter_mut().filter(|line| !key(line).is_empty()) {
                let name = (key(line).to_owned(), text(line, "requestId").to_owned());
                if let Some(model) = models.get(&name) {
                    line["message"]["model"] = model.clone();
                }
            }
        }),
    ),
    unread(
        "usage/unread-one-line-makes-a-subagent",
        "8.1: a reply is of a subagent when each of its lines is of a sidechain",
        "counts a reply as a subagent's when one of its lines is of a sidechain",
        Wrong::UsageLines(|lines| {
            let of = |line: &Value| (key(line).to_owned(), text(line, "requestId").to_owned());
            let apart: HashSet<_> = lines.iter().filter(|line| is(line, "isSidechain")).map(of).collect();
            for line in lines.iter_mut().filter(|line| !key(line).is_empty()) {
                if apart.contains(&of(line)) {
                    line["isSidechain"] = true.into();
                }
            }
        }),
    ),
    unread(
        "usage/unread-withdrawn-is-free",
        "8.1: a line of a reply is an assistant record on any branch, withdrawn or not",
        "does not count what a later record withdraws",
        Wrong::UsageLines(|lines| {
            let lists = |line: &Value| {
                let names = ["supersedesUuids", "retractedMessageUuids"].into_iter();
                let named = names.filter_map(|name| line.get(name)?.as_array()).flatten().filter_map(Value::as_str);
                named.map(str::to_owned).collect::<Vec<_>>()
            };
            let gone: HashSet<String> = lines.iter().flat_map(lists).collect();
            lines.retain(|line| !gone.contains(text(line, "uuid")));
        }),
    ),
    unread(
        "usage/unread-unknown-is-no-reply",
        "8.1: a reply for which no line has a number counts as a reply",
        "does not count replies of unknown cost among the replies",
        Wrong::UsageRows(|rows| rows.iter_mut().for_each(|row| row.replies = row.replies.saturating_sub(row.unknown))),
    ),
    unread(
        "usage/unread-nothing-is-unknown",
        "8.1: a reply is unknown if no line has any of the four numbers",
        "takes a usage of zeros alone for no usage",
        Wrong::UsageLines(|lines| {
            for line in lines.iter_mut() {
                let Some(body) = line.get_mut("message") else { continue };
                let usage = body.get("usage").and_then(Value::as_object);
                let is_zero = |usage: &Object| {
                    NUMBERS.iter().filter_map(|name| usage.get(name)).all(|number| number.as_u64() == Some(0))
                };
                if usage.is_some_and(is_zero) {
                    remove(body, "usage");
                }
            }
        }),
    ),
];

/// The id of the reply that a line belongs to; empty if it names none.
fn key(line: &Value) -> &str {
    if kind(line) == "assistant" { line.get("message").map_or("", |body| text(body, "id")) } else { "" }
}

fn each_usage(lines: &mut [Value], change: impl Fn(&mut Value)) {
    let usages = lines.iter_mut().filter_map(|line| line.pointer_mut("/message/usage"));
    usages.filter(|usage| usage.is_object()).for_each(change);
}
