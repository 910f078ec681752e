//! The *state* of the night on disk: what each target has had, and what was found. It is written after each slice and
//! each finding, so that a stop at any moment loses no more than a slice.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::finding::{Finding, Kind};
use super::folders::FileError;
use super::line::Pulse;

/// Another layout of the file has another number.
const VERSION: u32 = 1;

/// What is known of this night, and of findings from those before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    version: u32,
    /// The night under way, or the last one.
    pub(super) night: Night,
    /// By target, what it has had this night.
    pub(super) targets: BTreeMap<String, Account>,
    /// In the order in which they came.
    pub(super) findings: Vec<Finding>,
}

/// A night.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Night {
    /// How long it is to be.
    pub(super) time: Duration,
    /// Which targets run.
    pub(super) targets: Vec<String>,
    /// When it began; empty where there has been none.
    pub(super) began: String,
    /// When it was over; none while it is under way.
    pub(super) ended: Option<String>,
    /// How much of it is over.
    pub(super) done: Duration,
}

/// What a target has had in a night.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Account {
    /// Its share: slices that ended early count whole.
    pub(super) share: Duration,
    /// How long it ran.
    pub(super) spent: Duration,
    pub(super) slices: u64,
    pub(super) executions: u64,
    pub(super) crashes: u64,
    pub(super) coverage: Option<u64>,
    pub(super) features: Option<u64>,
    pub(super) corpus: Option<u64>,
    /// Why the last slice could not go on to its end.
    pub(super) trouble: Option<String>,
}

impl Account {
    /// How far it is with a run under way.
    pub(super) fn with(&self, spent: Duration, pulse: Pulse) -> Self {
        Self {
            spent: self.spent + spent,
            executions: self.executions + pulse.executions,
            coverage: self.coverage.max(pulse.coverage),
            features: self.features.max(pulse.features),
            corpus: pulse.corpus.or(self.corpus),
            ..self.clone()
        }
    }

    /// Executions a second.
    pub(super) fn rate(&self) -> u64 {
        let seconds = self.spent.as_secs_f64();
        if seconds > 0.0 { (self.executions as f64 / seconds).round() as u64 } else { 0 }
    }
}

impl Default for State {
    fn default() -> Self {
        Self { version: VERSION, night: Night::default(), targets: BTreeMap::new(), findings: Vec::new() }
    }
}

impl State {
    /// Whether there is a night that was stopped.
    pub(super) fn is_under_way(&self) -> bool {
        !self.night.began.is_empty() && self.night.ended.is_none()
    }

    /// Whether a call with this time and these targets goes on with a night that was stopped.
    pub(super) fn goes_on(&self, time: Duration, targets: &[String]) -> bool {
        self.is_under_way() && self.night.time == time && self.night.targets == targets
    }

    /// Begins a night: everybody starts from nothing, but what was found before stays known.
    pub(super) fn begin(&mut self, time: Duration, targets: Vec<String>, began: String) {
        self.night = Night { time, targets, began, ..Night::default() };
        self.targets.clear();
        for finding in &mut self.findings {
            (finding.times, finding.is_new) = (0, false);
        }
    }

    /// The account of a target.
    pub(super) fn account(&mut self, target: &str) -> &mut Account {
        self.targets.entry(target.to_owned()).or_default()
    }

    /// The kinds of crash that need not be filed again. Those whose case somebody took away are not known.
    pub(super) fn known(&self, target: &str) -> Vec<Kind> {
        let is_there = |file: &PathBuf| file.exists();
        let of_target = self.findings.iter().filter(|finding| finding.target == target);
        let known = of_target.filter(|finding| finding.file.as_ref().is_none_or(is_there));
        known.map(|finding| finding.kind.clone()).collect()
    }

    /// Takes a finding in; it takes the place of one of the same kind.
    pub(super) fn found(&mut self, finding: Finding) {
        let is_same = |other: &&mut Finding| other.target == finding.target && other.kind == finding.kind;
        match self.findings.iter_mut().find(is_same) {
            Some(other) => {
                let (times, is_new) = (other.times + finding.times, other.is_new);
                *other = Finding { times, is_new, first: other.first.clone(), ..finding };
            }
            None => self.findings.push(finding),
        }
    }

