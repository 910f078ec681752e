//! What a boundary *preserves* of its list, as a plain recorder finds it.

use std::collections::HashSet;

use crate::message::{Event, Message, PreservedSegment};

/// Whether a boundary names what it preserves one by one.
pub(super) fn names_messages(boundary: &Message) -> bool {
    let metadata = boundary.as_system().and_then(|system| system.compact_metadata.get());
    metadata.is_some_and(|metadata| metadata.preserved_messages.get().is_some())
}

/// The messages of a list that a boundary preserves, recorded ones too.
pub(super) fn preserved<'l>(
    boundary: &Message,
    list: &'l [Event],
    recorded: &HashSet<String>,
) -> Vec<&'l Message> {
    let Some(metadata) = boundary.as_system().and_then(|system| system.compact_metadata.get()) else {
        return Vec::new();
    };
    let messages: Vec<&Message> = list.iter().filter_map(to_write).collect();
    let kept = match (metadata.preserved_messages.get(), metadata.preserved_segment.get()) {
        (Some(named), _) => {
            let lists = [named.uuids.get(), named.all_uuids.get()].into_iter().flatten().flatten();
            let uuids: HashSet<&str> = lists.map(|uuid| uuid.as_str()).collect();
            let is_named = |message: &&Message| message.uuid().is_some_and(|uuid| uuids.contains(uuid));
            messages.into_iter().filter(is_named).collect()
        }
        (None, Some(segment)) => of_segment(segment, messages, recorded),
        (None, None) => Vec::new(),
    };
    kept.into_iter()
        .filter(|message| !message.is_compact_boundary() && !message.is_compact_summary())
        .collect()
}

/// The messages from a segment's head, or the list's first if the head is recorded, to its tail.
fn of_segment<'l>(
    segment: &PreservedSegment,
    messages: Vec<&'l Message>,
    recorded: &HashSet<String>,
) -> Vec<&'l Message> {
    let place = |uuid: &str| messages.iter().position(|message| message.uuid() == Some(uuid));
    let (Some(head), Some(tail)) = (segment.head_uuid.as_str(), segment.tail_uuid.as_str()) else {
        return Vec::new();
    };
    let head = if recorded.contains(head) { Some(0) } else { place(head) };
    match (head, place(tail)) {
        (Some(head), Some(tail)) if head <= tail => messages[head..=tail].to_vec(),
        _ => Vec::new(),
    }
}

/// The message, if it is one that is written.
fn to_write(event: &Event) -> Option<&Message> {
    match event {
        Event::Message(message) if message.kind().is_persisted() && !message.is_virtual() => Some(message),
        _ => None,
    }
}
