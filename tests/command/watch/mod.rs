//! A *watch* tells what is new in a session that is being written, once, and the verdict when it changes.

mod files;
mod process;

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::Duration;

use turnproof::check::{Event, Options, Sink, TranscriptFile, Watch, check, verdict};
use turnproof_reference::transcript::Transcript;
use turnproof_rules::rules::{Rule, Severity};

const USER: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"Hi."}}"#;
const CALL: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}"#;
const CALL_BESIDE: &str = r#"{"type":"assistant","uuid":"a2","parentUuid":"a1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{}}]}}"#;
const RESULT: &str = r#"{"type":"user","uuid":"u2","parentUuid":"a1","toolUseResult":"done","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"done"}]}}"#;
const NEXT: &str = r#"{"type":"user","uuid":"u3","parentUuid":"a1","message":{"role":"user","content":"Go."}}"#;

/// A watch on a file in memory, at a time that the test says, and what it has told.
struct Watched {
    watch: Watch,
    file: Vec<u8>,
    now: Duration,
    told: Vec<String>,
}

/// An event in a few words.
fn words(event: &Event<'_>) -> String {
    match event {
        Event::Began { lines, known } => format!("began {lines} {known:?}"),
        Event::Finding(finding) => format!("{} {}", finding.line, finding.rule.id),
        Event::Gone { rule, count } => format!("gone {} {count}", rule.id),
        Event::Again(why) => format!("again {why:?}"),
        Event::Removed => "removed".to_owned(),
        Event::Verdict(verdict) => verdict.class.name().to_owned(),
        Event::Unreadable(error) => error.to_string(),
    }
}

/// Without the rules on single messages: the records here have few members.
fn options() -> Options {
    let is_asked = |rule: &&Rule| rule.severity >= Severity::Warning && !rule.id.starts_with("message/");
    let rules = Options::default().rules.into_iter().filter(is_asked).collect();
    Options { rules, legacy: false, ..Options::default() }
}

impl Watched {
    fn new(options: &Options) -> Self {
        Self { watch: Watch::new("f", options), file: Vec::new(), now: Duration::ZERO, told: Vec::new() }
    }

    fn append(&mut self, bytes: impl AsRef<[u8]>) {
        self.file.extend(bytes.as_ref());
        let told = &mut self.told;
        let mut tell = |event: Event<'_>| {
            told.push(words(&event));
            Ok(())
        };
        self.watch.append(bytes.as_ref(), self.now, &mut tell).unwrap();
    }

    fn wait(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
        let told = &mut self.told;
        let mut tell = |event: Event<'_>| {
            told.push(words(&event));
            Ok(())
        };
        self.watch.judge_if_due(self.now, &mut Cursor::new(&self.file), &mut tell).unwrap();
    }

    fn restart(&mut self) {
        self.file.clear();
        self.watch.restart(self.now);
    }

    fn end(&mut self) {
        let told = &mut self.told;
        let mut tell = |event: Event<'_>| {
            told.push(words(&event));
            Ok(())
        };
        self.watch.end(&mut Cursor::new(&self.file), &mut tell).unwrap();
    }

    /// What was told since the last time.
    fn said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.told)
    }
}

fn line(record: &str) -> String {
    format!("{record}\n")
}

