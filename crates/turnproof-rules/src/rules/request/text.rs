//! The *texts* of a request: not empty, not blank, and no white space where the model continues.

use super::structure::empty_content;
use super::view::{Block, Role, blocks_and_parts, last_turn};
use crate::operation::{Host, Request};
use crate::rules::Report;
use crate::rules::value::is_blank;
use crate::vocabulary::is_space;

pub(super) fn no_empty_text(request: &Request, host: Host, report: &mut Report<'_>) {
    let last = last_turn(request).map(|turn| turn.index);
    for block in blocks_and_parts(request).filter(|block| block.text() == Some("")) {
        let (index, role) = (block.turn.index, block.turn.role());
        let is_last = last == Some(index);
        let error = match (block.is_whole(), host) {
            (true, Host::Anthropic | Host::Vertex) if is_last && role == Role::Assistant => continue,
            // Recorded 2026: Converse takes a result of an empty text.
            (false, Host::BedrockConverse) if block.is_part() => continue,
            (_, Host::BedrockConverse) => blank_on_bedrock(block),
            (true, _) => empty_content(host, index, role, is_last, true),
            (false, _) => "messages: text content blocks must be non-empty".to_owned(),
        };
        let found = sentence!("{block} is an empty text", block = block.in_words());
        report.predict(block.place(), block.kind_of_place(), found, "a text, or no block", error);
    }
}

pub(super) fn no_blank_text(request: &Request, host: Host, report: &mut Report<'_>) {
    for block in blocks_and_parts(request) {
        if block.text().is_some_and(|text| !text.is_empty() && is_blank(text)) {
            if host != Host::Portable && is_beside_content(block) {
                continue;
            }
            let error = match host {
                Host::BedrockConverse => blank_on_bedrock(block),
                _ => "messages: text content blocks must contain non-whitespace text".to_owned(),
            };
            let found = sentence!("{block} is only white space", block = block.in_words());
            report.predict(block.place(), block.kind_of_place(), found, "a text with a visible character", error);
        }
    }
}

/// Whether a text is in a result, or beside a block that says something: hosts take blank texts there.
fn is_beside_content(block: Block<'_>) -> bool {
    let says = |other: Block<'_>| !other.is_thinking() && other.text().is_none_or(|text| !is_blank(text));
    block.is_part() || block.turn.blocks().any(says)
}

/// What Converse says of an empty or blank text.
fn blank_on_bedrock(block: Block<'_>) -> String {
    format!(
        "The text field in the ContentBlock object at {} is blank. Add text to the text field, and try again.",
        block.path()
    )
}

pub(super) fn no_trailing_space(request: &Request, _: Host, report: &mut Report<'_>) {
    let last = last_turn(request).filter(|turn| turn.role() == Role::Assistant);
    let Some(block) = last.and_then(|turn| turn.blocks().next_back()) else { return };
    let Some(text) = block.text() else { return };
    if text.ends_with(is_space) && !is_blank(text) {
        let (found, expected) = ("the last text ends with white space", "a visible character at the end");
        let error = "messages: final assistant content cannot end with trailing whitespace";
        report.predict(block.place(), "trailing-space", found, expected, error);
    }
}
