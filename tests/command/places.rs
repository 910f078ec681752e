//! Places of findings: the line is found again, whatever place a rule names.

#![cfg(feature = "report")]

use std::io;
use std::sync::{LazyLock, Mutex};

use turnproof::check::{Finding, InputError, Options, Sink, TranscriptFile, check};
use turnproof_rules::rules::{Facts, Judge, Place, Rule, Violation, find};

/// The places that the rule below names.
static PLACES: Mutex<Vec<Place>> = Mutex::new(Vec::new());

/// A rule that is broken at [`PLACES`], whatever the file holds.
static RULE: LazyLock<Rule> = LazyLock::new(|| Rule {
    id: "a/b",
    judge: Judge::Transcript(name_places),
    ..*find("chain/parent-exists").expect("a rule that is an error")
});

fn name_places(_: &Facts, sink: &mut dyn FnMut(Violation)) {
    for &place in PLACES.lock().unwrap().iter() {
        let (found, expected) = ("".into(), "".into());
        sink(Violation {
            rule: RULE.id,
            kind: "planted",
            place,
            found,
            expected,
            error: None,
            at: None,
            severity: None,
        });
    }
}

/// Of a finding the line, the range, the text and the start of the text.
type Told = (u64, u64, u64, Vec<u8>, u64);

#[derive(Default)]
struct Findings(Vec<Told>);

impl Sink for Findings {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.0.push((finding.line, finding.start, finding.end, finding.text.to_vec(), finding.text_start));
        Ok(())
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        panic!("{error}");
    }
}

/// The findings of violations at these places of a file.
fn told<const N: usize>(file: &[u8], places: [Place; N]) -> [Told; N] {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap();
    *PLACES.lock().unwrap() = places.to_vec();
    let input = TranscriptFile::stream("a", file).unwrap();
    let mut findings = Findings::default();
    check(&[input], &Options { rules: vec![&*RULE], threads: 1, ..Options::default() }, &mut findings).unwrap();
    findings.0.try_into().unwrap()
}

fn record(start: u64, member: &'static str) -> Place {
    Place::Record { line: 7, start, member, block: None }
}

#[test]
fn the_line_of_a_place_is_found_wherever_it_begins_and_however_long_it_is() {
    let glued = r#"{"uuid":"u1"}"#;
    for (before, filler) in
        [(0, 0), (0, 51), (1, 52), (3, 60), (3, 200), (9, 9_000), (2, 70_000), (1, 2_200_000), (0, 1_048_700)]
    {
        let long = format!("{{\"text\":\"{}\"}}", "x".repeat(filler));
        let head = "{}\n".repeat(before);
        for tail in ["", "\n", "\n{\"type\":\"summary\"}\n"] {
            let file = format!("{head}{long}{glued}{tail}");
            let (line_start, start) = (head.len() as u64, (head.len() + long.len()) as u64);
            let places = [record(start, ""), record(start, "uuid"), record(line_start, "text")];
            let [found, (_, from, to, ..), (_, text_from, text_to, ..)] = told(file.as_bytes(), places);
            let whole = (7, start, start + glued.len() as u64, format!("{long}{glued}").into_bytes(), line_start);
            assert!(found == whole, "{before} {filler} {tail:?}");
            assert_eq!(&file[from as usize..to as usize], "\"u1\"");
            assert_eq!((text_to - text_from) as usize, filler + 2);
        }
    }
}

#[test]
fn bytes_are_told_as_they_are_and_what_has_no_place_by_the_first_line() {
    let found = told(b"{}\nabc\n", [Place::Bytes { start: 4, end: 6 }, Place::Whole]);
    assert_eq!(found, [(0, 4, 6, b"abc".to_vec(), 3), (1, 0, 2, b"{}".to_vec(), 0)]);
}