    /// Counts a crash of a known kind.
    pub(super) fn again(&mut self, target: &str, kind: &Kind) {
        let is_same = |finding: &&mut Finding| finding.target == target && finding.kind == *kind;
        self.findings.iter_mut().filter(is_same).for_each(|finding| finding.times += 1);
    }

    /// What came this night.
    pub(super) fn found_tonight(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.times > 0)
    }
}

/// Why there is no place for the state.
#[derive(Debug, thiserror::Error)]
pub(super) enum StoreError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Somebody else is at it.
    #[error("another `turnproof fuzz-all` works in {}; wait for it, or stop it", .0.display())]
    Taken(PathBuf),
}

/// The folder of the state. While there is one, no other process has it.
#[derive(Debug)]
pub(super) struct Store {
    folder: PathBuf,
    /// Free again when this process ends, however that happens.
    _lock: File,
}

impl Store {
    /// Makes the folder where there is none.
    pub(super) fn open(folder: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(folder).map_err(FileError::at(folder))?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(FileError::at(&path))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(StoreError::Taken(folder.to_owned())),
            // Where files cannot be locked at all, nothing keeps two processes apart.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { folder: folder.to_owned(), _lock: lock }),
        }
    }

    /// The state as it was written last, and what there is to say about that. A file that was half written is laid
    /// aside; then the one before counts.
    pub(super) fn load(&self) -> Result<(State, Option<String>), FileError> {
        let [path, before, aside] = self.paths();
        let mut warning = None;
        match read(&path) {
            Ok(Some(state)) => return Ok((state, None)),
            Ok(None) => {}
            Err(why) => {
                fs::rename(&path, &aside).map_err(FileError::at(&path))?;
                let aside = aside.display();
                warning = Some(format!("{} cannot be read: {why}; it is {aside} now", path.display()));
            }
        }
        match read(&before) {
            Ok(Some(state)) => {
                let warning = warning.map(|words| format!("{words}, and the one before counts"));
                Ok((state, warning))
            }
            _ => Ok((State::default(), warning)),
        }
    }

    /// Writes the state: whole, or not at all.
    pub(super) fn save(&self, state: &State) -> Result<(), FileError> {
        let [path, before, _] = self.paths();
        let json = serde_json::to_vec_pretty(state).map_err(|error| FileError::at(&path)(error.into()))?;
        let new = self.prepare(&path, &json)?;
        match fs::rename(&path, &before) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::at(&path)(error)),
            _ => fs::rename(&new, &path).map_err(FileError::at(&path)),
        }
    }

    /// Writes another file beside the state: whole, or not at all.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        let path = self.folder.join(name);
        let new = self.prepare(&path, bytes)?;
        fs::rename(&new, &path).map_err(FileError::at(&path))
    }

    /// Writes what is to become a file, so that nothing but a rename is left to do.
    fn prepare(&self, path: &Path, bytes: &[u8]) -> Result<PathBuf, FileError> {
        let new = path.with_added_extension("new");
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(FileError::at(&new))?;
        Ok(new)
    }

    /// The state, the one before, and where one is laid that cannot be read.
    fn paths(&self) -> [PathBuf; 3] {
        ["state.json", "state.before.json", "state.broken.json"].map(|name| self.folder.join(name))
    }
}

