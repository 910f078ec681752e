//! *Damage* is what happens to a line on disk (SPEC 3.5).

use memchr::{memchr, memmem};
use serde::{Deserialize, Serialize};

use super::choices;
use super::line::is_default;

/// What happens to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Damage {
    /// Its sort.
    pub sort: Sort,
    /// What the sort needs: a place in 1/256 of the line, an amount, or a place in a pool.
    #[serde(default, skip_serializing_if = "is_default")]
    pub number: u8,
}

choices! {
    /// A sort of damage.
    Sort {
        NoLineEnd "no-line-end" "a line without its end";
        Cut "cut" "a line cut short";
        Splice "splice" "a line cut short with the next one right after";
        Overwrite "overwrite" "a line in the middle of another";
        NulBefore "nul-before" "NUL bytes before a line";
        NulAfter "nul-after" "NUL bytes after a line";
        NulInside "nul-inside" "NUL bytes in place of others";
        BadByte "bad-byte" "a byte that is not UTF-8";
        BadByteInString "bad-byte-in-string" "a torn character in a string";
        RepeatedKey "repeated-key" "a key twice";
        Nested "nested" "deep nesting";
        LoneSurrogate "lone-surrogate" "a lone surrogate";
        WrongType "wrong-type" "a known field of another type";
        NotObject "not-object" "JSON that is no object";
        Garbage "garbage" "no JSON at all";
        CarriageReturn "carriage-return" "a line that ends with CR LF";
        ByteOrderMark "byte-order-mark" "a byte order mark before a line";
        Blanks "blanks" "white space and an empty line";
        Spaced "spaced" "white space between members";
        NulBlock "nul-block" "a block of the disk full of NUL bytes";
        Lost "lost" "a line that was never written";
        Twice "twice" "a line that was written twice";
        OtherTime "other-time" "a time out of order, or none";
        OddParent "odd-parent" "a parent that is no text";
        Without "without" "a line without its session or its time";
        BadEscape "bad-escape" "a backslash that begins no escape";
        EscapedKey "escaped-key" "a key that is spelt with an escape";
        EscapedValue "escaped-value" "a type or an id that is spelt with an escape";
        OldTime "old-time" "a time by its older name";
        LineFeedInside "line-feed-inside" "a line broken in two by a line feed";
        BlankEnd "blank-end" "a line with spaces in the place of its end";
        FirstKey "first-key" "a line that begins with another key";
        WrongTypeFirst "wrong-type-first" "a known field of another type before the value that counts";
        WrongThenRight "wrong-then-right" "a known field that is wrong inside, and then said again";
        CutBehindBlock "cut-behind-block" "a line that breaks off behind its first block";
        InsideTorn "inside-torn" "a line in the place of a value of another";
        CutInToken "cut-in-token" "a line cut inside an escape, a number or a literal";
    }
}

/// Times in the past and in the future, of another form, and empty.
const TIMES: [&str; 4] = ["2020-01-01T00:00:00.000Z", "2099-12-31T23:59:59.999Z", "yesterday", ""];

/// Parents that are no text.
const PARENTS: [&str; 4] = [
    r#""parentUuid":["00000000-0000-4000-8000-000000000001"]"#,
    r#""parentUuid":{"uuid":"00000000-0000-4000-8000-000000000001"}"#,
    r#""parentUuid":7"#,
    r#""parentUuid":false"#,
];

/// Keys that readers look for.
const KEYS: [&str; 12] = [
    "type",
    "uuid",
    "parentUuid",
    "sessionId",
    "message",
    "content",
    "role",
    "isSidechain",
    "usage",
    "forkedFrom",
    "id",
    "model",
];

/// The place of `forkedFrom` in these.
pub(super) const FORKED_FROM: u8 = 9;

/// Members that readers often require.
const NEEDED: [&[&str]; 3] = [&["sessionId"], &["timestamp"], &["sessionId", "timestamp"]];

const REPEATED: [&str; 4] = [
    r#""uuid":"00000000-0000-4000-8000-00000000ffff""#,
    r#""type":"assistant""#,
    r#""uu\u0069d":"spelt with an escape""#,
    r#""repeated":1,"repeated":2"#,
];

