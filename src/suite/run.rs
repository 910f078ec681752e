//! A *run* plays many cases and counts, for each rule, how many put it to the test and held.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::operation::Operation;
use crate::printable;
use crate::rules::{CATALOGUE, Judge, Place, Rule, Verdict, Violation, distance, find, prefix_steps};
use crate::scenario::{Case, Labels, Profile, Scenario, Seeded, Source};
use crate::subject::Subject;

use super::labels::{LabelCount, LabelTally};
use super::regression::Regression;
use super::shard::Shard;
use super::shrink::{kind, of_kind, shrink_kind, verdict};
use super::{Depth, Observed, Trial};

/// How many kinds of violation of one rule get a smallest case each.
const MOST_KINDS: usize = 4;

/// How many cases the threads share out at once.
const BATCH: u64 = 512;

/// What to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of all cases.
    pub seed: u64,
    /// How many cases the whole run has.
    pub cases: u64,
    /// Which part of them to run.
    pub shard: Shard,
    /// The rules to judge by. Rules on transcripts are left out.
    pub rules: Vec<&'static Rule>,
    /// The profiles to draw from.
    pub profiles: Vec<Profile>,
    /// How many threads. 0 for one a core.
    pub threads: usize,
    /// The time limit, if there is one. Cases under way are finished. The limit changes how many cases run, not what
    /// comes of each.
    pub time: Option<Duration>,
}

/// The counts of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleCount {
    /// The rule's id.
    pub rule: &'static str,
    /// Whether the subject does the operation.
    pub supported: bool,
    /// Cases that put the rule to the test and hold.
    pub held: u64,
    /// Cases that have nothing for the rule to judge.
    pub not_applicable: u64,
    /// Cases that break it.
    pub broken: u64,
}

/// One kind of violation of a rule, with the smallest case found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The rule, and the plan as it can be stored.
    pub regression: Regression,
    /// The violations of this kind in the smallest case.
    pub violations: Vec<Violation>,
}

/// A case that was run, for logs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct CaseLine {
    /// Its number.
    pub case: u64,
    /// Its profile.
    pub profile: Profile,
    /// A hash of its plan.
    pub plan: String,
    /// The rules that it broke.
    pub broken: Vec<&'static str>,
}

/// The outcome of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The subject.
    pub subject: String,
    /// How many cases ran, without stored regressions.
    pub cases: u64,
    /// How many stored regressions were replayed.
    pub replayed: u64,
    /// The counts, by rule in the order of the catalogue.
    pub counts: Vec<RuleCount>,
    /// For `normalize/prefix-stable`: how many steps from a list to the next longer one were judged (`judged`), and
    /// how many of each kind were not, because the new message may change earlier turns.
    pub prefix_steps: BTreeMap<&'static str, u64>,
    /// How often each label occurred without stored regressions, in the order of [`LABELS`](crate::scenario::LABELS).
    pub labels: Vec<LabelCount>,
    /// The first failure of each rule and kind of violation, those of rules nearest to the mistake first.
    pub failures: Vec<Failure>,
    /// The operations that the subject does, and of which no case put a rule to the test, though there were enough
    /// cases: it says nothing that could be judged.
    pub untested: Vec<Operation>,
}

/// How many cases of all profiles put some rule of each operation to the test.
const ENOUGH: u64 = 300;

impl Report {
    /// Whether nothing is broken, and each operation that the subject does was put to the test.
    pub fn holds(&self) -> bool {
        self.failures.is_empty() && self.untested.is_empty()
    }
}

struct Played {
    line: CaseLine,
    scenario: Scenario,
    labels: Labels,
    verdicts: Vec<Option<Verdict>>,
    prefix_steps: BTreeMap<&'static str, u64>,
}

