//! `junit.xml` for CI servers.

use roxmltree::{Document, Node};
use turnproof::subject::Subject;

use super::runs::{Run, STORED, drops_nulls, hostile, options, reference};

fn xml(run: &Run) -> String {
    run.files().remove("junit.xml").unwrap()
}

/// The tests of rules.
fn tests<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    all_tests(document).filter(|test| !is_of_label(test)).collect()
}

/// The tests of labels.
fn labels<'a>(document: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    all_tests(document).filter(is_of_label).collect()
}

fn all_tests<'a>(document: &'a Document<'a>) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name("testcase"))
}

fn is_of_label(test: &Node<'_, '_>) -> bool {
    test.attribute("classname") == Some("turnproof.labels")
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
    let labels = &run.report.labels;
    let all = tests.len() + labels.len();
    assert_eq!((number("tests"), number("failures"), number("errors")), (all, broken, 0));
    assert_eq!(number("skipped"), skipped + labels.iter().filter(|count| !count.is_judged).count());
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
    assert_eq!(why(&none, "wire/utf8"), "no case put it to the test");
}

#[test]
fn a_label_is_a_test_and_one_that_is_too_rare_fails_with_its_numbers() {
    let xml = xml(&STORED);
    let document = Document::parse(&xml).unwrap();
    let labels = labels(&document);
    assert_eq!(labels.len(), STORED.report.labels.len());
    for (test, count) in labels.iter().zip(&STORED.report.labels) {
        assert_eq!(test.attribute("name"), Some(count.label));
        assert_eq!(test.parent_element().unwrap().attribute("name"), Some("labels"));
        assert_eq!(child(test, "failure").is_some(), count.is_rare, "{}", count.label);
        assert!(child(test, "skipped").is_none(), "{}", count.label);
    }
    let failure = child(&labels[1], "failure").unwrap();
    let words = "in 12 of 1,000,000 cases; expected in 0.50% of them";
    assert_eq!((failure.attribute("message"), failure.attribute("type")), (Some(words), Some("too-rare")));
    let text = failure.text().unwrap();
    assert!(text.starts_with("crash/torn-end: a crash that leaves a torn line\n\n"), "{text}");
    assert!(text.contains(words) && text.contains("what to do: Generate it more often"), "{text}");
    let properties: Vec<_> = labels[1]
        .descendants()
        .filter(|node| node.has_tag_name("property"))
        .map(|node| (node.attribute("name").unwrap(), node.attribute("value").unwrap()))
        .collect();
    assert_eq!(properties, [("cases", "12"), ("of", "1000000"), ("least", "0.005")]);
}

#[test]
fn a_label_that_the_run_had_too_few_cases_for_is_skipped_and_says_so() {
    let run = drops_nulls(0);
    let xml = xml(&run);
    let document = Document::parse(&xml).unwrap();
    let labels = labels(&document);
    assert_eq!(labels.len(), run.report.labels.len());
    let mut skipped = 0;
    for (test, count) in labels.iter().zip(&run.report.labels) {
        let why = child(test, "skipped").map(|skipped| skipped.attribute("message").unwrap());
        assert_eq!(why, (!count.is_judged).then_some("there are too few cases to tell"), "{}", count.label);
        skipped += usize::from(why.is_some());
    }
    assert!(skipped > 0, "a run of {} cases judges all labels", run.report.cases);
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
