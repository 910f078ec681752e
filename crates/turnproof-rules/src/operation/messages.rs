//! The *messages* of a case as the operations on lists of messages ask about them.

use std::cell::RefCell;

use super::list::List;
use super::plain::Plain;

/// How many beginnings of a list are asked about in a sample; each two that follow one another make a step.
pub(super) const BEGINNINGS: usize = 5;

/// JSON that a subject gave, or why there is none. Where a subject gives the same text twice, both share what was read.
pub type Given = Result<Plain, String>;

/// What subjects gave for one case, each list read once.
#[derive(Default)]
pub(super) struct Readings(RefCell<Vec<List>>);

impl Readings {
    /// Nothing but the list of messages that the subject is asked about.
    pub(super) fn of(list: &List) -> Self {
        Self(RefCell::new(vec![list.clone()]))
    }

    /// A list that a subject gave, read.
    pub(super) fn given(&self, answer: Result<List, String>) -> Given {
        self.read(&answer?).map_err(|error| format!("the output is not JSON: {error}"))
    }

    /// A list, read; what was read before is shared.
    pub(super) fn read(&self, list: &List) -> Result<Plain, String> {
        if let Some(known) = self.0.borrow().iter().find(|known| known.is_same(list)) {
            return known.plain();
        }
        self.0.borrow_mut().push(list.clone());
        list.plain()
    }
}