/// Runs the regressions, then the cases of a shard. `on_case` is called with each case, in order.
///
/// # Errors
/// When the threads cannot be started.
pub fn run(
    subject: &dyn Subject,
    options: &Options,
    regressions: &[Regression],
    on_case: &mut (dyn FnMut(&CaseLine) + Send),
) -> Result<Report, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let mut running = Running::new(subject, options);
    pool.install(|| {
        for regression in regressions {
            let played = running.play(0, regression.scenario.clone(), Depth::Whole);
            running.count(played, None);
            running.report.replayed += 1;
        }
        let mut from = 0;
        let started = Instant::now();
        let is_over = || options.time.is_some_and(|time| started.elapsed() >= time);
        while from < options.cases && !is_over() {
            let to = (from + BATCH).min(options.cases);
            let cases = (from..to).into_par_iter().filter(|&case| options.shard.has(case));
            let play = |case| running.play(case, options.scenario(case), Depth::Sample(case));
            let played: Vec<Played> = cases.map(play).collect();
            for played in played {
                on_case(&played.line);
                running.report.cases += 1;
                running.labels.add(played.scenario.profile, &played.labels);
                let origin = (options.seed, played.line.case);
                running.count(played, Some(origin));
            }
            from = to;
        }
        running.finish();
        let is_enough = running.report.cases >= ENOUGH && Profile::ALL.iter().all(|one| options.profiles.contains(one));
        running.report.untested = if is_enough { running.untested() } else { Vec::new() };
    });
    running.report.labels = running.labels.counts(&options.profiles);
    Ok(running.report)
}

impl Default for Options {
    /// The default run: 10,000 cases of seed 1, of every profile, for every rule.
    fn default() -> Self {
        Self {
            seed: 1,
            cases: 10_000,
            shard: Shard::WHOLE,
            rules: CATALOGUE.clone(),
            profiles: Profile::ALL.to_vec(),
            threads: 0,
            time: None,
        }
    }
}

impl Options {
    /// The plan of a case.
    pub fn scenario(&self, case: u64) -> Scenario {
        let mut source = Seeded::new(self.seed, case);
        let profile = source.below(self.profiles.len() as u32) as usize;
        Scenario::generate(&mut source, self.profiles[profile])
    }
}

struct Running<'a> {
    subject: &'a dyn Subject,
    rules: Vec<&'static Rule>,
    operations: Vec<Operation>,
    /// Whether the steps of `normalize/prefix-stable` are counted.
    counts_steps: bool,
    labels: LabelTally,
    report: Report,
    /// For each rule, the first scenario of each kind of violation.
    first: Vec<Vec<Broke>>,
}

/// A scenario that broke a rule.
struct Broke {
    /// The kind of its violation.
    kind: String,
    scenario: Scenario,
    /// Its seed and number. `None` when it was stored.
    origin: Option<(u64, u64)>,
}

impl<'a> Running<'a> {
    fn new(subject: &'a dyn Subject, options: &Options) -> Self {
        let judged = |rule: &&'static Rule| rule.operation() != Operation::Transcript;
        let rules: Vec<&'static Rule> = options.rules.iter().copied().filter(judged).collect();
        let mut operations: Vec<Operation> = rules.iter().map(|rule| rule.operation()).collect();
        operations.sort_unstable();
        operations.dedup();
        let supports = |rule: &Rule| subject.supports(rule.operation());
        let count = |rule: &&Rule| RuleCount { rule: rule.id, supported: supports(rule), ..RuleCount::default() };
        let counts = rules.iter().map(count).collect();
        let report = Report { subject: subject.name().to_owned(), counts, ..Report::default() };
        let counts_steps = rules.iter().any(|rule| rule.id == "normalize/prefix-stable");
        let first = rules.iter().map(|_| Vec::new()).collect();
        Self { subject, first, rules, operations, counts_steps, labels: LabelTally::default(), report }
    }

    fn play(&self, case: u64, scenario: Scenario, depth: Depth) -> Played {
        let its_case = Case::of(&scenario);
        let mut verdicts = vec![None; self.rules.len()];
        let mut steps = BTreeMap::new();
        // One operation after the other, because the answers of all together may take much memory.
        for operation in &self.operations {
            let observed = Observed::of(self.subject, &its_case, &[*operation], depth);
            let trial = Trial::of(&observed);
            for (verdict, rule) in verdicts.iter_mut().zip(&self.rules) {
                if rule.operation() == *operation {
                    *verdict = trial.judge(rule);
                }
            }
            if let (true, Some(Ok(answers))) = (self.counts_steps, &observed.normalize_api) {
                steps.extend(answers.iter().flat_map(prefix_steps));
            }
        }
        let is_broken = |verdict: &Option<Verdict>| verdict.as_ref().is_some_and(Verdict::is_broken);
        let broken = self.rules.iter().zip(&verdicts).filter(|(_, verdict)| is_broken(verdict));
        let broken = broken.map(|(rule, _)| rule.id).collect();
        let json = serde_json::to_string(&scenario).unwrap_or_default();
        let plan = format!("{:016x}", twox_hash::XxHash3_64::oneshot(json.as_bytes()));
        let line = CaseLine { case, profile: scenario.profile, plan, broken };
        let labels = its_case.labels();
        Played { line, scenario, labels, verdicts, prefix_steps: steps }
    }

