//! What the command brings for a *shell*: colours where they are asked for, completions and man pages.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::call::{run, turnproof};

/// Whether a call prints colours.
fn has_colour(arguments: &[&str], variables: &[(&str, &str)]) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (_, out, error) = run(turnproof(arguments).current_dir(root).envs(variables.iter().copied()));
    (out + &error).contains('\u{1b}')
}

#[test]
fn color_decides_for_every_command_for_help_and_for_errors_and_has_the_last_word() {
    let forced = [("CLICOLOR_FORCE", "1")];
    for arguments in [
        &["check", "docs/samples/session.jsonl"][..],
        &["check", "--request", "docs/samples/request.json"],
        &["explain", "wire/utf8"],
        &["resume", "--explain", "tests/sessions/reply-after-retries.jsonl"],
        &["check", "--help"],
        &["check", "--nonsense"],
    ] {
        let with = |color: &[&str], variables: &[(&str, &str)]| has_colour(&[color, arguments].concat(), variables);
        assert!(!with(&[], &[]) && !with(&["--color", "auto"], &[]), "no terminal: {arguments:?}");
        assert!(with(&["--color", "always"], &[]) && with(&["--color=always"], &[("NO_COLOR", "1")]), "{arguments:?}");
        assert!(with(&[], &forced) && !with(&["--color", "never"], &forced), "{arguments:?}");
    }
    assert!(has_colour(&["check", "docs/samples/session.jsonl", "--color", "always"], &[]), "behind the command too");
    assert!(has_colour(&["check", "--verdict", "docs/samples/session.jsonl", "--color", "always"], &[]));
    let (code, _, error) = run(&mut turnproof(&["--color", "green", "rules"]));
    assert!(code == 2 && error.contains("auto, always, never"), "{error}");
}

#[test]
fn completions_name_commands_and_options_for_each_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, out, error) = run(&mut turnproof(&["completions", shell]));
        assert_eq!((code, error.as_str()), (0, ""), "{shell}");
        for word in ["check", "repair", "write-baseline", "color"] {
            assert!(out.contains(word), "{word} for {shell}");
        }
    }
}

#[test]
fn bash_completes_a_command_and_the_values_of_an_option() {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("turnproof.bash");
    fs::write(&script, run(&mut turnproof(&["completions", "bash"])).1).unwrap();
    let completed = |words: &[&str]| {
        let line = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
        let call = format!(
            "source {}; COMP_WORDS=({line}); COMP_CWORD={}; _turnproof turnproof '{}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            script.display(),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let output = Command::new("bash").args(["-c", &call]).output();
        output.map(|output| String::from_utf8(output.stdout).unwrap().trim().to_owned())
    };
    let Ok(commands) = completed(&["turnproof", "re"]) else {
        eprintln!("skipped: there is no bash");
        return;
    };
    assert_eq!(commands, "repair requests resume reduce");
    assert_eq!(completed(&["turnproof", "check", "--format", "s"]).unwrap(), "sarif");
}

#[test]
fn there_is_a_man_page_for_each_command_and_the_same_call_writes_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let pages = |name: &str| {
        let path = folder.path().join(name);
        let (code, out, error) = run(turnproof(&["man"]).arg(&path));
        assert_eq!((code, out.as_str(), error.as_str()), (0, "", ""));
        let mut pages: Vec<(String, String)> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
            .collect();
        pages.sort();
        pages
    };
    let once = pages("a/b");
    assert_eq!(once, pages("again"));
    let page = |name: &str| &once.iter().find(|(page, _)| page == name).unwrap_or_else(|| panic!("{name}")).1;
    for command in ["check", "repair", "resume", "test", "completions"] {
        assert!(page(&format!("turnproof-{command}.1")).contains(".TH turnproof"), "{command}");
        assert!(page("turnproof.1").contains(command));
    }
    assert!(page("turnproof-check.1").contains(r"\-\-baseline"));
    fs::write(folder.path().join("file"), "").unwrap();
    let (code, _, error) = run(turnproof(&["man"]).arg(folder.path().join("file")));
    assert!(code == 2 && error.contains("cannot write man pages to "), "{error}");
}
