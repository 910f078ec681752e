//! *Frugal* tables grow by a sixteenth, not to their double, and keep what repeats from record to record only once.
//! A *name* stands for the text of an id: a number, given in the order of first sight. Uuids, reply ids, call ids,
//! sessions and agents share the numbers.

use twox_hash::XxHash3_128;

/// Appends an item; where there is no room left, makes room for a sixteenth more.
pub(crate) fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        items.reserve_exact((items.len() / 16).max(64));
    }
    items.push(item);
}

/// A value for each record, kept where it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    /// The first record of each run, and its value.
    starts: Vec<(u32, u32)>,
}

impl Runs {
    /// Sets the value of the next record, whose index is `record`; true where it changes.
    pub(crate) fn push(&mut self, record: usize, value: u32) -> bool {
        let changes = self.starts.last().is_none_or(|&(_, last)| last != value);
        if changes {
            push(&mut self.starts, (record as u32, value));
        }
        changes
    }

    /// The values of the records, from the first on.
    pub(crate) fn values(&self) -> impl Iterator<Item = u32> + '_ {
        let mut next = 0;
        (0_u32..).map_while(move |record| {
            if self.starts.get(next).is_some_and(|&(start, _)| start == record) {
                next += 1;
            }
            self.starts.get(next.checked_sub(1)?).map(|&(_, value)| value)
        })
    }

    /// The bytes of memory that are held.
    pub(crate) fn memory(&self) -> usize {
        self.starts.capacity() * size_of::<(u32, u32)>()
    }
}

/// No name, and no record.
pub(crate) const NONE: u32 = u32::MAX;

/// The names of a file, by the 128-bit hashes of their texts, in about 24 bytes a name. Texts of up to
/// 2^40 names collide with probability below 1e-14.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    keys: Vec<[u64; 2]>,
    /// Open addressing; [`NONE`] is free.
    slots: Vec<u32>,
}

impl Names {
    /// The name of a text, new or not.
    pub(crate) fn of(&mut self, text: &str) -> u32 {
        self.of_key(key_of(text))
    }

    /// For each name of another part of the file, in order, the name here.
    pub(crate) fn of_part(&mut self, part: &Self) -> Vec<u32> {
        part.keys.iter().map(|&key| self.of_key(key)).collect()
    }

    fn of_key(&mut self, key: [u64; 2]) -> u32 {
        // Four of five slots are taken at most.
        if self.keys.len() * 5 >= self.slots.len() * 4 {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot] == NONE {
            self.slots[slot] = self.keys.len() as u32;
            push(&mut self.keys, key);
        }
        self.slots[slot]
    }

    /// The name of a text that has one.
    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.slot(key_of(text))]).filter(|&name| name != NONE)
    }

    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The bytes of memory that are held.
    pub(crate) fn memory(&self) -> usize {
        self.keys.capacity() * size_of::<[u64; 2]>() + self.slots.capacity() * size_of::<u32>()
    }

    /// The slot that holds the key, or the free one in which it would be.
    fn slot(&self, key: [u64; 2]) -> usize {
        let count = self.slots.len();
        let mut slot = ((u128::from(key[0]) * count as u128) >> 64) as usize;
        while self.slots[slot] != NONE && self.keys[self.slots[slot] as usize] != key {
            slot = if slot + 1 == count { 0 } else { slot + 1 };
        }
        slot
    }

    /// Makes room for a quarter more. The old slots are freed first: the keys are enough to fill new ones.
    fn grow(&mut self) {
        let count = (self.slots.len() / 4 * 5).max(256);
        self.slots = Vec::new();
        self.slots = vec![NONE; count];
        for name in 0..self.keys.len() {
            let slot = self.slot(self.keys[name]);
            self.slots[slot] = name as u32;
        }
    }
}

fn key_of(text: &str) -> [u64; 2] {
    let hash = XxHash3_128::oneshot(text.as_bytes());
    [(hash >> 64) as u64, hash as u64]
}
