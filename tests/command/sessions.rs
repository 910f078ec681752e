//! Small sessions, each with a name that says what is interesting, and a reviewed page of what comes back.
//!
//! `tests/sessions/NAME.jsonl` gives `snapshots/resume/NAME.snap`: the chain as `turnproof resume --explain`
//! draws it, then the notes. After a change of behaviour, `cargo insta review` shows what became of
//! them.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn sessions() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The tree, the notes, and the exit code where it is not 0.
fn page(path: &Path) -> String {
    let mut command = Command::cargo_bin("turnproof").unwrap();
    let output = command.args(["resume", "--explain", "-"]).pipe_stdin(path).unwrap().output().unwrap();
    let [tree, notes] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap().replace("turnproof: ", ""));
    let page = [tree, notes].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    match output.status.code() {
        Some(0) => page,
        code => format!("{page}\nexit code {}\n", code.unwrap()),
    }
}

#[test]
fn trees_are_as_reviewed() {
    let sessions = sessions();
    assert!(sessions.len() >= 20);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/resume");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in sessions {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            insta::assert_snapshot!(name, page(&path));
        }
    });
}
