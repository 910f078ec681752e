//! To *ask* about an input is to give it to the subject and to judge what comes: a list of *sightings*.

use std::str;

use crate::message::Entry;
use crate::operation::{Checked, CheckedResponse, FactoryCall, Host, Operation, Reply, Request, StreamItem};
use crate::rules::{Rule, Verdict, Violation, distance, is_of_naming};
use crate::subject::{Crash, CrashKind};
use crate::suite::{Depth, Known, Observed, Trial};
use turnproof_rules::{Material, Session, guarded};

use super::super::accumulate::items;
use super::Fuzzed;
use super::trace::{trace, words};

/// Who is asked, for which host, and by which rules.
pub(super) struct Asked<'a> {
    pub(super) fuzzed: &'a dyn Fuzzed,
    pub(super) host: Host,
    pub(super) rules: &'a [&'static Rule],
    /// What is known, and not looked for.
    pub(super) known: &'a [Known],
}

/// What came of an input.
#[derive(Default)]
pub(super) struct Came {
    pub(super) outcome: Outcome,
    /// What was wrong, one of each kind; what is nearest to a mistake comes first.
    pub(super) sightings: Vec<Sighting>,
}

/// How the subject answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Outcome {
    Answered,
    Refused,
    #[default]
    NotDone,
    Crashed,
}

/// Something wrong with an answer, or a crash.
#[derive(Clone, Debug)]
pub(super) struct Sighting {
    /// The rule; `None` of a crash.
    pub(super) rule: Option<&'static str>,
    /// What it is, without the values of the input. Those of one kind count as one mistake.
    pub(super) kind: String,
    pub(super) place: String,
    pub(super) found: String,
    pub(super) expected: String,
    is_refusal: bool,
    is_hang: bool,
}

impl Sighting {
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.rule == other.rule && self.kind == other.kind
    }

    /// Whether the subject did not answer in time: each try takes as long as that.
    pub(super) fn is_hang(&self) -> bool {
        self.is_hang
    }

    /// What it is called beside another find.
    pub(super) fn name(&self) -> String {
        format!("{}: {}", self.rule.unwrap_or("crash"), self.kind)
    }

    fn of_crash(crash: &Crash, last_words: &str) -> Self {
        let parts = [Some(crash.kind.name().to_owned()), crash.at.clone(), trace(last_words)];
        Self {
            rule: None,
            kind: parts.into_iter().flatten().collect::<Vec<_>>().join(": "),
            place: String::new(),
            found: format!("it crashed: {}", crash.how),
            expected: "an answer".to_owned(),
            is_refusal: false,
            is_hang: crash.kind == CrashKind::TimedOut,
        }
    }

    fn of(violation: &Violation) -> Self {
        // Refusals differ by the subject's own reason, and panics by their place.
        let why = violation.is_refusal().then(|| violation.value("why").map(|why| words(&why.to_string()))).flatten();
        let at = why.or_else(|| violation.at.clone());
        Self {
            rule: Some(violation.rule),
            kind: at.map_or(violation.kind.to_owned(), |at| format!("{}: {at}", violation.kind)),
            place: violation.place.to_string(),
            found: violation.found.to_string(),
            expected: violation.expected.to_string(),
            is_refusal: violation.is_refusal(),
            is_hang: false,
        }
    }
}

/// How much is asked to see something again, the least first.
const DEPTHS: [Depth; 4] = [Depth::Sample(1), Depth::One(0), Depth::One(1), Depth::Whole];

