//! A *lone surrogate* is half of a UTF-16 pair, which no UTF-8 request can carry.
//!
//! Clients that cut strings write such halves, and the API refuses the whole body, for ever
//! (`no low surrogate in string`; issues 3277 and 65155 of anthropics/claude-code).

use std::borrow::Cow;

use memchr::memchr;

use crate::json::{Fields, Raw, Text};
use crate::message::{Block, Maybe, Media, TextBlock, Typed};

use super::draft::Part;

/// The part's block with U+FFFD for each lone surrogate; `None` when it has none.
pub(super) fn mended(part: &Part<'_>) -> Option<Block> {
    match part.block() {
        None => {
            let text = part.text().filter(|text| text.has_lone_surrogate())?;
            Some(TextBlock::new(text.as_str()).into())
        }
        Some(block) if is_whole(block) => None,
        Some(block) => {
            let json = block.write();
            let mended = Raw::from_json(without_lone_surrogates(json.get()).into_owned()).ok()?;
            Block::read(&mended).ok()
        }
    }
}

/// Whether a block has no lone surrogate, in strings and keys.
fn is_whole(block: &Block) -> bool {
    match block {
        Block::Text(block) => {
            is_whole_text(&block.text)
                && is_whole_raw(&block.citations)
                && is_whole_raw(&block.cache_control)
                && are_whole(&block.extra)
        }
        Block::ToolUse(block) | Block::ServerToolUse(block) => {
            is_whole_text(&block.id)
                && is_whole_text(&block.name)
                && is_whole_raw(&block.input)
                && is_whole_raw(&block.caller)
                && is_whole_raw(&block.cache_control)
                && are_whole(&block.extra)
        }
        Block::ToolResult(block) => {
            is_whole_text(&block.tool_use_id)
                && is_whole_raw(&block.content)
                && is_whole_raw(&block.cache_control)
                && are_whole(&block.extra)
        }
        Block::ServerToolResult(_, block) => {
            is_whole_text(&block.tool_use_id)
                && is_whole_raw(&block.content)
                && is_whole_raw(&block.caller)
                && is_whole_raw(&block.cache_control)
                && are_whole(&block.extra)
        }
        Block::Thinking(block) => {
            is_whole_text(&block.thinking) && is_whole_text(&block.signature) && are_whole(&block.extra)
        }
        Block::RedactedThinking(block) => is_whole_text(&block.data) && are_whole(&block.extra),
        Block::Image(block) | Block::Document(block) => is_whole_media(block),
        Block::Unknown(_, fields) => are_whole(fields),
    }
}

fn is_whole_media(media: &Media) -> bool {
    media.source.get().is_none_or(are_whole)
        && is_whole_text(&media.title)
        && is_whole_text(&media.context)
        && is_whole_raw(&media.citations)
        && is_whole_raw(&media.cache_control)
        && are_whole(&media.extra)
}

fn is_whole_text(text: &Maybe<Text>) -> bool {
    text.get().is_none_or(|text| !text.has_lone_surrogate())
}

fn is_whole_raw(raw: &Maybe<Raw>) -> bool {
    raw.get().is_none_or(|raw| is_whole_json(raw.get()))
}

fn are_whole(fields: &Fields) -> bool {
    fields.iter().all(|(name, value)| !name.has_lone_surrogate() && is_whole_json(value.get()))
}

fn is_whole_json(json: &str) -> bool {
    matches!(without_lone_surrogates(json), Cow::Borrowed(_))
}

/// JSON text with U+FFFD for each escape of a lone surrogate.
fn without_lone_surrogates(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let mut mended = String::new();
    let (mut kept, mut from) = (0, 0);
    while let Some(at) = bytes.get(from..).and_then(|rest| memchr(b'\\', rest)).map(|at| from + at) {
        from = match escaped_unit(bytes, at) {
            // Any other escape is two bytes long, and its second one may be a backslash.
            None => at + 2,
            Some(0xD800..0xDC00) if matches!(escaped_unit(bytes, at + 6), Some(0xDC00..0xE000)) => at + 12,
            Some(0xD800..0xE000) => {
                mended.push_str(&json[kept..at]);
                mended.push('\u{FFFD}');
                kept = at + 6;
                kept
            }
            Some(_) => at + 6,
        };
    }
    if kept == 0 {
        return Cow::Borrowed(json);
    }
    mended.push_str(&json[kept..]);
    Cow::Owned(mended)
}

/// The UTF-16 unit of the escape `\uXXXX` at this byte.
fn escaped_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digit = |number: u32, &byte: &u8| Some(number * 16 + char::from(byte).to_digit(16)?);
    digits.iter().try_fold(0, digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lone_surrogate_is_replaced_and_pairs_stay() {
        for (json, mended) in [
            (r#""plain""#, r#""plain""#),
            (r#""\ud83d""#, "\"\u{FFFD}\""),
            (r#""a\udc00b\uD83Dc""#, "\"a\u{FFFD}b\u{FFFD}c\""),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d\ud83d\ude00\ude00""#, "\"\u{FFFD}\\ud83d\\ude00\u{FFFD}\""),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, "\"\\\\\u{FFFD}\""),
            (r#""\\\\ud83d \u0041\ud7ff\ue000""#, r#""\\\\ud83d \u0041\ud7ff\ue000""#),
            (r#"{"\udfff":["\udbff\u0041"]}"#, "{\"\u{FFFD}\":[\"\u{FFFD}\\u0041\"]}"),
            (r#""after another \u0041 escape \ud83d""#, "\"after another \\u0041 escape \u{FFFD}\""),
            (r#""\u0041\\\udc00\\""#, "\"\\u0041\\\\\u{FFFD}\\\\\""),
        ] {
            assert_eq!(without_lone_surrogates(json), mended, "{json}");
        }
    }
}
