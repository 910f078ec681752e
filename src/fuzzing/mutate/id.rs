//! Operators on *ids*: links that lead to another message, to none, or nowhere.

use super::dice::Dice;
use super::input::Input;
use super::typical::new_uuid;
use super::values::{Sort, Value};
use super::words::{ID_KEYS, ID_LISTS};

/// The ids of an input, as indexes among its values; null where `or_null` allows it.
fn ids(input: &Input<'_>, values: &[Value], or_null: bool) -> Vec<usize> {
    let is_named = |value: &Value, names: &[&str]| {
        value.key_in(input.bytes).is_some_and(|key| names.iter().any(|name| name.as_bytes() == key))
    };
    let is_id = |value: &Value| {
        let is_listed = value.key.is_none() && value.holder.is_some_and(|at| is_named(&values[at], ID_LISTS));
        is_listed || is_named(value, ID_KEYS)
    };
    let has_sort = |sort| sort == Sort::Text || (or_null && sort == Sort::Null);
    (0..values.len()).filter(|&index| has_sort(values[index].sort) && is_id(&values[index])).collect()
}

pub(super) fn to_existing(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let place = &values[*dice.pick(&ids(input, &values, true))?].range;
    let present = &input.bytes[place.clone()];
    let texts = ids(input, &values, false).into_iter().map(|index| &input.bytes[values[index].range.clone()]);
    let others: Vec<&[u8]> = texts.filter(|&text| text != present).collect();
    Some(input.replace(place.clone(), dice.pick(&others)?))
}

pub(super) fn to_new(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let value = &values[*dice.pick(&ids(input, &values, false))?];
    // `toolu_1` stays a call's id, `msg_1` a reply's.
    let text = value.text_in(input.bytes)?;
    let prefix = memchr::memrchr(b'_', text).map_or(&b""[..], |end| &text[..=end]);
    let fresh = match prefix {
        b"" => new_uuid(dice),
        _ => format!("{:016x}", dice.throw()),
    };
    let start = value.range.start + 1;
    Some(input.replace(start + prefix.len()..value.range.end - 1, fresh.as_bytes()))
}

pub(super) fn to_null(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let value = &values[*dice.pick(&ids(input, &values, false))?];
    Some(input.replace(value.range.clone(), b"null"))
}
