//! The *state* of a night is written after each slice, also as the summary, so that a night that was stopped goes on.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use turnproof::fuzzing::{Broken, Target};

use super::program::at;

/// This night, and the finds of earlier ones. Times are in seconds, with all cores at work.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// How long the night is to be.
    pub time: u64,
    pub began: String,
    /// When it was over; `None` while it is under way.
    pub ended: Option<String>,
    /// What each target has had, by its name.
    pub targets: BTreeMap<String, Account>,
    /// In the order in which they came.
    pub finds: Vec<Find>,
}

/// What a target has had in a night.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Account {
    pub seconds: u64,
    pub slices: u64,
    pub executions: u64,
    pub coverage: u64,
    /// How many inputs the corpus has.
    pub corpus: u64,
    /// How often it crashed, with any input.
    pub crashes: u64,
    /// How many inputs the corpus had before the merge, and after it.
    pub merged: Option<(usize, usize)>,
    /// What the user should know of the last slice.
    pub trouble: Option<String>,
}

/// All crashes at one place, of one rule.
#[derive(Debug, Serialize, Deserialize)]
pub struct Find {
    pub target: String,
    /// Where it panicked, as `file:line:column`; empty when it was no panic.
    pub place: String,
    /// The rule that is broken and the kind of the violation, where it is one; or what else ended the process.
    #[serde(default)]
    pub rule: Option<String>,
    /// What was said when it came first.
    pub message: String,
    /// The regression case.
    pub case: PathBuf,
    pub first: String,
    /// How many inputs of this night crashed so.
    pub times: u64,
}

impl Find {
    /// The first crash of its kind.
    pub fn new(target: &Target, crash: Broken, case: PathBuf, first: &str) -> Self {
        let (target, first) = (target.name.to_owned(), first.to_owned());
        Self { target, place: crash.place, rule: crash.rule, message: crash.message, case, first, times: 1 }
    }

    /// Whether this crash is another one of it.
    pub fn is_of(&self, target: &Target, crash: &Broken) -> bool {
        self.target == target.name && self.place == crash.place && self.rule == crash.rule
    }
}

impl Account {
    /// Adds a slice, and the numbers of libFuzzer's last status line, such as `#500: cov: 11 … oom/timeout/crash:
    /// 0/0/1`. `false` when there is no such line: the target cannot run.
    pub fn add(&mut self, seconds: u64, text: &str) -> bool {
        // At least one second, so that any number of slices comes to an end.
        (self.seconds, self.slices) = (self.seconds + seconds.max(1), self.slices + 1);
        let line = text.lines().rfind(|line| line.starts_with('#') && line.contains(" oom/timeout/crash: "));
        self.trouble = line.is_none().then(|| text.lines().last().unwrap_or("it did not say why").to_owned());
        let after = |name| line?.split_once(name)?.1.split_whitespace().next();
        let number = |name| after(name)?.trim_end_matches(':').parse::<u64>().ok();
        self.executions += number("#").unwrap_or(0);
        self.coverage = self.coverage.max(number(" cov: ").unwrap_or(0));
        self.corpus = number(" corp: ").unwrap_or(self.corpus);
        let crashes = after(" oom/timeout/crash: ").unwrap_or_default().split('/');
        self.crashes += crashes.filter_map(|number| number.parse::<u64>().ok()).sum::<u64>();
        line.is_some()
    }
}

impl State {
    /// The state that was written last, or a new one.
    pub fn read(path: &Path) -> io::Result<Self> {
        let json = if path.exists() { at(path, fs::read(path))? } else { return Ok(Self::default()) };
        at(path, serde_json::from_slice(&json).map_err(io::Error::from))
    }

