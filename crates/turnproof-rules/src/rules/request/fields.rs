//! The *fields* of turns and blocks: what must be there, what must not, and that it is Unicode.

use serde_json::Value;

use super::view::{Block, Role, SERVER_CALLS, SERVER_RESULTS, Turn, blocks_and_parts, turns};
use crate::operation::{Host, Request};
use crate::rules::{Place, Report};

pub(super) fn no_internal_fields(request: &Request, _: Host, report: &mut Report<'_>) {
    let mut tell = |place: Place, owner: &str, name: &str, path: String| {
        let found = format!("{owner} has the member `{name}`");
        report.predict(
            place,
            found,
            "only members that the API knows",
            format!("{path}: Extra inputs are not permitted"),
        );
    };
    for turn in turns(request) {
        for name in turn.value.as_object().into_iter().flat_map(|fields| fields.keys()) {
            if is_internal(name) {
                tell(turn.place(), "the turn", name, format!("{}.{name}", turn.path()));
            }
        }
        for block in turn.blocks_and_parts() {
            for name in block.fields().into_iter().flat_map(|fields| fields.keys()) {
                if is_internal(name) {
                    tell(block.place(), &block.in_words(), name, block.member(name));
                }
            }
        }
    }
}

fn is_internal(name: &str) -> bool {
    let is_of_a_transcript = matches!(name, "uuid" | "timestamp" | "cwd" | "slug" | "origin");
    is_of_a_transcript || name.starts_with('_') || name.contains(|letter: char| letter.is_ascii_uppercase())
}

pub(super) fn valid_unicode(request: &Request, _: Host, report: &mut Report<'_>) {
    for path in &request.lone_surrogates {
        let found = format!("half of a surrogate pair in {path}");
        report.predict(
            place_of(path),
            found,
            "whole characters",
            "The request body is not valid JSON: no low surrogate in string",
        );
    }
}

/// The place of a path such as `messages.2.content.0.text`.
fn place_of(path: &str) -> Place {
    let mut steps = path.split('.');
    let index = match steps.next() {
        Some("messages") => steps.next().and_then(|step| step.parse().ok()),
        _ => None,
    };
    let block = match steps.next() {
        Some("content") => steps.next().and_then(|step| step.parse().ok()),
        _ => None,
    };
    index.map_or(Place::Whole, |index| Place::Message { index, block })
}

pub(super) fn required_fields(request: &Request, _: Host, report: &mut Report<'_>) {
    let mut tell = |place: Place, found: String, error: String| {
        report.predict(place, found, "what the type requires", error);
    };
    for turn in turns(request) {
        for (found, error) in [lack_of_turn(turn), lack_of_content(turn)].into_iter().flatten() {
            tell(turn.place(), found.to_owned(), error);
        }
    }
    for block in blocks_and_parts(request) {
        // Of a tool result's parts, only texts are judged here.
        if !block.is_part() || block.is("text") {
            lacks(block, &mut |found, error| tell(block.place(), found, error));
        }
    }
}

fn lack_of_turn(turn: Turn<'_>) -> Option<(&'static str, String)> {
    let path = turn.path();
    match turn.value.get("role") {
        _ if !turn.value.is_object() => {
            Some(("a turn that is no object", format!("{path}: Input should be an object")))
        }
        None => Some(("a turn without a role", format!("{path}.role: Field required"))),
        Some(_) if turn.role() == Role::Other => {
            let error = format!("{path}.role: Input should be 'user' or 'assistant'");
            Some(("a turn of a role that does not exist", error))
        }
        Some(_) => None,
    }
}

fn lack_of_content(turn: Turn<'_>) -> Option<(&'static str, String)> {
    let path = turn.path();
    match turn.value.as_object()?.get("content") {
        None => Some(("a turn without content", format!("{path}.content: Field required"))),
        Some(Value::String(_) | Value::Array(_)) => None,
        Some(_) => {
            let error = format!("{path}.content: Input should be a valid list");
            Some(("content that is neither text nor a list", error))
        }
    }
}

/// What a required member must be.
#[derive(Clone, Copy)]
enum Need {
    Anything,
    Text,
    /// A string with at least one character.
    Name,
    /// Given, and not null.
    Some,
}

/// Reports what a block lacks, with the API's error.
fn lacks(block: Block<'_>, tell: &mut dyn FnMut(String, String)) {
    if block.is_malformed() {
        tell(format!("{} is no object", block.in_words()), format!("{}: Input should be an object", block.path()));
        return;
    }
    if let Some(error) = lack_of_type(block) {
        tell(format!("{} has no type", block.in_words()), error);
        return;
    }
    for &(name, need) in needs(block.kind()).iter().filter(|_| !block.is_whole()) {
        if let Some(problem) = problem(block.field(name), need) {
            let found = format!("{} is {} without a fitting `{name}`", block.in_words(), block.kind());
            tell(found, format!("{}: {problem}", block.member(name)));
        }
    }
}

fn lack_of_type(block: Block<'_>) -> Option<String> {
    let path = block.path();
    match block.field("type") {
        _ if block.is_whole() => None,
        None => Some(format!("{path}.type: Field required")),
        Some(Value::String(kind)) if !kind.is_empty() => None,
        Some(Value::String(_)) => {
            Some(format!("{path}: Input tag '' found using 'type' does not match any of the expected tags"))
        }
        Some(_) => Some(format!("{path}.type: Input should be a valid string")),
    }
}

/// The members that a type requires. Signatures and data of thinking are left to `thinking/signed`.
fn needs(kind: &str) -> &'static [(&'static str, Need)] {
    match kind {
        "text" => &[("text", Need::Text)],
        "thinking" => &[("thinking", Need::Text)],
        "image" | "document" => &[("source", Need::Some)],
        "tool_result" => &[("tool_use_id", Need::Text)],
        "tool_use" => &[("id", Need::Text), ("name", Need::Name), ("input", Need::Anything)],
        _ if SERVER_CALLS.contains(&kind) => &[("id", Need::Text), ("name", Need::Name), ("input", Need::Anything)],
        _ if SERVER_RESULTS.contains(&kind) => &[("tool_use_id", Need::Text)],
        _ => &[],
    }
}

/// What the API says of a member that is not as it must be.
fn problem(value: Option<&Value>, need: Need) -> Option<&'static str> {
    match (value, need) {
        (None, _) => Some("Field required"),
        (Some(Value::String(name)), Need::Name) if name.is_empty() => Some("String should have at least 1 character"),
        (Some(Value::String(_)), _) | (Some(_), Need::Anything) => None,
        (Some(_), Need::Text | Need::Name) => Some("Input should be a valid string"),
        (Some(Value::Null), Need::Some) => Some("Input should be an object"),
        (Some(_), Need::Some) => None,
    }
}
