//! *Damage* is what happens to a line on disk: an operator for each row of the damage table.

use memchr::{memchr, memmem};
use serde::{Deserialize, Serialize};

/// What happens to a line. Places are given in 1/256 of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Damage {
    /// The line end is missing: the next line is glued on, or the file ends without one.
    NoLineEnd,
    /// The line ends at this place, its line end is kept.
    Cut(u8),
    /// The line is cut at this place and the next one follows at once.
    Splice(u8),
    /// The next line is written into the middle of this one.
    Overwrite(u8),
    /// So many NUL bytes stand before the line.
    NulBefore(u8),
    /// So many NUL bytes stand after the line.
    NulAfter(u8),
    /// NUL bytes take the place of some bytes.
    NulInside(u8),
    /// A byte that is not UTF-8 is put in, here.
    BadByte(u8),
    /// A character is torn: its first byte alone stands inside the record's first string.
    BadByteInString,
    /// The record's members are followed by one of them again, with another value.
    RepeatedKey(u8),
    /// A member holds arrays nested this deep (with the record itself one deeper).
    Nested(u8),
    /// A string of the record holds a lone surrogate escape: one of the pool.
    LoneSurrogate(u8),
    /// A known field has a value of another type.
    WrongType(u8),
    /// The line is a JSON value, but no object: one of the pool.
    NotObject(u8),
    /// The line is no JSON at all: one of the pool.
    Garbage(u8),
    /// The line ends with CR LF.
    CarriageReturn,
    /// A byte order mark stands before the line.
    ByteOrderMark,
    /// White space and an empty line stand before the line.
    Blanks,
    /// The members stand apart with white space between them.
    Spaced,
    /// So many blocks of the disk, and one more, hold NUL bytes after the line.
    NulBlock(u8),
    /// The line was never written, though others may name it.
    Lost,
    /// The line was written twice.
    Twice,
    /// The line has another time: one of the pool.
    OtherTime(u8),
    /// The parent is no text: one of the pool.
    OddParent(u8),
    /// The line has no session, no time, or neither.
    Without(u8),
    /// A string of the record has a backslash that begins no escape, as in a path.
    BadEscape,
}

/// One damage of each sort, for counting and for generation; the numbers are replaced.
pub(super) const SORTS: [Damage; 26] = [
    Damage::NoLineEnd,
    Damage::Cut(0),
    Damage::Splice(0),
    Damage::Overwrite(0),
    Damage::NulBefore(0),
    Damage::NulAfter(0),
    Damage::NulInside(0),
    Damage::BadByte(0),
    Damage::BadByteInString,
    Damage::RepeatedKey(0),
    Damage::Nested(0),
    Damage::LoneSurrogate(0),
    Damage::WrongType(0),
    Damage::NotObject(0),
    Damage::Garbage(0),
    Damage::CarriageReturn,
    Damage::ByteOrderMark,
    Damage::Blanks,
    Damage::Spaced,
    Damage::NulBlock(0),
    Damage::Lost,
    Damage::Twice,
    Damage::OtherTime(0),
    Damage::OddParent(0),
    Damage::Without(0),
    Damage::BadEscape,
];

/// How many bytes a block of the disk has.
const BLOCK: usize = 4096;

/// Times: far back, far ahead, of another form, none at all.
const TIMES: [&str; 4] = ["2020-01-01T00:00:00.000Z", "2099-12-31T23:59:59.999Z", "yesterday", ""];

/// Parents that are no text.
const PARENTS: [&str; 4] = [
    r#""parentUuid":["00000000-0000-4000-8000-000000000001"]"#,
    r#""parentUuid":{"uuid":"00000000-0000-4000-8000-000000000001"}"#,
    r#""parentUuid":7"#,
    r#""parentUuid":false"#,
];

/// Members that readers like to need.
const NEEDED: [&[&str]; 3] = [&["sessionId"], &["timestamp"], &["sessionId", "timestamp"]];

