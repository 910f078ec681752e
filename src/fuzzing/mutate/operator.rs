//! An *operator* is one way to change an input; this is the table of all of them.

use super::dice::Dice;
use super::input::Input;
use super::pieces::shorten;
use super::{Shape, bytes, element, event, id, line, member, name, value};

/// Gives a changed copy, or none where there is nothing to change.
type Change = fn(&Input<'_>, &mut Dice) -> Option<Vec<u8>>;

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
    /// One changed copy of `input`, at most `most` bytes long; none where the operator finds nothing to
    /// change, or where nothing is left of the change when the copy has been cut to that length.
    pub fn apply(&self, input: &[u8], shape: Shape, seed: u32, most: usize) -> Option<Vec<u8>> {
        self.change(&Input { bytes: input, shape, most }, &mut Dice::new(seed))
    }

    pub(super) fn change(&self, input: &Input<'_>, dice: &mut Dice) -> Option<Vec<u8>> {
        let changed = shorten((self.change)(input, dice)?, input.most);
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
    operator("duplicate-line", "writes a line a second time, anywhere", LINED, line::duplicate),
    operator("drop-line", "leaves a line out", LINED, line::drop),
    operator("swap-lines", "puts two lines in each other's place", LINED, line::swap),
    operator("move-line", "puts a line in another place", LINED, line::shift),
    operator("splice-lines", "ends the beginning of one line with the end of another", LINED, line::splice),
    operator("cut-line", "cuts a line short", LINED, line::cut_short),
    operator("glue-lines", "takes away the end of a line", LINED, line::glue),
    operator("repeat-line", "writes a line many times", LINED, line::repeat),
    operator("blank-line", "adds a line that holds nothing", LINED, line::blank),
    operator("crlf", "ends one line or all with CRLF", LINED, line::crlf),
    operator("carriage-return", "ends one line or all with a CR alone", STREAM, line::carriage_return),
    operator("byte-order-mark", "puts a byte order mark before a line", ANY, line::byte_order_mark),
    operator("typical-line", "adds a line or an event as inputs have them", LINED, line::typical),
    operator("duplicate-element", "writes a turn or a block twice", LISTED, element::duplicate),
    operator("drop-element", "leaves a turn or a block out", LISTED, element::drop),
    operator("swap-elements", "puts two turns or blocks in each other's place", LISTED, element::swap),
    operator("add-block", "adds a block to an array", LISTED, element::add_block),
    operator("drop-member", "leaves a member out", ANY, member::drop),
    operator("duplicate-member", "writes a member twice", ANY, member::duplicate),
    operator("copy-member", "copies a member into another object", ANY, member::copy_elsewhere),
    operator("rename-member", "gives a member another known key", ANY, member::rename),
    operator("escape-character", "writes a character of a key or text as an escape", ANY, member::escape),
    operator("existing-id", "changes an id to another one of the input", ANY, id::to_existing),
    operator("new-id", "changes an id to one that nothing has", ANY, id::to_new),
    operator("null-id", "changes an id to null", ANY, id::to_null),
    operator("change-type", "changes the type of a message, block or event", ANY, name::change_type),
    operator("change-subtype", "gives a notice another subtype", TRANSCRIPT, name::change_subtype),
    operator("change-role", "changes who speaks", ANY, name::change_role),
    operator("change-stop-reason", "changes why a model stopped", LINED, name::change_stop_reason),
    operator("retype-value", "puts a value of another JSON type in the place of one", ANY, value::retype),
    operator("change-number", "changes a number to one at an edge", ANY, value::number),
    operator("flip-flag", "makes true false, or false true", ANY, value::flag),
    operator("odd-text", "puts a text that is easily read wrongly in the place of one", ANY, value::text),
    operator("long-text", "puts a long text in the place of one", ANY, value::long_text),
    operator("constant-text", "puts a protocol constant in the place of a text", ANY, value::constant),
    operator("nest-value", "puts a value deep into arrays or objects", ANY, value::nest),
    operator("wrap-content", "makes content that is a string a block", ANY, value::wrap_content),
    operator("unwrap-content", "makes content that is a text block a string", ANY, value::unwrap_content),
    operator("duplicate-event", "sends an event a second time, anywhere", STREAM, event::duplicate),
    operator("drop-event", "loses an event", STREAM, event::drop),
    operator("swap-events", "puts two events in each other's place", STREAM, event::swap),
    operator("move-event", "puts an event in another place", STREAM, event::shift),
    operator("change-event-name", "gives an event another name", STREAM, event::change_name),
    operator("change-index", "changes which block an event is about", STREAM, event::change_index),
    operator("split-data", "writes the data of an event on two lines", STREAM, event::split_data),
    operator("split-delta", "sends a delta in two", STREAM, event::split_delta),
    operator("join-deltas", "sends two deltas as one", STREAM, event::join_deltas),
    operator("cut-letter", "takes a byte out of a letter of several", ANY, bytes::cut_letter),
    operator("not-utf8", "adds bytes that are not UTF-8", ANY, bytes::not_utf8),
    operator("nul-run", "adds a run of NUL bytes", ANY, bytes::nul_run),
    operator("drop-mark", "takes a quote, a brace or the like away", ANY, bytes::drop_mark),
    operator("add-mark", "adds a quote, a brace or the like", ANY, bytes::add_mark),
];
