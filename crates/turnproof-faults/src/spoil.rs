//! To *spoil* is to change what the reference is given, or what it gives; all else stays right.

use serde_json::Value;
use turnproof::operation::Plain;
use turnproof::subject::Outcome;

use super::walk::{each, hidden, lists};

/// What a subject was asked with.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The messages, before anything was spoilt.
    pub messages: &'a [Value],
    /// The context of the request.
    pub context: Option<&'a str>,
}

/// Changes what the reference gives.
pub(super) type Change = fn(&Asked<'_>, &mut Vec<Value>);

/// What of a request is spoilt.
#[derive(Clone, Copy)]
pub(super) enum Spoil {
    /// The messages that it is made of.
    Messages(fn(&mut Vec<Value>)),
    /// Its turns.
    Turns(Change),
    /// The list of blocks of each turn of a role.
    Blocks(&'static str, fn(&mut Vec<Value>)),
    /// Each block of a role's turns.
    EachBlock(&'static str, fn(&mut Value)),
    /// What is hidden from the reference and sent after all.
    Hidden(fn(&mut Vec<Value>)),
    /// What is hidden of each block of a role's messages.
    HiddenBlocks(&'static str, fn(&mut Value)),
    /// The messages, and the turns that are made of them.
    Both(fn(&mut Vec<Value>), Change),
}

impl Spoil {
    /// Spoils the messages.
    pub(super) fn messages(self, messages: &mut Vec<Value>) {
        match self {
            Self::Messages(change) | Self::Hidden(change) | Self::Both(change, _) => change(messages),
            Self::HiddenBlocks(role, hide) => each(messages, role, hide),
            Self::Turns(_) | Self::Blocks(..) | Self::EachBlock(..) => {}
        }
    }

    /// Spoils the turns.
    pub(super) fn turns(self, asked: &Asked<'_>, turns: &mut Vec<Value>) {
        match self {
            Self::Turns(change) | Self::Both(_, change) => change(asked, turns),
            Self::Blocks(role, change) => lists(turns, role, change),
            Self::EachBlock(role, change) => each(turns, role, change),
            Self::Hidden(_) | Self::HiddenBlocks(..) => turns.iter_mut().for_each(hidden::show_all),
            Self::Messages(_) => {}
        }
    }
}

/// How a list of messages is rightly made a request.
pub(super) type Right<'a> = &'a dyn Fn(&[Value]) -> Vec<Value>;

/// The elements of a JSON array; halves of surrogate pairs are U+FFFD.
pub(super) fn list(json: &str) -> Option<Vec<Value>> {
    match Plain::read(json).ok()?.value {
        Value::Array(elements) => Some(elements),
        _ => None,
    }
}

/// What a subject answers that spoils the messages, or what `right` makes of them.
pub(super) fn spoilt(
    messages: &str,
    context: Option<&str>,
    before: impl Fn(&mut Vec<Value>),
    after: impl Fn(&Asked<'_>, &mut Vec<Value>),
    right: impl Fn(&str) -> Outcome<String>,
) -> Outcome<String> {
    let Some(given) = list(messages) else { return right(messages) };
    let mut spoilt = given.clone();
    before(&mut spoilt);
    let answer = right(&Value::Array(spoilt).to_string());
    let Outcome::Output(json) = &answer else { return answer };
    let Some(mut output) = list(json) else { return answer };
    after(&Asked { messages: &given, context }, &mut output);
    Outcome::Output(Value::Array(output).to_string())
}

/// The requests of a subject that is wrong about what it keeps.
pub(super) fn states(
    wrong: fn(&[Value], Right<'_>) -> Vec<Vec<Value>>,
    messages: &str,
    ask: impl Fn(&str) -> Outcome<String>,
) -> Vec<String> {
    let given = list(messages).unwrap_or_default();
    let right = |messages: &[Value]| match ask(&Value::from(messages).to_string()) {
        Outcome::Output(json) => list(&json).unwrap_or_default(),
        _ => Vec::new(),
    };
    wrong(&given, &right).into_iter().map(|turns| Value::Array(turns).to_string()).collect()
}
