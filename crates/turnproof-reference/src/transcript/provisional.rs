//! A *provisional* result is a placeholder: a client wrote it for a call whose true result it did not find.

use crate::json::{Fields, Raw};
use crate::message::constants::{INTERRUPTED, PROVISIONAL};

use super::record::{BlockHead, Record};

/// No beginning of a placeholder has more bytes.
const LONGEST: usize = 256;

const _: () = assert!({
    let [first, second, third] = PROVISIONAL;
    first.len() <= LONGEST && second.len() <= LONGEST && third.len() <= LONGEST
});

/// Whether the results of a user who holds nothing else are placeholders.
pub(crate) fn is_provisional(record: &Record<'_>) -> bool {
    record.is(record.head.denial, INTERRUPTED) || record.blocks.iter().all(|block| is_placeholder(record, block))
}

/// Whether a result says that there was none: as a string, or as the only element of a list.
fn is_placeholder(record: &Record<'_>, block: &BlockHead) -> bool {
    let begins = |text: &str| PROVISIONAL.iter().any(|beginning| text.starts_with(beginning));
    let Some(content) = block.content else { return false };
    match content.of(record.bytes) {
        [b'"', inside @ .., _] => match inside[..inside.len().min(LONGEST)].contains(&b'\\') {
            true => begins(&record.text(content)),
            // Without escapes, the beginning is as it is written.
            false => PROVISIONAL.iter().any(|beginning| inside.starts_with(beginning.as_bytes())),
        },
        list @ [b'[', ..] => {
            let elements: Option<Vec<Raw>> = Raw::from_bytes(list).ok().and_then(|list| list.read().ok());
            let elements = elements.unwrap_or_default();
            let [only] = &elements[..] else { return false };
            Fields::from_raw(only).is_ok_and(|only| only.text("text").is_some_and(|text| begins(text.as_str())))
        }
        _ => false,
    }
}
