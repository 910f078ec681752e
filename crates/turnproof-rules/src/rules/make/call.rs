//! A *call* of a factory as rules read it: its arguments, what is missing, and what was made.

use std::cell::OnceCell;

use crate::json;
use crate::json::{Str, Value};

use super::predicate::unanswered;
use super::table::{Factory, Member, Says, find};
use crate::operation::Plain;
use crate::rules::alike::{alike, in_short};
use crate::rules::value::{is_blank, list};
use crate::rules::{MakeEvidence, Sentence};
use crate::vocabulary::SYNTHETIC_MODEL;

/// What the rules of the family work out of a case. An `Err` has the reason why it is unspecified what is made.
#[derive(Debug, Default)]
pub struct WorkedOut {
    called: OnceCell<Result<Called, &'static str>>,
}

pub(super) struct Called {
    pub(super) factory: &'static Factory,
    /// The arguments: an object, without those that are null.
    pub(super) arguments: Value,
    /// A required argument that is missing.
    pub(super) missing: Option<&'static str>,
    /// How many messages must be made.
    pub(super) count: usize,
    /// The messages that were made, as they are read; null for what is no JSON.
    pub(super) read: Vec<Value>,
}

impl std::fmt::Debug for Called {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.factory.name, self.arguments)
    }
}

impl MakeEvidence<'_> {
    /// The call; or why nothing is said of it.
    pub(super) fn called(&self) -> Result<&Called, &'static str> {
        self.worked_out.called.get_or_init(|| Called::of(self)).as_ref().map_err(|why| *why)
    }
}

