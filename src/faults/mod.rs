//! A *fault* is one realistic mistake, built into a subject that is otherwise the reference. The
//! suite must convict each, by the right rule: this is how the suite is tested.

mod ids;
mod parse;

use crate::operation::Parsed;
use crate::subject::{Outcome, Reference, Subject};

/// A subject that is wrong on purpose.
#[derive(Clone, Copy)]
pub struct Fault {
    /// `operation/mistake`.
    pub id: &'static str,
    /// What it does wrong, one sentence without a full stop.
    pub title: &'static str,
    /// The public report of the mistake, where there is one.
    pub source: Option<&'static str>,
    /// The rule that must convict it.
    pub rule: &'static str,
    wrong: Wrong,
}

/// The one operation that is done wrong.
#[derive(Clone, Copy)]
enum Wrong {
    Parse(fn(&[u8], Parsed) -> Parsed),
    DeriveUuid(fn(&str, u64) -> Result<String, String>),
    ShortId(fn(&str) -> Result<String, String>),
}

/// Every fault, operation by operation.
pub fn all() -> impl Iterator<Item = &'static Fault> {
    parse::FAULTS.iter().chain(ids::FAULTS)
}

impl Subject for Fault {
    fn name(&self) -> &str {
        self.id
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        match (Reference.parse(bytes), self.wrong) {
            (Outcome::Output(parsed), Wrong::Parse(wrong)) => Outcome::Output(wrong(bytes, parsed)),
            (outcome, _) => outcome,
        }
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        match self.wrong {
            Wrong::DeriveUuid(wrong) => answered(wrong(parent, index)),
            _ => Reference.derive_uuid(parent, index),
        }
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        match self.wrong {
            Wrong::ShortId(wrong) => answered(wrong(uuid)),
            _ => Reference.short_id(uuid),
        }
    }
}

fn answered(answer: Result<String, String>) -> Outcome<String> {
    match answer {
        Ok(id) => Outcome::Output(id),
        Err(why) => Outcome::Rejected(why),
    }
}
