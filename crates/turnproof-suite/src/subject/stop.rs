//! A *stop* ends what is running: a run, and the programs that it asks. Whoever holds a copy may set it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// What is set when all is to end soon.
///
/// ```
/// let stop = turnproof_suite::subject::Stop::default();
/// let same = stop.clone();
/// same.set();
/// assert!(stop.is_set());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_set: AtomicBool,
    /// The process groups of the programs that run.
    groups: Mutex<BTreeSet<u32>>,
}

impl Stop {
    /// Lets all end soon: who is asked something is not waited for.
    pub fn set(&self) {
        self.0.is_set.store(true, Ordering::SeqCst);
    }

    /// Whether all is to end.
    pub fn is_set(&self) -> bool {
        self.0.is_set.load(Ordering::SeqCst)
    }

    /// Notes that a process group runs, or that it has ended.
    pub(super) fn note(&self, group: u32, runs: bool) {
        let mut groups = self.0.groups.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let _ = if runs { groups.insert(group) } else { groups.remove(&group) };
    }

    /// The process groups that run.
    pub(super) fn groups(&self) -> Vec<u32> {
        self.0.groups.lock().unwrap_or_else(std::sync::PoisonError::into_inner).iter().copied().collect()
    }
}

impl PartialEq for Stop {
    /// Whether they are copies of one.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stop {}