    fn count(&mut self, played: Played, origin: Option<(u64, u64)>) {
        for (kind, count) in played.prefix_steps {
            *self.report.prefix_steps.entry(kind).or_default() += count;
        }
        for (index, verdict) in played.verdicts.iter().enumerate() {
            let count = &mut self.report.counts[index];
            match verdict {
                None => {}
                Some(Verdict::Holds) => count.held += 1,
                Some(Verdict::NotApplicable(_)) => count.not_applicable += 1,
                Some(Verdict::Broken(violations)) => {
                    count.broken += 1;
                    let first = &mut self.first[index];
                    for kind in violations.iter().map(kind) {
                        if first.len() < MOST_KINDS && !first.iter().any(|broke| broke.kind == kind) {
                            first.push(Broke { kind, scenario: played.scenario.clone(), origin });
                        }
                    }
                }
            }
        }
    }

    /// Shrinks the first failure of each rule and kind.
    fn finish(&mut self) {
        let subject = self.subject;
        let first = self.rules.iter().zip(std::mem::take(&mut self.first));
        let broken: Vec<(&Rule, Broke)> =
            first.flat_map(|(rule, kinds)| kinds.into_iter().map(move |broke| (*rule, broke))).collect();
        let shrunk = broken.into_par_iter().filter_map(|(rule, broke)| smallest(subject, rule, broke));
        for Failure { regression, violations } in shrunk.collect::<Vec<_>>() {
            // Two kinds may have the same smallest case.
            let is_same = |known: &Failure| {
                known.regression.rule == regression.rule && known.regression.scenario == regression.scenario
            };
            if !self.report.failures.iter().any(is_same) {
                self.report.failures.push(Failure { regression, violations });
            }
        }
        self.report.failures.sort_by_key(|failure| distance(&failure.regression.rule));
    }

    /// The operations that the subject does, of which rules were asked, and none was put to the test.
    fn untested(&self) -> Vec<Operation> {
        let is_asked = |rule: &Rule| !matches!(rule.judge, Judge::Request { structural: false, .. });
        let counts = || self.rules.iter().zip(&self.report.counts).filter(|(rule, _)| is_asked(rule));
        let of = |operation: Operation| counts().filter(move |(rule, _)| rule.operation() == operation);
        let is_untested = |operation: &Operation| {
            of(*operation).next().is_some()
                && of(*operation).all(|(_, count)| count.supported && count.held + count.broken == 0)
        };
        self.operations.iter().copied().filter(is_untested).collect()
    }
}

/// The smallest case of a kind of violation. `None` when the subject does not break the rule again.
fn smallest(subject: &dyn Subject, rule: &Rule, broke: Broke) -> Option<Failure> {
    let Broke { kind, scenario, origin } = broke;
    let scenario = shrink_kind(subject, rule, &kind, scenario);
    let violations = of_kind(verdict(subject, rule, &scenario), &kind);
    let found = violations.first()?.found.clone();
    let regression =
        Regression { rule: rule.id.to_owned(), subject: subject.name().to_owned(), found, origin, scenario };
    Some(Failure { regression, violations })
}

const SHOWN: usize = 3;

impl fmt::Display for Failure {
    /// Writes several lines, the last one with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Regression { rule, scenario, origin, .. } = &self.regression;
        match origin {
            Some((seed, case)) => writeln!(f, "broken: {rule} (from case {case} of seed {seed})")?,
            None => writeln!(f, "broken: {rule}")?,
        }
        if let Some(rule) = find(rule) {
            writeln!(f, "  rule: {}", rule.title)?;
        }
        for Violation { place, found, expected, .. } in self.violations.iter().take(SHOWN) {
            let place = if *place == Place::Whole { String::new() } else { format!("{place}: ") };
            writeln!(f, "  {place}{found}; expected {expected}")?;
        }
        if self.violations.len() > SHOWN {
            writeln!(f, "  and {} more", self.violations.len() - SHOWN)?;
        }
        writeln!(f, "  plan: {}", serde_json::to_string(scenario).unwrap_or_default())?;
        let transcript = scenario.transcript();
        let lines = transcript.strip_suffix(b"\n").unwrap_or(&transcript);
        for line in lines.split(|&byte| byte == b'\n') {
            writeln!(f, "  | {}", printable::line(line))?;
        }
        Ok(())
    }
}
