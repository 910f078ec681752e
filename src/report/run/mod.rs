//! A *run report* is what is kept of a run of the suite: one file for programs, one for CI servers, one for people.
//!
//! - [`jsonl`] makes `report.jsonl`, for programs: an object a line.
//! - [`junit`] makes `junit.xml`, for CI servers: a suite a family, a test a rule.
//! - [`html`] makes `report.html`, for people: one page with each failure as the conversation that shows it.
//!
//! [`write()`] plays cases to a subject of yours and writes all three.
//!
//! All three depend only on a [`RunReport`], which has no times. So the same run gives the same bytes.

mod exhibit;
pub mod html;
pub mod jsonl;
pub mod junit;
mod place;
mod write;

pub use exhibit::{Exhibit, Failed, JudgedAnswer};
pub use turnproof_rules::Shown;
#[cfg(feature = "cli")]
pub(crate) use write::write_files;
pub use write::{WriteError, write};

use turnproof_suite::scenario::Profile;
use turnproof_suite::suite::conformance::Again;
use turnproof_suite::suite::{Deviation, Failure, Options, Report, RuleCount, Shard};

/// What the files are made of.
#[derive(Clone, Copy, Debug)]
pub struct RunReport<'a> {
    /// The version of turnproof.
    pub version: &'a str,
    /// How one case is played again.
    pub replay: Replay<'a>,
    /// What was to be run.
    pub options: &'a Options,
    /// What came out.
    pub report: &'a Report,
    /// What the subject did in the smallest case of each failure, in the order of the failures.
    pub exhibits: &'a [Exhibit],
}

/// How one case is played again.
#[derive(Clone, Copy, Debug)]
pub enum Replay<'a> {
    /// By a command that takes the options of `turnproof test`: the words that begin it.
    Command(&'a str),
    /// By the program that judged the subject, with variables before it.
    Program(&'a Again),
}

impl RunReport<'_> {
    /// The three files, each with its name.
    /// It fails when the XML cannot be written.
    pub fn files(&self) -> Result<[(&'static str, String); 3], quick_junit::SerializeError> {
        Ok([("report.jsonl", jsonl::text(self)), ("junit.xml", junit::text(self)?), ("report.html", html::page(self))])
    }

    /// The command that plays the case of a failure again, before it was shrunk, and no other case.
    pub fn replay(&self, failure: &Failure) -> String {
        let regression = &failure.regression;
        let rule = &regression.rule;
        let command = match self.replay {
            Replay::Command(command) => command,
            Replay::Program(program) => return program.line(regression),
        };
        let Some((seed, case)) = regression.origin else {
            return format!("{command} --cases 0 --rules {rule}");
        };
        let profile = match self.options.profiles.as_slice() {
            [profile] => format!(" --profile {}", profile.name()),
            _ => String::new(),
        };
        let (cases, shard) = (case.saturating_add(1), Shard::of_case(case));
        format!("{command} --seed {seed} --cases {cases} --shard {shard} --rules {rule}{profile}")
    }

    fn profiles(&self) -> Vec<&'static str> {
        self.options.profiles.iter().map(|profile: &Profile| profile.name()).collect()
    }

    /// Which part of the run this is, unless it is the whole.
    fn part(&self) -> Option<Shard> {
        (self.options.shard != Shard::WHOLE).then_some(self.options.shard)
    }

    /// The counts of the rules, family by family.
    fn families(&self) -> Vec<(&'static str, Vec<&RuleCount>)> {
        super::rule_counts::families(&self.report.counts)
    }

    /// How many rules were broken, how many were broken only as is known, and how many were exercised.
    fn tested(&self) -> (u64, u64, u64) {
        let has = |test: fn(&RuleCount) -> bool| self.report.counts.iter().filter(|count| test(count)).count() as u64;
        let known = has(|count| count.broken == 0 && count.known > 0);
        (has(|count| count.broken > 0), known, has(|count| count.tested() > 0))
    }

    /// How many known deviations have stopped.
    fn stopped(&self) -> u64 {
        self.report.stopped().count() as u64
    }

    /// What is known of a rule, and what became of it; one that has stopped before others.
    fn deviation(&self, rule: &str) -> Option<&Deviation> {
        let of_rule = || self.report.deviations.iter().filter(move |deviation| deviation.known.rule == rule);
        of_rule().find(|deviation| deviation.has_stopped()).or_else(|| of_rule().next())
    }

    /// What became of a rule.
    fn fate(&self, count: &RuleCount) -> Fate {
        match count {
            RuleCount { broken: 1.., .. } => Fate::Broken,
            _ if self.deviation(count.rule).is_some_and(Deviation::has_stopped) => Fate::Stopped,
            RuleCount { known: 1.., .. } => Fate::Known,
            RuleCount { supported: false, .. } => Fate::NotSupported,
            RuleCount { held: 0, .. } => Fate::NotApplicable,
            _ => Fate::Held,
        }
    }
}

/// What became of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// A case broke it.
    Broken,
    /// It was known to be broken, and is no more.
    Stopped,
    /// Cases broke it only as is known.
    Known,
    /// It held in each case that exercised it.
    Held,
    /// No case exercised it.
    NotApplicable,
    /// The subject does not do the operation.
    NotSupported,
}

/// JSON in which all but ASCII is escaped, so that it survives any page and any copying.
fn in_ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() && character != '\u{7F}' {
            text.push(character);
        } else {
            text.extend(character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}
