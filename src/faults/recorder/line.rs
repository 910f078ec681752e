//! A *line* is what a plain recorder writes of a message.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::Slip;
use crate::message::{Envelope, Event};

/// The JSON text of a message, without a line end.
pub(super) fn written(event: &Event, slip: Option<Slip>) -> String {
    let json = serde_json::to_string(event).unwrap_or_default();
    // Values keep their text, which may have line ends between its tokens; in strings they are escaped.
    let json = json.replace(['\n', '\r'], " ");
    match slip {
        Some(Slip::WritesKnownMembers) => with_members(&json, |name, _| is_known(event, name)),
        Some(Slip::DropsNulls) => {
            with_members(&json, |name, value| value.get() != "null" || name == "parentUuid")
        }
        _ => json,
    }
}

/// Whether a type of the message's kind has the member.
fn is_known(event: &Event, name: &str) -> bool {
    let known = Envelope::MEMBERS.iter().chain(event.kind().members());
    name == "type" || known.into_iter().any(|member| member.name == name)
}

/// The object with those of its members that are wanted.
fn with_members(json: &str, wants: impl Fn(&str, &RawValue) -> bool) -> String {
    let members: serde_json::Result<BTreeMap<String, &RawValue>> = serde_json::from_str(json);
    let Ok(mut members) = members else { return json.to_owned() };
    members.retain(|name, value| wants(name, value));
    serde_json::to_string(&members).unwrap_or_default()
}
