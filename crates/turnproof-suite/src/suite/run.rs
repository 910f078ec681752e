//! A *run* plays many cases and counts, for each rule, how many exercised it and how many passed.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::operation::Operation;
use crate::rules::{CATALOGUE, Judge, Rule, Verdict, Violation, find};
use crate::scenario::{Case, Profile, Scenario, Seeded, Source, simplicity};
use crate::subject::{Stop, Subject};

use super::broke::{Broke, keep, smallest};
use super::crashes::{Crashes, Ended};
use super::every_client;
use super::failure::Failure;
use super::known::{Deviation, Known, Watch};
use super::nearness::nearness;
use super::regression::Regression;
use super::shard::Shard;
use super::shrink::{Asked, MOST_TRIES};
use super::{Depth, Observed, Trial};

/// How many cases the threads share out at once at most, and at first: a slow subject gets few, so that time limits and
/// crashes are noticed soon.
const BATCH: u64 = 512;
const FIRST_BATCH: u64 = 16;

/// While a batch takes less than this, the next one is larger.
const SHORT: Duration = Duration::from_millis(500);

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
    /// Whether the rules are asked [as of every client](every_client): some of them only of legal plain dialogues.
    pub every_client: bool,
    /// What is known to deviate, of this subject or others.
    pub known: Vec<Known>,
    /// The profiles to draw from.
    pub profiles: Vec<Profile>,
    /// How many threads. 0 for one a core.
    pub threads: usize,
    /// The most smaller cases that are tried when a failure is shrunk.
    pub tries: usize,
    /// The time limit, if there is one. Cases under way are finished. The limit changes how many cases run, not what
    /// comes of each.
    pub time: Option<Duration>,
    /// What ends the run. Cases under way do not count then, and failures are shrunk no further.
    pub stop: Stop,
}

/// The counts of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleCount {
    /// The rule's id.
    pub rule: &'static str,
    /// Whether the subject does the operation.
    pub supported: bool,
    /// Cases that exercise the rule and pass.
    pub held: u64,
    /// Cases that have nothing for the rule to judge.
    pub not_applicable: u64,
    /// Cases that break it, in a way that is not known.
    pub broken: u64,
    /// Cases that break it only as is [known](Known).
    pub known: u64,
}

impl RuleCount {
    /// In how many cases the rule was exercised.
    pub const fn tested(&self) -> u64 {
        self.held + self.broken + self.known
    }
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
    /// The operations at which the subject crashed.
    pub crashed: Vec<Operation>,
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
    /// The first failure of each kind: crashes by operation first, then violations by rule, those of rules
    /// [nearest](super::nearness()) to the mistake first, and of those the simplest case.
    pub failures: Vec<Failure>,
    /// The known deviations that the run asked about, and what became of each.
    pub deviations: Vec<Deviation>,
    /// The operations that the subject does, and of which no case put a rule to the test, though there were enough
    /// cases: it says nothing that could be judged.
    pub untested: Vec<Operation>,
    /// How often the subject crashed: once at most for each case and operation.
    pub crashes: u64,
    /// In how many cases it crashed, otherwise than is known. The rules on an operation at which it crashed are not
    /// judged in that case.
    pub crashed_cases: u64,
    /// How often it answered: once at most for each case and operation.
    pub answers: u64,
    /// Why the run ended early: an operation crashed so often in a row that there is nothing to judge. The counts are of
    /// no use then.
    pub ended: Option<Ended>,
    /// Whether the run was [stopped](Options::stop): it says what was judged until then.
    pub is_stopped: bool,
}

/// How many cases of all profiles exercise some rule of each operation.
const ENOUGH: u64 = 300;

impl Report {
    /// Whether nothing is broken but what is known, all that is known still deviates, and each operation that the
    /// subject does was exercised.
    pub fn holds(&self) -> bool {
        self.failures.is_empty() && self.stopped().next().is_none() && self.untested.is_empty() && self.ended.is_none()
    }

