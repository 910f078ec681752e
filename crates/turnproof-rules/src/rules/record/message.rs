//! A *given message* is one element of a list that a recorder was given, as far as recording looks at it.

use std::sync::Arc;

use crate::json::{self, Text, Tree, Value};
use crate::operation;
use crate::rules::value::{blocks, is_true, kind, text};
use crate::vocabulary::{COMPACT_BOUNDARY, Kind};

/// The members that a recorder adds or replaces; all others are the message's own. `record/envelope` judges those that
/// are only added.
const RECORDERS: [&str; 9] = [
    "parentUuid",
    "logicalParentUuid",
    "sessionId",
    "cwd",
    "version",
    "gitBranch",
    "userType",
    "isSidechain",
    "agentId",
];

/// A message of a list that is to be written.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) uuid: String,
    pub(super) value: Value,
    /// The paths in it that hold lone surrogates.
    pub(super) lone_surrogates: Vec<String>,
    /// Its JSON text, if it holds numbers that a value does not keep as they are written.
    odd_numbers: Option<Box<str>>,
}

/// A list that a recorder was given.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    /// What is to be written, in list order; those without a uuid are left out.
    pub(super) messages: Vec<Arc<Given>>,
    /// The uuids of messages that must never be written.
    pub(super) ephemeral: Vec<String>,
    /// Whether a message must never be written, with a uuid or without.
    pub(super) has_ephemeral: bool,
    /// The place in the list of the first message that should be written and has no uuid.
    pub(super) without_uuid: Option<usize>,
}

#[derive(Clone, Debug)]
enum Element {
    Message(Arc<Given>),
    /// It must never be written; its uuid.
    Ephemeral(Option<String>),
    /// A message that should be written and has no uuid.
    WithoutUuid,
}

/// Reads lists that are given one after another. Most begin like the one before; what is equal is not read again.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// What the last list has.
    given: Vec<operation::Element>,
    /// The same, read; or why it is unspecified what a recorder does with one.
    elements: Vec<Result<Element, &'static str>>,
}

impl Lists {
    /// Reads the next list; or says why it is unspecified what a recorder does with it.
    pub(super) fn read(&mut self, list: &operation::List) -> Result<List, &'static str> {
        let plain = list.plain().map_err(|_| "a list is no JSON that can be read")?;
        let values = plain.value.as_array().ok_or("a list is no list")?;
        let same = self.given.iter().zip(list.elements()).take_while(|(known, new)| known == new).count();
        self.given.truncate(same);
        self.elements.truncate(same);
        for (index, (given, value)) in list.elements().iter().zip(values).enumerate().skip(same) {
            let odd_numbers = has_odd_number(given.json()).then(|| given.json().into());
            self.given.push(given.clone());
            self.elements.push(element(index, value.clone(), &plain.lone_surrogates, odd_numbers));
        }
        let mut list = List::default();
        for (index, element) in self.elements.iter().enumerate() {
            match element.as_ref().map_err(|why| *why)? {
                Element::Message(given) => list.messages.push(Arc::clone(given)),
                Element::Ephemeral(uuid) => {
                    list.has_ephemeral = true;
                    list.ephemeral.extend(uuid.clone());
                }
                Element::WithoutUuid => list.without_uuid = list.without_uuid.or(Some(index)),
            }
        }
        Ok(list)
    }
}

