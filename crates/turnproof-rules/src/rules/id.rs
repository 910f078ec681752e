//! An *id* names one record for good; these rules say when ids are unique, and how ids are made from
//! ids.

use std::collections::HashMap;

use super::facts::Facts;
use super::links::Uuids;
use super::{Evidence, Judge, Place, RuleEntry, Verdict, Violation};
use crate::operation::{Answer, Derived, Shortened};

/// The rules of the family.
pub(super) const RULES: &[&RuleEntry] =
    &[&UNIQUE, &DERIVED_FORM, &DERIVED_DETERMINISTIC, &DERIVED_INJECTIVE, &SHORT_FORM];

const UNIQUE: RuleEntry = rule!("id/unique", Error, Judge::Transcript(unique));

fn unique(facts: &Facts, sink: &mut dyn FnMut(Violation)) {
    let uuids = Uuids::new(facts);
    for (node, record) in facts.nodes.iter().enumerate() {
        let first = record.uuid().and_then(|uuid| uuids.get(uuid));
        if let Some(first) = first.filter(|&first| first < node) {
            sink(Violation::new(
                UNIQUE.id,
                facts.place(node, "uuid"),
                format!("the record on line {} has the same uuid", facts.nodes[first].line),
                "a uuid that no other record has",
            ));
        }
    }
}

/// The first index that twelve hexadecimal digits cannot hold.
const INDEX_END: u64 = 1 << 48;

const DERIVED_FORM: RuleEntry = rule!("id/derived-form", Error, Judge::DeriveUuid(derived_form));

fn derived_form(case: &Evidence<'_, Derived>) -> Verdict {
    if case.indexes.is_empty() {
        return Verdict::NotApplicable("no id was asked for");
    }
    let mut violations = answers_missing(DERIVED_FORM.id, case.indexes.len(), case.answers.len());
    for (&index, answer) in case.indexes.iter().zip(&case.answers) {
        if !is_right_form(&case.parent, index, answer) {
            let found = format!("for index {index} of {}: {}", case.parent, in_words(answer));
            let expected = match index < INDEX_END {
                true => form(&case.parent, index),
                false => "a refusal: the index does not fit in 12 hexadecimal digits".to_owned(),
            };
            violations.push(Violation::new(DERIVED_FORM.id, Place::Whole, found, expected));
        }
    }
    Verdict::from_violations(violations)
}

fn is_right_form(parent: &str, index: u64, answer: &Answer) -> bool {
    match answer {
        Ok(id) => index < INDEX_END && *id == form(parent, index),
        Err(_) => index >= INDEX_END,
    }
}

/// The derived id, as the rule reads it.
fn form(parent: &str, index: u64) -> String {
    let head: String = parent.chars().take(24).collect();
    format!("{head}{index:012x}")
}

/// A violation when there are not as many answers as questions.
fn answers_missing(rule: &'static str, questions: usize, answers: usize) -> Vec<Violation> {
    let found = format!("{answers} answers to {questions} questions");
    let violation = Violation::new(rule, Place::Whole, found, "one answer to each index");
    if questions == answers { Vec::new() } else { vec![violation] }
}

/// An answer in words.
fn in_words(answer: &Answer) -> String {
    match answer {
        Ok(id) => format!("{id:?}"),
        Err(why) => format!("refused ({why})"),
    }
}

const DERIVED_DETERMINISTIC: RuleEntry =
    rule!("id/derived-deterministic", Error, Judge::DeriveUuid(derived_deterministic));

fn derived_deterministic(case: &Evidence<'_, Derived>) -> Verdict {
    if case.indexes.is_empty() {
        return Verdict::NotApplicable("no id was asked for");
    }
    let mut violations = answers_missing(DERIVED_DETERMINISTIC.id, case.answers.len(), case.again.len());
    for ((index, first), second) in case.indexes.iter().zip(&case.answers).zip(&case.again) {
        if first != second {
            violations.push(Violation::new(
                DERIVED_DETERMINISTIC.id,
                Place::Whole,
                format!("for index {index} of {}, asked again: {}", case.parent, in_words(second)),
                format!("the first answer: {}", in_words(first)),
            ));
        }
    }
    Verdict::from_violations(violations)
}

const DERIVED_INJECTIVE: RuleEntry = rule!("id/derived-injective", Error, Judge::DeriveUuid(derived_injective));

fn derived_injective(case: &Evidence<'_, Derived>) -> Verdict {
    let mut index_of: HashMap<&str, u64> = HashMap::new();
    let mut indexes: Vec<u64> = Vec::new();
    let mut violations = Vec::new();
    for (&index, answer) in case.indexes.iter().zip(&case.answers) {
        let Ok(id) = answer else { continue };
        indexes.push(index);
        let first = *index_of.entry(id).or_insert(index);
        if first != index {
            let found = format!("index {first} and index {index} of {} both give {id}", case.parent);
            let expected = "a different id for each index";
            violations.push(Violation::new(DERIVED_INJECTIVE.id, Place::Whole, found, expected));
        }
    }
    match indexes.first() {
        Some(first) if indexes.iter().any(|index| index != first) => Verdict::from_violations(violations),
        _ => Verdict::NotApplicable("fewer than two different indexes were given an id"),
    }
}

const SHORT_FORM: RuleEntry = rule!("id/short-form", Error, Judge::ShortId(short_form));

/// What the rule expects of a case.
enum ShortAnswer {
    Id(String),
    Refusal,
    Anything,
}

fn short_form(case: &Evidence<'_, Shortened>) -> Verdict {
    let expected = short_answer(&case.uuid);
    let (is_right, in_words_expected) = match (&expected, &case.answer) {
        (ShortAnswer::Id(id), answer) => (answer.as_ref() == Ok(id), format!("{id:?}")),
        (ShortAnswer::Refusal, answer) => (answer.is_err(), "a refusal: not 10 hexadecimal digits".to_owned()),
        (ShortAnswer::Anything, _) => (true, String::new()),
    };
    let mut violations = Vec::new();
    if !is_right {
        let found = format!("for {}: {}", case.uuid, in_words(&case.answer));
        violations.push(Violation::new(SHORT_FORM.id, Place::Whole, found, in_words_expected));
    }
    if case.answer != case.again {
        let found = format!("for {}, asked again: {}", case.uuid, in_words(&case.again));
        let expected = format!("the first answer: {}", in_words(&case.answer));
        violations.push(Violation::new(SHORT_FORM.id, Place::Whole, found, expected));
    }
    match expected {
        ShortAnswer::Anything if violations.is_empty() => {
            Verdict::NotApplicable("the first ten characters are not all hexadecimal digits")
        }
        _ => Verdict::from_violations(violations),
    }
}

/// The short id, as the rule reads it.
fn short_answer(uuid: &str) -> ShortAnswer {
    let is_digit = |character: &char| character.is_ascii_hexdigit();
    let head: String = uuid.chars().filter(|&character| character != '-').take(10).collect();
    if head.chars().filter(is_digit).count() == 10 {
        let number = head.chars().filter_map(|digit| digit.to_digit(16)).fold(0, |sum, digit| sum * 16 + digit as u64);
        ShortAnswer::Id(base_36(number).chars().take(6).collect())
    } else if uuid.chars().filter(is_digit).count() < 10 {
        ShortAnswer::Refusal
    } else {
        ShortAnswer::Anything
    }
}

/// A number in base 36, lower-case, without padding.
fn base_36(mut number: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit((number % 36) as u32, 36));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}
