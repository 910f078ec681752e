//! Clients: the page on them is what the files of their results say.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_page_on_clients_is_what_their_results_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = tempfile::tempdir().unwrap();
    let mut matrix = Command::new(env!("CARGO_BIN_EXE_turnproof-matrix"));
    // No client has this name, so that none is played to.
    let matrix = matrix.args(["--clients", "--only", "nobody", "--out"]).arg(out.path()).current_dir(&root);
    assert!(matrix.output().unwrap().status.success());
    let made = fs::read_to_string(out.path().join("clients.md")).unwrap();
    assert_eq!(made, fs::read_to_string(root.join("docs/clients.md")).unwrap());
    // The README has its numbers.
    let numbers = made.split("On ").nth(1).and_then(|rest| rest.split_once(": ")?.1.split_once(" that two"));
    let (numbers, _) = numbers.unwrap();
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.split_whitespace().collect::<Vec<_>>().join(" ").contains(numbers), "{numbers}");
    // Each file that it names is there.
    let links = made.split("](../").skip(1).filter_map(|rest| rest.split(')').next());
    let links: Vec<&str> = links.collect();
    assert!(links.len() > 10);
    assert!(links.iter().all(|link| root.join(link).is_file()), "{links:?}");
}

#[test]
fn what_the_requests_of_a_client_do_not_allow_is_neither_right_nor_played() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out = tempfile::tempdir().unwrap();
    let judged = r#"{"name": "one", "title": "one 1", "family": "one", "outcomes": {"call": {}, "thinking": {"is_partial": true}}}"#;
    fs::write(out.path().join("one.json"), judged).unwrap();
    let mut matrix = Command::new(env!("CARGO_BIN_EXE_turnproof-matrix"));
    let matrix = matrix.args(["--clients", "--only", "nobody", "--out"]).arg(out.path()).arg("--kept-clients");
    assert!(matrix.arg(out.path()).current_dir(&root).output().unwrap().status.success());
    let made = fs::read_to_string(out.path().join("clients.md")).unwrap();
    let rows = ["| a call | right |", "| thinking before a call | – |", "| one | 1 of 38 |"];
    assert!(rows.iter().all(|row| made.contains(row)), "{made}");
}
