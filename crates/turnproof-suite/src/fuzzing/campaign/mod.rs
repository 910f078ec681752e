//! A *campaign* fuzzes a subject of somebody else: mutated transcripts, streams and requests, the answers judged by the
//! rules, and each *find* reported once, shrunk and kept.
//!
//! Input number `n` of a seed is the same each time ([`Corpus::input`]), so a campaign continues where it ended, and
//! says the same whatever the jobs. The subject is any [`Fuzzed`]: a program, or one in Rust.

mod ask;
mod corpus;
mod find;
mod problem;
mod reduce;
mod store;
mod summary;
mod trace;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::operation::{Host, Operation};
use crate::rules::Rule;
use crate::subject::{Stop, Subject};
use crate::suite::Known;

use super::mutate::Shape;

use ask::{Asked, Came, Outcome, Sighting};
use reduce::{Reduced, reduce};

pub use corpus::{Corpus, LONGEST};
pub use find::{Find, State};
pub use problem::Problem;
pub use reduce::HANGS;
pub use store::{Store, StoreError};
pub use summary::{Account, Summary};

/// The operations that can be fuzzed.
pub const FUZZED: [Operation; 5] =
    [Operation::Parse, Operation::Resume, Operation::Accumulate, Operation::CheckRequest, Operation::CheckResponse];

/// The shape of the inputs of an operation.
pub const fn shape_of(operation: Operation) -> Shape {
    match operation {
        Operation::Accumulate | Operation::CheckResponse => Shape::Stream,
        Operation::CheckRequest => Shape::Request,
        _ => Shape::Transcript,
    }
}

/// Who is fuzzed.
pub trait Fuzzed: Sync {
    /// The subject.
    fn subject(&self) -> &dyn Subject;

    /// What it wrote to standard error before it crashed last at a question of this thread.
    fn last_words(&self) -> String {
        String::new()
    }

    /// What it says, in lines, while `ask` asks it: for people who look at a find.
    fn says(&self, ask: &mut dyn FnMut()) -> Vec<String> {
        ask();
        Vec::new()
    }
}

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The operations, in the order of [`FUZZED`].
    pub operations: Vec<Operation>,
    /// The seed of all inputs.
    pub seed: u64,
    /// How many inputs of each operation; `None` for as many as there is time for.
    pub inputs: Option<u64>,
    /// The time limit, if there is one. Inputs under way are finished.
    pub time: Option<Duration>,
    /// How many threads ask. 0 for one a core.
    pub jobs: usize,
    /// The most smaller inputs that are tried for one find.
    pub tries: usize,
    /// The host that requests are judged for.
    pub host: Host,
    /// The rules that judge.
    pub rules: Vec<&'static Rule>,
    /// Deviations that are known: no find is made of them.
    pub known: Vec<Known>,
    /// What time it is, for [`Find::since`].
    pub now: String,
}

