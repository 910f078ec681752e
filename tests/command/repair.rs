//! `turnproof repair` as people use it: what it prints, what it writes, and what is left when it is stopped.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::call;

const U1: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"a"}}"#;
const U2: &str = r#"{"type":"user","uuid":"u2","parentUuid":"lost","sessionId":"s1","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"b"}}"#;

/// A session with a lost parent and a torn end, in a folder of its own.
fn damaged() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    fs::write(&path, format!("{U1}\n{U2}\n{}", &U1[..30])).unwrap();
    (folder, path)
}

fn repaired() -> String {
    format!("{U1}\n{}\n", U2.replace("\"lost\"", "\"u1\""))
}

fn repair(arguments: &[&str], path: &Path) -> (i32, String, String) {
    let path = path.to_str().unwrap();
    call::run(&mut call::turnproof(&[&["repair"], arguments, &[path]].concat()))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn a_branch_that_was_left_is_no_dead_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let line = |uuid: &str, parent: &str, said: &str| {
        let message = format!(r#"{{"role":"user","content":"{said}"}}"#);
        format!(r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s1","message":{message}}}"#)
    };
    let lines = [line("u1", "null", "a"), line("u2", "null", "b"), String::new()];
    fs::write(&path, lines.join("\n")).unwrap();
    let (code, out, _) = repair(&[], &path);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("1 of 2 messages come back, 1 is on a branch that was left, from line 1 on"), "{out}");
    assert!(out.contains("turnproof resume --explain") && out.contains("--take LINE"), "{out}");
    let (code, out, _) = repair(&["--quiet"], &path);
    assert_eq!((code, out.as_str()), (0, ""));
    let (_, out, _) = repair(&["--take", "1", "--in-place"], &path);
    assert!(out.contains("written"), "{out}");
    let (_, out, _) = call::run(call::turnproof(&["resume"]).arg(&path));
    assert!(out.contains("u1") && !out.contains("u2"), "{out}");
}

#[test]
fn without_a_place_to_write_it_says_what_would_be_done_and_how_to_write() {
    let (folder, path) = damaged();
    let before = fs::read(&path).unwrap();
    for arguments in [&[][..], &["--in-place", "--dry-run"]] {
        let (code, out, _) = repair(arguments, &path);
        assert_eq!(code, 1);
        assert!(out.contains("line 2: its parent is the record of line 1 now (chain/parent-exists)"), "{out}");
        assert!(out.contains("line 3: 30 bytes removed: the line ends inside a record (wire/terminated)"), "{out}");
        assert!(out.contains("nothing is written: say --in-place, or -o FILE"), "{out}");
    }
    assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (before, vec!["session.jsonl".to_owned()]));
}

#[test]
fn in_place_leaves_the_old_file_as_backup_and_what_was_removed_beside_it() {
    let (folder, path) = damaged();
    let before = fs::read(&path).unwrap();
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
    let (code, out, _) = repair(&["--in-place"], &path);
    assert_eq!(code, 0);
    assert!(out.contains("open it with: claude --resume s1"), "{out}");
    assert_eq!(fs::read_to_string(&path).unwrap(), repaired());
    let beside = ["session.jsonl", "session.jsonl.backup", "session.jsonl.removed.jsonl"];
    assert_eq!(names(folder.path()), beside);
    assert_eq!(fs::read(folder.path().join(beside[1])).unwrap(), before);
    let removed: Value = serde_json::from_slice(&fs::read(folder.path().join(beside[2])).unwrap()).unwrap();
    assert_eq!((&removed["line"], &removed["bytes"]), (&Value::from(3), &Value::from(&U1[..30])));
    #[cfg(unix)]
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&path).unwrap().permissions()) & 0o777, 0o640);
    let (code, out, _) = repair(&["--in-place"], &path);
    assert_eq!((code, out), (0, format!("{}: needs no repair\n", path.display())));
    assert_eq!(names(folder.path()), beside);
}

#[test]
fn a_copy_goes_to_a_new_file_alone() {
    let (folder, path) = damaged();
    let copy = folder.path().join("copy.jsonl");
    let output = ["--output", copy.to_str().unwrap()];
    assert_eq!(repair(&output, &path).0, 0);
    assert_eq!(fs::read_to_string(&copy).unwrap(), repaired());
    let (code, _, error) = repair(&output, &path);
    assert_eq!(code, 2);
    assert!(error.contains("name a file that is not there yet"), "{error}");
}

#[test]
fn programs_get_each_change_with_its_bytes() {
    let (_folder, path) = damaged();
    let (_, out, _) = repair(&["--format", "json"], &path);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["changes"][0]["before"], "\"lost\"");
    assert_eq!(value["changes"][0]["after"], "\"u1\"");
    assert_eq!((&value["before"]["comes_back"], &value["after"]["comes_back"]), (&Value::from(2), &Value::from(2)));
}

