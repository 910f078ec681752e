//! A *path* names a place inside a JSON value: `message.content[2].id`.

use std::fmt::Write;

use super::cursor::{Cursor, Scratch};
use super::text::Text;
use super::token::{Fault, FaultKind, JsonType, Span};

/// A *path step*: one step of a path into JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStep<'a> {
    /// Into an object, to the member of this name; of a repeated key, the last.
    Member(&'a str),
    /// Into an array, to the element at this index.
    Element(usize),
}

/// Finds the value at the end of a path: where it lies in `bytes`, an object that begins at byte 0.
///
/// ```
/// use turnproof_reference::json::{PathStep, locate};
///
/// let json = br#"{"a":[10,{"b":true}]}"#;
/// let span = locate(json, &[PathStep::Member("a"), PathStep::Element(1), PathStep::Member("b")]);
/// assert_eq!(span.map(|span| span.of(json)), Some(&b"true"[..]));
/// ```
pub fn locate(bytes: &[u8], path: &[PathStep<'_>]) -> Option<Span> {
    let mut scratch = Scratch::default();
    let mut found = None;
    let mut cursor = Cursor::new(bytes, 0, &mut scratch);
    seek(&mut cursor, path, &mut found).ok()?;
    found
}

fn seek(cursor: &mut Cursor<'_, '_>, path: &[PathStep<'_>], found: &mut Option<Span>) -> Result<(), Fault> {
    let Some((step, rest)) = path.split_first() else {
        *found = Some(cursor.value()?.1);
        return Ok(());
    };
    match (step, cursor.peek_type()) {
        (PathStep::Member(name), Some(JsonType::Object)) => cursor.object(|cursor, key| {
            if key.is(cursor.bytes(), name) {
                *found = None;
                return seek(cursor, rest, found);
            }
            cursor.value().map(drop)
        }),
        (PathStep::Element(wanted), Some(JsonType::Array)) => cursor.array(|cursor, index| {
            if index == *wanted {
                return seek(cursor, rest, found);
            }
            cursor.value().map(drop)
        }),
        _ => return cursor.value().map(drop),
    }
    .map(drop)
}

/// Where the values of some members of an object lie, in the order of the names, found in one walk; of a repeated key,
/// the last. None of them when `bytes` do not begin with an object.
pub(crate) fn locate_members<const N: usize>(bytes: &[u8], names: [&str; N]) -> [Option<Span>; N] {
    let mut scratch = Scratch::default();
    let mut found = [None; N];
    let mut cursor = Cursor::new(bytes, 0, &mut scratch);
    if cursor.peek_type() != Some(JsonType::Object) {
        return found;
    }
    let walked = cursor.object(|cursor, key| {
        let place = names.iter().position(|name| key.is(cursor.bytes(), name));
        let (_, span) = cursor.value()?;
        if let Some(place) = place {
            found[place] = Some(span);
        }
        Ok(())
    });
    if walked.is_ok() { found } else { [None; N] }
}

/// The path of the innermost member or element, of the object that begins at byte 0, in which byte
/// `at` lies; empty for the object itself. The path ends at the tenth level.
///
/// ```
/// use turnproof_reference::json::path_at;
///
/// assert_eq!(path_at(br#"{"a":[10,{"b":true}]}"#, 16), "a[1].b");
/// assert_eq!(path_at(br#"{"a":[10,{"b":true}]}"#, 9), "a[1]");
/// ```
pub fn path_at(bytes: &[u8], at: usize) -> String {
    let mut path = String::new();
    let mut scratch = Scratch::default();
    // Reaching the place ends the walk with a fault of its own.
    let _ = walk(&mut Cursor::new(bytes, 0, &mut scratch), at, 10, &mut path);
    path
}

fn walk(cursor: &mut Cursor<'_, '_>, at: usize, levels: usize, path: &mut String) -> Result<(), Fault> {
    let length = path.len();
    let arrived = Fault { at, kind: FaultKind::EndOfText };
    let found = cursor.peek_type();
    if length > 0 && cursor.at() == at {
        return Err(arrived);
    }
    match found {
        Some(JsonType::Object) if levels > 0 => cursor
            .object(|cursor, key| {
                let name = String::from_utf8_lossy(key.span.of(cursor.bytes()));
                let name = if key.escaped { Text::from_token(&name).to_string() } else { name.into_owned() };
                let dot = if length == 0 { "" } else { "." };
                // Writing to a string does not fail.
                let _ = write!(path, "{dot}{name}");
                if (key.span.start as usize..=key.span.end as usize).contains(&at) {
                    return Err(arrived);
                }
                walk(cursor, at, levels - 1, path)?;
                path.truncate(length);
                Ok(())
            })
            .map(drop),
        Some(JsonType::Array) if levels > 0 => cursor
            .array(|cursor, index| {
                let _ = write!(path, "[{index}]");
                walk(cursor, at, levels - 1, path)?;
                path.truncate(length);
                Ok(())
            })
            .map(drop),
        _ => {
            let (_, span) = cursor.value()?;
            if (span.start as usize..span.end as usize).contains(&at) { Err(arrived) } else { Ok(()) }
        }
    }
}
