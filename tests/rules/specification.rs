//! SPEC.md and what *cites* it: each cited section exists, and a rule cites each section that must hold.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use turnproof::report::coverage::{Force, sections};
use turnproof_rules::rules::CATALOGUE;

#[test]
fn each_section_says_whether_it_must_hold() {
    let sections = sections();
    assert!(sections.len() > 100, "{} sections", sections.len());
    for section in &sections {
        assert!(section.force.is_some(), "the line under the heading of section {}", section.number);
    }
    let numbers: BTreeSet<&str> = sections.iter().map(|section| section.number).collect();
    assert_eq!(numbers.len(), sections.len(), "a number is given twice");
}

#[test]
fn a_rule_cites_each_section_that_must_hold_or_the_section_says_why_none_can() {
    let cited: BTreeSet<&str> = CATALOGUE.iter().flat_map(|rule| rule.sources).copied().collect();
    for section in sections() {
        let is_cited = cited.contains(format!("SPEC {}", section.number).as_str());
        match section.force {
            Some(Force::Normative) => assert!(is_cited, "no rule cites section {}", section.number),
            Some(Force::NotJudged(why)) => {
                assert!(!is_cited && !why.is_empty(), "section {} is judged after all", section.number);
            }
            Some(Force::Informative) | None => {}
        }
    }
}

#[test]
fn each_section_that_is_cited_exists() {
    let numbers: BTreeSet<&str> = sections().into_iter().map(|section| section.number).collect();
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut files = Vec::new();
    for place in ["README.md", "CONTRIBUTING.md", "docs", "src", "crates", "fuzz", "tests"] {
        gather(&root.join(place), &mut files);
    }
    let mut citations = 0;
    for path in files {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for begin in ["SPEC.md section ", "SPEC "] {
            for (at, _) in text.match_indices(begin) {
                let rest = &text[at + begin.len()..];
                let number: &str = rest.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap_or_default();
                let number = number.trim_end_matches('.');
                if !number.is_empty() {
                    citations += 1;
                    assert!(numbers.contains(number), "{}: there is no section {number}", path.display());
                }
            }
        }
    }
    assert!(citations > 200, "{citations} citations");
}

/// The Rust files, pages and examples below a path.
fn gather(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() && !path.ends_with("target") && !path.ends_with("seeds") && !path.ends_with("corpus") {
        for entry in fs::read_dir(path).expect("a folder") {
            gather(&entry.expect("an entry").path(), files);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
        files.push(path.to_owned());
    }
}
