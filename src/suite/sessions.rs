//! *Sessions*: what a subject records, resumes, makes of streams, and plays.

use crate::message::Event;
use crate::operation::{
    Accumulated, Continued, Played, RecordStep, Recorded, ResumeAnswer, Resumed, StreamItem, Streamed,
};
use crate::scenario::{Case, Profile};
use crate::subject::{Outcome, Subject};

use super::depth::Depth;
use super::recut::cut_otherwise;

/// The session of recorded lists.
const SESSION: &str = "5e550000-0000-4000-8000-000000000001";

/// In how many places a file is cut.
const CUTS: usize = 6;

/// In how many of them in a sample.
const SAMPLED_CUTS: usize = 2;

/// How many sorts of further questions there are about a resume.
const SORTS: u64 = 4;

/// A message that is recorded after a resume: a user's.
const MORE: &str = r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000001","timestamp":"2026-01-02T00:00:00.000Z","message":{"role":"user","content":"more"}}"#;

/// And the answer.
const MORE_STILL: &str = r#"{"type":"assistant","uuid":"99999999-0000-4000-8000-000000000002","timestamp":"2026-01-02T00:00:01.000Z","message":{"id":"msg_more","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"indeed"}],"stop_reason":"end_turn","stop_sequence":null}}"#;

const ADDED: [&str; 2] = ["99999999-0000-4000-8000-000000000001", "99999999-0000-4000-8000-000000000002"];

/// What a list may end with: a notice as old clients wrote it, without a subtype; a boundary that does not say
/// what came before it, and its summary.
const COMPACTED: [&str; 3] = [
    r#"{"type":"system","uuid":"99999999-0000-4000-8000-000000000003","timestamp":"2026-01-02T00:00:00.000Z","content":"a","level":"info"}"#,
    r#"{"type":"system","subtype":"compact_boundary","uuid":"99999999-0000-4000-8000-000000000004","timestamp":"2026-01-02T00:00:00.000Z","content":"Conversation compacted","compactMetadata":{"trigger":"manual","preTokens":1000}}"#,
    r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000005","timestamp":"2026-01-02T00:00:00.000Z","isCompactSummary":true,"message":{"role":"user","content":"What happened so far"}}"#,
];

/// What a subject writes of the lists of a scenario.
pub(super) fn record(subject: &dyn Subject, case: &Case<'_>, depth: Depth) -> Option<Vec<Recorded>> {
    let (before, session, steps) = match case.scenario().profile {
        Profile::Causal => {
            let session = case.scenario().engine_options().session;
            (Vec::new(), session, case.recording().to_vec())
        }
        _ => {
            let before = if case.scenario().context { case.transcript().to_vec() } else { Vec::new() };
            (before, SESSION.to_owned(), lists(case))
        }
    };
    let ask = || subject.record(&before, &session, &steps).into_answer();
    let (answers, again) = (ask()?, depth.asks(0, 2).then(ask).flatten());
    Some(vec![Recorded { before, session, steps, answers, again }])
}

