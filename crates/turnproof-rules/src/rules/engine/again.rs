//! The same inputs *again*: the loop does what it did the first time.

use crate::json;
use crate::json::Value;

use crate::operation::{Moment, Plain};
use crate::rules::alike::in_short;
use crate::rules::names::Names;
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

pub(super) fn deterministic(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let again = match case.again.as_ref().ok_or("the inputs were played once")? {
        Ok(again) => again,
        Err(why) => {
            report.whole("answered-once", sentence!("played again there is no log: {why}", why), "a log");
            return Ok(());
        }
    };
    if case.moments == again.moments && case.transcript == again.transcript {
        return applies(!case.moments.is_empty(), "nothing happens");
    }
    let (first, second) = (log(&case.moments, &case.transcript), log(&again.moments, &again.transcript));
    let (names, other_names) = (Names::of(&first), Names::of(&second));
    let is_same = |(one, other): &(&Value, &Value)| names.is_same(one, other, &other_names);
    let same = first.iter().zip(&second).take_while(is_same).count();
    if same < first.len().max(second.len()) {
        let shown = |log: &[Value], names: &Names<'_>| {
            log.get(same).map_or_else(|| "nothing".to_owned(), |moment| in_short(&names.rename(moment)))
        };
        let place = if same < case.moments.len() { Place::message(same) } else { Place::Whole };
        let found = sentence!("played again: {second}", second = shown(&second, &other_names));
        report.add(place, "not-deterministic", found, sentence!("{first}", first = shown(&first, &names)));
    }
    Ok(())
}

/// The moments, and the transcript at the end.
fn log(moments: &[Moment], transcript: &[u8]) -> Vec<Value> {
    moments.iter().map(moment).chain([lines(transcript)]).collect()
}

/// A moment as JSON, with the records of its transcript.
fn moment(moment: &Moment) -> Value {
    let text = serde_json::to_string(moment).unwrap_or_default();
    let mut value = Plain::read(&text).unwrap_or_default().into_value();
    match moment {
        Moment::Requested { messages, turns, transcript } => {
            value["requested"] = json!({"messages": messages, "turns": turns, "transcript": lines(transcript)});
        }
        Moment::Crashed { transcript } => value["crashed"] = lines(transcript),
        _ => {}
    }
    value
}

/// The lines of a file: records where they can be read, else their text.
fn lines(file: &[u8]) -> Value {
    let line = |line: &[u8]| json::value_of_slice(line).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(line)));
    file.split(|&byte| byte == b'\n').map(line).collect()
}
