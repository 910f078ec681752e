//! The *texts* of a request: none empty, none blank, and no white space where the model goes on.

use super::super::{Judge, Rule, Severity, Violation};
use super::structure::empty_content;
use super::view::{Block, Role, Sink, blocks_and_parts, is_space, last_turn};
use crate::operation::{Host, Request};

pub(super) const NO_EMPTY_TEXT: Rule = Rule {
    id: "api/no-empty-text",
    title: "no text is empty",
    severity: Severity::Error,
    doc: "\
A text block with the text `\"\"` is refused, in any turn and inside a tool result. Content that is an \
empty string counts as one such block; the API lets it pass in an assistant's turn that ends the request.

Replies that only call tools are a source of them: streaming opens a text block, nothing comes, and the \
client stores it; others write `\"\"` beside the calls to please another vendor's format. The block then \
stays in the history and every request fails until it is edited by hand.",
    example: br#"[{"role":"user","content":[{"type":"text","text":""}]}]"#,
    remedy: "Drop empty text blocks before sending; if the turn is empty then, drop or fill the turn.",
    sources: &[
        "spec 6",
        "messages: text content blocks must be non-empty",
        "anthropics/claude-code#60009",
        "anthropics/claude-code#62396",
        "opencode#24087",
    ],
    judge: Judge::Request { structural: true, judge: no_empty_text },
};

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

pub(super) const NO_BLANK_TEXT: Rule = Rule {
    id: "api/no-blank-text",
    title: "no text is only white space",
    severity: Severity::Error,
    doc: "\
A text block of spaces and line ends alone is refused like an empty one. Hosts are written in several \
languages, so blank is what any of them takes for white space: Unicode's White_Space, U+FEFF (JavaScript) and \
U+001C to U+001F (Python).

Models often reply with two line ends beside their tool calls, and the client sends that back in the next \
request. A test for the empty string does not see it.",
    example: br#"[{"role":"user","content":[{"type":"text","text":"\n\n"}]}]"#,
    remedy: "Drop text blocks that are blank after trimming; do not only compare with the empty string.",
    sources: &[
        "spec 6",
        "messages: text content blocks must contain non-whitespace text",
        "anthropics/claude-code#23440",
        "opencode#31259",
    ],
    judge: Judge::Request { structural: true, judge: no_blank_text },
};

fn no_blank_text(request: &Request, host: Host, sink: Sink<'_>) {
    for block in blocks_and_parts(request) {
        if block.text().is_some_and(|text| !text.is_empty() && text.chars().all(is_space)) {
            let error = match host {
                Host::Bedrock => blank_on_bedrock(block),
                _ => "messages: text content blocks must contain non-whitespace text".to_owned(),
            };
            let found = format!("{} is only white space", block.in_words());
            let violation =
                Violation::new(NO_BLANK_TEXT.id, block.place(), found, "a text with a visible character");
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

pub(super) const NO_TRAILING_SPACE: Rule = Rule {
    id: "api/no-trailing-space",
    title: "a request that ends with the assistant's text ends without white space",
    severity: Severity::Error,
    doc: "\
When the last turn is the assistant's, the model goes on from its last character. White space there is \
refused, since it makes the model's next token unlikely.

It happens when a reply was cut off in the middle and is sent back to be continued, and when a client \
prefills a reply that ends in a space. Only the last text of the last turn is looked at; a text that is \
nothing but white space is `api/no-blank-text`'s matter.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":"b "}]"#,
    remedy: "Trim the end of the last text of a final assistant turn.",
    sources: &["spec 6", "messages: final assistant content cannot end with trailing whitespace"],
    judge: Judge::Request { structural: true, judge: no_trailing_space },
};

fn no_trailing_space(request: &Request, _: Host, sink: Sink<'_>) {
    let last = last_turn(request).filter(|turn| turn.role() == Role::Assistant);
    let Some(block) = last.and_then(|turn| turn.blocks().next_back()) else { return };
    let Some(text) = block.text() else { return };
    if text.ends_with(is_space) && !text.chars().all(is_space) {
        let found = "the last text ends with white space";
        let violation =
            Violation::new(NO_TRAILING_SPACE.id, block.place(), found, "a visible character at the end");
        sink(violation.predicting("messages: final assistant content cannot end with trailing whitespace"));
    }
}
