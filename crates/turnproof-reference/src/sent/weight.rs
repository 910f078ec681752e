//! How *large* requests are, and how much of each is as in the one before: by the notes alone.

use std::collections::HashMap;

use super::body::first_turns;
use super::hash::Hash;
use super::lines::Source;
use super::note::SentRequest;
use super::notes::Notes;

/// How large a request is, in bytes of its system prompt, tools and turns as the file holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// All of it.
    pub bytes: u64,
    /// What it begins with as the one before does; `None` for the first one.
    pub same: Option<u64>,
    /// Whether it begins with all of the one before.
    pub is_continued: bool,
}

/// So many requests are followed to the one that has a turn first.
const STEPS: usize = 4_096;

pub(super) fn weights(notes: &Notes, from: usize) -> Vec<Option<Weight>> {
    let mut weights = Weights { notes, known: HashMap::new(), totals: Vec::new(), tails: Vec::new() };
    let mut newest: HashMap<Option<&str>, usize> = HashMap::new();
    let mut found = Vec::new();
    for (index, request) in notes.requests.iter().enumerate() {
        let before = newest.insert(request.agent.as_deref(), index);
        let total = weights.add(request);
        if index >= from {
            found.push(total.and_then(|turns| weights.weight(request, turns, before)));
        }
    }
    found
}

/// Bytes of turns, request by request.
struct Weights<'a> {
    notes: &'a Notes,
    known: HashMap<Hash, Option<u64>>,
    /// Those of all turns of each request so far, and of its new ones.
    totals: Vec<Option<u64>>,
    tails: Vec<Option<u64>>,
}

impl Weights<'_> {
    /// Takes the next request; gives the bytes of all its turns.
    fn add(&mut self, request: &SentRequest) -> Option<u64> {
        let tail = self.turns(&request.tail);
        let kept = match &request.base {
            Some(base) if base.keep > 0 => base.index.and_then(|index| self.first(index, base.keep)),
            _ => Some(0),
        };
        let total = tail.zip(kept).map(|(tail, kept)| tail + kept);
        self.totals.push(total);
        self.tails.push(tail);
        total
    }

    /// The bytes of the first turns of a request.
    fn first(&mut self, index: usize, wanted: u64) -> Option<u64> {
        let notes = self.notes;
        let mut at = index;
        for _ in 0..STEPS {
            let request = &notes.requests[at];
            if request.turns()? == wanted {
                return self.totals[at];
            }
            let kept = request.base.as_ref().map_or(0, |base| base.keep);
            if let Some(new) = wanted.checked_sub(kept) {
                let own = request.tail.get(..usize::try_from(new).ok()?)?;
                return Some(self.totals[at]? - self.tails[at]? + self.turns(own)?);
            }
            at = request.base_index()?;
        }
        None
    }

    fn turns(&mut self, hashes: &[Hash]) -> Option<u64> {
        hashes.iter().map(|hash| self.turn(hash)).sum()
    }

    fn turn(&mut self, hash: &Hash) -> Option<u64> {
        let notes = self.notes;
        *self.known.entry(*hash).or_insert_with(|| {
            let of_lines = |lines: &[u32]| lines.iter().map(|line| notes.lines.all[*line as usize].bytes).sum();
            Some(match notes.turns.get(hash)? {
                Source::Blob(blob) => notes.blobs[*blob].bytes,
                Source::Reply(lines) => of_lines(lines),
                Source::User { first, last } => of_lines(&notes.lines.of_user[*first as usize..=*last as usize]),
            })
        })
    }

    /// A request held against the one that it names, or else the newest of the same agent.
    fn weight(&mut self, request: &SentRequest, turns: u64, newest: Option<usize>) -> Option<Weight> {
        let shape = self.notes.shapes.get(&request.shape)?.bytes;
        let whole = Weight { bytes: shape + turns, same: None, is_continued: false };
        let Some(before) = request.base_index().or(newest) else { return Some(whole) };
        let earlier = &self.notes.requests[before];
        if earlier.shape != request.shape {
            return Some(Weight { same: Some(0), ..whole });
        }
        let (kept, same) = match &request.base {
            Some(base) if base.keep > 0 => (base.keep, self.first(before, base.keep)?),
            _ => {
                let others = first_turns(self.notes, before, request.tail.len()).ok()?;
                let pairs = request.tail.iter().zip(&others);
                let kept = pairs.take_while(|(one, other)| one == other).count();
                (kept as u64, self.turns(&request.tail[..kept])?)
            }
        };
        Some(Weight { same: Some(shape + same), is_continued: earlier.turns() == Some(kept), ..whole })
    }
}