/// Whether JSON has a number that is more than a few digits, so that a value may hold it in another form.
fn has_odd_number(json: &str) -> bool {
    let bytes = json.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => match json::behind_text(bytes, at + 1) {
                Some(end) => at = end + 1,
                None => return false,
            },
            b'-' | b'0'..=b'9' => {
                let is_of_number = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
                let number = &bytes[at..];
                let length = number.iter().position(|byte| !is_of_number(byte)).unwrap_or(number.len());
                if is_odd_number(&json[at..at + length]) {
                    return true;
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    false
}

fn is_odd_number(token: &str) -> bool {
    const MOST_DIGITS: usize = 15;
    let digits = token.strip_prefix('-').unwrap_or(token);
    let is_number = digits.starts_with(|sign: char| sign.is_ascii_digit());
    is_number && (digits.len() > MOST_DIGITS || token == "-0" || !digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn element(
    index: usize,
    value: Value,
    lone_surrogates: &[String],
    odd_numbers: Option<Box<str>>,
) -> Result<Element, &'static str> {
    let kind = Kind::of(kind(&value)).ok_or("a list holds what is no message")?;
    let uuid = match value.get("uuid") {
        Some(Value::String(uuid)) if uuid.is_empty() => return Err("a message has a uuid that is none"),
        Some(Value::String(uuid)) => Some(uuid.to_string()),
        // A uuid that is no text is missing.
        _ => None,
    };
    let prefix = format!("{index}.");
    let below = lone_surrogates.iter().filter_map(|path| path.strip_prefix(&prefix));
    let lone_surrogates: Vec<String> = below.map(str::to_owned).collect();
    if lone_surrogates.iter().any(|path| path == "uuid") {
        return Err("a uuid holds half of a surrogate pair");
    }
    Ok(match uuid {
        uuid if !kind.is_persisted() || is_true(&value, "isVirtual") => Element::Ephemeral(uuid),
        Some(uuid) => Element::Message(Arc::new(Given { uuid, value, lone_surrogates, odd_numbers })),
        None => Element::WithoutUuid,
    })
}

impl Given {
    pub(super) fn is_boundary(&self) -> bool {
        kind(&self.value) == "system" && text(&self.value, "subtype") == Some(COMPACT_BOUNDARY)
    }

    /// Whether this is the summary after a boundary.
    pub(super) fn is_compact_summary(&self) -> bool {
        kind(&self.value) == "user" && is_true(&self.value, "isCompactSummary")
    }

    /// The assistant message that a tool result says it answers; `None` when this holds no result.
    pub(super) fn source(&self) -> Option<&str> {
        let has_result = blocks(&self.value).iter().any(|block| kind(block) == "tool_result");
        text(&self.value, "sourceToolAssistantUUID").filter(|_| kind(&self.value) == "user" && has_result)
    }

    /// Whether a line holds all that is this message's own, unchanged.
    pub(super) fn is_written_in(&self, line: &Value, lone_surrogates: &[String]) -> bool {
        let Value::Object(members) = &self.value else { return false };
        let is_own = |name: &str| !RECORDERS.contains(&name);
        // An empty path is the message itself, one of whose names holds half a pair.
        let own = |paths: &[String]| -> Vec<String> {
            let has = |path: &&String| {
                let name = path.split('.').next().unwrap_or_default();
                !name.is_empty() && is_own(name) && members.contains_key(name)
            };
            paths.iter().filter(has).cloned().collect()
        };
        members.iter().filter(|(name, _)| is_own(name)).all(|(name, value)| line.get(name) == Some(value))
            && own(&self.lone_surrogates) == own(lone_surrogates)
    }

    /// The first own member that a line has otherwise, or not at all: its name, and what it is here and there.
    pub(super) fn changed_in<'a>(&'a self, line: &'a Value) -> Option<(&'a str, &'a Value, &'a Value)> {
        let members = self.value.as_object()?.iter().filter(|(name, _)| !RECORDERS.contains(&name.as_str()));
        let of_line = |name: &str| line.get(name).unwrap_or(&Value::Null);
        let mut changed = members.filter(|(name, value)| line.get(name.as_str()) != Some(value));
        changed.next().map(|(name, value)| (name.as_str(), value, of_line(name.as_str())))
    }

    /// Whether a line, as it is written, holds the numbers of all that is this message's own as they were given.
    pub(super) fn keeps_numbers(&self, line: &[u8]) -> bool {
        let given = self.odd_numbers.as_ref().and_then(|given| json::read_all(given.as_bytes()).ok());
        let (Some(Tree::Object(given)), Ok(Tree::Object(line))) = (given, json::read_all(line)) else { return true };
        let is_own = |name: &Text<'_>| !RECORDERS.iter().any(|recorders| name.is(recorders));
        let mut own = json::last_of_each_key(&given).into_iter().filter(|(name, _)| is_own(name));
        let line = json::last_of_each_key(&line);
        // Whether the line has the member at all is compared before.
        own.all(|(name, value)| line.get(name).is_none_or(|written| written.same_document(value)))
    }

    /// What comes late in a stream: `usage`, `stop_reason` and `stop_sequence` of an assistant message.
    pub(super) fn late_fields(&self) -> Option<[&Value; 3]> {
        (kind(&self.value) == "assistant").then(|| late_fields(&self.value))
    }
}

/// `usage`, `stop_reason` and `stop_sequence` of an assistant message or line; null for one that is missing.
pub(super) fn late_fields(value: &Value) -> [&Value; 3] {
    let body = value.get("message");
    ["usage", "stop_reason", "stop_sequence"].map(|name| body.and_then(|body| body.get(name)).unwrap_or(&Value::Null))
}
