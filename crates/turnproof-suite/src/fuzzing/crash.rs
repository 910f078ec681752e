//! `crash`: a plan's transcript, cut where a crash leaves it.

use twox_hash::XxHash3_64;

use crate::operation::{Operation, Resumed, go_on};
use crate::scenario::{Case, Profile, Scenario};
use crate::subject::Subject;
use crate::suite::{Depth, Observed};

use super::{Law, Target, hold};

/// A crash at any byte, and going on after it.
pub const CRASH: Target = Target {
    name: "crash",
    title: "a file that ends anywhere gives a beginning of its conversation, and later records continue it",
    law: Law::Plan(crash, &Profile::ALL),
    shape: None,
};

fn crash(subject: &dyn Subject, scenario: &Scenario, depth: Depth) {
    let case = Case::of(scenario);
    let file = case.transcript();
    let cuts = cuts(scenario, file.len() as u64, depth);
    let ask = |file: &[u8]| subject.resume(file).into_answer();
    let Some(answer) = ask(file) else { return };
    // Where links are random, a next message may hang on a record from beside the chain, and so change the chain.
    let goes_on = scenario.profile() == Profile::Causal;
    let resumed = Resumed {
        file: file.to_vec(),
        answer,
        again: None,
        cuts: cuts.iter().filter_map(|&cut| Some((cut, ask(&file[..cut as usize])?))).collect(),
        continued: cuts.iter().filter(|_| goes_on).filter_map(|&cut| go_on(subject, file, cut)).collect(),
        recorded: None,
    };
    let observed = Observed::from(resumed);
    hold(&observed, &[Operation::Resume]);
}

/// At how many more places a file is cut when all is asked.
const SPREAD: u64 = 8;

/// Where the file is cut, in bytes: at a place that the plan gives, and so is stable under shrinking; when all is
/// asked, at more places all over the file.
fn cuts(scenario: &Scenario, length: u64, depth: Depth) -> Vec<u64> {
    let index = scenario.indexes.first().copied().unwrap_or_default();
    let planned = XxHash3_64::oneshot(&index.to_le_bytes()) % (length + 1);
    let spread = (0..SPREAD).map(|part| length * part / SPREAD).filter(|_| depth == Depth::Whole);
    let mut cuts: Vec<u64> = spread.chain([planned]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}
