//! A *view* of a transcript is its records as a wrong reader takes them; the reference resumes it.

use std::collections::{HashMap, HashSet};

use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{ResumeOptions, resume_file};
use turnproof_rules::operation::{Conversation, ConversationRecord, Plain, Value};
use turnproof_suite::subject::Outcome;

use super::walk::{kind, remove, text};

/// A record as a reader takes it.
#[derive(Clone)]
pub(super) struct Seen {
    /// What it holds. To change it changes nothing of what comes back.
    pub value: Value,
    /// What comes back of it.
    pub record: ConversationRecord,
    /// Where it begins in the file.
    pub start: u64,
    /// Its line in the file.
    pub line: u64,
}

pub(super) type View = Vec<Seen>;

impl Seen {
    /// Its uuid; empty if it has none.
    pub(super) fn uuid(&self) -> &str {
        text(&self.value, "uuid")
    }

    /// Its parent's uuid; empty if it names none.
    pub(super) fn parent(&self) -> &str {
        text(&self.value, "parentUuid")
    }

    pub(super) fn is_boundary(&self) -> bool {
        kind(&self.value) == "system" && text(&self.value, "subtype") == "compact_boundary"
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        if let Some(members) = self.value.as_object_mut() {
            members.insert(name.to_owned(), value.into());
        }
    }

    pub(super) fn remove(&mut self, name: &str) {
        remove(&mut self.value, name);
    }
}

pub(super) fn view(file: &[u8]) -> View {
    let transcript = Transcript::from_bytes(file.to_vec());
    let seen = |record: turnproof_reference::transcript::Record<'_>| Seen {
        value: Plain::read(&String::from_utf8_lossy(record.bytes)).unwrap_or_default().into_value(),
        record: ConversationRecord {
            uuid: record.uuid().unwrap_or_default().into_owned(),
            bytes: record.bytes.to_vec(),
        },
        start: record.start,
        line: record.line,
    };
    transcript.records().map(seen).collect()
}

/// The conversation that the reference finds in a view.
pub(super) fn found(view: &[Seen]) -> Option<Conversation> {
    let mut lines = Vec::new();
    for seen in view {
        lines.extend(seen.value.to_string().bytes());
        lines.push(b'\n');
    }
    let resume = resume_file(&lines[..], &ResumeOptions::default()).ok()?.ok()?;
    let seen = |line: u64| Some(view.get(usize::try_from(line).ok()?.checked_sub(1)?)?.record.clone());
    let records = resume.places.iter().filter_map(|place| seen(place.line)).collect();
    Some(Conversation { records, notes: resume.notes.iter().map(ToString::to_string).collect() })
}

/// What a reader answers that takes the records so.
pub(super) fn seeing(file: &[u8], change: impl FnOnce(&mut View)) -> Outcome<Option<Conversation>> {
    let mut view = view(file);
    change(&mut view);
    Outcome::Output(found(&view))
}

/// Does not index some records, and treats a parent that is not indexed as a beginning.
pub(super) fn leave_out(view: &mut View, is_left_out: impl Fn(&Seen) -> bool) {
    let (left_out, rest): (View, View) = view.drain(..).partition(is_left_out);
    *view = rest;
    let indexed: HashSet<String> = view.iter().map(|seen| seen.uuid().to_owned()).collect();
    let gone: HashSet<&str> = left_out.iter().map(Seen::uuid).filter(|uuid| !indexed.contains(*uuid)).collect();
    for seen in view.iter_mut().filter(|seen| gone.contains(seen.parent())) {
        seen.set("parentUuid", Value::Null);
    }
}

/// How many records name each record as their parent.
pub(super) fn children(view: &[Seen]) -> HashMap<String, usize> {
    let mut children = HashMap::new();
    for seen in view.iter().filter(|seen| !seen.parent().is_empty()) {
        *children.entry(seen.parent().to_owned()).or_default() += 1;
    }
    children
}
