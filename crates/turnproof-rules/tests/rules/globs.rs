//! How rules are found by their ids, and which is nearest to a mistake.

use turnproof_rules::rules::{CATALOGUE, NoSuchRule, choose, distance, glob_matches, matching};

#[test]
fn a_star_matches_any_characters_and_a_question_mark_one() {
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
fn a_rule_that_is_not_listed_is_between_those_near_and_those_far() {
    let [near, usual, far, farthest] =
        ["normalize/total", "api/alternation", "normalize/conserves", "normalize/idempotent"].map(distance);
    assert!(near < usual && usual < far && far < farthest, "{near} {usual} {far} {farthest}");
    assert_eq!(distance("of/tomorrow"), usual);
    assert_eq!(distance("*"), usual);
}

fn chosen(globs: &[&str]) -> Vec<&'static str> {
    choose(globs).unwrap().into_iter().map(|rule| rule.id).collect()
}

#[test]
fn rules_are_chosen_by_globs_and_left_out_by_globs_with_an_exclamation_mark() {
    let derived = ["id/derived-form", "id/derived-deterministic", "id/derived-injective"];
    assert_eq!(chosen(&["id/derived-*"]), derived);
    assert_eq!(chosen(&["id/derived-*", "!id/derived-form"]), derived[1..]);
    assert_eq!(chosen(&["id/derived-*,!id/derived-form"]), derived[1..]);
    assert_eq!(chosen(&["!id/derived-form, id/derived-*"]), derived[1..], "any order");
    assert_eq!(chosen(&["id/derived-form", "id/derived-*", "id/short-form"]).len(), 4, "each once");
    assert_eq!(chosen(&[] as &[&str]).len(), CATALOGUE.len());
    assert_eq!(chosen(&["!id/derived-*"]).len(), CATALOGUE.len() - 3);
    assert!(chosen(&["id/*", "!*"]).is_empty());
}

#[test]
fn a_glob_that_matches_no_rule_is_refused_also_one_that_leaves_out() {
    for glob in ["api/first-users", "!api/first-users", "thinking/*,", "", "!"] {
        let NoSuchRule(found) = choose(&["wire/*", glob]).unwrap_err();
        assert!(!found.contains(['!', ',']), "{found}");
    }
}
