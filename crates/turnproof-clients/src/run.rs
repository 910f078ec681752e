//! A *run* plays what was kept, then the cases of a seed, and finds the smallest case of each breach.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use turnproof_suite::subject::Stop;

use crate::breach::{Breach, Key, Outcome};
use crate::deck::{Deck, PlayError};
use crate::kept::Kept;
use crate::play::CaseOutcome;

/// How much is played.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of all cases.
    pub seed: u64,
    /// How many cases.
    pub cases: u64,
    /// The most smaller cases that are tried for a breach.
    pub tries: usize,
    /// When to stop, if not at the last case.
    pub time: Option<Duration>,
    /// What ends it.
    pub stop: Stop,
}

/// A case that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its number; `None` for one that was kept.
    pub number: Option<u64>,
    /// What it has come to: the worst of its breaches.
    pub outcome: Outcome,
    /// What the client does wrong.
    pub breaches: Vec<Breach>,
    /// Whether something of the case could not be said, since no request of the client allows it.
    pub is_partial: bool,
}

impl Played {
    fn new(number: Option<u64>, CaseOutcome { breaches, is_partial }: CaseOutcome) -> Self {
        let worst = breaches.iter().map(|breach| breach.key.outcome).max();
        Self { number, outcome: worst.unwrap_or(Outcome::Right), breaches, is_partial }
    }
}

/// A breach with its smallest case.
#[derive(Clone, Debug)]
pub struct Found<C> {
    /// The breach, and the case.
    pub kept: Kept<C>,
    /// How many cases show it.
    pub seen: u64,
    /// Whether it was kept before.
    pub is_known: bool,
}

/// What a run has come to.
#[derive(Clone, Debug)]
pub struct Report<C> {
    /// How many cases of the seed were played.
    pub cases: u64,
    /// How many that were kept were played.
    pub replayed: u64,
    /// How many cases of the seed came to what.
    pub outcomes: BTreeMap<Outcome, u64>,
    /// The breaches, in the order of their keys.
    pub found: Vec<Found<C>>,
    /// Breaches that a second run of their case did not show.
    pub unconfirmed: Vec<Breach>,
    /// Whether it was stopped before its last case.
    pub is_stopped: bool,
}

/// A run that is not over.
struct Running<'a, D: Deck> {
    deck: &'a D,
    options: &'a Options,
    found: BTreeMap<Key, Found<D::Case>>,
    unconfirmed: BTreeMap<Key, Breach>,
}

/// Plays what was kept, and the cases of a seed. Each case that was played is shown to `observer`.
///
/// # Errors
/// When the client cannot be played to at all.
pub fn run<D: Deck>(
    deck: &D,
    options: &Options,
    kept: Vec<Kept<D::Case>>,
    observer: &mut dyn FnMut(&Played),
) -> Result<Report<D::Case>, PlayError> {
    let mut running = Running { deck, options, found: BTreeMap::new(), unconfirmed: BTreeMap::new() };
    let mut report = Report {
        cases: 0,
        replayed: 0,
        outcomes: BTreeMap::new(),
        found: Vec::new(),
        unconfirmed: Vec::new(),
        is_stopped: false,
    };
    let start = Instant::now();
    let is_over = || options.stop.is_set() || options.time.is_some_and(|time| start.elapsed() >= time);
    for kept in kept {
        let Some(outcome) = running.play(&kept.case)? else { break };
        report.replayed += 1;
        let played = Played::new(None, outcome);
        observer(&played);
        running.replayed(kept, &played.breaches);
    }
    for number in 0..options.cases {
        if is_over() {
            break;
        }
        let case = deck.draw(options.seed, number);
        let Some(outcome) = running.play(&case)? else { break };
        let played = Played::new(Some(number), outcome);
        observer(&played);
        report.cases += 1;
        *report.outcomes.entry(played.outcome).or_default() += 1;
        for breach in played.breaches {
            running.note(breach, number, &case)?;
        }
    }
    report.is_stopped = report.cases < options.cases;
    report.found = running.found.into_values().collect();
    report.unconfirmed = running.unconfirmed.into_values().collect();
    Ok(report)
}

impl<D: Deck> Running<'_, D> {
    /// What a case comes to; `None` when the run is stopped.
    fn play(&self, case: &D::Case) -> Result<Option<CaseOutcome>, PlayError> {
        match self.deck.play(case) {
            Ok(outcome) => Ok(Some(outcome)),
            Err(PlayError::Stopped) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Notes whether a kept case still shows its breach. What else it shows is found by other cases.
    fn replayed(&mut self, kept: Kept<D::Case>, breaches: &[Breach]) {
        let shown = breaches.iter().find(|breach| breach.key == kept.breach.key);
        if let Some(breach) = shown {
            let kept = Kept { breach: breach.clone(), client: self.deck.client().title(), ..kept };
            self.found.insert(kept.breach.key.clone(), Found { kept, seen: 0, is_known: true });
        }
    }

    /// Counts a breach, and finds its smallest case when it is the first of its kind.
    fn note(&mut self, breach: Breach, number: u64, case: &D::Case) -> Result<(), PlayError> {
        let key = breach.key.clone();
        if let Some(found) = self.found.get_mut(&key) {
            found.seen += 1;
            return Ok(());
        }
        if self.unconfirmed.contains_key(&key) {
            return Ok(());
        }
        let shows =
            |case: &D::Case| self.deck.play(case).is_ok_and(|found| found.breaches.iter().any(|one| one.key == key));
        let smallest = self.deck.smallest(case, self.options.tries, &mut |case| shows(case));
        // A second run of it confirms the breach, and says it in the words of the smallest case.
        let again = self.play(&smallest)?.map(|outcome| outcome.breaches).unwrap_or_default();
        let Some(breach) = again.into_iter().find(|one| one.key == key) else {
            self.unconfirmed.insert(key, breach);
            return Ok(());
        };
        let client = self.deck.client().title();
        let origin = Some((self.options.seed, number));
        let kept = Kept { client, breach, origin, case: smallest };
        self.found.insert(key, Found { kept, seen: 1, is_known: false });
        Ok(())
    }
}

impl<C> Report<C> {
    /// The keys of all breaches.
    pub fn keys(&self) -> BTreeSet<Key> {
        self.found.iter().map(|found| found.kept.breach.key.clone()).collect()
    }
}