    /// Goes on with the night that was stopped, or begins one; whether it goes on. Finds of earlier nights stay known.
    pub fn begin(&mut self, time: u64, targets: &[&Target], now: &str) -> bool {
        let targets = targets.iter().map(|target| (target.name.to_owned(), Account::default()));
        let targets = targets.collect::<BTreeMap<_, _>>();
        if self.ended.is_none() && self.time == time && self.targets.keys().eq(targets.keys()) {
            return true;
        }
        self.finds.iter_mut().for_each(|find| find.times = 0);
        let finds = std::mem::take(&mut self.finds);
        *self = Self { time, began: now.to_owned(), ended: None, targets, finds };
        false
    }

    /// How much of the night is over.
    pub fn done(&self) -> u64 {
        self.targets.values().map(|account| account.seconds).sum()
    }

    /// The target that has had the least time, and how many seconds it gets: half of its share, but 30 s to 15 min.
    /// `None` when the night is over.
    pub fn next<'a>(&self, targets: &[&'a Target]) -> Option<(&'a Target, u64)> {
        let had = |target: &&&Target| self.targets.get(target.name).map(|account| account.seconds);
        let target = targets.iter().min_by_key(had)?;
        let left = self.time.saturating_sub(self.done());
        let share = self.time / self.targets.len().max(1) as u64;
        let slice = (share / 2).clamp(30, 15 * 60).min(share).max(1).min(left);
        (slice > 0).then_some((*target, slice))
    }

    /// What came this night.
    pub fn tonight(&self) -> impl Iterator<Item = &Find> {
        self.finds.iter().filter(|find| find.times > 0)
    }
}

/// A time such as `8h 5m 12s`.
pub fn in_words(seconds: u64) -> String {
    format!("{:#}", SignedDuration::from_secs(seconds as i64))
}

/// What ran, and how to replay what was found.
pub fn text(state: &State) -> String {
    let mut text = String::from(
        "target                        time   executions  a second  coverage  corpus  crashes  corpus merged\n",
    );
    state.targets.iter().for_each(|(name, account)| text.push_str(&row(name, account)));
    let executions: u64 = state.targets.values().map(|account| account.executions).sum();
    let (done, time, finds) = (in_words(state.done()), in_words(state.time), state.tonight().count());
    let began = &state.began;
    let _ = writeln!(text, "\nfrom {began}: {done} of {time}, executions: {executions}, finds: {finds}");
    for Find { target, place, rule, message, case, first, times } in state.tonight() {
        let (case, what) = (case.display(), rule.as_deref().unwrap_or("a law"));
        let _ = write!(
            text,
            "\n{target}: {what}\n  place: {place}\n  it says: {message}\n  inputs: {times}, first {first}\n  case: {case}\n  \
             replay: cargo run -p turnproof-fuzz --bin {target} -- {case}\n"
        );
    }
    text
}

/// The line of a target in the table; at its end stands what the user should know.
pub fn row(name: &str, account: &Account) -> String {
    let Account { seconds, executions, coverage, corpus, crashes, .. } = account;
    let (time, rate) = (in_words(*seconds), executions / (*seconds).max(1));
    let merged = account.merged.map(|(before, after)| format!("{before} to {after}"));
    let last = account.trouble.clone().or(merged).unwrap_or_default();
    let figures = format!("{time:>11} {executions:>12} {rate:>9} {coverage:>9} {corpus:>7} {crashes:>8}");
    format!("{}\n", format!("{name:<22} {figures}  {last}").trim_end())
}

#[cfg(test)]
mod tests {
    use turnproof::fuzzing::{CRASH, PARSE, RESUME};

    use super::*;

    #[test]
    fn all_targets_get_the_same_time_within_a_slice() {
        let (targets, mut state) = ([&PARSE, &CRASH, &RESUME], State::default());
        state.begin(1000, &targets, "");
        while let Some((target, seconds)) = state.next(&targets) {
            // libFuzzer is late by a second.
            state.targets.entry(target.name.to_owned()).or_default().add(seconds + 1, "");
        }
        let had: Vec<u64> = state.targets.values().map(|account| account.seconds).collect();
        assert!(had.iter().all(|had| (167..=501).contains(had)), "{had:?}");
        assert!((1000..1002).contains(&state.done()), "{had:?}");
    }
}
