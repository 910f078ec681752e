//! Unread faults in counting *usage*.

use super::super::super::walk::{is, kind, remove, text};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "usage/unread-third-replies-of-each-session",
        "8.1: lines with one message.id and one requestId are one reply, in all files together",
        "tells replies apart by session too, so that a copy under another session counts again",
        Wrong::UsageLines(|lines| {
            for line in lines.iter_mut().filter(|line| kind(line) == "assistant") {
                let session = text(line, "sessionId").to_owned();
                if !text(&line["message"], "id").is_empty() && !session.is_empty() {
                    line["message"]["id"] = format!("{} {session}", text(&line["message"], "id")).into();
                }
            }
        }),
    ),
    unread(
        "usage/unread-third-no-subagents",
        "8.1: replies of subagents are counted apart (majiayu000/ccstats#85)",
        "does not count what subagents cost",
        Wrong::UsageLines(|lines| lines.retain(|line| !is(line, "isSidechain"))),
    ),
    unread(
        "usage/unread-third-messages-of-no-model",
        "8.1: lines of the model <synthetic> are no lines of a reply",
        "counts messages that no model made as replies of a model without a name",
        Wrong::UsageLines(|lines| {
            for line in lines.iter_mut().filter(|line| kind(line) == "assistant") {
                if text(&line["message"], "model") == "<synthetic>" {
                    remove(&mut line["message"], "model");
                }
            }
        }),
    ),
    unread(
        "usage/unread-third-heads-in-forks",
        "8.1: the head of a reply is its first line without forkedFrom, else its first line",
        "counts a reply under its first line, also if that is a fork's copy",
        Wrong::UsageLines(|lines| lines.iter_mut().for_each(|line| remove(line, "forkedFrom"))),
    ),
];
