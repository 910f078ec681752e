//! *System turns* are turns of the role `system` in the middle of a conversation: which host takes them, and where.

use super::view::{Role, SERVER_RESULTS, Turn, turns};
use crate::operation::{Host, Request};
use crate::rules::Report;

pub(super) fn system_turns(request: &Request, host: Host, report: &mut Report<'_>) {
    if matches!(host, Host::Anthropic | Host::BedrockInvoke) {
        return placement(request, report);
    }
    for turn in turns(request).filter(|turn| turn.role() == Role::System) {
        let error = "role 'system' is not supported on this model";
        let (found, expected) = ("a turn of the system", "turns of the user and the assistant");
        report.predict(turn.place(), "not-supported", found, expected, error);
    }
}

/// Judges where the sections of system turns stand.
fn placement(request: &Request, report: &mut Report<'_>) {
    let mut before: Option<Turn<'_>> = None;
    let is_system = |turn: Turn<'_>| turn.role() == Role::System;
    // One error for each section.
    let mut is_told = false;
    for turn in turns(request).filter(|turn| !is_directive(*turn)) {
        match before {
            None if is_system(turn) => {
                let error =
                    format!("{}: use the top-level 'system' parameter for the initial system prompt", turn.path());
                is_told = true;
                let found = "a turn of the system is the first";
                report.predict(turn.place(), "first", found, "the `system` parameter", error);
            }
            Some(before) if is_system(turn) && !is_system(before) && !may_precede(before) => {
                let error = format!(
                    "{}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server \
                     tool result",
                    turn.path()
                );
                let expected = "a turn of the user, or the result of a server tool, before it";
                is_told = true;
                report.predict(turn.place(), "after-reply", "a turn of the system after a reply", expected, error);
            }
            Some(before)
                if is_system(before)
                    && !is_system(turn)
                    && turn.role() != Role::Assistant
                    && !std::mem::take(&mut is_told) =>
            {
                let error = format!(
                    "{}: role 'system' must precede an 'assistant' message or end the array; the directive-only \
                     form (content: [] with output_config) is accepted at any position",
                    before.path()
                );
                let expected = "a reply after it, or nothing";
                let found = "a turn of the system before one of the user";
                report.predict(before.place(), "before-user", found, expected, error);
            }
            _ => {}
        }
        is_told &= is_system(turn);
        before = Some(turn);
    }
}

/// Whether the turn only gives directions.
fn is_directive(turn: Turn<'_>) -> bool {
    turn.role() == Role::System && turn.is_empty() && turn.value.get("output_config").is_some()
}

/// Whether a section may follow the turn.
fn may_precede(turn: Turn<'_>) -> bool {
    match turn.role() {
        Role::User => true,
        Role::Assistant => turn.blocks().next_back().is_some_and(|block| SERVER_RESULTS.contains(&block.kind())),
        Role::System | Role::Other => false,
    }
}
