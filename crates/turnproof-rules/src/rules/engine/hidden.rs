//! What is *virtual* says so, and lives in memory alone: it is in no request and in no file.

use std::collections::HashSet;

use crate::json::Value;

use super::details::{About, judge, virtual_words};
use crate::operation::Moment;
use crate::rules::value::{blocks, content, is_true, list, text_of, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

pub(super) fn virtual_stays_out(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut uuids: HashSet<&str> = HashSet::new();
    let mut words: HashSet<&str> = HashSet::new();
    let mut others: HashSet<&str> = HashSet::new();
    for moment in &case.moments {
        match moment {
            Moment::Yielded(event) if is_true(&event.value, "isVirtual") => {
                uuids.extend(uuid(&event.value));
                words.extend(virtual_words(&event.value));
            }
            Moment::Yielded(event) => others.extend(texts(&event.value)),
            _ => {}
        }
    }
    words.retain(|words| !others.iter().any(|other| other.contains(words)));
    let mut judged = 0;
    for (at, moment) in case.moments.iter().enumerate().filter(|_| !words.is_empty()) {
        let Moment::Requested { turns, .. } = moment else { continue };
        judged += 1;
        let said = turns.elements().iter().flat_map(|turn| list(turn, "content")).filter_map(text_of);
        for words in said.filter_map(|said| words.iter().find(|words| said.contains(**words))) {
            let found = sentence!("a request says {words:?}, which is virtual", words = *words);
            report.add(Place::message(at), "sent", found, "nothing of it");
        }
    }
    for record in case.file_records().iter().map(|record| &record.value) {
        let uuid = uuid(record).filter(|uuid| uuids.contains(uuid) || is_true(record, "isVirtual"));
        if let Some(uuid) = uuid {
            judged += 1;
            let found = sentence!("the file holds {uuid:?}, which is virtual", uuid);
            report.whole("written", found, "no line of it");
        }
    }
    judged += judge(case, &[About::Virtual], report);
    applies(judged + uuids.len() > 0, "nothing is virtual")
}

fn texts(message: &Value) -> impl Iterator<Item = &str> {
    let whole = content(message).and_then(Value::as_str);
    whole.into_iter().chain(blocks(message).iter().filter_map(text_of))
}
