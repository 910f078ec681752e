//! The rule on thinking that is *bound* to its conversation.

use crate::json::Value;
use crate::operation::RequestPair;
use crate::operation::history::Piece;
use crate::rules::value::text;
use crate::rules::{Report, Severity};

use super::place;

/// Models that were recorded to refuse thinking of another conversation, August 2026.
const BINDING: [&str; 3] = ["opus-5-5", "sonnet-5-5", "fable-5-1"];

/// The error, as recorded.
const ERROR: &str = "Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove \
                     the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\".";

pub(super) fn thinking_bound(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    let Some((what, from)) = changed(pair) else { return };
    // Thinking that the earlier request had, and that of the reply to it, has seen other words.
    let bound = |piece: &&Piece<'_>| piece.signature().is_some();
    let Some(block) = pair.after[from..].iter().find(bound) else { return };
    let body = &pair.later.body;
    let model = text(body, "model").unwrap_or_default();
    let drops = body.pointer("/thinking/block_binding/prefix_mismatch_behavior").and_then(Value::as_str);
    let severity = match () {
        () if drops == Some("drop_block") || !BINDING.iter().any(|name| model.contains(name)) => Severity::Info,
        // Of these words no recording says whether they count.
        () if what == "messages" => Severity::Warning,
        () => Severity::Error,
    };
    let differs = match what {
        "system" => " The `system` prompt differs from the one this block was created with.",
        "tools" => " The `tools` list differs from the one this block was created with.",
        _ => "",
    };
    let found = sentence!("thinking comes behind other {what} than it was made with", what);
    let error = format!("{}: {ERROR}{differs}", block.path());
    report.rate_predicted(place(block), what, found, "the conversation that it was made in", error, severity);
}

/// What of the conversation is another than before, and the piece from which on thinking is behind it.
fn changed(pair: &RequestPair<'_>) -> Option<(&'static str, usize)> {
    let broken = pair.prefix.broken.as_deref()?;
    match broken.split('.').next()? {
        "tools" => Some(("tools", 0)),
        "system" => Some(("system", 0)),
        "messages" => Some(("messages", pair.alignment.same)),
        _ => None,
    }
}
