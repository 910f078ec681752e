//! What generated cases hold, counted: a generator that makes other cases shows in the review of one snapshot. Where a
//! change means it, `cargo insta review` takes the new counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use turnproof_suite::scenario::{Case, Profile, Scenario, Seeded, simpler};

use super::labels;

/// How many cases of each profile are measured.
const CASES: u64 = 500;

/// How much of each thing the cases of one profile hold, and how many have each label.
fn counted(profile: Profile) -> BTreeMap<&'static str, usize> {
    let mut counts = labels::counted(profile).clone();
    for number in 0..CASES {
        let scenario = Scenario::generate(&mut Seeded::new(1, number), profile);
        let case = Case::of(&scenario);
        for (what, count) in [
            ("(bytes of plans)", serde_json::to_string(&scenario).unwrap().len()),
            ("(bytes of transcripts)", case.transcript().len()),
            ("(bytes of messages)", case.messages().iter().map(String::len).sum()),
            ("(bytes of arguments)", case.factory_calls().iter().map(|call| call.arguments.len()).sum()),
            ("(items of streams)", case.streams().iter().map(Vec::len).sum()),
            ("(steps of recorders)", case.recording().len()),
        ] {
            *counts.entry(what).or_default() += count;
        }
    }
    counts.extend(shrunk(profile));
    counts
}

/// How many of the cases of each profile are made smaller, and by how many steps at most.
const SHRUNK: u64 = 10;
const STEPS: usize = 60;

/// The plans that shrinking tries on its way from a few cases of one profile down to the smallest: how many there are,
/// and their bytes. Each step takes another one of the plans that were tried.
fn shrunk(profile: Profile) -> [(&'static str, usize); 2] {
    let [mut plans, mut bytes] = [0; 2];
    for number in 0..SHRUNK {
        let mut plan = Scenario::generate(&mut Seeded::new(1, number), profile);
        for step in 0..STEPS {
            let mut tried: Vec<Scenario> = simpler(&plan).collect();
            plans += tried.len();
            bytes += tried.iter().map(|plan| serde_json::to_string(plan).unwrap().len()).sum::<usize>();
            if tried.is_empty() {
                break;
            }
            // Mostly the boldest, and sometimes the last.
            plan = tried.swap_remove(if step % 3 == 0 { 0 } else { step * 31 % tried.len() });
        }
    }
    [("(simpler plans)", plans), ("(bytes of simpler plans)", bytes)]
}

#[test]
fn generators_are_as_they_were_reviewed() {
    reviewed("counted", &Profile::ALL);
}

#[test]
fn plain_dialogues_are_as_they_were_reviewed() {
    reviewed("counted-plain", &[Profile::Plain]);
}

/// Compares what cases of these profiles hold with a snapshot.
fn reviewed(name: &str, profiles: &[Profile]) {
    let by_profile: Vec<_> = profiles.iter().copied().map(counted).collect();
    let mut page = String::new();
    for profile in profiles {
        write!(page, "{:>9} ", profile.name()).unwrap();
    }
    page.push('\n');
    for what in by_profile.iter().flat_map(BTreeMap::keys).collect::<BTreeSet<_>>() {
        for counts in &by_profile {
            write!(page, "{:>9} ", counts.get(*what).copied().unwrap_or_default()).unwrap();
        }
        writeln!(page, "{what}").unwrap();
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/suite");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, page));
}
