//! The *messages* of a case as the operations on lists of messages ask about them.

use super::plain::Plain;

/// How many beginnings of a list are asked about in a sample; each two that follow one another make a step.
pub(super) const BEGINNINGS: usize = 5;

/// JSON that a subject gave, or why there is none.
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

/// JSON text that a subject gave, read.
pub(super) fn given(answer: Result<String, String>) -> Given {
    answer.and_then(|json| Plain::read(&json).map_err(|error| format!("the output is not JSON: {error}")))
}