#[test]
fn a_session_whose_messages_are_empty_is_emptied_and_not_healthy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let wiped =
        r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":""}}"#;
    fs::write(&path, format!("{wiped}\n")).unwrap();
    let (_, out, _) = repair(&["--format", "json"], &path);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&value["after"]["class"], &value["after"]["accepted"]), (&"emptied".into(), &true.into()), "{out}");
    assert_eq!(value["account"]["lost_for_good"], serde_json::json!([1]));
}

#[test]
fn a_file_that_another_process_holds_is_refused() {
    let (folder, path) = damaged();
    let before = fs::read(&path).unwrap();
    let held = OpenOptions::new().append(true).open(&path).unwrap();
    held.lock().unwrap();
    let (code, _, error) = repair(&["--in-place"], &path);
    assert_eq!(code, 2);
    assert!(error.contains("another process repairs or writes it"), "{error}");
    assert_eq!((fs::read(&path).unwrap(), names(folder.path()).len()), (before, 1));
}

/// A damaged session that takes some time.
fn large() -> String {
    let line = |at: usize| {
        let parent = if at.is_multiple_of(100) { "lost".to_owned() } else { format!("u{}", at - 1) };
        let text = "x".repeat(500);
        format!(
            "{{\"type\":\"user\",\"uuid\":\"u{at}\",\"parentUuid\":\"{parent}\",\"sessionId\":\"s1\",\"timestamp\":\"2026-01-01T00:00:00Z\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
        )
    };
    (0..2000).map(line).collect()
}

fn start(path: &Path) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnproof"));
    command.args(["repair", "--in-place", path.to_str().unwrap()]);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
}

#[test]
fn whoever_kills_it_finds_the_old_file_or_the_new_one_whole() {
    let folder = tempfile::tempdir().unwrap();
    let torn = &U1[..30];
    let (path, whole) = (folder.path().join("session.jsonl"), large() + torn);
    fs::write(&path, &whole).unwrap();
    let begin = Instant::now();
    assert!(start(&path).wait().unwrap().success());
    // The kills are spread over the time that a repair takes here, and a little more.
    let span = begin.elapsed() * 5 / 4;
    let repaired = fs::read_to_string(&path).unwrap();
    assert_ne!(repaired, whole);
    let moments: u32 = std::env::var("TURNPROOF_KILLS").map_or(100, |number| number.parse().unwrap());
    let mut done: u32 = 0;
    for moment in 0..moments {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.jsonl");
        fs::write(&path, &whole).unwrap();
        let mut child = start(&path);
        std::thread::sleep(span * moment / moments);
        child.kill().unwrap();
        child.wait().unwrap();
        let left = fs::read_to_string(&path).unwrap();
        assert!(left == whole || left == repaired, "moment {moment}: {} bytes", left.len());
        if left == repaired {
            assert_eq!(fs::read_to_string(folder.path().join("session.jsonl.backup")).unwrap(), whole);
            let removed = fs::read(folder.path().join("session.jsonl.removed.jsonl")).unwrap();
            assert_eq!(serde_json::from_slice::<Value>(&removed).unwrap()["bytes"], torn, "moment {moment}");
            done += 1;
        }
    }
    eprintln!("{moments} kills: {done} files were new, {} old", moments - done);
}

#[test]
fn of_two_repairs_at_once_each_finds_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    fs::write(&path, large()).unwrap();
    let mut children = [start(&path), start(&path)];
    let done: Vec<bool> = children.iter_mut().map(|child| child.wait().unwrap().success()).collect();
    assert!(done.contains(&true), "both were refused");
    assert_eq!(repair(&["--in-place"], &path).1, format!("{}: needs no repair\n", path.display()));
    assert_eq!(names(folder.path()), ["session.jsonl", "session.jsonl.backup"]);
}

#[test]
fn what_a_writer_appends_meanwhile_is_never_lost() {
    for moment in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.jsonl");
        fs::write(&path, large()).unwrap();
        let mut writer = File::options().append(true).open(&path).unwrap();
        let mut child = start(&path);
        std::thread::sleep(Duration::from_millis(moment * 30));
        let line = U1.replace("\"u1\"", "\"new\"");
        writeln!(writer, "{line}").unwrap();
        child.wait().unwrap();
        let files = names(folder.path()).into_iter().map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
        assert!(files.into_iter().any(|file| file.contains(&line)), "moment {moment}");
    }
}

/// A shell's limit of sizes of files stands for a disk that is full.
#[cfg(unix)]
#[test]
fn a_full_disk_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = (folder.path().join("session.jsonl"), large());
    fs::write(&path, &whole).unwrap();
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" repair --in-place \"$1\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_turnproof"), path.to_str().unwrap()]);
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("Nothing was changed"), "{error}");
    assert_eq!((fs::read_to_string(&path).unwrap(), names(folder.path())), (whole, vec!["session.jsonl".to_owned()]));
}

