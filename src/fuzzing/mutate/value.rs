//! Operators on *values*: what stands where something else was expected.

use super::dice::Dice;
use super::input::Input;
use super::values::{Sort, Value};
use super::words::CONSTANTS;

/// Numbers at the edges of what programs count with.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "-0",
    "0.5",
    "1e0",
    "281474976710656",
    "4294967296",
    "9007199254740992",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e999",
    "-1e999",
    "1e-999",
    "0.1000000000000000055511151231257827021181583404541015625",
    "123456789012345678901234567890123456789012345678901234567890",
    // Numbers that JSON does not have.
    "01",
    "1.",
    "+1",
    "NaN",
];

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

pub(super) fn retype(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |_| true)?;
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
    let others: Vec<_> = forms.into_iter().filter(|&(sort, _)| sort != value.sort).collect();
    let (_, form) = dice.pick(&others)?;
    Some(input.replace(value.range, form))
}

pub(super) fn number(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |value| value.sort == Sort::Number)?;
    Some(input.replace(value.range, dice.pick(NUMBERS)?.as_bytes()))
}

pub(super) fn flag(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |value| value.sort == Sort::Flag)?;
    let other: &[u8] = if &input.bytes[value.range.clone()] == b"true" { b"false" } else { b"true" };
    Some(input.replace(value.range, other))
}

pub(super) fn text(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |value| value.sort == Sort::Text)?;
    let text = dice.pick(TEXTS)?;
    let start = value.range.start + 1;
    // At the end of the text that is there, or in its place.
    let from = if dice.once_in(3) { value.range.end - 1 } else { start };
    Some(input.replace(from..value.range.end - 1, text.as_bytes()))
}

pub(super) fn long_text(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |value| value.sort == Sort::Text)?;
    let length = *dice.pick(&[65, 300, 1 << 10, 1 << 13, 1 << 16])?;
    let unit = dice.pick(&["a", "\u{e9}", r"\n", r"\ud83d\ude00"])?;
    let long = unit.repeat((length / unit.len()).min(input.room() / unit.len()));
    Some(input.replace(value.range.start + 1..value.range.end - 1, long.as_bytes()))
}

pub(super) fn constant(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |value| value.sort == Sort::Text)?;
    let constant = written(dice.pick(CONSTANTS)?);
    Some(input.replace(value.range.start + 1..value.range.end - 1, constant.as_bytes()))
}

/// A text as it is written between quotes; that of a constant needs no more than this.
fn written(text: &str) -> String {
    text.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n")
}

pub(super) fn nest(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |_| true)?;
    let depth = *dice.pick(DEPTHS)?;
    let (open, close) = if dice.once_in(2) { ("[", "]") } else { (r#"{"a":"#, "}") };
    let own = &input.bytes[value.range.clone()];
    let nested = [open.repeat(depth).as_bytes(), own, close.repeat(depth).as_bytes()].concat();
    Some(input.replace(value.range, &nested))
}

pub(super) fn wrap_content(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let is_content = |value: &Value| value.sort == Sort::Text && value.has_key(input.bytes, "content");
    let value = input.pick(dice, is_content)?;
    let text = &input.bytes[value.range.clone()];
    Some(input.replace(value.range, &[br#"[{"type":"text","text":"#, text, b"}]"].concat()))
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
