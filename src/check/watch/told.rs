//! What was *told*: the keys of all findings of a file, so that each is told once, and told when it has gone.
//!
//! A key does not know its line: when a file is written again, what is found again is not reported again.

use std::collections::{BTreeMap, HashMap};

use twox_hash::XxHash3_64;

use turnproof_rules::rules::{Rule, find};

/// By what a finding is known: its rule, and a hash of its line and its place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    rule: &'static str,
    place: u64,
}

impl Key {
    pub(super) fn new(rule: &'static Rule, place: &[u64]) -> Self {
        let bytes: Vec<u8> = place.iter().flat_map(|part| part.to_le_bytes()).collect();
        Self { rule: rule.id, place: XxHash3_64::oneshot(&bytes) }
    }
}

/// How many findings of a key there are.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Found before the watch began.
    known: u64,
    /// Told.
    told: u64,
}

type Counts = HashMap<Key, Count>;

/// The findings of a file.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Of lines by themselves.
    lines: Counts,
    /// Of the last line, which has no LF.
    rest: Counts,
    /// Of lines that were there before, and may come again until the next judgement.
    former: Counts,
    /// Of the whole, at the last judgement.
    whole: Counts,
    /// Of the whole, at the one before, as far as they have not been found again.
    whole_before: Counts,
}

impl Told {
    /// Notes a finding of a line by itself; gives whether it is to be told.
    pub(super) fn line(&mut self, key: Key, is_known: bool, is_rest: bool) -> bool {
        let counts = if is_rest { &mut self.rest } else { &mut self.lines };
        note(counts, &mut self.former, key, is_known)
    }

    /// The last line goes on: what was found in it may be found again.
    pub(super) fn rest_goes_on(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        add(&mut self.former, rest);
    }

    /// The file restarts: all that was found in its lines may be found again.
    pub(super) fn restart(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        add(&mut self.former, lines);
    }

    /// Begins a judgement of the whole.
    pub(super) fn judge_whole(&mut self) {
        self.whole_before = std::mem::take(&mut self.whole);
    }

    /// Notes a finding of the whole; gives whether it is to be told.
    pub(super) fn whole(&mut self, key: Key, is_known: bool) -> bool {
        note(&mut self.whole, &mut self.whole_before, key, is_known)
    }

    /// Ends a judgement: what was told and has not been found again, by rule.
    pub(super) fn gone(&mut self) -> Vec<(&'static Rule, u64)> {
        let mut gone = BTreeMap::new();
        for (key, count) in self.former.drain().chain(self.whole_before.drain()).filter(|(_, count)| count.told > 0) {
            *gone.entry(key.rule).or_default() += count.told;
        }
        gone.into_iter().filter_map(|(rule, count)| Some((find(rule)?, count))).collect()
    }

    /// How many findings were there before, by rule.
    pub(super) fn known(&self) -> BTreeMap<&'static str, u64> {
        self.sums(|count| count.known)
    }

    /// How many findings were told and stand, by rule.
    pub(super) fn standing(&self) -> BTreeMap<&'static str, u64> {
        self.sums(|count| count.told)
    }

    fn sums(&self, of: impl Fn(&Count) -> u64) -> BTreeMap<&'static str, u64> {
        let mut sums = BTreeMap::new();
        let counts = [&self.lines, &self.rest, &self.whole].into_iter().flatten();
        for (key, count) in counts.filter(|(_, count)| of(count) > 0) {
            *sums.entry(key.rule).or_default() += of(count);
        }
        sums
    }
}

/// Notes a finding, which may be one of those that were found before; gives whether it is to be told.
fn note(counts: &mut Counts, before: &mut Counts, key: Key, is_known: bool) -> bool {
    let count = counts.entry(key).or_default();
    match before.get_mut(&key) {
        Some(Count { told: told @ 1.., .. }) => {
            *told -= 1;
            count.told += 1;
            false
        }
        Some(Count { known: known @ 1.., .. }) => {
            *known -= 1;
            count.known += 1;
            false
        }
        _ if is_known => {
            count.known += 1;
            false
        }
        _ => {
            count.told += 1;
            true
        }
    }
}

fn add(to: &mut Counts, from: Counts) {
    from.into_iter().for_each(|(key, Count { known, told })| {
        let count = to.entry(key).or_default();
        count.known += known;
        count.told += told;
    });
}