/// Repeated keys, by what they are.
const REPEATED: [&str; 4] = [
    r#""uuid":"00000000-0000-4000-8000-00000000ffff""#,
    r#""type":"assistant""#,
    r#""uu\u0069d":"spelt with an escape""#,
    r#""repeated":1,"repeated":2"#,
];

/// Lone surrogates, by where they stand.
const SURROGATES: [&str; 4] = [
    r#""cut":"half a pair \ud83d""#,
    r#""cut":"\ude00 the other half""#,
    r#""cut":"swapped \ude00\ud83d""#,
    r#""key \ud83d":{"input":1}"#,
];

/// Known fields with a wrong type.
const WRONG: [&str; 6] = [
    r#""parentUuid":{"uuid":1}"#,
    r#""isSidechain":"yes""#,
    r#""timestamp":1700000000"#,
    r#""uuid":17"#,
    r#""message":[1]"#,
    r#""message":{"content":[{"type":"text","text":5},7]}"#,
];

const NOT_OBJECTS: [&str; 4] = ["42", r#""text""#, r#"[{"type":"user","uuid":"u1"}]"#, "null"];

const GARBAGE: [&str; 6] = [
    "garbage",
    "{",
    "}{",
    r#"{"type":}"#,
    r#"{'type':'user'}"#,
    "{\"type\":\"user\",\"text\":\"raw \t tab\"}",
];

impl Damage {
    /// The same sort of damage with another number.
    pub(super) fn with(self, number: u8) -> Self {
        match self {
            Self::Cut(_) => Self::Cut(number),
            Self::Splice(_) => Self::Splice(number),
            Self::Overwrite(_) => Self::Overwrite(number),
            Self::NulBefore(_) => Self::NulBefore(number),
            Self::NulAfter(_) => Self::NulAfter(number),
            Self::NulInside(_) => Self::NulInside(number),
            Self::BadByte(_) => Self::BadByte(number),
            Self::RepeatedKey(_) => Self::RepeatedKey(number),
            Self::Nested(_) => Self::Nested(number),
            Self::LoneSurrogate(_) => Self::LoneSurrogate(number),
            Self::WrongType(_) => Self::WrongType(number),
            Self::NotObject(_) => Self::NotObject(number),
            Self::Garbage(_) => Self::Garbage(number),
            Self::NulBlock(_) => Self::NulBlock(number),
            Self::OtherTime(_) => Self::OtherTime(number),
            Self::OddParent(_) => Self::OddParent(number),
            Self::Without(_) => Self::Without(number),
            plain => plain,
        }
    }

    /// The damage's number, if it has one.
    pub(super) fn number(self) -> u8 {
        match self {
            Self::Cut(number)
            | Self::Splice(number)
            | Self::Overwrite(number)
            | Self::NulBefore(number)
            | Self::NulAfter(number)
            | Self::NulInside(number)
            | Self::BadByte(number)
            | Self::RepeatedKey(number)
            | Self::Nested(number)
            | Self::LoneSurrogate(number)
            | Self::WrongType(number)
            | Self::NotObject(number)
            | Self::Garbage(number)
            | Self::NulBlock(number)
            | Self::OtherTime(number)
            | Self::OddParent(number)
            | Self::Without(number) => number,
            _ => 0,
        }
    }

    /// Does the damage to a line (its line end included), with the next line at hand.
    pub(super) fn apply(self, line: &mut Vec<u8>, next: &[u8]) {
        let text = line.len() - usize::from(line.ends_with(b"\n"));
        let place = |place: u8| text * usize::from(place) / 256;
        match self {
            Self::NoLineEnd => line.truncate(text),
            Self::Cut(at) => drop(line.drain(place(at)..text)),
            Self::Splice(at) => line.truncate(place(at)),
            Self::Overwrite(at) => {
                let next = next.strip_suffix(b"\n").unwrap_or(next);
                line.splice(place(at)..place(at), next.iter().copied());
            }
            Self::NulBefore(count) => drop(line.splice(0..0, vec![0; usize::from(count) + 1])),
            Self::NulAfter(count) => drop(line.splice(text..text, vec![0; usize::from(count) + 1])),
            Self::NulInside(at) => {
                let end = (place(at) + 3).min(text);
                line[place(at)..end].fill(0);
            }
            Self::BadByte(at) => line.insert(place(at), 0xFF),
            Self::BadByteInString => {
                if let Some(at) = line.windows(2).position(|pair| pair == b":\"") {
                    line.insert(at + 2, 0xC3);
                }
            }
            Self::RepeatedKey(which) => add_member(line, pick(&REPEATED, which)),
            Self::Nested(depth) => {
                let depth = usize::from(depth);
                add_member(line, &format!("\"deep\":{}{}", "[".repeat(depth), "]".repeat(depth)));
            }
            Self::LoneSurrogate(which) => add_member(line, pick(&SURROGATES, which)),
            Self::WrongType(which) => add_member(line, pick(&WRONG, which)),
            Self::NotObject(which) => drop(line.splice(0..text, pick(&NOT_OBJECTS, which).bytes())),
            Self::Garbage(which) => drop(line.splice(0..text, pick(&GARBAGE, which).bytes())),
            Self::CarriageReturn => line.insert(text, b'\r'),
            Self::ByteOrderMark => drop(line.splice(0..0, *b"\xEF\xBB\xBF")),
            Self::Blanks => drop(line.splice(0..0, *b" \t\n  \n ")),
            Self::Spaced => spread(line),
            Self::NulBlock(count) => {
                drop(line.splice(text..text, vec![0; (usize::from(count % 8) + 1) * BLOCK]));
            }
            Self::Lost => line.clear(),
            Self::Twice => line.extend_from_within(..),
            Self::OtherTime(which) => replace_text(line, "timestamp", Some(pick(&TIMES, which))),
            Self::OddParent(which) => add_member(line, pick(&PARENTS, which)),
            Self::Without(which) => {
                for name in NEEDED[usize::from(which) % NEEDED.len()] {
                    replace_text(line, name, None);
                }
            }
            Self::BadEscape => add_member(line, r#""cwd":"C:\users\new""#),
        }
    }
}

fn pick<'a>(pool: &[&'a str], which: u8) -> &'a str {
    pool[usize::from(which) % pool.len()]
}

