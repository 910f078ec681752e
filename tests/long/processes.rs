//! Recorders in several processes: two that write to one file at once, and one that is killed at any moment.
//!
//! The test starts itself again with [`ROLE`] set. `TURNPROOF_LONG=1` takes more records and more kills.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use turnproof_reference::message::Event;
use turnproof_reference::transcript::write::{FileDisk, Held, Recorder, RecorderOptions};
use turnproof_reference::transcript::{Link, Reason, Transcript};

/// The environment variable with what a child does: `append` or `acknowledge`, a name, how many records.
const ROLE: &str = "TURNPROOF_RECORDING_CHILD";
/// The environment variable with the file's path.
const FILE: &str = "TURNPROOF_RECORDING_FILE";

fn is_long() -> bool {
    env::var_os("TURNPROOF_LONG").is_some_and(|value| value == "1")
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn message(uuid: &str, size: u64) -> Event {
    let text = format!(
        r#"{{"type":"user","uuid":"{uuid}","message":{{"role":"user","content":"{}"}}}}"#,
        "x".repeat(usize::try_from(size).unwrap())
    );
    serde_json::from_str(&text).unwrap()
}

/// Starts this test again as a child with a role.
fn start(role: &str, path: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "processes::what_a_child_process_does", "--nocapture"])
        .env(ROLE, role)
        .env(FILE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Does nothing unless it was started as a child.
#[test]
fn what_a_child_process_does() {
    let (Ok(role), Some(path)) = (env::var(ROLE), env::var_os(FILE)) else { return };
    let mut role = role.split(' ');
    let (job, name) = (role.next().unwrap(), role.next().unwrap());
    let count: u64 = role.next().unwrap().parse().unwrap();
    match job {
        "append" => append(Path::new(&path), name, count),
        "acknowledge" => acknowledge(Path::new(&path), name, count),
        other => panic!("{other} is no job"),
    }
}

/// Records this many messages, some at a time, beside another process that does the same.
fn append(path: &Path, name: &str, count: u64) {
    let mut numbers = Numbers(name.bytes().map(u64::from).sum());
    let mut recorder = Recorder::new(FileDisk::new(path), RecorderOptions::new("s1"));
    let mut list: Vec<Event> = Vec::new();
    for index in 0..count {
        list.push(message(&format!("{name}-{index}"), numbers.below(500)));
        if index + 1 == count || numbers.below(4) == 0 {
            recorder.record(&list).unwrap();
            let report = recorder.flush().unwrap();
            assert!(!report.healed, "the other one left half a line");
            list.drain(..list.len() - 1);
            if numbers.below(16) == 0 {
                // Otherwise, on a busy machine, each process would write everything at once.
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Records messages, and names each on standard output once a flush has returned, until it is killed.
fn acknowledge(path: &Path, name: &str, seed: u64) {
    let mut numbers = Numbers(seed);
    let mut recorder = Recorder::new(FileDisk::new(path), RecorderOptions::new("s1"));
    let mut list: Vec<Event> = Vec::new();
    let mut out = io::stdout();
    for index in 0.. {
        let size = if numbers.below(12) == 0 { numbers.below(6_000_000) } else { numbers.below(1_000) };
        list.push(message(&format!("{name}-{index}"), size));
        match numbers.below(8) {
            0 => drop(recorder.before_request(&list).unwrap()),
            1..=3 => {
                recorder.record(&list).unwrap();
                recorder.flush().unwrap();
            }
            _ => continue,
        }
        let named: String = list.iter().map(|event| format!("\nhas {}", uuid(event))).collect();
        out.write_all(format!("{named}\n").as_bytes()).unwrap();
        out.flush().unwrap();
        list.drain(..list.len() - 1);
    }
}

fn uuid(event: &Event) -> &str {
    event.envelope().uuid.as_str().unwrap()
}

/// The uuids of each writer's records in file order. Asserts that the parent of each is the one before.
fn chains(transcript: &Transcript) -> BTreeMap<String, Vec<String>> {
    let mut chains: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for record in transcript.records() {
        let uuid = record.uuid().unwrap().into_owned();
        let writer = uuid.split('-').next().unwrap().to_owned();
        let chain = chains.entry(writer).or_default();
        match (chain.last(), record.parent()) {
            (None, Link::Null) => {}
            (Some(last), Link::To(parent)) if *last == parent => {}
            (last, parent) => panic!("{uuid} after {last:?} has the parent {parent:?}"),
        }
        chain.push(uuid);
    }
    chains
}

#[test]
fn two_processes_on_one_file_never_tear_or_lose_a_line() {
    let count = if is_long() { 10_000 } else { 2_000 };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let children = ["a", "b"].map(|name| start(&format!("append {name} {count}"), &path));
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let transcript = Transcript::from_bytes(fs::read(&path).unwrap());
    assert_eq!(transcript.defects(), []);
    assert_eq!(transcript.rejected(), []);
    let bytes: usize = transcript.records().map(|record| record.bytes.len() + 1).sum();
    assert_eq!(bytes, transcript.bytes().len(), "records and their line ends are the whole file");
    let chains = chains(&transcript);
    for name in ["a", "b"] {
        let expected: Vec<String> = (0..count).map(|index| format!("{name}-{index}")).collect();
        assert_eq!(chains[name], expected);
    }
    let turns = transcript.records().map(|record| record.uuid().unwrap().starts_with('a'));
    let turns: Vec<bool> = turns.collect();
    let changes = turns.windows(2).filter(|pair| pair[0] != pair[1]).count();
    eprintln!("{} records, {changes} times the writers took turns", transcript.len());
    assert!(changes > 10, "the two did not write at once");
}

/// When a child is killed, once it has acknowledged something.
enum Moment {
    /// After a time.
    After(Duration),
    /// When the file is seen to grow. During a long write this is in the middle of it.
    WhenItGrows,
}

impl Moment {
    fn await_on(&self, path: &Path) {
        match self {
            Self::After(delay) => thread::sleep(*delay),
            Self::WhenItGrows => {
                let length = || fs::metadata(path).unwrap().len();
                let (before, start) = (length(), Instant::now());
                while length() < before + 100_000 && start.elapsed() < Duration::from_secs(10) {}
            }
        }
    }
}

/// Kills a child at a moment. Returns what it acknowledged.
fn kill_at(moment: &Moment, mut child: Child, path: &Path) -> BTreeSet<String> {
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut said = Vec::new();
    while !said.ends_with(b"has ") {
        assert!(reader.read_until(b' ', &mut said).unwrap() > 0, "the child ended by itself");
    }
    // The pipe is emptied meanwhile. Otherwise the child would wait for that, and not be killed while it writes.
    let rest = thread::spawn(move || {
        let mut rest = Vec::new();
        reader.read_to_end(&mut rest).unwrap();
        rest
    });
    moment.await_on(path);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), None, "the child was not killed");
    said.extend(rest.join().unwrap());
    // The last line may lack its end.
    let whole = &said[..said.iter().rposition(|&byte| byte == b'\n').unwrap_or(0)];
    let text = String::from_utf8(whole.to_vec()).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("has ")).map(str::to_owned).collect()
}

#[test]
fn what_was_acknowledged_before_a_kill_is_in_the_file_and_only_the_last_line_is_torn() {
    let kills = if is_long() { 100 } else { 10 };
    let folder = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(0x5eed);
    let (mut acknowledged, mut torn) = (0, 0);
    for kill in 0..kills {
        let path = folder.path().join(format!("{kill}.jsonl"));
        let child = start(&format!("acknowledge k {}", kill + 1), &path);
        let delay = Duration::from_micros(numbers.below(200_000));
        let moment = if kill % 2 == 0 { Moment::After(delay) } else { Moment::WhenItGrows };
        let named = kill_at(&moment, child, &path);
        let file = fs::read(&path).unwrap();
        torn += usize::from(is_sound_but_for_its_end(&file));
        let there = chains(&Transcript::from_bytes(file.clone())).remove("k").unwrap_or_default();
        let there: BTreeSet<String> = there.into_iter().collect();
        let lost: Vec<&String> = named.difference(&there).collect();
        assert!(lost.is_empty(), "kill {kill}: acknowledged, and not in the file: {lost:?}");
        acknowledged += named.len();
        continues(&path, &file);
        fs::remove_file(&path).unwrap();
    }
    eprintln!("{kills} kills, {acknowledged} records acknowledged, {torn} files with a torn last line");
    assert!(acknowledged >= kills);
}

/// Asserts that nothing but the end of a file is wrong. Returns whether the end is torn.
fn is_sound_but_for_its_end(file: &[u8]) -> bool {
    let transcript = Transcript::from_bytes(file.to_vec());
    let last_line = file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1) as u64;
    for defect in transcript.defects() {
        assert!(defect.start >= last_line, "{defect:?} is before the last line, at {last_line}");
        assert_eq!(defect.kind.rule(), "wire/terminated");
    }
    match transcript.rejected() {
        [] => false,
        [(start, end, reason)] => {
            assert_eq!((*start, *end, *reason), (last_line, file.len() as u64, Reason::CutShort));
            true
        }
        more => panic!("{more:?}"),
    }
}

/// A new recorder continues the file: it heals the end, and changes nothing else.
fn continues(path: &Path, before: &[u8]) {
    let held = Held::read(File::open(path).unwrap()).unwrap();
    let last = held.last.clone();
    let count = held.uuids.len();
    let disk = FileDisk::existing(path).unwrap();
    let mut recorder = Recorder::resumed(disk, RecorderOptions::new("s1"), held.uuids, held.last);
    let last = last.map(|uuid| message(uuid.as_str(), 0));
    let list: Vec<Event> = last.into_iter().chain([message("k-next", 10)]).collect();
    recorder.record(&list).unwrap();
    let is_torn = before.last().is_some_and(|&byte| byte != b'\n');
    assert_eq!(recorder.flush().unwrap().healed, is_torn);
    let after = Transcript::from_bytes(fs::read(path).unwrap());
    assert!(after.bytes().starts_with(before));
    assert!(after.bytes().ends_with(b"}\n"));
    let chain = chains(&after).remove("k").unwrap();
    assert_eq!((chain.len(), chain.last().unwrap().as_str()), (count + 1, "k-next"));
}