fn append(path: &Path, text: &str) {
    use std::io::Write;
    fs::OpenOptions::new().append(true).create(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// Takes nothing but the counts.
struct Silent;

impl Sink for Silent {
    fn finding(&mut self, _: &turnproof::check::Finding<'_>) -> std::io::Result<()> {
        Ok(())
    }
}

fn stored(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|end| end == "jsonl") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}

#[test]
fn at_the_end_it_has_told_what_a_check_finds_however_the_file_was_written() {
    let mut with_findings = 0;
    let stored = ["tests/sessions", "tests/cases/reject", "tests/cases/accept"].into_iter().flat_map(stored);
    for path in stored.chain(crate::transcripts::files()) {
        let bytes = fs::read(&path).unwrap();
        let small = [(true, 7, 0), (false, 61, 1), (true, 400, 2), (false, usize::MAX, 1)];
        let large = [(true, bytes.len() / 9 + 1, 2), (false, bytes.len() / 3 + 1, 1)];
        let ways = if bytes.len() < 2_000 { &small[..] } else { &large[..] };
        for &(legacy, step, pause) in ways {
            let options = Options { legacy, ..Options::default() };
            let input = TranscriptFile::file(&path);
            let mut watched = Watched::new(&options);
            watched.watch = Watch::new("f", &options).with_session(input.session());
            for (index, part) in bytes.chunks(step.min(bytes.len().max(1))).enumerate() {
                watched.append(part);
                watched.wait(pause);
                if index == 2 {
                    // The file is written again.
                    let so_far = watched.file.clone();
                    watched.restart();
                    watched.append(so_far);
                }
            }
            watched.end();
            let mut tally = check(&[input], &options, &mut Silent).unwrap();
            // They ask for the whole file again, which a watch does not keep.
            tally.violations.retain(|rule, _| !rule.starts_with("sent/"));
            assert_eq!(watched.watch.standing(), tally.violations, "{}, {step}", path.display());
            let mut told: BTreeMap<String, i64> = BTreeMap::new();
            for said in &watched.told {
                match said.split(' ').collect::<Vec<_>>()[..] {
                    ["gone", rule, count] => *told.entry(rule.to_owned()).or_default() -= count.parse::<i64>().unwrap(),
                    [_, rule] if rule.contains('/') => *told.entry(rule.to_owned()).or_default() += 1,
                    _ => {}
                }
            }
            told.retain(|_, count| *count != 0);
            let found: BTreeMap<String, i64> =
                tally.violations.iter().map(|(rule, count)| ((*rule).to_owned(), *count as i64)).collect();
            assert_eq!(told, found, "{}, {step}", path.display());
            with_findings += usize::from(!found.is_empty());
            if !bytes.is_empty() {
                let whole = verdict(&Transcript::from_bytes(bytes.clone()));
                assert_eq!(watched.watch.verdict(), Some(&whole), "{}, {step}", path.display());
            }
        }
    }
    assert!(with_findings > 200, "{with_findings}");
}

#[test]
fn a_line_is_judged_when_its_lf_comes_and_the_whole_when_the_file_is_at_rest() {
    let mut watched = Watched::new(&options());
    watched.append(line(USER));
    watched.append("{\"type\":\"user\",\"uu");
    assert!(watched.said().is_empty());
    watched.append("id\":1}\n");
    assert_eq!(watched.said(), ["2 wire/typed-fields"]);
    watched.append(line(NEXT));
    assert!(watched.said().is_empty(), "its parent may still come");
    watched.wait(1);
    assert_eq!(watched.said(), ["3 chain/parent-exists", "damaged"]);
    watched.wait(100);
    assert!(watched.said().is_empty());
}

#[test]
fn a_last_line_without_lf_is_judged_at_rest_and_again_when_it_goes_on() {
    let mut watched = Watched::new(&options());
    watched.append(line(USER));
    watched.append(&CALL[..50]);
    watched.wait(1);
    assert_eq!(watched.said(), ["2 wire/terminated", "damaged"]);
    watched.append(&CALL[50..]);
    assert!(watched.said().is_empty());
    watched.wait(1);
    assert_eq!(watched.said(), ["gone wire/terminated 1", "healthy"], "a whole record without LF counts");
    watched.append("\n");
    watched.append(line(RESULT));
    watched.wait(1);
    assert!(watched.said().is_empty());
    watched.append(CALL.replace("a1", "a9").replace("u1", "u2").replace("m1", "m9").replace("t1", "t9"));
    watched.wait(9);
    assert!(watched.said().is_empty());
    watched.end();
    assert_eq!(watched.said(), ["4 tool/call-answered", "damaged"]);
}

#[test]
fn calls_are_open_as_long_as_their_reply_is_carried_out() {
    let mut watched = Watched::new(&options());
    for record in [USER, CALL, CALL_BESIDE] {
        watched.append(line(record));
        watched.wait(60);
    }
    watched.append(line(RESULT));
    watched.wait(60);
    assert_eq!(watched.said(), ["healthy"], "the other call may take long");
    watched.append(line(NEXT));
    watched.wait(1);
    assert_eq!(watched.said(), ["3 tool/call-answered"], "the conversation went on beside it");
}

#[test]
fn a_call_of_the_main_conversation_stays_open_while_a_subagent_speaks() {
    let mut watched = Watched::new(&options());
    let side = |record: &str| line(&record.replacen('{', "{\"isSidechain\":true,\"agentId\":\"b\",", 1));
    watched.append(line(USER) + &line(CALL));
    watched.append(side(&USER.replace("u1", "s1")));
    watched.append(side(&CALL.replace("u1", "s1").replace("a1", "s2").replace("m1", "m9").replace("t1", "t9")));
    watched.wait(1);
    assert_eq!(watched.said(), ["healthy"]);
    watched.end();
    assert_eq!(watched.said(), ["2 tool/call-answered", "4 tool/call-answered", "damaged"], "nothing more comes");
}

#[test]
fn what_is_written_anew_is_not_told_again_and_what_is_repairable_has_gone() {
    let mut watched = Watched::new(&options());
    let broken = line(USER) + "no json\n\0\0\0\n" + &line(&NEXT.replace("a1", "never"));
    watched.append(&broken);
    watched.wait(1);
    assert_eq!(watched.said(), ["2 wire/json-object", "3 wire/no-nul", "4 chain/parent-exists", "damaged"]);
    watched.restart();
    watched.append(&broken);
    watched.wait(1);
    assert!(watched.said().is_empty());
    watched.restart();
    watched.append(line(USER) + "\n" + &line(&NEXT.replace("a1", "never")) + "no json\n");
    watched.wait(1);
    assert_eq!(watched.said(), ["gone wire/no-nul 1", "damaged"], "the others stand on other lines");
    assert_eq!(watched.watch.standing().len(), 2);
}

#[test]
fn a_verdict_is_told_when_it_says_something_else_and_not_for_each_message() {
    let mut watched = Watched::new(&options());
    let mut parent = "null".to_owned();
    for index in 0..6 {
        let uuid = format!("\"x{index}\"");
        watched.append(line(&USER.replace("\"u1\"", &uuid).replace("null", &parent)));
        watched.wait(1);
        parent = uuid;
    }
    assert_eq!(watched.said(), ["healthy"]);
    assert_eq!(watched.watch.verdict().unwrap().comes_back, 6);
    watched.append("\0\0\n");
    watched.wait(1);
    assert_eq!(watched.said(), ["7 wire/no-nul", "damaged"]);
}

#[test]
fn a_file_that_never_rests_is_judged_now_and_then_and_a_large_one_more_rarely() {
    let mut watched = Watched::new(&options());
    watched.append(line(&NEXT.replace("a1", "never")));
    for tenth in 1..=120 {
        watched.append(line(r#"{"type":"summary","summary":"a","leafUuid":"u1"}"#));
        watched.now = Duration::from_millis(tenth * 100);
        watched.wait(0);
        if tenth == 99 {
            assert!(watched.said().is_empty());
        }
    }
    assert_eq!(watched.said(), ["1 chain/parent-exists", "damaged"]);
    // Five seconds pass for so many bytes.
    watched.append(" ".repeat(80 << 20) + "\n");
    watched.wait(2);
    assert!(!watched.watch.is_judged());
    watched.append("\0\n");
    watched.wait(2);
    assert_eq!(watched.said(), ["123 wire/no-nul", "damaged"]);
    assert!(watched.watch.is_judged());
}

#[test]
fn a_line_that_is_too_long_is_stepped_over_in_pieces() {
    let mut watched = Watched::new(&options());
    watched.watch = Watch::new("f", &options()).with_longest_line(300);
    watched.append(line(USER));
    for _ in 0..10 {
        watched.append("x".repeat(100));
        watched.wait(1);
    }
    assert_eq!(watched.watch.size(), watched.file.len() as u64);
    watched.append(format!("\n{NEXT}\n"));
    watched.wait(1);
    let said = watched.said();
    assert!(said.contains(&"2 wire/json-object".to_owned()), "{said:?}");
    assert!(said.contains(&"3 chain/parent-exists".to_owned()), "{said:?}");
}
