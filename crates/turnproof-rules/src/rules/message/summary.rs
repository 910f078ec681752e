//! The *summary* of a compaction follows its boundary.

use crate::rules::Report;
use crate::rules::facts::{Facts, NodeKind};
use crate::rules::links::{Ancestry, Links};

/// The parent of each summary is its boundary, or what was kept between the two. A summary has lost its boundary if one
/// without a summary comes before it in the file and is not its ancestor. Where a parent is not in the file,
/// `chain/parent-exists` says so.
pub(super) fn follows_boundary(facts: &Facts, report: &mut Report<'_>) {
    if facts.summaries.is_empty() {
        return;
    }
    let links = Links::new(facts);
    let bare = bare_boundaries(facts, &links);
    if bare.is_empty() {
        return;
    }
    let ancestry = Ancestry::new(&links);
    for summary in facts.summaries.iter().map(|&summary| summary as usize) {
        let before = bare.partition_point(|boundary| *boundary < summary);
        let Some(&boundary) = bare[..before].last() else { continue };
        let (kind, found) = match links.parent(summary) {
            Some(parent) if is_boundary(facts, parent) || ancestry.leads_to(parent, boundary) => continue,
            Some(parent) => {
                let line = facts.nodes[parent].line;
                ("other-parent", sentence!("the parent of the summary, on line {line}, is no boundary", line))
            }
            None if facts.nodes[summary].parent().is_some() => continue,
            None => ("no-parent", "the summary has no parent".into()),
        };
        let boundary = facts.nodes[boundary].line;
        let found = sentence!("{found}, and the boundary on line {boundary} has no summary", found, boundary);
        let expected = "the boundary of its compaction as its parent";
        report.add(facts.place(summary, "parentUuid"), kind, found, expected);
    }
}

/// The boundaries that are the parent of no summary, in file order.
fn bare_boundaries(facts: &Facts, links: &Links) -> Vec<usize> {
    let mut parents: Vec<usize> = facts.summaries.iter().filter_map(|&node| links.parent(node as usize)).collect();
    parents.sort_unstable();
    let is_bare = |node: &usize| is_boundary(facts, *node) && parents.binary_search(node).is_err();
    (0..facts.nodes.len()).filter(is_bare).collect()
}

fn is_boundary(facts: &Facts, node: usize) -> bool {
    facts.nodes[node].kind == NodeKind::Boundary
}
