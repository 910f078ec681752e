//! *Shrinking* a case keeps its violation and takes away the rest (SPEC 9.4). Violations of another *kind* are other
//! mistakes, so each kind gets a smallest case of its own.

use std::collections::HashSet;

use crate::rules::{Rule, Verdict, Violation};
use crate::scenario::{Case, Profile, Scenario, simpler};
use crate::subject::{Crash, Stop, Subject};

use super::{Depth, Observed, every_client, judge};

/// The most steps that are tried for one case, unless other options are given.
pub(super) const MOST_TRIES: usize = 20_000;

/// A case that was made smaller.
pub(super) struct Shrunk {
    pub(super) scenario: Scenario,
    /// Its violations as they were seen last; none where no step was taken.
    pub(super) seen: Vec<Violation>,
    /// Whether there were more steps to try than were allowed.
    pub(super) is_cut_off: bool,
}

/// Who is asked, and by which rule it is judged.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) subject: &'a dyn Subject,
    pub(super) rule: &'a Rule,
    /// Whether the rule is asked [as of every client](every_client).
    pub(super) every_client: bool,
    /// What ends the run: then nobody is asked any more.
    pub(super) stop: &'a Stop,
}

impl Asked<'_> {
    /// The verdict on a scenario, when so much is asked.
    pub(super) fn verdict(&self, scenario: &Scenario, depth: Depth) -> Option<Verdict> {
        let observed = Observed::of(self.subject, &Case::of(scenario), &[self.rule.operation()], depth);
        match self.every_client {
            true => every_client::judge(self.rule, scenario, &observed),
            false => judge(self.rule, &observed),
        }
    }

    /// The violations of a kind that a scenario has, when so much is asked.
    fn shown(&self, scenario: &Scenario, kind: &str, depth: Depth) -> Vec<Violation> {
        of_kind(self.verdict(scenario, depth), kind)
    }

    /// The least that has to be asked to see the violation. A subject whose tries are few is slow, and most rules look
    /// at the first answer alone.
    fn least_depth(&self, kind: &str, scenario: &Scenario) -> Depth {
        let shows = |depth: &Depth| !self.shown(scenario, kind, *depth).is_empty();
        [Depth::One(0), Depth::One(1)].into_iter().find(shows).unwrap_or(Depth::Whole)
    }
}

/// The simplest scenario found from `scenario` that still has a violation of the same [kind](super::kind) as the first.
/// No single step of [`simpler`] leads to a simpler one.
pub fn shrink(subject: &dyn Subject, rule: &Rule, scenario: Scenario) -> Scenario {
    let asked = Asked { subject, rule, every_client: false, stop: &Stop::default() };
    let Some(Verdict::Broken(violations)) = asked.verdict(&scenario, Depth::Whole) else { return scenario };
    let Some(first) = violations.first() else { return scenario };
    shrink_kind(&asked, &kind(first), scenario, MOST_TRIES).scenario
}

/// The simplest scenario found from `scenario`, with so many tries, that still has a violation of this
/// [kind](super::kind).
pub(super) fn shrink_kind(asked: &Asked<'_>, kind: &str, scenario: Scenario, tries: usize) -> Shrunk {
    let depth = if tries < MOST_TRIES { asked.least_depth(kind, &scenario) } else { Depth::Whole };
    let (mut current, mut seen) = (scenario, Vec::new());
    // No scenario is judged twice.
    let mut tried = HashSet::new();
    'smaller: loop {
        for candidate in simpler(&current) {
            if tried.contains(&candidate) || !every_client::may_stand_for(&candidate, &current) {
                continue;
            }
            if tried.len() >= tries || asked.stop.is_set() {
                return Shrunk { scenario: current, seen, is_cut_off: true };
            }
            tried.insert(candidate.clone());
            let shown = asked.shown(&candidate, kind, depth);
            if !shown.is_empty() {
                (current, seen) = (candidate, shown);
                continue 'smaller;
            }
        }
        return Shrunk { scenario: current, seen, is_cut_off: false };
    }
}

/// How many messages a scenario has: the lines of the plan, or what its conversation yields.
pub fn size(scenario: &Scenario) -> usize {
    match scenario.profile {
        Profile::Causal => Case::of(scenario).messages().len(),
        Profile::Plain => scenario.turns.len(),
        _ => scenario.lines.len(),
    }
}

const LONGEST: usize = 120;

/// The kind of a violation: what was found, without the values that depend on the case. Those are words with a digit,
/// quoted text, JSON, and all that follows a colon. The message of a panic or crash is kept to its end.
///
/// Violations of one kind count as one mistake.
pub fn kind(violation: &Violation) -> String {
    kind_of(&violation.found)
}

/// The kind of a violation in which this was found.
pub(super) fn kind_of(found: &str) -> String {
    let kept = match found.split_once(": ") {
        Some((before, _)) if !found.contains("panicked") && !found.starts_with(Crash::WORDS) => before,
        _ => found,
    };
    let kept = without_values(kept);
    let is_value = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
    let mut words: Vec<&str> = kept.split_whitespace().map(|word| if is_value(word) { VALUE } else { word }).collect();
    // A list of values counts as one value.
    words.dedup_by(|next, last| *next == VALUE && *last == VALUE);
    words.join(" ").chars().take(LONGEST).collect()
}

/// Whether a violation says that the subject crashed.
pub(super) fn is_crash(violation: &Violation) -> bool {
    violation.found.starts_with(Crash::WORDS)
}

/// Whether a violation says that there is no answer: the subject crashed or panicked. Each rule on the operation is broken
/// then.
pub(super) fn has_no_answer(violation: &Violation) -> bool {
    is_crash(violation) || violation.found.starts_with("the subject panicked: ")
}

const VALUE: &str = "#";

/// What ends a value that was cut because it was too long.
const CUT: char = '…';

/// The text without quoted texts and JSON.
fn without_values(found: &str) -> String {
    let mut kept = String::new();
    let mut rest = found.chars();
    while let Some(next) = rest.next() {
        match next {
            '"' | '`' => {
                skip_quoted(&mut rest, next);
                kept.push_str(VALUE);
            }
            '{' | '[' => {
                skip_nested(&mut rest);
                kept.push_str("{}");
            }
            other => kept.push(other),
        }
    }
    kept
}

/// The violations of one kind that a verdict holds.
pub(super) fn of_kind(verdict: Option<Verdict>, wanted: &str) -> Vec<Violation> {
    let Some(Verdict::Broken(mut violations)) = verdict else { return Vec::new() };
    violations.retain(|violation| kind(violation) == wanted);
    violations
}

/// Skips the rest of a quoted text. True when it was closed, false when it was cut.
fn skip_quoted(rest: &mut impl Iterator<Item = char>, quote: char) -> bool {
    while let Some(next) = rest.next() {
        match next {
            '\\' => drop(rest.next()),
            CUT => return false,
            _ if next == quote => return true,
            _ => {}
        }
    }
    false
}

/// Skips the rest of an object or list, which may be cut.
fn skip_nested(rest: &mut impl Iterator<Item = char>) {
    let mut depth = 1;
    while let Some(next) = rest.next() {
        match next {
            '"' if !skip_quoted(rest, '"') => return,
            CUT => return,
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}