const REFUSED: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","timestamp":"2026-01-01T00:00:01Z","isApiErrorMessage":true,"apiErrorStatus":400,"message":{"id":"m1","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: 400 Tool reference 'Gone' not found in available tools"}]}}"#;

#[test]
fn where_an_option_helps_it_is_named_and_the_exit_code_is_1() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    fs::write(&path, format!("{U1}\n{REFUSED}\n")).unwrap();
    let (code, out, _) = repair(&[], &path);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("nothing is left to repair without giving something up"), "{out}");
    assert!(out.contains("what helps: turnproof repair --drop references=Gone "), "{out}");
    let (_, out, _) = repair(&["--format", "json"], &path);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["what_helps"][0], "--drop references=Gone");
}

#[test]
fn of_a_signature_that_was_cut_is_said_what_helps_if_the_api_refuses_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let cut = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"thinking","thinking":"h","signature":"EqQB…Paedu"},{"type":"text","text":"b"}]}}"#;
    fs::write(&path, format!("{U1}\n{cut}\n")).unwrap();
    let (code, out, _) = repair(&[], &path);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("needs no repair\n  if the API refuses it: turnproof repair --drop thinking "), "{out}");
    let (_, out, _) = repair(&["--format", "json"], &path);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()["what_helps_if_refused"][0], "--drop thinking");
    let (_, out, _) = repair(&["--drop", "thinking"], &path);
    assert!(!out.contains("if the API refuses it"), "{out}");
}

#[test]
fn what_is_asked_for_is_done_said_and_kept_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let image = r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}"#;
    let prompt = U1.replace(r#""content":"a""#, &format!(r#""content":[{image},{{"type":"text","text":"a"}}]"#));
    let other = U2.replace("\"lost\"", "\"u1\"").replace("\"s1\"", "\"s2\"");
    fs::write(&path, format!("{prompt}\n{other}\n")).unwrap();
    let (code, out, _) = repair(&["--drop", "media", "--one-session-id", "--in-place"], &path);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("line 1: `[image dropped]` stands for the block (--drop)"), "{out}");
    assert!(out.contains("line 2: it is of the one session now (--one-session-id)"), "{out}");
    let kept = fs::read_to_string(folder.path().join("session.jsonl.removed.jsonl")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap()["bytes"], image);
    assert!(!fs::read_to_string(&path).unwrap().contains("base64"));
    let (code, out, _) = repair(&[], &path);
    assert_eq!((code, out), (0, format!("{}: needs no repair\n", path.display())));
}

#[test]
fn a_line_that_holds_no_message_and_a_relative_directory_are_refused() {
    let (_folder, path) = damaged();
    let (code, out, _) = repair(&["--take", "7"], &path);
    assert_eq!(code, 1);
    assert!(out.contains("line 7 holds no message of the conversation or of its branches"), "{out}");
    let (code, _, error) = repair(&["--move-to", "shop"], &path);
    assert_eq!(code, 2);
    assert!(error.contains("--move-to takes the absolute directory"), "{error}");
    let (code, _, error) = repair(&["--drop", "all"], &path);
    assert_eq!(code, 2);
    assert!(error.contains("say media, thinking, server-tools or references"), "{error}");
    let (code, out, _) = repair(&["--take", "2", "--shrink-results", "500", "--move-to", "/srv"], &path);
    assert!(code == 1 && out.contains("line 2: its parent is the record of line 1 now"), "{out}");
}

#[test]
fn the_report_counts_blocks_and_says_what_is_lost_for_good() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let wiped = U1.replace(r#""content":"a""#, r#""content":"""#);
    let blank = r#"[{"type":"text","text":"b"},{"type":"text","text":""}]"#;
    let reply = REFUSED.replace(r#""isApiErrorMessage":true,"apiErrorStatus":400,"#, "");
    let (head, _) = reply.split_once(r#"[{"type""#).unwrap();
    fs::write(&path, format!("{wiped}\n{head}{blank}}}}}\n")).unwrap();
    let (code, out, _) = repair(&[], &path);
    assert_eq!(code, 1);
    assert!(out.contains("session.jsonl: 1 block dropped, 1 message without content\n"), "{out}");
    assert!(out.contains("lost for good: what 1 message said (line 1); the file does not hold it"), "{out}");
    assert!(out.contains("  after:  2 of 2 messages come back") && !out.contains("healthy"), "{out}");
    let (_, out, _) = repair(&["--format", "json"], &path);
    let value: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["account"]["blocks"]["dropped"], 1);
    assert_eq!(value["account"]["lost_for_good"], serde_json::json!([1]));
}
