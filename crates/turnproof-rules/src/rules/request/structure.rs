//! The *structure* of a request: which turns it has, in which order, and that each says something.

use super::super::{Judge, Place, RuleEntry, Violation};
use super::view::{Content, Role, Sink, last_turn, turns};
use crate::operation::{Host, Request};

pub(super) const FIRST_USER: RuleEntry =
    rule!("api/first-user", Error, Judge::Request { structural: true, judge: first_user });

fn first_user(request: &Request, host: Host, sink: Sink<'_>) {
    if request.messages.is_empty() && request.body.is_object() {
        let found = "a body whose list of messages is empty";
        let violation = Violation::new(FIRST_USER.id, Place::Whole, found, "at least one turn, of the user");
        return sink(violation.predicting("messages: at least one message is required"));
    }
    let Some(first) = turns(request).find(|turn| turn.role() != Role::System) else { return };
    if first.role() == Role::Assistant {
        let error = match host {
            Host::Bedrock => {
                "A conversation must start with a user message. Try again with a conversation that starts with a \
                 user message."
            }
            _ => "messages: first message must use the \"user\" role",
        };
        let found = "the first turn is the assistant's";
        sink(Violation::new(FIRST_USER.id, first.place(), found, "a turn of the user before it").predicting(error));
    }
}

pub(super) const ALTERNATION: RuleEntry =
    rule!("api/alternation", Error, Judge::Request { structural: true, judge: alternation });

fn alternation(request: &Request, host: Host, sink: Sink<'_>) {
    if matches!(host, Host::Anthropic | Host::Vertex) {
        return;
    }
    let mut before = Role::Other;
    for turn in turns(request) {
        let role = turn.role();
        if role == before && matches!(role, Role::User | Role::Assistant) {
            let name = role.name();
            let error = match host {
                Host::Bedrock => {
                    "A conversation must alternate between user and assistant roles. Make sure the conversation \
                     alternates between user and assistant roles and try again."
                        .to_owned()
                }
                _ => format!(
                    "messages: roles must alternate between \"user\" and \"assistant\", but found multiple \
                     \"{name}\" roles in a row"
                ),
            };
            let found = format!("a second turn of the {name} in a row");
            let violation = Violation::new(ALTERNATION.id, turn.place(), found, "a turn of the other role between");
            sink(violation.predicting(error));
        }
        before = role;
    }
}

pub(super) const NON_EMPTY_CONTENT: RuleEntry =
    rule!("api/non-empty-content", Error, Judge::Request { structural: true, judge: non_empty_content });

fn non_empty_content(request: &Request, host: Host, sink: Sink<'_>) {
    let last = last_turn(request).map(|turn| turn.index);
    for turn in turns(request) {
        if !matches!(turn.content(), Content::Blocks([])) {
            continue;
        }
        let is_last = last == Some(turn.index);
        let is_judged = match turn.role() {
            Role::User => true,
            Role::Assistant => !is_last || matches!(host, Host::Strict | Host::Bedrock),
            // Elsewhere the turn itself is refused, by `api/system-turns`.
            Role::System => host == Host::Anthropic && turn.value.get("output_config").is_none(),
            Role::Other => false,
        };
        if is_judged {
            let found = "a turn without a block";
            let violation = Violation::new(NON_EMPTY_CONTENT.id, turn.place(), found, "at least one block");
            sink(violation.predicting(empty_content(host, turn.index, turn.role(), is_last)));
        }
    }
}

/// What a host says of a turn without content.
pub(super) fn empty_content(host: Host, index: usize, role: Role, is_last: bool) -> String {
    let is_converse = host == Host::Bedrock || host == Host::Strict && is_last && role == Role::Assistant;
    match role {
        _ if is_converse => format!("The content field in the Message object at messages.{index} is empty."),
        Role::User => format!("messages.{index}: user messages must have non-empty content"),
        _ => format!(
            "messages.{index}: all messages must have non-empty content except for the optional final assistant \
             message"
        ),
    }
}
