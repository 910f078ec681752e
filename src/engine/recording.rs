//! A *recording* is the calls of a recorder, each list of messages as it stood.

use crate::message::{Event, Typed};
use crate::operation::RecordStep;

/// A call of the recorder. A list shares what its messages hold, and becomes text when somebody asks.
#[derive(Clone, Debug)]
pub(super) enum Call {
    List { list: Vec<Event>, is_before_request: bool },
    Other(RecordStep),
}

/// The calls as steps of a recorder.
pub(super) fn steps(calls: &[Call]) -> Vec<RecordStep> {
    let mut last: Vec<(&Event, String)> = Vec::new();
    let mut steps = Vec::with_capacity(calls.len());
    for call in calls {
        steps.push(match call {
            Call::Other(step) => step.clone(),
            Call::List { list, is_before_request } => {
                let same = last.iter().zip(list).take_while(|((one, _), other)| one == other).count();
                last.truncate(same);
                last.extend(list[same..].iter().map(|event| (event, event.to_json())));
                let json = json_of(&last);
                if *is_before_request { RecordStep::ListBeforeRequest(json) } else { RecordStep::List(json) }
            }
        });
    }
    steps
}

fn json_of(list: &[(&Event, String)]) -> String {
    let mut json = String::with_capacity(2 + list.iter().map(|(_, text)| text.len() + 1).sum::<usize>());
    json.push('[');
    for (index, (_, text)) in list.iter().enumerate() {
        if index > 0 {
            json.push(',');
        }
        json.push_str(text);
    }
    json.push(']');
    json
}
