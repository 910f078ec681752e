//! `turnproof resume` beside the official Python reader: which messages come back, and why they differ.
//!
//! Needs a Python with `claude-agent-sdk` (see `adapters/claude-agent-sdk/README.md`): the one that `TURNPROOF_PYTHON`
//! names, or `python3`. Without it the tests say that they are skipped.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::resume::{self, session};
use crate::transcripts;
use serde_json::{Value, json};
use turnproof_reference::transcript::resume::{NoteKind, Resume, ResumeOptions, resume};
use turnproof_reference::transcript::{DefectKind, Flag, Record, Transcript};
use turnproof_suite::scenario::{Profile, Scenario};

const ADAPTER: &str = "adapters/claude-agent-sdk/resume.py";

/// What the official reader answers: uuids, or the name of an error.
pub(crate) type Answer = Result<Vec<String>, String>;

/// Whether a record has a team. The client brings such records back; the official reader does not.
pub(crate) fn is_of_a_team(record: &Record<'_>) -> bool {
    let value: Value = serde_json::from_slice(record.bytes).unwrap_or_default();
    value["teamName"].is_string()
}

/// Starts the adapter, if there is a Python that has the package.
fn python() -> Option<Command> {
    let python = std::env::var("TURNPROOF_PYTHON").unwrap_or("python3".into());
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.arg(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(ADAPTER)).args(arguments);
        command
    };
    match command(&["--probe"]).output() {
        Ok(output) if output.status.success() => Some(command(&[])),
        Ok(output) => {
            eprintln!("skipped: {}", String::from_utf8_lossy(&output.stderr).trim());
            None
        }
        Err(error) => {
            eprintln!("skipped: cannot run {python}: {error}");
            None
        }
    }
}

/// Asks the official reader for each file. `None` when there is no official reader.
pub(crate) fn official(files: &[Vec<u8>]) -> Option<Vec<Answer>> {
    let mut child = python()?.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let mut lines = output.lines();
    let answers = files.iter().enumerate().map(|(number, file)| {
        let path = folder.path().join(format!("{number}.jsonl"));
        fs::write(&path, file).unwrap();
        writeln!(input, "{}", json!({"path": path})).unwrap();
        let answer: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        match answer["uuids"].as_array() {
            Some(uuids) => Ok(uuids.iter().map(|uuid| uuid.as_str().unwrap().to_owned()).collect()),
            None => Err(answer["error"].as_str().unwrap().to_owned()),
        }
    });
    let answers = answers.collect();
    drop(input);
    assert!(child.wait().unwrap().success());
    Some(answers)
}

/// A file, what we find in it, and what the official reader would show of that.
pub(crate) struct Ours {
    pub transcript: Transcript,
    resume: Option<Resume>,
    pub shown: Vec<String>,
}

impl Ours {
    pub(crate) fn of(file: &[u8]) -> Self {
        let transcript = Transcript::from_bytes(file.to_vec());
        let resume = resume(&transcript, &ResumeOptions::default()).ok();
        let mut ours = Self { transcript, resume, shown: Vec::new() };
        let shown = ours.records().into_iter().filter(is_shown);
        ours.shown = shown.map(|record| record.uuid().unwrap().into_owned()).collect();
        ours
    }

    /// The records that come back, in order.
    fn records(&self) -> Vec<Record<'_>> {
        let mut at: Vec<(u64, usize)> =
            self.transcript.records().enumerate().map(|(index, record)| (record.start, index)).collect();
        at.sort_unstable();
        let places = self.resume.iter().flat_map(|resume| &resume.places);
        let index = |start: u64| at[at.binary_search_by_key(&start, |&(start, _)| start).unwrap()].1;
        places.map(|place| self.transcript.record(index(place.start))).collect()
    }

    fn has_note(&self, is_kind: impl Fn(&NoteKind) -> bool) -> bool {
        self.resume.as_ref().is_some_and(|resume| resume.notes.iter().any(|note| is_kind(&note.kind)))
    }
}

