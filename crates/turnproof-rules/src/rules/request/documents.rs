//! *Documents* of a request: whether a PDF is one that the host can read, and what a host wants beside it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::view::{Block, Role, blocks_and_parts, turns};
use crate::operation::{Host, Request};
use crate::rules::Report;
use crate::rules::value::text;

/// How many bytes at the beginning of a PDF may precede its mark, and how many at its end hold its trailer.
const NEAR: usize = 1024;

pub(super) fn readable_documents(request: &Request, _: Host, report: &mut Report<'_>) {
    for block in blocks_and_parts(request).filter(|block| block.is("document")) {
        let Some(data) = pdf(block) else { continue };
        let path = format!("{}.base64.data", block.member("source"));
        let invalid = format!("{path}: The PDF specified was not valid.");
        let Ok(bytes) = STANDARD_NO_PAD.decode(data.trim_end_matches('=')) else {
            let found = "a PDF whose data is no base64";
            report.predict(block.place(), "no-base64", found, "the bytes of a PDF, as base64", invalid);
            continue;
        };
        let holds = |part: &[u8], mark: &[u8]| part.windows(mark.len()).any(|window| window == mark);
        let tail = bytes.get(bytes.len().saturating_sub(NEAR)..).unwrap_or_default();
        if bytes.is_empty() {
            report.predict(block.place(), "empty", "a PDF without a byte", "the bytes of a PDF", invalid);
        } else if !holds(bytes.get(..NEAR).unwrap_or(&bytes), b"%PDF-") {
            report.predict(block.place(), "no-pdf", "data that is no PDF", "`%PDF-` at its beginning", invalid);
        } else if holds(tail, b"/Encrypt") {
            let error = format!("{path}: The PDF specified is password protected.");
            report.warn(block.place(), "encrypted", "a PDF that is encrypted", "one without a password", error);
        } else if !holds(tail, b"%%EOF") {
            report.warn(block.place(), "cut-short", "a PDF without its end", "`%%EOF` at its end", invalid);
        }
    }
}

/// The data of a document that says that it is a PDF.
fn pdf(block: Block<'_>) -> Option<&str> {
    let source = block.given("source").filter(|source| text(source, "type") == Some("base64"))?;
    text(source, "data").filter(|_| text(source, "media_type") == Some("application/pdf"))
}

/// Converse wants a text in a turn that has a document.
pub(super) fn document_with_text(request: &Request, host: Host, report: &mut Report<'_>) {
    if !matches!(host, Host::BedrockConverse | Host::Portable) {
        return;
    }
    for turn in turns(request).filter(|turn| turn.role() == Role::User) {
        let has = |kind: &str| turn.blocks().any(|block| block.is(kind));
        if has("document") && !has("text") {
            let error = "A text block must be included when using documents. Add a text block and retry your request.";
            let (found, expected) = ("a document, and no text in its turn", "a text beside the document");
            report.predict(turn.place(), "no-text", found, expected, error);
        }
    }
}
