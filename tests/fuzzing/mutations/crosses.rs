//! *Crosses*: one input made of two.

use std::collections::BTreeSet;

use turnproof_suite::fuzzing::mutate::cross;

/// The lines of a cross that come from one side, which has this letter in each.
fn side(made: &str, letter: char) -> Vec<&str> {
    made.lines().filter(|line| line.starts_with(letter)).collect()
}

#[test]
fn a_cross_has_whole_lines_of_both_each_in_its_order() {
    for seed in 0..2_000 {
        let made = cross(b"a1\na2\na3", b"b1\nb2\nb3\n", seed, 99);
        assert_eq!(made, cross(b"a1\na2\na3", b"b1\nb2\nb3\n", seed, 99));
        let made = String::from_utf8(made).expect("UTF-8");
        let (first, second) = (side(&made, 'a'), side(&made, 'b'));
        assert_eq!(first.len() + second.len(), made.lines().count(), "{made}");
        assert!(first.is_sorted() && second.is_sorted() && !first.is_empty() && !second.is_empty(), "{made}");
        assert!(first.iter().chain(&second).all(|line| line.len() == 2), "{made}");
    }
}

#[test]
fn a_cross_is_a_beginning_and_an_end_or_a_run_inside_or_both_in_turns() {
    let made: BTreeSet<Vec<u8>> = (0..2_000).map(|seed| cross(b"a\nb\n", b"c\nd\n", seed, 99)).collect();
    let expected = ["a\nd\n", "a\nc\nd\n", "a\nc\nb\n", "a\nc\nd\nb\n", "c\na\nd\nb\n", "c\nd\na\nb\n"];
    for text in expected {
        assert!(made.contains(text.as_bytes()), "{text:?} is never made");
    }
}

#[test]
fn a_cross_with_nothing_is_the_other_and_a_long_one_is_cut_behind_a_line() {
    assert_eq!(cross(b"", b"b\n", 1, 99), b"b\n");
    assert_eq!(cross(b"a\n", b"", 1, 99), b"a\n");
    assert_eq!(cross(b"", b"", 1, 99), b"");
    assert_eq!(cross(b"", b"a1\na2\n", 1, 5), b"a1\n");
    assert_eq!(cross(b"", b"a1\na2\n", 1, 1), b"a");
}
