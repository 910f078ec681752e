//! A *log* by hand.

use crate::families;
use serde_json::{Value, json};
use turnproof_rules::operation::{Moment, Played};

/// A log that is being written down.
#[derive(Clone, Default)]
pub(super) struct Log {
    pub moments: Vec<Moment>,
    /// The records of the queue that are to be on disk at the next request.
    pub queue: Vec<Value>,
    /// The inputs that are in the queue.
    pub waiting: Vec<u64>,
}

/// The record of an operation on the queue.
pub(super) fn queue_operation(operation: &str, content: Option<&Value>) -> Value {
    let mut record = json!({"type": "queue-operation", "operation": operation,
        "timestamp": "2026-01-01T00:00:00.000Z", "sessionId": "s"});
    if let Some(content) = content {
        record["content"] = content.clone();
    }
    record
}

/// A user message.
pub(super) fn user(uuid: &str, said: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": said}})
}

/// An assistant message of a reply, with one text.
pub(super) fn says(uuid: &str, reply: &str, said: &str) -> Value {
    assistant(uuid, reply, json!({"type": "text", "text": said}))
}

/// An assistant message of a reply, with one call.
pub(super) fn calls(uuid: &str, reply: &str, id: &str) -> Value {
    assistant(uuid, reply, json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}}))
}

fn assistant(uuid: &str, reply: &str, block: Value) -> Value {
    json!({"type": "assistant", "uuid": uuid,
        "message": {"id": reply, "role": "assistant", "model": "m", "content": [block]}})
}

/// A user message with the result of a call.
pub(super) fn result(uuid: &str, call: &str) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": call, "content": "done"}]}})
}

/// A notice.
pub(super) fn notice(uuid: &str) -> Value {
    json!({"type": "system", "uuid": uuid, "subtype": "informational", "content": "note"})
}

/// The withdrawal of a message.
pub(super) fn tombstone(message: &Value) -> Value {
    json!({"type": "tombstone", "message": message})
}

/// The transcript that holds a line of each message.
pub(super) fn lines(messages: &[&Value]) -> Vec<u8> {
    messages.iter().map(|message| format!("{message}\n")).collect::<String>().into_bytes()
}

/// The turns of messages, one each, the system's left out.
pub(super) fn turns(messages: &[&Value]) -> Value {
    messages.iter().filter_map(|message| message.get("message")).cloned().collect()
}

impl Log {
    /// One more moment.
    pub(super) fn then(mut self, moment: Moment) -> Self {
        self.moments.push(moment);
        self
    }

    /// Messages are yielded.
    pub(super) fn yields(self, events: &[&Value]) -> Self {
        events.iter().fold(self, |log, &event| log.then(Moment::Yielded(event.clone().into())))
    }

    /// A request is made of these messages, all of them on disk, a turn each.
    pub(super) fn requests(self, messages: &[&Value]) -> Self {
        self.requests_with(messages, turns(messages), lines(messages))
    }

    /// A request is made of these messages.
    pub(super) fn requests_with(self, messages: &[&Value], turns: Value, transcript: Vec<u8>) -> Self {
        let messages: Value = messages.iter().copied().cloned().collect();
        let transcript = [transcript, lines(&self.queue.iter().collect::<Vec<_>>())].concat();
        self.then(Moment::Requested { messages: messages.into(), turns: turns.into(), transcript })
    }

    /// No record of the queue is on disk but these.
    pub(super) fn with_queue(self, queue: &[Value]) -> Self {
        Self { queue: queue.to_vec(), ..self }
    }

    /// Something is typed.
    pub(super) fn types(mut self, input: u64, content: Value, queued: bool) -> Self {
        if queued {
            self.queue.push(queue_operation("enqueue", Some(&content)));
            self.waiting.push(input);
        }
        self.then(Moment::Typed { input, content: content.into(), queued })
    }

    /// An input joins as a message that is yielded.
    pub(super) fn joins(mut self, input: u64, message: &Value) -> Self {
        if self.waiting.contains(&input) {
            self.waiting.retain(|waiting| *waiting != input);
            self.queue.push(queue_operation("dequeue", None));
        }
        let uuid = message["uuid"].as_str().unwrap().to_owned();
        self.yields(&[message]).then(Moment::Joined { input, uuid })
    }

    /// The process dies and leaves the lines of these messages.
    pub(super) fn crashes(self, messages: &[&Value]) -> Self {
        self.then(Moment::Crashed { transcript: lines(messages) })
    }

    /// These messages come back.
    pub(super) fn resumes(self, messages: &[&Value]) -> Self {
        let messages: Value = messages.iter().copied().cloned().collect();
        self.then(Moment::Resumed(messages.into()))
    }

    /// The conversation is compacted to these messages.
    pub(super) fn compacts(self, messages: &[&Value]) -> Self {
        let messages: Value = messages.iter().copied().cloned().collect();
        self.then(Moment::Compacted(messages.into()))
    }

    /// The log as it is judged.
    pub(super) fn done(&self) -> Played {
        Played { moments: self.moments.clone(), transcript: Vec::new(), whole: true, inputs: None, again: None }
    }

    /// Demands that all rules hold, and that these have something to judge.
    #[track_caller]
    pub(super) fn holds(&self, tested: &[&str]) {
        families::assert_holds("engine", &self.done(), tested);
    }

    /// Demands that this rule is broken, and no other.
    #[track_caller]
    pub(super) fn breaks(&self, id: &str) {
        assert_eq!(broken(&self.done()), [id]);
    }
}

/// The ids of the rules that are broken.
pub(super) fn broken(case: &Played) -> Vec<&'static str> {
    families::broken("engine", case)
}
