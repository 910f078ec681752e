//! An *operator* is one way to change an input; this is the table of all of them.

use super::input::{Dice, Input};
use super::piece::{Cut, Pieces, shorten};
use super::values::{Sort, Value};
use super::words::{ROLES, STOP_REASONS, SUBTYPES};
use super::{Shape, bytes, piece, value};

use Change::{Bytes, Double, Drop, Name, Of, One};
use Cut::{Events, Lines};
use value::{any, is_element, is_id, is_member, is_text};

/// How an operator changes an input. A function gives `None` when there is nothing to change.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// All bytes become others.
    Bytes(fn(&Input<'_>, &mut Dice) -> Option<Vec<u8>>),
    /// The lines or events change.
    Of(Cut, fn(&mut Pieces<'_>, &Input<'_>, &mut Dice) -> Option<()>),
    /// One of the values that fit becomes other bytes.
    One(Fits, fn(&Input<'_>, &Value, &mut Dice) -> Option<Vec<u8>>),
    /// The name under this key becomes another one of a list, which may depend on the present name.
    Name(&'static str, fn(Shape, &[u8]) -> &'static [&'static str]),
    /// One of the members or elements that fit is dropped.
    Drop(Fits),
    /// One of the members or elements that fit is repeated.
    Double(Fits),
}

/// Whether a value, one of all these, may be changed.
type Fits = fn(&Input<'_>, &Value, &[Value]) -> bool;

/// One way to change an input.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// Its name in kebab case.
    pub name: &'static str,
    /// What it does, as a sentence without its subject.
    pub title: &'static str,
    /// The shapes of input that it is for.
    pub shapes: &'static [Shape],
    change: Change,
}

impl Operator {
    /// One changed copy of `input`, at most `most` bytes long. `None` when the operator finds nothing to change, or
    /// when cutting the copy to that length undoes the change.
    pub fn apply(&self, input: &[u8], shape: Shape, seed: u32, most: usize) -> Option<Vec<u8>> {
        self.change(&Input::new(input, shape, most), &mut Dice::new(seed))
    }

    pub(super) fn change(&self, input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
        let changed = match self.change {
            Bytes(change) => change(input, dice)?,
            Of(cut, change) => {
                let mut pieces = cut.pieces(input.bytes);
                change(&mut pieces, input, dice)?;
                cut.join(&pieces)
            }
            One(fits, change) => {
                let value = input.pick(dice, |value, all| fits(input, value, all))?;
                input.replace(value.range.clone(), &change(input, value, dice)?)
            }
            Name(key, names) => {
                let is_name = |sort| matches!(sort, Sort::Text | Sort::Null);
                let value = input.pick(dice, |value, _| is_name(value.sort) && value.has_key(input.bytes, key))?;
                let names = names(input.shape, value.text_in(input.bytes).unwrap_or_default());
                input.replace(value.range.clone(), format!("\"{}\"", dice.pick(names)?).as_bytes())
            }
            Drop(fits) => input.without(input.pick(dice, |value, all| fits(input, value, all))?),
            Double(fits) => {
                let value = input.pick(dice, |value, all| fits(input, value, all))?;
                input.insert(value.range.end, &[b",", &input.bytes[value.whole()]].concat())
            }
        };
        let changed = shorten(changed, input.most);
        (changed != input.bytes).then_some(changed)
    }
}

const fn operator(name: &'static str, title: &'static str, shapes: &'static [Shape], change: Change) -> Operator {
    Operator { name, title, shapes, change }
}

const ANY: &[Shape] = &Shape::ALL;
const LINED: &[Shape] = &[Shape::Transcript, Shape::Stream];
const LISTED: &[Shape] = &[Shape::Transcript, Shape::Request];
const TRANSCRIPT: &[Shape] = &[Shape::Transcript];
const STREAM: &[Shape] = &[Shape::Stream];

/// Every operator: those on lines, elements, members, ids, names, values, events and bytes.
pub const OPERATORS: &[Operator] = &[
    operator("duplicate-line", "writes a line a second time, anywhere", LINED, Of(Lines, piece::duplicate)),
    operator("drop-line", "leaves a line out", LINED, Of(Lines, piece::drop)),
    operator("swap-lines", "puts two lines in each other's place", LINED, Of(Lines, piece::swap)),
    operator("move-line", "puts a line in another place", LINED, Of(Lines, piece::shift)),
    operator("splice-lines", "ends the beginning of one line with the end of another", LINED, Of(Lines, piece::splice)),
    operator("cut-line", "cuts a line short", LINED, Of(Lines, piece::cut_short)),
    operator("glue-lines", "takes away the end of a line", LINED, Of(Lines, piece::glue)),
    operator("repeat-line", "writes a line many times", LINED, Of(Lines, piece::repeat)),
    operator("blank-line", "adds a line that holds nothing", LINED, Of(Lines, piece::blank)),
    operator("crlf", "ends one line or all with CRLF", LINED, Bytes(bytes::crlf)),
    operator("carriage-return", "ends one line or all with a CR alone", STREAM, Bytes(bytes::carriage_return)),
    operator("byte-order-mark", "puts a byte order mark before a line", ANY, Of(Lines, piece::byte_order_mark)),
    operator("odd-space", "puts white space that JSON does not have around a line", ANY, Of(Lines, piece::odd_space)),
    operator("typical-line", "adds a line or an event as inputs have them", LINED, Bytes(bytes::typical)),
    operator("duplicate-element", "writes a turn or a block twice", LISTED, Double(is_element)),
    operator("drop-element", "leaves a turn or a block out", LISTED, Drop(is_element)),
    operator("swap-elements", "puts two turns or blocks in each other's place", LISTED, Bytes(value::swap_elements)),
    operator("add-block", "adds a block to an array", LISTED, Bytes(value::add_block)),
    operator("drop-member", "leaves a member out", ANY, Drop(is_member)),
    operator("duplicate-member", "writes a member twice", ANY, Double(is_member)),
    operator("copy-member", "copies a member into another object", ANY, Bytes(value::copy_member)),
    operator("rename-member", "gives a member another known key", ANY, Bytes(value::rename_member)),
    operator("escape-character", "writes a character of a key or text as an escape", ANY, Bytes(value::escape)),
    operator("existing-id", "changes an id to another one of the input", ANY, Bytes(value::existing_id)),
    operator("new-id", "changes an id to one that nothing has", ANY, One(is_id, value::new_id)),
    operator("null-id", "changes an id to null", ANY, One(is_id, |_, _, _| Some(b"null".to_vec()))),
    operator("change-type", "changes the type of a message, block or event", ANY, Name("type", value::types)),
    operator("change-subtype", "gives a notice another subtype", TRANSCRIPT, Name("subtype", |_, _| SUBTYPES)),
    operator("change-role", "changes who speaks", ANY, Name("role", |_, _| ROLES)),
    operator("change-stop-reason", "changes why a model stopped", LINED, Name("stop_reason", |_, _| STOP_REASONS)),
    operator("retype-value", "puts a value of another JSON type in the place of one", ANY, One(any, value::retype)),
    operator("change-number", "changes a number to one at an edge", ANY, One(value::is_number, value::number)),
    operator("flip-flag", "makes true false, or false true", ANY, One(value::is_flag, value::flip)),
    operator("odd-text", "puts a text that is easily read wrongly in the place of one", ANY, One(is_text, value::odd)),
    operator("long-text", "puts a long text in the place of one", ANY, One(is_text, value::long_text)),
    operator("constant-text", "puts a protocol constant in the place of a text", ANY, One(is_text, value::constant)),
    operator("nest-value", "puts a value deep into arrays or objects", ANY, One(any, value::nest)),
    operator("wrap-content", "makes content that is a string a block", ANY, One(value::is_content, value::wrap)),
    operator("unwrap-content", "makes content that is a text block a string", ANY, Bytes(value::unwrap_content)),
    operator("duplicate-event", "sends an event a second time, anywhere", STREAM, Of(Events, piece::duplicate)),
    operator("drop-event", "loses an event", STREAM, Of(Events, piece::drop)),
    operator("swap-events", "puts two events in each other's place", STREAM, Of(Events, piece::swap)),
    operator("move-event", "puts an event in another place", STREAM, Of(Events, piece::shift)),
    operator("change-event-name", "gives an event another name", STREAM, Of(Lines, piece::change_name)),
    operator("change-index", "changes which block an event is about", STREAM, One(value::is_index, value::index)),
    operator("split-data", "writes the data of an event on two lines", STREAM, Of(Lines, piece::split_data)),
    operator("split-delta", "sends a delta in two", STREAM, Of(Events, piece::split_delta)),
    operator("join-deltas", "sends two deltas as one", STREAM, Of(Events, piece::join_deltas)),
    operator("cut-letter", "takes a byte out of a letter of several", ANY, Bytes(bytes::cut_letter)),
    operator("not-utf8", "adds bytes that are not UTF-8", ANY, Bytes(bytes::not_utf8)),
    operator("nul-run", "adds a run of NUL bytes", ANY, Bytes(bytes::nul_run)),
    operator("drop-mark", "takes a quote, a brace or the like away", ANY, Bytes(bytes::drop_mark)),
    operator("add-mark", "adds a quote, a brace or the like", ANY, Bytes(bytes::add_mark)),
];