    /// The known deviations that do not deviate any more.
    pub fn stopped(&self) -> impl Iterator<Item = &Deviation> {
        self.deviations.iter().filter(|deviation| deviation.has_stopped())
    }

    /// The failure that says why a rule is broken.
    pub fn failure_of(&self, rule: &Rule) -> Option<&Failure> {
        self.failures.iter().find(|failure| failure.regression.rule == rule.id && failure.crashed().is_none())
    }

    /// The ways in which the subject crashed, each with its operation.
    pub fn crashes(&self) -> impl Iterator<Item = (Operation, &Failure)> {
        self.failures.iter().filter_map(|failure| Some((failure.crashed()?, failure)))
    }
}

struct Played {
    line: CaseLine,
    scenario: Scenario,
    /// The verdicts of the rules. Those on an operation at which the subject crashed say that it did.
    verdicts: Vec<Option<Verdict>>,
    answers: u64,
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
        running.watch(&options.known);
        let replays = regressions.par_iter().enumerate().filter(|_| !options.stop.is_set());
        let replay = |(number, regression): (usize, &Regression)| {
            running.play(0, regression.scenario.clone(), replayed(number, &regression.rule))
        };
        for played in replays.filter_map(replay).collect::<Vec<Played>>() {
            running.count(played, None);
            running.report.replayed += 1;
        }
        running.crashes = Crashes::default();
        let mut from = 0;
        let mut batch = FIRST_BATCH;
        let started = Instant::now();
        let is_over = || options.stop.is_set() || options.time.is_some_and(|time| started.elapsed() >= time);
        while from < options.cases && !is_over() {
            let asked = Instant::now();
            let to = from.saturating_add(batch.saturating_mul(options.shard.count())).min(options.cases);
            let cases = (from..to).into_par_iter().filter(|&case| options.shard.has(case));
            // The cases under way are finished, as at the end of the time.
            let goes_on = |_: &u64| running.crashes.ended().is_none() && !options.stop.is_set();
            let play = |case| running.play(case, options.scenario(case), |_| Depth::Sample(case));
            let played: Vec<Played> = cases.filter(goes_on).filter_map(play).collect();
            running.report.ended = running.crashes.ended();
            if running.report.ended.is_some() {
                return;
            }
            if asked.elapsed() < SHORT {
                batch = (batch * 2).min(BATCH);
            }
            for played in played {
                on_case(&played.line);
                running.report.cases += 1;
                let origin = (options.seed, played.line.case);
                running.count(played, Some(origin));
            }
            from = to;
        }
        running.finish();
        running.report.is_stopped = options.stop.is_set();
        let watch = std::mem::take(&mut running.watch);
        let is_whole = options.shard == Shard::WHOLE && options.cases > 0 && !running.report.is_stopped;
        running.report.deviations = watch.deviations(&running.report.counts, is_whole);
        let is_enough = running.report.cases >= ENOUGH && Profile::ALL.iter().all(|one| options.profiles.contains(one));
        running.report.untested = if is_enough { running.untested() } else { Vec::new() };
    });
    Ok(running.report)
}

/// How much is asked about a stored case: all of it. Validators are asked thousands of questions that are the same for
/// each case, so the cases that are not theirs share these.
fn replayed(number: usize, rule: &str) -> impl Fn(Operation) -> Depth {
    let own = find(rule).map(|rule| rule.operation());
    move |operation| match operation {
        Operation::CheckRequest | Operation::CheckResponse if own != Some(operation) => Depth::Sample(number as u64),
        _ => Depth::Whole,
    }
}

