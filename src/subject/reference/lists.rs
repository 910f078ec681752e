//! *Lists* of messages that a subject is given one after another mostly begin alike, and most messages come out as they
//! went in. What was read or written of one list is not read or written again: messages share what they hold until one
//! of them is changed.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::message::{Envelope, Event, Message, Typed};

thread_local! {
    /// The lists that were given last, the latest first.
    static LAST: RefCell<Vec<List>> = const { RefCell::new(Vec::new()) };
}

/// How many lists are kept: that of a case, and what was made of it.
const KEPT: usize = 4;

/// A longer list is not kept.
const LONGEST: usize = 1 << 18;

thread_local! {
    /// The texts that were written last, by where their messages lie. A message stays there as long as it is kept here:
    /// who changes another copy of it changes that alone.
    static WRITTEN: RefCell<HashMap<usize, (Event, Box<str>)>> = RefCell::default();
}

/// How many texts are kept.
const MOST_WRITTEN: usize = 256;

/// A longer text is not kept.
const LONGEST_WRITTEN: usize = 1 << 14;

/// What stands in a list.
pub(super) trait Listed: Typed + Clone + Into<Event> {
    /// The part that each has, which lies where it lies.
    fn envelope(&self) -> &Envelope;
}

impl Listed for Event {
    fn envelope(&self) -> &Envelope {
        Self::envelope(self)
    }
}

impl Listed for Message {
    fn envelope(&self) -> &Envelope {
        Self::envelope(self)
    }
}

/// Writes a JSON array of messages or events, as [`Typed::to_json`] does.
pub(super) fn write<'a, T: Listed + 'a>(list: impl IntoIterator<Item = &'a T>) -> String {
    let mut json = String::with_capacity(4096);
    json.push('[');
    WRITTEN.with_borrow_mut(|written| {
        for one in list {
            if json.len() > 1 {
                json.push(',');
            }
            let address = std::ptr::from_ref(one.envelope()).addr();
            if let Some((_, text)) = written.get(&address) {
                json.push_str(text);
                continue;
            }
            let start = json.len();
            one.write_to(&mut json);
            if written.len() == MOST_WRITTEN {
                written.clear();
            }
            if json.len() - start <= LONGEST_WRITTEN {
                written.insert(address, (one.clone().into(), json[start..].into()));
            }
        }
    });
    json.push(']');
    json
}

/// A list that was given.
struct List {
    json: String,
    /// Behind which byte each element ends.
    ends: Vec<usize>,
    events: Vec<Event>,
}

/// Reads a JSON array of events, as [`Event::read_list`] does.
pub(super) fn read(json: &str) -> serde_json::Result<Vec<Event>> {
    if json.len() > LONGEST {
        return Event::read_list(json);
    }
    LAST.with_borrow_mut(|last| {
        let known = last.iter().map(|list| list.known(json)).enumerate().max_by_key(|&(_, known)| known);
        let known = known.filter(|&(_, known)| known > 0).map(|(at, known)| (&last[at], known));
        let list = match known {
            Some((list, known)) if json.len() == list.ends[known - 1] + 1 => return Ok(list.events[..known].to_vec()),
            Some((list, known)) => list.read_on(known, json),
            None => None,
        };
        let list = list.or_else(|| {
            let (events, ends) = Event::read_list_by_ends(json)?;
            Some(List { json: json.to_owned(), ends, events })
        });
        let Some(list) = list else { return Event::read_list(json) };
        let events = list.events.clone();
        last.truncate(KEPT - 1);
        last.insert(0, list);
        Ok(events)
    })
}

impl List {
    /// How many elements another list begins with that this one begins with too.
    fn known(&self, json: &str) -> usize {
        let (own, other) = (self.json.as_bytes(), json.as_bytes());
        let is_same = |&end: &usize| own.get(..end) == other.get(..end);
        let mut known = self.ends.partition_point(is_same);
        while known > 0 && !matches!(other.get(self.ends[known - 1]), Some(b',' | b']')) {
            known -= 1;
        }
        known
    }

    /// The list that begins with so many elements of this one; `None` when the rest of it cannot be read so.
    fn read_on(&self, known: usize, json: &str) -> Option<Self> {
        let end = self.ends[known - 1];
        let rest = format!("[{}", json[end..].strip_prefix(',')?);
        let (more, ends_in_rest) = Event::read_list_by_ends(&rest).filter(|(more, _)| !more.is_empty())?;
        let mut events = self.events[..known].to_vec();
        events.extend(more);
        let mut ends = self.ends[..known].to_vec();
        // In the rest a bracket stands for the comma.
        ends.extend(ends_in_rest.into_iter().map(|in_rest| end + in_rest));
        Some(Self { json: json.to_owned(), ends, events })
    }
}
