//! The *structure* of a request: which turns it has, in which order, that each says something that its role may say,
//! and how the request ends.

use super::view::{Role, blocks, is_server, last_turn, turns};
use crate::operation::{Host, Request};
use crate::rules::shape::{self, Holder};
use crate::rules::value::{list, text};
use crate::rules::{Place, Report};

pub(super) fn first_user(request: &Request, host: Host, report: &mut Report<'_>) {
    if request.messages.is_empty() {
        let found = "a list of messages that is empty";
        let error = "messages: at least one message is required";
        return report.predict(Place::Whole, "no-turn", found, "at least one turn, of the user", error);
    }
    let Some(first) = turns(request).find(|turn| turn.role() != Role::System) else { return };
    // Each host was recorded to take it, and older ones to refuse it.
    if first.role() == Role::Assistant && host == Host::Portable {
        let error = "messages: first message must use the \"user\" role";
        let found = "the first turn is the assistant's";
        report.predict(first.place(), "assistant-first", found, "a turn of the user before it", error);
    }
}

pub(super) fn alternation(request: &Request, host: Host, report: &mut Report<'_>) {
    // Hosts join neighbours of one role by now.
    if host != Host::Portable {
        return;
    }
    let mut before = Role::Other;
    for turn in turns(request) {
        let role = turn.role();
        if role == before && matches!(role, Role::User | Role::Assistant) {
            let name = role.name();
            let error = format!(
                "messages: roles must alternate between \"user\" and \"assistant\", but found multiple \
                 \"{name}\" roles in a row"
            );
            let found = sentence!("a second turn of the {name} in a row", name);
            let kind = if role == Role::User { "user-twice" } else { "assistant-twice" };
            report.predict(turn.place(), kind, found, "a turn of the other role between", error);
        }
        before = role;
    }
}

pub(super) fn non_empty_content(request: &Request, host: Host, report: &mut Report<'_>) {
    let last = last_turn(request).map(|turn| turn.index);
    for turn in turns(request) {
        if !turn.is_empty() {
            continue;
        }
        let is_last = last == Some(turn.index);
        let is_judged = match turn.role() {
            Role::User => true,
            Role::Assistant => !is_last || matches!(host, Host::Portable | Host::BedrockConverse),
            // In other places the turn itself is refused, by `api/system-turns`.
            Role::System => {
                matches!(host, Host::Anthropic | Host::BedrockInvoke) && turn.value.get("output_config").is_none()
            }
            Role::Other => false,
        };
        if is_judged {
            let error = empty_content(host, turn.index, turn.role(), is_last, false);
            report.predict(turn.place(), "empty", "a turn without a block", "at least one block", error);
        }
    }
}

/// What a host says of a turn without content: a list without a block, or an empty text.
pub(super) fn empty_content(host: Host, index: usize, role: Role, is_last: bool, is_text: bool) -> String {
    let is_converse = host == Host::BedrockConverse || host == Host::Portable && is_last && role == Role::Assistant;
    match role {
        _ if is_converse => format!("The content field in the Message object at messages.{index} is empty."),
        Role::User if !is_text => format!("messages.{index}: user messages must have non-empty content"),
        _ => format!(
            "messages.{index}: all messages must have non-empty content except for the optional final assistant \
             message"
        ),
    }
}

pub(super) fn blocks_by_role(request: &Request, _: Host, report: &mut Report<'_>) {
    for block in blocks(request) {
        let (role, kind) = (block.turn.role(), block.kind());
        let Some(known) = shape::block(kind) else { continue };
        let owners: &[Role] = match known.holder {
            Holder::User => &[Role::User],
            Holder::Assistant => &[Role::Assistant],
            Holder::Speakers => &[Role::User, Role::Assistant],
            Holder::Anyone | Holder::Nobody => continue,
        };
        if role != Role::Other && !owners.contains(&role) {
            let names: Vec<String> = owners.iter().map(|owner| format!("`{}`", owner.name())).collect();
            let found = sentence!("`{block}` in a turn of the {role}", block = kind, role = role.name());
            let owners: Vec<&str> = owners.iter().map(|owner| owner.name()).collect();
            let owners = owners.join(" or the ");
            let expected = sentence!("`{block}` only in turns of the {owners}", block = kind, owners);
            let names = names.join(" or ");
            let error = format!("{}: `{kind}` blocks can only be in {names} messages", block.turn.path());
            report.predict(block.place(), in_turn_of(role), found, expected, error);
        }
    }
}

/// The kind of a block that the turns of a role may not have.
fn in_turn_of(role: Role) -> &'static str {
    match role {
        Role::User => "in-user-turn",
        Role::Assistant => "in-assistant-turn",
        Role::System | Role::Other => "in-system-turn",
    }
}

pub(super) fn ends_with_user(request: &Request, host: Host, report: &mut Report<'_>) {
    let Some(last) = last_turn(request).filter(|turn| turn.role() == Role::Assistant) else { return };
    if matches!(host, Host::BedrockConverse | Host::Portable) && !list(&request.body, "tools").is_empty() {
        let error = "The model returned the following errors: Your API request included an `assistant` message in the \
                     final position, which would pre-fill the `assistant` response. When using tools, pre-filling the \
                     `assistant` response is not supported.";
        let found = "the last turn is the assistant's, and there are tools";
        return report.predict(last.place(), "with-tools", found, "a turn of the user at the end", error);
    }
    let kind = last.blocks().next_back().map_or("", |block| block.kind());
    if !is_server(kind) && text(&request.body, "model").and_then(version) >= Some((4, 6)) {
        let error =
            "This model does not support assistant message prefill. The conversation must end with a user message.";
        let (found, expected) = ("the last turn is the assistant's", "a turn of the user at the end");
        report.predict(last.place(), "assistant-last", found, expected, error);
    }
}

/// The version in a model's name: (4, 6) of `us.anthropic.claude-opus-4-6-v1:0`, (3, 5) of
/// `claude-3-5-sonnet-20241022`, (4, 0) of `claude-opus-4-20250514`.
fn version(model: &str) -> Option<(u8, u8)> {
    let (_, name) = model.split_once("claude-")?;
    let mut words = name.split(['-', '.', '@', ':']).skip_while(|word| number(word).is_none());
    let major = words.next().and_then(number)?;
    Some((major, words.next().and_then(number).unwrap_or(0)))
}

/// A word of one or two digits; longer ones are dates.
fn number(word: &str) -> Option<u8> {
    let is_short = (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    if is_short { word.parse().ok() } else { None }
}
