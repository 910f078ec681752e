//! `report.html` for people, read as a browser reads it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use turnproof::report::run::Exhibit;
use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{Place, find};
use turnproof_suite::suite::{Options, Regression};

use crate::markup::{Element, elements, ids};

use super::runs::{Run, STORED, drops_nulls, fault, hostile, operation, options, reference};

/// The elements of the page of all stored cases.
static STORED_PAGE: LazyLock<Vec<Element>> = LazyLock::new(|| elements(&page(&STORED)));

fn page(run: &Run) -> String {
    run.files()["report.html"].clone()
}

#[test]
fn ids_are_unique_and_links_lead_somewhere() {
    for elements in [&*STORED_PAGE, &elements(&page(&hostile())), &elements(&page(&reference(20)))] {
        let ids = ids(elements);
        let mut links = 0;
        for address in elements.iter().filter_map(|element| element.attributes.get("href")) {
            match address.strip_prefix('#') {
                Some(id) => assert!(ids.contains(id), "{address} leads nowhere"),
                None => assert!(address.starts_with("https://github.com/"), "{address}"),
            }
            links += 1;
        }
        assert!(links > 0);
    }
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    for elements in [&*STORED_PAGE, &elements(&page(&hostile()))] {
        for element in elements {
            let is_active = ["script", "img", "link", "iframe", "object", "embed", "base", "form", "svg", "video"];
            assert!(!is_active.contains(&element.name.as_str()), "<{}>", element.name);
            for name in element.attributes.keys() {
                assert!(!name.starts_with("on") && name != "src" && name != "style", "{name} on <{}>", element.name);
            }
        }
        let policy = elements.iter().filter(|element| element.attributes.contains_key("http-equiv"));
        assert_eq!(policy.count(), 1);
        let style = &elements.iter().find(|element| element.name == "style").unwrap().text;
        assert!(!style.contains("url(") && !style.contains("@import"));
    }
}

#[test]
fn hostile_texts_stay_text_and_move_nothing() {
    let run = hostile();
    let page = page(&run);
    let is_plain = |character: char| !character.is_control() || matches!(character, '\n' | '\t');
    assert!(page.chars().all(is_plain));
    assert!(!page.contains(['\u{202E}', '\u{2066}', '\u{FEFF}', '\u{2028}']));
    let elements = elements(&page);
    let sections = elements.iter().filter(|element| element.name == "section").count();
    assert_eq!(sections, 3, "the overview, the failure and the rules");
    let failure = elements.iter().find(|element| element.is("failure")).unwrap();
    for shown in ["<script>alert(1)</script></section><!--", "U+202E", "U+0000", "ESC[31m", "&amp;"] {
        assert!(failure.text.contains(shown), "{shown}");
    }
    assert!(page.len() < 200_000, "{} bytes: long texts are cut", page.len());
}

/// The elements inside each failure, by its id.
fn by_failure(elements: &[Element]) -> HashMap<&str, Vec<&Element>> {
    let mut inside: HashMap<&str, Vec<&Element>> = HashMap::new();
    for element in elements {
        if let Some(id) = element.section.as_deref() {
            inside.entry(id).or_default().push(element);
        }
    }
    inside
}

/// The failures of which a violation has a place, and none is marked on the page.
fn unmarked(elements: &[Element], run: &Run) -> Vec<String> {
    let sections: Vec<&Element> = elements.iter().filter(|element| element.is("failure")).collect();
    assert_eq!(sections.len(), run.report.failures.len());
    let mut unmarked = Vec::new();
    let by_failure = by_failure(elements);
    for (section, failure) in sections.iter().zip(&run.report.failures) {
        let id = section.attributes["id"].as_str();
        let inside = || by_failure.get(id).into_iter().flatten();
        let has_place = failure.violations.iter().take(20).any(|violation| violation.place != Place::Whole);
        if has_place {
            let is_marked = inside().any(|element| element.is("marked"));
            let has_note = inside().any(|element| element.is("note") && element.text.contains("found"));
            if !(is_marked && has_note) {
                let Regression { rule, subject, .. } = &failure.regression;
                unmarked.push(format!("{rule} of {subject}: {:?}", failure.violations));
            }
        }
    }
    unmarked
}

#[test]
fn every_violation_with_a_place_is_marked_in_its_place() {
    let unmarked = unmarked(&STORED_PAGE, &STORED);
    assert!(unmarked.is_empty(), "{}", unmarked.join("\n"));
    let rules = STORED.report.failures.iter().map(|failure| failure.regression.rule.as_str());
    let judged: BTreeSet<&str> = rules.map(operation).collect();
    let missing: Vec<&str> =
        Operation::ALL.iter().map(|operation| operation.name()).filter(|name| !judged.contains(name)).collect();
    assert!(missing.is_empty(), "each operation has a failure, but for {missing:?}");
}

