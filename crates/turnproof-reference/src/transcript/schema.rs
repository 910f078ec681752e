//! The *schema* is what the scanner knows of the members of records: their names, and which JSON types they may have.
//! All of it is taken from the documents of [`message`](crate::message).

use std::sync::LazyLock;

use crate::json::{Cursor, Fault, JsonType, Key, Span, hash_name};
use crate::message::{AssistantBody, Block, Envelope, Kind, Member, SERVER_RESULTS, Shape, UserBody, members_of_kind};

/// Declares the indexes of members, in their order.
macro_rules! indexes {
    ($($name:ident = $key:literal,)*) => {
        /// The names, in the order of their indexes.
        pub(in super::super) const NAMES: &[&str] = &[$($key),*];
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "only a counter")]
        enum Index { $($name),* }
        $( pub(in super::super) const $name: usize = Index::$name as usize; )*
    };
}

/// The members of records that the scanner uses itself, by their index in [`TOP`].
pub(super) mod top {
    indexes! {
        TYPE = "type",
        SUBTYPE = "subtype",
        UUID = "uuid",
        PARENT = "parentUuid",
        LOGICAL_PARENT = "logicalParentUuid",
        SESSION = "sessionId",
        AGENT = "agentId",
        SIDECHAIN = "isSidechain",
        META = "isMeta",
        VIRTUAL = "isVirtual",
        TRANSCRIPT_ONLY = "isVisibleInTranscriptOnly",
        COMPACT_SUMMARY = "isCompactSummary",
        API_ERROR = "isApiErrorMessage",
        MESSAGE = "message",
        TOOL_USE_RESULT = "toolUseResult",
        SOURCE_ASSISTANT = "sourceToolAssistantUUID",
        COMPACT_METADATA = "compactMetadata",
        LEAF = "leafUuid",
        MESSAGE_ID = "messageId",
        SUPERSEDES = "supersedesUuids",
        RETRACTS = "retractedMessageUuids",
        TIMESTAMP = "timestamp",
        CREATED_AT = "createdAt",
        REQUEST = "requestId",
        DENIAL = "toolDenialKind",
    }
}

/// The members of `message` that the scanner uses itself, by their index in [`BODY`].
pub(super) mod body {
    indexes! {
        ID = "id",
        CONTENT = "content",
        ROLE = "role",
        MODEL = "model",
        USAGE = "usage",
    }
}

/// The members of content blocks that the scanner uses itself, by their index in [`BLOCK`].
pub(super) mod block {
    indexes! {
        TYPE = "type",
        ID = "id",
        TOOL_USE_ID = "tool_use_id",
        CONTENT = "content",
        TEXT = "text",
        NAME = "name",
        INPUT = "input",
        CALLER = "caller",
        IS_ERROR = "is_error",
        THINKING = "thinking",
        SIGNATURE = "signature",
    }
}

/// Room for the members of any table.
pub(super) const SLOTS: usize = 96;

/// Finds a member's index by its name.
pub(super) struct Names {
    names: Vec<&'static str>,
    /// Open addressing; `u8::MAX` is free.
    table: [u8; 256],
}

impl Names {
    fn new<'m>(first: &[&'static str], members: impl Iterator<Item = &'m Member>) -> Self {
        let mut names = first.to_vec();
        for member in members {
            if !names.contains(&member.name) {
                names.push(member.name);
            }
        }
        let mut table = [u8::MAX; 256];
        for (index, name) in names.iter().enumerate().take(SLOTS) {
            let mut slot = hash_name(name.as_bytes()) as usize & 0xFF;
            while table[slot] != u8::MAX {
                slot = (slot + 1) & 0xFF;
            }
            table[slot] = index as u8;
        }
        Self { names, table }
    }

    /// The index of the member that `key` names.
    #[inline]
    pub(super) fn find(&self, bytes: &[u8], key: Key) -> Option<usize> {
        let mut slot = key.hash as usize & 0xFF;
        loop {
            let index = self.table[slot];
            if index == u8::MAX {
                return None;
            }
            if key.is(bytes, self.names[index as usize]) {
                return Some(index as usize);
            }
            slot = (slot + 1) & 0xFF;
        }
    }

    fn index(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|&known| known == name)
    }
}

/// The shape of each member of a table, for one kind of object.
pub(super) type Shapes = [Option<Shape>; SLOTS];

