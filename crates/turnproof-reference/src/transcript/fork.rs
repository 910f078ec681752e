//! A *fork* is a copy of a conversation, up to a message, under new ids. It is a session of its own.
//!
//! SPEC.md section 3.4.2 says what each id of a copy becomes. Each copy is resumed before it is given: it must
//! give the same conversation. When its own links do not, simpler ones are tried.

use std::collections::{HashMap, HashSet};

use crate::json::{Fields, JsonType, Raw, Text};
use crate::message::{Context, Kind, Typed};

use super::head::Flag;
use super::record::Record;
use super::resume::{ResumeOptions, resume_file};

/// Why there is no fork.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForkError {
    /// The message up to which to copy is not in the conversation.
    #[error("the message {0} is not in the conversation; take the uuid of a record that `turnproof resume` gives")]
    NoSuchMessage(String),
    /// No user or assistant message would be copied, so that the fork could not be resumed.
    #[error("no message of a user or an assistant would be copied; fork at a later message")]
    NoSpeaker,
    /// The records are not what a resume gives.
    #[error("the records are not one conversation; give those that a resume finds, in its order")]
    NotConversation,
    /// The source of ids repeats itself, or an id of the conversation.
    #[error("the source of new ids gave {0}, which is taken; give one whose ids differ")]
    RepeatedId(String),
}

/// Copies the records of a conversation, given in its order, up to and with the one whose uuid is
/// `until` (all when none), to lines of a new session.
///
/// ```
/// use turnproof_reference::message::FixedContext;
/// use turnproof_reference::transcript::Transcript;
/// use turnproof_reference::transcript::fork::fork;
///
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","slug":"a"}
/// {"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s1"}
/// "#;
/// let transcript = Transcript::from_bytes(file.to_vec());
/// let records: Vec<_> = transcript.records().collect();
/// let lines = fork(&records, Some("u1"), &mut FixedContext::new(7), "s2")?;
/// let copy = Transcript::from_bytes(lines);
/// assert_eq!(copy.len(), 1);
/// assert!(copy.record(0).bytes.ends_with(br#""slug":"a","forkedFrom":{"sessionId":"s1","messageUuid":"u1"}}"#));
/// # Ok::<(), turnproof_reference::transcript::fork::ForkError>(())
/// ```
pub fn fork(
    records: &[Record<'_>],
    until: Option<&str>,
    context: &mut dyn Context,
    session: &str,
) -> Result<Vec<u8>, ForkError> {
    let end = match until {
        None => records.len(),
        Some(until) => {
            let end = records.iter().position(|record| record.uuid().as_deref() == Some(until));
            end.ok_or_else(|| ForkError::NoSuchMessage(until.to_owned()))? + 1
        }
    };
    let records = &records[..end];
    if !records.iter().any(|record| matches!(record.head.kind, Some(Kind::User | Kind::Assistant))) {
        return Err(ForkError::NoSpeaker);
    }
    let copies = Copies::of(records, context)?;
    let shapes = [Shape::Linked, Shape::Straight, Shape::Bare].into_iter();
    shapes
        .map(|shape| lines(records, &copies, session, shape))
        .find(|(lines, starts)| gives_all(records, lines, starts))
        .map(|(lines, _)| lines)
        .ok_or(ForkError::NotConversation)
}

/// How the records of a copy hang together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// As those of the conversation.
    Linked,
    /// Each on the one before.
    Straight,
    /// The same, and boundaries preserve nothing.
    Bare,
}

/// By the old uuid: the place in the copy, and the new uuid.
struct Copies(HashMap<String, (usize, String)>);

