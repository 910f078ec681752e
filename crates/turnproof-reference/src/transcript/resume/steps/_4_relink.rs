//! *Relinking* puts what a boundary preserves after its anchor.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use super::_2_nodes::Nodes;
use crate::transcript::resume::answer::Missing;
use crate::transcript::resume::survey::{Preserves, Sort};

/// What a boundary preserves, found in the file.
#[derive(Clone, Debug)]
pub(crate) struct Preserved {
    pub(crate) anchor: u32,
    /// The nodes, each to be put after the one before; at least one.
    pub(crate) list: Vec<u32>,
    /// From the head to the tail of a segment, as the boundary found them.
    pub(crate) segment: Option<RangeInclusive<u32>>,
    /// `preservedMessages.allUuids`, as names.
    pub(crate) all: Vec<u32>,
}

/// Finds what boundaries preserve; kept, so that copies are looked for once.
pub(crate) struct Finder<'n, 'a> {
    nodes: &'n Nodes<'a>,
    copies: Copies,
    /// How many more records the walks of segments may pass.
    steps: Cell<u64>,
    /// The boundaries whose segments are too much.
    overlapping: HashSet<u32>,
}

/// How often each record of a file may be passed, on average, by walks of segments.
const PASSES: u64 = 64;

impl<'n, 'a> Finder<'n, 'a> {
    pub(crate) fn new(nodes: &'n Nodes<'a>) -> Self {
        let has_some = !nodes.survey.preserves.is_empty();
        let copies = if has_some { Copies::new(nodes) } else { Copies(Vec::new()) };
        let steps = Cell::new(u64::MAX);
        let mut finder = Self { nodes, copies, steps, overlapping: HashSet::new() };
        // Fewer boundaries cannot walk so far.
        if nodes.survey.preserves.len() as u64 > PASSES {
            finder.overlapping = finder.overlapping();
        }
        finder
    }

    /// The boundaries that come too late, counted from the end of the file, for all segments to be walked.
    fn overlapping(&self) -> HashSet<u32> {
        self.steps.set(PASSES * self.nodes.survey.facts.len() as u64);
        let boundaries: Vec<_> = self.boundaries().collect();
        let too_much = boundaries
            .into_iter()
            .rev()
            .filter(|(boundary, preserves)| matches!(self.find(*boundary, preserves), Err(Missing::Overlaps)));
        let too_much = too_much.map(|(boundary, _)| boundary).collect();
        self.steps.set(u64::MAX);
        too_much
    }

    /// The boundaries that say that they preserve something, in file order.
    fn boundaries(&self) -> impl Iterator<Item = (u32, &'a Preserves)> + use<'n, 'a> {
        let (nodes, survey) = (self.nodes, self.nodes.survey);
        let preserves = survey.preserves.iter().map(|(boundary, preserves)| (*boundary, preserves));
        preserves.filter(move |(boundary, _)| nodes.is_node(*boundary))
    }

    /// What a boundary preserves; nothing when it says nothing of it, or when a part is missing.
    pub(crate) fn of(&self, boundary: u32) -> Option<Preserved> {
        let preserves = &self.nodes.survey.preserves;
        let at = preserves.binary_search_by_key(&boundary, |(boundary, _)| *boundary).ok()?;
        self.find(boundary, &preserves[at].1).ok()
    }

    fn find(&self, boundary: u32, preserves: &Preserves) -> Result<Preserved, Missing> {
        match preserves {
            Preserves::Messages { anchor, uuids, all } => {
                messages(self.nodes, boundary, *anchor, uuids.as_deref(), all)
            }
            Preserves::Segment { .. } if self.overlapping.contains(&boundary) => Err(Missing::Overlaps),
            Preserves::Segment { head, anchor, tail } => self.segment(boundary, [*head, *anchor, *tail]),
        }
    }

