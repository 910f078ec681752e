//! A *lone surrogate* is half of a UTF-16 pair, which no UTF-8 request can carry.
//!
//! Clients that cut strings write such halves, and the API refuses the whole body, for ever
//! (`no low surrogate in string`; issues 3277 and 65155 of anthropics/claude-code).

use crate::json::{Raw, without_lone_surrogates};
use crate::message::{Block, TextBlock, Typed};

use super::draft::Part;

/// The part's block with U+FFFD for each lone surrogate; `None` when it has none.
pub(super) fn mended(part: &Part<'_>) -> Option<Block> {
    let Some(block) = part.block() else {
        let text = part.text().filter(|text| text.has_lone_surrogate())?;
        return Some(TextBlock::new(text.as_str()).into());
    };
    if block.is_whole() {
        return None;
    }
    let mended = Raw::from_json(without_lone_surrogates(block.write().get()).into_owned()).ok()?;
    Block::read(&mended).ok()
}
