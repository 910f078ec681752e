//! The *law* of a fuzz target is what must hold for any input. A broken law panics.
//!
//! [`TARGETS`] holds the targets, one a file. Some laws are about [bytes](Law::Bytes), others about a [plan](Law::Plan)
//! that is made of the bytes. A law asks the rules where they say what must hold, and the library itself where it can.
//! An input that breaks a law is made [smaller](smaller()) before people look at it.

mod accumulate;
mod broken;
pub mod campaign;
mod check_request;
mod crash;
pub mod mutate;
mod normalize_api;
mod normalize_incremental;
mod normalize_ui;
mod parse;
mod parse_differential;
mod protocol;
mod record_resume;
mod reduce;
mod resume;
mod smaller;

use std::hash::{Hash, Hasher};

use twox_hash::XxHash3_64;

use mutate::Shape;

use crate::operation::Operation;
use crate::rules::{CATALOGUE, Verdict};
use crate::scenario::{Case, Profile, Scenario};
use crate::subject::{Reference, Subject};
use crate::suite::{Depth, Observed, Trial};

/// A fuzz target: a name, a law, and what its inputs are.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name: of the program in `fuzz/fuzz_targets/`, of the folder in `fuzz/seeds/`.
    pub name: &'static str,
    /// The law in one line, without a full stop.
    pub title: &'static str,
    /// The law.
    pub law: Law,
    /// The shape of its bytes, which mutations keep; `None` for plans.
    pub shape: Option<Shape>,
}

/// What must hold of a subject, by what it is about. It panics when it does not hold. The depth says how much is asked.
#[derive(Clone, Copy, Debug)]
pub enum Law {
    /// Bytes as they are.
    Bytes(fn(&dyn Subject, &[u8], Depth)),
    /// The plan that is made of the bytes, and its [profiles](Scenario::from_bytes_of). Playing a causal plan takes
    /// several times as long as asking about its messages, so laws on lists use the other profiles.
    Plan(fn(&dyn Subject, &Scenario, Depth), &'static [Profile]),
}

/// How much is asked with one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A part, chosen by the input: a fuzzer has many.
    Part,
    /// All: to replay an input, and to make it smaller.
    Whole,
}

impl Effort {
    /// The depths at which a law is held, given that of the part.
    fn depths(self, part: Depth) -> impl Iterator<Item = Depth> {
        [Depth::Whole, part].into_iter().skip(usize::from(self == Self::Part))
    }
}

/// Every target.
pub const TARGETS: [&Target; 11] = [
    &PARSE,
    &PARSE_DIFFERENTIAL,
    &RESUME,
    &CRASH,
    &NORMALIZE_API,
    &NORMALIZE_UI,
    &NORMALIZE_INCREMENTAL,
    &RECORD_RESUME,
    &ACCUMULATE,
    &CHECK_REQUEST,
    &PROTOCOL,
];

pub use accumulate::{ACCUMULATE, stream_text};
pub use broken::{Broken, BrokenRule, broken_by};
pub use check_request::{CHECK_REQUEST, hold_accepted};
pub use crash::CRASH;
pub use normalize_api::NORMALIZE_API;
pub use normalize_incremental::NORMALIZE_INCREMENTAL;
pub use normalize_ui::NORMALIZE_UI;
pub use parse::PARSE;
pub use parse_differential::PARSE_DIFFERENTIAL;
pub use protocol::PROTOCOL;
pub use record_resume::RECORD_RESUME;
pub use reduce::{Reduced, reduce};
pub use resume::RESUME;
pub use smaller::{LawInput, Patience, Smaller, smaller};

/// The target of this name.
///
/// ```
/// let target = turnproof_suite::fuzzing::find("parse").expect("a target");
/// target.hold(b"{\"type\":\"user\"}{\"type\":\"tag\"}\n\0\0[1");
/// ```
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}

/// Holding panics when the law is broken.
impl Target {
    /// Holds the reference to the law with an input, and asks all that it can.
    pub fn hold(&self, bytes: &[u8]) {
        self.hold_to(&Reference, bytes, Effort::Whole);
    }

    /// Holds a subject to the law with an input.
    pub fn hold_to(&self, subject: &dyn Subject, bytes: &[u8], effort: Effort) {
        match self.law {
            Law::Bytes(law) => {
                let part = Depth::One(XxHash3_64::oneshot(bytes));
                effort.depths(part).for_each(|depth| law(subject, bytes, depth));
            }
            Law::Plan(_, profiles) => self.hold_to_plan(subject, &plan(bytes, profiles), effort),
        }
    }

    /// Holds a subject to the law with a plan; a law on bytes says nothing of one.
    pub fn hold_to_plan(&self, subject: &dyn Subject, plan: &Scenario, effort: Effort) {
        if let Law::Plan(law, _) = self.law {
            let part = Depth::One(number_of(plan));
            effort.depths(part).for_each(|depth| law(subject, plan, depth));
        }
    }

    /// The longest input worth trying, in bytes. For a list 64 bytes give as many lines as plans have on average, and a
    /// fuzzer tries twice as many inputs as with 4096.
    pub fn longest(&self) -> usize {
        match self.law {
            Law::Bytes(_) => 4096,
            Law::Plan(_, profiles) if profiles.contains(&Profile::Causal) => 512,
            Law::Plan(..) => 64,
        }
    }

    /// The plan that an input is: [of bytes](Scenario::from_bytes), or written as JSON. `None` when the law is on
    /// bytes.
    pub fn plan(&self, bytes: &[u8]) -> Option<Scenario> {
        if let Law::Plan(_, profiles) = self.law { Some(plan(bytes, profiles)) } else { None }
    }
}

/// The profiles of plans that are no conversation.
const LISTS: &[Profile] = &[Profile::Shuffled, Profile::Hostile];

/// A number of the plan that does not depend on how the plan is written.
fn number_of(plan: &Scenario) -> u64 {
    let mut hasher = XxHash3_64::new();
    plan.hash(&mut hasher);
    hasher.finish()
}

fn plan(bytes: &[u8], profiles: &[Profile]) -> Scenario {
    let written = bytes.starts_with(b"{").then(|| serde_json::from_slice(bytes).ok()).flatten();
    written.unwrap_or_else(|| Scenario::from_bytes_of(bytes, profiles))
}

/// Asks a subject about a case, and [holds](hold()) it to the rules.
fn keeps_the_rules(subject: &dyn Subject, case: &Case<'_>, operations: &[Operation], depth: Depth) {
    let observed = Observed::of(subject, case, operations, depth);
    hold(&observed, operations);
}

/// Judges what a subject did. Panics with a [`BrokenRule`] when a rule of these operations is broken.
fn hold(observed: &Observed, operations: &[Operation]) {
    let trial = Trial::of(observed);
    for rule in CATALOGUE.iter().filter(|rule| operations.contains(&rule.operation())) {
        let Some(Verdict::Broken(violations)) = trial.judge(rule) else { continue };
        let Some(first) = violations.first() else { continue };
        let more = violations.len() - 1;
        let message = format!("{}: {}; expected {} (and {more} more)", first.place, first.found, first.expected);
        BrokenRule::new(first, message).panic();
    }
}

/// A place among `count`, chosen by the depth; the middle one when all is asked.
const fn place(depth: Depth, count: u64) -> u64 {
    match depth {
        Depth::One(number) | Depth::Sample(number) => (number >> 8) % count,
        Depth::Whole => count / 2,
    }
}
