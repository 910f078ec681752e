//! An *edit* changes one value in the bytes of a record, and leaves all other bytes as they are.

use std::ops::Range;

use crate::json::{Cursor, JsonType, Raw, Scratch, Span, locate_members};

/// Where the value of a member of the object that begins at byte 0 lies.
pub(super) fn member(json: &[u8], name: &str) -> Option<Range<usize>> {
    locate_members(json, [name])[0].map(range)
}

/// Whether a record has this type, however it is spelled.
pub(super) fn is_type(json: &[u8], name: &str) -> bool {
    let written = member(json, "type").and_then(|range| String::from_utf8(json[range].to_vec()).ok());
    written.and_then(|json| Raw::from_json(json).ok()?.text()).is_some_and(|found| found.as_str() == name)
}

/// Where the value of a member of `message` lies.
pub(super) fn of_message(json: &[u8], name: &'static str) -> Option<Range<usize>> {
    let message = member(json, "message")?;
    let inside = member(&json[message.clone()], name)?;
    Some(message.start + inside.start..message.start + inside.end)
}

/// The elements of an array, as places in it; `None` when it is none.
pub(super) fn elements(json: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut scratch = Scratch::default();
    let mut found = Vec::new();
    let mut cursor = Cursor::new(json, 0, &mut scratch);
    if cursor.peek_type() != Some(JsonType::Array) {
        return None;
    }
    let walked = cursor.array(|cursor, _| {
        found.push(range(cursor.value()?.1));
        Ok(())
    });
    walked.ok().map(|_| found)
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// The object with a member of this value: in the place of the old value, or in front.
pub(super) fn with_member(json: &[u8], name: &'static str, value: &[u8]) -> Vec<u8> {
    match member(json, name) {
        Some(old) => with(json, old, value),
        None => {
            let is_empty = json[1..].trim_ascii_start().starts_with(b"}");
            let comma: &[u8] = if is_empty { b"" } else { b"," };
            with(json, 1..1, &[b"\"", name.as_bytes(), b"\":", value, comma].concat())
        }
    }
}

/// The bytes with others in the place of a range.
pub(super) fn with(bytes: &[u8], range: Range<usize>, new: &[u8]) -> Vec<u8> {
    [&bytes[..range.start], new, &bytes[range.end..]].concat()
}

/// What is removed with a value when its member or element is: the key, and one comma.
pub(super) fn item(json: &[u8], value: Range<usize>) -> Range<usize> {
    let mut start = before_space(json, value.start);
    if start > 0 && json[start - 1] == b':' {
        start = key_start(json, before_space(json, start - 1));
    } else {
        start = value.start;
    }
    let after = value.end + spaces(&json[value.end..]);
    if json.get(after) == Some(&b',') {
        return start..after + 1 + spaces(&json[after + 1..]);
    }
    let before = before_space(json, start);
    match before.checked_sub(1).filter(|&at| json[at] == b',') {
        Some(comma) => comma..value.end,
        None => start..value.end,
    }
}

/// Where the key begins that ends before byte `end`. A quote inside it has an odd number of backslashes in front.
fn key_start(json: &[u8], end: usize) -> usize {
    let mut at = end.saturating_sub(1);
    while at > 0 {
        at -= 1;
        let backslashes = json[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
        if json[at] == b'"' && backslashes % 2 == 0 {
            break;
        }
    }
    at
}

fn spaces(json: &[u8]) -> usize {
    json.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

fn before_space(json: &[u8], end: usize) -> usize {
    end - json[..end].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count()
}
