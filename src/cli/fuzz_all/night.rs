//! The *night*: slices of the targets on all cores until the time is over, and then the merges.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use crate::fuzzing::{Patience, Target};

use super::super::time::in_words;
use super::finding::Kind;
use super::line::Pulse;
use super::merge::{Merged, merge};
use super::run::Starter;
use super::share::{Next, Shares, WORTHWHILE};
use super::slice::{Event, Gain, Slice};
use super::state::{State, Store};
use super::summary::Summary;
use super::table::{Board, Row, slice_line};

/// How often the table is drawn where nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// The bounds of the time that the merge of one corpus may take.
const MERGE: (Duration, Duration) = (Duration::from_secs(10), Duration::from_secs(600));

/// A night to come, or the rest of one.
pub(super) struct Night<'a> {
    pub(super) targets: &'a [&'static Target],
    pub(super) starter: Starter<'a>,
    pub(super) jobs: usize,
    pub(super) slice: Duration,
    pub(super) store: &'a Store,
    pub(super) state: &'a mut State,
    pub(super) board: &'a Board,
}

/// What a thread tells: an event of the target with this index, or that its slice is over.
type Told = (usize, What);

enum What {
    Event(Event),
    Over(Gain),
}

/// A slice under way.
struct Running {
    began: Duration,
    time: Duration,
    pulse: Pulse,
}

/// What changes while the night runs.
struct Course {
    started: Instant,
    /// How much of the night was over before.
    before: Duration,
    shares: Shares,
    running: BTreeMap<usize, Running>,
}

impl Course {
    /// How much of the night is over.
    fn now(&self) -> Duration {
        self.before + self.started.elapsed()
    }
}

