//! What SPEC.md leaves free may differ: no rule reports it.

use std::collections::BTreeSet;

use turnproof_faults::harmless::{Variant, all, broken};
use turnproof_rules::operation::Operation;
use turnproof_suite::scenario::Case;
use turnproof_suite::subject::{Reference, Subject};
use turnproof_suite::suite::{Depth, Observed, Options};

#[test]
fn no_rule_is_broken_by_a_harmless_variant() {
    let variants: Vec<&Variant> = all().iter().collect();
    let run = Options { seed: 7, cases: 200, ..Options::default() };
    let broken = broken(&variants, &run, &|| {});
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn each_harmless_variant_changes_an_answer() {
    let run = Options { seed: 7, cases: 1_000, ..Options::default() };
    let mut idle: Vec<&Variant> = all().iter().collect();
    for number in 0..run.cases {
        let scenario = run.scenario(number);
        let case = Case::of(&scenario);
        let answers = |subject: &dyn Subject, variant: &Variant| {
            let mut observed = Observed::of(subject, &case, &variant.operations(), Depth::Whole);
            // Without a source each id is another one.
            observed.make.iter_mut().flatten().for_each(|made| made.retain(|made| made.call.source.is_some()));
            // The evidence on streams holds the values, and not how their JSON is written.
            let streams = case.streams().iter().filter(|_| variant.operations().contains(&Operation::Accumulate));
            let written: Vec<_> = streams.map(|items| subject.accumulate(items)).collect();
            format!("{observed:?}{written:?}")
        };
        idle.retain(|variant| answers(&variant.subject(), variant) == answers(&Reference, variant));
        if idle.is_empty() {
            return;
        }
    }
    assert!(idle.is_empty(), "{idle:#?}");
}

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<&str> = all().iter().map(|variant| variant.id).collect();
    assert_eq!(ids.len(), all().len());
}
