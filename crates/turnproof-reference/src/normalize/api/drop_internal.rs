//! Stage *drop internal*: what is between the client and its user is not sent (SPEC.md section 6.4).
//!
//! A tombstone takes with it every earlier assistant message that has the uuid of the message it withdraws. The
//! results of withdrawn calls go when calls and results are paired.

use std::collections::HashMap;

use crate::message::{Event, Kind, Message};

use super::listed::Listed;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "drop internal",
    title: "notices, progress, errors and withdrawn replies go",
    repairs: false,
    run: Run::Listed(drop_internal),
};

fn drop_internal<'a>(mut list: Vec<Listed<'a>>, pass: &mut Pass<'_>) -> Vec<Listed<'a>> {
    let withdrawn = withdrawals(&list);
    let mut index = 0;
    list.retain(|listed| {
        let reason = reason(*listed).or_else(|| {
            let uuid = listed.message().filter(|message| matches!(message, Message::Assistant(_)))?.uuid()?;
            (*withdrawn.get(uuid)? > index).then_some("withdrawn by a tombstone")
        });
        index += 1;
        pass.notes.stays(listed.at, reason)
    });
    list
}

/// Each uuid that is withdrawn, with the index of the last tombstone that does.
fn withdrawals(list: &[Listed<'_>]) -> HashMap<String, usize> {
    let tombstones = list.iter().enumerate().filter_map(|(index, listed)| match listed.event {
        Event::Tombstone(tombstone) => Some((tombstone.withdrawn()?.as_str().to_owned(), index)),
        _ => None,
    });
    tombstones.collect()
}

/// Why a message is not for the model.
fn reason(listed: Listed<'_>) -> Option<&'static str> {
    Some(match listed.kind() {
        Kind::System if listed.message().is_some_and(Message::is_local_command) => return None,
        Kind::System => "a notice",
        Kind::Assistant if listed.is_synthetic_api_error() => "stands for an error of the API",
        Kind::Progress => "progress",
        Kind::HookResult => "a hook's outcome",
        Kind::GroupedToolUse => "a group of the UI",
        Kind::ToolUseSummary => "a summary for the UI",
        Kind::Tombstone => "a tombstone",
        Kind::StreamEvent | Kind::StreamRequestStart => "an event of the stream",
        Kind::User | Kind::Assistant | Kind::Attachment => return None,
    })
}
