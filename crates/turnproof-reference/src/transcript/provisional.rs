//! A *provisional* result is a placeholder: a client wrote it for a call whose true result it did not find.

use crate::json::{Fields, Raw};
use crate::message::constants::{INTERRUPTED, PROVISIONAL};

use super::record::{BlockHead, Record};

/// Whether the results of a user who holds nothing else are placeholders.
pub(crate) fn is_provisional(record: &Record<'_>) -> bool {
    record.is(record.head.denial, INTERRUPTED) || record.blocks.iter().all(|block| is_placeholder(record, block))
}

/// Whether a result says that there was none: as a string, or as the only element of a list.
fn is_placeholder(record: &Record<'_>, block: &BlockHead) -> bool {
    let begins = |text: &str| PROVISIONAL.iter().any(|beginning| text.starts_with(beginning));
    let Some(content) = block.content else { return false };
    match content.of(record.bytes) {
        // Most results differ in front of their first escape, and need not be read.
        [b'"', inside @ .., _] => PROVISIONAL.iter().any(|beginning| {
            let alike = inside.iter().zip(beginning.bytes()).take_while(|(byte, other)| *byte == other).count();
            let is_escape = inside.get(alike) == Some(&b'\\');
            alike == beginning.len() || is_escape && record.text(content).starts_with(beginning)
        }),
        list @ [b'[', ..] => {
            let elements: Option<Vec<Raw>> = Raw::from_bytes(list).ok().and_then(|list| list.read().ok());
            let elements = elements.unwrap_or_default();
            let [only] = &elements[..] else { return false };
            Fields::from_raw(only).is_ok_and(|only| only.text("text").is_some_and(|text| begins(text.as_str())))
        }
        _ => false,
    }
}