/// None where there is no file.
fn read(path: &Path) -> Result<Option<State>, String> {
    let json = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| error.to_string())?,
    };
    let state: State = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    match state.version {
        VERSION => Ok(Some(state)),
        other => Err(format!("it is of version {other}, not {VERSION}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(target: &str, kind: Kind) -> Finding {
        Finding {
            target: target.to_owned(),
            kind,
            message: "a law: broken".to_owned(),
            file: None,
            bytes: 3,
            is_smaller: true,
            artifact: Some("fuzz/artifacts/parse/crash-1".into()),
            first: "2026-01-02T03:04:05Z".to_owned(),
            times: 1,
            is_new: true,
        }
    }

    fn full() -> State {
        let mut state = State::default();
        state.begin(Duration::from_secs(60), vec!["parse".to_owned()], "2026-01-02T03:04:05Z".to_owned());
        let pulse = Pulse { executions: 100, coverage: Some(7), features: None, corpus: Some(3) };
        *state.account("parse") = Account::default().with(Duration::from_millis(2500), pulse);
        state.found(finding("parse", Kind::of_panic("src/a.rs:1:2", "a law: broken")));
        state.found(finding("parse", Kind::Timeout));
        state
    }

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("night")).expect("a store");
        (folder, store)
    }

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let (_folder, store) = store();
        assert_eq!(store.load().expect("nothing"), (State::default(), None));
        let state = full();
        store.save(&state).expect("saved");
        assert_eq!(store.load().expect("a state"), (state, None));
    }

    #[test]
    fn a_state_that_is_half_written_is_laid_aside_and_the_one_before_counts() {
        let (_folder, store) = store();
        let (before, mut after) = (full(), full());
        after.account("parse").executions += 1;
        store.save(&before).expect("saved");
        store.save(&after).expect("saved");
        let [path, _, aside] = store.paths();
        let json = fs::read(&path).expect("a state");
        for end in [0, 1, json.len() / 2, json.len() - 2] {
            fs::write(&path, &json[..end]).expect("written");
            let (state, warning) = store.load().expect("the one before");
            assert_eq!(state, before);
            assert!(warning.is_some_and(|words| words.ends_with("and the one before counts")));
            assert_eq!(fs::read(&aside).expect("laid aside"), json[..end]);
        }
        // Stopped between the two renames.
        assert!(!path.exists());
        assert_eq!(store.load().expect("the one before"), (before, None));
    }

    #[test]
    fn without_anything_to_read_it_begins_anew_and_says_so() {
        let (_folder, store) = store();
        fs::write(&store.paths()[0], "{\"version\":1").expect("written");
        let (state, warning) = store.load().expect("a new one");
        assert_eq!(state, State::default());
        assert!(warning.is_some_and(|words| words.contains("cannot be read")));
        let other = State { version: VERSION + 1, ..full() };
        store.save(&other).expect("saved");
        let (state, warning) = store.load().expect("a new one");
        assert_eq!(state, State::default());
        assert!(warning.is_some_and(|words| words.contains("of version 2, not 1")));
    }

    #[test]
    fn two_processes_cannot_have_one_store() {
        let (folder, first) = store();
        let second = Store::open(&folder.path().join("night"));
        assert!(matches!(second, Err(StoreError::Taken(_))), "{second:?}");
        drop(first);
        Store::open(&folder.path().join("night")).expect("free again");
    }

    #[test]
    fn the_same_call_goes_on_and_another_one_begins() {
        let mut state = full();
        let (minute, targets) = (Duration::from_secs(60), vec!["parse".to_owned()]);
        assert!(state.goes_on(minute, &targets));
        assert!(!state.goes_on(minute * 2, &targets));
        assert!(!state.goes_on(minute, &["parse".to_owned(), "crash".to_owned()]));
        state.night.ended = Some("2026-01-02T04:04:05Z".to_owned());
        assert!(!state.goes_on(minute, &targets));
        assert!(!State::default().goes_on(Duration::ZERO, &[]));
    }

    #[test]
    fn a_finding_of_an_earlier_night_stays_known_and_is_counted_from_nothing() {
        let mut state = full();
        state.begin(Duration::from_secs(9), Vec::new(), "2026-01-03T03:04:05Z".to_owned());
        assert_eq!((state.found_tonight().count(), state.known("parse").len()), (0, 2));
        state.again("parse", &Kind::Timeout);
        state.again("crash", &Kind::Timeout);
        let tonight: Vec<_> = state.found_tonight().map(|found| (&found.kind, found.times)).collect();
        assert_eq!(tonight, [(&Kind::Timeout, 1)]);
        assert!(!state.findings[1].is_new);
    }

    #[test]
    fn a_finding_whose_case_was_taken_away_is_filed_again_in_its_place() {
        let (folder, _store) = store();
        let case = folder.path().join("case");
        fs::write(&case, "abc").expect("written");
        let mut state = State::default();
        state.found(Finding { file: Some(case.clone()), ..finding("parse", Kind::Memory) });
        assert_eq!(state.known("parse"), [Kind::Memory]);
        fs::remove_file(&case).expect("removed");
        assert_eq!(state.known("parse"), []);
        state.found(Finding { file: Some("elsewhere".into()), ..finding("parse", Kind::Memory) });
        assert_eq!(state.findings.len(), 1);
        assert_eq!((state.findings[0].times, &state.findings[0].file), (2, &Some("elsewhere".into())));
    }
}
