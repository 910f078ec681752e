//! The *reference* is this crate's own implementation, judged like any other.

mod accumulate;
mod make;

use crate::engine::{self, Input};
use crate::json::Text;
use crate::message::{Event, FixedContext, Message, Typed, id};
use crate::normalize::api::{Incremental, Options, normalize_for_api, to_json};
use crate::normalize::ui::{
    bridge_view, collapse_read_search, group_tool_uses, normalize_for_ui, reorder_for_ui, ungroup,
};
use crate::operation::{
    self, Conversation, ConversationRecord, FactoryCall, Folding, Host, List, MadeMessage, Parsed, ParsedRecord,
    Played, RecordAnswer, RecordStep, Refusal, Rejected, RemovedPiece, RepairChange, RepairedFile, Report,
    RequestOptions, RequestText, ResponseRefusal, StreamItem, StreamText, UsageRow, reply_violations, violations,
};
use crate::repair::{Change, Removed, Repair, RepairOptions, repair};
use crate::rules::{Place, Severity, Violation};
use crate::transcript::resume::{ResumeOptions, resume_file};
use crate::transcript::write::{Held, MemoryDisk, RecordError, RecordHints, Recorder, RecorderOptions, TeamInfo};
use crate::transcript::{Chunks, Found, Line, Scanner, Transcript};
use crate::usage::usage_by_reply;

use super::{Outcome, Subject};

/// The built-in implementation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Subject for Reference {
    fn name(&self) -> &str {
        "reference"
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        let mut parsed = Parsed::default();
        let mut scanner = Scanner::default();
        // Small chunks, so that the seams between them are judged too.
        let mut chunks = Chunks::new(bytes, 4096);
        outcome(|| {
            while let Some(chunk) = chunks.next_chunk()? {
                scanner.chunk(&chunk, |found| note(&mut parsed, &found));
            }
            std::io::Result::Ok(parsed)
        })
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        outcome(|| -> serde_json::Result<_> {
            let events = Event::read_list(messages)?;
            let turns = to_json(&normalize_for_api(&events, &for_request(options)));
            Ok(RequestText { turns, messages_after: Some(written(&events)) })
        })
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        outcome(|| -> serde_json::Result<_> {
            // Settling as early as it can, so that short lists have seams too.
            let mut incremental = Incremental::new(for_request(options)).settling(1);
            let after_each = Event::read_list(messages)?.into_iter().map(|message| {
                incremental.push(message);
                to_json(incremental.turns())
            });
            Ok(after_each.collect())
        })
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        for_ui(messages, normalize_for_ui)
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        for_ui(messages, reorder_for_ui)
    }

    fn fold(&self, messages: &str, folding: Folding) -> Outcome<String> {
        let fold = match folding {
            Folding::Group => group_tool_uses,
            Folding::Collapse => collapse_read_search,
        };
        for_ui(messages, fold)
    }

    fn unfold(&self, messages: &str) -> Outcome<String> {
        for_ui(messages, ungroup)
    }

    fn bridge(&self, messages: &str) -> Outcome<String> {
        for_ui(messages, bridge_view)
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        outcome(|| id::derive_uuid(parent, index))
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        outcome(|| id::short_id(uuid))
    }

    fn record(&self, file: &[u8], session: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        let mut recorder = going_on(MemoryDisk::new(file.to_vec()), session);
        let answer = |step| {
            let tip = take_step(&mut recorder, session, step);
            RecordAnswer::new(tip, recorder.disk().bytes().to_vec())
        };
        Outcome::Output(steps.iter().map(answer).collect())
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        resume(file)
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        accumulate::accumulate(items)
    }

    fn check_request(&self, request: &str, host: Host) -> Outcome<Vec<Refusal>> {
        let violations = match violations(request, host) {
            Ok(violations) => violations,
            Err(error) => return Outcome::Output(vec![Refusal { turn: None, error: error.to_string() }]),
        };
        let errors = violations.iter().filter(|(rule, violation)| rule.severity_of(violation) == Severity::Error);
        let refusal = |(_, violation): &(_, Violation)| Refusal {
            turn: match violation.place {
                Place::Message { index, .. } => Some(u64::from(index)),
                _ => None,
            },
            error: violation.error.clone().unwrap_or_else(|| violation.found.to_string()),
        };
        Outcome::Output(errors.map(refusal).collect())
    }

    fn check_response(&self, response: &str) -> Outcome<Vec<ResponseRefusal>> {
        let violations = match reply_violations(response) {
            Ok(violations) => violations,
            Err(error) => return Outcome::Output(vec![ResponseRefusal { event: None, error: error.to_string() }]),
        };
        let errors = violations.iter().filter(|(rule, violation)| rule.severity_of(violation) == Severity::Error);
        let refusal = |(_, violation): &(_, Violation)| ResponseRefusal {
            event: match violation.place {
                Place::Event { number, .. } => number.checked_sub(1).map(u64::from),
                _ => None,
            },
            error: violation.found.to_string(),
        };
        Outcome::Output(errors.map(refusal).collect())
    }

    fn make(&self, call: &FactoryCall) -> Outcome<Vec<MadeMessage>> {
        outcome(|| make::make(call))
    }

    fn usage(&self, files: &[Vec<u8>]) -> Outcome<Vec<UsageRow>> {
        outcome(|| usage_by_reply(files.iter().map(Vec::as_slice)))
    }

    fn repair(&self, file: &[u8]) -> Outcome<RepairedFile> {
        let transcript = Transcript::from_bytes(file.to_vec());
        // Cases are made with other seeds, so the ids that are added are new.
        outcome(|| repair(&transcript, &RepairOptions::default(), &mut FixedContext::new(22)).map(repaired))
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        let inputs = || serde_json::from_str::<Vec<Input>>(inputs);
        outcome(|| inputs().map(|inputs| engine::play(&inputs, FixedContext::new(7), engine::Options::default())))
    }
}

