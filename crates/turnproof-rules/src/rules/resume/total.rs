//! A resume is *total*: it answers for every file, with records of that file.

use std::collections::HashMap;

use crate::operation::{ConversationRecord, ResumeAnswer};
use crate::rules::{Judge, Place, ResumeEvidence, Rule, Severity, Verdict, Violation};

pub(super) const TOTAL: Rule = Rule {
    id: "resume/total",
    title: "every file has an answer, the same each time, made of whole records of the file, none twice",
    severity: Severity::Error,
    doc: "\
Whatever is in a file, a resume ends with one of two answers: the conversation, or that there is none. There \
is one exactly when the file holds a user or assistant record that is neither a subagent's nor withdrawn; a \
file of metadata alone has none, and a file whose first line is a link to a pull request has one all the \
same.

The conversation is made of records of the file, each byte for byte and none twice. Parents may run in a \
circle, name themselves, be numbers or lists: in the field each of these made a client hang, overflow its \
stack or show an empty session. Bytes of a torn line must never be glued to the next one and come back as a \
record that nobody wrote. Asked again, the answer is the same.",
    example: concat!(
        r#"{"file":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":\"u2\"}\n"#,
        r#"{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":\"u1\"}\n","answer":{"Ok":null}}"#,
    )
    .as_bytes(),
    remedy: "Walk with a guard against circles, read parents of any type, and start at the last user or \
assistant record when no other start is left. Hand the bytes of records through as they are.",
    sources: &[
        "spec 3.3",
        "anthropics/claude-code#20992",
        "anthropics/claude-code#62851",
        "anthropics/claude-code#41616",
        "anthropics/claude-code#45753",
        "anthropics/claude-code#2168",
        "anthropics/claude-code CHANGELOG 2.1.30, 2.1.108, 2.1.187",
        "field cases 2.3",
    ],
    judge: Judge::Resume(total),
};

fn total(case: &ResumeEvidence<'_>) -> Verdict {
    let mut violations = Vec::new();
    let mut break_with = |found: String, expected: &str| {
        violations.push(Violation::new(TOTAL.id, Place::Whole, found, expected));
    };
    if let Some(again) = &case.again
        && records(again) != records(&case.answer)
    {
        break_with("asked again, the answer is another one".to_owned(), "the same answer each time");
    }
    let right = case.right();
    match &case.answer {
        Err(why) => break_with(format!("there is no answer: {why}"), "a conversation, or that there is none"),
        Ok(None) if !right.order.is_empty() => {
            break_with(format!("no conversation, of {} records", right.order.len()), "a conversation");
        }
        Ok(Some(_)) if right.order.is_empty() => {
            break_with(
                "a conversation".to_owned(),
                "no conversation: there is no user or assistant record for it",
            );
        }
        Ok(None) => {}
        Ok(Some(conversation)) => {
            // Few records share a uuid, so bytes are compared with few others.
            let mut whole: HashMap<&str, Vec<&[u8]>> = HashMap::new();
            for record in &right.records {
                let Some(uuid) = record.uuid.as_deref() else { continue };
                whole.entry(uuid).or_default().push(&case.file[record.start..record.end]);
            }
            let mut earlier: HashMap<&str, Vec<&[u8]>> = HashMap::new();
            for (index, returned) in conversation.records.iter().enumerate() {
                let (uuid, bytes) = (returned.uuid.as_str(), returned.bytes.as_slice());
                if !whole.get(uuid).is_some_and(|same| same.contains(&bytes)) {
                    let found = format!("record {index}, `{uuid}`, is not in the file");
                    break_with(found, "whole records of the file, byte for byte, each under its own uuid");
                }
                let same = earlier.entry(uuid).or_default();
                if same.contains(&bytes) {
                    break_with(format!("`{uuid}` comes back twice"), "each record once");
                }
                same.push(bytes);
            }
        }
    }
    Verdict::from_violations(violations)
}

/// An answer without its notes.
fn records(answer: &ResumeAnswer) -> Result<Option<&[ConversationRecord]>, &str> {
    match answer {
        Ok(conversation) => Ok(conversation.as_ref().map(|conversation| conversation.records.as_slice())),
        Err(why) => Err(why),
    }
}