impl Copies {
    fn of(records: &[Record<'_>], context: &mut dyn Context) -> Result<Self, ForkError> {
        let mut by_uuid = HashMap::with_capacity(records.len());
        let mut given = HashSet::with_capacity(records.len());
        for (place, record) in records.iter().enumerate() {
            let Some(uuid) = record.uuid() else { continue };
            let id = context.uuid();
            if !given.insert(id.clone()) {
                return Err(ForkError::RepeatedId(id));
            }
            if by_uuid.insert(uuid.into_owned(), (place, id)).is_some() {
                return Err(ForkError::NotConversation);
            }
        }
        match given.into_iter().filter(|id| by_uuid.contains_key(id)).min() {
            Some(old) => Err(ForkError::RepeatedId(old)),
            None => Ok(Self(by_uuid)),
        }
    }

    fn id(&self, uuid: &str) -> Option<&str> {
        self.0.get(uuid).map(|(_, id)| &**id)
    }

    /// The copy of what a member names; `None` when it names nothing in the copy.
    fn of_member(&self, members: &Fields, name: &str) -> Option<&str> {
        self.id(&members.text(name)?)
    }

    /// The copies of the strings of a list.
    fn of_list(&self, members: &Fields, name: &str, is_kept: impl Fn(usize) -> bool) -> Option<Vec<Text>> {
        let list: Vec<Raw> = members.get(name)?.read().ok()?;
        let named = list.iter().filter_map(|element| self.0.get(element.text()?.as_str()));
        Some(named.filter(|(place, _)| is_kept(*place)).map(|(_, id)| id.as_str().into()).collect())
    }
}

/// The lines of the copy, and where those of messages begin.
fn lines(records: &[Record<'_>], copies: &Copies, session: &str, shape: Shape) -> (Vec<u8>, Vec<u64>) {
    let mut starts = Vec::with_capacity(records.len());
    let mut lines = Vec::with_capacity(records.iter().map(|record| record.bytes.len() + 200).sum());
    let mut before: Option<&str> = None;
    for (place, record) in records.iter().enumerate() {
        let Some(mut members) = members(record) else { continue };
        let uuid = record.uuid().unwrap_or_default();
        match copies.id(&uuid).filter(|_| record.head.uuid.is_some()) {
            Some(id) => {
                copy_message(&mut members, copies, record, Links { place, id, before, shape });
                origin(&mut members, &uuid, session);
                before = Some(id);
                starts.push(lines.len() as u64);
            }
            None if !copy_side(&mut members, copies, session) => continue,
            None => {}
        }
        lines.extend_from_slice(members.to_json().as_bytes());
        lines.push(b'\n');
    }
    (lines, starts)
}

fn members(record: &Record<'_>) -> Option<Fields> {
    let raw = Raw::from_bytes(record.bytes).ok()?;
    Fields::from_raw(&raw).ok()
}

/// Where a message stands in the copy.
struct Links<'a> {
    place: usize,
    id: &'a str,
    /// The message before.
    before: Option<&'a str>,
    shape: Shape,
}

fn copy_message(members: &mut Fields, copies: &Copies, record: &Record<'_>, links: Links<'_>) {
    let named = record.head.parent.map(|span| record.text(span));
    let parent = named.and_then(|parent| copies.0.get(&*parent)).filter(|(place, _)| *place < links.place);
    let parent = match links.shape {
        _ if record.is_compact_boundary() => None,
        Shape::Linked => parent.map(|(_, id)| &**id).or(links.before),
        Shape::Straight | Shape::Bare => links.before,
    };
    members.set("uuid", Raw::from(links.id));
    members.set("parentUuid", parent.map_or_else(Raw::null, Raw::from));
    if let Some(logical) = copies.of_member(members, "logicalParentUuid") {
        members.set("logicalParentUuid", Raw::from(logical));
    }
    if members.get("sourceToolAssistantUUID").is_some_and(|source| source.json_type() != JsonType::Null) {
        match copies.of_member(members, "sourceToolAssistantUUID") {
            Some(source) => members.set("sourceToolAssistantUUID", Raw::from(source)),
            None => drop(members.take("sourceToolAssistantUUID")),
        }
    }
    for name in ["supersedesUuids", "retractedMessageUuids"] {
        // What stands before was not withdrawn in the conversation, and must not be in the copy.
        let list = copies.of_list(members, name, |place| place >= links.place);
        if let Some(list) = list.filter(|_| holds_strings_alone(members, name)) {
            members.set(name, list.write());
        }
    }
    if let Some(metadata) = members.object("compactMetadata") {
        members.set("compactMetadata", copy_metadata(metadata, copies, links.shape).to_raw());
    }
}

/// Whether a member is a list of strings. Any other list is missing as a whole, and stays so.
fn holds_strings_alone(members: &Fields, name: &str) -> bool {
    let list: Option<Vec<Raw>> = members.get(name).and_then(|list| list.read().ok());
    list.is_some_and(|list| list.iter().all(|element| element.text().is_some()))
}

/// What a boundary preserves, under the new ids.
fn copy_metadata(mut metadata: Fields, copies: &Copies, shape: Shape) -> Fields {
    if let Some(mut segment) = metadata.object("preservedSegment") {
        let names = ["headUuid", "anchorUuid", "tailUuid"];
        let ids = names.map(|name| copies.of_member(&segment, name));
        if let ([Some(head), Some(anchor), Some(tail)], true) = (ids, shape != Shape::Bare) {
            names.into_iter().zip([head, anchor, tail]).for_each(|(name, id)| segment.set(name, Raw::from(id)));
            metadata.set("preservedSegment", segment.to_raw());
        } else {
            metadata.take("preservedSegment");
        }
    }
    if let Some(mut messages) = metadata.object("preservedMessages") {
        let anchor = copies.of_member(&messages, "anchorUuid");
        let uuids = copies.of_list(&messages, "uuids", |_| true).filter(|uuids| !uuids.is_empty());
        if let (Some(anchor), Some(uuids), true) = (anchor, uuids, shape != Shape::Bare) {
            messages.set("anchorUuid", Raw::from(anchor));
            messages.set("uuids", uuids.write());
            if let Some(all) = copies.of_list(&messages, "allUuids", |_| true) {
                messages.set("allUuids", all.write());
            }
            metadata.set("preservedMessages", messages.to_raw());
        } else {
            metadata.take("preservedMessages");
        }
    }
    metadata
}

/// Says where a message comes from, and puts it into the new session.
fn origin(members: &mut Fields, uuid: &str, session: &str) {
    let mut origin = Fields::new();
    // Anything but a string names no session, and might nest too deep one level further in.
    if let Some(old) = members.get("sessionId").filter(|old| old.json_type() == JsonType::String) {
        origin.set("sessionId", old.clone());
    }
    origin.set("messageUuid", Raw::from(uuid));
    members.set("sessionId", Raw::from(session));
    members.set("forkedFrom", origin.to_raw());
}

/// Maps what a side record names; false when it is about something that is not in the copy.
fn copy_side(members: &mut Fields, copies: &Copies, session: &str) -> bool {
    if members.get("leafUuid").is_some_and(|leaf| leaf.json_type() == JsonType::String) {
        let Some(leaf) = copies.of_member(members, "leafUuid") else { return false };
        members.set("leafUuid", Raw::from(leaf));
    }
    if let Some(message) = copies.of_member(members, "messageId") {
        members.set("messageId", Raw::from(message));
    }
    if members.get("sessionId").is_some() {
        members.set("sessionId", Raw::from(session));
    }
    true
}

/// Whether a resume of the copy gives all its messages, in order.
fn gives_all(records: &[Record<'_>], lines: &[u8], starts: &[u64]) -> bool {
    // Records of a subagent are found by its id, and only so.
    let sidechain = records.iter().find(|record| record.head.has(Flag::Sidechain));
    let agent = sidechain.and_then(|record| record.head.agent.map(|span| record.text(span).into_owned()));
    let found = resume_file(lines, &ResumeOptions { agent });
    let Ok(Ok(resume)) = found else { return false };
    resume.places.iter().map(|place| place.start).eq(starts.iter().copied())
}