impl Default for Options {
    /// The default run: 10,000 cases of seed 1, of every profile, for every rule.
    fn default() -> Self {
        Self {
            seed: 1,
            cases: 10_000,
            shard: Shard::WHOLE,
            rules: CATALOGUE.clone(),
            every_client: false,
            known: Vec::new(),
            profiles: Profile::ALL.to_vec(),
            threads: 0,
            tries: MOST_TRIES,
            time: None,
            stop: Stop::default(),
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
    /// Whether the rules are asked as of every client.
    every_client: bool,
    /// The most smaller cases that are tried.
    tries: usize,
    crashes: Crashes,
    report: Report,
    /// For each rule, the first scenario of each mistake.
    first: Vec<Vec<Broke>>,
    /// For each operation, the first scenario of each way to crash.
    first_crashes: BTreeMap<Operation, Vec<Broke>>,
    /// What is known to deviate.
    watch: Watch,
    stop: Stop,
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
        let first = rules.iter().map(|_| Vec::new()).collect();
        let (tries, crashes) = (options.tries, Crashes::default());
        Self {
            subject,
            first,
            rules,
            operations,
            every_client: options.every_client,
            tries,
            crashes,
            report,
            first_crashes: BTreeMap::new(),
            watch: Watch::default(),
            stop: options.stop.clone(),
        }
    }

    /// Watches for what is known of the subject. The cases are played at once, since they say which kinds are known.
    fn watch(&mut self, known: &[Known]) {
        let name = self.subject.name().to_owned();
        let mut cases = Vec::new();
        for known in known.iter().filter(|known| known.is_of(&name)) {
            let Some(place) = self.rules.iter().position(|rule| rule.id == known.rule) else { continue };
            let played = known.case.clone().and_then(|case| self.play(0, case, |_| Depth::Whole));
            // Nothing was seen of it.
            if self.stop.is_set() {
                return;
            }
            let verdict = played.as_ref().and_then(|played| played.verdicts[place].as_ref());
            self.watch.add(place, self.rules[place], known, verdict);
            cases.extend(played);
        }
        for played in cases {
            self.count(played, None);
            self.report.replayed += 1;
        }
    }

    /// Plays a case; `None` when the run was stopped meanwhile.
    fn play(&self, case: u64, scenario: Scenario, depth: impl Fn(Operation) -> Depth) -> Option<Played> {
        let its_case = Case::of(&scenario);
        let mut verdicts = vec![None; self.rules.len()];
        let (mut crashed, mut answers) = (Vec::new(), 0);
        // One operation after the other, because the answers of all together may take much memory.
        for operation in &self.operations {
            let observed = Observed::of(self.subject, &its_case, &[*operation], depth(*operation));
            if self.stop.is_set() {
                return None;
            }
            let crash = observed.crash(*operation);
            crashed.extend(crash.map(|_| *operation));
            answers += u64::from(crash.is_none() && observed.has(*operation));
            self.crashes.note(*operation, crash);
            let trial = Trial::of(&observed);
            for (verdict, rule) in verdicts.iter_mut().zip(&self.rules) {
                if rule.operation() == *operation {
                    *verdict = match (crash, self.every_client) {
                        (Some(crash), _) => Some(Verdict::Broken(vec![Violation::of_crash(rule.id, crash)])),
                        (None, true) => every_client::judge(rule, &scenario, &observed),
                        (None, false) => trial.judge(rule),
                    };
                }
            }
        }
        let is_broken = |rule: &Rule, verdict: &Option<Verdict>| {
            verdict.as_ref().is_some_and(Verdict::is_broken) && !crashed.contains(&rule.operation())
        };
        let broken = self.rules.iter().zip(&verdicts).filter(|(rule, verdict)| is_broken(rule, verdict));
        let broken = broken.map(|(rule, _)| rule.id).collect();
        let json = serde_json::to_string(&scenario).unwrap_or_default();
        let plan = format!("{:016x}", twox_hash::XxHash3_64::oneshot(json.as_bytes()));
        let line = CaseLine { case, profile: scenario.profile(), plan, broken, crashed };
        Some(Played { line, scenario, verdicts, answers })
    }

    fn count(&mut self, played: Played, origin: Option<(u64, u64)>) {
        let Played { line, scenario, verdicts, answers } = played;
        self.report.answers += answers;
        let mut is_crashed = false;
        for &operation in &line.crashed {
            self.report.crashes += 1;
            let place = self.rules.iter().position(|rule| rule.operation() == operation);
            let Some(Verdict::Broken(violations)) = place.and_then(|place| verdicts[place].as_ref()) else { continue };
            let violation = &violations[0];
            let mistake = violation.mistake();
            if self.watch.covers_crash(&self.rules, operation, &mistake) {
                continue;
            }
            is_crashed = true;
            keep(self.first_crashes.entry(operation).or_default(), mistake, violation, &scenario, origin);
        }
        self.report.crashed_cases += u64::from(is_crashed);
        for (index, verdict) in verdicts.iter().enumerate() {
            if line.crashed.contains(&self.rules[index].operation()) {
                continue;
            }
            let count = &mut self.report.counts[index];
            match verdict {
                None => {}
                Some(Verdict::Holds) => count.held += 1,
                Some(Verdict::NotApplicable(_)) => count.not_applicable += 1,
                Some(Verdict::Broken(violations)) => {
                    let mut is_known = true;
                    for violation in violations {
                        let mistake = violation.mistake();
                        if self.watch.covers(index, self.rules[index], &mistake) {
                            continue;
                        }
                        is_known = false;
                        keep(&mut self.first[index], mistake, violation, &scenario, origin);
                    }
                    match is_known {
                        true => count.known += 1,
                        false => count.broken += 1,
                    }
                }
            }
        }
    }

    /// Shrinks the first failure of each mistake, and of each way to crash.
    fn finish(&mut self) {
        let (subject, every_client, tries, stop) = (self.subject, self.every_client, self.tries, &self.stop);
        let first = self.rules.iter().copied().zip(std::mem::take(&mut self.first));
        let crashes = std::mem::take(&mut self.first_crashes).into_iter().filter_map(|(operation, kinds)| {
            let rule = self.rules.iter().copied().find(|rule| rule.operation() == operation)?;
            Some((rule, kinds))
        });
        let broken = crashes.chain(first).flat_map(|(rule, kinds)| kinds.into_iter().map(move |broke| (rule, broke)));
        let broken: Vec<(&Rule, Broke)> = broken.collect();
        let shrunk = broken.into_par_iter().map(|(rule, broke)| {
            let asked = Asked { subject, rule, every_client, stop };
            smallest(&asked, broke, tries)
        });
        for failure in shrunk.collect::<Vec<_>>() {
            // Two kinds may have the same smallest case.
            let Regression { rule, scenario, .. } = &failure.regression;
            let is_same = |known: &Failure| {
                let Regression { rule: other, scenario: case, .. } = &known.regression;
                (other, case, known.crashed()) == (rule, scenario, failure.crashed())
            };
            if !self.report.failures.iter().any(is_same) {
                self.report.failures.push(failure);
            }
        }
        let Report { failures, counts, .. } = &mut self.report;
        failures.sort_by_cached_key(|failure| {
            let crashed = failure.crashed();
            let nearness = crashed.is_none().then(|| nearness(&failure.regression.rule, counts));
            (crashed.is_none(), crashed, nearness, simplicity(&failure.regression.scenario))
        });
    }

    /// The operations that the subject does, of which rules were asked, and none was exercised.
    fn untested(&self) -> Vec<Operation> {
        let is_asked = |rule: &Rule| !matches!(rule.judge, Judge::Request { structural: false, .. });
        let counts = || self.rules.iter().zip(&self.report.counts).filter(|(rule, _)| is_asked(rule));
        let of = |operation: Operation| counts().filter(move |(rule, _)| rule.operation() == operation);
        let is_untested = |operation: &Operation| {
            of(*operation).next().is_some() && of(*operation).all(|(_, count)| count.supported && count.tested() == 0)
        };
        self.operations.iter().copied().filter(is_untested).collect()
    }
}
