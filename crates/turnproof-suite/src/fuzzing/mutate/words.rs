//! *Words* are the kinds, types, keys and constants in the inputs of fuzz targets. Mutations draw from them, and the
//! dictionaries under `fuzz/dictionaries/` hold them.

use std::sync::LazyLock;

use turnproof_format::shapes;

use crate::message::{
    AssistantBody, Block, Envelope, Kind, Member, SIDE_KINDS, Shape as Holds, UserBody, members_of_kind,
};

use super::Shape;

pub use turnproof_format::texts::TEXTS as CONSTANTS;
pub use turnproof_format::words::{
    ID_LIST_NAMES as ID_LISTS, ID_NAMES as ID_KEYS, REQUEST_NAMES as REQUEST_KEYS, STREAM_NAMES as STREAM_KEYS,
};
pub use turnproof_format::{DELTA_TYPES, EVENT_TYPES, ROLES, STOP_REASONS, SUBTYPES};

/// The `type`s of lines: every kind of message, and the side records.
pub static KINDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| Kind::ALL.iter().map(|kind| kind.name()).chain(SIDE_KINDS.iter().copied()).collect());

/// The `type`s of blocks and of parts of results.
pub static BLOCK_TYPES: LazyLock<Vec<&str>> = LazyLock::new(|| shapes::types().collect());

/// The members of records, messages and blocks that the library knows.
static TRANSCRIPT_KEYS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut keys = vec!["type"];
    let bodies = [Envelope::MEMBERS, UserBody::MEMBERS, AssistantBody::MEMBERS];
    let members = bodies.into_iter().chain(Kind::ALL.map(members_of_kind));
    members.chain(BLOCK_TYPES.iter().map(|name| Block::members_of(name))).for_each(|list| add(&mut keys, list));
    keys.extend(ID_KEYS.iter().chain(ID_LISTS));
    keys.sort_unstable();
    keys.dedup();
    keys
});

/// Adds the names of members, and of the members of what they hold.
fn add(keys: &mut Vec<&'static str>, members: &'static [Member]) {
    for member in members {
        keys.push(member.name);
        if let Holds::Object(inside) = member.shape {
            add(keys, inside);
        }
    }
}

/// The keys that inputs of this shape have.
pub fn keys(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Transcript => &TRANSCRIPT_KEYS,
        Shape::Stream => STREAM_KEYS,
        Shape::Request => REQUEST_KEYS,
    }
}
