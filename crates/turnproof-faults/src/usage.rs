//! Faults in *usage*: replies are counted more than once, or under another name.

use std::collections::{HashMap, HashSet};

use turnproof_rules::operation::{UsageRow, Value};

use super::stable::is_second_time;
use super::walk::{is, kind, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("usage/counts-each-line", "usage/once-per-reply")
        .that("adds up the usage of all lines")
        .seen_in("ccusage/ccusage#797")
        .by(Wrong::UsageLines(|lines| {
            for (number, line) in lines.iter_mut().enumerate() {
                rename(line, |id| format!("{id}-{number}"));
            }
        })),
    fault("usage/asks-the-message-alone", "usage/once-per-reply")
        .that("does not read the usage that stands beside the message")
        .by(Wrong::UsageLines(|lines| {
            for line in lines.iter_mut().filter_map(Value::as_object_mut) {
                line.remove("usage");
            }
        })),
    fault("usage/asks-beside-first", "usage/once-per-reply")
        .that("takes the usage beside the message also where the message has its own")
        .by(Wrong::UsageLines(|lines| {
            for line in lines {
                let Some(usage) = line.get("usage").cloned() else { continue };
                if let Some(message) = line.get_mut("message").and_then(Value::as_object_mut) {
                    message.insert("usage".to_owned(), usage);
                }
            }
        })),
    fault("usage/first-line-wins", "usage/once-per-reply")
        .that("counts the first line of a reply and steps over the others")
        .by(Wrong::UsageLines(|lines| {
            let mut seen = HashSet::new();
            lines.retain(|line| name(line).is_none_or(|name| seen.insert(name)));
        })),
    fault("usage/greatest-wins", "usage/once-per-reply")
        .that("takes the greatest number of a reply, also where a later line has a smaller one")
        .by(Wrong::UsageLines(|lines| {
            let mut most: HashMap<String, u64> = HashMap::new();
            for line in lines {
                let Some(name) = name(line) else { continue };
                let Some(output) = line.pointer_mut("/message/usage/output_tokens") else { continue };
                let Some(tokens) = output.as_u64() else { continue };
                let most = most.entry(name).or_default();
                *most = tokens.max(*most);
                *output = Value::from(*most);
            }
        })),
    fault("usage/forgets-replies-without-an-id", "usage/once-per-reply")
        .that("counts only replies that have an id")
        .by(Wrong::UsageLines(|lines| lines.retain(|line| kind(line) != "assistant" || name(line).is_some()))),
    fault("usage/counts-synthetic-replies", "usage/once-per-reply").that("counts messages that no model wrote").by(
        Wrong::UsageLines(|lines| {
            for body in lines.iter_mut().filter_map(|line| line.get_mut("message")) {
                if text(body, "model") == "<synthetic>" {
                    body["model"] = Value::from("synthetic");
                }
            }
        }),
    ),
    fault("usage/loses-what-is-mistyped", "usage/once-per-reply")
        .that("leaves out lines that have a number of another type")
        .by(Wrong::UsageLines(|lines| {
            lines.retain(|line| {
                let usage = line.pointer("/message/usage").and_then(Value::as_object);
                usage
                    .is_none_or(|usage| !usage.iter().any(|(name, value)| name.ends_with("_tokens") && !value.is_u64()))
            });
        })),
    fault("usage/drops-the-cache", "usage/once-per-reply").that("counts input and output alone").by(Wrong::UsageRows(
        |rows| {
            for row in rows {
                (row.cache_creation_input_tokens, row.cache_read_input_tokens) = (0, 0);
            }
        },
    )),
    fault("usage/one-row-a-reply", "usage/once-per-reply")
        .that("gives a row of its own to the last reply of a session and model")
        .by(Wrong::UsageRows(|rows| {
            if let Some(at) = rows.iter().position(|row| row.replies > 1) {
                let mut last = rows[at].clone();
                (rows[at].replies, last.replies) = (last.replies - 1, 1);
                (last.input_tokens, last.output_tokens, last.unknown) = (0, 0, 0);
                (last.cache_creation_input_tokens, last.cache_read_input_tokens) = (0, 0);
                rows.push(last);
            }
        })),
    fault("usage/adds-cache-reads-to-input", "usage/cache-apart")
        .that("adds what was read from the cache to the input")
        .by(Wrong::UsageRows(|rows| {
            for row in rows {
                row.input_tokens += std::mem::take(&mut row.cache_read_input_tokens);
            }
        })),
    fault("usage/adds-writes-to-reads", "usage/cache-apart")
        .that("gives one number for reads and writes of the cache")
        .by(Wrong::UsageRows(|rows| {
            for row in rows {
                row.cache_read_input_tokens += std::mem::take(&mut row.cache_creation_input_tokens);
            }
        })),
    fault("usage/one-model-a-session", "usage/by-model")
        .that("counts all replies of a session under the model of its first one")
        .by(Wrong::UsageRows(|rows| {
            let mut models: HashMap<Option<String>, Option<String>> = HashMap::new();
            for row in rows {
                row.model.clone_from(models.entry(row.session.clone()).or_insert_with(|| row.model.clone()));
            }
        })),
    fault("usage/one-session-a-file", "usage/by-session")
        .that("counts all replies of a file under the session of its first line")
        .by(Wrong::UsageLines(|lines| {
            let first = lines.iter().find_map(|line| line.get("sessionId").filter(|id| id.is_string()).cloned());
            for line in lines {
                if let (Some(first), Some(members)) = (&first, line.as_object_mut()) {
                    members.insert("sessionId", first.clone());
                }
            }
        })),
    fault("usage/mixes-sidechains", "usage/sidechain-apart")
        .that("counts replies of subagents as replies of the conversation")
        .by(Wrong::UsageRows(|rows| rows.iter_mut().for_each(|row| row.sidechain = false))),
    fault("usage/any-sidechain-line", "usage/sidechain-apart")
        .that("gives a reply to a subagent when one of its lines is in a sidechain")
        .by(Wrong::UsageLines(|lines| {
            let apart: Vec<String> = lines.iter().filter(|line| is(line, "isSidechain")).filter_map(name).collect();
            for line in lines.iter_mut().filter(|line| name(line).is_some_and(|name| apart.contains(&name))) {
                line["isSidechain"] = Value::from(true);
            }
        })),
    fault("usage/counts-teams-apart", "usage/sidechain-apart")
        .that("counts replies of a team apart, as if they were a subagent's")
        .by(Wrong::UsageLines(|lines| {
            for line in lines.iter_mut().filter(|line| !text(line, "teamName").is_empty()) {
                line["isSidechain"] = Value::from(true);
            }
        })),
    fault("usage/unknown-is-nothing", "usage/unknown-said")
        .that("takes a reply without usage for one that cost nothing")
        .by(Wrong::UsageRows(|rows| rows.iter_mut().for_each(|row| row.unknown = 0))),
    fault("usage/counts-forks-again", "usage/copies-once")
        .that("counts the replies of each session by themselves")
        .seen_in("xiufengsun/TokenTracker#62")
        .by(Wrong::UsageLines(|lines| {
            for line in lines {
                let session = text(line, "sessionId").to_owned();
                if line.get("forkedFrom").is_some() {
                    rename(line, |id| format!("{id}-{session}"));
                }
            }
        })),
    fault("usage/forks-take-replies", "usage/copies-once")
        .that("counts a reply under the first session that holds it, be it a copy")
        .by(Wrong::UsageLines(|lines| lines.iter_mut().for_each(|line| remove(line, "forkedFrom")))),
    fault("usage/keeps-the-sums-of-before", "usage/deterministic")
        .that("begins with the totals of the question before")
        .by(Wrong::UsageRows(|rows| {
            if is_second_time() {
                rows.iter_mut().for_each(double);
            }
        })),
];

fn double(row: &mut UsageRow) {
    row.replies *= 2;
    row.output_tokens *= 2;
}

/// What makes a line one of a reply: the ids of reply and request.
fn name(line: &Value) -> Option<String> {
    let id = text(line.get("message")?, "id");
    (kind(line) == "assistant" && !id.is_empty()).then(|| format!("{id} of {}", text(line, "requestId")))
}

/// Gives a reply's line another id of the reply.
fn rename(line: &mut Value, change: impl FnOnce(&str) -> String) {
    if name(line).is_some() {
        line["message"]["id"] = Value::from(change(text(&line["message"], "id")));
    }
}

/// A file with its sound lines changed, and the others as they are.
pub(super) fn with_lines(file: &[u8], change: fn(&mut Vec<Value>)) -> Vec<u8> {
    let (mut sound, mut others) = (Vec::new(), Vec::new());
    for line in file.split_inclusive(|&byte| byte == b'\n') {
        match serde_json::from_slice::<Value>(line).ok().filter(Value::is_object) {
            Some(record) => sound.push(record),
            None => others.extend(line),
        }
    }
    change(&mut sound);
    let written = sound.iter().flat_map(|record| format!("{record}\n").into_bytes());
    written.chain(others).collect()
}
