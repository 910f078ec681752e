//! The *summary* of a night, for the morning: a table, what was found and how to replay it; and the same as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::report::{count, size};

use super::super::time::in_words;
use super::finding::{Finding, Kind};
use super::folders::FileError;
use super::merge::Merged;
use super::state::{State, Store};
use super::table::{Row, table};

/// What a night came to.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    /// The version of turnproof.
    version: &'static str,
    began: String,
    ended: Option<String>,
    /// How long it was to be, and how long it was.
    time_seconds: f64,
    done_seconds: f64,
    executions: u64,
    crashes: u64,
    targets: Vec<TargetLine>,
    finds: Vec<FindLine>,
    #[serde(skip)]
    text: String,
}

/// A target.
#[derive(Debug, Serialize)]
struct TargetLine {
    target: String,
    seconds: f64,
    slices: u64,
    executions: u64,
    executions_per_second: u64,
    coverage: Option<u64>,
    features: Option<u64>,
    corpus: Option<u64>,
    crashes: u64,
    finds: u64,
    /// Files of the corpus before and after the merge; none where it stayed as it was.
    merged: Option<Merged>,
    trouble: Option<String>,
}

/// Something found.
#[derive(Debug, Serialize)]
struct FindLine {
    target: String,
    #[serde(flatten)]
    kind: Kind,
    message: String,
    times: u64,
    is_new: bool,
    first: String,
    file: Option<PathBuf>,
    bytes: u64,
    is_smaller: bool,
    artifact: Option<PathBuf>,
    replay: Option<String>,
}

impl Summary {
    /// The summary of the night that a state is about.
    pub(super) fn of(state: &State, merged: &BTreeMap<String, Merged>) -> Self {
        let night = &state.night;
        let rows: Vec<Row<'_>> = night.targets.iter().map(|target| Row::of(state, target)).collect();
        let targets = rows.iter().map(|row| target_line(row, merged.get(row.target).copied()));
        Self {
            version: env!("CARGO_PKG_VERSION"),
            began: night.began.clone(),
            ended: night.ended.clone(),
            time_seconds: night.time.as_secs_f64(),
            done_seconds: night.done.as_secs_f64(),
            executions: rows.iter().map(|row| row.account.executions).sum(),
            crashes: rows.iter().map(|row| row.account.crashes).sum(),
            targets: targets.collect(),
            finds: state.found_tonight().map(find_line).collect(),
            text: text(state, rows, merged),
        }
    }

    /// Writes it beside the state, as text and as JSON.
    pub(super) fn write(&self, store: &Store) -> Result<(), FileError> {
        store.put("summary.txt", self.text.as_bytes())?;
        let mut json = serde_json::to_vec_pretty(self).unwrap_or_default();
        json.push(b'\n');
        store.put("summary.json", &json)
    }

    /// As people read it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether anything was found.
    pub(super) fn has_finds(&self) -> bool {
        !self.finds.is_empty()
    }

    /// Whether any input was tried.
    pub(super) fn has_run(&self) -> bool {
        self.executions > 0
    }
}

fn target_line(row: &Row<'_>, merged: Option<Merged>) -> TargetLine {
    let account = &row.account;
    TargetLine {
        target: row.target.to_owned(),
        seconds: account.spent.as_secs_f64(),
        slices: account.slices,
        executions: account.executions,
        executions_per_second: account.rate(),
        coverage: account.coverage,
        features: account.features,
        corpus: account.corpus,
        crashes: account.crashes,
        finds: row.finds,
        merged,
        trouble: account.trouble.clone(),
    }
}

fn find_line(finding: &Finding) -> FindLine {
    FindLine {
        target: finding.target.clone(),
        kind: finding.kind.clone(),
        message: finding.message.clone(),
        times: finding.times,
        is_new: finding.is_new,
        first: finding.first.clone(),
        file: finding.file.clone(),
        bytes: finding.bytes,
        is_smaller: finding.is_smaller,
        artifact: finding.artifact.clone(),
        replay: replay(finding),
    }
}

/// The command that holds the law against the case again.
fn replay(finding: &Finding) -> Option<String> {
    let file = finding.file.as_ref()?;
    Some(format!("cargo run -p turnproof-fuzz --bin {} -- {}", finding.target, file.display()))
}

fn text(state: &State, mut rows: Vec<Row<'_>>, merged: &BTreeMap<String, Merged>) -> String {
    for row in &mut rows {
        if let Some(Merged { before, after }) = merged.get(row.target) {
            row.doing = format!("{} to {}", count(*before), count(*after));
        }
    }
    let mut text = table(&rows, "corpus merged").render();
    let found: Vec<&Finding> = state.found_tonight().collect();
    let night = &state.night;
    let executions = rows.iter().map(|row| row.account.executions).sum();
    let _ = writeln!(
        text,
        "\nfrom {}: {} of {}, {}, {}",
        night.began,
        in_words(night.done),
        in_words(night.time),
        size(executions, "execution"),
        size(found.len() as u64, "find"),
    );
    for row in &rows {
        if let Some(trouble) = &row.account.trouble {
            let _ = writeln!(text, "{}: {trouble}", row.target);
        }
    }
    for (number, finding) in found.iter().enumerate() {
        text.push_str(&about(number + 1, finding));
    }
    text
}

