//! An *id* names one record for good; these rules say when ids are unique, and how ids are made from ids.

use std::collections::HashMap;

use super::facts::Facts;
use super::links::Uuids;
use super::{Applies, Evidence, Report, RuleEntry, applies, refusal};
use crate::operation::{Answer, Derived, Shortened};

pub(super) const RULES: &[RuleEntry] = &[
    rule!("id/unique", Transcript(unique)),
    rule!("id/derived-form", DeriveUuid(derived_form)),
    rule!("id/derived-deterministic", DeriveUuid(derived_deterministic)),
    rule!("id/derived-injective", DeriveUuid(derived_injective)),
    rule!("id/short-form", ShortId(short_form)),
];

fn unique(facts: &Facts, report: &mut Report<'_>) {
    let uuids = Uuids::new(facts);
    for (node, record) in facts.nodes.iter().enumerate() {
        let first = record.uuid().and_then(|uuid| uuids.get(uuid));
        if let Some(first) = first.filter(|&first| first < node) {
            let found = format!("the record on line {} has the same uuid", facts.nodes[first].line);
            report.add(facts.place(node, "uuid"), found, "a uuid that no other record has");
        }
    }
}

/// The first index that twelve hexadecimal digits cannot hold.
const INDEX_END: u64 = 1 << 48;

fn derived_form(case: &Evidence<'_, Derived>, report: &mut Report<'_>) -> Applies {
    answers_missing(case.indexes.len(), case.answers.len(), report);
    for (&index, answer) in case.indexes.iter().zip(&case.answers) {
        if !is_right_form(&case.parent, index, answer) {
            let found = format!("for index {index} of {}: {}", case.parent, in_words(answer));
            let expected = match index < INDEX_END {
                true => form(&case.parent, index),
                false => "a refusal: the index does not fit in 12 hexadecimal digits".to_owned(),
            };
            report.whole(found, expected);
        }
    }
    applies(!case.indexes.is_empty(), NOT_ASKED)
}

const NOT_ASKED: &str = "no id was asked for";

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

fn answers_missing(questions: usize, answers: usize, report: &mut Report<'_>) {
    if questions != answers {
        report.whole(format!("{answers} answers to {questions} questions"), "one answer to each index");
    }
}

/// An answer in words.
fn in_words(answer: &Answer) -> String {
    match answer {
        Ok(id) if id.is_empty() => "it says nothing".to_owned(),
        Ok(id) => format!("{id:?}"),
        Err(why) => refusal(why),
    }
}

fn derived_deterministic(case: &Evidence<'_, Derived>, report: &mut Report<'_>) -> Applies {
    answers_missing(case.answers.len(), case.again.len(), report);
    for ((index, first), second) in case.indexes.iter().zip(&case.answers).zip(&case.again) {
        if first != second {
            let found = format!("for index {index} of {}, asked again: {}", case.parent, in_words(second));
            report.whole(found, format!("the first answer: {}", in_words(first)));
        }
    }
    applies(case.answers.iter().chain(&case.again).any(Result::is_ok), "no id was given")
}

fn derived_injective(case: &Evidence<'_, Derived>, report: &mut Report<'_>) -> Applies {
    let mut index_of: HashMap<&str, u64> = HashMap::new();
    let mut indexes: Vec<u64> = Vec::new();
    for (&index, answer) in case.indexes.iter().zip(&case.answers) {
        let Some(id) = answer.as_ref().ok().filter(|id| !id.is_empty()) else { continue };
        indexes.push(index);
        let first = *index_of.entry(id).or_insert(index);
        if first != index {
            let found = format!("index {first} and index {index} of {} both give {id}", case.parent);
            report.whole(found, "a different id for each index");
        }
    }
    let is_touched = indexes.iter().any(|index| *index != indexes[0]);
    applies(is_touched, "fewer than two different indexes were given an id")
}

enum ShortAnswer {
    Id(String),
    Refusal,
    Anything,
}

fn short_form(case: &Evidence<'_, Shortened>, report: &mut Report<'_>) -> Applies {
    let expected = short_answer(&case.uuid);
    let found = format!("for {}: {}", case.uuid, in_words(&case.answer));
    match &expected {
        ShortAnswer::Id(id) if case.answer.as_ref() != Ok(id) => report.whole(found, format!("{id:?}")),
        ShortAnswer::Refusal if case.answer.is_ok() => {
            report.whole(found, "a refusal: not 10 hexadecimal digits");
        }
        _ => {}
    }
    if case.answer != case.again {
        let found = format!("for {}, asked again: {}", case.uuid, in_words(&case.again));
        report.whole(found, format!("the first answer: {}", in_words(&case.answer)));
    }
    let is_touched = !matches!(expected, ShortAnswer::Anything);
    applies(is_touched, "the first ten characters are not all hexadecimal digits")
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