    fn segment(&self, boundary: u32, [head, anchor, tail]: [u32; 3]) -> Result<Preserved, Missing> {
        let nodes = self.nodes;
        let last_before = |uuid| self.copies.last_before(nodes, uuid, boundary);
        let head = last_before(head).ok_or(Missing::Head)?;
        let tail = last_before(tail).ok_or(Missing::Tail)?;
        let mut uuids = Vec::new();
        let mut at = tail;
        // A walk that is longer than there are records before the boundary comes to one a second time.
        let mut left = boundary;
        loop {
            left = left.checked_sub(1).ok_or(Missing::Walk)?;
            self.steps.set(self.steps.get().checked_sub(1).ok_or(Missing::Overlaps)?);
            if nodes.fact(at).is_participant() {
                uuids.push(nodes.fact(at).uuid);
            }
            if at == head {
                break;
            }
            let parent = nodes.survey.named_parent(at).and_then(last_before);
            at = parent.ok_or(Missing::Walk)?;
        }
        uuids.reverse();
        let anchor = find_anchor(nodes, boundary, anchor, |anchor| uuids.contains(&anchor))?;
        let list: Vec<u32> = uuids.iter().filter_map(|&uuid| nodes.standing(uuid)).collect();
        if list.is_empty() {
            return Err(Missing::Walk);
        }
        if list.contains(&boundary) {
            return Err(Missing::Itself);
        }
        Ok(Preserved { anchor, list, segment: Some(head..=tail), all: Vec::new() })
    }
}

fn messages(
    nodes: &Nodes<'_>,
    boundary: u32,
    anchor: u32,
    uuids: Option<&[u32]>,
    all: &[u32],
) -> Result<Preserved, Missing> {
    let uuids = uuids.filter(|uuids| !uuids.is_empty()).ok_or(Missing::List)?;
    let different: HashSet<u32> = uuids.iter().copied().collect();
    if different.len() < uuids.len() {
        return Err(Missing::List);
    }
    let list: Vec<u32> = uuids.iter().filter_map(|&uuid| nodes.participant(uuid)).collect();
    if list.len() < uuids.len() {
        let (missing, named) = ((uuids.len() - list.len()) as u64, uuids.len() as u64);
        return Err(Missing::Messages { missing, named });
    }
    if list.contains(&boundary) {
        return Err(Missing::Itself);
    }
    let anchor = find_anchor(nodes, boundary, anchor, |anchor| different.contains(&anchor))?;
    Ok(Preserved { anchor, list, segment: None, all: all.to_vec() })
}

fn find_anchor(nodes: &Nodes<'_>, boundary: u32, anchor: u32, is_listed: impl Fn(u32) -> bool) -> Result<u32, Missing> {
    let found = nodes.participant(anchor).filter(|&at| at >= boundary && !is_listed(anchor));
    found.ok_or(Missing::Anchor)
}

/// The records whose uuids repeat, by uuid and place.
struct Copies(Vec<(u32, u32)>);

impl Copies {
    fn new(nodes: &Nodes<'_>) -> Self {
        let repeated = nodes.indexes().filter(|&at| nodes.is_repeated(at));
        let mut copies: Vec<(u32, u32)> = repeated.map(|at| (nodes.fact(at).uuid, at)).collect();
        copies.sort_unstable();
        Self(copies)
    }

    /// The last record of the conversation with this uuid that stands before the boundary.
    fn last_before(&self, nodes: &Nodes<'_>, uuid: u32, boundary: u32) -> Option<u32> {
        let standing = nodes.standing(uuid)?;
        if standing < boundary {
            return Some(standing);
        }
        let after = self.0.partition_point(|&copy| copy < (uuid, boundary));
        let &(name, at) = self.0.get(after.checked_sub(1)?)?;
        (name == uuid).then_some(at)
    }
}

