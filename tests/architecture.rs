//! How the tree looks: which crate may know which, and how a source file begins. Cargo holds the arrows.

use std::fs;
use std::path::{Path, PathBuf};

/// Each crate, and the crates of this repository that it may depend on.
const ARROWS: &[(&str, &[&str])] = &[
    ("crates/turnproof-format", &[]),
    ("crates/turnproof-rules", &["turnproof-format"]),
    ("crates/turnproof-reference", &["turnproof-format", "turnproof-rules"]),
    ("crates/turnproof-suite", &["turnproof-format", "turnproof-reference", "turnproof-rules"]),
    ("crates/turnproof-mock", &["turnproof-format", "turnproof-rules", "turnproof-suite"]),
    (
        "crates/turnproof-clients",
        &["turnproof-format", "turnproof-mock", "turnproof-reference", "turnproof-rules", "turnproof-suite"],
    ),
    (
        ".",
        &[
            "turnproof-clients",
            "turnproof-format",
            "turnproof-mock",
            "turnproof-reference",
            "turnproof-rules",
            "turnproof-suite",
        ],
    ),
];

/// The longest source file, in lines.
const LONGEST: usize = 500;

#[test]
fn crates_depend_only_on_the_crates_below_them() {
    for (folder, below) in ARROWS {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("a manifest");
        // Examples in documentation may use what is above.
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        let names = dependencies.lines().filter_map(|line| line.split_once(" = {")).map(|(name, _)| name);
        for name in names.filter(|name| name.starts_with("turnproof")) {
            assert!(below.contains(&name), "{folder}/Cargo.toml: {name} is not below it, says {}", file!());
        }
    }
}

#[test]
fn every_file_says_first_what_it_is_for_and_has_one_subject() {
    for path in ["src", "crates", "fuzz"].into_iter().flat_map(sources) {
        let text = fs::read_to_string(&path).expect("a source file");
        let (path, lines) = (path.display(), text.lines().count());
        assert!(text.starts_with("//! "), "{path}: begin the file with a `//!` line that says what it is for");
        assert!(
            lines <= LONGEST,
            "{path}: {lines} lines are over {LONGEST}; it has two subjects, give the second a file of its own"
        );
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder of the repository.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut folders = vec![root().join(folder)];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push(path);
            }
        }
    }
    assert!(!sources.is_empty(), "{folder} is not where this test looks for it");
    sources
}
