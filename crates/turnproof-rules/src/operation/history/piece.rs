//! A *piece* is a block of a turn as it is compared with others: without its cache point, whatever form it has.

use std::hash::{DefaultHasher, Hash, Hasher};

use twox_hash::XxHash3_64;

use super::super::request::Request;
use crate::json::{Object, Value};
use crate::rules::value::{kind, list, text};

/// A block of a turn; content that is a text is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'a> {
    /// The turn, from 0.
    pub(crate) turn: usize,
    /// The block of its content, from 0; `None` for content that is a text.
    pub(crate) block: Option<usize>,
    pub(crate) role: &'a str,
    /// Its type.
    pub(crate) kind: &'a str,
    pub(crate) value: &'a Value,
    /// What it says, role and all: equal for what is said the same.
    pub(crate) said: u64,
    /// What it is known by, whatever it says: the id of a call or a result, the signature of thinking.
    pub(crate) name: u64,
}

impl<'a> Piece<'a> {
    fn new(turn: usize, block: Option<usize>, role: &'a str, value: &'a Value) -> Self {
        let kind = if value.is_string() { "text" } else { kind(value) };
        let mut piece = Self { turn, block, role, kind, value, said: 0, name: 0 };
        let mut said = DefaultHasher::new();
        role.hash(&mut said);
        match value {
            // A text alone and a block that holds it are the same to the API.
            Value::String(text) => ("text", digest(text)).hash(&mut said),
            _ if kind == "text" && is_bare_text(value) => ("text", digest(piece.text())).hash(&mut said),
            _ => hash(value, &mut said),
        }
        piece.said = said.finish();
        piece.name = piece.name();
        piece
    }

    fn name(&self) -> u64 {
        let mut name = DefaultHasher::new();
        match self {
            _ if self.is_call() => ("call", text(self.value, "id")).hash(&mut name),
            _ if self.is_result() => ("result", text(self.value, "tool_use_id")).hash(&mut name),
            _ if self.is_thinking() => match self.signature() {
                Some(signature) => ("thinking", signature).hash(&mut name),
                None => return self.said,
            },
            _ => return self.said,
        }
        name.finish()
    }

    pub(crate) fn is_call(&self) -> bool {
        self.kind.ends_with("tool_use")
    }

    pub(crate) fn is_result(&self) -> bool {
        self.kind.ends_with("tool_result")
    }

    pub(crate) fn is_thinking(&self) -> bool {
        matches!(self.kind, "thinking" | "redacted_thinking")
    }

    pub(crate) fn is_assistant(&self) -> bool {
        self.role == "assistant"
    }

    /// Its text, where it is one.
    pub(crate) fn text(&self) -> &'a str {
        match self.value {
            Value::String(text) => text,
            value => text(value, "text").unwrap_or_default(),
        }
    }

    /// What binds thinking to its conversation.
    pub(crate) fn signature(&self) -> Option<&'a str> {
        let name = if self.kind == "thinking" { "signature" } else { "data" };
        text(self.value, name).filter(|signature| self.is_thinking() && !signature.is_empty())
    }

    /// Whether a client says it of itself, and not the user: a reminder, what a command printed, or a turn of the system.
    pub(crate) fn is_reminder(&self) -> bool {
        let begins = |tag: &str| self.text().trim_start().starts_with(tag);
        self.role == "system" || self.kind == "text" && CLIENTS_OWN.iter().any(|tag| begins(tag))
    }

    /// `messages.3.content.0`.
    pub(crate) fn path(&self) -> String {
        match self.block {
            Some(block) => format!("messages.{}.content.{block}", self.turn),
            None => format!("messages.{}.content", self.turn),
        }
    }
}

/// How texts begin that a client puts among those of the user.
const CLIENTS_OWN: [&str; 4] = ["<system-reminder>", "<local-command-", "<command-", "<bash-"];

/// The pieces of a request, in order.
pub(crate) fn pieces(request: &Request) -> Vec<Piece<'_>> {
    request.messages.iter().enumerate().flat_map(|(turn, value)| of_turn(turn, value)).collect()
}

/// What the first block of a request says.
pub(super) fn opening(request: &Request) -> Option<u64> {
    of_turn(0, request.messages.first()?).first().map(|piece| piece.said)
}

fn of_turn(turn: usize, value: &Value) -> Vec<Piece<'_>> {
    let role = text(value, "role").unwrap_or_default();
    match value.get("content") {
        Some(content @ Value::String(_)) => vec![Piece::new(turn, None, role, content)],
        _ => {
            let blocks = list(value, "content").iter().enumerate();
            blocks.map(|(block, value)| Piece::new(turn, Some(block), role, value)).collect()
        }
    }
}

/// The member that says where a prompt is cached. It is not said to the model.
pub(super) const CACHE_POINT: &str = "cache_control";

fn is_bare_text(value: &Value) -> bool {
    let is_known = |name: &str| matches!(name, "type" | "text" | CACHE_POINT);
    value.as_object().is_some_and(|members| members.keys().all(|name| is_known(name)))
}

/// A hash of a text, made faster than by the hasher of all else: texts are the most of a request.
fn digest(text: &str) -> u64 {
    XxHash3_64::oneshot(text.as_bytes())
}

/// Hashes a value without cache points, whatever the order of its members.
pub(super) fn hash(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(flag) => (1_u8, flag).hash(hasher),
        Value::Number(number) => (2_u8, number.to_string()).hash(hasher),
        Value::String(text) => (3_u8, digest(text)).hash(hasher),
        Value::Array(values) => {
            (4_u8, values.len()).hash(hasher);
            values.iter().for_each(|value| hash(value, hasher));
        }
        Value::Object(members) => (5_u8, members_hash(members)).hash(hasher),
    }
}

fn members_hash(members: &Object) -> u64 {
    let member = |(name, value): (&crate::json::Str, &Value)| {
        let mut hasher = DefaultHasher::new();
        (**name).hash(&mut hasher);
        // The content of a result may be a text or a list that holds it.
        match (&**name, value.as_array().map(Vec::as_slice)) {
            ("content", Some([one])) if is_bare_text(one) && kind(one) == "text" => hash(&one["text"], &mut hasher),
            _ => hash(value, &mut hasher),
        }
        hasher.finish()
    };
    let said = members.iter().filter(|(name, _)| &***name != CACHE_POINT);
    said.map(member).fold(0, u64::wrapping_add)
}

/// The hash of what a value says.
pub(crate) fn said(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash(value, &mut hasher);
    hasher.finish()
}