impl Called {
    fn of(case: &MakeEvidence<'_>) -> Result<Self, &'static str> {
        let factory = find(&case.call.factory).ok_or("no factory has this name")?;
        let arguments = Plain::read(&case.call.arguments).map_err(|_| "the arguments are no JSON")?.into_value();
        let Value::Object(mut arguments) = arguments else { return Err("the arguments are no object") };
        arguments.retain(|_, value| !value.is_null());
        let arguments = Value::Object(arguments);
        let missing = factory.required.iter().find(|name| arguments.get(**name).is_none()).copied();
        let count = match factory.says {
            Says::Placeholders => unanswered(list(&arguments, "messages")).len(),
            _ => 1,
        };
        let made = case.answer.as_deref().unwrap_or_default();
        let read = made.iter().map(|made| Plain::read(&made.message).unwrap_or_default().into_value()).collect();
        Ok(Self { factory, arguments, missing, count, read })
    }

    /// The messages that were made where some must be, each with its place.
    pub(super) fn messages(&self) -> impl Iterator<Item = (usize, &Value)> {
        let is_meant = self.missing.is_none();
        self.read.iter().enumerate().filter(move |(_, message)| is_meant && message.is_object())
    }

    fn argument(&self, name: &str) -> Option<&Value> {
        self.arguments.get(name)
    }

    /// The members of a message that are not as the table says.
    pub(super) fn wrong_members(&self, message: &Value) -> Vec<Wrong> {
        let subtype = (self.factory.kind == "system" && self.factory.name != "system")
            .then(|| Expected::is("wrong-subtype", "/subtype", self.factory.name.into()));
        let role = match self.factory.says {
            Says::UserContent | Says::AssistantContent | Says::Interruption(..) | Says::Placeholders => {
                Some(Expected::is("wrong-role", "/message/role", self.factory.kind.into()))
            }
            _ => None,
        };
        let kind = Expected::is("wrong-type", "/type", self.factory.kind.into());
        let members = self.factory.members.iter().flat_map(|member| self.expected(*member));
        let all = [kind].into_iter().chain(subtype).chain(role).chain(members);
        all.filter_map(|expected| expected.wrong_in(message)).collect()
    }

    /// What a row of the table says, with the arguments of this call.
    fn expected(&self, member: Member) -> Vec<Expected> {
        let given = |name: &str| self.argument(name).cloned();
        let read = |json: &str| json::value(json).unwrap_or_default();
        let (kind, pointer, want) = match member {
            Member::Carried(name, pointer) => match given(name) {
                Some(given) => ("not-carried", pointer, Want::Is(given)),
                None => ("extra", pointer, Want::Nothing),
            },
            Member::Or(name, pointer, json) => match given(name) {
                Some(given) => ("not-carried", pointer, Want::Is(given)),
                None => ("wrong-default", pointer, Want::Is(read(json))),
            },
            Member::Flag(name, pointer) => ("wrong-flag", pointer, Want::Flag(given(name) == Some(Value::Bool(true)))),
            Member::Always(pointer, json) => ("wrong-constant", pointer, Want::Is(read(json))),
            Member::Never(pointer) => ("extra", pointer, Want::Nothing),
            Member::Not(pointer) => ("wrong-flag", pointer, Want::Flag(false)),
            Member::Count(name, pointer) => {
                ("wrong-count", pointer, Want::Is(Value::from(list(&self.arguments, name).len())))
            }
            Member::IsGiven(name, pointer) => ("wrong-flag", pointer, Want::Is(Value::from(given(name).is_some()))),
            Member::Spread(name) => {
                let members = self.argument(name).and_then(Value::as_object).into_iter().flatten();
                let member = |(name, value): (&Str, &Value)| {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    Expected::is("not-carried", &format!("/{name}"), value.clone())
                };
                return members.map(member).collect();
            }
        };
        vec![Expected { kind, pointer: pointer.to_owned(), want }]
    }
}

/// What must stand at a pointer of a message.
struct Expected {
    /// The kind of the violation when something else is there.
    kind: &'static str,
    pointer: String,
    want: Want,
}

enum Want {
    Is(Value),
    /// Nothing, null, or the empty text.
    Nothing,
    /// True; or false, null or nothing.
    Flag(bool),
}

/// A member that is not as it must be.
pub(super) struct Wrong {
    pub(super) kind: &'static str,
    pub(super) found: Sentence,
    pub(super) expected: Sentence,
}

impl Expected {
    fn is(kind: &'static str, pointer: &str, value: Value) -> Self {
        Self { kind, pointer: pointer.to_owned(), want: Want::Is(value) }
    }
    fn wrong_in(&self, message: &Value) -> Option<Wrong> {
        let member = message.pointer(&self.pointer);
        let found = member.unwrap_or(&Value::Null);
        let is_right = match &self.want {
            Want::Is(value) => alike(found, value),
            Want::Nothing => found.is_null() || found == "",
            Want::Flag(true) => *found == Value::Bool(true),
            Want::Flag(false) => matches!(found, Value::Null | Value::Bool(false)),
        };
        if is_right {
            return None;
        }
        let expected = match &self.want {
            Want::Is(value) => sentence!("{value}", value = in_short(value)),
            Want::Nothing => "nothing there".into(),
            Want::Flag(true) => "true".into(),
            Want::Flag(false) => "false".into(),
        };
        let found = sentence!(
            "{pointer} is {found}",
            pointer = &self.pointer,
            found = member.map_or("missing".to_owned(), in_short)
        );
        Some(Wrong { kind: self.kind, found, expected })
    }
}

/// What is wrong with the reply in a message that no model made (SPEC 2.1.2).
pub(super) fn synthetic_body(message: &Value) -> Vec<Wrong> {
    let usage = json!({
        "input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": null,
        "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
        "inference_geo": null, "iterations": null, "speed": null
    });
    let members = [
        Expected::is("wrong-type", "/message/type", "message".into()),
        Expected::is("wrong-role", "/message/role", "assistant".into()),
        Expected::is("wrong-model", "/message/model", SYNTHETIC_MODEL.into()),
        Expected::is("wrong-stop-reason", "/message/stop_reason", "stop_sequence".into()),
        Expected::is("wrong-stop-sequence", "/message/stop_sequence", "".into()),
        Expected::is("wrong-container", "/message/container", Value::Null),
        Expected::is("wrong-context", "/message/context_management", Value::Null),
        Expected::is("wrong-usage", "/message/usage", usage),
    ];
    let mut wrong: Vec<Wrong> = members.iter().filter_map(|expected| expected.wrong_in(message)).collect();
    let id = message.pointer("/message/id").and_then(Value::as_str);
    if id.is_none_or(is_blank) {
        let found = id.map_or("the reply has no id".into(), |id| sentence!("the reply's id is {id:?}", id));
        wrong.push(Wrong { kind: "no-id", found, expected: "an id".into() });
    }
    wrong
}
