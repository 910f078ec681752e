//! *Robust* mutations: nothing panics, whatever bytes an input holds.

use std::fs;
use std::path::Path;

use turnproof_suite::fuzzing::mutate::{OPERATORS, Shape, cross, mutate};

use super::MOST;

/// The seeds of the target `parse`.
fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("fuzz/seeds/parse");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the seeds").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a seed")).collect()
}

/// Applies every operator of every shape.
fn apply_all(input: &[u8], seed: u32, most: usize) {
    for operator in OPERATORS {
        for &shape in operator.shapes {
            let made = operator.apply(input, shape, seed, most);
            assert!(made.is_none_or(|made| made.len() <= most && made != input), "{}", operator.name);
        }
    }
}

#[test]
fn every_prefix_of_every_seed_can_be_changed_and_crossed() {
    let seeds = seeds();
    for (number, seed) in seeds.iter().enumerate() {
        apply_all(seed, number as u32, MOST);
        for end in 0..seed.len() {
            let prefix = &seed[..end];
            for shape in Shape::ALL {
                assert!(mutate(prefix, shape, end as u32, 4096).len() <= 4096);
            }
            assert!(cross(prefix, &seed[end..], end as u32, 4096).len() <= 4096);
        }
    }
}

#[test]
fn random_bytes_can_be_changed() {
    // Few letters, so that brackets and quotes occur in every order.
    const LETTERS: &[u8] = b"{}[]\"\":,\\\n\n\r aut1-\x00\xC3\xA9\xED";
    let mut state = 1_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for seed in 0..1_500 {
        let length = number() % 48;
        let input: Vec<u8> = (0..length).map(|_| LETTERS[number() % LETTERS.len()]).collect();
        apply_all(&input, seed, number() % 96);
    }
    for seed in 0..1_500 {
        let input: Vec<u8> = (0..number() % 200).map(|_| number() as u8).collect();
        apply_all(&input, seed, 256);
    }
}

/// A search that restarted at each byte would take minutes here.
#[test]
fn long_runs_of_brackets_quotes_and_escapes_can_be_changed() {
    const LONG: usize = 50_000;
    let units = ["[", "{", "}", "[}", "\"", "\\", "\\\"", "\"\" ", "{\"a\":", "\n", " ", "\"a\" ", "é", "\t\"\t,"];
    let runs = units.map(|unit| unit.repeat(LONG / unit.len()));
    let never_closed = "{".repeat(LONG / 2) + &"]".repeat(LONG / 2);
    for (seed, input) in (0..).zip(runs.iter().chain([&never_closed])) {
        apply_all(input.as_bytes(), seed, LONG + 100);
    }
}
