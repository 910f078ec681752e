//! Operators on *values*: members, elements, ids, names and texts where something else was expected.

use std::ops::Range;

use super::Shape;
use super::input::{Dice, Input};
use super::typical::{self, new_uuid};
use super::values::{Sort, Value, units};
use super::words::{BLOCK_TYPES, CONSTANTS, DELTA_TYPES, EVENT_TYPES, ID_KEYS, ID_LISTS, KINDS, keys};

/// Numbers at the edges of what programs count with, and four at the end that JSON does not have.
const NUMBERS: &str = "0 1 -1 -0 0.5 1e0 281474976710656 4294967296 9007199254740992 9007199254740993 \
                       18446744073709551615 18446744073709551616 1e308 1e999 -1e999 1e-999 \
                       0.1000000000000000055511151231257827021181583404541015625 \
                       123456789012345678901234567890123456789012345678901234567890 01 1. +1 NaN";

/// Indexes of blocks, and values that are no index.
const INDEXES: &str = "0 1 2 3 0.0 1.5 1e0 -1 4294967296 1e999 null \"0\"";

/// Texts that have been read wrongly, as they are written between quotes.
const TEXTS: &[&str] = &[
    "",
    " ",
    r" \n\t ",
    r"\ud800",
    r"\ude00",
    r"\ud83d\ude00",
    r"\ude00\ud83d",
    r"a\ud83d",
    "\u{2028}",
    "\u{2029}",
    r"\u2028",
    r"\u0000",
    r"\u001b[0m",
    "\u{FEFF}",
    "\u{1F600}",
    "e\u{301}",
    r#"\"},{\""#,
    r"\\",
    "true",
    "<system-reminder>a</system-reminder>",
];

/// How deep a value is put: once or twice, and on both sides of what readers take.
const DEPTHS: &[usize] = &[1, 2, 120, 124, 125, 126, 127, 128, 129, 130, 200];

pub(super) fn any(_: &Input<'_>, _: &Value, _: &[Value]) -> bool {
    true
}

pub(super) fn is_number(_: &Input<'_>, value: &Value, _: &[Value]) -> bool {
    value.sort == Sort::Number
}

pub(super) fn is_flag(_: &Input<'_>, value: &Value, _: &[Value]) -> bool {
    value.sort == Sort::Flag
}

pub(super) fn is_text(_: &Input<'_>, value: &Value, _: &[Value]) -> bool {
    value.sort == Sort::Text
}

pub(super) fn is_content(input: &Input<'_>, value: &Value, _: &[Value]) -> bool {
    value.sort == Sort::Text && value.has_key(input.bytes, "content")
}

pub(super) fn is_index(input: &Input<'_>, value: &Value, _: &[Value]) -> bool {
    value.has_key(input.bytes, "index")
}

pub(super) fn is_member(_: &Input<'_>, value: &Value, _: &[Value]) -> bool {
    value.key.is_some()
}

pub(super) fn is_element(_: &Input<'_>, value: &Value, all: &[Value]) -> bool {
    value.key.is_none() && value.holder.is_some_and(|holder| all[holder].sort == Sort::Array)
}

pub(super) fn is_id(input: &Input<'_>, value: &Value, all: &[Value]) -> bool {
    value.sort == Sort::Text && is_place_of_id(input, value, all)
}

/// Whether an id may stand here: a link to another message, to none, or nowhere.
fn is_place_of_id(input: &Input<'_>, value: &Value, all: &[Value]) -> bool {
    let is_named = |value: &Value, names: &[&str]| names.iter().any(|name| value.has_key(input.bytes, name));
    let is_listed = value.key.is_none() && value.holder.is_some_and(|at| is_named(&all[at], ID_LISTS));
    matches!(value.sort, Sort::Text | Sort::Null) && (is_listed || is_named(value, ID_KEYS))
}

pub(super) fn existing_id(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let place = &values[dice.index(values.len(), |at| is_place_of_id(input, &values[at], values))?].range;
    let present = &input.bytes[place.clone()];
    let is_other = |value: &&Value| is_id(input, value, values) && &input.bytes[value.range.clone()] != present;
    let others: Vec<&Value> = values.iter().filter(is_other).collect();
    let other = dice.pick(&others)?.range.clone();
    Some(input.replace(place.clone(), &input.bytes[other]))
}

