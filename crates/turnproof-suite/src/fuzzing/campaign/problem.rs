//! A *problem* is one thing that a subject does wrong with a session: a crash, a hang, or a broken rule. Another kind
//! of crash, or the same rule broken in another way, is another problem.

use std::fmt;

use crate::operation::{Host, Operation};
use crate::rules::{CATALOGUE, Rule};
use crate::suite::Depth;

use super::Fuzzed;
use super::ask::{Asked, Sighting};

/// One thing that a subject does wrong with a session.
#[derive(Clone, Debug)]
pub struct Problem {
    operation: Operation,
    sighting: Sighting,
    /// The least that has to be asked to see it.
    depth: Depth,
}

impl Problem {
    /// All that a subject does wrong with a session, what is nearest to a mistake first. Where rules are named, only
    /// what breaks one of them. A crash hides all else.
    pub fn all(fuzzed: &dyn Fuzzed, operation: Operation, session: &[u8], rules: Option<&[&Rule]>) -> Vec<Self> {
        let asked = asked(fuzzed);
        let is_wanted = |sighting: &Sighting| match rules {
            None => true,
            Some(rules) => rules.iter().any(|rule| sighting.rule == Some(rule.id)),
        };
        let came = asked.again(operation, session, &is_wanted).unwrap_or_default();
        let wanted = came.sightings.into_iter().filter(is_wanted);
        wanted.map(|sighting| Self { depth: Depth::Whole, operation, sighting }).collect()
    }

    /// The same problem, found by the fewest questions that show it for this session.
    pub fn asked_least(self, fuzzed: &dyn Fuzzed, session: &[u8]) -> Self {
        Self { depth: asked(fuzzed).least_depth(self.operation, session, &self.sighting), ..self }
    }

    /// Whether the subject has the same problem with another session.
    pub fn is_shown_by(&self, fuzzed: &dyn Fuzzed, session: &[u8]) -> bool {
        asked(fuzzed).shows(self.operation, session, &self.sighting, self.depth)
    }

    /// Whether the subject does not answer in time. Then each session that shows it takes as long as that.
    pub fn is_hang(&self) -> bool {
        self.sighting.is_hang()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sighting { rule, kind, .. } = &self.sighting;
        write!(f, "{} {}: {kind}", self.operation.name(), rule.unwrap_or("crash"))
    }
}

/// Whom to ask. No session is asked about for a host.
fn asked(fuzzed: &dyn Fuzzed) -> Asked<'_> {
    Asked { fuzzed, host: Host::Portable, rules: &CATALOGUE, known: &[] }
}