fn is_speaker(record: &Record<'_>) -> bool {
    matches!(&*record.type_name(), "user" | "assistant")
}

fn is_shown(record: &Record<'_>) -> bool {
    is_speaker(record) && !record.head.has(Flag::Meta)
}

fn field(transcript: &Transcript, name: &str) -> Vec<Value> {
    let values = transcript.records().map(|record| serde_json::from_slice::<Value>(record.bytes));
    values.map(|value| value.map_or(Value::Null, |value| value[name].clone())).collect()
}

/// Why the two answers differ, by the trouble that the file has.
fn difference(ours: &Ours, theirs: &Answer) -> &'static str {
    let transcript = &ours.transcript;
    let parents = field(transcript, "parentUuid");
    let Ok(theirs) = theirs else {
        return if parents.iter().any(|parent| parent.is_object() || parent.is_array()) {
            "a parentUuid of a wrong type"
        } else {
            "unclassified: the official reader fails"
        };
    };
    if transcript.defects().iter().any(|defect| defect.kind == DefectKind::OneRecordPerLine) {
        return "glued records";
    }
    if ours.has_note(|kind| matches!(kind, NoteKind::CircleCut { .. })) {
        return "a circle";
    }
    if ours.has_note(|kind| matches!(kind, NoteKind::Bridged { .. })) {
        return "a dangling parent";
    }
    if ours.has_note(|kind| matches!(kind, NoteKind::PutBack { .. })) {
        return "a sibling notice";
    }
    let comes_back = |is_kind: fn(&Record<'_>) -> bool| ours.records().iter().any(is_kind);
    if comes_back(|record| record.type_name() == "hook_result") {
        return "new: a hook_result in the chain";
    }
    // The official reader prefers any other branch to one that ends with a meta message.
    let last = ours.records().into_iter().rfind(|record| is_speaker(record));
    if last.is_some_and(|record| record.head.has(Flag::Meta)) {
        return "new: a meta message at the end";
    }
    if ours.has_note(|kind| matches!(kind, NoteKind::Relinked { .. })) {
        return "new: what a boundary preserves";
    }
    if ours.has_note(|kind| matches!(kind, NoteKind::Withdrawn { .. } | NoteKind::WithdrawnResult)) {
        return "new: withdrawn records";
    }
    if comes_back(is_of_a_team) {
        return "new: messages of a team";
    }
    if ours.has_note(|kind| matches!(kind, NoteKind::Sidechain { .. })) {
        return "new: a leaf of a subagent";
    }
    let sorted = |uuids: &[String]| {
        let mut uuids = uuids.to_vec();
        uuids.sort_unstable();
        uuids
    };
    if sorted(&ours.shown) == sorted(theirs) && ours.has_note(|kind| matches!(kind, NoteKind::Recovered { .. })) {
        return "new: a reply in the order of the file";
    }
    "unclassified"
}

/// The file with one record a line, and each gap and circle closed as we do it. A difference that remains has another
/// cause.
fn repaired(ours: &Ours) -> Vec<u8> {
    let transcript = &ours.transcript;
    let mut values: Vec<Value> =
        transcript.records().map(|record| serde_json::from_slice(record.bytes).unwrap_or_default()).collect();
    let starts: Vec<u64> = transcript.records().map(|record| record.start).collect();
    let lines: Vec<u64> = transcript.records().map(|record| record.line).collect();
    for note in ours.resume.iter().flat_map(|resume| &resume.notes) {
        let (NoteKind::Bridged { to, .. } | NoteKind::CircleCut { to }) = note.kind else { continue };
        let at = starts.binary_search(&note.start).unwrap();
        // Of several records on a line the last one before is meant.
        let parent = to.and_then(|to| (0..at).rev().find(|&other| lines[other] == to && is_node(&values[other])));
        values[at]["parentUuid"] = parent.map_or(Value::Null, |parent| values[parent]["uuid"].clone());
    }
    for value in values.iter_mut().filter(|value| value["type"] == "hook_result") {
        value["type"] = json!("system");
    }
    // What no value can hold, such as half of a character, stays as it is written.
    let line = |(value, record): (&Value, Record<'_>)| match value {
        Value::Null => [record.bytes, b"\n"].concat(),
        value => format!("{value}\n").into_bytes(),
    };
    values.iter().zip(transcript.records()).flat_map(line).collect()
}