impl Night<'_> {
    /// Runs the targets until the time of the night is over.
    pub(super) fn run(&mut self) {
        let taken = self.targets.iter().map(|target| {
            self.state.targets.get(target.name).map_or(Duration::ZERO, |account| account.share)
        });
        let mut course = Course {
            started: Instant::now(),
            before: self.state.night.done,
            shares: Shares::new(taken),
            running: BTreeMap::new(),
        };
        let (targets, starter) = (self.targets, self.starter.clone());
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            while self.begin_slices(&mut course, |index, time, known| {
                start(scope, &sender, targets[index], (index, time), &starter, known);
            }) {
                self.listen(&mut course, &receiver);
                self.draw(&course);
            }
        });
        self.board.finish();
    }

    /// Gives free cores to targets; whether there is anything to wait for.
    fn begin_slices(&self, course: &mut Course, mut start: impl FnMut(usize, Duration, Vec<Kind>)) -> bool {
        let end = self.state.night.time;
        while course.running.len() < self.jobs {
            let now = course.now();
            let left = end.saturating_sub(now);
            if left < WORTHWHILE {
                break;
            }
            match course.shares.next(now) {
                Next::Target(index) => {
                    let time = self.slice.min(left);
                    course.shares.begin(index, now, time);
                    course.running.insert(index, Running { began: now, time, pulse: Pulse::default() });
                    start(index, time, self.state.known(self.targets[index].name));
                }
                // Too late for another slice, and nobody runs.
                Next::At(time) if time + WORTHWHILE > end => break,
                Next::At(_) => return true,
                Next::AllRun => break,
            }
        }
        !course.running.is_empty()
    }

    /// Waits for news and takes in what there is.
    fn listen(&mut self, course: &mut Course, receiver: &Receiver<Told>) {
        let mut told = receiver.recv_timeout(TICK);
        loop {
            match told {
                Ok((index, What::Event(event))) => self.happened(course, index, event),
                Ok((index, What::Over(gain))) => self.over(course, index, gain),
                // The sender lives as long as the night.
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
            let Ok(next) = receiver.try_recv() else { return };
            told = Ok(next);
        }
    }

    fn happened(&mut self, course: &mut Course, index: usize, event: Event) {
        let name = self.targets[index].name;
        match event {
            Event::Pulse(pulse) => {
                if let Some(running) = course.running.get_mut(&index) {
                    running.pulse = pulse;
                }
            }
            Event::Found(finding) => {
                let case = finding.file.as_ref().map(|file| format!(": {}", file.display()));
                let words = finding.kind.in_words();
                self.board.say(&format!("found in {name}: {words}{}", case.unwrap_or_default()));
                self.state.found(*finding);
                self.save();
            }
            Event::Again(kind) => self.state.again(name, &kind),
            Event::Trouble(words) => self.board.say(&format!("{name}: {words}")),
        }
    }

    /// A slice is over: the account of its target grows, and the state is written.
    fn over(&mut self, course: &mut Course, index: usize, gain: Gain) {
        let now = course.now();
        let name = self.targets[index].name;
        let Some(running) = course.running.remove(&index) else { return };
        let account = self.state.account(name);
        *account = account.with(now.saturating_sub(running.began), gain.pulse);
        account.share = course.shares.end(index, now);
        account.slices += 1;
        account.crashes += gain.crashes;
        account.trouble = gain.trouble;
        if let Some(trouble) = &account.trouble {
            self.board.say(&format!("{name}: {trouble}"));
        }
        self.state.night.done = now;
        self.save();
        if !self.board.is_live() {
            self.board.say(&slice_line(now, &Row::of(self.state, name)));
        }
    }

    /// Writes the state, and a summary in case that nothing else comes. A disk that is full for an hour is no reason to
    /// end the night.
    fn save(&self) {
        let summary = Summary::of(self.state, &BTreeMap::new());
        if let Err(error) = self.store.save(self.state).and_then(|()| summary.write(self.store)) {
            self.board.say(&format!("the state is not written: {error}"));
        }
    }

    fn draw(&self, course: &Course) {
        if !self.board.is_live() {
            return;
        }
        let now = course.now();
        let rows = self.targets.iter().enumerate().map(|(index, target)| {
            let mut row = Row::of(self.state, target.name);
            if let Some(running) = course.running.get(&index) {
                let ran = now.saturating_sub(running.began);
                row.account = row.account.with(ran, running.pulse);
                row.doing = format!("{} left", in_words(running.time.saturating_sub(ran)));
            }
            row
        });
        let heading = format!("{} of {}", in_words(now), in_words(self.state.night.time));
        self.board.draw(&heading, &rows.collect::<Vec<_>>());
    }

    /// Merges the corpora of the targets that ran; gives what became of them.
    pub(super) fn merge(&self) -> BTreeMap<String, Merged> {
        let ran = |target: &&&Target| self.state.targets.contains_key(target.name);
        let waiting = Mutex::new(self.targets.iter().filter(ran));
        let merged = Mutex::new(BTreeMap::new());
        let (least, most) = MERGE;
        let limit = (self.state.night.time / self.targets.len().max(1) as u32).clamp(least, most);
        let (starter, board) = (&self.starter, self.board);
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || {
            while let Some(target) = next() {
                match merge(starter, target.name, limit) {
                    Ok(Some(sizes)) => {
                        let mut merged = merged.lock().unwrap_or_else(PoisonError::into_inner);
                        merged.insert(target.name.to_owned(), sizes);
                    }
                    Ok(None) => {}
                    Err(error) => board.say(&format!("{}: not merged: {error}", target.name)),
                }
            }
        };
        thread::scope(|scope| (0..self.jobs).for_each(|_| drop(scope.spawn(work))));
        merged.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a slice on a thread of its own.
fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    sender: &Sender<Told>,
    target: &'static Target,
    (index, time): (usize, Duration),
    starter: &Starter<'scope>,
    known: Vec<Kind>,
) {
    let (sender, starter) = (sender.clone(), starter.clone());
    scope.spawn(move || {
        // Who listens does so until all slices are over.
        let tell = |event| drop(sender.send((index, What::Event(event))));
        let slice =
            Slice { target, starter: &starter, time, known, effort: Patience::default(), tell: &tell };
        let gain = slice.run();
        drop(sender.send((index, What::Over(gain))));
    });
}