pub(super) fn new_id(input: &Input<'_>, value: &Value, dice: &mut Dice) -> Option<Vec<u8>> {
    // `toolu_1` stays a call's id, `msg_1` a reply's.
    let text = value.text_in(input.bytes)?;
    let prefix = memchr::memrchr(b'_', text).map_or(&b""[..], |end| &text[..=end]);
    let fresh = match prefix {
        b"" => new_uuid(dice),
        _ => format!("{:016x}", dice.throw()),
    };
    Some([b"\"", prefix, fresh.as_bytes(), b"\""].concat())
}

/// The list of types that the present one is from, or else the one that is usual in the shape.
pub(super) fn types(shape: Shape, present: &[u8]) -> &'static [&'static str] {
    let lists: [&[&str]; 4] = [&KINDS, &BLOCK_TYPES, EVENT_TYPES, DELTA_TYPES];
    let usual = match shape {
        Shape::Transcript => 0,
        Shape::Request => 1,
        Shape::Stream => 2,
    };
    lists.into_iter().find(|list| list.iter().any(|name| name.as_bytes() == present)).unwrap_or(lists[usual])
}

pub(super) fn swap_elements(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let mut elements: Vec<&Value> = values.iter().filter(|value| is_element(input, value, values)).collect();
    // Only elements of one array are swapped, and only when it has several.
    elements.sort_by_key(|element| element.holder);
    let mut groups: Vec<&[&Value]> = elements.chunk_by(|one, other| one.holder == other.holder).collect();
    groups.retain(|group| group.len() > 1);
    let group = dice.pick(&groups)?;
    let (one, other) = dice.two_below(group.len())?;
    let (first, second) = (&group[one.min(other)].range, &group[one.max(other)].range);
    let between = &input.bytes[first.end..second.start];
    let swapped = [&input.bytes[second.clone()], between, &input.bytes[first.clone()]].concat();
    Some(input.replace(first.start..second.end, &swapped))
}

pub(super) fn add_block(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let array = input.pick(dice, |value, _| value.sort == Sort::Array)?;
    let block = typical::block(input, dice);
    Some(input.with_first(array, block.as_bytes()))
}

pub(super) fn copy_member(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let member = &values[dice.index(values.len(), |at| values[at].key.is_some())?];
    let is_other = |at: usize| values[at].sort == Sort::Object && member.holder != Some(at);
    let object = &values[dice.index(values.len(), is_other)?];
    Some(input.with_first(object, &input.bytes[member.whole()]))
}

pub(super) fn rename_member(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let key = input.pick(dice, |value, _| value.key.is_some())?.key.clone()?;
    let name = dice.pick(keys(input.shape))?;
    Some(input.replace(key, format!("\"{name}\"").as_bytes()))
}

pub(super) fn escape(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |value, _| value.key.is_some() || value.sort == Sort::Text)?;
    let is_text = value.sort == Sort::Text;
    let range = match &value.key {
        Some(key) if !is_text || dice.once_in(2) => key,
        _ => &value.range,
    };
    let inside = &input.bytes[range.start + 1..range.end - 1];
    let mut plain: Vec<_> = units(inside).into_iter().filter_map(|unit| plain(inside, unit)).collect();
    let (unit, character) = plain.swap_remove(dice.below(plain.len())?);
    let mut halves = [0; 2];
    let escaped: String = character.encode_utf16(&mut halves).iter().map(|half| format!("\\u{half:04x}")).collect();
    let start = range.start + 1;
    Some(input.replace(start + unit.start..start + unit.end, escaped.as_bytes()))
}

/// The character that a unit of a string is; `None` for an escape, and for what is not UTF-8.
fn plain(text: &[u8], unit: Range<usize>) -> Option<(Range<usize>, char)> {
    let character = std::str::from_utf8(&text[unit.clone()]).ok()?.chars().next()?;
    (character != '\\').then_some((unit, character))
}

