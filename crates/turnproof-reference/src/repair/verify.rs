//! A repair is *verified* before it is given: it must give back at least the conversation that the damaged file gives,
//! in its order, and that must be legal as it is stored.

use super::RepairError;
use super::file::File;
use super::refusal::{GoneOn, Refusal, go_on};
use super::stored::{Speaker, Stored, conversation};
use crate::message::Event;
use crate::operation::Host;
use crate::rules::{Judge, Severity};
use crate::transcript::Transcript;

pub(super) fn verify(damaged: &Transcript, repaired: &mut File) -> Result<(), RepairError> {
    let uuids = |transcript: &Transcript, speaker: &Speaker| -> Vec<String> {
        let rows = conversation(transcript, speaker).into_iter();
        rows.filter_map(|row| Some(transcript.record(row).uuid()?.into_owned())).collect()
    };
    let mut after = uuids(&repaired.rows.transcript(), &repaired.rows.speaker()).into_iter();
    let mut before = uuids(damaged, &Speaker::of(damaged)).into_iter();
    if let Some(uuid) = before.find(|uuid| !after.any(|other| other == *uuid)) {
        return Err(RepairError::Lost { uuid });
    }
    refused(repaired.rows.take_stored().messages).map_or(Ok(()), |refusal| Err(RepairError::Refused(refusal)))
}

/// Why the strictest host would refuse the conversation of a transcript as it is stored, when the user goes on with it;
/// `None` when each host takes it.
pub fn refused_as_stored(transcript: &Transcript) -> Option<Refusal> {
    refused(Stored::of(transcript, &Speaker::of(transcript)).messages)
}

fn refused(messages: Vec<Event>) -> Option<Refusal> {
    let GoneOn { violations, fixed, .. } = go_on(messages, 0, Host::Portable)?;
    let mut refusals = violations.into_iter().chain(fixed).filter(|(rule, violation)| {
        let is_structural = matches!(rule.judge, Judge::Request { structural: true, .. });
        is_structural && rule.severity_of(violation) == Severity::Error
    });
    refusals.next().map(|(rule, violation)| Refusal::of(rule.id, violation))
}
