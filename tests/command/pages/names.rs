//! What pages *name*: calls in blocks marked `sh` or `yaml`, which cannot run here, and calls and paths in the running
//! text. Each call must be one that the program or cargo knows, and each path must be there.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{BY_CARGO, lines, pages, root, sample_folder, shell};

/// The folders of the repository that pages name by their paths.
const FOLDERS: &[&str] =
    &[".ci/", "adapters/", "benches/", "crates/", "docs/", "examples/", "fuzz/", "snapshots/", "src/", "tests/"];

/// Paths that are not in the repository: a fuzzer makes them, or a reader.
const MADE: &[&str] = &["fuzz/artifacts/", "fuzz/corpus", "tests/conformance.rs"];

/// The pieces of a line that are set as code.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// What pages call without running it here: in blocks marked `sh` or `yaml`, and in the running text.
fn calls(begin: &str) -> BTreeSet<(String, PathBuf)> {
    let mut calls = BTreeSet::new();
    for (name, page) in pages().into_iter().filter(|(name, _)| !name.ends_with("CHANGELOG.md")) {
        for (_, block, line) in lines(&page) {
            let in_blocks = matches!(block, Some("sh" | "yaml")).then(|| line.split(" #").next().unwrap());
            let in_text = code(line).filter(|_| block.is_none());
            let parts = in_blocks.iter().flat_map(|line| line.split(['|', '>', '&'])).chain(in_text);
            for part in parts.map(|part| part.trim_start_matches("- run: ").trim().replace(BY_CARGO, "turnproof ")) {
                if let Some(at) = part.find(begin).filter(|&at| at == 0 || part[..at].ends_with(' ')) {
                    calls.insert((part[at..].to_owned(), name.clone()));
                }
            }
        }
    }
    eprintln!("{} calls of {begin}", calls.len());
    assert!(calls.len() > 20, "{calls:?}");
    calls
}

#[test]
fn the_program_knows_each_call_that_a_page_names() {
    let folder = sample_folder();
    for (call, page) in calls("turnproof ") {
        // What is behind `--` is a call of another program.
        let own = call.split(" -- ").next().unwrap();
        let output = shell(&folder, &format!("{own} --help"));
        assert!(output.status.success(), "{}: {call}\n{}", page.display(), String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn packages_programs_tests_and_benchmarks_that_a_page_names_exist() {
    for (call, page) in calls("cargo ") {
        let words: Vec<&str> = call.split_whitespace().take_while(|&word| word != "--").collect();
        for pair in words.windows(2) {
            let places: &[&str] = match pair[0] {
                "-p" if pair[1] == "turnproof-fuzz" => &["fuzz"],
                "-p" if pair[1] == "turnproof-tests" => &["tests"],
                "-p" => &["crates/NAME", "examples/NAME"],
                "--bench" => &["benches/NAME.rs"],
                "--bin" => &["fuzz/fuzz_targets/NAME.rs", "fuzz/src/bin/NAME.rs"],
                "--test" => &["tests/NAME", "tests/NAME.rs"],
                _ => continue,
            };
            let is_there = |place: &&str| root().join(place.replace("NAME", pair[1])).exists();
            assert!(places.iter().any(is_there), "{}: {call}", page.display());
        }
    }
}

#[test]
fn paths_that_a_page_names_exist() {
    let mut paths = 0;
    for (name, page) in pages() {
        // A changelog names what is gone; the rules name files of others.
        if name.ends_with("CHANGELOG.md") || name.starts_with("crates") {
            continue;
        }
        for (_, _, line) in lines(&page).filter(|(_, block, _)| block.is_none()) {
            for path in code(line).filter_map(|code| code.split_whitespace().next()) {
                let begins = |folders: &[&str]| folders.iter().any(|folder| path.starts_with(folder));
                if !begins(FOLDERS) || begins(MADE) || path.contains(['<', '*', '{', '…']) {
                    continue;
                }
                paths += 1;
                let is_there = root().join(path).exists() || root().join(&name).with_file_name(path).exists();
                assert!(is_there, "{}: {path}", name.display());
            }
        }
    }
    assert!(paths > 50, "{paths} paths");
}
