//! *Harm* is what a legal history suffered: it was made illegal, or content of it is lost, or it only looks otherwise.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{self, Place, find};

use crate::class::CRASH;

/// What a legal history suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Harm {
    /// The request breaks a rule that the API enforces.
    MadeIllegal,
    /// It was refused, or the library crashed.
    Refused,
    /// Something that was said is nowhere in the request, or it is another value.
    Lost,
    /// All that was said is there: in another form or order, or with something beside it.
    Changed,
}

impl Harm {
    /// In words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::MadeIllegal => "made illegal",
            Self::Refused => "refused",
            Self::Lost => "content lost",
            Self::Changed => "another form",
        }
    }

    /// The harm of a violation of a rule, in a block of a message if it names one: the messages that were given, and
    /// what was sent.
    pub(crate) fn of(rule: &str, place: Option<Place>, given: &[Value], sent: &Value) -> Self {
        let of_records = || find(rule).is_some_and(|rule| rule.operation() == Operation::Repair);
        match find(rule).and_then(|rule| rule.harm) {
            _ if rule == CRASH => Self::Refused,
            Some(rules::Harm::Refused) => Self::Refused,
            Some(rules::Harm::MadeIllegal) => Self::MadeIllegal,
            Some(rules::Harm::LostOrChanged) if of_records() && keeps_records(given, sent) => Self::Changed,
            Some(rules::Harm::LostOrChanged) if !of_records() && keeps(place, given, sent) => Self::Changed,
            Some(rules::Harm::Changed) => Self::Changed,
            Some(rules::Harm::Lost | rules::Harm::LostOrChanged) | None => Self::Lost,
        }
    }
}

/// Whether each record of a file is in what was made of it, by its uuid.
fn keeps_records(given: &[Value], made: &Value) -> bool {
    let made: Vec<&Value> = made.as_array().into_iter().flatten().filter_map(|record| record.get("uuid")).collect();
    given.iter().filter_map(|record| record.get("uuid")).all(|uuid| made.contains(&uuid))
}

/// Something that was said, and must be found in the request.
#[derive(Debug, PartialEq)]
enum Atom {
    /// A text, also inside of a result: it may stand in another one.
    Text(String),
    /// A value of a block of this type, such as the data of an image, or whether a result is an error.
    Value(&'static str, Value),
}

/// Whether all that a block says, or all that was said, is in a request, whatever it looks like there.
fn keeps(place: Option<Place>, given: &[Value], sent: &Value) -> bool {
    let message = |message: &Value| message.get("message").unwrap_or(message).clone();
    let messages: Vec<Value> = given.iter().map(message).collect();
    let turns = sent.get("messages").and_then(Value::as_array).cloned().unwrap_or_default();
    let all: Vec<Atom> = messages.iter().flat_map(atoms_of).collect();
    let found: Vec<Atom> = turns.iter().flat_map(atoms_of).collect();
    let is_kept = |atom: &Atom| match atom {
        Atom::Text(text) => {
            let wanted = texts(&all).filter(|other| other.trim() == text.trim()).count();
            texts(&found).map(|other| occurrences(other, text.trim())).sum::<usize>() >= wanted
        }
        atom => {
            let count = |atoms: &[Atom]| atoms.iter().filter(|other| *other == atom).count();
            count(&found) >= count(&all)
        }
    };
    match place {
        Some(Place::Message { index, block: Some(block) }) => {
            let content = messages.get(index as usize).and_then(|message| message.get("content"));
            let own = content.and_then(|content| content.get(block as usize)).map(atoms);
            own.unwrap_or_else(|| messages.get(index as usize).map(atoms_of).unwrap_or_default()).iter().all(is_kept)
        }
        _ => all.iter().all(is_kept),
    }
}

/// The texts among atoms.
fn texts(atoms: &[Atom]) -> impl Iterator<Item = &str> {
    atoms.iter().filter_map(|atom| if let Atom::Text(text) = atom { Some(text.as_str()) } else { None })
}

/// How often a text is in another one, not as a part of a word. The empty one always is.
fn occurrences(text: &str, part: &str) -> usize {
    if part.is_empty() {
        return usize::MAX >> 8;
    }
    let is_apart = |(at, _): &(usize, &str)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + part.len()..].chars().next();
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    };
    text.match_indices(part).filter(is_apart).count()
}

fn atoms_of(turn: &Value) -> Vec<Atom> {
    match turn.get("content") {
        Some(Value::String(text)) => vec![Atom::Text(text.clone())],
        Some(Value::Array(blocks)) => blocks.iter().flat_map(atoms).collect(),
        _ => Vec::new(),
    }
}

fn atoms(block: &Value) -> Vec<Atom> {
    let member = |name: &str| block.get(name).cloned().unwrap_or_default();
    let text = |name: &str| member(name).as_str().unwrap_or_default().to_owned();
    match block.get("type").and_then(Value::as_str).unwrap_or_default() {
        "text" => vec![Atom::Text(text("text"))],
        "tool_use" => vec![Atom::Value("tool_use", serde_json::json!([member("name"), member("input")]))],
        "tool_result" => {
            let mut atoms = vec![Atom::Value("is_error", (member("is_error") == Value::Bool(true)).into())];
            atoms.extend(atoms_of(block));
            atoms
        }
        "thinking" => vec![Atom::Value("thinking", serde_json::json!([member("thinking"), member("signature")]))],
        "redacted_thinking" => vec![Atom::Value("redacted_thinking", member("data"))],
        "image" => vec![Atom::Value("image", member("source"))],
        "document" => vec![
            Atom::Value("document", member("source")),
            Atom::Value("document", member("title")),
            Atom::Value("document", member("context")),
        ],
        _ => Vec::new(),
    }
}
