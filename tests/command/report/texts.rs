//! Texts on the page of a run: escaped, what cannot be seen named, what is long cut.

use serde_json::json;
use turnproof::report::run::html::{issue_address, page};
use turnproof::report::run::{Exhibit, Failed, JudgedAnswer};
use turnproof_rules::operation::Value;
use turnproof_rules::rules::{Place, Violation, find};
use turnproof_suite::scenario::Profile;
use turnproof_suite::suite::Regression;

use super::runs::{Run, options, planted};

/// The page of a run whose only failure is of this rule and subject, in an answer with this input and these places.
fn page_of(rule: &'static str, subject: &str, input: impl Into<Value>, places: &[Place]) -> String {
    let violation = |&place: &Place| Violation {
        rule,
        kind: "planted",
        place,
        found: "something".into(),
        expected: "something else".into(),
        error: None,
        at: None,
        severity: None,
    };
    let violations: Vec<Violation> = places.iter().map(violation).collect();
    let failure = planted(rule, subject, Profile::Shuffled, violations.clone());
    let shown = Err(Failed { input: input.into(), why: "there is none".into() });
    let exhibit = Exhibit { parts: vec![JudgedAnswer { shown, violations }], right: 0 };
    page(&Run::made("a subject", options(3, 5), vec![failure], vec![exhibit]).report_of())
}

/// What stands in the page after the first of these beginnings, up to the next of these ends.
fn between<'p>(page: &'p str, begin: &str, end: &str) -> &'p str {
    let (_, rest) = page.split_once(begin).unwrap_or_else(|| panic!("{begin} is not in the page"));
    rest.split_once(end).unwrap_or_else(|| panic!("{end} is not in the page")).0
}

/// How the page shows the text of a message.
fn shown(text: &str) -> String {
    let message = json!({"type": "user", "uuid": "u1", "message": {"role": "user", "content": text}});
    let page = page_of("normalize/conserves", "a", json!({"messages": [message]}), &[Place::Whole]);
    between(&page, "<div class=\"holds\">", "</div>").to_owned()
}

#[test]
fn what_cannot_be_seen_is_named() {
    let shown = shown("a<b>&\"\u{202E}\0\r\n\t\u{FFFF}");
    assert!(shown.starts_with("a&lt;b&gt;&amp;&quot;<b class=\"char\""), "{shown}");
    for label in ["U+202E", "U+0000", "U+000D", "U+FFFF"] {
        assert!(shown.contains(&format!(">{label}</b>")), "{shown}");
    }
    let page = page_of("wire/utf8", "a", json!({"bytes": b"a\xFFb"}), &[Place::Whole]);
    let file = between(&page, "<ol class=\"file\">", "</ol>");
    assert!(file.contains(">\\xFF</b>"), "{file}");
}

#[test]
fn prose_has_code_between_backticks() {
    let escaped =
        |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let mut quotes = 0;
    for rule in ["api/no-empty-text", "wire/unique-keys", "wire/utf8"] {
        let page = page_of(rule, "a", json!({"ids": []}), &[Place::Whole]);
        let rule = find(rule).unwrap();
        for paragraph in rule.doc.split("\n\n").chain([rule.remedy]) {
            let parts = paragraph.split('`').enumerate().map(|(at, part)| match at % 2 {
                0 => escaped(part),
                _ => format!("<code>{}</code>", escaped(part)),
            });
            let html = format!("<p>{}</p>", parts.collect::<String>());
            quotes += html.matches("<code>&quot;").count();
            assert!(page.contains(&html), "{html}");
        }
    }
    assert!(quotes > 1, "code is escaped too: {quotes} times");
}

#[test]
fn a_long_text_is_cut_between_characters() {
    let long = "ä".repeat(500_000);
    let cut = shown(&long);
    assert!(cut.len() < 4_000 && cut.contains("998,600 bytes left out"), "{}", cut.len());
    assert!(!cut.contains("\\x"), "{cut}");
    let odd = format!("a{long}");
    assert!(!shown(&odd).contains("\\x"));
}

/// What the page shows of a list of messages, with these marked: the numbers of the messages, and how many are left out
/// in each gap.
fn rows(length: usize, marked: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let message = |at| json!({"type": "user", "uuid": format!("u{at}"), "message": {"content": "a"}});
    let places: Vec<Place> = marked.iter().map(|&index| Place::Message { index: index as u32, block: None }).collect();
    let page =
        page_of("normalize/conserves", "a", json!({"messages": (0..length).map(message).collect::<Vec<_>>()}), &places);
    let list = between(&page, "<ol class=\"rows\">", "</ol>");
    let numbers = |begin: &str, end: &str| {
        let pieces = list.split(begin).skip(1).map(|rest| rest.split_once(end).unwrap().0.replace(',', ""));
        pieces.map(|number| number.parse().unwrap()).collect()
    };
    (numbers("<span class=\"index\">", "</span>"), numbers("<li class=\"gap\">… ", " more …</li>"))
}

#[test]
fn a_long_list_keeps_what_is_marked() {
    let (shown, gaps) = rows(1_000, &[500]);
    assert!(shown.contains(&498) && shown.contains(&502));
    assert!(!shown.contains(&503));
    assert_eq!(shown.len() + gaps.iter().sum::<usize>(), 1_000);
    assert_eq!(rows(3, &[]), (vec![0, 1, 2], Vec::new()));
}

#[test]
fn of_a_long_list_with_a_mark_everywhere_a_part_is_shown() {
    // Each byte of the file is pointed at, so each of its lines is marked.
    let file = "a\n".repeat(100_000);
    let all = Place::Bytes { start: 0, end: file.len() as u64 };
    let page = page_of("wire/utf8", "a", json!({"bytes": file}), &[all]);
    let list = between(&page, "<ol class=\"file\">", "</ol>");
    let lines = list.matches("<li class=\"line marked\">").count();
    assert_eq!(list.matches("<li class=\"line").count(), lines, "each line is marked");
    assert!(lines > 0 && list.matches("<li ").count() < 200, "{lines} lines");
}

#[test]
fn escaped_json_says_the_same() {
    let text = "a\u{7F}\u{E9}\u{202E}\u{1F600}\n";
    let page = page_of("wire/utf8", text, json!({"ids": []}), &[Place::Whole]);
    let stored = between(&page, "<pre class=\"stored\"><code>", "</code>");
    assert!(stored.bytes().all(|byte| byte == b'\n' || (0x20..0x7F).contains(&byte)), "{stored}");
    let json = stored.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let regression: Regression = serde_json::from_str(&json).unwrap();
    assert_eq!(regression.subject, text);
}

#[test]
fn issues_lead_to_their_repository_and_nothing_else_does() {
    assert_eq!(
        issue_address("anthropics/claude-code#3277").as_deref(),
        Some("https://github.com/anthropics/claude-code/issues/3277")
    );
    for source in ["SPEC 7", "a/b#", "a/b#1 \"", "a#1", "a/b/c#1", "/b#1", "javascript:a/b#1"] {
        assert_eq!(issue_address(source), None, "{source}");
    }
}
