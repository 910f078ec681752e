//! Inputs of calls on one line: white space between their tokens is removed when there is a line end among it.

use super::*;
use turnproof_reference::json::MAX_DEPTH;

/// How deep an input may be nested.
const DEEPEST: usize = MAX_DEPTH - 8;

/// The input of a call whose deltas give this text, as JSON text.
fn compact(text: &str) -> Result<String, StreamError> {
    let mut accumulator = Accumulator::new();
    for json in [start(), call_block(0, "t"), input(0, text)] {
        accumulator.apply(&event(&json)).unwrap();
    }
    accumulator.apply(&event(&stop(0)))?;
    let json = accumulator.stopped_blocks()[0].write().get().to_owned();
    let (_, input) = json.split_once(r#""input":"#).unwrap();
    Ok(input.strip_suffix('}').unwrap().to_owned())
}

#[test]
fn white_space_between_tokens_is_removed_when_there_is_a_line_end() {
    for (text, expected) in [
        ("{ \"a b\" : [ 1.10 ,\r\n\t-2e5 ] }\n", "{\"a b\":[1.10,-2e5]}"),
        ("\n\n7", "7"),
        ("[\n]", "[]"),
        ("\"a \\\" b\"\n", "\"a \\\" b\""),
        ("\n[ \"é\" , null ]", "[\"é\",null]"),
        // Nothing at all leaves the input of the start.
        ("", "{}"),
        ("{ \"a\" : 1 }", "{ \"a\" : 1 }"),
    ] {
        assert_eq!(compact(text).unwrap(), expected, "{text:?}");
    }
}

#[test]
fn what_is_no_json_does_not_become_json() {
    for text in
        ["1\n2", "1 \n 2", "tr\nue", "\"a\"\n\"b\"", "{\n", "\"a\nb\"", "-\n1", "1\n.5", "[1\n2]", "\n\"", "\n\"\\"]
    {
        let error = compact(text).map_err(|error| error.name());
        assert_eq!(error, Err("bad-input-json"), "{text:?}");
    }
}

#[test]
fn the_depth_is_that_of_the_deepest_value() {
    let is_too_deep = |text: &str| {
        let reason = format!("nested deeper than {DEEPEST}");
        compact(text).is_err_and(|error| error.to_string().contains(&reason))
    };
    let brackets = |count: usize| "[".repeat(count);
    for (text, depth) in [("7", 0), ("[]", 1), ("[[],{\"a\":[1]},[]]", 3), ("\"[[[\"", 0), ("[\n[\n]]", 2)] {
        let around = |count: usize| format!("{}{text}{}", brackets(count), "]".repeat(count));
        assert!(compact(&around(DEEPEST - depth)).is_ok(), "{text:?}");
        assert!(is_too_deep(&around(DEEPEST - depth + 1)), "{text:?}");
    }
    // It is no JSON, but its depth is counted before that is seen. What closes too often does not count.
    assert!(!is_too_deep(&format!("]]]][[{}", brackets(DEEPEST - 2))));
    assert!(is_too_deep(&format!("]]]][[{}", brackets(DEEPEST - 1))));
}
