//! What a check says of files *beside each other*, and beside the folder in which they lie.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::call::{run, turnproof};

/// Ids of sessions.
const SHOP: &str = "5e55a001-0000-4000-8000-000000000001";
const OTHER: &str = "5e55a002-0000-4000-8000-000000000001";
const NEXT: &str = "5e55a003-0000-4000-8000-000000000001";

/// So many turns of a session of a directory. The first record has the uuid `FIRST-0`.
fn turns(first: &str, id: &str, directory: &str, count: usize) -> String {
    let turn = |number: usize| {
        let parent = number.checked_sub(1).map_or("null".into(), |before| format!("\"{first}-{before}\""));
        format!(
            "{{\"type\":\"user\",\"uuid\":\"{first}-{number}\",\"parentUuid\":{parent},\"sessionId\":\"{id}\",\
             \"cwd\":\"{directory}\",\"message\":{{\"role\":\"user\",\"content\":\"Go on.\"}}}}\n"
        )
    };
    (0..count).map(turn).collect()
}

/// Writes a session into a folder of a client.
fn write(projects: &Path, folder: &str, id: &str, lines: &str) {
    fs::create_dir_all(projects.join(folder)).unwrap();
    fs::write(projects.join(folder).join(format!("{id}.jsonl")), lines).unwrap();
}

/// The notes on all files of a folder: the kind of each, and the members whose names are given, without the folder.
fn notes(projects: &Path, members: &[&str]) -> Vec<String> {
    let (_, out, _) = run(&mut turnproof(&["check", "--verdict", "--format", "json", projects.to_str().unwrap()]));
    let lines = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let shown = |note: Value| {
        let values =
            ["note", "file"].iter().chain(members).filter_map(|member| note.get(*member).map(Value::to_string));
        values.collect::<Vec<_>>().join(" ").replace(&format!("{}/", projects.display()), "")
    };
    lines.filter(|line| line["kind"] == "note").map(shown).collect()
}

#[test]
fn a_session_that_lies_in_the_folder_of_its_directory_has_no_note() {
    let projects = TempDir::new().unwrap();
    write(projects.path(), "-home-ada-shop", SHOP, &turns("u", SHOP, "/home/ada/shop", 2));
    write(projects.path(), "backup", OTHER, &turns("v", OTHER, "/home/ada/shop", 2));
    assert_eq!(notes(projects.path(), &[]), [""; 0], "a folder of another name is nobody's mistake");
}

#[test]
fn a_session_in_the_folder_of_another_directory_says_where_its_client_looks() {
    let projects = TempDir::new().unwrap();
    write(projects.path(), "-home-ada", SHOP, &turns("u", SHOP, "/home/ada/shop", 2));
    let expected = format!("\"other-folder\" \"-home-ada/{SHOP}.jsonl\" \"/home/ada/shop\" \"-home-ada-shop\"");
    assert_eq!(notes(projects.path(), &["directory", "folder"]), [expected]);
    let moved_on = turns("u", SHOP, "/home/ada", 1) + &turns("w", SHOP, "/home/ada/shop", 1);
    write(projects.path(), "-home-ada", SHOP, &moved_on.replace("\"parentUuid\":null", "\"parentUuid\":\"u-0\""));
    assert_eq!(notes(projects.path(), &[]), [""; 0], "it began where it lies");
}

#[test]
fn of_two_files_with_one_id_the_one_that_holds_less_names_the_other() {
    let projects = TempDir::new().unwrap();
    write(projects.path(), "-home-ada-shop", SHOP, &turns("u", SHOP, "/home/ada/shop", 3));
    write(
        projects.path(),
        "-home-ada",
        SHOP,
        &format!("{{\"type\":\"mode\",\"mode\":\"normal\",\"sessionId\":\"{SHOP}\"}}\n"),
    );
    let expected = format!("\"copy\" \"-home-ada/{SHOP}.jsonl\" \"-home-ada-shop/{SHOP}.jsonl\" 0 3");
    assert_eq!(notes(projects.path(), &["of", "messages", "of_messages"]), [expected]);
    let (_, out, _) = run(&mut turnproof(&["check", projects.path().to_str().unwrap()]));
    assert!(out.contains("a stub without a message") && out.contains("(3 messages)"), "{out}");
}

#[test]
fn a_fork_names_the_session_that_it_begins_with() {
    let projects = TempDir::new().unwrap();
    write(projects.path(), "-home-ada-shop", SHOP, &turns("u", SHOP, "/home/ada/shop", 2));
    write(projects.path(), "-home-ada-shop", OTHER, &turns("u", OTHER, "/home/ada/shop", 4));
    let expected = format!("\"fork\" \"-home-ada-shop/{OTHER}.jsonl\" \"-home-ada-shop/{SHOP}.jsonl\"");
    assert_eq!(notes(projects.path(), &["of"]), [expected]);
}

#[test]
fn a_session_that_is_continued_names_the_next_one_and_its_fullest_file() {
    let projects = TempDir::new().unwrap();
    let record =
        format!("{{\"type\":\"continued-in\",\"continuedInSessionId\":\"{NEXT}\",\"sessionId\":\"{SHOP}\"}}\n");
    write(projects.path(), "-home-ada-shop", SHOP, &(turns("u", SHOP, "/home/ada/shop", 2) + &record));
    let alone = format!("\"continued\" \"-home-ada-shop/{SHOP}.jsonl\" \"{NEXT}\" null");
    assert_eq!(notes(projects.path(), &["session", "session_file"]), [alone]);
    write(projects.path(), "-home-ada-shop", NEXT, &turns("v", NEXT, "/home/ada/shop", 2));
    let found = format!("\"continued\" \"-home-ada-shop/{SHOP}.jsonl\" \"{NEXT}\" \"-home-ada-shop/{NEXT}.jsonl\"");
    assert_eq!(notes(projects.path(), &["session", "session_file"]), [found]);
}
