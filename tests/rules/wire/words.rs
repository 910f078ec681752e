//! The *words* of a report say what the subject has where something else should be.

use turnproof_rules::operation::Parsed;
use turnproof_rules::rules::{Verdict, right_reading};

use super::{judge, record, rejected};

/// What the rule on whole objects found, and what it expected.
fn sentences(parsed: &Parsed) -> Vec<(String, String)> {
    match judge("wire/json-object", BYTES, parsed) {
        Verdict::Broken(violations) => violations
            .into_iter()
            .map(|violation| (violation.found.to_string(), violation.expected.to_string()))
            .collect(),
        other => panic!("{other:?}"),
    }
}

/// What a subject makes of a right reading.
type Change = fn(&mut Parsed);

/// Two records, and a line that is none.
const BYTES: &[u8] = b"{}\n{\"a\":1}\nx\n";

#[test]
fn what_is_in_the_place_of_a_record_is_reported() {
    let right = right_reading(BYTES);
    let without = |change: Change| {
        let mut parsed = right.clone();
        parsed.records.pop();
        change(&mut parsed);
        sentences(&parsed)
    };
    let expected = "a record at bytes 3 to 10";
    let cases: [(&str, Change); 6] = [
        ("nothing at all", |_| ()),
        ("a record at bytes 3 to 9", |parsed| parsed.records.push(record(3..9, "", "", BYTES))),
        ("a record at bytes 9 to 11", |parsed| parsed.records.push(record(9..11, "", "", BYTES))),
        ("bytes 4 to 8 rejected as not-json", |parsed| parsed.rejected.insert(0, rejected(4..8, "not-json"))),
        ("bytes 3 to 10 taken for blank", |parsed| parsed.blank.push((3, 10))),
        // What only touches it is beside it.
        ("nothing at all", |parsed| parsed.blank = vec![(2, 3), (10, 11)]),
    ];
    for (found, change) in cases {
        let found_all = without(change);
        assert!(found_all.contains(&(found.to_owned(), expected.to_owned())), "{found}: {found_all:?}");
    }
}

#[test]
fn what_should_be_in_the_place_of_a_record_is_reported() {
    let mut parsed = right_reading(BYTES);
    parsed.records.push(record(3..9, "", "", BYTES));
    parsed.records.push(record(10..11, "", "", BYTES));
    parsed.records.push(record(11..12, "", "", BYTES));
    let found_all = sentences(&parsed);
    for expected in [
        "a record at bytes 3 to 10",
        "blank: nothing but white space, or no bytes at all",
        "bytes 11 to 12 rejected as not-json",
    ] {
        assert!(found_all.iter().any(|(_, wanted)| wanted == expected), "{expected}: {found_all:?}");
    }
}
