//! *Rows* of the format's tables in generated cases: what is added to a table is drawn.

use std::collections::BTreeSet;

use turnproof_format::attachments::ATTACHMENTS;
use turnproof_format::shapes::BLOCK_TYPES;
use turnproof_format::{SIDE_KINDS, SUBTYPES};
use turnproof_suite::scenario::{Case, Profile, Scenario, Seeded};

/// After so many cases without it, a row counts as missing.
const CASES: u64 = 5000;

#[test]
fn every_attachment_side_record_subtype_and_type_of_block_is_drawn() {
    let kinds = ATTACHMENTS.iter().map(|row| row.kind);
    let types = kinds.chain(SIDE_KINDS.iter().copied()).chain(BLOCK_TYPES).map(|name| format!(r#""type":"{name}""#));
    let subtypes = SUBTYPES.iter().map(|name| format!(r#""subtype":"{name}""#));
    let mut missing: BTreeSet<String> = types.chain(subtypes).collect();
    for number in 0..CASES {
        if missing.is_empty() {
            return;
        }
        let profile = Profile::ALL[number as usize % Profile::ALL.len()];
        let scenario = Scenario::generate(&mut Seeded::new(1, number), profile);
        let case = Case::of(&scenario);
        let transcript = String::from_utf8_lossy(case.transcript());
        missing.retain(|member| !transcript.contains(member.as_str()));
    }
    panic!("no case has {missing:?}");
}