/// The messages of a plan as lists that grow, with a disk that fails and a process that dies.
fn lists(case: &Case<'_>) -> Vec<RecordStep> {
    let mut messages = case.messages().to_vec();
    let choice = case.scenario().indexes.first().copied().unwrap_or_default();
    if choice % 3 == 1 {
        messages.extend(COMPACTED.map(str::to_owned));
    }
    let first = |count: usize| format!("[{}]", messages[..count].join(","));
    let half = messages.len() / 2;
    let mut steps = vec![RecordStep::List(first(half)), RecordStep::Flush];
    if choice % 3 == 0 {
        steps.push(RecordStep::OtherWriter(br#"{"type":"tag","tag":"torn"#.to_vec()));
    }
    steps.push(RecordStep::List(first(messages.len())));
    if choice % 4 == 0 {
        steps.extend([RecordStep::DiskTakes(Some(choice % 400)), RecordStep::Flush]);
        steps.push(RecordStep::DiskTakes(None));
    }
    if choice % 5 == 0 {
        steps.push(RecordStep::Restart);
    }
    steps.extend([RecordStep::ListBeforeRequest(first(messages.len())), RecordStep::Flush]);
    steps
}

/// What a subject finds in the transcripts of a scenario.
pub(super) fn resume(subject: &dyn Subject, case: &Case<'_>, depth: Depth) -> Option<Vec<Resumed>> {
    let mut first = resume_file(subject, case.transcript().to_vec(), depth)?;
    // Where links are random a next message may hang on a record from beside the chain, and so change the
    // chain itself: going on is asked of files as recorders write them, cut anywhere.
    if case.scenario().profile == Profile::Causal && depth.asks(2, SORTS) {
        let cuts = first.cuts.iter().step_by(3);
        first.continued = cuts.filter_map(|&(cut, _)| go_on(subject, &first.file, cut)).collect();
    }
    let mut resumed = vec![first];
    if case.scenario().profile == Profile::Causal && depth.asks_once_in(2) && depth.asks(3, SORTS) {
        resumed.extend(plainly_recorded(subject, case));
    }
    Some(resumed)
}

fn ask(subject: &dyn Subject, file: &[u8]) -> Option<ResumeAnswer> {
    subject.resume(file).into_answer()
}

fn resume_file(subject: &dyn Subject, file: Vec<u8>, depth: Depth) -> Option<Resumed> {
    let answer = ask(subject, &file)?;
    let again = depth.asks(0, SORTS).then(|| ask(subject, &file)).flatten();
    let cuts_it = depth.asks(1, SORTS) || depth.asks(2, SORTS);
    let places = if cuts_it { cuts(&file) } else { Vec::new() };
    let asked = &places[depth.asked(places.len(), SAMPLED_CUTS)];
    let answers = asked.iter().filter_map(|&cut| Some((cut, ask(subject, &file[..cut as usize])?)));
    let cuts = answers.collect();
    Some(Resumed { file, answer, again, cuts, continued: Vec::new(), recorded: None })
}

/// Where a file is cut: spread over it, and around the ends of lines.
fn cuts(file: &[u8]) -> Vec<u64> {
    let ends: Vec<usize> = (0..file.len()).filter(|&at| file[at] == b'\n').collect();
    let spread = (1..CUTS).map(|part| file.len() * part / CUTS);
    let around = ends.iter().skip(ends.len() / 2).take(1).flat_map(|&end| [end, end + 1]);
    let mut cuts: Vec<u64> = spread.chain(around).map(|cut| cut.min(file.len()) as u64).collect();
    cuts.push(file.len() as u64);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Records two messages after what a subject resumes of a file that is cut before byte `cut`, and resumes again.
///
/// None where the subject does not do that, where a record of the conversation is no message, and where the file
/// ends before `cut`.
pub fn go_on(subject: &dyn Subject, file: &[u8], cut: u64) -> Option<Continued> {
    let cut_file = file.get(..usize::try_from(cut).ok()?)?;
    let before = ask(subject, cut_file)?;
    let conversation = match &before {
        Ok(Some(conversation)) => conversation.records.as_slice(),
        _ => &[],
    };
    let records = conversation.iter().map(|record| String::from_utf8_lossy(&record.bytes).into_owned());
    // A record with a known field of a wrong type is no message that could be in a list.
    let is_message = |json: &String| serde_json::from_str::<Event>(json).is_ok();
    let mut list: Vec<String> = records.filter(is_message).collect();
    if list.len() < conversation.len() {
        return None;
    }
    list.extend([MORE.to_owned(), MORE_STILL.to_owned()]);
    let step = RecordStep::ListBeforeRequest(format!("[{}]", list.join(",")));
    let written = match subject.record(cut_file, SESSION, &[step]) {
        Outcome::Output(answers) => match answers.into_iter().next() {
            Some(answer) => answer.tip.map(|_| answer.file),
            None => Err("no answer to the step".to_owned()),
        },
        Outcome::Rejected(why) => Err(why),
        Outcome::Unsupported => return None,
    };
    let after = match &written {
        Ok(file) => ask(subject, file)?,
        Err(_) => Ok(None),
    };
    let added = ADDED.map(str::to_owned).to_vec();
    Some(Continued { cut, before, added, file: written, after })
}

/// A conversation recorded in one piece, and resumed; when it is one that must come back whole.
fn plainly_recorded(subject: &dyn Subject, case: &Case<'_>) -> Option<Resumed> {
    let list = case.engine().messages();
    let uuids = whole_conversation(list)?;
    let json = serde_json::to_string(list).ok()?;
    let steps = [RecordStep::List(json), RecordStep::Flush];
    let session = case.scenario().engine_options().session;
    let Outcome::Output(answers) = subject.record(b"", &session, &steps) else { return None };
    let file = answers.into_iter().last()?.file;
    let answer = ask(subject, &file)?;
    Some(Resumed {
        file,
        answer,
        again: None,
        cuts: Vec::new(),
        continued: Vec::new(),
        recorded: Some(uuids),
    })
}

/// The uuids of a list that comes back in its own order: it has a speaker and no boundary, and no reply goes on
/// after a result of it.
fn whole_conversation(list: &[Event]) -> Option<Vec<String>> {
    let messages: Vec<_> = list
        .iter()
        .filter_map(|event| if let Event::Message(message) = event { Some(message) } else { None })
        .collect();
    if messages.iter().any(|message| message.is_compact_boundary()) {
        return None;
    }
    let mut last_reply = None;
    let mut had_result = false;
    for message in &messages {
        if let crate::message::Message::Assistant(line) = message {
            if last_reply == line.reply_id() && had_result {
                return None;
            }
            had_result &= last_reply == line.reply_id();
            last_reply = line.reply_id();
        }
        had_result |= message.is_tool_result();
    }
    let written = messages.iter().filter(|message| message.is_chain_participant() && !message.is_virtual());
    let uuids: Vec<String> = written.filter_map(|message| message.uuid()).map(str::to_owned).collect();
    let speaks = messages.iter().any(|message| {
        matches!(message, crate::message::Message::User(_) | crate::message::Message::Assistant(_))
    });
    speaks.then_some(uuids)
}

/// What a subject makes of the streams of a scenario.
pub(super) fn accumulate(subject: &dyn Subject, case: &Case<'_>, depth: Depth) -> Option<Vec<Accumulated>> {
    case.streams().iter().map(|items| accumulate_one(subject, items.clone(), depth)).collect()
}

fn accumulate_one(subject: &dyn Subject, items: Vec<StreamItem>, depth: Depth) -> Option<Accumulated> {
    let ask = |items: &[StreamItem]| {
        Some(subject.accumulate(items).into_answer()?.and_then(|text| Streamed::read(&text)))
    };
    let output = ask(&items)?;
    let again = depth.asks(0, 2).then(|| ask(&items)).flatten();
    let cuts_it = depth.asks_once_in(2) && depth.asks(1, 2);
    let cut_otherwise = cuts_it.then(|| ask(&cut_otherwise(&items))).flatten();
    Some(Accumulated { items, output, cut_otherwise, again })
}

/// The log of a subject's loop.
pub(super) fn play(subject: &dyn Subject, case: &Case<'_>, depth: Depth) -> Option<Result<Played, String>> {
    let json = match serde_json::to_string(case.inputs()) {
        Ok(json) => json,
        Err(error) => return Some(Err(error.to_string())),
    };
    let ask = || subject.play(&json).into_answer();
    let mut played = ask()?;
    if let Ok(played) = &mut played
        && depth.asks(0, 2)
    {
        played.again = ask().map(|again| again.map(Box::new));
    }
    Some(played)
}
