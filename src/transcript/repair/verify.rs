//! A repair is *verified* before it is given: it must give back at least the conversation that the damaged file gives,
//! in its order, and that must be legal as it is stored.

use std::fmt;

use super::RepairError;
use super::stored::{Stored, conversation};
use crate::message::{Content, User, UserBody};
use crate::normalize::api::{as_stored, to_json};
use crate::operation::{Host, Request};
use crate::rules::{CATALOGUE, Judge};
use crate::transcript::Transcript;

/// Why a host refuses a conversation as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule on requests that it breaks.
    pub rule: &'static str,
    /// What is wrong, and the error of the API where it is known.
    pub found: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.found, self.rule)
    }
}

pub(super) fn verify(damaged: &Transcript, bytes: &[u8]) -> Result<(), RepairError> {
    let repaired = Transcript::from_bytes(bytes.to_vec());
    let uuids = |transcript: &Transcript| -> Vec<String> {
        let rows = conversation(transcript).into_iter();
        rows.filter_map(|row| Some(transcript.record(row).uuid()?.into_owned())).collect()
    };
    let mut after = uuids(&repaired).into_iter();
    if let Some(uuid) = uuids(damaged).into_iter().find(|uuid| !after.any(|other| other == *uuid)) {
        return Err(RepairError::Lost { uuid });
    }
    refused_as_stored(&repaired).map_or(Ok(()), |refusal| Err(RepairError::Refused(refusal)))
}

/// Why the strictest host would refuse the conversation of a transcript as it is stored, when the user goes on with it;
/// `None` when each host takes it.
pub fn refused_as_stored(transcript: &Transcript) -> Option<Refusal> {
    let mut messages = Stored::of(transcript).messages;
    if as_stored(&messages).is_empty() {
        return None;
    }
    let body = UserBody { content: Content::Text("Go on.".into()).into(), ..UserBody::default() };
    let prompt: crate::message::Message = User { message: body.into(), ..User::default() }.into();
    messages.push(prompt.into());
    let request = Request::read(&to_json(&as_stored(&messages))).ok()?;
    CATALOGUE.iter().find_map(|rule| {
        let Judge::Request { structural: true, judge } = rule.judge else { return None };
        let mut first = None;
        judge(&request, Host::Strict, &mut |violation| {
            first = first.take().or(Some(violation.error.unwrap_or(violation.found)));
        });
        Some(Refusal { rule: rule.id, found: first? })
    })
}
