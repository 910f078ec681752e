//! *Narrow* screens: from 50 columns on, excerpts, tables and help fit. What is to be typed or copied (a usage, a
//! command, a path, an example) is never broken.

#![cfg(feature = "cli")]

use std::path::Path;

use crate::call::{run, turnproof};

/// What a call prints on a screen of so many columns.
fn printed(arguments: &[&str], columns: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (_, out, error) = run(turnproof(arguments).current_dir(root).env("COLUMNS", columns));
    assert!(!out.is_empty(), "{arguments:?}: {error}");
    out
}

/// The lines that do not fit, but for those that are a single word behind their indent or begin with one of these.
fn too_long(out: &str, columns: usize, whole: &[&str]) -> Vec<String> {
    let is_whole = |line: &&str| {
        let line = line.trim_start();
        !line.contains(' ') || whole.iter().any(|begin| line.starts_with(begin))
    };
    let long = out.lines().filter(|line| line.chars().count() > columns && !is_whole(line));
    long.map(str::to_owned).collect()
}

const COMMANDS: [&str; 21] = [
    "check",
    "view",
    "watch",
    "normalize",
    "accumulate",
    "repair",
    "requests",
    "resume",
    "reduce",
    "scrub",
    "usage",
    "rules",
    "explain",
    "test",
    "fuzz",
    "smoke",
    "mock",
    "schema",
    "serve",
    "completions",
    "man",
];

#[test]
fn the_help_of_each_command_fits_fifty_columns_and_eighty() {
    let listed = printed(&["--help"], "100");
    for command in COMMANDS {
        assert!(listed.contains(&format!("\n  {command} ")), "{command}\n{listed}");
    }
    for (columns, number) in [("50", 50), ("80", 80)] {
        let whole = printed(&["--help"], columns);
        assert_eq!(too_long(&whole, number, &["Usage:"]), [""; 0]);
        for command in COMMANDS {
            let out = printed(&[command, "--help"], columns);
            assert_eq!(too_long(&out, number, &["Usage:"]), [""; 0], "{command}");
        }
    }
}

#[test]
fn excerpts_and_what_is_said_of_them_fit() {
    for columns in [50, 60, 79] {
        for arguments in [
            &["check", "docs/samples/session.jsonl"][..],
            &["check", "--limit", "0", "docs/samples/session.jsonl"],
            &["check", "tests/cases"],
            &["check", "--verdict", "docs/samples/session.jsonl"],
            &["check", "--request", "docs/samples/request.json"],
            &["explain", "tool/call-answered"],
            &["resume", "--explain", "tests/sessions/reply-after-retries.jsonl"],
        ] {
            let out = printed(arguments, &columns.to_string());
            assert_eq!(too_long(&out, columns, &["turnproof ", "--> ", "{"]), [""; 0], "{arguments:?}");
        }
    }
    // The marks stand below what they mark, and the rule is still named in one piece.
    let out = printed(&["check", "docs/samples/session.jsonl"], "50");
    assert!(
        out.starts_with("warning[tool/call-answered]: no tool_result block\n  in this file answers this tool_use\n"),
        "{out}"
    );
    let lines: Vec<&str> = out.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("4 | ")).unwrap();
    let marked: String =
        lines[at].chars().zip(lines[at + 1].chars()).filter(|(_, mark)| *mark == '^').map(|(c, _)| c).collect();
    assert!(marked.starts_with(r#"{"type":"tool"#) && lines[at].ends_with('…'), "{out}");
    assert!(out.contains("\n  = expected a tool_result whose tool_use_id is\n    the id of this block\n"), "{out}");
}

#[test]
fn tables_fit_and_say_the_same() {
    for arguments in [
        &["rules"][..],
        &["rules", "--coverage"],
        &["check", "--statistics", "tests/cases"],
        &["check", "--limit", "1", "docs/samples/session.jsonl"],
        &["usage", "docs/samples/cost.jsonl"],
    ] {
        let (narrow, wide) = (printed(arguments, "50"), printed(arguments, "400"));
        assert_eq!(too_long(&narrow, 50, &["turnproof ", "--> "]), [""; 0], "{arguments:?}");
        let words = |text: &str, word: &str| text.matches(word).count();
        for word in ["wire/no-nul", "wire/json-object", "chain/acyclic"] {
            assert_eq!(words(&narrow, word), words(&wide, word), "{word} in {arguments:?}\n{narrow}");
        }
    }
    assert!(printed(&["check", "--statistics", "tests/cases"], "50").contains("\n  error, violations 9, files 9\n"));
}

#[test]
fn a_screen_that_is_far_too_narrow_is_no_reason_to_fail() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for columns in ["0", "1", "2", "7", "20", "-1", "many"] {
        for (arguments, ends) in [
            (&["check", "--limit", "0", "tests/cases"][..], 1),
            (&["check", "tests/cases"], 1),
            (&["check", "--statistics", "docs/samples"], 1),
            (&["resume", "--explain", "tests/sessions/reply-after-retries.jsonl"], 0),
            (&["rules"], 0),
            (&["--help"], 0),
        ] {
            let (code, out, error) = run(turnproof(arguments).current_dir(root).env("COLUMNS", columns));
            assert!(code == ends && !out.is_empty(), "{arguments:?} {columns}: {error}");
        }
    }
}

#[test]
fn a_wide_screen_and_one_without_end_show_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let endless = run(turnproof(&["check", "docs/samples/session.jsonl"]).current_dir(root).env_remove("COLUMNS")).1;
    assert_eq!(printed(&["check", "docs/samples/session.jsonl"], "1000"), endless);
}
