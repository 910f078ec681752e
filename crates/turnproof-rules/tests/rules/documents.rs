//! A rule's *document* is a page of Markdown.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use turnproof_rules::rules::CATALOGUE;

#[test]
fn each_document_has_all_its_parts() {
    for rule in CATALOGUE.iter() {
        let parts = [rule.title, rule.doc, rule.remedy];
        assert!(parts.iter().all(|part| !part.is_empty() && !part.contains("##")), "{}", rule.id);
        assert!(!rule.sources.is_empty() && !rule.example.is_empty(), "{}", rule.id);
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