impl Asked<'_> {
    /// Asks what one of many inputs gets asked.
    pub(super) fn sample(&self, operation: Operation, input: &[u8], number: u64) -> Came {
        self.ask(operation, input, Depth::Sample(number))
    }

    /// What came of an input when something was seen again; `None` when it was not, however much was asked. All is
    /// asked first; but where more is asked, a crash may come between.
    pub(super) fn again(&self, operation: Operation, input: &[u8], is_it: &dyn Fn(&Sighting) -> bool) -> Option<Came> {
        let mut came = DEPTHS.iter().rev().map(|&depth| self.ask(operation, input, depth));
        came.find(|came| came.sightings.iter().any(is_it))
    }

    /// The least that has to be asked to see a sighting again.
    pub(super) fn least_depth(&self, operation: Operation, input: &[u8], sighting: &Sighting) -> Depth {
        let shows = |depth: &Depth| self.shows(operation, input, sighting, *depth);
        DEPTHS.into_iter().find(shows).unwrap_or(Depth::Whole)
    }

    /// Whether an input shows the same.
    pub(super) fn shows(&self, operation: Operation, input: &[u8], sighting: &Sighting, depth: Depth) -> bool {
        self.ask(operation, input, depth).sightings.iter().any(|other| other.is_like(sighting))
    }

    fn ask(&self, operation: Operation, input: &[u8], depth: Depth) -> Came {
        let observed = match operation {
            Operation::CheckRequest => self.check_request(input, depth),
            Operation::CheckResponse => self.check_response(input, depth),
            _ => Observed::of(self.fuzzed.subject(), &Given::of(operation, input), &[operation], depth),
        };
        let Some(observed) = observed.has(operation).then_some(observed) else { return Came::default() };
        if let Some(crash) = observed.crash(operation) {
            let sightings = vec![Sighting::of_crash(crash, &self.fuzzed.last_words())];
            return Came { outcome: Outcome::Crashed, sightings };
        }
        let trial = Trial::of(&observed);
        let mut sightings: Vec<Sighting> = Vec::new();
        for rule in nearest_first(self.rules, operation) {
            let Some(Verdict::Broken(violations)) = trial.judge(rule) else { continue };
            let is_told = |violation: &&Violation| !is_of_naming(violation) && !self.is_known(violation);
            for violation in violations.iter().filter(is_told) {
                let sighting = Sighting::of(violation);
                // A refusal breaks all rules, and is reported once.
                let is_known =
                    |other: &Sighting| other.is_like(&sighting) || other.kind == sighting.kind && sighting.is_refusal;
                if !sightings.iter().any(is_known) {
                    sightings.push(sighting);
                }
            }
        }
        let is_refused = is_refused(&observed) || sightings.iter().any(|one| one.is_refusal);
        Came { outcome: if is_refused { Outcome::Refused } else { Outcome::Answered }, sightings }
    }

    /// Whether a violation is a known deviation of the subject. A case is one of a run; of it the kind counts here.
    fn is_known(&self, violation: &Violation) -> bool {
        let name = self.fuzzed.subject().name();
        let is_kind = |known: &Known| match &known.kind {
            Some(kind) => *kind == violation.kind,
            None => known.case.is_none(),
        };
        let is_it = |known: &Known| known.rule == violation.rule && is_kind(known);
        self.known.iter().any(|known| is_it(known) && known.is_of(name))
    }

    /// Asks about a request; skips input that is not a request.
    fn check_request(&self, input: &[u8], depth: Depth) -> Observed {
        let Some(request) = str::from_utf8(input).ok().filter(|text| Request::read(text).is_ok()) else {
            return Observed::default();
        };
        let ask = || self.fuzzed.subject().check_request(request, self.host).into_answer();
        let ask_all = || {
            let answer = ask()?;
            let again = depth.asks_again(2).then(ask).flatten();
            Some(Checked { request: request.to_owned(), host: self.host, answer, again })
        };
        let answers = guarded(|| Some(Ok(vec![ask_all()?])));
        Observed { check_request: answers, ..Observed::default() }
    }

    /// Asks about a reply; skips input that is no reply.
    fn check_response(&self, input: &[u8], depth: Depth) -> Observed {
        let Some(response) = str::from_utf8(input).ok().filter(|_| Reply::read(input).is_ok()) else {
            return Observed::default();
        };
        let ask = || CheckedResponse::ask(self.fuzzed.subject(), response.to_owned(), depth);
        let answers = guarded(|| Some(Ok(vec![ask()?])));
        Observed { check_response: answers, ..Observed::default() }
    }
}

/// Whether a subject refused where a rule lets it.
fn is_refused(observed: &Observed) -> bool {
    let of_stream = observed.accumulate.iter().flatten().flatten().any(|answer| answer.output.is_err());
    let of_request = observed.check_request.iter().flatten().flatten().any(|answer| answer.answer.is_err());
    let of_response = observed.check_response.iter().flatten().flatten().any(|answer| answer.answer.is_err());
    of_stream || of_request || of_response
}

/// Those of some rules that are on an operation. That answers differ comes first, since it explains all else. Of the rules on readers, the
/// one on all records comes last: a nearer one says more.
fn nearest_first(rules: &[&'static Rule], operation: Operation) -> Vec<&'static Rule> {
    let mut rules: Vec<_> = rules.iter().copied().filter(|rule| rule.operation() == operation).collect();
    let rank = |rule: &Rule| (!rule.id.ends_with("/deterministic"), rule.id == "wire/json-object", distance(rule.id));
    rules.sort_by_key(|rule| rank(rule));
    rules
}

/// The material that an input is.
#[derive(Default)]
struct Given {
    transcript: Vec<u8>,
    streams: Vec<Vec<StreamItem>>,
}

impl Given {
    fn of(operation: Operation, input: &[u8]) -> Self {
        match operation {
            Operation::Accumulate => {
                let is_sound = |item: &StreamItem| !matches!(item, StreamItem::Message(json) if !is_message(json));
                let items = items(input).into_iter().filter(is_sound).collect();
                Self { streams: vec![items], ..Self::default() }
            }
            _ => Self { transcript: input.to_vec(), ..Self::default() },
        }
    }
}

/// Whether a text is a message that may join a stream. Other texts may be refused, and so may a message that nests so
/// deep that a list of it cannot be read.
fn is_message(json: &str) -> bool {
    let is_read = || serde_json::from_str::<Entry>(json).is_ok_and(|entry| entry.into_message().is_some());
    serde_json::from_str::<serde_json::Value>(&format!("{}{json}{}", "[".repeat(8), "]".repeat(8))).is_ok() && is_read()
}

impl Material for Given {
    fn transcript(&self) -> &[u8] {
        &self.transcript
    }

    fn messages(&self) -> &[String] {
        &[]
    }

    fn project_context(&self) -> Option<String> {
        None
    }

    fn ids(&self) -> Vec<&str> {
        Vec::new()
    }

    fn indexes(&self) -> &[u64] {
        &[]
    }

    fn streams(&self) -> &[Vec<StreamItem>] {
        &self.streams
    }

    fn inputs(&self) -> String {
        "[]".to_owned()
    }

    /// What is recorded after a mutated file may hang on anything.
    fn is_conversation(&self) -> bool {
        false
    }

    fn session(&self) -> Option<Session> {
        None
    }

    fn factory_calls(&self) -> Vec<FactoryCall> {
        Vec::new()
    }

    fn whole_conversation(&self) -> Option<(String, Vec<String>)> {
        None
    }
}
