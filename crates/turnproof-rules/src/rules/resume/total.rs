//! A resume is *total*: it answers for every file, with records of that file.

use std::collections::HashMap;

use crate::operation::{ConversationRecord, ResumeAnswer};
use crate::rules::{Applies, Report, ResumeEvidence, refusal};

pub(super) fn total(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    if case.again.as_ref().is_some_and(|again| records(again) != records(&case.answer)) {
        report.whole("not-deterministic", "asked again, the answer is another one", "the same answer each time");
    }
    let right = case.right();
    match &case.answer {
        Err(why) => report.whole("refused", refusal(why), "a conversation, or that there is none"),
        Ok(None) if !right.order.is_empty() => {
            let found = sentence!("no conversation, of {count} records", count = right.order.len());
            report.whole("no-conversation", found, "a conversation");
        }
        Ok(Some(_)) if right.order.is_empty() => {
            let expected = "no conversation: there is no user or assistant record for it";
            report.whole("extra-conversation", "a conversation", expected);
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
                    let found = sentence!("record {index}, `{uuid}`, is not in the file", index, uuid);
                    let expected = "whole records of the file, byte for byte, each under its own uuid";
                    report.whole("not-in-file", found, expected);
                }
                let same = earlier.entry(uuid).or_default();
                if same.contains(&bytes) {
                    report.whole("twice", sentence!("`{uuid}` comes back twice", uuid), "each record once");
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
