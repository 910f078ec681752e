//! An *index* finds facts by key.

use super::facts::IdKey;

/// Finds nodes by key: an open-addressing table of node indexes, 8 to 16 bytes a node.
pub(crate) struct KeyIndex {
    slots: Vec<u32>,
}

impl KeyIndex {
    /// Indexes `count` items by the key that `key_of` gives; an item without a key is not indexed. Of items with the
    /// same key the first is found.
    pub(crate) fn new(count: usize, key_of: impl Fn(usize) -> Option<IdKey>) -> Self {
        let mut index = Self { slots: vec![u32::MAX; (count * 2).next_power_of_two()] };
        for item in 0..count {
            if let Some(key) = key_of(item) {
                let slot = index.slot(key, &key_of);
                if index.slots[slot] == u32::MAX {
                    index.slots[slot] = item as u32;
                }
            }
        }
        index
    }

    /// The first item with the key.
    pub(crate) fn get(&self, key: IdKey, key_of: impl Fn(usize) -> Option<IdKey>) -> Option<usize> {
        let item = self.slots[self.slot(key, &key_of)];
        (item != u32::MAX).then_some(item as usize)
    }

    /// The slot that holds the key, or the free one in which it would be.
    fn slot(&self, key: IdKey, key_of: &impl Fn(usize) -> Option<IdKey>) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = key.bits() as usize & mask;
        while self.slots[slot] != u32::MAX && key_of(self.slots[slot] as usize) != Some(key) {
            slot = (slot + 1) & mask;
        }
        slot
    }
}
