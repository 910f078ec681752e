//! How many cases it takes until a fault of each family is detected, with any seed.
//!
//! The bounds are about twice what the slowest of five seeds took; a generator that reaches less breaks them.

use rayon::prelude::*;
use turnproof_faults as faults;
use turnproof_suite::scenario::Case;
use turnproof_suite::suite::Depth;

const SEEDS: std::ops::Range<u64> = 1..6;

/// Faults, and within how many cases of each seed they are detected.
const BOUNDS: [(&str, u64); 22] = [
    ("parse/loses-the-last-line", 250),
    ("parse/trusts-types", 150),
    ("normalize_api/sends-half-a-character", 250),
    ("normalize_api/sends-a-refused-reply", 600),
    ("normalize_api/counts-from-the-end", 80),
    ("normalize_api/marks-two-turns-for-the-cache", 80),
    ("normalize_api/keeps-a-repeated-call", 130),
    ("normalize_api/keeps-a-server-call-without-result", 260),
    ("normalize_api/turns-thinking-around", 400),
    ("normalize_ui/one-id-for-all-blocks", 45),
    ("normalize_ui/shows-the-first-block", 20),
    ("reorder_ui/hooks-before-results", 250),
    ("derive_uuid/decimal-index", 20),
    ("derive_uuid/upper-case", 20),
    ("short_id/never-refuses", 40),
    ("record/chains-to-virtual-messages", 100),
    ("record/writes-virtual-messages", 80),
    ("resume/brings-back-the-withdrawn", 100),
    ("resume/first-of-a-uuid-wins", 100),
    ("accumulate/appends-signatures", 100),
    ("accumulate/joins-data-without-line-ends", 250),
    ("play/sends-before-the-queue-joins", 150),
];

#[test]
fn each_fault_is_detected_within_its_bound_with_every_seed() {
    let slow: Vec<String> = BOUNDS.par_iter().flat_map(|&(id, bound)| slow_seeds(id, bound)).collect();
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// The seeds that do not detect a fault within a bound.
fn slow_seeds(id: &str, bound: u64) -> Vec<String> {
    let Some(fault) = faults::find(id) else {
        return vec![format!("no fault {id}")];
    };
    let is_detected = |seed: &u64| {
        let options = fault.options(*seed, bound);
        (0..bound).any(|case| fault.is_detected(&Case::of(&options.scenario(case)), Depth::Sample(case)))
    };
    let slow = SEEDS.filter(|seed| !is_detected(seed));
    slow.map(|seed| format!("{id}: not detected within {bound} cases of seed {seed}")).collect()
}
