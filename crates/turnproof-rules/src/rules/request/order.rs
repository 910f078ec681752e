//! The *order* of results in their turn, and the *form* of ids and inputs.

use super::super::{Judge, RuleEntry, Violation};
use super::pairing::{answers, unanswered};
use super::view::{Role, SERVER_RESULTS, Sink, blocks};
use crate::operation::{Host, Request};

pub(super) const RESULTS_FIRST: RuleEntry =
    rule!("pairing/results-first", Error, Judge::Request { structural: true, judge: results_first });

fn results_first(request: &Request, host: Host, sink: Sink<'_>) {
    for answer in answers(request).iter().filter(|answer| answer.is_late && !answer.is_repeated) {
        let Some(call) = answer.call else { continue };
        let (id, place) = (answer.id, answer.block.place());
        let found = format!("the result for {id} stands behind other content");
        let violation = Violation::new(RESULTS_FIRST.id, place, found, "the results in front of the turn");
        sink(violation.predicting(unanswered(host, call.turn.index, answer.block.turn.index, &[id])));
    }
}

pub(super) const ID_FORM: RuleEntry =
    rule!("pairing/id-form", Error, Judge::Request { structural: true, judge: id_form });

fn id_form(request: &Request, _: Host, sink: Sink<'_>) {
    for block in blocks(request) {
        let (member, is_server) = match (block.turn.role(), block.kind()) {
            (Role::Assistant, "tool_use" | "mcp_tool_use") => ("id", false),
            (Role::Assistant, "server_tool_use") => ("id", true),
            (Role::User, "tool_result") | (Role::Assistant, "mcp_tool_result") => ("tool_use_id", false),
            (Role::Assistant, kind) if SERVER_RESULTS.contains(&kind) => ("tool_use_id", true),
            _ => continue,
        };
        let Some(id) = block.string(member).filter(|id| !has_form(id, is_server)) else { continue };
        let pattern = if is_server { "^srvtoolu_[a-zA-Z0-9_]+$" } else { "^[a-zA-Z0-9_-]+$" };
        let error = format!("{}: String should match pattern '{pattern}'", block.member(member));
        let found = format!("the {member} {id:?}");
        let violation = Violation::new(ID_FORM.id, block.place(), found, format!("an id like {pattern}"));
        sink(violation.predicting(error));
    }
}

/// Whether an id has the form that calls of its kind need.
fn has_form(id: &str, is_server: bool) -> bool {
    let rest = if is_server { id.strip_prefix("srvtoolu_") } else { Some(id) };
    let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_' || letter == b'-' && !is_server;
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_letter))
}

pub(super) const INPUT_OBJECT: RuleEntry =
    rule!("pairing/input-object", Error, Judge::Request { structural: true, judge: input_object });

fn input_object(request: &Request, _: Host, sink: Sink<'_>) {
    let calls = blocks(request).filter(|block| block.is("tool_use") && block.turn.role() == Role::Assistant);
    for block in calls {
        if block.field("input").is_some_and(|input| !input.is_object()) {
            let error = format!("{}: Input should be an object", block.member("input"));
            let found = "an input that is no object";
            sink(Violation::new(INPUT_OBJECT.id, block.place(), found, "an object").predicting(error));
        }
    }
}
