//! What holds for mutations as a *whole*: all operators together.

use std::collections::BTreeMap;

use serde_json::Value;
use turnproof_reference::stream::{ModelEvent, SseDecoder};
use turnproof_rules::operation::Request;
use turnproof_suite::fuzzing::mutate::{OPERATORS, Shape, mutate, operators_applied};

use super::samples::sample;
use super::{MOST, operator};

#[test]
fn the_same_seed_gives_the_same_copy_and_others_give_others() {
    for shape in Shape::ALL {
        let input = sample(shape).as_bytes();
        let copies: Vec<_> = (0..500).map(|seed| mutate(input, shape, seed, MOST)).collect();
        assert_eq!(copies, (0..500).map(|seed| mutate(input, shape, seed, MOST)).collect::<Vec<_>>());
        let mut different = copies.clone();
        different.sort();
        different.dedup();
        assert!(different.len() > 400, "{shape:?}: {} different copies of 500", different.len());
    }
}

#[test]
fn every_operator_changes_something_in_a_sample_of_each_of_its_shapes() {
    for operator in OPERATORS {
        for &shape in operator.shapes {
            let input = sample(shape).as_bytes();
            let changed = (0..50).find_map(|seed| operator.apply(input, shape, seed, MOST));
            assert!(changed.is_some_and(|changed| changed != input), "{} of {shape:?}", operator.name);
        }
    }
}

#[test]
fn every_operator_of_a_shape_is_drawn_and_no_other() {
    for shape in Shape::ALL {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        let input = sample(shape).as_bytes();
        for name in (0..4_000).flat_map(|seed| operators_applied(input, shape, seed, MOST)) {
            *counts.entry(name).or_default() += 1;
        }
        for operator in OPERATORS {
            let count = counts.get(operator.name).copied().unwrap_or_default();
            assert_eq!(count > 0, operator.shapes.contains(&shape), "{} of {shape:?}: {count}", operator.name);
        }
    }
}

#[test]
fn mostly_one_operator_is_applied_and_at_most_four() {
    let mut counts = [0; 5];
    for seed in 0..4_000 {
        counts[operators_applied(sample(Shape::Stream).as_bytes(), Shape::Stream, seed, MOST).len()] += 1;
    }
    assert!(counts[0] == 0 && counts[1] > 2_000, "{counts:?}");
    assert!(counts[2..].iter().all(|&count| count > 200), "{counts:?}");
}

#[test]
fn the_operators_that_are_reported_make_the_copy() {
    for seed in 0..500 {
        let input = b"{\"type\":\"user\"}\n";
        let names = operators_applied(input, Shape::Transcript, seed, MOST);
        if names == ["byte-order-mark"] {
            assert_eq!(mutate(input, Shape::Transcript, seed, MOST), b"\xEF\xBB\xBF{\"type\":\"user\"}\n");
            return;
        }
    }
    panic!("no seed draws the mark alone");
}

#[test]
fn a_copy_is_never_longer_than_asked_and_is_cut_behind_a_line() {
    for shape in Shape::ALL {
        let input = sample(shape);
        for most in (0..20).chain((20..input.len() + 40).step_by(37)) {
            for seed in 0..40 {
                let made = mutate(input.as_bytes(), shape, seed, most);
                assert!(made.len() <= most, "{} of {most} bytes", made.len());
            }
        }
    }
    let duplicate = operator("duplicate-line");
    for copy in (0..100).filter_map(|seed| duplicate.apply(b"a1\nb\n", Shape::Transcript, seed, 7)) {
        assert!([&b"a1\nb\nb\n"[..], b"b\na1\nb\n", b"a1\na1\n"].contains(&&copy[..]), "{copy:?}");
    }
}

#[test]
fn an_input_that_is_too_long_is_changed_where_it_is_kept() {
    for seed in 0..200 {
        let made = mutate(b"a\nb\n", Shape::Transcript, seed, 2);
        assert_ne!(made, b"a\n", "seed {seed}");
    }
}

#[test]
fn nothing_becomes_a_small_line_that_is_whole() {
    for seed in 0..500 {
        let made = |shape| String::from_utf8(mutate(b"", shape, seed, MOST)).expect("UTF-8");
        let record: Value = serde_json::from_str(&made(Shape::Transcript)).expect("a record");
        assert!(record["type"].is_string());
        let events = SseDecoder::new().push(made(Shape::Stream).as_bytes());
        assert!(ModelEvent::of_server_event(&events[0]).is_ok(), "{events:?}");
        let request = Request::read(&made(Shape::Request)).expect("a request");
        assert_eq!(request.messages.len(), 1);
    }
    assert_eq!(mutate(b"", Shape::Request, 1, 0), b"");
}