/// Keys that repeat below the top, and the first number of a damage that has one of these.
const REPEATED_BELOW: [&str; 2] = [r#""below":{"repeated":1,"repeated":2}"#, r#""below":[{"a":{"b":1,"\u0062":2}}]"#];
pub(super) const FIRST_REPEATED_BELOW: u8 = 6;

/// First keys: they begin with an underscore, then with a first or last letter, then with what is no letter and mostly
/// beside those in ASCII.
const FIRST_KEYS: [&str; 15] =
    ["_id", "_", "Zone", "zone", "Area", "area", "@id", "[", "^", "`", "{", "7", "", "übrig", r"\u0061rea"];

/// How many first keys there are, and how many of them begin with an underscore: the first ones.
pub(super) const FIRST_KEY_COUNT: u8 = FIRST_KEYS.len() as u8;
pub(super) const UNDERSCORES: u8 = 2;

/// Known fields with something of a wrong type, before the value that counts: that of the line, or the one behind it.
const WRONG_FIRST: [&str; 9] = [
    r#""message":{"role":"user","content":[{"type":"text","text":5}]}"#,
    r#""message":{"role":"user","content":["a",{"type":"tool_result","is_error":"no"}]}"#,
    r#""message":{"content":[],"usage":{"input_tokens":"7"}}"#,
    r#""message":[1]"#,
    r#""sessionId":7"#,
    r#""isMeta":"yes","isMeta":true"#,
    r#""attachment":{"type":7}"#,
    r#""retractedMessageUuids":["u1",7],"retractedMessageUuids":["u1"]"#,
    r#""compactMetadata":{"trigger":7},"compactMetadata":{"trigger":"auto"}"#,
];

/// How many there are of these.
pub(super) const WRONG_FIRST_COUNT: u8 = WRONG_FIRST.len() as u8;

/// Known fields that are wrong inside, and that the same record says again.
const WRONG_THEN_RIGHT: [&str; 5] = [
    r#""compactMetadata":{"preTokens":"1"},"compactMetadata":{"preTokens":1}"#,
    r#""message":{"id":7,"content":"a"},"message":{"role":"assistant"}"#,
    r#""message":{"role":"user","content":[{"type":"text","text":5}]},"message":"a""#,
    r#""message":{"role":"user","content":[{"type":"text","text":5}],"content":"a"}"#,
    r#""message":{"usage":{"input_tokens":"x","input_tokens":1}}"#,
];

/// How many there are of these.
pub(super) const WRONG_THEN_RIGHT_COUNT: u8 = WRONG_THEN_RIGHT.len() as u8;

/// Beginnings of values that break off inside an escape, a number or a literal.
const TOKENS: [&str; 10] =
    [r#""\"#, r#""\u"#, r#""\ud8"#, r#""\ud83d\"#, "tru", "nul", "-", "1.", "1e", r#""half \ud8"#];

/// How many damages there are of these: the line end stays or is lost.
pub(super) const TOKEN_COUNT: u8 = 2 * TOKENS.len() as u8;

/// Lone surrogates in values and in a key.
const SURROGATES: [&str; 4] = [
    r#""cut":"half a pair \ud83d""#,
    r#""cut":"\ude00 the other half""#,
    r#""cut":"swapped \ude00\ud83d""#,
    r#""key \ud83d":{"input":1}"#,
];

/// Known fields with a wrong type.
const WRONG: [&str; 22] = [
    r#""parentUuid":{"uuid":1}"#,
    r#""isSidechain":"yes""#,
    r#""timestamp":1700000000"#,
    r#""uuid":17"#,
    r#""message":[1]"#,
    r#""message":{"content":[{"type":"text","text":5},7]}"#,
    r#""permissionMode":7"#,
    r#""isMeta":"yes""#,
    r#""isVirtual":1"#,
    r#""isVisibleInTranscriptOnly":"no""#,
    r#""isCompactSummary":{}"#,
    r#""isApiErrorMessage":"yes""#,
    r#""sessionId":["a"]"#,
    r#""subtype":7"#,
    r#""compactMetadata":"auto""#,
    r#""sourceToolAssistantUUID":{"uuid":1}"#,
    r#""message":"text""#,
    r#""attachment":["file"]"#,
    r#""message":{"id":"msg_1","role":"assistant","model":"m","content":[],"usage":{"input_tokens":7,"output_tokens":"31"}}"#,
    // Lists that a system message has, and a member that a prompt does not have.
    r#""retractedMessageUuids":["a",null]"#,
    r#""retractedMessageUuids":["a",7,8]"#,
    r#""message":{"id":7,"usage":[]}"#,
];

/// The first of the lists that only a system message has, and the member that a prompt does not have.
pub(super) const WRONG_LISTS: u8 = 19;
pub(super) const WRONG_ID: u8 = 21;

/// A message with a wrong field in its content.
pub(super) const WRONG_BLOCK: u8 = 5;

/// How many known fields there are with a wrong type.
pub(super) const WRONG_COUNT: u8 = WRONG.len() as u8;

const NOT_OBJECTS: [&str; 4] = ["42", r#""text""#, r#"[{"type":"user","uuid":"u1"}]"#, "null"];

/// The last ones but three are white space, and none of JSON's. Behind them is what lenient readers take for JSON.
const GARBAGE: [&str; 23] = [
    "garbage",
    "{",
    "}{",
    r#"{"type":}"#,
    r#"{'type':'user'}"#,
    "{\"type\":\"user\",\"text\":\"raw \t tab\"}",
    "\u{FF5B}",
    r#"{"type":"user","flag":True}"#,
    r#"{"type":"user","n":nan}"#,
    r#"{"type":"user","n":NaN}"#,
    r#"{"type":"user","n":-Infinity}"#,
    r#"{"type":"user","n":1.}"#,
    r#"{"type":"user","n":1e}"#,
    r#"{"type":"user","n":.5}"#,
    r#"{"type":"user","text":"\u12G4"}"#,
    r#"{"type":"user","text":"\x41"}"#,
    "\u{A0}",
    "\u{C}",
    "\u{85}",
    " \u{2028}\u{3000}",
    r#"{"type":"user","number":007}"#,
    r#"{"type":"user","list":[1,]}"#,
    r#"{"type":"user",}"#,
];

/// How many lines there are that are no JSON.
pub(super) const GARBAGE_COUNT: u8 = GARBAGE.len() as u8;

impl Sort {
    fn has_number(self) -> bool {
        use Sort::{
            BadEscape, BlankEnd, Blanks, ByteOrderMark, CarriageReturn, Lost, NoLineEnd, OldTime, Spaced, Twice,
        };
        let plain =
            [NoLineEnd, CarriageReturn, ByteOrderMark, Blanks, Spaced, Lost, Twice, BadEscape, OldTime, BlankEnd];
        self != Self::BadByteInString && !plain.contains(&self)
    }
}

impl Damage {
    /// A damage, with its number if its sort has one.
    pub(super) fn new(sort: Sort, number: u8) -> Self {
        Self { sort, number: if sort.has_number() { number } else { 0 } }
    }

    /// Damages a line, which includes its line end. `next` is the line after it.
    pub(super) fn apply(self, line: &mut Vec<u8>, next: &[u8]) {
        let text = line.len() - usize::from(line.ends_with(b"\n"));
        let place = |place: u8| text * usize::from(place) / 256;
        let number = self.number;
        match self.sort {
            Sort::NoLineEnd => line.truncate(text),
            Sort::Cut => drop(line.drain(place(number)..text)),
            Sort::Splice => line.truncate(place(number)),
            Sort::Overwrite => {
                let next = next.strip_suffix(b"\n").unwrap_or(next);
                line.splice(place(number)..place(number), next.iter().copied());
            }
            Sort::NulBefore => drop(line.splice(0..0, vec![0; usize::from(number) + 1])),
            Sort::NulAfter => drop(line.splice(text..text, vec![0; usize::from(number) + 1])),
            Sort::NulInside => {
                let end = (place(number) + 3).min(text);
                line[place(number)..end].fill(0);
            }
            Sort::BadByte => line.insert(place(number), 0xFF),
            Sort::BadByteInString => {
                if let Some(at) = line.windows(2).position(|pair| pair == b":\"") {
                    line.insert(at + 2, 0xC3);
                }
            }
            Sort::RepeatedKey => match number.checked_sub(FIRST_REPEATED_BELOW) {
                Some(below) => add_member(line, pick(&REPEATED_BELOW, below)),
                None => add_member(line, pick(&REPEATED, number)),
            },
            Sort::Nested => {
                let number = usize::from(number);
                add_member(line, &format!("\"deep\":{}{}", "[".repeat(number), "]".repeat(number)));
            }
            Sort::LoneSurrogate => add_member(line, pick(&SURROGATES, number)),
            Sort::WrongType => add_member(line, pick(&WRONG, number)),
            Sort::NotObject => drop(line.splice(0..text, pick(&NOT_OBJECTS, number).bytes())),
            Sort::Garbage => drop(line.splice(0..text, pick(&GARBAGE, number).bytes())),
            Sort::CarriageReturn => line.insert(text, b'\r'),
            Sort::ByteOrderMark => drop(line.splice(0..0, *b"\xEF\xBB\xBF")),
            Sort::Blanks => drop(line.splice(0..0, *b" \t\n  \n ")),
            Sort::Spaced => spread(line),
            // A block of the disk has 4096 bytes.
            Sort::NulBlock => drop(line.splice(text..text, vec![0; (usize::from(number % 8) + 1) * 4096])),
            Sort::Lost => line.clear(),
            Sort::Twice => line.extend_from_within(..),
            Sort::OtherTime => replace_text(line, "timestamp", Some(pick(&TIMES, number))),
            Sort::OddParent => add_member(line, pick(&PARENTS, number)),
            Sort::Without => {
                for name in NEEDED[usize::from(number) % NEEDED.len()] {
                    replace_text(line, name, None);
                }
            }
            Sort::EscapedKey => escape_key(line, pick(&KEYS, number)),
            Sort::EscapedValue => escape_value(line, ["type", "uuid"][usize::from(number) % 2]),
            Sort::OldTime => rename_last(line, "timestamp", "createdAt"),
            Sort::LineFeedInside => line.insert(place(number), b'\n'),
            Sort::BlankEnd => drop(line.splice(text.., *b"  ")),
            Sort::BadEscape => add_member(line, r#""cwd":"C:\users\new""#),
            Sort::FirstKey => put_first(line, &format!("\"{}\":1", pick(&FIRST_KEYS, number))),
            Sort::WrongTypeFirst => put_first(line, pick(&WRONG_FIRST, number)),
            Sort::WrongThenRight => add_member(line, pick(&WRONG_THEN_RIGHT, number)),
            Sort::CutBehindBlock => {
                let ends_a_block = |pair: &[u8]| matches!(pair, [b'}', b']' | b',']);
                if let Some(at) = line.windows(2).position(ends_a_block) {
                    line.drain(at + 1..text);
                }
            }
            Sort::InsideTorn => put_inside(line, next, number),
            Sort::CutInToken => {
                add_member(line, &format!("\"cut\":{}", pick(&TOKENS, number)));
                let text = line.len() - usize::from(line.ends_with(b"\n"));
                let end = line[..text].iter().rposition(|&byte| byte == b'}').unwrap_or(text);
                let keeps_its_end = number < TOKEN_COUNT / 2;
                line.drain(end..if keeps_its_end { text } else { line.len() });
            }
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

/// Puts the next line in the place of the last value of a line, and nothing behind it. The bits of the number say what is
/// odd about the two.
fn put_inside(line: &mut Vec<u8>, next: &[u8], number: u8) {
    let mut inside = next.strip_suffix(b"\n").unwrap_or(next).to_vec();
    if number & 4 != 0 {
        let depth = 126 + usize::from(number >> 3 & 1);
        add_member(&mut inside, &format!("\"deep\":{}{}", "[".repeat(depth), "]".repeat(depth)));
    }
    if number & 2 != 0 && inside.starts_with(b"{") {
        inside.insert(1, b' ');
        inside.extend_from_slice(b" garbage");
    }
    let text = line.len() - usize::from(line.ends_with(b"\n"));
    let begun = memmem::rfind(&line[..text], b"\":").map_or(0, |at| at + 2);
    line.splice(begun..text, inside);
    if number & 1 != 0 {
        line.splice(0..0, *br#"{"ty"#);
    }
}

/// Adds a member at the beginning of the record that a line holds.
fn put_first(line: &mut Vec<u8>, member: &str) {
    if let Some(at) = memchr(b'{', line) {
        let comma = if line.get(at + 1) == Some(&b'}') { "" } else { "," };
        line.splice(at + 1..at + 1, member.bytes().chain(comma.bytes()));
    }
}

/// Replaces the text of the last member of this name, or removes the member. The text has no escapes.
fn replace_text(line: &mut Vec<u8>, name: &str, text: Option<&str>) {
    let key = format!("\"{name}\":\"");
    let Some(start) = memmem::rfind(line, key.as_bytes()) else { return };
    let inside = start + key.len();
    let Some(length) = memchr(b'"', &line[inside..]) else { return };
    match text {
        Some(text) => drop(line.splice(inside..inside + length, text.bytes())),
        None => {
            // An unknown member takes its place, so that no comma is left over.
            drop(line.splice(start..inside + length, br#""was":"x"#.iter().copied()));
        }
    }
}

/// Spells the first letter of the first key of this name as an escape.
fn escape_key(line: &mut Vec<u8>, key: &str) {
    if let Some(at) = memmem::find(line, format!("\"{key}\":").as_bytes()) {
        let letter = format!("\\u{:04x}", line[at + 1]);
        line.splice(at + 1..at + 2, letter.bytes());
    }
}

/// Spells the first letter of a text as an escape: that of the first member of this name.
fn escape_value(line: &mut Vec<u8>, name: &str) {
    let key = format!("\"{name}\":\"");
    let inside = memmem::find(line, key.as_bytes()).map(|at| at + key.len());
    if let Some(at) = inside.filter(|&at| line.get(at).is_some_and(u8::is_ascii_alphanumeric)) {
        let letter = format!("\\u{:04x}", line[at]);
        line.splice(at..=at, letter.bytes());
    }
}

/// Gives the last member of this name another one.
fn rename_last(line: &mut Vec<u8>, name: &str, other: &str) {
    if let Some(at) = memmem::rfind(line, format!("\"{name}\":").as_bytes()) {
        line.splice(at + 1..at + 1 + name.len(), other.bytes());
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
