//! The *turn* that is being carried out: the last reply of the conversation, and its calls that have no result yet.

use std::collections::HashSet;

use twox_hash::XxHash3_64;

use turnproof_reference::message::Kind;
use turnproof_reference::transcript::{Flag, Record};

use crate::check::scan::named_blocks;

/// The last reply of whom the file is of: the main conversation, or else a subagent.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    is_side: bool,
    /// The reply's id, and the first byte of its first line.
    reply: Option<(Option<u64>, u64)>,
    /// Its calls without a result, by the hash of their id.
    open: HashSet<u64>,
}

impl Turn {
    /// The first byte of the reply whose calls are being carried out.
    pub(super) fn open_from(&self) -> Option<u64> {
        self.reply.filter(|_| !self.open.is_empty()).map(|(_, from)| from)
    }

    /// Notes the next record.
    pub(super) fn note(&mut self, record: &Record<'_>) {
        let is_message = matches!(record.head.kind, Some(Kind::User | Kind::Assistant));
        if is_message && self.is_spoken_in(record.head.has(Flag::Sidechain)) {
            match record.head.kind {
                Some(Kind::Assistant) => self.reply(record),
                _ => self.user(record),
            }
        }
    }

    /// Whether a record is of the conversation that is looked at. The main one comes before that of a subagent.
    fn is_spoken_in(&mut self, is_side: bool) -> bool {
        if self.reply.is_none() || self.is_side && !is_side {
            *self = Self { is_side, ..Self::default() };
        }
        self.is_side == is_side
    }

    fn reply(&mut self, record: &Record<'_>) {
        let id = record.head.reply_id.map(|id| key(&record.text(id)));
        let is_same = id.is_some() && self.reply.is_some_and(|(last, _)| last == id);
        if !is_same {
            self.open.clear();
            self.reply = Some((id, record.start));
        }
        self.open.extend(named_blocks(record, "assistant", "tool_use", |block| block.id).iter().map(|(_, id)| key(id)));
    }

    /// Results answer calls; a prompt ends the turn, whatever is open.
    fn user(&mut self, record: &Record<'_>) {
        let results = named_blocks(record, "user", "tool_result", |block| block.tool_use_id);
        if results.is_empty() && !record.head.has(Flag::Meta) {
            self.open.clear();
        }
        for (_, call) in results {
            self.open.remove(&key(&call));
        }
    }
}

fn key(id: &str) -> u64 {
    XxHash3_64::oneshot(id.as_bytes())
}
