//! A resume is *total*: it answers for every file, with records of that file.

use std::collections::HashMap;

use crate::operation::{ConversationRecord, ResumeAnswer};
use crate::rules::{Judge, Place, ResumeEvidence, RuleEntry, Verdict, Violation};

pub(super) const TOTAL: RuleEntry = rule!("resume/total", Error, Judge::Resume(total));

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
            break_with("a conversation".to_owned(), "no conversation: there is no user or assistant record for it");
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
