//! *Ids*: a reply has one, and each call has one of its own, in the form that the API takes back.

use std::collections::HashSet;

use turnproof_format::{CALL_ID, SERVER_CALL, SERVER_CALL_ID, is_call_id, is_server_call_id};

use crate::operation::reply::{AssembledBlock, Reply};
use crate::rules::Report;
use crate::rules::value::{kind, text};

pub(super) fn ids(reply: &Reply, report: &mut Report<'_>) {
    if let Some((place, message)) = &reply.assembled.message
        && text(message, "id").is_none_or(str::is_empty)
    {
        report.add(place.member("id"), "no-message-id", "the message has no id", "an id that begins with `msg_`");
    }
    let mut seen = HashSet::new();
    for block in reply.assembled.blocks.iter().filter(|block| block.is_call()) {
        wrong_call(block, &mut seen, report);
    }
}

fn wrong_call<'a>(block: &'a AssembledBlock, seen: &mut HashSet<&'a str>, report: &mut Report<'_>) {
    let call = kind(&block.value);
    let place = block.place.member("id");
    let (fits, pattern): (fn(&str) -> bool, _) = match call {
        SERVER_CALL => (is_server_call_id, SERVER_CALL_ID),
        _ => (is_call_id, CALL_ID),
    };
    match text(&block.value, "id").filter(|id| !id.is_empty()) {
        None => report.add(place, "no-call-id", sentence!("a {call} without an id", call), "an id of its own"),
        Some(id) if !fits(id) => {
            let found = sentence!("the id of a {call} is {id:?}", call, id);
            report.add(place, "call-id-form", found, sentence!("an id that matches {pattern}", pattern));
        }
        Some(id) if !seen.insert(id) => {
            report.add(place, "id-twice", sentence!("two calls have the id {id:?}", id), "an id of its own");
        }
        Some(_) => {}
    }
}

pub(super) fn id_form(reply: &Reply, report: &mut Report<'_>) {
    let Some((place, message)) = &reply.assembled.message else { return };
    if let Some(id) = text(message, "id").filter(|id| !id.is_empty() && !id.starts_with("msg_")) {
        let found = sentence!("the id of the message is {id:?}", id);
        report.add(place.member("id"), "message-id-form", found, "an id that begins with `msg_`");
    }
}
