//! A *shape* is what the Messages API lets an object have: its members, the form of each, and which must be there.
//!
//! [`BLOCKS`] is the table: each type of block with the roles and the hosts that have it. All shapes are plain data,
//! and their types are the API's published ones. [`look`](look::look) compares a value with a form, and
//! [`fitted_block`] gives what of it the API takes.

mod fit;
mod look;
mod results;
mod table;
mod turn;

pub(super) use fit::fitted_block;
pub(super) use look::{BAD_NAME, Flaw, MISSING, Path, Sort, flaw, is_tool_name, look_at_members, missing, unknown_tag};
pub use table::shapes;
pub(super) use table::{block_type, block_types, fitted_part, is_part_of_result};
pub(super) use turn::{DIRECTION, TURN};

use crate::operation::Host;

/// The shape of one type of object.
#[derive(Debug)]
pub(super) struct Shape {
    /// What its `type` says; empty when it has none.
    pub(super) kind: &'static str,
    /// The hosts that have it.
    pub(super) hosts: Hosts,
    /// Its members beside `type`.
    pub(super) members: &'static [Member],
}

/// A member of a shape.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) is_required: bool,
    pub(super) form: Form,
}

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// A string.
    Text,
    /// A string of at least one character.
    Filled,
    /// The name of a tool: [`is_tool_name`].
    ToolName,
    /// A number without fraction or exponent.
    Whole,
    /// True or false.
    Flag,
    /// An object of any members.
    Object,
    /// Any value.
    Anything,
    /// One of these strings; newer ones may come.
    OneOf(&'static [&'static str]),
    /// One of these strings, and no other.
    Format(&'static [&'static str]),
    /// A list of this.
    List(&'static Form),
    /// An object of one of these shapes, told apart by `type`.
    Typed(&'static [&'static Shape]),
    /// An object of this shape, which has no `type`.
    Untyped(&'static Shape),
    /// The first of these that its JSON type fits.
    Either(&'static [Form]),
    /// This, or null.
    OrNull(&'static Form),
}

/// Which hosts have a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hosts {
    Every,
    /// The Messages API itself: what needs its files or its connector to MCP servers.
    Anthropic,
}

impl Hosts {
    pub(super) fn have(self, host: Host) -> bool {
        self == Self::Every || host == Host::Anthropic
    }
}

/// Which roles may hold a type of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// User, assistant and system.
    Anyone,
    /// User and assistant.
    Speakers,
    User,
    Assistant,
}

/// A type of block that turns may have.
#[derive(Debug)]
pub(super) struct BlockType {
    pub(super) shape: &'static Shape,
    pub(super) holder: Holder,
}

const fn shape(kind: &'static str, members: &'static [Member]) -> Shape {
    Shape { kind, hosts: Hosts::Every, members }
}

const fn shape_at_anthropic(kind: &'static str, members: &'static [Member]) -> Shape {
    Shape { kind, hosts: Hosts::Anthropic, members }
}

const fn must(name: &'static str, form: Form) -> Member {
    Member { name, is_required: true, form }
}

const fn may(name: &'static str, form: Form) -> Member {
    Member { name, is_required: false, form }
}
