//! A *given message* is one element of a list that a recorder was given, as far as recording looks at it.

use serde_json::Value;

use crate::message::Kind;
use crate::operation::Plain;

/// The members that a recorder adds or replaces; all others are the message's own.
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
    /// Its uuid.
    pub(super) uuid: String,
    /// Its members.
    pub(super) value: Value,
    /// The paths in it that hold lone surrogates.
    pub(super) lone_surrogates: Vec<String>,
}

/// A list that a recorder was given.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    /// What is to be written, in list order; those without a uuid are left out.
    pub(super) messages: Vec<Given>,
    /// The uuids of what must never be written.
    pub(super) ephemeral: Vec<String>,
    /// Whether there is something that must never be written, with a uuid or without.
    pub(super) has_ephemeral: bool,
    /// The place in the list of the first message that should be written and has no uuid.
    pub(super) without_uuid: Option<usize>,
}

impl List {
    /// Reads a list.
    ///
    /// # Errors
    /// Why what a recorder does with it is not laid down.
    pub(super) fn read(json: &str) -> Result<Self, &'static str> {
        let plain = Plain::read(json).map_err(|_| "a list is no JSON that can be read")?;
        let Value::Array(elements) = plain.value else { return Err("a list is no list") };
        let mut list = Self::default();
        for (index, value) in elements.into_iter().enumerate() {
            let kind = text(&value, "type").and_then(Kind::of).ok_or("a list holds what is no message")?;
            let uuid = match value.get("uuid") {
                None | Some(Value::Null) => None,
                Some(Value::String(uuid)) if !uuid.is_empty() => Some(uuid.clone()),
                Some(_) => return Err("a message has a uuid that is none"),
            };
            let inside = format!("{index}.");
            let lone_surrogates = below(&plain.lone_surrogates, &inside);
            if lone_surrogates.iter().any(|path| path == "uuid") {
                return Err("a uuid holds half of a surrogate pair");
            }
            match uuid {
                uuid if !kind.is_persisted() || is_true(&value, "isVirtual") => {
                    list.has_ephemeral = true;
                    list.ephemeral.extend(uuid);
                }
                Some(uuid) => list.messages.push(Given { uuid, value, lone_surrogates }),
                None => list.without_uuid = list.without_uuid.or(Some(index)),
            }
        }
        Ok(list)
    }
}

/// The paths that begin with this, without it.
fn below(paths: &[String], prefix: &str) -> Vec<String> {
    paths.iter().filter_map(|path| path.strip_prefix(prefix)).map(str::to_owned).collect()
}

impl Given {
    /// Whether this is a compact boundary.
    pub(super) fn is_boundary(&self) -> bool {
        text(&self.value, "type") == Some("system")
            && text(&self.value, "subtype") == Some("compact_boundary")
    }

    /// Whether this is the summary that stands after a boundary.
    pub(super) fn is_compact_summary(&self) -> bool {
        is_true(&self.value, "isCompactSummary")
    }

    /// The assistant message that a tool result says it answers; none if this holds no result.
    pub(super) fn source(&self) -> Option<&str> {
        let blocks = self.value.get("message")?.get("content")?.as_array()?;
        let has_result = blocks.iter().any(|block| text(block, "type") == Some("tool_result"));
        let is_user = text(&self.value, "type") == Some("user");
        text(&self.value, "sourceToolAssistantUUID").filter(|_| is_user && has_result)
    }

    /// Whether a line holds all that is this message's own, unchanged.
    pub(super) fn stands_in(&self, line: &Value, lone_surrogates: &[String]) -> bool {
        let Value::Object(members) = &self.value else { return false };
        let is_own = |name: &str| !RECORDERS.contains(&name);
        let own = |paths: &[String]| -> Vec<String> {
            let has =
                |path: &&String| path.split('.').next().is_some_and(|n| is_own(n) && members.contains_key(n));
            paths.iter().filter(has).cloned().collect()
        };
        members.iter().filter(|(name, _)| is_own(name)).all(|(name, value)| line.get(name) == Some(value))
            && own(&self.lone_surrogates) == own(lone_surrogates)
    }

    /// What comes late in a stream: `usage`, `stop_reason` and `stop_sequence` of an assistant message.
    pub(super) fn late_fields(&self) -> Option<[Value; 3]> {
        (text(&self.value, "type") == Some("assistant")).then(|| late_fields(&self.value))
    }
}

/// `usage`, `stop_reason` and `stop_sequence` of an assistant message or line; null where there is none.
pub(super) fn late_fields(value: &Value) -> [Value; 3] {
    let member =
        |name: &str| value.get("message").and_then(|body| body.get(name)).cloned().unwrap_or_default();
    [member("usage"), member("stop_reason"), member("stop_sequence")]
}

/// A member that is a string.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str()
}

/// Whether a member is `true`.
pub(super) fn is_true(object: &Value, name: &str) -> bool {
    object.get(name) == Some(&Value::Bool(true))
}
