//! *Crashes in a row* end a run: of a subject that never answers there is nothing to judge.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::operation::Operation;
use crate::subject::Crash;

/// So many crashes of one operation without an answer to it between them end a run.
const MOST: u32 = 10;

/// Why a run ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The operation that was never answered.
    pub operation: Operation,
    /// How the subject crashed the last time.
    pub last: String,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, last } = self;
        write!(f, "it crashed {MOST} times in a row at `{}`; the last time, {last}", operation.name())
    }
}

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
    pub(super) fn ended(&self) -> Option<Ended> {
        let crashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (operation, (_, how)) = crashes.iter().find(|(_, (count, _))| *count >= MOST)?;
        Some(Ended { operation: *operation, last: how.clone() })
    }
}
