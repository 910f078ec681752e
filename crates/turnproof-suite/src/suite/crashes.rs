//! *Crashes in a row* end a run: of a subject that never answers there is nothing to judge.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use crate::operation::Operation;
use crate::rules::Mistake;
use crate::subject::Crash;

/// So many crashes of one operation without an answer to it between them end a run.
const MOST: u32 = 10;

/// The crashes without an answer after them, by operation.
#[derive(Debug, Default)]
pub(super) struct Crashes(Mutex<BTreeMap<Operation, (u32, String)>>);

impl Crashes {
    /// Notes what came of an operation in a case: how the subject crashed, or that it did not. The tenth crash is kept.
    pub(super) fn note(&self, operation: Operation, crash: Option<&Crash>) {
        let mut crashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (count, _) = crashes.get(&operation).cloned().unwrap_or_default();
        match crash {
            _ if count >= MOST => {}
            Some(crash) => drop(crashes.insert(operation, (count + 1, crash.how.clone()))),
            None => drop(crashes.remove(&operation)),
        }
    }

    /// Why the run ends, if it does.
    pub(super) fn ended(&self) -> Option<String> {
        let crashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (operation, (_, how)) = crashes.iter().find(|(_, (count, _))| *count >= MOST)?;
        Some(format!("it crashed {MOST} times in a row at `{}`; the last time, {how}", operation.name()))
    }
}

/// The crashes that have been seen, by operation. A crash breaks all rules on its operation; it is reported once, of the
/// first of them.
#[derive(Debug, Default)]
pub(super) struct SeenCrashes(BTreeMap<Operation, BTreeSet<Mistake>>);

impl SeenCrashes {
    /// Notes a crash; gives whether it is new, among at most so many of an operation.
    pub(super) fn is_new(&mut self, operation: Operation, crash: &Mistake, most: usize) -> bool {
        let seen = self.0.entry(operation).or_default();
        seen.len() < most && seen.insert(crash.clone())
    }
}
