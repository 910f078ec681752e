//! *Marks* are words that stand once in a session. What `turnproof resume` brings back of them must be in a request.

use serde_json::Value;
use turnproof_reference::transcript::resume::{ResumeOptions, resume_file};

/// What the words of a mark begin with.
pub(super) const MARK: &str = "MARK-";

/// What a mark is of.
pub(super) const PROMPT_MARK: &str = "a prompt";
pub(super) const REPLY_MARK: &str = "a reply";
const RESULT_MARK: &str = "a result";

/// What comes back of a session.
pub(super) struct Back {
    /// How many records.
    pub(super) messages: usize,
    /// The marks in them, each with what it is of: a prompt, a reply or a result.
    pub(super) marks: Vec<(&'static str, String)>,
}

/// What comes back of a session.
pub(super) fn comes_back(bytes: &[u8]) -> Back {
    let places = resume_file(bytes, &ResumeOptions::default()).ok().and_then(Result::ok);
    let places = places.map(|resumed| resumed.places).unwrap_or_default();
    let record = |start: u64, end: u64| {
        let line = bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
        serde_json::from_slice::<Value>(line).ok()
    };
    let records: Vec<Value> = places.iter().filter_map(|place| record(place.start, place.end)).collect();
    let mut marks = Vec::new();
    let (mut is_prompted, mut called) = (false, Vec::new());
    for record in &records {
        let content = record.get("message").and_then(|message| message.get("content")).unwrap_or(&Value::Null);
        let kind = kind(record, content);
        is_prompted |= kind == PROMPT_MARK;
        called.extend(ids(content, "tool_use", "id"));
        // Nothing that a request cannot have is missed: a reply to nobody, the result of no call.
        let answers = ids(content, "tool_result", "tool_use_id");
        if is_prompted && answers.iter().all(|id| called.contains(id)) {
            marks.extend(marks_in(&content.to_string()).into_iter().map(|mark| (kind, mark)));
        }
    }
    Back { messages: records.len(), marks }
}

/// The ids of the blocks of a type.
fn ids(content: &Value, kind: &str, member: &str) -> Vec<String> {
    let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
    let of_kind = blocks.iter().filter(|block| block.get("type").and_then(Value::as_str) == Some(kind));
    of_kind.filter_map(|block| Some(block.get(member)?.as_str()?.to_owned())).collect()
}

fn kind(record: &Value, content: &Value) -> &'static str {
    let is_result = |block: &Value| block.get("type").and_then(Value::as_str) == Some("tool_result");
    let has_result = content.as_array().is_some_and(|blocks| blocks.iter().any(is_result));
    match (record.get("type").and_then(Value::as_str), has_result) {
        (Some("assistant"), _) => REPLY_MARK,
        (_, true) => RESULT_MARK,
        _ => PROMPT_MARK,
    }
}

/// The marks in a text.
fn marks_in(text: &str) -> Vec<String> {
    let of = |(at, _): (usize, &str)| {
        let rest = &text[at + MARK.len()..];
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        (digits > 0).then(|| format!("{MARK}{}", &rest[..digits]))
    };
    text.match_indices(MARK).filter_map(of).collect()
}

/// The marks that no request has, by what they are of.
pub(super) fn lost<'a>(back: &'a Back, sent: &[String]) -> Vec<(&'static str, Vec<&'a str>)> {
    let sent: Vec<Vec<String>> = sent.iter().map(|text| marks_in(text)).collect();
    let mut lost: Vec<(&str, Vec<&str>)> = Vec::new();
    for (kind, mark) in &back.marks {
        if sent.iter().any(|marks| marks.contains(mark)) {
            continue;
        }
        match lost.iter_mut().find(|(known, _)| known == kind) {
            Some((_, marks)) => marks.push(mark),
            None => lost.push((kind, vec![mark])),
        }
    }
    lost
}
