//! A *tally* is what a check counted.

use std::collections::BTreeMap;

/// What a check counted. The bytes of records, blanks and rejected ranges add up to all bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files read.
    pub files: u64,
    /// Lines, blank ones included.
    pub lines: u64,
    /// Records.
    pub records: u64,
    /// All bytes read.
    pub bytes: u64,
    /// Bytes of records.
    pub record_bytes: u64,
    /// Bytes of white space between records, line ends included.
    pub blank_bytes: u64,
    /// Rejected ranges.
    pub rejected: u64,
    /// Bytes of rejected ranges.
    pub rejected_bytes: u64,
    /// Inputs that could not be read, or not to their end.
    pub unreadable: u64,
    /// Violations, by the rule's id.
    pub violations: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Violations of all rules.
    pub fn violation_count(&self) -> u64 {
        self.violations.values().sum()
    }

    /// Adds the counts of another part.
    pub fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.lines += other.lines;
        self.records += other.records;
        self.bytes += other.bytes;
        self.record_bytes += other.record_bytes;
        self.blank_bytes += other.blank_bytes;
        self.rejected += other.rejected;
        self.rejected_bytes += other.rejected_bytes;
        self.unreadable += other.unreadable;
        for (rule, count) in &other.violations {
            *self.violations.entry(rule).or_default() += count;
        }
    }
}
