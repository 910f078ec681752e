//! A *terminal* is where a walk may start; what was *compacted away* gives none (part 3 of the
//! [definition](super)).

use super::nodes::{IS_PARENT, Nodes};
use super::parents::Parents;

/// The terminals, in file order; marks which nodes are parents.
pub(super) fn terminals(nodes: &mut Nodes<'_>, parents: &Parents) -> Vec<u32> {
    let away = CompactedAway::new(nodes, parents);
    for at in nodes.indexes().filter(|&at| !away.has(at)) {
        if let Some(parent) = parents.of(at) {
            nodes.mark(parent, IS_PARENT);
        }
    }
    nodes.all().filter(|&at| !nodes.has(at, IS_PARENT) && !away.has(at)).collect()
}

/// For each node the last boundary that compacted it away, and 1; or 0. Empty where nothing is relinked.
struct CompactedAway(Vec<u32>);

impl CompactedAway {
    fn new(nodes: &Nodes<'_>, parents: &Parents) -> Self {
        if !parents.are_relinked() {
            return Self(Vec::new());
        }
        let mut away = Self(vec![0; nodes.survey.facts.len()]);
        let mut is_walked = vec![false; nodes.survey.facts.len()];
        let mut walk = Vec::new();
        for start in nodes.all() {
            let mut next = Some(start);
            while let Some(at) = next.filter(|&at| !std::mem::replace(&mut is_walked[at as usize], true)) {
                walk.push(at);
                next = parents.of(at);
            }
            // Where bridges close a circle, what is found at its end counts at its beginning, too.
            for &at in walk.iter().rev().chain(walk.iter().rev()) {
                away.0[at as usize] = away.by(parents, at);
            }
            walk.clear();
        }
        away
    }

    /// The boundary, and 1, that compacts a node away when what is known of its parent holds.
    fn by(&self, parents: &Parents, at: u32) -> u32 {
        let Some(parent) = parents.of(at) else { return 0 };
        let relinked = |node| parents.relinked_by(node).map_or(0, |boundary| boundary + 1);
        let boundary = relinked(parent).max(self.0[parent as usize]);
        if at + 1 < boundary && relinked(at) < boundary { boundary } else { 0 }
    }

    fn has(&self, at: u32) -> bool {
        self.0.get(at as usize).is_some_and(|&boundary| boundary > 0)
    }
}
