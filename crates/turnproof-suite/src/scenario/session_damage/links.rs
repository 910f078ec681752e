//! Damages of *links*: ids and parents that are wrong, lost or there twice.

use super::one_of;
use super::session::Session;
use crate::json::{Fields, Raw};
use crate::scenario::{Seeded, Source};

/// A uuid that no record has.
const LOST: &str = "1057aaaa-0000-4000-8000-000000000001";

/// The uuid of a record of a subagent.
const SUBAGENT: &str = "e15ebbbb-0000-4000-8000-000000000001";

pub(super) fn wrong_type(session: &mut Session, source: &mut Seeded) -> Option<()> {
    const WRONG: [(&str, &str); 4] =
        [("isMeta", r#""no""#), ("isSidechain", "0"), ("sourceToolAssistantUUID", "7"), ("isCompactSummary", "{}")];
    let line = one_of(source, &session.conversation)?;
    let mut record = session.record(line)?;
    let absent: Vec<(&str, &str)> = WRONG.into_iter().filter(|(name, _)| record.get(name).is_none()).collect();
    let (name, value) = one_of(source, &absent)?;
    record.set(name, Raw::fixed(value));
    session.put(line, &record);
    Some(())
}

pub(super) fn no_uuid(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = one_of(source, &session.conversation)?;
    let mut record = session.record(line)?;
    record.take("uuid")?;
    session.put(line, &record);
    Some(())
}

pub(super) fn line_twice(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = one_of(source, &session.conversation)?;
    let again = session.lines[line].clone();
    if !session.lines[line].ends_with(b"\n") {
        session.lines[line].push(b'\n');
    }
    session.lines.insert(line + 1, again);
    Some(())
}

pub(super) fn two_machines(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let first = one_of(source, &session.conversation)?;
    let last = (first + 1 + source.below(6) as usize).min(session.lines.len());
    let mut stretch = session.lines[first..last].to_vec();
    for line in stretch.iter_mut().filter(|line| !line.ends_with(b"\n")) {
        line.push(b'\n');
    }
    let marked = [
        vec![b"<<<<<<< HEAD\n".to_vec()],
        stretch.clone(),
        vec![b"=======\n".to_vec()],
        stretch,
        vec![b">>>>>>> other\n".to_vec()],
    ];
    session.lines.splice(first..last, marked.concat());
    Some(())
}

/// A message with another one before it and one behind it.
fn inner(session: &Session, source: &mut Seeded) -> Option<usize> {
    let count = session.conversation.len();
    one_of(source, session.conversation.get(1..count.checked_sub(1)?)?)
}

/// A message with a parent.
fn child(session: &Session, source: &mut Seeded) -> Option<usize> {
    let has_parent = |line: &usize| session.text(*line, "parentUuid").is_some();
    one_of(source, &session.conversation.iter().copied().filter(has_parent).collect::<Vec<_>>())
}

pub(super) fn lost_line(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = inner(session, source)?;
    session.lines.remove(line);
    Some(())
}

pub(super) fn lost_parent(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = child(session, source)?;
    session.name_parent(line, Some(LOST));
    Some(())
}

pub(super) fn parent_elsewhere(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = child(session, source)?;
    let mut record = session.record(line)?;
    session.name_parent(line, Some(SUBAGENT));
    for (name, value) in [("isSidechain", Raw::from(true)), ("agentId", Raw::from("a1")), ("uuid", SUBAGENT.into())] {
        record.set(name, value);
    }
    record.set("parentUuid", Raw::null());
    record.set("type", Raw::from("user"));
    record.set("message", Raw::fixed(r#"{"role":"user","content":"Look for it."}"#));
    let is_of_it = |name: &str| ["attachment", "toolUseResult", "sourceToolAssistantUUID", "subtype"].contains(&name);
    let names: Vec<String> = record.iter().map(|(name, _)| name.as_str().to_owned()).collect();
    for name in names.iter().filter(|name| is_of_it(name)) {
        record.take(name);
    }
    session.lines.insert(line, [record.to_json().as_bytes(), b"\n"].concat());
    Some(())
}

pub(super) fn circle(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let count = session.conversation.len();
    let first = source.below(u32::try_from(count.checked_sub(1)?).ok().filter(|&last| last > 0)?) as usize;
    let line = session.conversation[first];
    let later = one_of(source, &session.conversation[first + 1..])?;
    let uuid = session.text(later, "uuid")?;
    // A boundary's parent is never followed.
    if session.text(line, "subtype").as_deref() == Some("compact_boundary") {
        return None;
    }
    session.name_parent(line, Some(&uuid));
    Some(())
}

fn boundary(session: &Session, source: &mut Seeded) -> Option<(usize, Fields)> {
    let is_one = |line: &usize| session.text(*line, "subtype").as_deref() == Some("compact_boundary");
    let line = one_of(source, &(0..session.lines.len()).filter(is_one).collect::<Vec<_>>())?;
    Some((line, session.record(line)?))
}

pub(super) fn boundary_with_parent(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let (line, record) = boundary(session, source)?;
    let before = record.text("logicalParentUuid")?;
    session.name_parent(line, Some(before.as_str()));
    Some(())
}

pub(super) fn boundary_without_logical(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let (line, mut record) = boundary(session, source)?;
    record.take("logicalParentUuid")?;
    session.put(line, &record);
    Some(())
}

pub(super) fn preserved_lost(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let (line, mut record) = boundary(session, source)?;
    let mut metadata = record.object("compactMetadata")?;
    if let Some(mut segment) = metadata.object("preservedSegment") {
        segment.set("tailUuid", Raw::from(LOST));
        metadata.set("preservedSegment", segment.to_raw());
    }
    if let Some(mut messages) = metadata.object("preservedMessages") {
        let mut uuids: Vec<Raw> = messages.get("uuids")?.read().ok()?;
        uuids.push(Raw::from(LOST));
        let uuids: Vec<&str> = uuids.iter().map(Raw::get).collect();
        messages.set("uuids", Raw::written(format!("[{}]", uuids.join(","))));
        metadata.set("preservedMessages", messages.to_raw());
    }
    record.set("compactMetadata", metadata.to_raw());
    session.put(line, &record);
    Some(())
}
