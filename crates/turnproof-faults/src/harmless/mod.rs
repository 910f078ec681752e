//! Variants of the reference that differ where SPEC.md leaves it free. No rule may report them.

mod otherwise;
mod variants;

use std::collections::BTreeMap;

use rayon::prelude::*;
use turnproof_rules::Trial;
use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{CATALOGUE, Verdict};
use turnproof_suite::scenario::Case;
use turnproof_suite::suite::{Depth, Observed, Options};

use super::Fault;
use super::wrong::Wrong;

/// A subject that differs from the reference, and is right.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// `operation/other-form`.
    pub id: &'static str,
    /// The sentence of SPEC.md that leaves it free, by its section.
    pub spec: &'static str,
    /// What it does, one sentence without a full stop.
    pub title: &'static str,
    change: Wrong,
}

const fn harmless(id: &'static str, spec: &'static str, title: &'static str, change: Wrong) -> Variant {
    Variant { id, spec, title, change }
}

/// Every harmless variant, operation by operation.
pub fn all() -> &'static [Variant] {
    variants::VARIANTS
}

impl Variant {
    /// As a subject.
    pub const fn subject(&self) -> Fault {
        Fault { id: self.id, rule: "", title: self.title, source: Some(self.spec), profile: None, wrong: self.change }
    }

    /// What it has to be asked for to show: its operation, and what builds on that.
    pub fn operations(&self) -> Vec<Operation> {
        let own = self.id.split_once('/').map_or(self.id, |(own, _)| own);
        let is_meant = |one: &Operation| one.name() == own || own == "record" && *one == Operation::Resume;
        Operation::ALL.into_iter().filter(is_meant).collect()
    }

    /// The rules that it breaks in a case, and what the first violation of each says.
    fn broken(&self, case: &Case<'_>, depth: Depth) -> Vec<(&'static str, String)> {
        let operations = self.operations();
        let observed = Observed::of(&self.subject(), case, &operations, depth);
        let trial = Trial::of(&observed);
        let asked = CATALOGUE.iter().filter(|rule| operations.contains(&rule.operation()));
        let breaks = asked.filter_map(|rule| match trial.judge(rule)? {
            Verdict::Broken(violations) => Some((rule.id, violations.first()?.found.to_string())),
            _ => None,
        });
        breaks.collect()
    }
}

/// The first case in which a variant breaks a rule, and what the rule says.
pub type Broken = BTreeMap<(&'static str, &'static str), (u64, String)>;

/// Plays the cases of a run to variants. Gives what they break, by their ids and that of the rule; calls `progress` after
/// each case.
pub fn broken(variants: &[&'static Variant], run: &Options, progress: &(dyn Fn() + Sync)) -> Broken {
    let of_case = |number: u64| {
        let scenario = run.scenario(number);
        let case = Case::of(&scenario);
        let of = |variant: &&'static Variant| {
            let rules = variant.broken(&case, Depth::Sample(number)).into_iter();
            rules.map(move |(rule, found)| ((variant.id, rule), (number, found))).collect::<Vec<_>>()
        };
        let broken: Vec<_> = variants.iter().flat_map(of).collect();
        progress();
        broken
    };
    let mut all: Vec<_> = (0..run.cases).into_par_iter().flat_map_iter(of_case).collect();
    // The last of a name is kept: the first case.
    all.sort_by(|one, two| two.cmp(one));
    all.into_iter().collect()
}
