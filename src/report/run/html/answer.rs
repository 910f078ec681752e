//! An *answer* as it is drawn: its JSON, and what an operation says beside lists and lines.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;
use turnproof_rules::Shown;

use crate::report::html::text::glance;
use crate::report::normalization::told;
use crate::report::run::exhibit::Failed;
use turnproof_reference::json::without_lone_surrogates;
use turnproof_reference::message::Event;
use turnproof_reference::normalize::api::{Options, normalize_traced};
use turnproof_rules::operation::form::Base64;
use turnproof_rules::operation::{ApiNormalized, Derived, Reading, RecordAnswer, Recorded, Resumed, Value};
use turnproof_suite::table::size;

use super::marks::Marks;

/// What is drawn of an answer.
pub(super) struct Answer<'a> {
    /// What went in and what came out, as an object.
    pub(super) value: Value,
    /// Why nothing came out.
    pub(super) refused: Option<&'a str>,
    pub(super) marks: &'a Marks<'a>,
    /// What is said beside the elements of the list at a path.
    pub(super) beside: (&'static str, Vec<Markup>),
    /// What is said beside the lines of the file, by their first bytes.
    pub(super) lines: BTreeMap<usize, String>,
    /// What is to be known of the whole.
    pub(super) note: Option<&'static str>,
}

impl<'a> Answer<'a> {
    pub(super) fn of(shown: &'a Result<Shown, Failed>, marks: &'a Marks<'a>) -> Self {
        let mut answer = Self {
            value: Value::Null,
            refused: None,
            marks,
            beside: ("", Vec::new()),
            lines: BTreeMap::new(),
            note: None,
        };
        match shown {
            Ok(shown) => {
                answer.value = readable(json_of(shown)).into();
                answer.add(shown);
            }
            Err(Failed { input, why }) => {
                answer.refused = Some(why);
                answer.value = input.clone();
            }
        }
        answer
    }

    /// Adds what an operation says of itself.
    fn add(&mut self, shown: &Shown) {
        match shown {
            Shown::Parse(case) => self.parsed(case),
            Shown::NormalizeApi(case) => self.normalized(case),
            Shown::DeriveUuid(case) => self.derived(case),
            Shown::Record(case) => self.recorded(case),
            Shown::Resume(case) => self.resumed(case),
            Shown::Make(_) => {
                for answer in ["/answer/Ok", "/again/Ok"] {
                    let made = self.value.pointer_mut(answer).and_then(Value::as_array_mut);
                    made.into_iter().flatten().for_each(|made| made["message"] = made["message"].to_string().into());
                }
                self.note = Some(
                    "Ids that begin with facade00 and the time 2000-01-01T00:00:00 stand for those that the subject \
                     made. Equal ids stay equal, and the form stays.",
                );
            }
            _ => {}
        }
    }

    /// A record that is written back as it was is not shown again.
    fn parsed(&mut self, case: &Reading) {
        let records = self.value.pointer_mut("/parsed/records").and_then(Value::as_array_mut);
        for (value, record) in records.into_iter().flatten().zip(&case.parsed.records) {
            let range = usize::try_from(record.start).ok().zip(usize::try_from(record.end).ok());
            if range.and_then(|(start, end)| case.bytes.get(start..end)) == Some(&record.written) {
                value["written"] = "as it was".into();
            }
        }
    }

    /// Beside each message what the stages of the reference do to it; then the reference's request.
    fn normalized(&mut self, case: &ApiNormalized) {
        let options = Options { context: case.options.context.clone(), ..Options::default() };
        let read = |value: &Value| Event::read(&value.to_string()).ok();
        let events: Vec<Event> = case.events().iter().map(read).collect::<Option<_>>().unwrap_or_default();
        let (turns, trace) = normalize_traced(&events, &options);
        self.value["reference"] = value(&turns);
        let effects = |at: usize| {
            let notes = trace.steps.iter().flat_map(|step| step.notes.iter().map(move |note| (step.stage, note)));
            let here = notes.filter(|(_, note)| note.message.and_then(|at| usize::try_from(at).ok()) == Some(at));
            html! { @for (stage, note) in here { p.effect { b { (stage) } " " (glance(&told(note))) } } }
        };
        self.beside = ("messages", (0..case.events().len()).map(effects).collect());
    }

