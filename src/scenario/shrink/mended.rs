//! What happened to a line on disk, said by lines that are well-formed.

use super::super::pool::PoolText;
use crate::scenario::{BlockPlan, Damage, LineKind, LinePlan, Profile, Scenario, Sort};

/// The plans of well-formed lines that may do for a plan of damaged ones: without the damage, and, where there
/// is one damage alone, with a line that says the same.
pub(super) fn mended(plan: &Scenario) -> Vec<Scenario> {
    if plan.profile != Profile::Hostile {
        return Vec::new();
    }
    let mut lines = plan.lines.clone();
    lines.iter_mut().for_each(|line| line.damage.clear());
    let mut damages = plan.lines.iter().enumerate().flat_map(|(at, line)| line.damage.iter().map(move |it| (at, *it)));
    let said = match (damages.next(), damages.next()) {
        (Some((at, damage)), None) => said(&lines, at, damage),
        _ => None,
    };
    let of = |lines| Scenario { profile: Profile::Shuffled, lines, ..plan.clone() };
    std::iter::once(lines).chain(said).map(of).collect()
}

/// Lines that say what the damage of a line did.
fn said(lines: &[LinePlan], at: usize, damage: Damage) -> Option<Vec<LinePlan>> {
    let mut said = lines.to_vec();
    match (damage.sort, damage.number) {
        (Sort::Twice, _) => said.insert(at, lines[at].clone()),
        (Sort::Overwrite, _) => said[at] = lines.get(at + 1)?.clone(),
        (Sort::RepeatedKey, 1) => said[at].kind = LineKind::REPLY,
        (Sort::LoneSurrogate, which) => {
            let halves = [PoolText::HalfAPair, PoolText::SwappedPair];
            said[at].blocks = vec![BlockPlan::text(halves[usize::from(which % 2)])];
        }
        _ => return None,
    }
    Some(said)
}
