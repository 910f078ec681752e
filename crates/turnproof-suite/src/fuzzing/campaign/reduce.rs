//! To *reduce* an input is to leave out lines or events, then what is around a value, then members and elements, then
//! to shorten values, then to leave out bytes, as long as it shows the same.

use std::collections::HashSet;

use twox_hash::XxHash3_128;

use crate::subject::Stop;

use super::super::mutate::Shape;
use super::super::mutate::plainer::{inner_values, parts, with_inner_value, with_short_value, without_value};
use super::super::smaller::fewer;

/// The most tries where each takes as long as the time limit of an answer.
pub const HANGS: usize = 40;

/// The most pieces of bytes that are left out one by one: a longer input loses longer pieces first.
const BYTES: usize = 1024;

/// A small input.
pub(super) struct Reduced {
    pub(super) bytes: Vec<u8>,
    /// How many inputs were tried.
    pub(super) tries: usize,
    /// Whether there were more to try.
    pub(super) is_cut_off: bool,
}

/// The smallest input found with so many tries that `shows` the same as `bytes`.
pub(super) fn reduce(bytes: &[u8], shape: Shape, tries: usize, shows: &dyn Fn(&[u8]) -> bool, stop: &Stop) -> Reduced {
    let mut search =
        Search { smallest: bytes.to_vec(), shows, tried: HashSet::new(), most: tries, is_cut_off: false, stop };
    loop {
        let before = search.smallest.len();
        search.leave_out(|bytes| parts(bytes, shape));
        search.keep_inner_values(shape);
        search.change_values(|bytes, number| without_value(bytes, shape, number));
        search.change_values(|bytes, number| with_short_value(bytes, shape, number));
        search.leave_out(|bytes| bytes.chunks(bytes.len().div_ceil(BYTES).max(1)).collect());
        if search.is_cut_off || search.smallest.len() == before {
            let Search { smallest, tried, is_cut_off, .. } = search;
            return Reduced { bytes: smallest, tries: tried.len(), is_cut_off };
        }
    }
}

struct Search<'a> {
    smallest: Vec<u8>,
    shows: &'a dyn Fn(&[u8]) -> bool,
    /// What was tried once is not tried again.
    tried: HashSet<u128>,
    most: usize,
    is_cut_off: bool,
    stop: &'a Stop,
}

impl Search<'_> {
    /// Takes a shorter input that shows the same; gives whether it did, or `None` when no more is to be tried.
    fn takes(&mut self, bytes: Vec<u8>) -> Option<bool> {
        let hash = XxHash3_128::oneshot(&bytes);
        if bytes.len() >= self.smallest.len() || self.tried.contains(&hash) {
            return Some(false);
        }
        if self.tried.len() >= self.most || self.stop.is_set() {
            self.is_cut_off = true;
            return None;
        }
        self.tried.insert(hash);
        let shows = (self.shows)(&bytes);
        if shows {
            self.smallest = bytes;
        }
        Some(shows)
    }

    fn leave_out(&mut self, parts: impl Fn(&[u8]) -> Vec<&[u8]>) {
        let bytes = self.smallest.clone();
        fewer(parts(&bytes), |bytes| self.takes(bytes));
    }

    /// Keeps a value alone, without what is around it: the middle one by size, then larger ones. So what nests deep becomes
    /// flat in a few tries.
    fn keep_inner_values(&mut self, shape: Shape) {
        let mut number = inner_values(&self.smallest, shape) / 2;
        while let Some(bytes) = with_inner_value(&self.smallest, shape, number) {
            match self.takes(bytes) {
                Some(true) => number = inner_values(&self.smallest, shape) / 2,
                Some(false) if number > 0 => number /= 2,
                Some(false) | None => return,
            }
        }
    }

    /// Changes one value after the other, the largest first.
    fn change_values(&mut self, change: impl Fn(&[u8], usize) -> Option<Vec<u8>>) {
        let mut number = 0;
        while let Some(bytes) = change(&self.smallest, number) {
            match self.takes(bytes) {
                Some(true) => {}
                Some(false) => number += 1,
                None => return,
            }
        }
    }
}
