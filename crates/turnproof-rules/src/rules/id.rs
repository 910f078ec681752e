//! An *id* names one record for good; these rules say when ids are unique, and how ids are made from
//! ids.

use std::collections::HashMap;

use super::facts::Facts;
use super::links::Uuids;
use super::{Evidence, Judge, Place, Rule, Severity, Verdict, Violation};
use crate::operation::{Answer, Derived, Shortened};

/// The rules of the family.
pub(super) const RULES: &[&Rule] =
    &[&UNIQUE, &DERIVED_FORM, &DERIVED_DETERMINISTIC, &DERIVED_INJECTIVE, &SHORT_FORM];

const UNIQUE: Rule = Rule {
    id: "id/unique",
    title: "no two records of a transcript share a uuid",
    severity: Severity::Error,
    doc: "\
Records are found by their `uuid`: parents, preserved messages and withdrawals are all looked up by it. If \
two records have the same one, a reader takes either the first or the last, and the other disappears from \
the conversation, or everything that follows it moves.

Repetitions come from a compaction that writes kept messages again, from branching, from a session \
reopened in an editor, and from writers that forget what they have written. In one survey of 17,000 groups \
of repeated uuids 65 % differed in content, so that dropping either one loses something. Each repetition \
is reported, with the line of the first record that has the uuid.",
    example: br#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"a"}}
{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"b"}}
"#,
    remedy: "Remove the repetition if both records are equal; otherwise give the later one a new uuid and \
relink what follows it. In a writer, write a uuid once.",
    sources: &[
        "spec 2.3",
        "spec 3.1",
        "anthropics/claude-code#66947",
        "anthropics/claude-code#48936",
        "anthropics/claude-code#56196",
        "anthropics/claude-code#5034",
        "ctxrs/ctx#663",
    ],
    judge: Judge::Transcript(unique),
};

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

const DERIVED_FORM: Rule = Rule {
    id: "id/derived-form",
    title: "a derived id is the parent's first 24 characters and the index in 12 hexadecimal digits",
    severity: Severity::Error,
    doc: "\
When a message of several blocks is split into one message a block, each part gets an id made from the \
message's own: its first 24 characters (all of them, if it has fewer), then the block's index in lower-case \
hexadecimal, padded with zeros to 12 digits. For a UUID the result has a UUID's shape again.

The form is a contract: the parts are made again each time the conversation is shown, and whatever refers \
to them (a selection, a cached rendering, a feedback record) finds them only if the id comes out the same. \
An index of 16^12 or more does not fit and must be refused, not cut short.",
    example: concat!(
        r#"{"parent":"3e9b1f60-7c55-4a0e-9d2f-6f1f0a7b8c9d","indexes":[10],"#,
        r#""answers":[{"Ok":"3e9b1f60-7c55-4a0e-9d2f-00000000000A"}],"#,
        r#""again":[{"Ok":"3e9b1f60-7c55-4a0e-9d2f-00000000000A"}]}"#,
    )
    .as_bytes(),
    remedy: "Take the first 24 characters of the parent and append the index as twelve lower-case \
hexadecimal digits; refuse an index that needs more.",
    sources: &["spec 2.3", "spec 7"],
    judge: Judge::DeriveUuid(derived_form),
};

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

const DERIVED_DETERMINISTIC: Rule = Rule {
    id: "id/derived-deterministic",
    title: "the same parent and index always give the same id",
    severity: Severity::Error,
    doc: "\
A derived id is a function of its parent and its index alone. A clock, a counter or a random source in it \
gives the parts of a message new ids each time they are shown.

An interface that is keyed by these ids then draws everything anew, loses selections and scroll position, \
and may show a part twice. So each index is asked for twice, the second time after all others, and both \
answers must be equal, refusals included.",
    example: concat!(
        r#"{"parent":"u1","indexes":[0],"answers":[{"Ok":"u1000000000000"}],"#,
        r#""again":[{"Ok":"u1000000000001"}]}"#,
    )
    .as_bytes(),
    remedy: "Compute the id from the parent and the index only; keep no state between calls.",
    sources: &["spec 2.3"],
    judge: Judge::DeriveUuid(derived_deterministic),
};

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

const DERIVED_INJECTIVE: Rule = Rule {
    id: "id/derived-injective",
    title: "different indexes of one parent give different ids",
    severity: Severity::Error,
    doc: "\
The parts of one message must be told apart by their ids. If two indexes give the same id, one part hides \
the other wherever parts are kept by id, and `id/unique` is broken for the list they stand in.

Mistakes of this sort are an index that wraps (after 16 or 256 blocks), one that is cut to a fixed width from \
the wrong end, and one that is left out for the first part, where it meets the part with index 0. Ids of \
different parents may collide when their first 24 characters agree; that is not this rule's matter.",
    example: concat!(
        r#"{"parent":"u1","indexes":[0,256],"#,
        r#""answers":[{"Ok":"u1000000000000"},{"Ok":"u1000000000000"}],"#,
        r#""again":[{"Ok":"u1000000000000"},{"Ok":"u1000000000000"}]}"#,
    )
    .as_bytes(),
    remedy: "Write the whole index into the id; never take it modulo anything.",
    sources: &["spec 2.3"],
    judge: Judge::DeriveUuid(derived_injective),
};

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

const SHORT_FORM: Rule = Rule {
    id: "id/short-form",
    title: "a short id is the first ten hexadecimal digits in base 36, cut to six characters",
    severity: Severity::Error,
    doc: "\
A short id is for people and for the model: drop the dashes of a uuid, take the first 10 hexadecimal \
digits, write that number in base 36 with lower-case letters and no padding, keep the first 6 characters \
(a small number has fewer). What has not 10 hexadecimal digits has no short id, and must be refused.

A short id is written down once and looked up later by computing it again, so one that comes out \
differently finds nothing, or the wrong message. An input whose first ten characters are not all digits but \
that has ten of them further on is not judged: nothing says which ten are meant.",
    example: concat!(
        r#"{"uuid":"00000000-0000-4000-8000-000000000000","answer":{"Ok":"000000"},"#,
        r#""again":{"Ok":"000000"}}"#,
    )
    .as_bytes(),
    remedy: "Write the number in base 36 from its most significant digit and cut after six characters; do \
not pad, and do not take the last six.",
    sources: &["spec 2.3"],
    judge: Judge::ShortId(short_form),
};

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
        (ShortAnswer::Refusal, answer) => {
            (answer.is_err(), "a refusal: not 10 hexadecimal digits".to_owned())
        }
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
        let number =
            head.chars().filter_map(|digit| digit.to_digit(16)).fold(0, |sum, digit| sum * 16 + digit as u64);
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
