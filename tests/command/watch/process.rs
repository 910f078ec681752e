//! The *command*, beside a process that writes.

use std::fs;

use super::{CALL, USER, append, line};
use crate::call::{run, turnproof};

#[test]
fn the_command_tells_what_a_process_writes_line_by_line() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("turnproof"))
        .args(["watch", "--format", "json", "--interval", "20", "--until-idle", "3", "--from-start"])
        .args(["--ignore", "message/*"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
        let member = |name: &str| line[name].as_str().map(str::to_owned);
        let what = member("rule").or(member("class")).or(member("why")).unwrap_or_default();
        format!("{} {what}", member("kind").unwrap())
    });
    // Each step is told before the next one is taken.
    let mut until = |last: &str| {
        let mut said = Vec::new();
        while said.last().is_none_or(|said| said != last) {
            said.push(told.next().unwrap_or_else(|| panic!("it ended before `{last}`: {said:?}")));
        }
        said
    };
    append(&path, &line(USER));
    assert_eq!(until("verdict healthy"), ["verdict healthy"]);
    append(&path, "no json\n");
    assert_eq!(until("verdict damaged"), ["violation wire/json-object", "verdict damaged"]);
    fs::write(&path, line(USER)).unwrap();
    assert_eq!(until("verdict healthy"), ["again truncated", "gone wire/json-object", "verdict healthy"]);
    let other = folder.path().join("other");
    fs::write(&other, line(USER) + "no json\n").unwrap();
    fs::rename(&other, &path).unwrap();
    assert_eq!(until("verdict damaged"), ["again replaced", "violation wire/json-object", "verdict damaged"]);
    assert_eq!(child.wait().unwrap().code(), Some(1), "it is damaged at the end");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_and_each_file_is_judged_as_it_stands() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    append(&path, &(line(USER) + &line(CALL)));
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("turnproof"))
        .args(["watch", "--format", "json", "--from-start", "--ignore", "message/*"])
        .arg(&path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    out.read_line(&mut first).unwrap();
    assert!(first.contains(r#""kind":"verdict""#) && first.contains("healthy"), "{first}");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    let kinds: Vec<bool> = ["tool/call-answered", "damaged"].map(|word| rest.contains(word)).to_vec();
    assert_eq!(kinds, [true, true], "{rest}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn for_people_a_flood_of_findings_is_cut_and_standard_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    append(&path, &(line(USER) + &"no json\n".repeat(9)));
    let arguments = ["watch", "--until-idle", "0", "--from-start", path.to_str().unwrap()];
    let (code, out, _) = run(&mut turnproof(&arguments));
    assert_eq!((code, out.matches("error[wire/json-object]").count()), (1, 5), "{out}");
    assert!(out.contains("… 4 more of wire/json-object (--limit 0 shows all)"), "{out}");
    assert!(out.contains(": damaged: 1 of 1 message come back"), "{out}");
    let (code, _, error) = run(&mut turnproof(&["watch", "-"]));
    assert_eq!(code, 2);
    assert!(error.contains("standard input is no file"), "{error}");
}
