//! The same inputs *again*: the loop does what it did the first time.

use serde_json::Value;

use crate::operation::Moment;
use crate::rules::alike::in_short;
use crate::rules::names::Names;
use crate::rules::{Judge, Place, PlayEvidence, RuleEntry, Verdict, Violation};

pub(super) const DETERMINISTIC: RuleEntry = rule!("engine/deterministic", Error, Judge::Play(deterministic));

fn deterministic(case: &PlayEvidence<'_>) -> Verdict {
    let violation = |place, found: String, expected: String| {
        Verdict::Broken(vec![Violation::new(DETERMINISTIC.id, place, found, expected)])
    };
    let again = match &case.again {
        None => return Verdict::NotApplicable("the inputs were played once"),
        Some(Err(why)) => {
            return violation(Place::Whole, format!("played again there is no log: {why}"), "a log".into());
        }
        Some(Ok(again)) => again,
    };
    if case.moments == again.moments && case.transcript == again.transcript {
        return match case.moments.is_empty() {
            true => Verdict::NotApplicable("nothing happens"),
            false => Verdict::Holds,
        };
    }
    let (first, second) = (log(&case.moments, &case.transcript), log(&again.moments, &again.transcript));
    let (names, other_names) = (Names::of(&first), Names::of(&second));
    let is_same = |(one, other): &(&Value, &Value)| names.is_same(one, other, &other_names);
    let same = first.iter().zip(&second).take_while(is_same).count();
    if same == first.len() && same == second.len() {
        return Verdict::Holds;
    }
    let shown = |log: &[Value], names: &Names<'_>| {
        log.get(same).map_or_else(|| "nothing".to_owned(), |moment| in_short(&names.rename(moment)))
    };
    let place = match same < case.moments.len() {
        true => Place::Message { index: same as u32, block: None },
        false => Place::Whole,
    };
    violation(place, format!("played again: {}", shown(&second, &other_names)), shown(&first, &names))
}

/// The moments, and the transcript at the end.
fn log(moments: &[Moment], transcript: &[u8]) -> Vec<Value> {
    moments.iter().map(moment).chain([lines(transcript)]).collect()
}

/// A moment as JSON, with the records of the transcript that it shows.
fn moment(moment: &Moment) -> Value {
    let mut value = serde_json::to_value(moment).unwrap_or_default();
    match moment {
        Moment::Requested { transcript, .. } => value["requested"]["transcript"] = lines(transcript),
        Moment::Crashed(transcript) => value["crashed"] = lines(transcript),
        _ => {}
    }
    value
}

/// The lines of a file: records where they can be read, else their text.
fn lines(file: &[u8]) -> Value {
    let line =
        |line: &[u8]| serde_json::from_slice(line).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(line)));
    file.split(|&byte| byte == b'\n').map(line).collect()
}
