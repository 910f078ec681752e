//! Operators on *members*: the keys of objects, and what stands under them.

use std::ops::Range;

use super::dice::Dice;
use super::input::Input;
use super::values::{Sort, Value, units};
use super::words;

fn is_member(value: &Value) -> bool {
    value.key.is_some()
}

pub(super) fn drop(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let member = input.pick(dice, is_member)?;
    Some(input.without(&member))
}

pub(super) fn duplicate(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let member = input.pick(dice, is_member)?;
    let copy = [b",", &input.bytes[member.whole()]].concat();
    Some(input.insert(member.range.end, &copy))
}

pub(super) fn copy_elsewhere(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let mut members: Vec<&Value> = values.iter().collect();
    members.retain(|value| is_member(value));
    let member = *dice.pick(&members)?;
    let mut objects: Vec<usize> = (0..values.len()).collect();
    objects.retain(|&index| values[index].sort == Sort::Object && member.holder != Some(index));
    let object = &values[*dice.pick(&objects)?];
    Some(input.with_first(object, &input.bytes[member.whole()]))
}

pub(super) fn rename(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let key = input.pick(dice, is_member)?.key?;
    let name = dice.pick(words::keys(input.shape))?;
    Some(input.replace(key, format!("\"{name}\"").as_bytes()))
}

pub(super) fn escape(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let is_written = |value: &Value| value.key.is_some() || value.sort == Sort::Text;
    let value = input.pick(dice, is_written)?;
    let is_text = value.sort == Sort::Text;
    let range = match value.key {
        Some(key) if !is_text || dice.once_in(2) => key,
        _ => value.range,
    };
    let inside = &input.bytes[range.start + 1..range.end - 1];
    let mut plain: Vec<_> = units(inside).into_iter().filter_map(|unit| plain(inside, unit)).collect();
    let (unit, character) = plain.swap_remove(dice.below(plain.len())?);
    let mut halves = [0; 2];
    let escaped: String = character.encode_utf16(&mut halves).iter().map(|half| format!("\\u{half:04x}")).collect();
    let start = range.start + 1;
    Some(input.replace(start + unit.start..start + unit.end, escaped.as_bytes()))
}

/// The character that a unit of a string is, where it is one and not an escape.
fn plain(text: &[u8], unit: Range<usize>) -> Option<(Range<usize>, char)> {
    let character = std::str::from_utf8(&text[unit.clone()]).ok()?.chars().next()?;
    (character != '\\').then_some((unit, character))
}
