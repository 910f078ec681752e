//! `turnproof test --snapshots`: what a subject makes of stored conversations, reviewed as insta reviews it.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::call::{run, turnproof};
use crate::markup::{Element, elements, ids};

/// A call in a folder; `update` is what `INSTA_UPDATE` says.
fn review(folder: &Path, update: &str, more: &[&str]) -> (i32, String) {
    let snapshots = folder.join("snapshots");
    let mut command = turnproof(&["test", "--snapshots", snapshots.to_str().unwrap()]);
    command.env_remove("CI").env_remove("INSTA_UPDATE");
    if !update.is_empty() {
        command.env("INSTA_UPDATE", update);
    }
    let (code, out, errors) = run(command.args(more));
    assert_eq!(errors, "");
    (code, out)
}

/// How many files end so.
fn files(folder: &Path, ending: &str) -> usize {
    let files = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    files.filter(|path| path.to_string_lossy().ends_with(ending)).count()
}

const NAME: &str = "snapshots/normalize_api/a-late-result.snap";

/// A folder whose snapshots are accepted, but for one that says something else.
fn changed() -> TempDir {
    let folder = TempDir::new().unwrap();
    assert_eq!(review(folder.path(), "always", &[]).0, 0);
    let path = folder.path().join(NAME);
    let reviewed = fs::read_to_string(&path).unwrap();
    assert!(reviewed.starts_with("---\nsource: \"a-late-result.jsonl\"\nexpression: normalize_api\n---\n["));
    fs::write(&path, reviewed.replace("\"finished\"", "\"\u{FEFF}ended\"")).unwrap();
    folder
}

#[test]
fn what_is_new_waits_beside_until_it_is_accepted() {
    let folder = TempDir::new().unwrap();
    let (code, out) = review(folder.path(), "", &[]);
    assert_eq!((code, files(folder.path(), ".snap"), files(folder.path(), ".snap.new")), (1, 0, 114), "{out}");
    assert!(out.contains("114 snapshots: 114 new\naccept with `cargo insta review`"), "{out}");
    assert_eq!(review(folder.path(), "no", &[]).0, 1);
    let (code, out) = review(folder.path(), "unseen", &[]);
    assert_eq!((code, files(folder.path(), ".snap"), files(folder.path(), ".snap.new")), (0, 114, 0), "{out}");
    assert_eq!(review(folder.path(), "no", &[]), (0, "114 snapshots: 114 as reviewed\n".to_owned()));
}

#[test]
fn what_is_changed_is_shown_with_the_lines_around_it() {
    let folder = changed();
    let (code, out) = review(folder.path(), "unseen", &[]);
    let lines = [
        "  @@ -27,7 +27,7 @@",
        "         {",
        "           \"type\": \"tool_result\",",
        "           \"tool_use_id\": \"toolu_1\",",
        "  -        \"content\": \"<U+FEFF>ended\"",
        "  +        \"content\": \"finished\"",
        "         },",
    ];
    assert_eq!(code, 1);
    assert!(out.starts_with("changed: normalize_api of a-late-result\n") && out.contains(&lines.join("\n")), "{out}");
    assert_eq!(files(folder.path(), ".snap.new"), 1);
    assert_eq!(review(folder.path(), "always", &[]).0, 0);
    assert_eq!(files(folder.path(), ".snap.new"), 0);
}

#[test]
fn the_page_shows_what_is_changed_side_by_side() {
    let folder = changed();
    let report = folder.path().join("report");
    review(folder.path(), "no", &["--report", report.to_str().unwrap()]);
    let elements = elements(&fs::read_to_string(report.join("report.html")).unwrap());
    let ids = ids(&elements);
    let links = elements.iter().filter_map(|element| element.attributes.get("href")?.strip_prefix('#'));
    assert!(links.into_iter().all(|id| ids.contains(id)));
    let side = |class: &str| elements.iter().filter(|one| one.is(class)).map(|one| one.text.trim()).collect::<Vec<_>>();
    assert_eq!(side("was"), ["\"content\": \"U+FEFFended\""]);
    assert_eq!(side("is"), ["\"content\": \"finished\""]);
    let sections: Vec<&Element> = elements.iter().filter(|element| element.is("failure")).collect();
    assert_eq!(sections.len(), 1, "what is as reviewed is left out");
}

#[test]
fn conversations_of_ones_own_are_asked_about_and_a_crash_is_no_snapshot() {
    let folder = TempDir::new().unwrap();
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    let message = r#"{"type":"user","uuid":"u1","message":{"role":"user","content":"hello"}}"#;
    fs::write(own.join("hello.jsonl"), format!("{message}\n")).unwrap();
    let (code, out) = review(folder.path(), "always", &["--conversations", own.to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (0, "2 snapshots: 2 accepted\n"));
    let other = r#"sh -c 'read a; echo "{\"name\":\"a\",\"operations\":[\"parse\"]}"; read a'"#;
    let (code, out) = review(folder.path(), "always", &["--conversations", own.to_str().unwrap(), "--subject", other]);
    assert_eq!((code, out.as_str()), (4, "no snapshot: `a` answers neither normalize_api nor normalize_ui\n"));
    let dies = r#"sh -c 'read a; echo "{\"name\":\"a\",\"operations\":[\"normalize_api\"]}"; read a; exit 5'"#;
    let (code, out) = review(folder.path(), "always", &["--conversations", own.to_str().unwrap(), "--subject", dies]);
    assert_eq!(code, 1);
    assert!(out.contains("crashed: normalize_api of hello: ") && out.contains("exit code 5"), "{out}");
    assert!(fs::read_to_string(folder.path().join("snapshots/normalize_api/hello.snap")).unwrap().contains("hello"));
}