    /// For each block its ids.
    fn derived(&mut self, case: &Derived) {
        let ids = case.indexes.iter().zip(&case.answers).zip(&case.again);
        let row = |((block, id), again)| json!({"block": block, "id": id, "id, asked again": again});
        self.value = json!({"parent": case.parent, "answers": ids.map(row).collect::<Vec<_>>()}).into();
    }

    /// Beside each step what came of it; then the file, and in which step each line was written. Where a step changed
    /// what was there, it is the file before that step.
    fn recorded(&mut self, case: &Recorded) {
        let Ok(answers) = &case.answers else { return };
        let files = || [&case.before].into_iter().chain(answers.iter().map(|answer| &answer.file));
        let grown = files().zip(files().skip(1)).take_while(|(before, after)| after.starts_with(before)).count();
        let file = files().nth(grown).unwrap_or(&case.before);
        let mut start = 0;
        for line in file.split_inclusive(|&byte| byte == b'\n') {
            let end = start + line.len();
            let written = files().position(|file| file.get(start..end) == Some(line));
            let step = written.and_then(|files| files.checked_sub(1));
            self.lines.insert(start, step.map_or("before".to_owned(), |step| format!("step {step}")));
            start = end;
        }
        let said = |answer: &RecordAnswer| {
            html! {
                p.effect {
                    @match answer.tip() {
                        Ok(Some(tip)) => { "the next message chains to " code { (glance(tip)) } },
                        Ok(None) => "the next message chains to nothing",
                        Err(why) => { "refused: " (glance(why)) },
                    }
                    "; the file has " (size(answer.file.len() as u64, "byte"))
                }
            }
        };
        self.beside = ("steps", answers.iter().map(said).collect());
        if let Some(members) = self.value.as_object_mut() {
            members.retain(|name, _| name != "answers");
            members.insert("file", value(file));
        }
    }

    /// Beside each line where it comes back.
    fn resumed(&mut self, case: &Resumed) {
        let records = case.answer.iter().flatten().flat_map(|found| &found.records).enumerate();
        let mut start = 0;
        for line in case.file.split_inclusive(|&byte| byte == b'\n') {
            let has = |bytes: &[u8]| !bytes.is_empty() && memchr::memmem::find(line, bytes).is_some();
            let places = records.clone().filter(|(_, record)| has(&record.bytes)).map(|(at, _)| at.to_string());
            let places: Vec<String> = places.collect();
            if !places.is_empty() {
                self.lines.insert(start, format!("comes back as {}", places.join(", ")));
            }
            start += line.len();
        }
    }
}

/// The members that are bytes in base64, and their names where they are drawn.
const BYTES: [(&str, &str); 9] = [
    ("after_b64", "after"),
    ("before_b64", "before"),
    ("bytes_b64", "bytes"),
    ("jsonl_b64", "bytes"),
    ("other_writer_b64", "other_writer"),
    ("record_b64", "bytes"),
    ("removed_b64", "bytes"),
    ("transcript_b64", "transcript"),
    ("written_b64", "written"),
];

/// JSON with text where it has base64, or numbers where the bytes are no text.
fn readable(value: serde_json::Value) -> serde_json::Value {
    let member = |(name, value): (String, serde_json::Value)| match BYTES.iter().find(|(base64, _)| *base64 == name) {
        Some((_, shown)) => {
            let bytes = Base64::deserialize(value).unwrap_or_default();
            let text = String::from_utf8(bytes).map_or_else(|error| json!(error.into_bytes()), Into::into);
            ((*shown).to_owned(), text)
        }
        None => (name, readable(value)),
    };
    match value {
        serde_json::Value::Array(elements) => elements.into_iter().map(readable).collect(),
        serde_json::Value::Object(members) => members.into_iter().map(member).collect(),
        other => other,
    }
}

/// Data as JSON, halves of surrogate pairs as U+FFFD: a value cannot hold them.
fn json_of(data: &(impl Serialize + ?Sized)) -> serde_json::Value {
    let text = serde_json::to_string(data).unwrap_or_default();
    serde_json::from_str(&without_lone_surrogates(&text)).unwrap_or_default()
}

/// The same, as what rules read.
fn value(data: &(impl Serialize + ?Sized)) -> Value {
    json_of(data).into()
}
