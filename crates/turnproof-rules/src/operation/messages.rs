//! The *messages* of a case as the operations on lists of messages ask about them.

use std::cell::RefCell;

use super::plain::Plain;

/// How many beginnings of a list are asked about in a sample; each two that follow one another make a step.
pub(super) const BEGINNINGS: usize = 5;

/// JSON that a subject gave, or why there is none. Where a subject gives the same text twice, both share what was read.
pub type Given = Result<Plain, String>;

/// The messages of a case, each as JSON text.
pub(super) struct Messages<'a>(pub(super) &'a [String]);

impl Messages<'_> {
    /// The first `count` messages as a JSON array.
    pub(super) fn first(&self, count: usize) -> String {
        format!("[{}]", self.0[..count].join(","))
    }

    pub(super) fn all(&self) -> String {
        self.first(self.0.len())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// What subjects gave for one case, each text read once.
#[derive(Default)]
pub(super) struct Readings(RefCell<Vec<(String, Plain)>>);

impl Readings {
    /// Nothing but the list of messages that the subject is asked about.
    pub(super) fn of(messages: &str, list: &Plain) -> Self {
        Self(RefCell::new(vec![(messages.to_owned(), list.clone())]))
    }

    /// JSON text that a subject gave, read.
    pub(super) fn given(&self, answer: Result<String, String>) -> Given {
        self.read(&answer?).map_err(|error| format!("the output is not JSON: {error}"))
    }

    /// JSON text, read; what was read before is shared.
    pub(super) fn read(&self, json: &str) -> serde_json::Result<Plain> {
        if let Some((_, plain)) = self.0.borrow().iter().find(|(text, _)| *text == json) {
            return Ok(plain.clone());
        }
        let plain = Plain::read(json)?;
        self.0.borrow_mut().push((json.to_owned(), plain.clone()));
        Ok(plain)
    }
}
