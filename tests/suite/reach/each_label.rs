//! *Each label* has an example, and fuzz bytes reach labels too.

use std::collections::BTreeSet;

use arbitrary::{Arbitrary, Unstructured};
use turnproof::scenario::{Case, LABELS, Profile, Scenario, Seeded, Source};

#[test]
fn every_label_has_an_example_within_some_thousand_cases() {
    let mut missing: BTreeSet<usize> = (0..LABELS.len()).collect();
    // Conversations take longest, and few of them are enough.
    let most =
        [(Profile::Plain, 4_000), (Profile::Shuffled, 10_000), (Profile::Hostile, 7_000), (Profile::Causal, 3_000)];
    for (profile, cases) in most {
        for case in 0..cases {
            let is_possible = |place: &usize| LABELS[*place].profile.is_none_or(|wanted| wanted == profile);
            if !missing.iter().any(is_possible) {
                break;
            }
            let plan = Scenario::from_seed(7, case, profile);
            for place in Case::of(&plan).labels().places() {
                missing.remove(&place);
            }
        }
    }
    let missing: Vec<&str> = missing.into_iter().map(|place| LABELS[place].name).collect();
    assert!(missing.is_empty(), "without an example: {missing:?}");
}

#[test]
fn arbitrary_bytes_reach_labels_too() {
    // Bytes describe a plain dialogue only where that is asked for.
    let mut missing: BTreeSet<usize> =
        (0..LABELS.len()).filter(|place| LABELS[*place].profile != Some(Profile::Plain)).collect();
    for input in 0..20_000 {
        let mut random = Seeded::new(11, input);
        let length = 64 + random.below(2_000);
        let bytes: Vec<u8> = (0..length).map(|_| random.byte(255)).collect();
        let plan = Scenario::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        for place in Case::of(&plan).labels().places() {
            missing.remove(&place);
        }
        if missing.len() * 10 <= LABELS.len() {
            return;
        }
    }
    let missing: Vec<&str> = missing.into_iter().map(|place| LABELS[place].name).collect();
    panic!("{} of {} labels are not reached: {missing:?}", missing.len(), LABELS.len());
}
