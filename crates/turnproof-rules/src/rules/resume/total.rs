//! A resume is *total*: it answers for every file, with records of that file.

use std::collections::HashMap;

use crate::operation::{ConversationRecord, ResumeAnswer};
use crate::rules::{Applies, Report, ResumeEvidence, refusal};

pub(super) fn total(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    if case.again.as_ref().is_some_and(|again| records(again) != records(&case.answer)) {
        report.old_whole("asked again, the answer is another one", "the same answer each time");
    }
    let right = case.right();
    match &case.answer {
        Err(why) => report.old_whole(refusal(why).to_string(), "a conversation, or that there is none"),
        Ok(None) if !right.order.is_empty() => {
            report.old_whole(format!("no conversation, of {} records", right.order.len()), "a conversation");
        }
        Ok(Some(_)) if right.order.is_empty() => {
            report.old_whole("a conversation", "no conversation: there is no user or assistant record for it");
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
                    report.old_whole(found, "whole records of the file, byte for byte, each under its own uuid");
                }
                let same = earlier.entry(uuid).or_default();
                if same.contains(&bytes) {
                    report.old_whole(format!("`{uuid}` comes back twice"), "each record once");
                }
                same.push(bytes);
            }
        }
    }
    Ok(())
}

/// An answer without its notes.
fn records(answer: &ResumeAnswer) -> Result<Option<&[ConversationRecord]>, &str> {
    match answer {
        Ok(conversation) => Ok(conversation.as_ref().map(|conversation| conversation.records.as_slice())),
        Err(why) => Err(why),
    }
}
