//! Operators on *pieces*: lines and events that get lost, move or run together on their way or on disk.

use std::borrow::Cow;
use std::iter::repeat_n;

use memchr::{memchr_iter, memchr3_iter};

use super::input::{Dice, Input};
use super::values::{Sort, Value, units, values};
use super::words::EVENT_TYPES;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// How often a line is repeated at most.
const MANY: usize = 40;

/// The members of a delta that go on with a text.
const TEXTS: &[&str] = &["text", "partial_json", "thinking"];

pub(super) fn duplicate(pieces: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let piece = dice.pick(pieces)?.clone();
    pieces.insert(dice.below(pieces.len() + 1)?, piece);
    Some(())
}

pub(super) fn drop(pieces: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    pieces.remove(dice.below(pieces.len())?);
    Some(())
}

pub(super) fn swap(pieces: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let (one, other) = dice.two_below(pieces.len())?;
    pieces.swap(one, other);
    Some(())
}

pub(super) fn shift(pieces: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let (from, to) = dice.two_below(pieces.len())?;
    let piece = pieces.remove(from);
    pieces.insert(to, piece);
    Some(())
}

pub(super) fn splice(lines: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let (one, other) = dice.two_below(lines.len())?;
    let (beginning, ending) = (split_end(&lines[one]).0, &lines[other]);
    let beginning = &beginning[..dice.between(0, beginning.len())];
    let ending = &ending[dice.below(ending.len())?..];
    lines[one] = [beginning, ending].concat().into();
    Some(())
}

pub(super) fn cut_short(lines: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let at = dice.below(lines.len())?;
    let (text, end) = split_end(&lines[at]);
    lines[at] = [&text[..dice.below(text.len())?], end].concat().into();
    Some(())
}

pub(super) fn glue(lines: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let at = dice.below(lines.len())?;
    let next = if at + 1 < lines.len() { lines.remove(at + 1) } else { Vec::new().into() };
    lines[at] = [split_end(&lines[at]).0, &next].concat().into();
    Some(())
}

pub(super) fn repeat(lines: &mut Pieces<'_>, input: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let at = dice.below(lines.len())?;
    // At least once, and no more often than there is room for.
    let fitting = input.room() / lines[at].len().max(1);
    let times = dice.between(2, MANY).min(fitting).max(1);
    let line = lines[at].clone();
    lines.splice(at..at, repeat_n(line, times));
    Some(())
}

pub(super) fn blank(lines: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let blank: &[u8] = dice.pick(&[&b"\n"[..], b"\n\n\n", b" \t\n", b"\r\n"])?;
    lines.insert(dice.below(lines.len() + 1)?, blank.into());
    Some(())
}

pub(super) fn byte_order_mark(lines: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let any = dice.below(lines.len())?;
    let at = if dice.once_in(2) { 0 } else { any };
    lines[at] = [BYTE_ORDER_MARK, &lines[at]].concat().into();
    Some(())
}

/// White space that JSON does not have, and that programs cut off or split lines at.
const ODD_SPACE: &[&[u8]] =
    &[b"\x0B", b"\x0C", b"\x1C", b"\xC2\x85", b"\xC2\xA0", b"\xE2\x80\xA8", b"\xE2\x80\xA9", b"\xE3\x80\x80"];

pub(super) fn odd_space(lines: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let at = dice.below(lines.len())?;
    let space = dice.pick(ODD_SPACE)?;
    let (text, end) = split_end(&lines[at]);
    let spaced = if dice.once_in(2) { [space, text, end].concat() } else { [text, space, end].concat() };
    lines[at] = spaced.into();
    Some(())
}

pub(super) fn change_name(lines: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let at = dice.index(lines.len(), |index| lines[index].starts_with(b"event:"))?;
    let name = dice.pick(EVENT_TYPES)?.as_bytes();
    lines[at] = [b"event: ", name, split_end(&lines[at]).1].concat().into();
    Some(())
}

/// An event's data may stand on several lines. Between two tokens that changes nothing, inside a string it does.
pub(super) fn split_data(lines: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    const FIELD: &[u8] = b"data:";
    let at = dice.index(lines.len(), |index| lines[index].starts_with(FIELD))?;
    let marks = memchr3_iter(b'{', b':', b',', &lines[at][FIELD.len()..]);
    let cuts: Vec<usize> = marks.map(|mark| FIELD.len() + mark + 1).collect();
    let (before, after) = lines[at].split_at(*dice.pick(&cuts)?);
    lines[at] = [before, b"\ndata: ", after].concat().into();
    Some(())
}

