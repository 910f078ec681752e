//! *Words* are the kinds, types, keys and constants in the inputs of fuzz targets. Mutations draw from them, and the
//! dictionaries under `fuzz/dictionaries/` hold them.

use std::sync::LazyLock;

use turnproof_format::shapes::{self, Holder};

use crate::message::{
    AssistantBody, Block, Envelope, Kind, Member, SIDE_KINDS, Shape as Holds, UserBody, members_of_kind,
};

use super::Shape;

pub use crate::message::SUBTYPES;

pub use turnproof_format::texts::TEXTS as CONSTANTS;
pub use turnproof_format::{DELTA_TYPES, EVENT_TYPES, ROLES, STOP_REASONS};

/// The `type`s of lines: every kind of message, and the side records.
pub static KINDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| Kind::ALL.iter().map(|kind| kind.name()).chain(SIDE_KINDS.iter().copied()).collect());

/// The `type`s of blocks and of parts of results.
pub static BLOCK_TYPES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let parts = shapes::parts().iter().filter(|part| part.holder == Holder::Nobody);
    shapes::blocks().iter().chain(parts).map(|shape| shape.name).collect()
});

/// The members whose text is an id.
pub static ID_KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = "
        uuid parentUuid logicalParentUuid leafUuid messageId sessionId agentId requestId toolUseID
        parentToolUseID sourceToolUseID sourceToolAssistantUUID headUuid anchorUuid tailUuid id tool_use_id
    ";
    names.split_whitespace().collect()
});

/// The members whose elements are ids.
pub static ID_LISTS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = "
        uuids allUuids supersedesUuids retractedMessageUuids precedingToolUseIds toolUseIds compactedToolIds
        clearedAttachmentUUIDs
    ";
    names.split_whitespace().collect()
});

/// The members of a stream's events.
pub static STREAM_KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = "
        type index message content_block delta usage error text partial_json citation citations thinking
        signature data content encrypted_content stop_reason stop_sequence input_tokens output_tokens id
        tool_use_id role model name input container context_management input_transformations
    ";
    names.split_whitespace().collect()
});

/// The members of a request's body, its turns and blocks; the last two are a client's own, sent by mistake.
pub static REQUEST_KEYS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = "
        messages role content system tools tool_choice model max_tokens stream metadata stop_sequences
        temperature thinking budget_tokens type text citations id name input tool_use_id is_error signature
        data source media_type url file_id title context caller server_name tool_name cache_control ttl
        description input_schema uuid timestamp
    ";
    names.split_whitespace().collect()
});

/// The members of records, messages and blocks that the library knows.
static TRANSCRIPT_KEYS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut keys = vec!["type"];
    let bodies = [Envelope::MEMBERS, UserBody::MEMBERS, AssistantBody::MEMBERS];
    let members = bodies.into_iter().chain(Kind::ALL.map(members_of_kind));
    members.chain(BLOCK_TYPES.iter().map(|name| Block::members_of(name))).for_each(|list| add(&mut keys, list));
    keys.extend(ID_KEYS.iter().chain(&*ID_LISTS));
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
        Shape::Stream => &STREAM_KEYS,
        Shape::Request => &REQUEST_KEYS,
    }
}
