//! Labels of the *kind* of a line or an event: kinds, subtypes of system messages, side records, flags.

use std::collections::BTreeMap;

use crate::message::Kind;
use crate::scenario::pool::{Flag, SideKind, Subtype};
use crate::scenario::{Choice, LineKind};

use super::{ANY, Labels, OFTEN, SELDOM, SHUFFLED, at, labels, put};

// The first group is in the order of `Kind::ALL`.
labels! { KINDS {
    ANY OFTEN
    "kind/user" "a user message",
    "kind/assistant" "an assistant message",
    "kind/system" "a system message",
    "kind/attachment" "an attachment",
    "kind/hook-result" "a hook's outcome",
    "kind/progress" "progress of a tool",
    "kind/tool-use-summary" "a summary of tool uses",
    "kind/tombstone" "a tombstone",
    "kind/grouped-tool-use" "a group of tool uses",
    "kind/stream-event" "an event of a stream",
    "kind/stream-request-start" "the start of a request",
    "kind/side-record" "a side record",
    SHUFFLED SELDOM
    "kind/of-tomorrow" "a type that nobody knows",
    "kind/none" "a line without a type",
} }

impl Labels {
    /// A kind of message or event.
    pub(super) fn kind(&mut self, kind: Kind) {
        self.put(const { at("kind/user") } + kind as usize);
    }

    /// A subtype of a system message, by its name on the wire.
    pub(super) fn subtype_named(&mut self, name: &str) {
        let found = Subtype::ALL.iter().find(|subtype| *subtype.what() == name && !name.is_empty());
        found.into_iter().for_each(|subtype| self.put(subtype.label()));
    }

    /// A side record.
    pub(super) fn side(&mut self, side: SideKind) {
        put!(self, "kind/side-record");
        self.put(side.label());
    }

    /// The kind of a line.
    pub(super) fn line_kind(&mut self, kind: LineKind) {
        match kind {
            LineKind::System { subtype, .. } => self.put(subtype.label()),
            LineKind::Side { side } => self.side(side),
            LineKind::Unknown => put!(self, "kind/of-tomorrow"),
            LineKind::Untyped => put!(self, "kind/none"),
            _ => {}
        }
        if let Some(known) = Kind::ALL.into_iter().find(|known| known.name() == kind.name()) {
            self.kind(known);
        }
    }

    /// The flags of a line.
    pub(super) fn flags(&mut self, flags: &BTreeMap<Flag, bool>) {
        for (flag, is_true) in flags {
            self.put(if *is_true { flag.label() } else { const { at("flag/said-to-be-false") } });
        }
    }
}
