//! Operators on *events* of a stream: what a server or a proxy does to a reply on its way.

use memchr::memchr3_iter;

use super::dice::Dice;
use super::input::Input;
use super::line::{drop_piece, duplicate_piece, move_piece, swap_pieces};
use super::pieces::{Cut, split_end};
use super::values::{Sort, Value, units, values};
use super::words::EVENT_TYPES;

/// Indexes of blocks, and what is none.
const INDEXES: &[&str] = &["0", "1", "2", "3", "0.0", "1.5", "1e0", "-1", "4294967296", "1e999", "null", "\"0\""];

/// The members of a delta that go on with a text.
const TEXTS: &[&str] = &["text", "partial_json", "thinking"];

pub(super) fn duplicate(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    duplicate_piece(input, Cut::Events, dice)
}

pub(super) fn drop(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    drop_piece(input, Cut::Events, dice)
}

pub(super) fn swap(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    swap_pieces(input, Cut::Events, dice)
}

pub(super) fn shift(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    move_piece(input, Cut::Events, dice)
}

pub(super) fn change_index(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let value = input.pick(dice, |value| value.has_key(input.bytes, "index"))?;
    Some(input.replace(value.range, dice.pick(INDEXES)?.as_bytes()))
}

pub(super) fn change_name(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let mut lines = Cut::Lines.pieces(input.bytes);
    let mut named: Vec<usize> = (0..lines.len()).collect();
    named.retain(|&index| lines[index].starts_with(b"event:"));
    let at = *dice.pick(&named)?;
    let line = [b"event: ", dice.pick(EVENT_TYPES)?.as_bytes(), split_end(lines[at]).1].concat();
    lines[at] = &line;
    Some(Cut::Lines.join(&lines))
}

/// An event's data may stand on several lines; between two tokens that changes nothing, inside a string
/// it does.
pub(super) fn split_data(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    const FIELD: &[u8] = b"data:";
    let mut lines = Cut::Lines.pieces(input.bytes);
    let mut data: Vec<usize> = (0..lines.len()).collect();
    data.retain(|&index| lines[index].starts_with(FIELD));
    let at = *dice.pick(&data)?;
    let line = lines[at];
    let marks: Vec<usize> =
        memchr3_iter(b'{', b':', b',', &line[FIELD.len()..]).map(|mark| FIELD.len() + mark + 1).collect();
    let (before, after) = line.split_at(*dice.pick(&marks)?);
    let split = [before, b"\ndata: ", after].concat();
    lines[at] = &split;
    Some(Cut::Lines.join(&lines))
}

/// The text that the delta of an event goes on with.
fn delta_text(event: &[u8]) -> Option<Value> {
    let found = values(event, true);
    let is_delta_text = |value: &&Value| {
        let is_of_delta = value.holder.is_some_and(|holder| found[holder].has_key(event, "delta"));
        is_of_delta && value.sort == Sort::Text && TEXTS.iter().any(|key| value.has_key(event, key))
    };
    found.iter().find(is_delta_text).cloned()
}

pub(super) fn split_delta(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let mut events = Cut::Events.pieces(input.bytes);
    let texts: Vec<(usize, Value)> =
        events.iter().enumerate().filter_map(|(index, event)| Some((index, delta_text(event)?))).collect();
    let (at, value) = dice.pick(&texts)?;
    let event = events[*at];
    let text = value.text_in(event)?;
    let cuts: Vec<usize> = units(text).iter().map(|unit| unit.start).chain([text.len()]).collect();
    let cut = value.range.start + 1 + dice.pick(&cuts)?;
    let first = [&event[..cut], &event[value.range.end - 1..]].concat();
    let second = [&event[..=value.range.start], &event[cut..]].concat();
    events.splice(at..=at, [&first[..], &second[..]]);
    Some(Cut::Events.join(&events))
}

pub(super) fn join_deltas(input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
    let mut events = Cut::Events.pieces(input.bytes);
    let texts: Vec<Option<Value>> = events.iter().map(|event| delta_text(event)).collect();
    let neighbours = texts.windows(2).enumerate().filter_map(|(index, pair)| match pair {
        [Some(first), Some(second)] => Some((index, first, second)),
        _ => None,
    });
    let same: Vec<_> = neighbours
        .filter(|&(index, first, second)| first.key_in(events[index]) == second.key_in(events[index + 1]))
        .collect();
    let &(at, first, second) = dice.pick(&same)?;
    let (event, other) = (events[at], events[at + 1]);
    let end = first.range.end - 1;
    let joined = [&event[..end], second.text_in(other)?, &event[end..]].concat();
    events.splice(at..at + 2, [&joined[..]]);
    Some(Cut::Events.join(&events))
}
