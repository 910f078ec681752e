//! The *kinds* of each rule's violations, from the list in `kinds.txt`. A debug build holds each report to it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{Rule, Violation};
use crate::subject::CrashKind;

/// A rule a line: its id, then its kinds.
const LIST: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kinds.txt"));

static KINDS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.collect()))
    };
    LIST.lines().filter_map(line).collect()
});

impl Rule {
    /// The kinds of its violations, in alphabetical order. Those that say that there is no answer are left out: each
    /// rule on a subject has them.
    pub fn kinds(&self) -> &'static [&'static str] {
        KINDS.get(self.id).map_or(&[], Vec::as_slice)
    }

    /// Whether its violations may be of this kind.
    pub fn has_kind(&self, kind: &str) -> bool {
        is_kind(self.id, kind)
    }
}

/// Whether a violation of a rule may be of this kind.
pub(super) fn is_kind(rule: &str, kind: &str) -> bool {
    let of_rule = || KINDS.get(rule).is_none_or(|kinds| kinds.contains(&kind));
    [Violation::REFUSED, Violation::PANICKED].contains(&kind)
        || CrashKind::ALL.iter().any(|crash| crash.name() == kind)
        || of_rule()
}
