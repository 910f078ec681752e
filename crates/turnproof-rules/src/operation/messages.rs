//! The *messages* of a case as the operations on lists of messages ask about them.

use std::cell::RefCell;

use super::list::List;
use super::plain::Plain;

/// How many beginnings of a list are asked about in a sample; each two that follow one another make a step.
pub(super) const BEGINNINGS: usize = 5;

/// JSON that a subject gave, or why there is none. Where a subject gives the same text twice, both share what was read.
pub type Given = Result<Plain, String>;

/// What subjects gave for one case, each text read once.
#[derive(Default)]
pub(super) struct Readings(RefCell<Vec<List>>);

impl Readings {
    /// Nothing but the list of messages that the subject is asked about.
    pub(super) fn of(list: &List) -> Self {
        Self(RefCell::new(vec![list.clone()]))
    }

    /// JSON text that a subject gave, read.
    pub(super) fn given(&self, answer: Result<String, String>) -> Given {
        self.read(answer?).map_err(|error| format!("the output is not JSON: {error}"))
    }

    /// JSON text, read; what was read before is shared.
    pub(super) fn read(&self, text: String) -> Result<Plain, String> {
        if let Some(known) = self.0.borrow().iter().find(|known| known.text() == text) {
            return known.plain();
        }
        let list = List::from(text);
        let plain = list.plain();
        self.0.borrow_mut().push(list);
        plain
    }
}
