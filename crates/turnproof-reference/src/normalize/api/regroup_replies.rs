//! Stage *regroup replies*: the lines of one reply become one message again (SPEC.md section 6.6).
//!
//! Lines with the same `message.id` are joined, whatever is between them. Grouping by neighbourhood split the
//! thinking of concurrent agents' replies, and the API refused them (issue 63155 of anthropics/claude-code).

use std::collections::HashMap;

use super::draft::Draft;
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "regroup replies",
    title: "lines with the same message id become one reply, where the first one stands",
    repairs: false,
    run: Run::Drafts(regroup_replies),
};

fn regroup_replies<'a>(drafts: Vec<Draft<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    let mut regrouped: Vec<Draft<'a>> = Vec::with_capacity(drafts.len());
    let mut first_of: HashMap<&str, usize> = HashMap::new();
    for draft in drafts {
        let next = regrouped.len();
        let first = draft.reply.map_or(next, |reply| *first_of.entry(reply).or_insert(next));
        if first == next {
            regrouped.push(draft);
            continue;
        }
        if let (Some(at), Some(into)) = (draft.source, regrouped[first].source) {
            pass.notes.add(at, Effect::Merged { into }, || "a line of the same reply");
        }
        regrouped[first].join(draft);
    }
    regrouped
}