pub(super) fn retype(input: &Input<'_>, value: &Value, dice: &mut Dice) -> Option<Vec<u8>> {
    let own = &input.bytes[value.range.clone()];
    let quoted = match value.sort {
        Sort::Number | Sort::Flag | Sort::Null => [b"\"", own, b"\""].concat(),
        _ => b"\"a\"".to_vec(),
    };
    let forms: [(Sort, &[u8]); 8] = [
        (Sort::Text, &quoted),
        (Sort::Number, b"7"),
        (Sort::Flag, b"true"),
        (Sort::Flag, b"false"),
        (Sort::Null, b"null"),
        (Sort::Object, b"{}"),
        (Sort::Array, b"[]"),
        (Sort::Array, b"[null]"),
    ];
    Some(forms[dice.index(forms.len(), |at| forms[at].0 != value.sort)?].1.to_vec())
}

pub(super) fn number(_: &Input<'_>, _: &Value, dice: &mut Dice) -> Option<Vec<u8>> {
    one_of(NUMBERS, dice)
}

pub(super) fn index(_: &Input<'_>, _: &Value, dice: &mut Dice) -> Option<Vec<u8>> {
    one_of(INDEXES, dice)
}

fn one_of(words: &str, dice: &mut Dice) -> Option<Vec<u8>> {
    dice.pick(&words.split(' ').collect::<Vec<_>>()).map(|word| word.as_bytes().to_vec())
}

pub(super) fn flip(input: &Input<'_>, value: &Value, _: &mut Dice) -> Option<Vec<u8>> {
    let other: &[u8] = if &input.bytes[value.range.clone()] == b"true" { b"false" } else { b"true" };
    Some(other.to_vec())
}

pub(super) fn odd(input: &Input<'_>, value: &Value, dice: &mut Dice) -> Option<Vec<u8>> {
    let text = dice.pick(TEXTS)?.as_bytes();
    // At the end of the text that is there, or in its place.
    let kept = if dice.once_in(3) { value.text_in(input.bytes)? } else { b"" };
    Some([b"\"", kept, text, b"\""].concat())
}

pub(super) fn long_text(input: &Input<'_>, _: &Value, dice: &mut Dice) -> Option<Vec<u8>> {
    let length = *dice.pick(&[65, 300, 1 << 10, 1 << 13, 1 << 16])?;
    let unit = dice.pick(&["a", "\u{e9}", r"\n", r"\ud83d\ude00"])?;
    let long = unit.repeat((length / unit.len()).min(input.room() / unit.len()));
    Some(format!("\"{long}\"").into_bytes())
}

pub(super) fn constant(_: &Input<'_>, _: &Value, dice: &mut Dice) -> Option<Vec<u8>> {
    serde_json::to_vec(dice.pick(CONSTANTS)?).ok()
}

pub(super) fn nest(input: &Input<'_>, value: &Value, dice: &mut Dice) -> Option<Vec<u8>> {
    let depth = *dice.pick(DEPTHS)?;
    let (open, close) = if dice.once_in(2) { ("[", "]") } else { (r#"{"a":"#, "}") };
    let own = &input.bytes[value.range.clone()];
    Some([open.repeat(depth).as_bytes(), own, close.repeat(depth).as_bytes()].concat())
}

pub(super) fn wrap(input: &Input<'_>, value: &Value, _: &mut Dice) -> Option<Vec<u8>> {
    Some([br#"[{"type":"text","text":"#, &input.bytes[value.range.clone()], b"}]"].concat())
}

pub(super) fn unwrap_content(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let holder = |value: &Value| value.holder.and_then(|index| values.get(index));
    let texts = values.iter().filter_map(|text| {
        let block = holder(text).filter(|_| text.sort == Sort::Text && text.has_key(input.bytes, "text"))?;
        let list = holder(block).filter(|list| list.sort == Sort::Array)?;
        list.has_key(input.bytes, "content").then_some((list, text))
    });
    let texts: Vec<_> = texts.collect();
    let (list, text) = dice.pick(&texts)?;
    Some(input.replace(list.range.clone(), &input.bytes[text.range.clone()]))
}
