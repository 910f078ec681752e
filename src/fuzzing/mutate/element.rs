//! Operators on *elements*: the turns and blocks of arrays.

use super::dice::Dice;
use super::input::Input;
use super::typical;
use super::values::{Sort, Value};

/// The elements of arrays, as indexes among the values.
fn elements(values: &[Value]) -> Vec<usize> {
    let is_element =
        |value: &Value| value.key.is_none() && value.holder.is_some_and(|holder| values[holder].sort == Sort::Array);
    (0..values.len()).filter(|&index| is_element(&values[index])).collect()
}

pub(super) fn duplicate(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let element = &values[*dice.pick(&elements(&values))?];
    let copy = [b",", &input.bytes[element.range.clone()]].concat();
    Some(input.insert(element.range.end, &copy))
}

pub(super) fn drop(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let element = *dice.pick(&elements(&values))?;
    Some(input.without(&values[element]))
}

pub(super) fn swap(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let values = input.values();
    let mut elements = elements(&values);
    // Those of one array stand beside each other; those that are alone in theirs have no partner.
    elements.sort_by_key(|&index| values[index].holder);
    let groups: Vec<&[usize]> = elements
        .chunk_by(|&one, &other| values[one].holder == values[other].holder)
        .filter(|group| group.len() > 1)
        .collect();
    let group = dice.pick(&groups)?;
    let (one, other) = dice.two_below(group.len())?;
    let (first, second) = (&values[group[one.min(other)]].range, &values[group[one.max(other)]].range);
    let bytes = input.bytes;
    let parts = [
        &bytes[..first.start],
        &bytes[second.clone()],
        &bytes[first.end..second.start],
        &bytes[first.clone()],
        &bytes[second.end..],
    ];
    Some(parts.concat())
}

pub(super) fn add_block(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let array = input.pick(dice, |value| value.sort == Sort::Array)?;
    let block = typical::block(input, dice);
    Some(input.with_first(&array, block.as_bytes()))
}
