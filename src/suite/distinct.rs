//! *Distinct* violations of one rule are different mistakes: each gets a smallest case of its own.

use crate::rules::{Verdict, Violation};

/// The longest kind, in characters.
const LONGEST: usize = 120;

/// What kind of violation it is: what was found, without the values that depend on the case (numbers, what
/// stands in quotes, JSON, all that follows a colon).
///
/// Two violations of one kind are taken for one mistake. Words of panics are kept to their end, because they
/// tell where it happened.
pub fn kind(violation: &Violation) -> String {
    let found = violation.found.as_str();
    let told = match found.split_once(": ") {
        Some((before, _)) if !found.contains("panicked") => before,
        _ => found,
    };
    let mut kind = String::new();
    let mut rest = told.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '"' | '`' => {
                skip_quoted(&mut rest, next);
                kind.push_str("\"\"");
            }
            '{' | '[' => {
                skip_nested(&mut rest);
                kind.push_str("{}");
            }
            '0'..='9' => {
                while rest.next_if(char::is_ascii_digit).is_some() {}
                kind.push('#');
            }
            other => kind.push(other),
        }
        if kind.len() > LONGEST {
            break;
        }
    }
    kind
}

/// The violations of one kind that a verdict holds.
pub(super) fn of_kind(verdict: Option<Verdict>, wanted: &str) -> Vec<Violation> {
    match verdict {
        Some(Verdict::Broken(violations)) => {
            violations.into_iter().filter(|violation| kind(violation) == wanted).collect()
        }
        _ => Vec::new(),
    }
}

fn skip_quoted(rest: &mut impl Iterator<Item = char>, quote: char) {
    while let Some(next) = rest.next() {
        match next {
            '\\' => drop(rest.next()),
            _ if next == quote => return,
            _ => {}
        }
    }
}

fn skip_nested(rest: &mut impl Iterator<Item = char>) {
    let mut depth = 1;
    while let Some(next) = rest.next() {
        match next {
            '"' => skip_quoted(rest, '"'),
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Place;

    fn kind_of(found: &str) -> String {
        let (found, expected) = (found.to_owned(), "something else".to_owned());
        kind(&Violation { rule: "a/b", place: Place::Whole, found, expected, error: None })
    }

    #[test]
    fn violations_that_differ_in_values_alone_are_of_one_kind() {
        assert_eq!(kind_of(r#"turn 3 has "a\"b""#), kind_of(r#"turn 12 has "c""#));
        assert_eq!(kind_of(r#"`live` is {"a":["}"]}, 2"#), kind_of("`slots` is [], 17"));
        assert_eq!(kind_of("asked again: u1, u2"), kind_of("asked again: u1"));
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
}
