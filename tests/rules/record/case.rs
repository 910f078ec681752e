//! A *case* by hand: steps, and what a recorder answered and left in the file.

use crate::families;
use serde_json::{Value, json};
use turnproof_rules::operation::{RecordAnswer, RecordStep, Recorded};

/// A case that is being written down.
#[derive(Clone, Default)]
pub(super) struct Case {
    before: Vec<u8>,
    file: Vec<u8>,
    steps: Vec<RecordStep>,
    answers: Vec<RecordAnswer>,
}

/// A message of this type.
pub(super) fn message(kind: &str, uuid: &str, more: Value) -> Value {
    with(json!({"type": kind, "uuid": uuid}), more)
}

/// A user message.
pub(super) fn user(uuid: &str) -> Value {
    message("user", uuid, json!({"message": {"role": "user", "content": format!("text of {uuid}")}}))
}

/// An assistant message with a usage and a stop reason.
pub(super) fn reply(uuid: &str, tokens: u32, stop_reason: Option<&str>) -> Value {
    let body = json!({"id": "msg_1", "role": "assistant", "content": [{"type": "text", "text": "hi"}],
        "usage": {"output_tokens": tokens}, "stop_reason": stop_reason});
    message("assistant", uuid, json!({ "message": body }))
}

/// A tool result that answers a call of this assistant message.
pub(super) fn result(uuid: &str, source: &str) -> Value {
    let content = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}]);
    message("user", uuid, json!({"message": {"content": content}, "sourceToolAssistantUUID": source}))
}

/// A compact boundary with metadata.
pub(super) fn boundary(uuid: &str, metadata: Value) -> Value {
    message("system", uuid, json!({"subtype": "compact_boundary", "compactMetadata": metadata}))
}

/// An object with more members, or other ones.
pub(super) fn with(mut object: Value, more: Value) -> Value {
    let members = object.as_object_mut().expect("an object");
    members.extend(more.as_object().expect("an object").clone());
    object
}

/// The line of a message.
pub(super) fn line(message: &Value, parent: Option<&str>) -> String {
    let own = json!({"parentUuid": parent, "sessionId": "s1", "cwd": "/a", "version": "1"});
    format!("{}\n", with(message.clone(), own))
}

impl Case {
    /// A case on a file that is there.
    pub(super) fn on(before: &str) -> Self {
        Self { before: before.into(), file: before.into(), ..Self::default() }
    }

    /// A step, its answer, and what is appended to the file in it.
    pub(super) fn step(mut self, step: RecordStep, tip: Result<Option<&str>, &str>, appended: &[String]) -> Self {
        self.file.extend(appended.concat().bytes());
        let tip = tip.map(|tip| tip.map(str::to_owned)).map_err(str::to_owned);
        self.steps.push(step);
        self.answers.push(RecordAnswer::new(tip, self.file.clone()));
        self
    }

    /// A list, answered with its tip, after which nothing is written.
    pub(super) fn list(self, messages: &[Value], tip: &str) -> Self {
        self.step(RecordStep::List(Value::from(messages).to_string().into()), Ok(Some(tip)), &[])
    }

    /// A list that is refused.
    pub(super) fn refused(self, messages: &[Value]) -> Self {
        self.step(RecordStep::List(Value::from(messages).to_string().into()), Err("refused"), &[])
    }

    /// A list before a request, and what is written.
    pub(super) fn request(self, messages: &[Value], tip: &str, appended: &[String]) -> Self {
        let step = RecordStep::ListBeforeRequest(Value::from(messages).to_string().into());
        self.step(step, Ok(Some(tip)), appended)
    }

    /// A flush, and what is written.
    pub(super) fn flush(self, appended: &[String]) -> Self {
        self.step(RecordStep::Flush, Ok(None), appended)
    }

    /// Another process starts.
    pub(super) fn restart(self) -> Self {
        self.step(RecordStep::Restart, Ok(None), &[])
    }

    /// Another process writes.
    pub(super) fn other(self, bytes: &str) -> Self {
        self.step(RecordStep::OtherWriter(bytes.into()), Ok(None), &[bytes.to_owned()])
    }

    /// The disk takes so much more.
    pub(super) fn disk(self, takes: Option<u64>) -> Self {
        self.step(RecordStep::DiskTakes(takes), Ok(None), &[])
    }

    /// The case as it is judged.
    pub(super) fn done(&self) -> Recorded {
        Recorded {
            before: self.before.clone(),
            session: "s1".into(),
            steps: self.steps.clone(),
            answers: Ok(self.answers.clone()),
            again: None,
        }
    }

    /// Demands that all rules hold, and that these have something to judge.
    #[track_caller]
    pub(super) fn holds(&self, tested: &[&str]) {
        families::assert_holds("record", &self.done(), tested);
    }

    /// Demands that this rule is broken, and no other.
    #[track_caller]
    pub(super) fn breaks(&self, id: &str) {
        assert_eq!(broken(&self.done()), [id]);
    }
}

/// The ids of the rules that are broken.
pub(super) fn broken(case: &Recorded) -> Vec<&'static str> {
    families::broken("record", case)
}
