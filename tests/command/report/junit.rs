//! `junit.xml` for CI servers.

use roxmltree::{Document, Node};
use turnproof_suite::subject::Subject;

use super::runs::{Run, STORED, drops_nulls, hostile, options, reference};

fn xml(run: &Run) -> String {
    run.files()["junit.xml"].clone()
}

/// The tests of rules.
fn tests<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name("testcase")).collect()
}

fn child<'a>(test: &Node<'a, 'a>, name: &str) -> Option<Node<'a, 'a>> {
    test.children().find(|node| node.has_tag_name(name))
}

#[test]
fn a_suite_is_a_family_and_a_test_is_a_rule() {
    let run = drops_nulls(0);
    let xml = xml(&run);
    let document = Document::parse(&xml).unwrap();
    let tests = tests(&document);
    assert_eq!(tests.len(), run.report.counts.len());
    for (test, count) in tests.iter().zip(&run.report.counts) {
        assert_eq!(test.attribute("name"), Some(count.rule));
        let family = count.rule.split('/').next();
        assert_eq!(test.parent_element().unwrap().attribute("name"), family);
        assert_eq!(child(test, "failure").is_some(), count.broken > 0, "{}", count.rule);
        assert_eq!(child(test, "skipped").is_some(), count.broken + count.held == 0, "{}", count.rule);
    }
    let root = document.root_element();
    let number = |name: &str| root.attribute(name).unwrap().parse::<usize>().unwrap();
    let broken = run.report.counts.iter().filter(|count| count.broken > 0).count();
    let skipped = run.report.counts.iter().filter(|count| count.broken + count.held == 0).count();
    assert_eq!((number("tests"), number("failures"), number("errors")), (tests.len(), broken, 0));
    assert_eq!(number("skipped"), skipped);
    assert!(broken > 0 && root.attribute("time").is_none() && root.attribute("timestamp").is_none());
}

#[test]
fn a_rule_that_was_not_tested_is_skipped_and_says_why() {
    struct Idle;
    impl Subject for Idle {
        fn name(&self) -> &str {
            "idle"
        }
    }
    let why = |run: &Run, rule: &str| {
        let xml = xml(run);
        let document = Document::parse(&xml).unwrap();
        let tests = tests(&document);
        let test = tests.iter().find(|test| test.attribute("name") == Some(rule)).unwrap();
        child(test, "skipped").unwrap().attribute("message").unwrap().to_owned()
    };
    let idle = Run::of(&Idle, options(1, 3));
    assert_eq!(why(&idle, "wire/utf8"), "the subject does not do parse");
    let none = reference(0);
    assert_eq!(why(&none, "wire/utf8"), "no case exercised it");
}

#[test]
fn hostile_texts_are_legal_xml_and_can_be_read() {
    let run = hostile();
    let xml = xml(&run);
    let document = Document::parse(&xml).unwrap();
    let is_legal = |character: char| matches!(character, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    assert!(xml.chars().all(is_legal));
    let failure = document.descendants().find(|node| node.has_tag_name("failure")).unwrap();
    let message = failure.attribute("message").unwrap();
    for shown in ["\u{2400}", "\u{241B}[31m", "]]>", "<script>", "&amp;", "\u{FFFD}"] {
        assert!(message.contains(shown), "{shown} in {message}");
    }
    assert!(failure.text().unwrap().contains("]]><script>"));
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("script")).count(), 0);
}

#[test]
fn every_stored_case_is_in_its_failure() {
    let xml = xml(&STORED);
    let document = Document::parse(&xml).unwrap();
    let tests = tests(&document);
    let failures: Vec<_> = tests.iter().filter_map(|test| child(test, "failure")).collect();
    assert!(failures.len() > 80, "{}", failures.len());
    for failure in failures {
        let text = failure.text().unwrap();
        for part in ["again: turnproof test ", "plan: {", "what to do: ", "transcript:"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
