//! A *recording* is the calls of a recorder, each list of messages as it stood.

use crate::message::{Event, Typed};
use crate::operation::{Element, List, RecordStep};

/// A call of the recorder. A list shares what its messages hold, and becomes text when somebody asks.
#[derive(Clone, Debug)]
pub(super) enum Call {
    List { list: Vec<Event>, is_before_request: bool },
    Other(RecordStep),
}

/// The calls as steps of a recorder.
pub(super) fn steps(calls: &[Call]) -> Vec<RecordStep> {
    let mut last: Vec<(&Event, Element)> = Vec::new();
    let mut steps = Vec::with_capacity(calls.len());
    for call in calls {
        steps.push(match call {
            Call::Other(step) => step.clone(),
            Call::List { list, is_before_request } => {
                let same = last.iter().zip(list).take_while(|((one, _), other)| one == other).count();
                last.truncate(same);
                last.extend(list[same..].iter().map(|event| (event, Element::new(event.to_json()))));
                let list: List = last.iter().map(|(_, element)| element.clone()).collect();
                if *is_before_request { RecordStep::ListBeforeRequest(list) } else { RecordStep::List(list) }
            }
        });
    }
    steps
}
