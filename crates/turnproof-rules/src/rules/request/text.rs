//! The *texts* of a request: none empty, none blank, and no white space where the model goes on.

use super::super::{Judge, RuleEntry, Violation};
use super::structure::empty_content;
use super::view::{Block, Role, Sink, blocks_and_parts, is_space, last_turn};
use crate::operation::{Host, Request};

pub(super) const NO_EMPTY_TEXT: RuleEntry =
    rule!("api/no-empty-text", Error, Judge::Request { structural: true, judge: no_empty_text });

fn no_empty_text(request: &Request, host: Host, sink: Sink<'_>) {
    let last = last_turn(request).map(|turn| turn.index);
    for block in blocks_and_parts(request).filter(|block| block.text() == Some("")) {
        let (index, role) = (block.turn.index, block.turn.role());
        let is_last = last == Some(index);
        let error = match (block.is_whole(), host) {
            (true, Host::Anthropic | Host::Vertex) if is_last && role == Role::Assistant => continue,
            (_, Host::Bedrock) => blank_on_bedrock(block),
            (true, _) => empty_content(host, index, role, is_last),
            (false, _) => "messages: text content blocks must be non-empty".to_owned(),
        };
        let found = format!("{} is an empty text", block.in_words());
        sink(Violation::new(NO_EMPTY_TEXT.id, block.place(), found, "a text, or no block").predicting(error));
    }
}

pub(super) const NO_BLANK_TEXT: RuleEntry =
    rule!("api/no-blank-text", Error, Judge::Request { structural: true, judge: no_blank_text });

fn no_blank_text(request: &Request, host: Host, sink: Sink<'_>) {
    for block in blocks_and_parts(request) {
        if block.text().is_some_and(|text| !text.is_empty() && text.chars().all(is_space)) {
            let error = match host {
                Host::Bedrock => blank_on_bedrock(block),
                _ => "messages: text content blocks must contain non-whitespace text".to_owned(),
            };
            let found = format!("{} is only white space", block.in_words());
            let violation = Violation::new(NO_BLANK_TEXT.id, block.place(), found, "a text with a visible character");
            sink(violation.predicting(error));
        }
    }
}

/// What Converse says of an empty or blank text.
fn blank_on_bedrock(block: Block<'_>) -> String {
    format!(
        "The text field in the ContentBlock object at {} is blank. Add text to the text field, and try again.",
        block.path()
    )
}

pub(super) const NO_TRAILING_SPACE: RuleEntry =
    rule!("api/no-trailing-space", Error, Judge::Request { structural: true, judge: no_trailing_space });

fn no_trailing_space(request: &Request, _: Host, sink: Sink<'_>) {
    let last = last_turn(request).filter(|turn| turn.role() == Role::Assistant);
    let Some(block) = last.and_then(|turn| turn.blocks().next_back()) else { return };
    let Some(text) = block.text() else { return };
    if text.ends_with(is_space) && !text.chars().all(is_space) {
        let found = "the last text ends with white space";
        let violation = Violation::new(NO_TRAILING_SPACE.id, block.place(), found, "a visible character at the end");
        sink(violation.predicting("messages: final assistant content cannot end with trailing whitespace"));
    }
}
