//! Faults: subjects that are the reference but for one realistic mistake. The suite is tested by them: the rule of each
//! fault must detect it.

mod accumulate;
mod attached;
mod conserve;
mod context;
mod enveloped;
mod fold;
pub mod harmless;
mod hidden;
mod hinted;
mod ids;
mod log;
mod loop_file;
mod loop_order;
mod loop_requests;
mod loose;
mod make;
mod memoized_reference;
mod order;
mod output;
mod pairing;
mod parse;
mod part;
mod plain;
mod play;
mod record;
mod recorder;
mod repair;
mod repair_chosen;
mod repair_kept;
mod repeated;
mod reply_validator;
mod reports;
mod request;
mod resume;
mod resume_damage;
pub mod selftest;
mod shapes;
mod sized;
mod stable;
mod streamed;
mod subject;
mod thinking;
mod ui;
mod usage;
mod validator;
mod values;
mod view;
mod walk;
mod wire;
mod written;
mod wrong;

use serde::Serialize;
use turnproof_rules::rules::{Rule, Verdict, find as find_rule};
use turnproof_suite::scenario::{Case, Profile};
use turnproof_suite::suite::{Depth, Observed, Options, judge};
use wrong::{Wrong, fault};

/// A subject that is wrong on purpose.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Fault {
    /// `operation/mistake`.
    #[serde(rename = "fault")]
    pub id: &'static str,
    /// The rule that must detect it.
    pub rule: &'static str,
    /// What it does wrong, one sentence without a full stop.
    pub title: &'static str,
    /// The public report of the mistake; `None` when there is none.
    pub source: Option<&'static str>,
    /// The profile of the cases in which it must be detected; `None` for those of a usual run.
    pub profile: Option<Profile>,
    #[serde(skip)]
    wrong: Wrong,
}

impl Fault {
    /// A run of the cases in which it must be detected.
    pub fn options(&self, seed: u64, cases: u64) -> Options {
        let usual = Options { seed, cases, ..Options::default() };
        let profiles = self.profile.map_or(usual.profiles.clone(), |profile| vec![profile]);
        Options { profiles, ..usual }
    }

    /// Whether its rule detects it in a case, when so much is asked.
    pub fn is_detected(&self, case: &Case<'_>, depth: Depth) -> bool {
        let is_broken = |rule: &Rule| {
            let observed = Observed::of(self, case, &[rule.operation()], depth);
            judge(rule, &observed).as_ref().is_some_and(Verdict::is_broken)
        };
        find_rule(self.rule).is_some_and(is_broken)
    }
}

/// The faults by file.
const FAMILIES: &[&[Fault]] = &[
    parse::FAULTS,
    request::FAULTS,
    shapes::FAULTS,
    pairing::FAULTS,
    thinking::FAULTS,
    conserve::FAULTS,
    attached::FAULTS,
    context::FAULTS,
    stable::FAULTS,
    values::FAULTS,
    repeated::FAULTS,
    ui::FAULTS,
    order::FAULTS,
    fold::FAULTS,
    ids::FAULTS,
    record::FAULTS,
    hinted::FAULTS,
    resume::FAULTS,
    resume_damage::FAULTS,
    accumulate::FAULTS,
    output::FAULTS,
    streamed::FAULTS,
    play::FAULTS,
    reports::FAULTS,
    loop_requests::FAULTS,
    written::FAULTS,
    loop_file::FAULTS,
    loop_order::FAULTS,
    validator::FAULTS,
    reply_validator::FAULTS,
    loose::FAULTS,
    make::FAULTS,
    usage::FAULTS,
    repair::FAULTS,
    repair_chosen::FAULTS,
    repair_kept::FAULTS,
    sized::FAULTS,
    enveloped::FAULTS,
    plain::FAULTS,
];

/// Every fault, operation by operation.
pub fn all() -> impl Iterator<Item = &'static Fault> {
    FAMILIES.iter().copied().flatten()
}

/// The fault with this id.
pub fn find(id: &str) -> Option<&'static Fault> {
    all().find(|fault| fault.id == id)
}
