//! What is *known* is what this thread has read of late: the texts of objects, each with its value. A subject is asked
//! about the same messages again and again, and gives most of them back as they were. A text that is known is not read
//! again, and all its values share what they hold.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Object;

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::new(Known::default());
}

/// By so many first bytes a text is looked for: enough for an id to be among them. Shorter ones are not kept.
const BEGINNING: usize = 80;

/// A longer text is not kept.
const LONGEST: usize = 1 << 16;

/// When all texts together are longer, they are forgotten: a few cases, which a processor has close at hand.
const MOST_BYTES: usize = 1 << 18;

/// How many texts that begin alike are looked through.
const ALIKE: usize = 8;

/// Objects that were read.
#[derive(Default)]
pub(super) struct Known {
    entries: Vec<Entry>,
    /// The last one of each beginning.
    last: HashMap<u64, usize>,
    /// The one after the last that was found: lists mostly come in one order.
    next: usize,
    /// How long all texts are together.
    bytes: usize,
}

struct Entry {
    text: Box<str>,
    object: Object,
    /// The last one before it that begins alike.
    before: Option<usize>,
}

/// Gives a reader what this thread knows.
pub(super) fn with<T>(read: impl FnOnce(&mut Known) -> T) -> T {
    KNOWN.with_borrow_mut(read)
}

impl Known {
    /// The object that JSON text begins with, and how long it is there, if it is known.
    pub(super) fn find(&mut self, json: &str) -> Option<(Object, usize)> {
        let begins =
            |at: &usize| self.entries.get(*at).is_some_and(|entry| json.as_bytes().starts_with(entry.text.as_bytes()));
        let at = Some(self.next).filter(begins).or_else(|| {
            let last = self.last.get(&beginning(json)?).copied();
            std::iter::successors(last, |&at| self.entries[at].before).take(ALIKE).find(begins)
        })?;
        self.next = at + 1;
        let Entry { text, object, .. } = &self.entries[at];
        Some((object.clone(), text.len()))
    }

    /// Keeps an object under its text, and gives it back, to be shared.
    pub(super) fn keep(&mut self, text: &str, object: Object) -> Object {
        let Some(beginning) = beginning(text).filter(|_| text.len() <= LONGEST) else { return object };
        if self.bytes + text.len() > MOST_BYTES {
            *self = Self::default();
        }
        let object = object.shared();
        let at = self.entries.len();
        let before = self.last.insert(beginning, at);
        self.entries.push(Entry { text: text.into(), object: object.clone(), before });
        self.bytes += text.len();
        self.next = at + 1;
        object
    }
}

/// A hash of the first bytes.
fn beginning(json: &str) -> Option<u64> {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (eights, _) = json.as_bytes().first_chunk::<BEGINNING>()?.as_chunks::<8>();
    Some(eights.iter().fold(0, |hash, eight| (u64::from_le_bytes(*eight) ^ hash).wrapping_mul(ODD).rotate_left(29)))
}
