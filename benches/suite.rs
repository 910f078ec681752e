//! What a case costs: made and played, put to the reference, and judged by all rules; and, beside it, what it costs
//! `serde_json` to read the case's transcript.
//!
//! `cargo bench --bench suite`. Quote ratios of one run.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use serde_json::Value;
use turnproof_rules::operation::Operation;
use turnproof_rules::rules::{CATALOGUE, Rule};
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::Reference;
use turnproof_suite::suite::{Depth, Observed, Trial};

/// How many plans are played in one go: enough that long ones have their share.
const CASES: u64 = 1_000;

const SEED: u64 = 7;

fn plans(profile: Profile) -> impl Iterator<Item = Scenario> {
    (0..CASES).map(move |case| Scenario::from_seed(SEED, case, profile))
}

/// The same plans, without what is large about their lines.
fn small(profile: Profile) -> impl Iterator<Item = Scenario> {
    plans(profile).map(|mut plan| {
        plan.lines_mut().iter_mut().for_each(|line| line.large = None);
        plan
    })
}

/// The sizes of what is measured, so that figures can be compared with those of other generators.
fn tell_sizes() {
    let mean = |sum: usize| sum as f64 / CASES as f64;
    let (mut actions, mut inputs, mut bytes) = (0, 0, 0);
    for plan in plans(Profile::Causal) {
        let case = Case::of(&plan);
        actions += plan.actions().len();
        inputs += case.inputs().len();
        bytes += case.transcript().len();
    }
    eprintln!(
        "a causal case has {:.1} actions, {:.1} inputs, {:.0} bytes of transcript on average",
        mean(actions),
        mean(inputs),
        mean(bytes)
    );
}

fn group<'a>(criterion: &'a mut Criterion, profile: Profile) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(profile.name());
    group.throughput(Throughput::Elements(CASES)).sample_size(10);
    group.measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    group
}

fn suite(criterion: &mut Criterion) {
    tell_sizes();
    for profile in Profile::ALL {
        let mut group = group(criterion, profile);
        group.bench_function("generate", |bencher| {
            bencher.iter(|| plans(profile).map(|plan| black_box(plan).actions().len()).sum::<usize>());
        });
        group.bench_function("generate-and-play", |bencher| {
            bencher.iter(|| plans(profile).map(|plan| played(&plan)).sum::<usize>());
        });
        // The yardstick: the transcripts of the same cases, which are there already, read line by line.
        let transcripts: Vec<Vec<u8>> = plans(profile).map(|plan| Case::of(&plan).transcript().to_vec()).collect();
        group.bench_function("serde_json-value", |bencher| {
            bencher.iter(|| transcripts.iter().map(|transcript| values(transcript)).sum::<usize>());
        });
        group.bench_function("observe", |bencher| {
            bencher.iter(|| {
                (0..)
                    .zip(plans(profile))
                    .map(|(number, plan)| usize::from(observed(&plan, number).has(Operation::Parse)))
                    .sum::<usize>()
            });
        });
        group.bench_function("judge", |bencher| {
            bencher.iter(|| (0..).zip(plans(profile)).map(|(number, plan)| judged(&plan, number)).sum::<usize>());
        });
        group.bench_function("judge-small", |bencher| {
            bencher.iter(|| (0..).zip(small(profile)).map(|(number, plan)| judged(&plan, number)).sum::<usize>());
        });
        group.finish();
    }
}

fn played(plan: &Scenario) -> usize {
    let case = Case::of(plan);
    case.play();
    black_box(case.transcript()).len()
}

/// How many lines of a transcript are JSON.
fn values(transcript: &[u8]) -> usize {
    let lines = transcript.split(|&byte| byte == b'\n');
    lines.filter(|line| serde_json::from_slice::<Value>(line).is_ok()).count()
}

/// All that the reference is asked about a case, as a run does it.
fn observed(plan: &Scenario, number: u64) -> Observed {
    Observed::of(&Reference, &Case::of(plan), &Operation::ALL, Depth::Sample(number))
}

/// Everything that a run does with a case; gives how many rules were broken.
fn judged(plan: &Scenario, number: u64) -> usize {
    let observed = observed(plan, number);
    let trial = Trial::of(&observed);
    let is_broken = |rule: &&&Rule| trial.judge(rule).is_some_and(|verdict| verdict.is_broken());
    CATALOGUE.iter().filter(is_broken).count()
}

criterion_group!(benches, suite);
criterion_main!(benches);
