//! *Mutations* of the inputs of fuzz targets: what each operator makes, and what holds for all of them.

mod cases;
mod crosses;
mod fields;
mod lines;
mod robust;
mod samples;
mod streams;
mod whole;

use std::collections::BTreeSet;

use turnproof_suite::fuzzing::mutate::{OPERATORS, Operator, Shape};

/// Enough random tries for every outcome of a small input.
const SEEDS: u32 = 2_000;

/// The longest copy, where a test is not about lengths.
const MOST: usize = 1 << 14;

fn operator(name: &str) -> &'static Operator {
    OPERATORS.iter().find(|operator| operator.name == name).expect("an operator of this name")
}

/// All that an operator makes of an input; what is not UTF-8 shown as U+FFFD.
fn outcomes(name: &str, shape: Shape, input: &str) -> BTreeSet<String> {
    let operator = operator(name);
    assert!(operator.shapes.contains(&shape), "{name} is not for {shape:?}");
    let made = (0..SEEDS).filter_map(|seed| operator.apply(input.as_bytes(), shape, seed, MOST));
    made.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

fn set(texts: impl IntoIterator<Item = impl Into<String>>) -> BTreeSet<String> {
    texts.into_iter().map(Into::into).collect()
}
