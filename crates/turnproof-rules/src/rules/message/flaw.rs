//! A *flaw* is something odd in one record: found when the record is read, kept as a bit.

use super::form::{is_date_time, is_uuid};
use crate::json::{self, Tree};
use crate::rules::facts::{Content, MessageFacts, RecordFacts};
use crate::rules::value::is_blank;
use crate::vocabulary::{Kind, SYNTHETIC_MODEL};

/// The flaws of one record, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flaws(u16);

impl Flaws {
    pub(crate) const NONE: Self = Self(0);
    pub(super) const NO_CONTENT: Self = Self(1);
    pub(super) const EMPTY_TEXT: Self = Self(1 << 1);
    pub(super) const EMPTY_LIST: Self = Self(1 << 2);
    pub(super) const NO_UUID: Self = Self(1 << 3);
    pub(super) const ODD_UUID: Self = Self(1 << 4);
    pub(super) const NO_TIME: Self = Self(1 << 5);
    pub(super) const ODD_TIME: Self = Self(1 << 6);
    pub(super) const WRONG_ROLE: Self = Self(1 << 7);
    pub(super) const TEXT_OF_ASSISTANT: Self = Self(1 << 8);
    pub(super) const VIRTUAL: Self = Self(1 << 9);
    pub(super) const NO_USAGE: Self = Self(1 << 10);
    pub(super) const ODD_USAGE: Self = Self(1 << 11);

    /// Whether it has this flaw.
    pub(super) fn has(self, flaw: Self) -> bool {
        self.0 & flaw.0 != 0
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// This flaw if `is_there`.
    fn when(self, is_there: bool) -> Self {
        if is_there { self } else { Self::NONE }
    }
}

/// A part of a record's content: the content itself when it is a string, or one of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part(u32);

impl Part {
    const WHOLE: Self = Self(u32::MAX);

    /// The block's index; `None` for content that is a string.
    pub(super) fn block(self) -> Option<u32> {
        (self != Self::WHOLE).then_some(self.0)
    }

    /// The blank parts of a record's content.
    pub(crate) fn blank(kind: Option<Kind>, message: &MessageFacts<'_>) -> impl Iterator<Item = Self> {
        let is_spoken = matches!(kind, Some(Kind::User | Kind::Assistant));
        let is_blank_text = matches!(message.content, Content::Text(text) if !text.is_empty() && is_blank(text));
        let blocks = message.texts.iter().filter(|(_, text)| is_blank(text)).map(|&(block, _)| Self(block));
        let whole = is_blank_text.then_some(Self::WHOLE);
        whole.into_iter().chain(blocks).filter(move |_| is_spoken)
    }
}

/// What is odd in a record. Only messages of the chain are judged, and `isVirtual` wherever it is.
pub(crate) fn flaws(kind: Option<Kind>, record: &RecordFacts<'_>) -> Flaws {
    let message = &record.message;
    let Some(kind) = kind else { return Flaws::NONE };
    let mut found = Flaws::VIRTUAL.when(message.is_virtual);
    if kind.is_persisted() {
        found.add(match record.uuid {
            None => Flaws::NO_UUID,
            Some(uuid) => Flaws::ODD_UUID.when(!is_uuid(uuid)),
        });
        found.add(match message.time {
            None => Flaws::NO_TIME,
            Some(time) => Flaws::ODD_TIME.when(!is_date_time(time)),
        });
    }
    if let Kind::User | Kind::Assistant = kind {
        found.add(content(kind, message.content));
        found.add(Flaws::WRONG_ROLE.when(message.role.is_some_and(|role| role != record.kind)));
    }
    if kind == Kind::Assistant && message.model == Some(SYNTHETIC_MODEL) {
        found.add(usage(message.usage));
    }
    found
}

fn content(kind: Kind, content: Content<'_>) -> Flaws {
    match content {
        Content::Missing => Flaws::NO_CONTENT,
        Content::Text("") => Flaws::EMPTY_TEXT,
        Content::Text(_) => Flaws::TEXT_OF_ASSISTANT.when(kind == Kind::Assistant),
        Content::List { is_empty } => Flaws::EMPTY_LIST.when(is_empty),
    }
}

/// The flaw in the usage of a message that no model made: it counts tokens, or it does not say that it has none.
fn usage(json: Option<&[u8]>) -> Flaws {
    let Some(Ok(usage)) = json.map(json::read_all) else { return Flaws::NO_USAGE };
    let says_none = |name| usage.member(name).is_some_and(is_zero);
    let is_whole = says_none("input_tokens") && says_none("output_tokens");
    Flaws::ODD_USAGE.when(!is_whole || counts(&usage))
}

/// Whether a value holds a number other than zero anywhere.
fn counts(value: &Tree<'_>) -> bool {
    match value {
        Tree::Number(_) => !is_zero(value),
        Tree::Array(elements) => elements.iter().any(counts),
        Tree::Object(members) => members.iter().any(|(_, member)| counts(member)),
        _ => false,
    }
}

fn is_zero(value: &Tree<'_>) -> bool {
    matches!(value, Tree::Number(digits) if !digits.iter().take_while(|byte| !byte.eq_ignore_ascii_case(&b'e'))
        .any(|byte| (b'1'..=b'9').contains(byte)))
}
