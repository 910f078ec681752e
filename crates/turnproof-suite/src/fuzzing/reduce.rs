//! To *reduce* a session is to leave out what is not needed to show something: lines first, then members and elements,
//! then the insides of values and the ends of texts. When a record is removed, its children get its parent, or else
//! keep their link.

use std::collections::{HashMap, HashSet};

use twox_hash::XxHash3_128;

use crate::transcript::Transcript;

use super::mutate::Shape;
use super::mutate::plainer::{with_short_value, with_shorter_text, without_value};
use super::smaller::fewer_parts;

/// The smallest session that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// Its bytes. Lines that are as they were have the same bytes.
    pub bytes: Vec<u8>,
    /// How many smaller sessions were tried.
    pub tries: usize,
    /// Whether there was more to try than was allowed.
    pub is_cut_off: bool,
}

/// The smallest session found in at most so many tries of which `shows` holds, as it does of `bytes`. Nothing more is
/// tried once it gives `None`. The same tries are made each time, and none is made twice.
///
/// ```
/// use turnproof_suite::fuzzing::reduce;
///
/// let file = b"{\"type\":\"user\",\"uuid\":\"u1\"}\n{\"type\":\"tag\",\"tag\":\"x\"}\n";
/// let reduced = reduce(file, 1_000, &mut |bytes| {
///     Some(bytes.windows(3).any(|part| part == b"tag"))
/// });
/// assert_eq!(reduced.bytes, b"{\"tag\":\"\"}\n");
/// ```
pub fn reduce(bytes: &[u8], tries: usize, shows: &mut dyn FnMut(&[u8]) -> Option<bool>) -> Reduced {
    let mut search = Search { smallest: bytes.to_vec(), tried: HashSet::new(), most: tries, is_cut_off: false, shows };
    loop {
        let before = search.smallest.len();
        search.try_lines();
        search.try_values(without_value);
        search.try_values(with_short_value);
        search.try_values(with_shorter_text);
        if search.smallest.len() == before || search.is_cut_off {
            break;
        }
    }
    Reduced { tries: search.tried.len(), is_cut_off: search.is_cut_off, bytes: search.smallest }
}

struct Search<'s> {
    smallest: Vec<u8>,
    /// What was tried, by hash.
    tried: HashSet<u128>,
    most: usize,
    /// Whether there was more to try than was allowed.
    is_cut_off: bool,
    shows: &'s mut dyn FnMut(&[u8]) -> Option<bool>,
}

impl Search<'_> {
    /// Takes a session when it still shows it; gives whether it did.
    fn takes(&mut self, bytes: Vec<u8>) -> bool {
        let hash = XxHash3_128::oneshot(&bytes);
        if self.is_cut_off || self.tried.contains(&hash) {
            return false;
        }
        let shows = if self.tried.len() < self.most { (self.shows)(&bytes) } else { None };
        self.is_cut_off = shows.is_none();
        if shows.is_some() {
            self.tried.insert(hash);
        }
        if shows == Some(true) {
            self.smallest = bytes;
        }
        shows == Some(true)
    }

    fn try_lines(&mut self) {
        let lines: Vec<Vec<u8>> = self.smallest.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        fewer_parts(lines, |before, after| {
            if self.is_cut_off {
                return None;
            }
            let left = [before, after].concat();
            let linked = linked(&self.smallest, &left);
            let is_other = linked != left;
            if self.takes(linked.concat()) {
                return Some(Some(linked));
            }
            Some((is_other && self.takes(left.concat())).then_some(left))
        });
    }

    /// Tries each step of one kind, the largest value first.
    fn try_values(&mut self, step: fn(&[u8], Shape, usize) -> Option<Vec<u8>>) {
        let mut number = 0;
        while let Some(bytes) = step(&self.smallest, Shape::Transcript, number) {
            if self.is_cut_off {
                return;
            }
            let is_shorter = bytes.len() < self.smallest.len();
            if !is_shorter || !self.takes(bytes) {
                number += 1;
            }
        }
    }
}

/// The lines that are left, each with the nearest ancestor that is left as its parent.
fn linked(all: &[u8], left: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let transcript = Transcript::from_bytes(all.to_vec());
    // The parent of each record, as it is written: a string with its quotes.
    let mut parents: HashMap<Vec<u8>, Vec<u8>> = HashMap::new();
    for record in transcript.records() {
        if let Some(uuid) = record.head.uuid {
            let parent = record.head.parent.map_or(b"null".to_vec(), |parent| parent.of(record.bytes).to_vec());
            parents.entry(uuid.of(record.bytes).to_vec()).or_insert(parent);
        }
    }
    let lines = left.iter().map(|line| Transcript::from_bytes(line.clone())).collect::<Vec<_>>();
    let kept: HashSet<Vec<u8>> = lines
        .iter()
        .flat_map(|line| line.records().filter_map(|record| Some(record.head.uuid?.of(record.bytes).to_vec())))
        .collect();
    let line = |line: &Transcript| {
        let Some(record) = line.records().next().filter(|_| line.len() == 1) else { return line.bytes().to_vec() };
        let Some(place) = record.head.parent else { return line.bytes().to_vec() };
        let mut parent = place.of(record.bytes).to_vec();
        // A circle has no end.
        for _ in 0..parents.len() {
            match parents.get(&parent).filter(|_| !kept.contains(&parent)) {
                Some(above) => parent = above.clone(),
                None => break,
            }
        }
        let (start, end) = (record.start as usize + place.start as usize, record.start as usize + place.end as usize);
        [&line.bytes()[..start], &parent, &line.bytes()[end..]].concat()
    };
    lines.iter().map(line).collect()
}
