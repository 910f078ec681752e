//! *Kinds* of violations are short words in kebab case, and what is stored names kinds that the rules have.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use turnproof_rules::rules::{CATALOGUE, Violation, find};
use turnproof_suite::subject::CrashKind;

pub(crate) fn is_kebab_case(kind: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    kind.split('-').all(is_word)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files at or under a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The words in kebab case that stand as texts in the sources of the rules, and the names of rules: each may be a kind.
fn known() -> BTreeSet<String> {
    let mut known: BTreeSet<String> = CrashKind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    known.extend([Violation::REFUSED, Violation::PANICKED].map(str::to_owned));
    known.extend(CATALOGUE.iter().filter_map(|rule| Some(rule.id.split_once('/')?.1.to_owned())));
    for file in files(&root().join("crates/turnproof-rules/src")) {
        let source = fs::read_to_string(file).unwrap_or_default();
        let words = source.split('"').map(|text| text.strip_prefix('-').unwrap_or(text));
        known.extend(words.filter(|word| is_kebab_case(word)).map(str::to_owned));
    }
    known
}

/// What happens to a member or a block, before its word: kinds are made of both.
const CHANGES: [&str; 6] = ["without-", "with-", "other-", "missing-", "extra-", "repeated-"];

fn is_known(kind: &str, known: &BTreeSet<String>) -> bool {
    let word = || CHANGES.iter().find_map(|change| kind.strip_prefix(change));
    known.contains(kind) || word().is_some_and(|word| known.contains(word))
}

#[test]
fn stored_cases_name_kinds_that_the_rules_have() {
    let known = known();
    let folders = ["tests/regressions", "tests/matrix"].map(|folder| files(&root().join(folder)));
    let cases = folders.iter().flatten().filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let mut seen = 0;
    for path in cases {
        let case: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        // The cases of the fuzz targets are plans alone, and crashes break no rule.
        if case["rule"].as_str().is_none_or(|rule| find(rule).is_none()) {
            continue;
        }
        let kind = case["kind"].as_str().unwrap_or_default();
        assert!(is_kebab_case(kind) && is_known(kind, &known), "{}: {kind}", path.display());
        seen += 1;
    }
    assert!(seen > 1_000, "{seen}");
}