pub(super) fn split_delta(events: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let texts = events.iter().enumerate().filter_map(|(index, event)| Some((index, delta_text(event)?)));
    let (at, Value { range, .. }) = dice.pick(&texts.collect::<Vec<_>>())?.clone();
    let event = &events[at];
    let text = &event[range.start + 1..range.end - 1];
    let cuts: Vec<usize> = units(text).iter().map(|unit| unit.start).chain([text.len()]).collect();
    let cut = range.start + 1 + dice.pick(&cuts)?;
    let first = [&event[..cut], &event[range.end - 1..]].concat();
    let second = [&event[..=range.start], &event[cut..]].concat();
    events.splice(at..=at, [first.into(), second.into()]);
    Some(())
}

pub(super) fn join_deltas(events: &mut Pieces<'_>, _: &Input<'_>, dice: &mut Dice) -> Option<()> {
    let texts: Vec<Option<Value>> = events.iter().map(|event| delta_text(event)).collect();
    let key = |index: usize| texts[index].as_ref().and_then(|text| text.key_in(&events[index]));
    let at = dice.index(events.len().saturating_sub(1), |at| key(at).is_some() && key(at) == key(at + 1))?;
    let (event, end) = (&events[at], texts[at].as_ref()?.range.end - 1);
    let joined = [&event[..end], texts[at + 1].as_ref()?.text_in(&events[at + 1])?, &event[end..]].concat();
    events.splice(at..at + 2, [joined.into()]);
    Some(())
}

/// The text with which the delta of an event continues.
fn delta_text(event: &[u8]) -> Option<Value> {
    let found = values(event, true);
    let is_delta_text = |value: &&Value| {
        let is_of_delta = value.holder.is_some_and(|holder| found[holder].has_key(event, "delta"));
        is_of_delta && value.sort == Sort::Text && TEXTS.iter().any(|key| value.has_key(event, key))
    };
    found.iter().find(is_delta_text).cloned()
}

/// Parts of bytes in their order, each with its own end.
pub(super) type Pieces<'a> = Vec<Cow<'a, [u8]>>;

/// Where bytes are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// After each LF.
    Lines,
    /// After the blank lines that end an event.
    Events,
}

impl Cut {
    /// The pieces of `bytes`, in order; together they are all of them.
    pub(super) fn pieces(self, bytes: &[u8]) -> Pieces<'_> {
        match self {
            Self::Lines => lines(bytes).map(Cow::Borrowed).collect(),
            Self::Events => events(bytes).into_iter().map(Cow::Borrowed).collect(),
        }
    }

    /// Joins pieces. A piece without its end gets one, unless it is the last.
    pub(super) fn join(self, pieces: &[Cow<'_, [u8]>]) -> Vec<u8> {
        let mut joined = Vec::with_capacity(pieces.iter().map(|piece| piece.len() + 2).sum());
        for (index, piece) in pieces.iter().enumerate() {
            joined.extend_from_slice(piece);
            if index + 1 < pieces.len() {
                joined.extend_from_slice(self.missing_end(piece));
            }
        }
        joined
    }

    fn missing_end(self, piece: &[u8]) -> &'static [u8] {
        match self {
            Self::Lines if piece.ends_with(b"\n") => b"",
            Self::Lines => b"\n",
            Self::Events if ends_blank(piece) => b"",
            Self::Events if piece.ends_with(b"\n") => b"\n",
            Self::Events => b"\n\n",
        }
    }
}

/// Whether the last line of a piece is blank.
fn ends_blank(piece: &[u8]) -> bool {
    let Some(before) = piece.strip_suffix(b"\n") else { return false };
    let before = before.strip_suffix(b"\r").unwrap_or(before);
    before.is_empty() || before.ends_with(b"\n")
}

/// The lines of `bytes`, their ends included.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr_iter(b'\n', bytes).map(|end| end + 1);
    let last = (!bytes.is_empty() && !bytes.ends_with(b"\n")).then_some(bytes.len());
    ends.chain(last).map(move |end| &bytes[std::mem::replace(&mut start, end)..end])
}

/// Blank lines belong to the event before them, however many there are.
fn events(bytes: &[u8]) -> Vec<&[u8]> {
    let mut events = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut is_over = false;
    for line in lines(bytes) {
        if is_over && !is_blank(line) {
            events.push(&bytes[start..at]);
            start = at;
        }
        is_over = is_blank(line);
        at += line.len();
    }
    if start < bytes.len() {
        events.push(&bytes[start..]);
    }
    events
}

fn is_blank(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

/// A line in two: what it says, and its end.
pub(super) fn split_end(line: &[u8]) -> (&[u8], &[u8]) {
    let says = line.strip_suffix(b"\n").unwrap_or(line);
    let says = if says.len() < line.len() { says.strip_suffix(b"\r").unwrap_or(says) } else { says };
    line.split_at(says.len())
}

/// At most `most` bytes, cut after the last line that fits, or inside the first line.
pub(super) fn shorten(mut bytes: Vec<u8>, most: usize) -> Vec<u8> {
    if bytes.len() > most {
        let end = memchr::memrchr(b'\n', &bytes[..most]).map_or(most, |end| end + 1);
        bytes.truncate(end);
    }
    bytes
}
