//! A law that is broken: where it panicked, and which rule is broken there.

use std::panic::catch_unwind;

use turnproof_suite::fuzzing::{Law, Target, broken_by};
use turnproof_suite::subject::Subject;
use turnproof_suite::suite::Depth;

fn planted(_: &dyn Subject, bytes: &[u8], _: Depth) {
    assert!(bytes.len() < 3, "inputs are short: {} bytes", bytes.len());
    assert!(!bytes.contains(&0), "inputs have no zero: {bytes:?}");
}

const PLANTED: Target = Target { name: "planted", title: "inputs are short", law: Law::Bytes(planted), shape: None };

#[test]
fn a_broken_law_has_its_place_and_what_it_says() {
    let broken = broken_by(&PLANTED, b"abc").expect("too long");
    assert!(broken.place.starts_with("tests/fuzzing/broken.rs:"), "{}", broken.place);
    assert_eq!(broken.message, "inputs are short: 3 bytes");
    assert_eq!(broken.rule, None);
    let other = broken_by(&PLANTED, b"\0").expect("a zero");
    assert!(!broken.is_like(&other));
    assert!(broken.is_like(&broken_by(&PLANTED, b"abcd").expect("too long")));
    assert_eq!(broken_by(&PLANTED, b"ab"), None);
}

#[test]
fn the_first_panic_counts_and_so_does_one_that_is_caught() {
    let caught: fn(&dyn Subject, &[u8], Depth) = |_, bytes, _| {
        let _ = catch_unwind(|| assert!(bytes.is_empty(), "first: caught"));
        assert!(bytes.is_empty(), "second: not caught");
    };
    let broken = broken_by(&Target { law: Law::Bytes(caught), ..PLANTED }, b"a");
    assert_eq!(broken.map(|broken| broken.message), Some("first: caught".to_owned()));
    let caught_alone: fn(&dyn Subject, &[u8], Depth) = |_, _, _| {
        let _ = catch_unwind(|| panic!("first: caught"));
    };
    let broken = broken_by(&Target { law: Law::Bytes(caught_alone), ..PLANTED }, b"a");
    assert_eq!(broken.map(|broken| broken.message), Some("first: caught".to_owned()));
    let nothing: fn(&dyn Subject, &[u8], Depth) = |_, _, _| ();
    assert_eq!(broken_by(&Target { law: Law::Bytes(nothing), ..PLANTED }, b"a"), None);
}
