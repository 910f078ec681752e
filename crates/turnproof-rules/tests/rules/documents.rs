//! A rule's *document* is a page of Markdown.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{Audience, CATALOGUE, History, Rule, find};

#[test]
fn each_document_has_all_its_parts() {
    for rule in CATALOGUE.iter() {
        let parts = [rule.title, rule.doc, rule.remedy];
        assert!(parts.iter().all(|part| !part.is_empty() && !part.contains("##")), "{}", rule.id);
        assert!(!rule.sources.is_empty() && !rule.example.is_empty(), "{}", rule.id);
    }
}

/// What is wrong with a page of this front matter, for a rule on transcripts or one on what a subject makes.
fn wrong(front: &'static str, asks_subjects: bool) -> String {
    let rule = find(if asks_subjects { "fold/runs" } else { "tool/dual" }).unwrap();
    let page = format!("{front}\n# a title\n\nProse.\n\n## Remedy\n\nDo.\n\n## Sources\n\n- SPEC 1\n").leak();
    Rule::read(rule.id, page, b"{}", rule.judge).map_or_else(|error| error.to_string(), |rule| rule.title.to_owned())
}

#[test]
fn a_front_matter_says_what_is_needed_and_nothing_that_nobody_reads() {
    let file = "---\nseverity: info\noperation: transcript\n---\n";
    assert_eq!(wrong(file, false), "a title");
    for (front, expected) in [
        ("# a title\n", "1: the page begins with `---`"),
        ("---\nseverity: info\n", "1: no `---` ends the front matter"),
        ("---\nseverity: info\n---\n", "3: `operation` is missing"),
        ("---\noperation: transcript\n---\n", "3: `severity` is missing"),
        ("---\nseverity: bad\noperation: transcript\n---\n", "2: `severity` is one of: info, warning, error"),
        ("---\nseverity: info\noperation: fold\n---\n", "3: `operation` is `transcript`, by the rule's function"),
        ("---\nseverity: info\nseverity: info\n---\n", "3: `severity` is there already"),
        ("---\nseverity: info\n\n---\n", "3: it is not `key: value`"),
        ("---\nseverity: info\nconsequence: so: bad\n---\n", "3: readers of YAML need quotes here"),
        ("---\nseverity: info\noperation: transcript\nsevrity: info\n---\n", "4: nothing reads `sevrity` here"),
        (
            "---\nseverity: info\noperation: transcript\nerrors:\n  - vertex: \"a\"\n---\n",
            "5: it is not `who how when: \"text\"`",
        ),
        ("---\nseverity: info\noperation: transcript\ndistance: 3\n---\n", "4: nothing reads `distance` here"),
    ] {
        assert_eq!(wrong(front, false), format!("rules/tool/dual.md:{expected}"));
    }
    for (front, expected) in [
        ("---\nseverity: info\noperation: fold\n---\n", "4: `audience` is missing"),
        ("---\nseverity: info\noperation: fold\naudience: pipelines\n---\n", "5: `distance` is missing"),
        (
            "---\nseverity: info\noperation: fold\naudience: pipelines\ndistance: far\n---\n",
            "5: `distance` is a small number",
        ),
    ] {
        assert_eq!(wrong(front, true), format!("rules/fold/runs.md:{expected}"));
    }
}

#[test]
fn a_rule_that_libraries_are_asked_says_what_harm_it_is_to_break_it() {
    for rule in CATALOGUE.iter() {
        let of_requests = rule.audience == Some(Audience::EveryClient) && rule.operation() == Operation::NormalizeApi;
        assert_eq!(rule.harm.is_some(), of_requests || rule.audience == Some(Audience::Libraries), "{}", rule.id);
        assert!(rule.history == History::Any || rule.audience == Some(Audience::EveryClient), "{}", rule.id);
        assert!(rule.distance <= 5, "{}", rule.id);
    }
}

#[test]
fn each_file_belongs_to_a_rule() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut files = BTreeSet::new();
    for family in fs::read_dir(&root).unwrap() {
        for file in fs::read_dir(family.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            files.insert(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
        }
    }
    let wanted = CATALOGUE.iter().flat_map(|rule| ["md", "jsonl"].map(|kind| format!("{}.{kind}", rule.id)));
    assert_eq!(files, wanted.collect());
}
