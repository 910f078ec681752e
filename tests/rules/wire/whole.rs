//! What is *whole* JSON: the rules agree with `serde_json`, and know what ends too early.

use serde::de::IgnoredAny;
use turnproof_rules::operation::Parsed;
use turnproof_rules::rules::{Verdict, right_reading};

use super::{judge, record};

const WHOLE: &[&str] = &[
    r#"{"a":[1,-2.5e+3,0,0.1,true,false,null,{"b":"c\n\u00e9\/"}],"d":{}, "e":[] , "":""}"#,
    "[[],{},[ ],{ }]",
    "-0.0E-01",
    "\" \\\"\\\\\"",
];

/// Each text with each byte taken out, doubled, or replaced by each of some bytes, and each beginning.
fn mutants() -> impl Iterator<Item = Vec<u8>> {
    let places = WHOLE.iter().flat_map(|text| (0..text.len()).map(move |at| (text.as_bytes(), at)));
    places.flat_map(|(text, at)| {
        let put = move |middle: &[u8]| [&text[..at], middle, &text[at + 1..]].concat();
        let replaced = b"{}[],:\"\\0 1-+.eEnu\t\n\x01\x7F\xFF".iter().map(move |&byte| put(&[byte]));
        replaced.chain([put(&[]), put(&[text[at], text[at]]), text[..at].to_vec()])
    })
}

/// Whether the rules take a record of these bytes, which is what a subject gives, for whole JSON.
fn is_whole(bytes: &[u8]) -> bool {
    let file = [b"1 ", bytes].concat();
    let parsed = Parsed { records: vec![record(2..file.len() as u64, "", "", &file)], ..Parsed::default() };
    let Verdict::Broken(violations) = judge("wire/json-object", &file, &parsed) else { return true };
    violations.iter().all(|violation| violation.kind != "not-whole")
}

#[test]
fn it_agrees_with_serde_json_on_what_is_whole() {
    assert!(WHOLE.iter().all(|text| is_whole(text.as_bytes())));
    for bytes in mutants() {
        let whole = serde_json::from_slice::<IgnoredAny>(&bytes).is_ok();
        assert_eq!(is_whole(&bytes), whole, "{:?}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn every_beginning_of_a_whole_object_ends_too_early() {
    for text in [WHOLE[0].to_owned(), format!("{{\"a\":{}}}", WHOLE[1])] {
        assert_eq!(right_reading(text.as_bytes()).records.len(), 1);
        for end in 1..text.len() {
            let parsed = right_reading(&text.as_bytes()[..end]);
            let rejected: Vec<(u64, &str)> =
                parsed.rejected.iter().map(|range| (range.start, range.reason.as_str())).collect();
            assert_eq!((parsed.records.len(), &rejected[..]), (0, &[(0, "cut-short")][..]), "{}", &text[..end]);
        }
    }
}