/// A table of names, and the shapes that each tag gives to them.
pub(super) struct Table {
    pub(super) names: Names,
    /// By tag.
    pub(super) shapes: Vec<Shapes>,
    /// For each member the shape that, under some tag, says most about its inside: what to look for while the tag is
    /// unknown.
    pub(super) hints: [Shape; SLOTS],
}

impl Table {
    fn new(first: &[&'static str], variants: &[Vec<Member>]) -> Self {
        let names = Names::new(first, variants.iter().flatten());
        let shapes = variants.iter().map(|members| {
            let mut shapes = [None; SLOTS];
            for member in members {
                if let Some(index) = names.index(member.name) {
                    shapes[index] = Some(member.shape);
                }
            }
            shapes
        });
        let shapes: Vec<Shapes> = shapes.collect();
        let mut hints = [Shape::Any; SLOTS];
        for (index, shape) in shapes.iter().flat_map(|shapes| shapes.iter().enumerate()) {
            hints[index] = shape.filter(|&shape| has_inside(shape)).unwrap_or(hints[index]);
        }
        Self { names, shapes, hints }
    }
}

/// Whether values of this shape have parts that are looked at.
pub(super) fn has_inside(shape: Shape) -> bool {
    match shape {
        Shape::Object(members) => !members.is_empty(),
        Shape::List(element) => !matches!(element, Shape::Any),
        _ => false,
    }
}

/// The members of records; the tag is the [`Kind`], in the order of [`Kind::ALL`].
pub(super) static TOP: LazyLock<Table> = LazyLock::new(|| {
    Table::new(top::NAMES, &Kind::ALL.map(|kind| [Envelope::MEMBERS, members_of_kind(kind)].concat()))
});

/// The members of `message`; the tag is 0 for a user's, 1 for an assistant's.
pub(super) static BODY: LazyLock<Table> =
    LazyLock::new(|| Table::new(body::NAMES, &[UserBody::MEMBERS, AssistantBody::MEMBERS].map(<[Member]>::to_vec)));

/// The types of block whose members are known, in the order of their tags.
fn block_types() -> impl Iterator<Item = &'static str> {
    Block::TYPES.iter().chain(&SERVER_RESULTS).copied()
}

/// The members of content blocks; see [`block_tag`].
pub(super) static BLOCK: LazyLock<Table> = LazyLock::new(|| {
    let variants: Vec<_> = block_types().map(|name| Block::members_of(name).to_vec()).collect();
    Table::new(block::NAMES, &variants)
});

/// The tag of a type of block; `None` for an unknown type.
pub(super) fn block_tag(name: &[u8]) -> Option<usize> {
    block_types().position(|known| known.as_bytes() == name)
}

/// A value whose type is not that of its member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misfit {
    pub(super) span: Span,
    pub(super) expected: &'static str,
    pub(super) found: JsonType,
}

impl Misfit {
    /// The one of two that comes first in the bytes.
    pub(super) fn earlier(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        a.into_iter().chain(b).min_by_key(|misfit| misfit.span.start)
    }
}

/// Steps over a value, and notes the first part of it that does not have the shape it should.
pub(super) fn fit(
    cursor: &mut Cursor<'_, '_>,
    shape: Shape,
    null_allowed: bool,
    misfit: &mut Option<Misfit>,
) -> Result<(JsonType, Span), Fault> {
    let found = cursor.peek_type();
    let (found, span) = match (shape, found) {
        (Shape::Object(members), Some(JsonType::Object)) if !members.is_empty() => {
            let mut inside: Vec<(usize, Misfit)> = Vec::new();
            let span = cursor.object(|cursor, key| {
                let Some(index) = members.iter().position(|member| key.is(cursor.bytes(), member.name)) else {
                    return cursor.value().map(drop);
                };
                // Of a repeated key the last value counts.
                inside.retain(|&(other, _)| other != index);
                let mut own = None;
                fit(cursor, members[index].shape, true, &mut own)?;
                inside.extend(own.map(|own| (index, own)));
                Ok(())
            })?;
            *misfit = misfit.or(inside.into_iter().map(|(_, own)| own).min_by_key(|own| own.span.start));
            (JsonType::Object, span)
        }
        (Shape::List(element), Some(JsonType::Array)) if !matches!(element, Shape::Any) => {
            (JsonType::Array, cursor.array(|cursor, _| fit(cursor, *element, false, misfit).map(drop))?)
        }
        _ => cursor.value()?,
    };
    if misfit.is_none() && (!shape.accepts(found) || (found == JsonType::Null && !null_allowed)) {
        *misfit = Some(Misfit { span, expected: shape.expected(), found });
    }
    Ok((found, span))
}
