//! Operators on *lines* and *bytes*.

use std::collections::BTreeSet;

use serde_json::Value;
use turnproof_suite::fuzzing::mutate::Shape::{Request, Stream, Transcript};
use turnproof_suite::fuzzing::mutate::words::{KINDS, SUBTYPES};

use super::samples::sample;
use super::{operator, outcomes, set};

#[test]
fn a_line_is_repeated_at_any_place() {
    let made = outcomes("duplicate-line", Transcript, "a\nb\n");
    assert_eq!(made, set(["a\na\nb\n", "a\nb\na\n", "b\na\nb\n", "a\nb\nb\n"]));
}

#[test]
fn a_line_without_its_end_gets_one_where_it_is_no_longer_last() {
    assert_eq!(outcomes("swap-lines", Transcript, "a\nb"), set(["b\na\n"]));
    assert_eq!(outcomes("duplicate-line", Transcript, "a"), set(["a\na"]));
}

#[test]
fn a_line_is_left_out() {
    assert_eq!(outcomes("drop-line", Transcript, "a\nb\r\n"), set(["a\n", "b\r\n"]));
}

#[test]
fn two_lines_change_places() {
    assert_eq!(outcomes("swap-lines", Stream, "a\nb\nc\n"), set(["b\na\nc\n", "c\nb\na\n", "a\nc\nb\n"]));
}

#[test]
fn a_line_moves_to_another_place() {
    let made = outcomes("move-line", Transcript, "a\nb\nc\n");
    assert_eq!(made, set(["b\na\nc\n", "b\nc\na\n", "a\nc\nb\n", "c\na\nb\n"]));
}

#[test]
fn the_beginning_of_a_line_gets_the_end_of_another() {
    let made = outcomes("splice-lines", Transcript, "a\nb\n");
    assert_eq!(made, set(["b\nb\n", "\nb\n", "ab\nb\n", "a\na\n", "a\n\n", "a\nba\n"]));
}

#[test]
fn a_line_that_is_cut_short_keeps_its_end() {
    assert_eq!(outcomes("cut-line", Transcript, "ab\r\n"), set(["\r\n", "a\r\n"]));
    assert_eq!(outcomes("cut-line", Transcript, "\n\n"), set([""; 0]));
}

#[test]
fn two_lines_run_together() {
    assert_eq!(outcomes("glue-lines", Transcript, "a\nb\r\nc"), set(["ab\r\nc", "a\nbc"]));
}

#[test]
fn a_line_is_repeated_as_often_as_there_is_room() {
    let made = outcomes("repeat-line", Transcript, "a\n");
    assert_eq!(made, (3..=41).map(|times| "a\n".repeat(times)).collect());
    let repeat = operator("repeat-line");
    assert_eq!(repeat.apply(b"aa\n", Transcript, 1, 8).as_deref(), Some(&b"aa\naa\n"[..]));
    assert_eq!(repeat.apply(b"aa\n", Transcript, 1, 5), None);
}

#[test]
fn a_blank_line_is_added() {
    let made = outcomes("blank-line", Transcript, "a\n");
    let before = ["\na\n", "\n\n\na\n", " \t\na\n", "\r\na\n"];
    let after = ["a\n\n", "a\n\n\n\n", "a\n \t\n", "a\n\r\n"];
    assert_eq!(made, set(before.into_iter().chain(after)));
}

#[test]
fn line_ends_become_crlf_or_cr() {
    assert_eq!(outcomes("crlf", Transcript, "a\nb\n"), set(["a\r\nb\r\n", "a\r\nb\n", "a\nb\r\n"]));
    assert_eq!(outcomes("crlf", Transcript, "a"), set([""; 0]));
    assert_eq!(outcomes("carriage-return", Stream, "a\r\nb\n"), set(["a\rb\r", "a\rb\n", "a\r\nb\r"]));
}

#[test]
fn a_byte_order_mark_is_before_a_line() {
    let made = outcomes("byte-order-mark", Transcript, "a\nb\n");
    assert_eq!(made, set(["\u{feff}a\nb\n", "a\n\u{feff}b\n"]));
}

