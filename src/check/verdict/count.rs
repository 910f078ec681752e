//! How often rules on transcripts are broken, as a verdict counts it.

use turnproof_rules::rules::{Rule, Violation};

/// How often a rule on transcripts is broken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::check) struct Count {
    pub(in crate::check) all: u64,
    /// Where the client of today does not fix it.
    pub(in crate::check) left: u64,
}

impl Count {
    pub(in crate::check) fn add(&mut self, rule: &Rule, violation: &Violation) {
        self.all += 1;
        self.left += u64::from(!rule.is_fixed_by_client(violation));
    }
}
