//! What the suite pays before it judges: causal plans generated, and played on the engine.
//!
//! `cargo bench --bench suite`. Quote ratios of one run.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use turnproof::scenario::{Profile, Scenario};

/// How many plans are played in one go: enough that long ones have their share.
const CASES: u64 = 1_000;

const SEED: u64 = 7;

fn plans() -> impl Iterator<Item = Scenario> {
    (0..CASES).map(|case| Scenario::from_seed(SEED, case, Profile::Causal))
}

fn causal(criterion: &mut Criterion) {
    let mean = |sum: usize| sum as f64 / CASES as f64;
    let (mut actions, mut inputs, mut bytes) = (0, 0, 0);
    for plan in plans() {
        let driven = plan.drive();
        actions += plan.actions.len();
        inputs += driven.inputs.len();
        bytes += driven.engine.transcript().len();
    }
    eprintln!(
        "a case has {:.1} actions, {:.1} inputs, {:.0} bytes of transcript on average",
        mean(actions),
        mean(inputs),
        mean(bytes)
    );
    let mut group = criterion.benchmark_group("causal");
    group.throughput(Throughput::Elements(CASES)).sample_size(10);
    group.measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_secs(1));
    group.bench_function("generate", |bencher| {
        bencher.iter(|| plans().map(|plan| black_box(plan).actions.len()).sum::<usize>());
    });
    group.bench_function("generate-and-play", |bencher| {
        bencher.iter(|| plans().map(|plan| black_box(plan.drive()).inputs.len()).sum::<usize>());
    });
    group.bench_function("generate-and-record", |bencher| {
        bencher.iter(|| plans().map(|plan| black_box(plan.drive_recorded()).inputs.len()).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, causal);
criterion_main!(benches);
