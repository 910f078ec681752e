//! An *alignment* says of each piece of the earlier request where the later one has it: kept, moved, rewritten or lost;
//! and what is new there.

use std::collections::{HashMap, HashSet, VecDeque};

use super::piece::Piece;

/// Two requests side by side. Pieces are named by their numbers in both.
#[derive(Debug, Default)]
pub(crate) struct Alignment {
    /// How many pieces are the same at the beginning.
    pub(crate) same: usize,
    /// Pieces that both have, in the order of both, those at the beginning too.
    pub(crate) kept: Vec<(usize, usize)>,
    /// Pieces that both have, but elsewhere.
    pub(crate) moved: Vec<(usize, usize)>,
    /// Whether both have anything, reminders aside.
    pub(crate) is_related: bool,
    /// What is between pieces that were kept, where it is not the same; the last gap has the reply, too.
    pub(crate) gaps: Vec<Gap>,
}

/// What is between two pieces that were kept.
#[derive(Debug, Default)]
pub(crate) struct Gap {
    /// Pieces of the earlier request that the later one does not have.
    pub(crate) lost: Vec<usize>,
    /// Pieces of the later request that the earlier one did not have.
    pub(crate) new: Vec<usize>,
    /// Pieces that are there with other words.
    pub(crate) rewritten: Vec<(usize, usize)>,
    /// Whether nothing was kept before it, reminders aside.
    pub(crate) is_first: bool,
    /// Whether nothing was kept behind it.
    pub(crate) is_last: bool,
}

impl Alignment {
    pub(super) fn of(before: &[Piece<'_>], after: &[Piece<'_>]) -> Self {
        let same = before.iter().zip(after).take_while(|(one, other)| one.said == other.said).count();
        let matched = matched(&before[same..], &after[same..], same);
        let in_order = longest_increasing(&matched);
        let mut kept: Vec<(usize, usize)> = (0..same).map(|index| (index, index)).collect();
        let mut moved = Vec::new();
        for (at, pair) in matched.into_iter().enumerate() {
            if in_order[at] { kept.push(pair) } else { moved.push(pair) }
        }
        let is_said = |&(index, _): &(usize, usize)| !before[index].is_reminder();
        let first_said = kept.iter().find(|pair| is_said(pair)).map(|pair| pair.0);
        let is_alone = before.iter().all(|piece| piece.role != "assistant") && after.iter().any(Piece::is_assistant);
        let is_related = first_said.is_some() || moved.iter().any(is_said) || is_alone;
        let mut gaps = Vec::new();
        let mut from = (same, same);
        let is_moved = |of: fn(&(usize, usize)) -> usize| -> Vec<usize> { moved.iter().map(of).collect() };
        let (moved_from, mut moved_to) = (is_moved(|pair| pair.0), is_moved(|pair| pair.1));
        moved_to.sort_unstable();
        let ends = kept[same..].iter().copied().chain([(before.len(), after.len())]);
        for to in ends {
            let lost = (from.0..to.0).filter(|index| moved_from.binary_search(index).is_err());
            let new = (from.1..to.1).filter(|index| moved_to.binary_search(index).is_err());
            let is_first = first_said.is_none_or(|first| from.0 <= first);
            let is_last = to == (before.len(), after.len());
            let mut gap = Gap { lost: lost.collect(), new: new.collect(), rewritten: Vec::new(), is_first, is_last };
            if !gap.lost.is_empty() || !gap.new.is_empty() {
                if is_related {
                    gap.pair_rewritten(before, after);
                }
                gaps.push(gap);
            }
            from = (to.0 + 1, to.1 + 1);
        }
        Self { same, kept, moved, is_related, gaps }
    }
}

impl Gap {
    /// Takes out what was rewritten: where as many pieces of each sort are new as are lost, they are the same ones.
    /// Thinking may be dropped beside it.
    fn pair_rewritten(&mut self, before: &[Piece<'_>], after: &[Piece<'_>]) {
        // The reply and what follows are new in any case. Without a reply, another prompt took the place of the last.
        let head = match self.is_last {
            true => self.new.iter().position(|&index| after[index].is_assistant()).unwrap_or(0),
            false => self.new.len(),
        };
        let lost: Vec<_> = self.lost.iter().map(|&index| (sort(&before[index]), index)).collect();
        let new: Vec<_> = self.new[..head].iter().map(|&index| (sort(&after[index]), index)).collect();
        let is_thinking = |(sort, _): &&((&str, &str), usize)| sort.1 == "thinking";
        let sorts = |pieces: &[((_, _), usize)]| -> Vec<(String, String)> {
            let said = pieces.iter().filter(|piece| !is_thinking(piece));
            said.map(|((role, kind), _): &((&str, &str), usize)| ((*role).to_owned(), (*kind).to_owned())).collect()
        };
        // A summary takes the place of what both have said.
        let roles: HashSet<&str> = lost.iter().filter(|piece| !is_thinking(piece)).map(|piece| piece.0.0).collect();
        if lost.is_empty() || new.is_empty() || sorts(&lost) != sorts(&new) || self.is_first && roles.len() > 1 {
            return;
        }
        let mut waiting: HashMap<(&str, &str), VecDeque<usize>> = HashMap::new();
        new.iter().for_each(|&(sort, index)| waiting.entry(sort).or_default().push_back(index));
        for (sort, index) in lost {
            let other = waiting.get_mut(&sort).and_then(VecDeque::pop_front);
            self.rewritten.extend(other.map(|other| (index, other)));
        }
        let (lost, new): (HashSet<usize>, HashSet<usize>) = self.rewritten.iter().copied().unzip();
        self.lost.retain(|index| !lost.contains(index));
        self.new.retain(|index| !new.contains(index));
    }
}

/// What a piece is, as far as another may take its place.
fn sort<'a>(piece: &Piece<'a>) -> (&'a str, &'a str) {
    (piece.role, if piece.is_thinking() { "thinking" } else { piece.kind })
}

/// The pieces that both have, in the order of the earlier request: by what they are known by, first come, first served.
fn matched(before: &[Piece<'_>], after: &[Piece<'_>], offset: usize) -> Vec<(usize, usize)> {
    let mut waiting: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (index, piece) in after.iter().enumerate() {
        waiting.entry(piece.name).or_default().push_back(index);
    }
    let of = |(index, piece): (usize, &Piece<'_>)| {
        let other = waiting.get_mut(&piece.name)?.pop_front()?;
        Some((index + offset, other + offset))
    };
    before.iter().enumerate().filter_map(of).collect()
}

/// Which of the pairs belong to the longest run that grows on both sides.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<bool> {
    // The pair on which the shortest run of each length ends, and the pair before each.
    let (mut ends, mut previous): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::with_capacity(pairs.len()));
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end: &usize| pairs[end].1 < pair.1);
        previous.push(length.checked_sub(1).map(|before| ends[before]));
        if length == ends.len() { ends.push(at) } else { ends[length] = at }
    }
    let mut is_in = vec![false; pairs.len()];
    let mut at = ends.last().copied();
    while let Some(index) = at {
        is_in[index] = true;
        at = previous[index];
    }
    is_in
}