/// Adds a member at the end of the record that a line holds.
fn add_member(line: &mut Vec<u8>, member: &str) {
    if let Some(at) = line.iter().rposition(|&byte| byte == b'}') {
        let comma = if at > 0 && line[at - 1] == b'{' { "" } else { "," };
        line.splice(at..at, comma.bytes().chain(member.bytes()));
    }
}

/// Puts another text in place of the last one of this name, or takes the member out. The text has no escapes.
fn replace_text(line: &mut Vec<u8>, name: &str, text: Option<&str>) {
    let key = format!("\"{name}\":\"");
    let Some(start) = memmem::rfind(line, key.as_bytes()) else { return };
    let inside = start + key.len();
    let Some(length) = memchr(b'"', &line[inside..]) else { return };
    match text {
        Some(text) => drop(line.splice(inside..inside + length, text.bytes())),
        None => {
            // A key that nobody knows takes the place of the member, and so no comma is left over.
            drop(line.splice(start..inside + length, br#""was":"x"#.iter().copied()));
        }
    }
}

/// Puts white space around the first members.
fn spread(line: &mut Vec<u8>) {
    if line.starts_with(b"{\"") {
        line.splice(1..1, *b" \t");
    }
    if let Some(at) = line.windows(2).position(|pair| pair == b"\":") {
        line.splice(at + 1..at + 1, *b" \r");
    }
}
