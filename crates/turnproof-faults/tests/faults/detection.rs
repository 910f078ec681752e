//! The rule of each fault detects it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;
use turnproof_faults::{self as faults, Fault};
use turnproof_rules::operation::{Made, Operation};
use turnproof_rules::rules::{CATALOGUE, Judge, Rule, find};
use turnproof_suite::scenario::{Case, Profile};
use turnproof_suite::subject::Reference;
use turnproof_suite::suite::{Depth, Observed, Options};

fn cases(cases: u64) -> Options {
    Options { seed: 7, cases, ..Options::default() }
}

#[test]
fn every_fault_is_detected_by_its_rule_within_a_thousand_cases() {
    let free: Vec<_> = [None, Some(Profile::Plain)].into_iter().flat_map(free).collect();
    assert!(free.is_empty(), "not detected: {free:#?}");
    assert!(faults::all().all(|fault| matches!(fault.profile, None | Some(Profile::Plain))));
}

/// The faults of a profile that a thousand cases of it do not detect, each with its rule.
fn free(profile: Option<Profile>) -> Vec<(&'static str, &'static str)> {
    let its = || faults::all().filter(|fault| fault.profile == profile);
    let Some(cases) = its().next().map(|fault| fault.options(7, 1_000)) else { return Vec::new() };
    let faults: Vec<(&Fault, AtomicBool)> = its().map(|fault| (fault, AtomicBool::new(false))).collect();
    let free = || faults.iter().filter(|(_, is_detected)| !is_detected.load(Relaxed));
    // A case is made once, for all faults that are still free.
    (0..cases.cases).into_par_iter().take_any_while(|_| free().next().is_some()).for_each(|number| {
        let plan = cases.scenario(number);
        let case = Case::of(&plan);
        for (fault, is_detected) in free() {
            if fault.is_detected(&case, Depth::Sample(number)) {
                is_detected.store(true, Relaxed);
            }
        }
    });
    free().map(|(fault, _)| (fault.id, fault.rule)).collect()
}

#[test]
fn every_rule_on_a_subject_detects_some_fault() {
    let detecting: BTreeSet<&str> = faults::all().map(|fault| fault.rule).collect();
    // One that depends on sizes, on the caller or on the model is judged in requests only.
    let asks_subjects = |rule: &&&Rule| {
        rule.operation().name() != "transcript" && !matches!(rule.judge, Judge::Request { structural: false, .. })
    };
    let judged = CATALOGUE.iter().filter(asks_subjects);
    let idle: Vec<&str> = judged.map(|rule| rule.id).filter(|id| !detecting.contains(id)).collect();
    assert!(idle.is_empty(), "rules without a fault: {idle:?}");
}

#[test]
fn fault_ids_are_unique_and_name_their_operation() {
    let mut ids = BTreeSet::new();
    for fault in faults::all() {
        assert!(ids.insert(fault.id), "{} twice", fault.id);
        let (operation, _) = fault.id.split_once('/').unwrap();
        assert_eq!(find(fault.rule).unwrap().operation().name(), operation, "{}", fault.id);
    }
}

/// What factories made with a given source. Without one, each id is another one.
fn from_a_source(observed: &Observed) -> Vec<&Made> {
    let made = observed.make.iter().flatten().flatten();
    made.filter(|made| made.call.source.is_some()).collect()
}

#[test]
fn a_fault_is_wrong_in_its_own_operation_alone() {
    // More cases find more than more questions about one: each operation is asked in any depth. A third of the faults
    // has a third of the cases, of each profile.
    let cases = cases(27);
    for case in 0..cases.cases {
        let depth = Depth::Sample(case);
        let plan = cases.scenario(case);
        let made = Case::of(&plan);
        let right = Observed::of(&Reference, &made, &Operation::ALL, depth);
        for fault in faults::all().skip(case as usize / 3 % 3).step_by(3) {
            let own = find(fault.rule).unwrap().operation();
            let others: Vec<Operation> = Operation::ALL.into_iter().filter(|operation| *operation != own).collect();
            let seen = Observed::of(fault, &made, &others, depth);
            let agrees = [
                own == Operation::Parse || seen.parse == right.parse,
                own == Operation::NormalizeApi || seen.normalize_api == right.normalize_api,
                own == Operation::NormalizeUi || seen.normalize_ui == right.normalize_ui,
                own == Operation::ReorderUi || seen.reorder_ui == right.reorder_ui,
                own == Operation::DeriveUuid || seen.derive_uuid == right.derive_uuid,
                own == Operation::ShortId || seen.short_id == right.short_id,
                own == Operation::Record || seen.record == right.record,
                // Going on after a resume is recording.
                own == Operation::Record || own == Operation::Resume || seen.resume == right.resume,
                own == Operation::Accumulate || seen.accumulate == right.accumulate,
                own == Operation::Play || seen.play == right.play,
                own == Operation::CheckRequest || seen.check_request == right.check_request,
                own == Operation::CheckResponse || seen.check_response == right.check_response,
                own == Operation::Make || from_a_source(&seen) == from_a_source(&right),
                own == Operation::Usage || seen.usage == right.usage,
                own == Operation::Fold || seen.fold == right.fold,
                own == Operation::Repair || seen.repair == right.repair,
            ];
            assert_eq!(agrees, [true; 16], "{} in case {case}", fault.id);
        }
    }
}
