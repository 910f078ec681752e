//! The *first byte* of a record that is concerned where the record breaks a rule (SPEC 3.5.3).

use std::collections::{BTreeSet, HashSet};

use super::fields::misfits;
use crate::json::{self, Tree};

/// The first byte concerned, counted from the record's own first byte. `None` for a rule that leaves it open.
pub(super) fn first_byte(rule: &str, record: &[u8]) -> Option<usize> {
    match rule {
        "wire/one-record-per-line" => Some(0),
        "wire/utf8" => std::str::from_utf8(record).err().map(|error| error.valid_up_to()),
        "wire/no-lone-surrogate" => lone_surrogate(record),
        "wire/unique-keys" => repeated_key(record),
        "wire/typed-fields" => {
            let (tree, _) = json::read(record).ok()?;
            let misfits: HashSet<*const Tree<'_>> = misfits(&tree).into_iter().map(std::ptr::from_ref).collect();
            first_where(&tree, record, |part| match part {
                Part::Value(value) => misfits.contains(&std::ptr::from_ref(*value)),
                Part::Key { .. } => false,
            })
        }
        "wire/live-only-kind" => {
            let (tree, _) = json::read(record).ok()?;
            let kind = tree.member("type")?;
            first_where(&tree, record, |part| matches!(part, Part::Value(value) if std::ptr::eq(*value, kind)))
        }
        _ => None,
    }
}

/// The backslash of the first escape that is half of a surrogate pair. In JSON, escapes are in strings alone.
fn lone_surrogate(record: &[u8]) -> Option<usize> {
    let unit = |at: usize| {
        let digits = record.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut from = 0;
    loop {
        let at = from + record.get(from..)?.iter().position(|&byte| byte == b'\\')?;
        from = match (unit(at), unit(at + 6)) {
            (None, _) => at + 2,
            (Some(0xD800..0xDC00), Some(0xDC00..0xE000)) => at + 12,
            (Some(0xD800..0xE000), _) => return Some(at),
            (Some(_), _) => at + 6,
        };
    }
}

/// The first character of the first key that an object has had before; the quote behind an empty one.
fn repeated_key(record: &[u8]) -> Option<usize> {
    let (tree, _) = json::read(record).ok()?;
    first_where(&tree, record, |part| matches!(part, Part::Key { is_repeated: true })).map(|quote| quote + 1)
}

/// A key or a value in a record.
enum Part<'t, 'a> {
    Key { is_repeated: bool },
    Value(&'t Tree<'a>),
}

/// The first byte of the first part, in the order of the bytes, for which this holds.
fn first_where<'t, 'a>(
    tree: &'t Tree<'a>,
    record: &[u8],
    mut is_meant: impl FnMut(&Part<'t, 'a>) -> bool,
) -> Option<usize> {
    let (mut found, mut starts) = (None, starts(record).into_iter());
    each(tree, &mut |part| {
        let start = starts.next();
        if found.is_none() && is_meant(&part) {
            found = start;
        }
    });
    found
}

/// Gives the parts of a value in the order in which they begin.
fn each<'t, 'a>(tree: &'t Tree<'a>, see: &mut impl FnMut(Part<'t, 'a>)) {
    see(Part::Value(tree));
    match tree {
        Tree::Array(items) => items.iter().for_each(|item| each(item, see)),
        Tree::Object(members) => {
            let mut seen = BTreeSet::new();
            for (key, value) in members {
                see(Part::Key { is_repeated: !seen.insert(key) });
                each(value, see);
            }
        }
        _ => {}
    }
}

/// Where the keys and values of whole JSON begin.
fn starts(record: &[u8]) -> Vec<usize> {
    let (mut starts, mut at) = (Vec::new(), 0);
    while let Some(&byte) = record.get(at) {
        if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b']' | b'}') {
            starts.push(at);
        }
        at += match byte {
            b'"' => string_length(&record[at..]),
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                let is_inside = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
                record[at..].iter().take_while(is_inside).count()
            }
            _ => 1,
        };
    }
    starts
}

/// How long the string is that begins here, with its quotes.
fn string_length(rest: &[u8]) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: &u8| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    };
    rest[1..].iter().position(is_end).map_or(rest.len(), |at| at + 2)
}
