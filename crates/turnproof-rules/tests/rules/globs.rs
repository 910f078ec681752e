//! How rules are found by their ids, and which is nearest to a mistake.

use turnproof_rules::rules::{distance, glob_matches, matching};

#[test]
fn a_star_stands_for_any_characters_and_a_question_mark_for_one() {
    let matches = |glob: &str, text: &str| glob_matches(glob.as_bytes(), text.as_bytes());
    for (glob, text) in [
        ("", ""),
        ("*", ""),
        ("*", "abc"),
        ("a?c", "abc"),
        ("*c", "abcabc"),
        ("a*c", "abbbc"),
        ("*b*c*", "aabbcc"),
        ("*ab?", "aaabc"),
        ("a**", "a"),
    ] {
        assert!(matches(glob, text), "{glob} {text}");
    }
    for (glob, text) in [("", "a"), ("?", ""), ("a", "ab"), ("ab", "a"), ("*b", "abc"), ("a*d", "abbbc"), ("??", "a")] {
        assert!(!matches(glob, text), "{glob} {text}");
    }
    let ids: Vec<&str> = matching("*/derived-?orm").iter().map(|rule| rule.id).collect();
    assert_eq!(ids, ["id/derived-form"]);
}

#[test]
fn a_rule_that_is_not_listed_stands_between_those_near_and_those_far() {
    let [near, usual, far, farthest] =
        ["normalize/total", "api/alternation", "normalize/conserves", "normalize/idempotent"].map(distance);
    assert!(near < usual && usual < far && far < farthest, "{near} {usual} {far} {farthest}");
    assert_eq!(distance("of/tomorrow"), usual);
    assert_eq!(distance("*"), usual);
}