#[test]
fn places_are_marked_in_the_list_that_the_rule_looks_at() {
    for (id, list) in [
        ("fold/newest-call-first", "What the subject makes of them"),
        ("fold/unfolds-calls-first", "The folding taken back"),
        ("fold/bridge-shows-meta", "The messages over the bridge"),
        ("fold/bridge-drops-notices", "The messages over the bridge"),
        ("fold/bridge-carries-groups", "The folded messages over the bridge"),
        ("fold/fresh-notes", "Asked again"),
        ("parse/drops-nulls", "The file"),
    ] {
        let run = run_of(id);
        assert!(!run.report.failures.is_empty(), "{id}");
        let elements = elements(&page(&run));
        assert_eq!(unmarked(&elements, &run), Vec::<String>::new());
        let lists = elements.iter().filter(|element| element.is("list") && element.text.starts_with(list));
        let is_marked = |element: &&Element| (element.is("row") || element.is("line")) && element.is("marked");
        let marked: Vec<&Element> = elements.iter().filter(is_marked).collect();
        let mut texts = lists.map(|list| &list.text);
        assert!(texts.any(|text| marked.iter().any(|marked| text.contains(&marked.text))), "{id}");
    }
}

/// A run of a fault and of its rule.
fn run_of(id: &str) -> Run {
    let fault = fault(id);
    Run::of(fault, Options { rules: vec![find(fault.rule).unwrap()], ..options(7, 400) })
}

/// The uuids that a text names.
fn uuids(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|character: char| !(character.is_ascii_hexdigit() || character == '-'));
    words.filter(|word| word.len() == 36 && word.matches('-').count() == 4)
}

