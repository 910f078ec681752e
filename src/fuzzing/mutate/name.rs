//! Operators on *names*: what a message, a block or an event says that it is.

use super::Shape;
use super::dice::Dice;
use super::input::Input;
use super::values::Sort;
use super::words::{BLOCK_TYPES, DELTA_TYPES, EVENT_TYPES, KINDS, ROLES, STOP_REASONS, SUBTYPES};

pub(super) fn change_type(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    change(input, dice, "type", |present| {
        let lists: [&[&str]; 4] = [&KINDS, BLOCK_TYPES, EVENT_TYPES, DELTA_TYPES];
        let is_in = |list: &&&[&str]| list.iter().any(|name| name.as_bytes() == present);
        let usual = match input.shape {
            Shape::Transcript => 0,
            Shape::Request => 1,
            Shape::Stream => 2,
        };
        lists.iter().find(is_in).unwrap_or(&lists[usual])
    })
}

pub(super) fn change_subtype(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    change(input, dice, "subtype", |_| SUBTYPES)
}

pub(super) fn change_role(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    change(input, dice, "role", |_| ROLES)
}

pub(super) fn change_stop_reason(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    change(input, dice, "stop_reason", |_| STOP_REASONS)
}

/// Another name under `key`, of the list that `names` gives for the present one.
fn change<'a>(
    input: &Input<'_>,
    dice: &mut Dice,
    key: &str,
    names: impl Fn(&[u8]) -> &'a [&'a str],
) -> Option<Vec<u8>> {
    let is_name = |sort| matches!(sort, Sort::Text | Sort::Null);
    let value = input.pick(dice, |value| is_name(value.sort) && value.has_key(input.bytes, key))?;
    let present = value.text_in(input.bytes).unwrap_or_default();
    let name = dice.pick(names(present))?;
    Some(input.replace(value.range, format!("\"{name}\"").as_bytes()))
}
