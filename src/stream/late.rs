//! *Late fields* are what a reply says only at its end. They are set in place on its last line.

use crate::json::{FieldError, Fields, JsonType, Raw, Text};
use crate::message::{Assistant, AssistantBody, Maybe, Usage};

/// What `message_delta` sets on the last line of a reply. What is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LateFields {
    /// Why the model stopped.
    pub stop_reason: Maybe<Text>,
    /// The sequence at which it stopped.
    pub stop_sequence: Maybe<Text>,
    /// The totals.
    pub usage: Maybe<Usage>,
}

impl LateFields {
    /// Sets them on a line.
    pub fn set_on(&self, line: &mut Assistant) {
        let Some(message) = line.message.get_mut() else { return };
        message.stop_reason.update(&self.stop_reason);
        message.stop_sequence.update(&self.stop_sequence);
        message.usage.update(&self.usage);
    }

    /// Adds what came later still.
    pub(super) fn add(&mut self, later: &Self) {
        self.stop_reason.update(&later.stop_reason);
        self.stop_sequence.update(&later.stop_sequence);
        self.usage.update(&later.usage);
    }
}

/// The members of a message that its start and its blocks give; `message_delta` leaves them alone.
const GIVEN: [&str; 6] = ["id", "type", "role", "model", "content", "usage"];

/// The members that the API puts beside the `delta` of a `message_delta`, not into it.
const BESIDE: [&str; 2] = ["context_management", "input_transformations"];

/// What the `delta` of a `message_delta` says of the stop; a reason that is not a string is an error.
pub(super) fn stop_members(delta: &Fields) -> Result<LateFields, FieldError> {
    let (stop_reason, stop_sequence) = (Maybe::of(delta, "stop_reason")?, Maybe::of(delta, "stop_sequence")?);
    Ok(LateFields { stop_reason, stop_sequence, usage: Maybe::Absent })
}

/// Sets on a message what a `message_delta` says; gives what is to be set on its last line.
pub(super) fn apply(message: &mut AssistantBody, delta: &Fields, usage: &Maybe<Usage>, extra: &Fields) -> LateFields {
    // An event with other reasons is not read, and one that was made by hand says nothing with them.
    let mut late = stop_members(delta).unwrap_or_default();
    message.stop_reason.update(&late.stop_reason);
    message.stop_sequence.update(&late.stop_sequence);
    set_others(message, delta, extra);
    if let Some(totals) = usage.get() {
        add_totals(&mut message.usage, totals);
        late.usage = message.usage.clone();
    }
    late
}

/// Sets the other members that are given.
fn set_others(message: &mut AssistantBody, delta: &Fields, extra: &Fields) {
    let beside = extra.iter().filter(|(name, _)| BESIDE.contains(&name.as_str()) && delta.get(name).is_none());
    let mut others = Fields::new();
    for (name, value) in delta.iter().filter(|(name, _)| !GIVEN.contains(&name.as_str())).chain(beside) {
        if value.json_type() != JsonType::Null {
            others.push(name.clone(), value.clone());
        }
    }
    // These two may be null, and are set already.
    others.take("stop_reason");
    others.take("stop_sequence");
    message.container.update(&others.take("container").into());
    message.context_management.update(&others.take("context_management").into());
    if !others.is_empty() {
        message.extra = message.extra.replaced_by(&others);
    }
}

/// Replaces each total that is given.
fn add_totals(usage: &mut Maybe<Usage>, totals: &Usage) {
    let mut whole = usage.get().cloned().unwrap_or_default();
    whole.take_given(totals);
    if !totals.extra.is_empty() {
        let is_given = |(_, value): &(&Text, &Raw)| value.json_type() != JsonType::Null;
        let given = totals.extra.iter().filter(is_given).map(|(name, value)| (name.clone(), value.clone()));
        whole.extra = whole.extra.replaced_by(&given.collect());
    }
    *usage = whole.into();
}