/// What a campaign reports while it runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// So many inputs more were tried.
    Tried(u64),
    /// A kind that was not known: the find, and its input.
    New(&'a Find, &'a [u8]),
    /// A known find that was replayed, and fails as it did.
    Still(&'a Find),
    /// A known find that was replayed, and does not fail any more.
    Gone(&'a Find),
    /// A find that had gone, and fails again.
    Back(&'a Find),
    /// A kind of crash at each question: the campaign ends.
    OnlyCrashes(&'a str),
}

/// How many kinds of one rule, and how many kinds of crash, are reported.
const KINDS: usize = 32;

/// How many inputs are shared out at once at most, and at first.
const BATCH: u64 = 256;
const FIRST_BATCH: u64 = 8;

/// While a batch takes less than this, the next one is larger; else it is smaller.
const SHORT: Duration = Duration::from_millis(400);

/// So many crashes and no answer end a campaign.
const HOPELESS: u64 = 24;

/// Runs a campaign: replays what is kept, then tries inputs from where the last one ended.
///
/// # Errors
/// When the folder cannot be written, or the threads cannot be started.
pub fn run(
    fuzzed: &dyn Fuzzed,
    options: &Options,
    corpus: &Corpus,
    store: &mut Store,
    stop: &Stop,
    report: &mut (dyn FnMut(Event<'_>) -> Result<(), StoreError> + Send),
) -> Result<Summary, StoreError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build().map_err(StoreError::Threads)?;
    let asked = Asked { fuzzed, host: options.host, rules: &options.rules, known: &options.known };
    let mut campaign =
        Campaign { asked, options, corpus, store, stop, report, began: Instant::now(), had: BTreeMap::new() };
    pool.install(|| campaign.run())
}

struct Campaign<'a, 't> {
    asked: Asked<'a>,
    options: &'a Options,
    corpus: &'a Corpus,
    store: &'a mut Store,
    stop: &'a Stop,
    report: &'t mut (dyn FnMut(Event<'_>) -> Result<(), StoreError> + Send),
    began: Instant,
    /// How many inputs each operation has had in this run, and how many it gets next.
    had: BTreeMap<Operation, (u64, u64)>,
}

impl Campaign<'_, '_> {
    fn run(&mut self) -> Result<Summary, StoreError> {
        let series = format!("seed {}, {}", self.options.seed, self.corpus.name());
        self.store.begin(self.asked.fuzzed.subject().name(), &series);
        self.replay()?;
        match self.options.time {
            // Within a time the operations take turns, so that each has its share.
            Some(_) => self.take_turns()?,
            // One after the other, so that reports do not depend on how fast the subject is.
            None => {
                for &operation in &self.options.operations {
                    while self.try_some(operation)? {
                        self.store.save(self.began.elapsed())?;
                    }
                }
            }
        }
        self.store.save(self.began.elapsed())
    }

    fn take_turns(&mut self) -> Result<(), StoreError> {
        let mut left = self.options.operations.clone();
        while !left.is_empty() {
            for operation in std::mem::take(&mut left) {
                if self.try_some(operation)? {
                    left.push(operation);
                }
            }
            self.store.save(self.began.elapsed())?;
        }
        Ok(())
    }

    /// Tries the next inputs of an operation; gives whether there is more to do.
    fn try_some(&mut self, operation: Operation) -> Result<bool, StoreError> {
        let (had, batch) = self.had.get(&operation).copied().unwrap_or((0, FIRST_BATCH));
        let size = batch.min(self.options.inputs.map_or(u64::MAX, |most| most - had));
        if size == 0 || self.is_over() {
            return Ok(false);
        }
        let asked = Instant::now();
        let tried = self.try_inputs(operation, size)?;
        let batch = if asked.elapsed() < SHORT { (batch * 2).min(BATCH) } else { (batch / 2).max(FIRST_BATCH) };
        self.had.insert(operation, (had + tried, batch));
        Ok(tried == size && !self.is_hopeless(operation)?)
    }

    fn is_over(&self) -> bool {
        self.is_stopped() || self.options.time.is_some_and(|time| self.began.elapsed() >= time)
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// Whether an operation only crashes.
    fn is_hopeless(&mut self, operation: Operation) -> Result<bool, StoreError> {
        let account = self.store.account(operation);
        let is_hopeless = account.crashed >= HOPELESS && account.inputs == account.crashed;
        if is_hopeless {
            (self.report)(Event::OnlyCrashes(operation.name()))?;
        }
        Ok(is_hopeless)
    }

    /// Asks the known finds again, those of the chosen rules, and crashes.
    fn replay(&mut self) -> Result<(), StoreError> {
        for index in 0..self.store.finds().len() {
            let find = &self.store.finds()[index];
            let is_chosen = |rule: &str| self.options.rules.iter().any(|chosen| chosen.id == rule);
            let is_asked =
                self.options.operations.contains(&find.operation) && find.rule.as_deref().is_none_or(is_chosen);
            if !is_asked || self.is_stopped() {
                continue;
            }
            let (operation, input) = (find.operation, self.store.input(find)?);
            let shows = self.asked.again(operation, &input, &|sighting| find.is_of(operation, sighting)).is_some();
            // Nobody may have waited for the answer.
            if self.is_stopped() {
                return Ok(());
            }
            let find = &mut self.store.finds_mut()[index];
            let event = match (find.state, shows) {
                (State::Failing, true) => Event::Still,
                (State::Failing, false) => Event::Gone,
                (State::Gone, true) => Event::Back,
                (State::Gone, false) => continue,
            };
            if find.state == State::Gone {
                find.since.clone_from(&self.options.now);
            }
            find.state = if shows { State::Failing } else { State::Gone };
            let find = &self.store.finds()[index];
            self.store.write(find)?;
            (self.report)(event(find))?;
        }
        Ok(())
    }

    /// Tries the next inputs; gives how many. They are fewer when the campaign is stopped meanwhile.
    fn try_inputs(&mut self, operation: Operation, size: u64) -> Result<u64, StoreError> {
        let from = self.store.account(operation).next;
        let (asked, corpus, seed, stop) = (&self.asked, self.corpus, self.options.seed, self.stop);
        let ask = |number: u64| {
            let input = (!stop.is_set()).then(|| corpus.input(operation, seed, number))?;
            let came = asked.sample(operation, &input, number);
            // Else nobody may have waited for the answer.
            (!stop.is_set()).then_some((number, input, came))
        };
        let came: Vec<_> = (from..from + size).into_par_iter().map(ask).collect();
        let mut tried = 0;
        // What comes after a gap is asked next time.
        for (number, input, came) in came.into_iter().map_while(|came| came) {
            self.count(operation, &came);
            self.look_at(operation, number, &input, &came.sightings)?;
            tried += 1;
        }
        (self.report)(Event::Tried(tried))?;
        Ok(tried)
    }

    fn count(&mut self, operation: Operation, came: &Came) {
        let account = self.store.account_mut(operation);
        account.inputs += 1;
        account.next += 1;
        match came.outcome {
            Outcome::Answered => account.answered += 1,
            Outcome::Refused => account.refused += 1,
            Outcome::NotDone => account.not_done += 1,
            Outcome::Crashed => account.crashed += 1,
        }
    }

    /// Counts the sightings of known kinds, and makes finds of others. A sighting that the smallest input of a find
    /// always shows is the same mistake seen by another rule.
    fn look_at(
        &mut self,
        operation: Operation,
        number: u64,
        input: &[u8],
        sightings: &[Sighting],
    ) -> Result<(), StoreError> {
        let mut explained: Vec<String> = Vec::new();
        let mut unknown = Vec::new();
        for sighting in sightings {
            let known = self.store.finds_mut().iter_mut().find(|find| find.is_of(operation, sighting));
            match known.filter(|find| find.state == State::Failing) {
                Some(known) => {
                    known.times += 1;
                    explained.extend_from_slice(&known.beside);
                }
                None => unknown.push(sighting),
            }
        }
        for sighting in unknown {
            if explained.contains(&sighting.name()) {
                continue;
            }
            let is_near = |find: &&Find| find.operation == operation && find.rule.as_deref() == sighting.rule;
            if self.store.finds().iter().filter(is_near).count() >= KINDS {
                self.store.account_mut(operation).untold += 1;
                continue;
            }
            let (find, smallest) = self.find_of(operation, number, input, sighting);
            explained.extend_from_slice(&find.beside);
            let is_back = self.store.finds().iter().any(|known| known.is_of(operation, sighting));
            let find = self.store.add(find, &smallest)?;
            (self.report)(if is_back { Event::Back(find) } else { Event::New(find, &smallest) })?;
        }
        Ok(())
    }

    /// The find that a sighting is, with the smallest input found.
    fn find_of(&self, operation: Operation, number: u64, input: &[u8], sighting: &Sighting) -> (Find, Vec<u8>) {
        let depth = self.asked.least_depth(operation, input, sighting);
        let shows = |bytes: &[u8]| self.asked.shows(operation, bytes, sighting, depth);
        let tries = if sighting.is_hang() { self.options.tries.min(HANGS) } else { self.options.tries };
        let Reduced { bytes, tries, is_cut_off } = reduce(input, shape_of(operation), tries, &shows, self.stop);
        let mut came = None;
        let is_it = |other: &Sighting| other.is_like(sighting);
        let said = self.asked.fuzzed.says(&mut || came = self.asked.again(operation, &bytes, &is_it));
        let said = if self.is_stopped() { Vec::new() } else { said };
        let came = came.unwrap_or_default();
        let again = came.sightings.iter().find(|other| other.is_like(sighting));
        // Where nobody was asked again, the first sighting counts. What does not happen again is reported as found.
        let is_again = again.is_some() || self.is_stopped();
        let (bytes, shown) = if is_again { (bytes, again.unwrap_or(sighting)) } else { (input.to_vec(), sighting) };
        let others = came.sightings.iter().filter(|other| !other.is_like(sighting));
        let find = Find {
            operation,
            rule: sighting.rule.map(str::to_owned),
            kind: sighting.kind.clone(),
            place: shown.place.clone(),
            found: shown.found.clone(),
            expected: shown.expected.clone(),
            beside: others.filter(|_| again.is_some()).map(Sighting::name).collect(),
            seed: self.options.seed,
            number,
            before: input.len(),
            bytes: bytes.len(),
            tries,
            is_cut_off,
            is_again,
            said,
            times: 1,
            since: self.options.now.clone(),
            state: State::Failing,
            input: String::new(),
        };
        (find, bytes)
    }
}
