//! Inputs of a check: which files they are, and what is said of those that cannot be read.

#![cfg(feature = "report")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use turnproof::check::{TranscriptFile, gather, read_requests};

use crate::call::{run, turnproof};

fn no_stdin() -> io::Result<TranscriptFile> {
    Err(io::Error::other("nobody asked for it"))
}

#[test]
fn a_file_is_read_where_it_is_and_what_may_be_read_only_once_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let [full, empty] = ["full.jsonl", "empty.jsonl"].map(|name| folder.path().join(name));
    fs::write(&full, "{}\n").unwrap();
    fs::write(&empty, "").unwrap();
    let found = gather(&[full.clone(), empty.clone()], no_stdin);
    let found: Vec<&TranscriptFile> = found.iter().map(|input| input.as_ref().unwrap()).collect();
    assert_eq!((found[0].path.as_path(), found[0].size), (full.as_path(), 3));
    assert_ne!(found[1].path, empty);
    assert_eq!((found[1].name.as_str(), found[1].size), (empty.to_str().unwrap(), 0));
    let in_folder = gather(&[folder.path().to_owned()], no_stdin);
    let paths: Vec<&Path> = in_folder.iter().map(|input| input.as_ref().unwrap().path.as_path()).collect();
    assert_eq!(paths, [empty.as_path(), full.as_path()]);
}

#[test]
fn what_cannot_be_read_comes_with_advice() {
    let described =
        |kind: io::ErrorKind| read_requests(Path::new("-"), || Err(io::Error::from(kind))).unwrap_err().problem;
    assert!(described(io::ErrorKind::NotFound).contains("typing error"));
    assert!(described(io::ErrorKind::PermissionDenied).contains("as a user who may read it"));
    assert!(!described(io::ErrorKind::Interrupted).contains("as a user"));
    let missing = gather(&[PathBuf::from("/no/such/file"), PathBuf::from("-")], no_stdin);
    let problems: Vec<String> = missing.into_iter().map(|input| input.unwrap_err().to_string()).collect();
    assert!(problems[0].starts_with("/no/such/file: ") && problems[0].contains("typing error"), "{problems:?}");
    assert_eq!(problems[1], "-: nobody asked for it");
}

#[test]
fn what_is_too_large_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let line =
        r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"hello"}}"#;
    let long = line.replace("hello", &"hello ".repeat(1000)).replace("u1", "u2");
    fs::write(&path, format!("{line}\n{long}\n")).unwrap();
    let file = path.to_str().unwrap();
    let (code, out, _) = run(&mut turnproof(&["check", "--max-line", "1KiB", "--format", "json", file]));
    assert_eq!(code, 1);
    assert!(out.contains("too-long") && out.contains(&format!("{} byte", long.len() + 1)), "{out}");
    let summary = out.lines().last().unwrap();
    assert!(summary.contains(&format!("\"rejected_bytes\":{}", long.len() + 1)), "{summary}");
    for command in [&["repair"][..], &["view"], &["requests"], &["normalize", "--for", "api"]] {
        let (code, _, error) = run(turnproof(command).args(["--max-file", "2k", file]));
        assert_eq!(code, 2, "{error}");
        assert!(error.contains("--max-file 1MiB"), "{error}");
        let (_, _, error) = run(turnproof(command).args(["--max-file", "1MiB", file]));
        assert!(!error.contains("--max-file"), "{error}");
    }
    let (code, _, error) = run(&mut turnproof(&["check", "--max-line", "12parsecs", file]));
    assert_eq!((code, error.contains("64MiB")), (2, true), "{error}");
}