fn is_node(value: &Value) -> bool {
    value["uuid"].is_string() && matches!(value["type"].as_str(), Some("user" | "assistant" | "system" | "attachment"))
}

/// A file by its name, for the table.
type Named = (String, Vec<u8>);

fn real_files() -> Vec<Named> {
    let name = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    transcripts::files().iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

/// Asks both readers, prints a table of the differences, and asserts that each has a name and a cause.
fn compare(files: &[Named]) {
    let bytes: Vec<Vec<u8>> = files.iter().map(|(_, bytes)| bytes.clone()).collect();
    let Some(theirs) = official(&bytes) else { return };
    let mut table: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut to_repair = Vec::new();
    for ((name, file), theirs) in files.iter().zip(&theirs) {
        let ours = Ours::of(file);
        let class = if theirs.as_ref() == Ok(&ours.shown) { "the same" } else { difference(&ours, theirs) };
        let counts = (ours.shown.len(), theirs.as_ref().map_or(0, Vec::len));
        table.entry(class).or_default().push(format!("{name} {}/{}", counts.0, counts.1));
        if has_cause_that_can_be_repaired(class) {
            to_repair.push((name, ours));
        }
    }
    for (class, files) in &table {
        let shown = if *class == "the same" { String::new() } else { files.join(", ") };
        eprintln!("{:>4}  {class}: {shown}", files.len());
    }
    assert!(!table.keys().any(|class| class.starts_with("unclassified")), "{table:#?}");
    // A name is not enough. Without the trouble both must agree.
    let repaired: Vec<Vec<u8>> = to_repair.iter().map(|(_, ours)| repaired(ours)).collect();
    for (((name, ours), file), theirs) in to_repair.iter().zip(&repaired).zip(official(&repaired).unwrap()) {
        if theirs.as_ref() != Ok(&ours.shown) {
            // A file may have a second cause, which no repair removes.
            let second = difference(&Ours::of(file), &theirs);
            let is_named = second.starts_with("new: ") && !has_cause_that_can_be_repaired(second);
            assert!(is_named, "{name}, {second}: {theirs:?} for {:?}", ours.shown);
        }
    }
}

#[test]
fn on_real_transcripts_every_difference_has_a_name() {
    compare(&real_files());
}

#[test]
fn on_real_transcripts_with_a_line_left_out_every_difference_has_a_name() {
    let mut damaged = Vec::new();
    for (name, file) in real_files() {
        let lines: Vec<&[u8]> = file.split_inclusive(|&byte| byte == b'\n').collect();
        for part in [2, 3, 5] {
            let out = lines.len() / part;
            let rest = [&lines[..out], lines.get(out + 1..).unwrap_or_default()].concat().concat();
            damaged.push((format!("{name}-{out}"), rest));
        }
    }
    compare(&damaged);
}

#[test]
fn on_generated_conversations_every_difference_has_a_name() {
    let files: Vec<Named> =
        (0..400).map(|case| (case.to_string(), Scenario::from_seed(17, case, Profile::Causal).transcript())).collect();
    compare(&files);
}

/// Both readers find nothing in a subagent's file; as a session of its own it shows as much as others.
#[test]
fn on_real_subagents_read_as_sessions_every_difference_has_a_name() {
    let mut sessions = Vec::new();
    for (name, file) in real_files() {
        let ours = Ours::of(&file);
        if ours.resume.is_some() {
            continue;
        }
        let as_session = ours.transcript.records().map(|record| {
            let mut value: Value = serde_json::from_slice(record.bytes).unwrap();
            value.as_object_mut().unwrap().remove("isSidechain");
            value.as_object_mut().unwrap().remove("agentId");
            format!("{value}\n")
        });
        sessions.push((name, as_session.collect::<String>().into_bytes()));
    }
    compare(&sessions);
}

fn has_cause_that_can_be_repaired(difference: &str) -> bool {
    [
        "a parentUuid of a wrong type",
        "glued records",
        "a circle",
        "a dangling parent",
        "new: a hook_result in the chain",
    ]
    .contains(&difference)
}

/// Each difference that has a name: the name, our answer, theirs, and a file in the words of [`session`], where ` & `
/// separates records on one line.
const CASES: &[(&str, &str, Result<&str, &str>, &str)] = &[
    ("a dangling parent", "u1 a1 u2", Ok("u2"), "user u1 -; assistant a1 u1 m; user u2 lost"),
    ("a circle", "u1 a1", Ok(""), "user u1 a1; assistant a1 u1 m"),
    ("a parentUuid of a wrong type", "u1 a1", Err("TypeError"), "user u1 -; assistant a1 ? m parentUuid=[u1]"),
    ("glued records", "u1 a1 u2", Ok("u1"), "user u1 -; assistant a1 u1 m & user u2 a1"),
    ("a sibling notice", "p a u", Ok("p u"), "user p -; assistant a p m; system s p; user u s"),
    ("new: a hook_result in the chain", "u1 a1", Ok("a1"), "user u1 -; hook_result h u1; assistant a1 h m"),
    (
        "new: a meta message at the end",
        "u1 b1 u2",
        Ok("u1 a1"),
        "user u1 -; assistant a1 u1 m1; assistant b1 u1 m2; user u2 b1; user m u2 isMeta",
    ),
    ("new: what a boundary preserves", "c u1 u2", Ok("c u2"), "user u1 -; boundary b keeps=c,u1; user c b; user u2 c"),
    (
        "new: withdrawn records",
        "u1 a2",
        Ok("u1 a1 a2"),
        "user u1 -; assistant a1 u1 m1; assistant a2 a1 m2 supersedesUuids=[a1]",
    ),
    ("new: messages of a team", "u1 a1 t1", Ok("u1 a1"), "user u1 -; assistant a1 u1 m1; user t1 a1 teamName=blue"),
    (
        "new: a reply in the order of the file",
        "a1 a2 a3 u",
        Ok("a1 a3 a2 u"),
        "assistant a1 - m; assistant a2 a1 m timestamp=t2; assistant a3 a1 m timestamp=t1; user u a1",
    ),
];

fn file(words: &str) -> Vec<u8> {
    let record = |words: &str| resume::file(&session(words)).trim_ascii_end().to_vec();
    let line = |words: &str| words.split(" & ").flat_map(record).chain(*b"\n").collect::<Vec<u8>>();
    words.split("; ").flat_map(line).collect()
}

#[test]
fn each_named_difference_is_one() {
    let files: Vec<Vec<u8>> = CASES.iter().map(|(.., words)| file(words)).collect();
    for ((name, ours, ..), file) in CASES.iter().zip(&files) {
        assert_eq!(Ours::of(file).shown.join(" "), *ours, "{name}");
    }
    let Some(answers) = official(&files) else { return };
    for (((name, _, theirs, _), file), answer) in CASES.iter().zip(&files).zip(&answers) {
        let joined = answer.as_ref().map(|uuids| uuids.join(" "));
        assert_eq!(joined.as_deref().map_err(|error| error.as_str()), *theirs, "{name}");
        assert_eq!(difference(&Ours::of(file), answer), *name);
    }
    let can_be_repaired = CASES.iter().zip(&files).filter(|(case, _)| has_cause_that_can_be_repaired(case.0));
    let repaired: Vec<Vec<u8>> = can_be_repaired.clone().map(|(_, file)| repaired(&Ours::of(file))).collect();
    for (((name, ours, ..), _), answer) in can_be_repaired.zip(official(&repaired).unwrap()) {
        assert_eq!(answer.map(|uuids| uuids.join(" ")).as_deref(), Ok(*ours), "{name}");
    }
}
