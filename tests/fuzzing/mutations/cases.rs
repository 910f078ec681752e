//! Each operator has a test of its own.

use turnproof_suite::fuzzing::mutate::OPERATORS;

/// The files that hold the tests of single operators.
const FILES: [&str; 3] = [include_str!("lines.rs"), include_str!("fields.rs"), include_str!("streams.rs")];

#[test]
fn every_operator_is_named_in_a_test_of_what_it_makes() {
    for operator in OPERATORS {
        let call = format!("\"{}\"", operator.name);
        assert!(
            FILES.iter().any(|file| file.contains(&call)),
            "`{}` has no test: say in one of these files what it makes of a small input",
            operator.name
        );
    }
}

#[test]
fn operators_have_names_and_titles_of_their_own() {
    for (index, operator) in OPERATORS.iter().enumerate() {
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        assert!(operator.name.chars().all(is_plain), "{} is not in kebab case", operator.name);
        assert!(!operator.title.ends_with('.') && !operator.shapes.is_empty(), "{}", operator.name);
        for other in &OPERATORS[..index] {
            assert!(other.name != operator.name && other.title != operator.title, "{} twice", operator.name);
        }
    }
}
