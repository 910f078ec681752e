//! A *check* of inputs: it goes on after an input that cannot be read, reports every place, and its counts are right.

#![cfg(feature = "report")]

use std::io;

use turnproof::check::{
    Finding, InputError, Options, RequestTally, Sink, Tally, TranscriptFile, check, is_on_requests, judge_request,
};
use turnproof_rules::operation::{Host, Request};
use turnproof_rules::rules::{CATALOGUE, Severity};

#[derive(Default)]
struct Reported {
    unreadable: Vec<String>,
    bytes: u64,
}

impl Sink for Reported {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        panic!("{finding:?}");
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        self.unreadable.push(error.name.clone());
        Ok(())
    }

    fn progress(&mut self, bytes: u64) {
        self.bytes += bytes;
    }
}

#[test]
#[cfg(unix)]
fn an_input_that_fails_while_it_is_read_is_named_and_the_others_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
    let line = "{\"type\":\"summary\",\"summary\":\"a\",\"leafUuid\":null}\n";
    std::fs::write(&paths[0], line).unwrap();
    // A folder can be opened, and fails when it is read.
    std::fs::create_dir(&paths[1]).unwrap();
    std::fs::write(&paths[2], line).unwrap();
    for threads in [0, 1, 2] {
        let mut reported = Reported::default();
        let options = Options { threads, ..Options::default() };
        let tally = check(&paths.clone().map(TranscriptFile::file), &options, &mut reported).unwrap();
        assert_eq!((tally.unreadable, tally.records), (1, 2));
        assert_eq!(reported.unreadable, [paths[1].display().to_string()]);
        assert_eq!(reported.bytes, 2 * line.len() as u64);
    }
}

/// What a check of one file reports: rule, line and path of each finding, and the counts.
fn judged(file: &str) -> (Vec<(&'static str, u64, String)>, Tally) {
    #[derive(Default)]
    struct Findings(Vec<(&'static str, u64, String)>);

    impl Sink for Findings {
        fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
            self.0.push((finding.rule.id, finding.line, finding.path.clone()));
            Ok(())
        }

        fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
            panic!("{error}");
        }
    }

    let input = TranscriptFile::stream("a", file.as_bytes()).unwrap();
    let mut findings = Findings::default();
    let tally = check(&[input], &Options { threads: 1, ..Options::default() }, &mut findings).unwrap();
    (findings.0, tally)
}

#[test]
fn of_a_rule_that_is_broken_very_often_each_place_is_reported_once_and_in_order() {
    // As many as are kept while the rules are asked, one more, and many more.
    for count in [2_047_u64, 2_048, 2_049, 5_000] {
        let user = |uuid: u64| {
            format!(
                "{{\"type\":\"user\",\"uuid\":\"u{uuid}\",\"parentUuid\":\"gone{uuid}\",\"message\":{{\"role\":\"user\",\"content\":\"a\"}}}}\n"
            )
        };
        let file: String = (0..count).map(user).collect();
        let (findings, tally) = judged(&file);
        let lines: Vec<u64> =
            findings.iter().filter(|(rule, ..)| *rule == "chain/parent-exists").map(|(_, line, _)| *line).collect();
        assert_eq!(lines, (1..=count).collect::<Vec<_>>());
        assert_eq!(tally.violations["chain/parent-exists"], count);
        assert_eq!((tally.files, tally.lines, tally.records), (1, count, count));
        assert_eq!(tally.violation_count(), findings.len() as u64);
    }
}

#[test]
fn counts_of_several_checks_add_up() {
    let violations = |count: u64| [("chain/parent-exists", count)].into();
    let part = |n: u64| Tally {
        files: n,
        lines: 2 * n,
        records: 3 * n,
        bytes: 4 * n,
        record_bytes: 5 * n,
        blank_bytes: 6 * n,
        rejected: 7 * n,
        rejected_bytes: 8 * n,
        unreadable: 9 * n,
        violations: violations(10 * n),
    };
    let mut sum = part(3);
    sum.add(&part(5));
    assert_eq!(sum, part(8));
    assert_eq!(sum.violation_count(), 80);
    let part = |n: u64| RequestTally {
        requests: n,
        legal: 2 * n,
        lists: 8 * n,
        turns: 3 * n,
        blocks: 4 * n,
        bytes: 5 * n,
        unreadable: 6 * n,
        violations: violations(7 * n),
        severities: [(Severity::Error, 8 * n), (Severity::Warning, 9 * n)].into(),
        not_judged: [format!("member{n}")].into(),
    };
    let mut sum = part(3);
    sum.add(&part(5));
    let names = ["member3".to_owned(), "member5".to_owned()].into();
    assert_eq!(sum, RequestTally { not_judged: names, ..part(8) });
    assert_eq!(sum.errors(), 64);
    assert_eq!(sum.violation_count(), 56);
}

#[test]
fn a_place_in_a_record_that_shares_its_line_is_reported_within_that_record() {
    let (first, second) = (r#"{"type":"tag","tag":"a"}"#, r#"{"type":"tag","more":[{"a":1,"b":2,"a":3}]}"#);
    let (findings, _) = judged(&format!("{first}\n{first}{second}\n"));
    let keys = findings.iter().find(|(rule, ..)| *rule == "wire/unique-keys").unwrap();
    assert_eq!((keys.1, keys.2.as_str()), (2, "more[0].a"));
}

#[test]
fn of_a_turn_of_megabytes_the_beginning_alone_is_kept() {
    let body = serde_json::json!({"messages": [
        {"role": "assistant", "content": [{"type": "text", "text": "a".repeat(1 << 20)}]},
    ]});
    let request = Request::read(&body.to_string()).unwrap();
    let rules: Vec<_> = CATALOGUE.iter().copied().filter(|rule| is_on_requests(rule)).collect();
    let mut excerpts = Vec::new();
    judge_request(&request, Host::Portable, &rules, &mut |found| excerpts.push(found.excerpt));
    let turn = excerpts.iter().max_by_key(|excerpt| excerpt.len()).unwrap();
    assert_eq!(turn.len(), 512);
    assert!(turn.starts_with(br#"{"#), "{}", String::from_utf8_lossy(turn));
}
