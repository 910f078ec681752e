//! A *slice* of the night: one target on one core for some time, started again after each crash.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::fuzzing::{Patience, Target};

use super::filing::{Filed, file};
use super::finding::{Finding, Kind};
use super::line::Pulse;
use super::now;
use super::run::{Crash, End, Starter};
use super::share::WORTHWHILE;

/// After so many crashes of one kind a target waits for its next slice.
const MOST_OF_A_KIND: u32 = 5;

/// After so many crashes a target waits, of whatever kinds they are.
const MOST_CRASHES: u64 = 50;

/// What happens in a slice, told while it runs.
#[derive(Debug)]
pub(super) enum Event {
    /// So far it has come.
    Pulse(Pulse),
    /// A crash of a kind that nobody knew.
    Found(Box<Finding>),
    /// A crash of a known kind.
    Again(Kind),
    /// Something that the user should know.
    Trouble(String),
}

/// What a slice came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Gain {
    /// How far its runs came together.
    pub(super) pulse: Pulse,
    /// How often the target crashed.
    pub(super) crashes: u64,
    /// Why it could not go on to the end.
    pub(super) trouble: Option<String>,
}

/// One target and its time.
pub(super) struct Slice<'a> {
    pub(super) target: &'static Target,
    pub(super) starter: &'a Starter<'a>,
    pub(super) time: Duration,
    /// The kinds that this target has crashed with before.
    pub(super) known: Vec<Kind>,
    pub(super) effort: Patience,
    pub(super) tell: &'a dyn Fn(Event),
}

impl Slice<'_> {
    /// Runs the target until the time is over, or until it makes no sense to go on.
    pub(super) fn run(mut self) -> Gain {
        let mut gain = Gain::default();
        let mut seen: HashMap<Kind, u32> = HashMap::new();
        if let Err(error) = self.starter.folders.make(self.target.name) {
            gain.trouble = Some(error.to_string());
            return gain;
        }
        let until = Instant::now() + self.time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left < WORTHWHILE && gain.crashes > 0 {
                return gain;
            }
            let before = gain.pulse;
            let tell = self.tell;
            let run = self.starter.fuzz(self.target.name, left, &mut |pulse| {
                tell(Event::Pulse(sum(before, *pulse)));
            });
            gain.pulse = sum(before, run.pulse);
            match run.end {
                End::Well => return gain,
                End::Failed(why) => {
                    gain.trouble = Some(why);
                    return gain;
                }
                End::Crashed(crash) => {
                    gain.crashes += 1;
                    let times = seen.entry(crash.kind.clone()).or_default();
                    *times += 1;
                    let is_enough = *times >= MOST_OF_A_KIND || gain.crashes >= MOST_CRASHES;
                    self.crashed(crash);
                    if is_enough {
                        return gain;
                    }
                }
            }
        }
    }

    fn crashed(&mut self, crash: Crash) {
        if let Some(artifact) = &crash.artifact {
            self.leave_out(artifact);
        }
        if self.known.contains(&crash.kind) {
            return (self.tell)(Event::Again(crash.kind));
        }
        self.known.push(crash.kind.clone());
        let filed = crash.artifact.as_deref().and_then(|artifact| self.file(&crash.kind, artifact));
        let Crash { kind, message, artifact } = crash;
        (self.tell)(Event::Found(Box::new(Finding {
            target: self.target.name.to_owned(),
            kind,
            message,
            bytes: filed.as_ref().map_or(0, |filed| filed.bytes),
            is_smaller: filed.as_ref().is_some_and(|filed| filed.is_smaller),
            file: filed.map(|filed| filed.file),
            artifact,
            first: now(),
            times: 1,
            is_new: true,
        })));
    }

    fn file(&self, kind: &Kind, artifact: &Path) -> Option<Filed> {
        let filed = file(self.target, kind, artifact, &self.starter.folders.regressions, self.effort);
        filed.map_err(|error| (self.tell)(Event::Trouble(format!("not filed: {error}")))).ok()
    }

    /// An input of the corpus that crashes, because the target has changed since, would end each run at its start.
    /// The artifact is the same, and both are named after their hash.
    fn leave_out(&self, artifact: &Path) {
        let name = artifact.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(hash) = name.as_deref().and_then(|name| name.rsplit('-').next()) else { return };
        let twin = self.starter.folders.corpus(self.target.name).join(hash);
        let is_same = fs::read(&twin).is_ok_and(|bytes| fs::read(artifact).is_ok_and(|found| found == bytes));
        if is_same && let Err(error) = fs::remove_file(&twin) {
            (self.tell)(Event::Trouble(format!("{}: {error}", twin.display())));
        }
    }
}

/// A pulse after earlier runs of the slice.
fn sum(before: Pulse, pulse: Pulse) -> Pulse {
    Pulse {
        executions: before.executions + pulse.executions,
        coverage: pulse.coverage.max(before.coverage),
        features: pulse.features.max(before.features),
        corpus: pulse.corpus.or(before.corpus),
    }
}