#[test]
fn what_is_marked_is_what_the_violation_is_about() {
    let elements = &*STORED_PAGE;
    let sections: Vec<&Element> = elements.iter().filter(|element| element.is("failure")).collect();
    let mut compared = BTreeMap::<&str, u32>::new();
    let mut wrong = Vec::new();
    let by_failure = by_failure(elements);
    for (section, failure) in sections.iter().zip(&STORED.report.failures) {
        let id = section.attributes["id"].as_str();
        let rule = failure.regression.rule.as_str();
        let marked = || by_failure.get(id).into_iter().flatten().filter(|element| element.is("marked"));
        let violation = &failure.violations[0];
        // What is missing is named in what was found, and stands in no output. Sources of results are not shown either.
        let is_missing = marked().any(|element| element.is("missing"))
            || matches!(rule, "engine/resume-complete" | "engine/request-holds-live" | "engine/result-source");
        if violation.place == Place::Whole || is_missing {
            continue;
        }
        // A mark holds the words of its violation too. Where a place is marked again, they stand once.
        let noted = |word: &str| format!("{} {}", violation.found, violation.expected).matches(word).count();
        for word in uuids(&violation.found.to_string()).take(1) {
            let is_there = marked().any(|element| element.text.matches(word).count() > noted(word));
            if !is_there {
                wrong.push(format!("{rule} of {}: {violation:?}", failure.regression.subject));
            }
            *compared.entry(rule.split_once('/').unwrap().0).or_default() += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared.len() >= 4, "{compared:?}");
}

#[test]
fn an_exhibit_is_the_same_each_time() {
    let mut wrong = Vec::new();
    for (failure, exhibit) in STORED.report.failures.iter().zip(&STORED.exhibits).step_by(3) {
        let rule = failure.regression.rule.as_str();
        let subject = failure.regression.subject.as_str();
        // Their subjects answer at random: this is their fault.
        if rule.ends_with("deterministic") || rule == "ui/stable" {
            continue;
        }
        if format!("{:?}", Exhibit::of(fault(subject), failure)) != format!("{exhibit:?}") {
            wrong.push(format!("{rule} of {subject}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_failure_explains_its_rule_and_says_where_it_came_from() {
    let elements = &*STORED_PAGE;
    let sections = elements.iter().filter(|element| element.is("failure"));
    let squeezed = |text: &str| text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ");
    for (section, failure) in sections.zip(&STORED.report.failures) {
        let rule = find(&failure.regression.rule).unwrap();
        let text = squeezed(&section.text);
        for part in [rule.id, rule.title, rule.remedy, "turnproof test --seed", "Play it again"] {
            let is_there = text.contains(&squeezed(part));
            assert!(is_there || (part.starts_with("turnproof") && failure.regression.origin.is_none()), "{part}");
        }
        for paragraph in rule.doc.split("\n\n") {
            assert!(text.contains(&squeezed(paragraph)), "{paragraph}");
        }
        for source in rule.sources {
            assert!(text.contains(&squeezed(source)), "{source}");
        }
    }
    assert!(elements.iter().any(|element| {
        element
            .attributes
            .get("href")
            .is_some_and(|address| address == "https://github.com/anthropics/claude-code/issues/3277")
    }));
}

/// What a drawing of an answer says of its parts, by operation.
fn titles(operation: &str) -> &'static [&'static str] {
    match operation {
        "parse" => &["The file", "What the subject read"],
        "normalize_api" => &["The messages", "The request", "What the reference makes of them"],
        "normalize_ui" | "reorder_ui" | "fold" => &["The messages", "What the subject makes of them"],
        "derive_uuid" => &["The id that ids are derived from", "What the subject answers"],
        "short_id" => &["The id", "What the subject answers"],
        "record" => &["The session", "The steps"],
        "resume" | "repair" => &["The file", "What the subject answers"],
        "accumulate" => &["The stream", "What the subject makes of them"],
        "play" => &["The log of the loop", "The transcript at the end"],
        "check_request" => &["The host", "The request", "What the subject answers"],
        "check_response" => &["The reply", "What the subject answers"],
        "make" => &["The call of the factory", "What the subject answers"],
        "usage" => &["The files", "What the subject answers"],
        other => panic!("{other} has no drawing"),
    }
}

#[test]
fn an_answer_shows_what_was_asked_and_what_came_of_it() {
    let exhibits = STORED.report.failures.iter().zip(&STORED.exhibits);
    let sections = STORED_PAGE.iter().filter(|element| element.is("failure"));
    for (section, (failure, exhibit)) in sections.zip(exhibits) {
        let rule = &failure.regression.rule;
        let has_answer = exhibit.parts.first().is_some_and(|part| part.shown.is_ok());
        for title in titles(operation(rule)).iter().filter(|_| has_answer) {
            assert!(section.text.contains(title), "{title} of {rule}: {}", section.text);
        }
    }
}

#[test]
fn the_tables_say_what_the_run_counted() {
    let elements = &*STORED_PAGE;
    let rows: Vec<&Element> =
        elements.iter().filter(|element| element.name == "tr" && element.section.as_deref() == Some("rules")).collect();
    for count in &STORED.report.counts {
        let row = rows.iter().find(|row| row.text.starts_with(count.rule)).unwrap();
        match count.supported {
            true => assert!(row.text.ends_with(&format!("678{}", count.broken)), "{}", row.text),
            false => assert!(row.text.ends_with("not supported"), "{}", row.text),
        }
    }
    assert!(elements.iter().any(|element| element.name == "main"));
    let headings = elements.iter().filter(|element| element.name == "th");
    assert!(headings.into_iter().all(|heading| heading.attributes.contains_key("scope")));
}

#[test]
fn each_rule_has_a_square_that_leads_to_its_failure_or_its_row() {
    let elements = &*STORED_PAGE;
    let ids: BTreeSet<&String> = elements.iter().filter_map(|element| element.attributes.get("id")).collect();
    let in_overview = |element: &&Element| element.section.as_deref() == Some("overview") && element.name == "a";
    let squares: Vec<&Element> = elements.iter().filter(in_overview).collect();
    assert_eq!(squares.len(), STORED.report.counts.len());
    for count in &STORED.report.counts {
        let is_its = |square: &&&Element| square.attributes["aria-label"].starts_with(&format!("{}: ", count.rule));
        let square = squares.iter().find(is_its).unwrap();
        let name = &square.attributes["aria-label"];
        let fate = if count.broken > 0 {
            "failed"
        } else if !count.supported {
            "not supported"
        } else {
            ""
        };
        assert!(name.ends_with(fate), "{name}");
        let to = square.attributes["href"].trim_start_matches('#').to_owned();
        assert!(ids.contains(&to), "{to}");
        assert_eq!(to.starts_with("broken-"), count.broken > 0, "{name}");
    }
}

#[test]
fn the_same_run_gives_the_same_files_whatever_the_threads() {
    let files = |threads| drops_nulls(threads).files().clone();
    let one = files(1);
    assert_eq!(one, files(3));
    assert_eq!(one, files(1));
}

#[test]
fn a_stream_is_drawn_as_what_it_is() {
    let subject = fault("accumulate/reads-the-byte-order-mark");
    let rules = vec![find(subject.rule).unwrap()];
    let page = page(&Run::of(subject, Options { rules, ..options(1, 1_000) }));
    let elements = elements(&page);
    let failure = elements.iter().find(|element| element.is("failure")).unwrap();
    assert!(failure.text.contains("The smallest stream found"));
    let file = elements.iter().find(|element| element.name == "ol" && element.is("file")).unwrap();
    assert!(file.text.contains("U+FEFF"), "{}", file.text);
    assert!(!failure.text.contains("Its transcript"));
}
