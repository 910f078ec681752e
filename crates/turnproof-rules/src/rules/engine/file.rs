//! The *file* holds what was yielded: each message as it was, and nothing else.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::NOT_WHOLE;
use super::live::is_persisted;
use super::reported::UNKNOWN;
use crate::operation::Moment;
use crate::rules::alike::alike;
use crate::rules::value::{is_true, kind, uuid};
use crate::rules::{Applies, PlayEvidence, Report, applies};

/// Members that the recorder gives a line.
const LINKS: [&str; 3] = ["parentUuid", "logicalParentUuid", "sessionId"];

pub(super) fn file_as_yielded(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    applies(case.whole, NOT_WHOLE)?;
    let log = Known::read(&case.moments);
    let records: Vec<&Value> = case.file_records().iter().map(|record| &record.value).collect();
    let mut judged = 0;
    for record in records.iter().filter(|record| !is_true(record, "isSidechain")) {
        if kind(record) == "progress" {
            report.whole("progress", "the file holds a line of progress", "no progress: it lives in memory");
        }
        let Some(uuid) = uuid(record).filter(|_| is_persisted(record)) else { continue };
        judged += 1;
        match log.versions.get(uuid) {
            Some(versions) if versions.is_empty() => {}
            Some(versions) => {
                let differs: Vec<&str> = versions.iter().filter_map(|version| difference(version, record)).collect();
                if let (true, Some(name)) = (differs.len() == versions.len(), differs.last()) {
                    let found =
                        sentence!("the line of {uuid:?} has another `{name}` than was yielded", uuid, name = *name);
                    report.whole("changed", found, "the same");
                }
            }
            None => {
                let kind = kind(record);
                let found =
                    sentence!("the file holds {uuid:?}, a message of kind {kind:?} that was never yielded", uuid, kind);
                report.whole("extra", found, "lines of what was yielded");
            }
        }
    }
    let there: HashSet<&str> = records.iter().filter_map(|record| uuid(record)).collect();
    let missing = log.sent.iter().filter(|message| uuid(message).is_some_and(|uuid| !there.contains(uuid)));
    for message in missing {
        judged += 1;
        let (uuid, kind) = (uuid(message).unwrap_or_default(), kind(message));
        let found = sentence!("{uuid:?} of kind {kind:?} is not in the file", uuid, kind);
        report.whole("missing", found, "a line of each message that a request was made of");
    }
    applies(judged > 0, "nothing was written, and nothing had to be")
}

/// What a log says about messages.
#[derive(Default)]
struct Known<'a> {
    /// The messages by uuid, each as it was first and at last; nothing for what came back from a file.
    versions: HashMap<&'a str, Vec<&'a Value>>,
    /// The messages that requests were made of, each once, since the session went on in this file.
    sent: Vec<&'a Value>,
}

impl<'a> Known<'a> {
    fn read(moments: &'a [Moment]) -> Self {
        let mut known = Self::default();
        let mut sent: HashSet<&str> = HashSet::new();
        for moment in moments {
            match moment {
                Moment::Yielded(event) | Moment::Amended(event) => {
                    let uuid = uuid(&event.value).filter(|_| is_persisted(&&event.value));
                    uuid.into_iter().for_each(|uuid| known.versions.entry(uuid).or_default().push(&event.value));
                }
                Moment::Requested { messages, .. } => {
                    for message in messages.elements() {
                        let is_written = is_persisted(&message) && !is_true(message, "isVirtual");
                        if is_written && uuid(message).is_some_and(|uuid| sent.insert(uuid)) {
                            known.sent.push(message);
                        }
                    }
                }
                // Only what starts a request is waited for; the rest may be lost.
                Moment::Crashed { .. } => known.sent.retain(|message| kind(message) == "user"),
                Moment::Forked(list) | Moment::Resumed(list) => {
                    if matches!(moment, Moment::Forked(_)) {
                        known.sent.clear();
                        sent.clear();
                    }
                    let back = list.elements().iter().filter_map(uuid);
                    back.for_each(|uuid| _ = known.versions.entry(uuid).or_default());
                }
                _ => {}
            }
        }
        known
    }
}

/// Whether two times are the same one, in UTC, with more digits or fewer.
fn is_same_time(one: &Value, other: &Value) -> bool {
    let plain = |time: &Value| -> Option<String> {
        let (second, part) = time.as_str()?.strip_suffix('Z')?.split_once('.')?;
        Some(format!("{second}.{}", part.trim_end_matches('0')))
    };
    plain(one).is_some_and(|time| Some(time) == plain(other))
}

/// The first member of a message that its line does not have as it was.
fn difference<'a>(message: &'a Value, record: &Value) -> Option<&'a str> {
    let members = message.as_object()?;
    let is_same = |name: &str, value: &Value| match record.get(name) {
        Some(written) => alike(written, value) || name == "timestamp" && is_same_time(written, value),
        None => value.is_null(),
    };
    let mut kept = members.iter().filter(|(name, _)| !LINKS.contains(&name.as_str()));
    kept.find(|(name, value)| !is_same(name, value)).map(|(name, _)| name.as_str())
}
