//! A *key set* finds the keys that one object repeats, for all objects open at once.
//!
//! Keys are remembered as a hash and a place in the scanned bytes, 12 bytes each. The keys of an object of up to
//! [`FEW`] compare on arrival, behind a one-word filter. Those of a larger one are sorted once, when it closes, so the
//! cost stays within `n log n`. Beyond [`MOST`] keys no more are remembered, so that memory stays bounded.

use std::collections::HashSet;

use super::text::unescape;
use super::token::Span;

/// Up to this many keys, a new key is compared with each earlier one of its object.
const FEW: usize = 64;

/// So many keys are remembered at once: those of one object, and of the objects around it.
const MOST: usize = 1 << 20;

/// One key of an open object.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    span: Span,
}

/// An open object: where its keys begin, and a filter of their hashes.
struct Frame {
    base: usize,
    filter: u64,
}

/// The keys of every open object of one document.
#[derive(Default)]
pub(super) struct KeySet {
    entries: Vec<Entry>,
    frames: Vec<Frame>,
}

impl KeySet {
    /// Forgets everything, for the next document.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.frames.clear();
    }

    /// An object opens.
    pub(super) fn open(&mut self) {
        self.frames.push(Frame { base: self.entries.len(), filter: 0 });
    }

    /// The innermost object has the key at `span`; true when it is known at once to be a repetition.
    #[inline]
    pub(super) fn insert(&mut self, bytes: &[u8], span: Span, hash: u32) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let bit = 1u64 << (hash >> 26);
        let mut repeated = false;
        if frame.filter & bit != 0 {
            let keys = &self.entries[frame.base..];
            repeated =
                keys.len() <= FEW && keys.iter().any(|entry| entry.hash == hash && same_key(bytes, entry.span, span));
        }
        frame.filter |= bit;
        if self.entries.len() < MOST {
            self.entries.push(Entry { hash, span });
        }
        repeated
    }

    /// The innermost object closes; `report` gets the repetitions that only show now.
    pub(super) fn close(&mut self, bytes: &[u8], mut report: impl FnMut(Span)) {
        let Some(frame) = self.frames.pop() else { return };
        let keys = &mut self.entries[frame.base..];
        if keys.len() > FEW + 1 {
            keys.sort_unstable_by_key(|entry| (entry.hash, entry.span.start));
            report_late(bytes, keys, &mut report);
        }
        self.entries.truncate(frame.base);
    }
}

/// Reports each key of a large object, from its sorted keys, that repeats an earlier one. One among the first [`FEW`]
/// has been reported on arrival.
fn report_late(bytes: &[u8], keys: &[Entry], report: &mut impl FnMut(Span)) {
    let mut starts: Vec<u32> = keys.iter().map(|entry| entry.span.start).collect();
    let (_, &mut last_early, _) = starts.select_nth_unstable(FEW);
    let mut late: Vec<Span> = Vec::new();
    for run in keys.chunk_by(|a, b| a.hash == b.hash) {
        // A run is one name, or names that share a hash; the first of each name is kept.
        if run.len() == 1 {
            continue;
        }
        let mut names = HashSet::new();
        for entry in run {
            if !names.insert(unescape(entry.span.of(bytes))) && entry.span.start > last_early {
                late.push(entry.span);
            }
        }
    }
    late.sort_unstable_by_key(|span| span.start);
    late.into_iter().for_each(report);
}

/// Whether two keys are the same name once their escapes are read.
fn same_key(bytes: &[u8], a: Span, b: Span) -> bool {
    let (a, b) = (a.of(bytes), b.of(bytes));
    a == b || ((a.contains(&b'\\') || b.contains(&b'\\')) && unescape(a) == unescape(b))
}
