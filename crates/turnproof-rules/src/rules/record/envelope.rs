//! The *envelope*: what a message says of where it comes from stays as it is on its line.

use crate::json::Value;

use super::lines::WrittenLine;
use super::model::Entry;
use crate::rules::{Applies, RecordEvidence, Report, applies};

/// The members of the envelope that are texts.
const TEXTS: [&str; 5] = ["cwd", "version", "gitBranch", "userType", "agentId"];

const SIDECHAIN: &str = "isSidechain";

pub(super) fn envelope(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let model = case.model()?;
    let mut judged = 0;
    for (line, entry) in model.with_entries() {
        judged += 1;
        for name in TEXTS {
            kept(name, Value::is_string, line, entry, report);
        }
        kept(SIDECHAIN, Value::is_boolean, line, entry, report);
        let is_given = entry.versions.iter().any(|(_, given)| given.value.get(SIDECHAIN).is_some());
        if !is_given && line.value.get(SIDECHAIN) == Some(&Value::Bool(true)) {
            let found = sentence!("the line of {uuid:?} is of a subagent", uuid = &entry.uuid);
            report.add(line.place(), "extra-sidechain", found, "a line of the conversation, as its message is");
        }
    }
    applies(judged > 0, "nothing new is written")
}

/// Reports a member that each version of the message has, and the line has otherwise or not at all. What is null or of
/// a wrong type is none, and then the recorder's own may take its place.
fn kept(name: &'static str, fits: fn(&Value) -> bool, line: &WrittenLine, entry: &Entry, report: &mut Report<'_>) {
    let versions = entry.versions.iter().filter(|(step, _)| *step <= line.step);
    let given: Option<Vec<&Value>> =
        versions.map(|(_, given)| given.value.get(name).filter(|value| fits(value))).collect();
    let found = line.value.get(name);
    if let Some([first, rest @ ..]) = given.as_deref()
        && found != Some(first)
        && !rest.iter().any(|other| found == Some(other))
    {
        let (uuid, value) = (&entry.uuid, found.map_or_else(|| "missing".to_owned(), Value::to_string));
        let kind = if found.is_some() { "changed" } else { "missing" };
        let found = sentence!("{name} of {uuid:?} is {value}", name, uuid, value);
        report.add(line.place(), kind, found, sentence!("{given}", given = first.to_string()));
    }
}