fn for_request(options: &RequestOptions) -> Options {
    Options { context: options.context.clone(), ..Options::default() }
}

/// Gives the messages of a list to `show`, without the events that are no messages.
fn for_ui(messages: &str, show: fn(Vec<Message>) -> Vec<Message>) -> Outcome<String> {
    outcome(|| -> serde_json::Result<_> {
        let messages = Event::read_list(messages)?.into_iter().filter_map(Event::into_message);
        Ok(written(&show(messages.collect())))
    })
}

/// A JSON array of messages or events.
fn written<'a, T: Typed + 'a>(list: impl IntoIterator<Item = &'a T>) -> String {
    let mut json = String::with_capacity(4096);
    json.push('[');
    for one in list {
        if json.len() > 1 {
            json.push(',');
        }
        one.write_to(&mut json);
    }
    json.push(']');
    json
}

/// The output, or why the input cannot be read.
fn outcome<T, E: ToString>(work: impl FnOnce() -> Result<T, E>) -> Outcome<T> {
    work().map_or_else(|error| Outcome::Rejected(error.to_string()), Outcome::Output)
}

fn note(parsed: &mut Parsed, found: &Found<'_>) {
    match found {
        Found::Record(record) => parsed.records.push(ParsedRecord {
            start: record.start,
            end: record.end(),
            kind: record.head.type_name.map(|span| record.text(span).into_owned()),
            uuid: record.uuid().map(|uuid| uuid.into_owned()),
            written: record.bytes.to_vec(),
        }),
        &Found::Blank { start, end } => parsed.blank.push((start, end)),
        &Found::Rejected { start, end, reason } => {
            parsed.rejected.push(Rejected { start, end, reason: reason.name().to_owned() });
        }
        Found::Defect(defect) => {
            let report = Report { rule: defect.kind.rule().to_owned(), start: defect.start, end: defect.end };
            parsed.reports.get_or_insert_default().push(report);
        }
    }
}

fn repaired(repair: Repair) -> RepairedFile {
    let change = |Change { line, rule, what, before, after }: Change| RepairChange {
        line,
        rule: rule.to_owned(),
        what,
        before,
        after,
    };
    let removed = |Removed { line, rule, reason, bytes }: Removed| RemovedPiece {
        line,
        rule: Some(rule.to_owned()),
        reason,
        bytes,
    };
    RepairedFile {
        bytes: repair.bytes,
        changes: Some(repair.changes.into_iter().map(change).collect()),
        removed: Some(repair.removed.into_iter().map(removed).collect()),
    }
}

/// A recorder that knows what the file holds.
fn going_on(disk: MemoryDisk, session: &str) -> Recorder<MemoryDisk> {
    // Bytes in memory can always be read.
    let held = Held::read(disk.bytes()).unwrap_or_default();
    Recorder::resumed(disk, RecorderOptions::new(session), held.uuids, held.last)
}

/// The tip after a list; what went wrong otherwise.
fn take_step(recorder: &mut Recorder<MemoryDisk>, session: &str, step: &RecordStep) -> Result<Option<String>, String> {
    match step {
        RecordStep::List(list) => return tip(list, |list| recorder.record(list)),
        RecordStep::ListBeforeRequest(list) => return tip(list, |list| recorder.before_request(list)),
        RecordStep::Flush => {
            recorder.flush().map_err(|error| error.to_string())?;
        }
        RecordStep::DiskTakes(bytes) => recorder.disk_mut().takes(*bytes),
        RecordStep::OtherWriter(bytes) => recorder.disk_mut().other_writer(bytes),
        RecordStep::Hints(hints) => recorder.hint(read_hints(hints)),
        RecordStep::Restart => *recorder = going_on(std::mem::take(recorder.disk_mut()), session),
    }
    Ok(None)
}

fn read_hints(hints: &operation::RecordHints) -> RecordHints {
    RecordHints {
        starting_parent: hints.starting_parent.as_deref().map(Text::from),
        team: hints.team.as_ref().map(|team| TeamInfo {
            team_name: team.team_name.as_str().into(),
            agent_name: team.agent_name.as_str().into(),
        }),
    }
}

fn tip(
    list: &List,
    record: impl FnOnce(&[Event]) -> Result<Option<Text>, RecordError>,
) -> Result<Option<String>, String> {
    let list = Event::read_list(list).map_err(|error| error.to_string())?;
    let tip = record(&list).map_err(|error| error.to_string())?;
    Ok(tip.map(|uuid| uuid.as_str().to_owned()))
}

/// Finds the main conversation as it is found in a file on disk: in two passes.
fn resume(file: &[u8]) -> Outcome<Option<Conversation>> {
    let resume = match resume_file(file, &ResumeOptions::default()) {
        Ok(Ok(resume)) => resume,
        Ok(Err(_)) => return Outcome::Output(None),
        Err(error) => return Outcome::Rejected(error.to_string()),
    };
    let mut records = Vec::with_capacity(resume.places.len());
    let mut scanner = Scanner::default();
    for place in &resume.places {
        let bytes = file[place.start as usize..place.end as usize].to_vec();
        let mut uuid = String::new();
        let line = Line { number: place.line, offset: place.start, bytes: &bytes, terminated: true };
        scanner.line(&line, &mut |found| {
            if let Found::Record(record) = found {
                uuid = record.uuid().unwrap_or_default().into_owned();
            }
        });
        records.push(ConversationRecord { uuid, bytes });
    }
    let notes = resume.notes.iter().map(ToString::to_string).collect();
    Outcome::Output(Some(Conversation { records, notes }))
}