#[test]
fn white_space_that_json_does_not_have_is_around_a_line() {
    let made = outcomes("odd-space", Transcript, "a\n");
    for space in ["\u{B}", "\u{C}", "\u{1C}", "\u{85}", "\u{A0}", "\u{2028}", "\u{2029}", "\u{3000}"] {
        assert!(made.contains(&format!("{space}a\n")) && made.contains(&format!("a{space}\n")), "{space:?}");
    }
    assert_eq!(made.len(), 16);
}

#[test]
fn typical_lines_are_records_of_every_kind_and_subtype_with_parents_of_the_input() {
    let input = "{\"uuid\":\"u1\"}\n";
    let (mut kinds, mut subtypes) = (BTreeSet::new(), BTreeSet::new());
    for made in outcomes("typical-line", Transcript, input) {
        let added = made.replacen(input, "", 1);
        let record: Value = serde_json::from_str(&added).expect("a record");
        kinds.extend(record["type"].as_str().map(str::to_owned));
        subtypes.extend(record["subtype"].as_str().map(str::to_owned));
        assert!(record.get("parentUuid").is_none_or(|parent| parent == "u1"), "{added}");
    }
    assert_eq!(kinds, set(KINDS.iter().copied()));
    assert_eq!(subtypes, set(SUBTYPES.iter().copied()));
}

#[test]
fn a_letter_of_several_bytes_is_cut() {
    let cut = operator("cut-letter");
    assert_eq!(cut.apply("aé".as_bytes(), Request, 1, 9).as_deref(), Some(&b"a\xC3"[..]));
    assert_eq!(cut.apply(b"a", Request, 1, 9), None);
}

#[test]
fn bytes_that_are_not_utf8_are_added_and_nothing_else_changes() {
    let operator = operator("not-utf8");
    let mut added = BTreeSet::new();
    for seed in 0..2_000 {
        let made = operator.apply(b"ab", Request, seed, 99).expect("always something to add");
        assert!(std::str::from_utf8(&made).is_err(), "{made:?} is UTF-8");
        added.insert(made.iter().copied().filter(|byte| !byte.is_ascii()).collect::<Vec<_>>());
        assert_eq!(made.iter().filter(|byte| byte.is_ascii()).collect::<Vec<_>>(), [&b'a', &b'b']);
    }
    for expected in [&b"\xC0"[..], b"\xFF", b"\xED\xA0\x80"] {
        assert!(added.contains(expected), "{expected:?} is never added");
    }
}

#[test]
fn nul_bytes_are_added_in_a_run() {
    for made in outcomes("nul-run", Transcript, "a\nb\n") {
        let run = made.trim_matches(|letter| letter != '\0');
        assert!(!run.is_empty() && run.bytes().all(|byte| byte == 0), "{made:?}");
        assert_eq!(made.replace('\0', ""), "a\nb\n");
    }
    let lengths: BTreeSet<usize> = outcomes("nul-run", Transcript, "a").iter().map(|made| made.len() - 1).collect();
    assert_eq!(lengths, BTreeSet::from([1, 2, 7, 64, 512, 4096]));
}

#[test]
fn a_mark_is_taken_away_or_added() {
    let made = outcomes("drop-mark", Request, r#"{"a":[]}"#);
    let expected = [r#""a":[]}"#, r#"{a":[]}"#, r#"{"a:[]}"#, r#"{"a"[]}"#, r#"{"a":]}"#, r#"{"a":[}"#, r#"{"a":[]"#];
    assert_eq!(made, set(expected));
    let marks = ["\"", "{", "}", "[", "]", ":", ",", "\\"];
    let around = marks.iter().flat_map(|mark| [format!("{mark}a"), format!("a{mark}")]);
    assert_eq!(outcomes("add-mark", Request, "a"), set(around));
}

#[test]
fn lines_are_never_joined_or_lost_by_moving_them() {
    let lines = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for name in ["swap-lines", "move-line"] {
        let input = sample(Transcript).trim_end();
        for made in outcomes(name, Transcript, input) {
            assert_eq!(lines(&made), lines(input), "{name}");
        }
    }
}
