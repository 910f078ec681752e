//! What a compact boundary *preserves* of the list that it stands in.

use std::collections::{BTreeSet, HashMap};

use crate::message::{Event, Message, PreservedMessages, PreservedSegment};

use super::ledger::to_write;

/// Finds what the boundaries of one list preserve. What it needs to know of the list is read when the first
/// boundary asks, so that the many lists without one cost nothing.
pub(super) struct Preserved<'l> {
    list: &'l [Event],
    /// The first place of each uuid.
    places: Option<HashMap<&'l str, usize>>,
    /// The same, of messages that are no boundaries and no summaries.
    places_to_keep: Option<HashMap<&'l str, usize>>,
    /// The places that no segment has gone over yet, so that all segments together go over the list once.
    open: Option<BTreeSet<usize>>,
}

impl<'l> Preserved<'l> {
    /// For a list of messages.
    pub(super) fn of(list: &'l [Event]) -> Self {
        Self { list, places: None, places_to_keep: None, open: None }
    }

    /// The messages that the boundary preserves, recorded ones too, in list order.
    pub(super) fn by(
        &mut self,
        boundary: &Message,
        is_recorded: &dyn Fn(&str) -> bool,
    ) -> impl Iterator<Item = &'l Message> + use<'l> {
        let metadata = boundary.as_system().and_then(|system| system.compact_metadata.get());
        let kept = metadata.map(|metadata| (metadata.preserved_messages.get(), metadata.preserved_segment.get()));
        let places = match kept {
            Some((Some(messages), _)) => self.places_named(messages),
            Some((None, Some(segment))) => self.places_of_segment(segment, is_recorded).unwrap_or_default(),
            Some((None, None)) | None => Vec::new(),
        };
        let list = self.list;
        let kept = places.into_iter().filter_map(move |place| to_write(&list[place]));
        kept.filter(|message| is_kept(message))
    }

    fn places_named(&mut self, messages: &PreservedMessages) -> Vec<usize> {
        let lists = [messages.uuids.get(), messages.all_uuids.get()];
        let uuids = lists.into_iter().flatten().flatten();
        let places: BTreeSet<usize> = uuids.filter_map(|uuid| self.place_to_keep(uuid)).collect();
        places.into_iter().collect()
    }

    fn places_of_segment(
        &mut self,
        segment: &PreservedSegment,
        is_recorded: &dyn Fn(&str) -> bool,
    ) -> Option<Vec<usize>> {
        let (head, tail) = (segment.head_uuid.as_str()?, segment.tail_uuid.as_str()?);
        let start = if is_recorded(head) { 0 } else { self.place(head)? };
        let end = self.place(tail).filter(|&end| start <= end)?;
        let open = self.open.get_or_insert_with(|| (0..self.list.len()).collect());
        let places: Vec<usize> = open.range(start..=end).copied().collect();
        places.iter().for_each(|place| {
            open.remove(place);
        });
        Some(places)
    }

    /// The first message of a uuid that is not a boundary or a summary, if there is one.
    fn place_to_keep(&mut self, uuid: &str) -> Option<usize> {
        let (list, place) = (self.list, self.place(uuid)?);
        if to_write(&list[place]).is_some_and(is_kept) {
            return Some(place);
        }
        let places = self.places_to_keep.get_or_insert_with(|| {
            let from_end = list.iter().enumerate().rev();
            let kept = from_end.filter_map(|(place, event)| Some((to_write(event).filter(|it| is_kept(it))?, place)));
            kept.filter_map(|(message, place)| Some((message.uuid()?, place))).collect()
        });
        places.get(uuid).copied()
    }

    fn place(&mut self, uuid: &str) -> Option<usize> {
        let list = self.list;
        let places = self.places.get_or_insert_with(|| {
            // From the end on, so that the first place of a uuid stays.
            let from_end = list.iter().enumerate().rev();
            from_end.filter_map(|(place, event)| Some((to_write(event)?.uuid()?, place))).collect()
        });
        places.get(uuid).copied()
    }
}

/// Whether a boundary may preserve a message.
fn is_kept(message: &Message) -> bool {
    !message.is_compact_boundary() && !message.is_compact_summary()
}
