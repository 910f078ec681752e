//! The *kind* of a violation is what was found, without the values that depend on the case.

use turnproof::rules::{Place, Violation};
use turnproof::suite::kind;

fn kind_of(found: &str) -> String {
    let (found, expected) = (found.to_owned(), "something else".to_owned());
    kind(&Violation { rule: "a/b", place: Place::Whole, found, expected, error: None })
}

#[test]
fn violations_that_differ_in_values_alone_are_of_one_kind() {
    assert_eq!(kind_of(r#"turn 3 has "a\"b""#), kind_of(r#"turn 12 has "c""#));
    assert_eq!(kind_of(r#"`live` is {"a":["}"]}, 2"#), kind_of("`slots` is [], 17"));
    assert_eq!(kind_of("asked again: u1, u2"), kind_of("asked again: u1"));
    assert_eq!(kind_of("a result for toolu_1a, t2 is late"), kind_of("a result for messages.1.text is late"));
    assert_eq!(kind_of(r#"the block {"a":"long… is lost"#), kind_of("the block {} is lost"));
}

#[test]
fn violations_that_say_another_thing_are_of_another_kind() {
    assert_ne!(kind_of("a call without a result"), kind_of("a result without a call"));
    assert_ne!(kind_of("the subject panicked: no a"), kind_of("the subject panicked: no b"));
}

#[test]
fn quotes_and_braces_that_do_not_close_are_no_matter() {
    for found in ["\"", "`a", "{\"a", "[[", "\"\\", ""] {
        kind_of(found);
    }
}
