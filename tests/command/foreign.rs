//! What is no session is named in one line, and never passes for one without violations.

#![cfg(feature = "cli")]

use std::fs;
use std::io::Write;
use std::path::Path;

use turnproof::check::Foreign;

use crate::call::{run, turnproof};

const RECORD: &str = r#"{"type":"user","uuid":"c0a1d001-0000-4000-8000-000000000001","parentUuid":null,"timestamp":"2026-01-05T09:00:01.000Z","message":{"role":"user","content":"a"}}"#;

const CODEX: &str = r#"{"timestamp":"2026-01-05T09:00:01.000Z","type":"session_meta","payload":{"id":"a","cwd":"/"}}
{"timestamp":"2026-01-05T09:00:02.000Z","type":"response_item","payload":{"type":"message","role":"user"}}
"#;

#[test]
fn a_file_is_told_by_its_beginning() {
    let gemini = r#"{"sessionId":"a","projectHash":"b","messages":[{"id":"c","type":"gemini","content":"d"}]}"#;
    let told = [
        ("", Some(Foreign::Empty)),
        (CODEX, Some(Foreign::Codex)),
        (r#"{"id":"a","timestamp":"2026-01-05T09:00:01.000Z","instructions":null}"#, Some(Foreign::Codex)),
        (gemini, Some(Foreign::Gemini)),
        ("{\n  \"sessionId\": \"a\", \"projectHash\": \"b\",\n  \"messages\": []\n}\n", Some(Foreign::Gemini)),
        (r#"{"messages":[{"role":"system","content":"a"},{"role":"user","content":"b"}]}"#, Some(Foreign::OpenAi)),
        (r#"{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"b"}]}"#, Some(Foreign::Request)),
        (r#"{"role":"user","content":"b"}"#, Some(Foreign::Turns)),
        (r#"[{"role":"user","content":"b"}]"#, Some(Foreign::Array)),
        ("{\n  \"a\": 1\n}\n", Some(Foreign::Document)),
        // Sessions, and what may be one: its lines are judged.
        (RECORD, None),
        (r#"{"type":"summary","summary":"a","leafUuid":"b"}"#, None),
        (r#"{"type":"what-nobody-knows"}"#, None),
        ("[07:31:10.371] a line of a log\n", None),
        ("{\"type\":\"user\",\"uu", None),
        ("{", None),
    ];
    for (text, foreign) in told {
        assert_eq!(Foreign::of(text.as_bytes(), true), foreign, "{text}");
    }
    // No reader finds records inside of an array.
    assert_eq!(Foreign::of(format!("[{RECORD},{RECORD}]").as_bytes(), true), Some(Foreign::Array));
    let with_a_record = format!("{CODEX}{RECORD}\n{CODEX}");
    assert_eq!(Foreign::of(with_a_record.as_bytes(), true), None);
}

#[test]
fn text_in_utf_16_is_told_with_a_byte_order_mark_and_without() {
    let words = |order: fn(u16) -> [u8; 2]| RECORD.encode_utf16().flat_map(order).collect::<Vec<u8>>();
    let marked: Vec<u8> = [0xFF, 0xFE].into_iter().chain(words(u16::to_le_bytes)).collect();
    for text in [marked, words(u16::to_le_bytes), words(u16::to_be_bytes)] {
        assert_eq!(Foreign::of(&text, true), Some(Foreign::Utf16));
    }
    // Bytes that are no text, and zero bytes, are damage before a record of a session.
    let damaged: Vec<u8> = [0xFF, 0xFE].into_iter().chain(RECORD.bytes()).collect();
    assert_eq!(Foreign::of(&damaged, true), None);
    assert_eq!(Foreign::of(format!("\0\0\0\0\0\0\0\0{RECORD}\n").as_bytes(), true), None);
}

#[test]
fn the_beginning_of_a_long_document_is_enough() {
    let long = format!("{{\n  \"a\": \"{}\"\n}}\n", "b".repeat(100_000));
    assert_eq!(Foreign::of(&long.as_bytes()[..64 << 10], false), Some(Foreign::Document));
    assert_eq!(Foreign::of(&long.as_bytes()[..64 << 10], true), None);
}

fn checked(paths: &[&Path]) -> (i32, String, String) {
    let mut arguments = vec!["check"];
    arguments.extend(paths.iter().map(|path| path.to_str().unwrap()));
    run(&mut turnproof(&arguments))
}

#[test]
fn a_named_file_that_is_no_session_cannot_be_read_and_those_of_a_folder_are_told_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a.jsonl", "b.jsonl", "c.jsonl"] {
        fs::write(path(name), CODEX).unwrap();
    }
    let (code, out, error) = checked(&[&path("a.jsonl")]);
    assert_eq!(code, 2, "{error}");
    assert!(!out.contains("no violations"), "{out}");
    assert_eq!(error.lines().count(), 1);
    assert!(error.contains("a.jsonl: no session: a session of Codex CLI"), "{error}");
    let (code, _, error) = checked(&[folder.path()]);
    assert_eq!(code, 4, "{error}");
    assert!(error.starts_with("turnproof: 3 files are no sessions, ") && error.contains("Codex CLI"), "{error}");
    fs::write(path("d.jsonl"), format!("{RECORD}\n")).unwrap();
    let (code, out, error) = checked(&[folder.path()]);
    assert_eq!((code, error.lines().count()), (0, 1), "{error}");
    assert!(out.starts_with("1 file, 1 line, 1 record: "), "{out}");
}

#[test]
fn no_file_without_a_record_of_a_session_is_said_to_break_no_rule() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.jsonl");
    fs::write(&rows, "{\"name\":\"a\",\"value\":1}\n{\"name\":\"b\",\"value\":2}\n").unwrap();
    for arguments in [&["check"][..], &["check", "--limit", "0"], &["check", "--verdict"]] {
        let (code, out, _) = run(turnproof(arguments).arg(&rows));
        assert_eq!(code, 2, "{out}");
        assert!(out.contains("rows.jsonl: not a session: no record of a session is in it\n"), "{out}");
        assert!(!out.contains("no violations"), "{out}");
    }
    let (code, out, _) = run(turnproof(&["check"]).arg(folder.path()));
    assert!(code == 0 && out.contains("\n1 file: 1 not a session\n"), "{out}");
}

#[test]
fn what_is_torn_behind_records_of_something_else_is_no_session_and_no_repair_touches_it() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("rows.jsonl");
    let torn = "{\"name\":\"a\",\"value\":1}\n{\"name\":\"b\",\"va";
    fs::write(&rows, torn).unwrap();
    let (_, out, _) = run(turnproof(&["check"]).arg(&rows));
    assert!(out.contains("rows.jsonl: not a session: no record of a session is in it\n"), "{out}");
    for (named, expected) in [(rows.as_path(), 2), (folder.path(), 0)] {
        let (code, out, error) = run(turnproof(&["repair", "--in-place"]).arg(named));
        assert_eq!((code, out.as_str()), (expected, ""), "{error}");
        assert!(error.ends_with("rows.jsonl: no session: no record of a session is in it\n"), "{error}");
    }
    assert_eq!(fs::read_to_string(&rows).unwrap(), torn);
    // Where nothing whole says otherwise, it is taken as what is left of one.
    fs::write(&rows, "{\"name\":\"b\",\"va").unwrap();
    let (_, out, _) = run(turnproof(&["check"]).arg(&rows));
    assert!(out.contains("rows.jsonl: unreadable: "), "{out}");
}

#[test]
fn an_empty_file_is_nothing_to_judge() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.jsonl");
    fs::write(&empty, "").unwrap();
    let (code, out, error) = checked(&[&empty]);
    assert_eq!((code, out.as_str()), (4, ""));
    assert!(error.contains("empty.jsonl: no session: an empty file"), "{error}");
}

#[test]
fn a_session_that_gzip_compressed_is_read_as_what_it_holds() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, half] = ["whole.jsonl.gz", "half.jsonl.gz"].map(|name| folder.path().join(name));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(format!("{RECORD}\n").as_bytes()).unwrap();
    let bytes = gzip.finish().unwrap();
    fs::write(&whole, &bytes).unwrap();
    let (code, out, error) = checked(&[folder.path()]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.starts_with("1 file, 1 line, 1 record: no violations"), "{out}");
    fs::write(&half, &bytes[..bytes.len() / 2]).unwrap();
    let (code, _, error) = checked(&[&half]);
    assert_eq!(code, 2);
    assert!(error.contains("half.jsonl.gz: cannot be read as gzip"), "{error}");
    for command in ["resume", "usage"] {
        let (code, _, error) = run(&mut turnproof(&[command, whole.to_str().unwrap()]));
        assert_eq!(code, 0, "{command}: {error}");
    }
}

#[test]
fn a_resume_and_a_count_name_what_is_no_session_too() {
    let folder = tempfile::tempdir().unwrap();
    let codex = folder.path().join("codex.jsonl");
    fs::write(&codex, CODEX).unwrap();
    for command in ["resume", "usage"] {
        let (code, _, error) = run(&mut turnproof(&[command, codex.to_str().unwrap()]));
        assert_eq!(code, 2, "{command}: {error}");
        assert!(error.contains("no session: a session of Codex CLI"), "{command}: {error}");
    }
}