/// A paragraph about a finding.
fn about(number: usize, finding: &Finding) -> String {
    let place = finding.kind.place().map(|place| format!(" at {place}")).unwrap_or_default();
    let since = match finding.is_new {
        true => String::new(),
        false => format!(", known since {}", finding.first),
    };
    let times = size(finding.times, "time");
    let mut text = format!("\n{number}. {}: {}{place}\n", finding.target, finding.kind.in_words());
    let _ = writeln!(text, "   {times}{since}; it says: {}", finding.message);
    match (&finding.file, replay(finding)) {
        (Some(file), Some(replay)) => {
            let how = if finding.is_smaller { "made smaller" } else { "as it was found" };
            let _ = writeln!(text, "   case ({}, {how}): {}", size(finding.bytes, "byte"), file.display());
            let _ = writeln!(text, "   replay: {replay}");
        }
        _ => text.push_str("   no case: the input is lost; `--sanitizer address` may keep it\n"),
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::line::Pulse;
    use super::super::state::Account;
    use super::*;

    fn state() -> State {
        let mut state = State::default();
        let targets = ["parse", "crash"].map(str::to_owned).to_vec();
        state.begin(Duration::from_secs(3600), targets, "2026-01-02T03:04:05Z".to_owned());
        state.night.done = Duration::from_secs(3600);
        let pulse = Pulse { executions: 5_000, coverage: Some(812), features: Some(900), corpus: Some(77) };
        let parse =
            Account { slices: 2, crashes: 3, ..Account::default().with(Duration::from_secs(100), pulse) };
        *state.account("parse") = parse;
        state.account("crash").trouble = Some("ended with 1: it did not say why".to_owned());
        let finding = Finding {
            target: "parse".to_owned(),
            kind: Kind::of_panic("src/fuzzing/parse.rs:6:20", "lines are kept: one is not"),
            message: "lines are kept: one is not".to_owned(),
            file: Some("tests/regressions/fuzz/parse/lines-are-kept-00c0ffee".into()),
            bytes: 2,
            is_smaller: true,
            artifact: Some("fuzz/artifacts/parse/crash-1".into()),
            first: "2026-01-02T03:05:05Z".to_owned(),
            times: 3,
            is_new: true,
        };
        let kind = Kind::Signal { words: "signal: 11 (SIGSEGV)".to_owned() };
        let lost = Finding {
            kind,
            message: "died without a word; no input is left".to_owned(),
            file: None,
            is_new: false,
            times: 1,
            ..finding.clone()
        };
        state.found(finding);
        state.found(lost);
        state
    }

    #[test]
    fn the_text_tells_what_ran_and_how_to_replay_what_was_found() {
        let merged = BTreeMap::from([("parse".to_owned(), Merged { before: 1200, after: 77 })]);
        assert_eq!(
            Summary::of(&state(), &merged).text(),
            "\
target    time  executions  a second  coverage  corpus  crashes  finds  corpus merged
parse   1m 40s       5,000        50       812      77        3      2  1,200 to 77
crash       0s           0         0         -       -        0      0

from 2026-01-02T03:04:05Z: 1h 00m of 1h 00m, 5,000 executions, 2 finds
crash: ended with 1: it did not say why

1. parse: lines are kept at src/fuzzing/parse.rs:6:20
   3 times; it says: lines are kept: one is not
   case (2 bytes, made smaller): tests/regressions/fuzz/parse/lines-are-kept-00c0ffee
   replay: cargo run -p turnproof-fuzz --bin parse -- tests/regressions/fuzz/parse/lines-are-kept-00c0ffee

2. parse: signal: 11 (SIGSEGV)
   1 time, known since 2026-01-02T03:05:05Z; it says: died without a word; no input is left
   no case: the input is lost; `--sanitizer address` may keep it
"
        );
    }

    #[test]
    fn the_json_has_the_same_figures() {
        let summary = Summary::of(&state(), &BTreeMap::new());
        let json = serde_json::to_value(&summary).expect("JSON");
        assert_eq!(json["executions"], 5_000);
        assert_eq!(json["done_seconds"], 3600.0);
        assert_eq!(json["targets"][0]["executions_per_second"], 50);
        assert_eq!(json["targets"][0]["finds"], 2);
        assert_eq!(json["targets"][1]["coverage"], serde_json::Value::Null);
        assert_eq!(json["finds"][0]["kind"], "panic");
        assert_eq!(json["finds"][0]["place"], "src/fuzzing/parse.rs:6:20");
        assert_eq!(json["finds"][0]["times"], 3);
        assert_eq!(json["finds"][1]["replay"], serde_json::Value::Null);
        assert!(summary.has_finds() && summary.has_run());
        let nothing = Summary::of(&State::default(), &BTreeMap::new());
        assert!(!nothing.has_finds() && !nothing.has_run());
    }
}