/// Moves parents as boundaries say, in file order, in time linear in the lists and in the file.
///
/// A node's parent is kept as a *slot* while the node lies after the boundary at hand: the numbers of
/// nodes are the slots that they own at first. Moving all that hang on the anchor under the last of the list
/// joins one slot to another, and the anchor owns a new one from then on. Once a boundary lies after a
/// node, its parent can no more be moved that way, and is settled.
///
/// Gives the boundaries that preserve nothing, and for each node that is preserved the last boundary that does.
pub(crate) fn relink(finder: &Finder<'_, '_>, parents: &mut [u32]) -> (Vec<(u32, Missing)>, HashMap<u32, Relink>) {
    let count = parents.len() as u32;
    let mut slots = Slots { count, ..Slots::default() };
    let mut failed = Vec::new();
    let mut last = HashMap::new();
    let mut settled = 0;
    for (boundary, preserves) in finder.boundaries() {
        let Preserved { anchor, list, .. } = match finder.find(boundary, preserves) {
            Ok(preserved) => preserved,
            Err(missing) => {
                failed.push((boundary, missing));
                continue;
            }
        };
        for at in settled..=boundary {
            parents[at as usize] = slots.parent(parents[at as usize]);
        }
        settled = boundary + 1;
        slots.join(anchor, list[list.len() - 1]);
        last.extend(list.iter().map(|&at| (at, Relink { boundary, anchor })));
        let befores = std::iter::once(anchor).chain(list.iter().copied());
        for (&at, before) in list.iter().zip(befores) {
            // A boundary has no parent, whatever names it.
            if finder.nodes.fact(at).sort != Sort::Boundary {
                parents[at as usize] = if at <= boundary { before } else { slots.own(before) };
            }
        }
        for &at in &list {
            // What names it from here on hangs on it as the boundary has just put it.
            slots.named.insert(at, slots.of(at));
        }
    }
    for at in settled..count {
        parents[at as usize] = slots.parent(parents[at as usize]);
    }
    (failed, last)
}

/// Who relinked a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relink {
    pub(crate) boundary: u32,
    /// The anchor after which it put its list.
    pub(crate) anchor: u32,
}

/// Who owns which slot.
#[derive(Default)]
struct Slots {
    /// Slots below this are those of the nodes with the same number.
    count: u32,
    /// The owners of the slots from `count` on.
    owners: Vec<u32>,
    /// The slots that were joined to others.
    joined: HashMap<u32, u32>,
    /// The slots of the nodes that do not own their first one any more.
    current: HashMap<u32, u32>,
    /// For the nodes that boundaries list the slots that they owned then: what names them later is put there.
    named: HashMap<u32, u32>,
}

impl Slots {
    /// The slot that a node owns.
    fn of(&self, node: u32) -> u32 {
        self.current.get(&node).copied().unwrap_or(node)
    }

    /// Gives what hangs on `from` to `to`.
    fn join(&mut self, from: u32, to: u32) {
        self.joined.insert(self.of(from), self.of(to));
        self.add(from);
    }

    /// A new slot for a node.
    fn add(&mut self, node: u32) -> u32 {
        let slot = self.count + self.owners.len() as u32;
        self.owners.push(node);
        self.current.insert(node, slot);
        slot
    }

    /// The slot that a node owns, other than its first one: that is for what names the node.
    fn own(&mut self, node: u32) -> u32 {
        match self.of(node) {
            first if first == node => self.add(node),
            slot => slot,
        }
    }

    /// The parent of a node that names one, or that a boundary put into a slot.
    fn parent(&mut self, named: u32) -> u32 {
        self.owner(self.named.get(&named).copied().unwrap_or(named))
    }

    /// The node that owns a slot now; what is no slot stays.
    fn owner(&mut self, slot: u32) -> u32 {
        let mut root = slot;
        while let Some(&next) = self.joined.get(&root) {
            root = next;
        }
        let mut at = slot;
        while at != root {
            at = self.joined.insert(at, root).unwrap_or(root);
        }
        match root.checked_sub(self.count) {
            Some(extra) => self.owners.get(extra as usize).copied().unwrap_or(root),
            None => root,
        }
    }
}
