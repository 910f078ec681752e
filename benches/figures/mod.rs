//! *Figures* are what the last runs of the benchmarks measured: the fastest of the samples, which other work on the
//! machine disturbs least.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What the chart shows.
pub(crate) struct Figures {
    /// Readers, and how many MB they read in a second.
    pub readers: Vec<(String, f64)>,
    /// What a message costs, by the length of its list.
    pub lists: Vec<Row>,
    /// What a case costs, by part.
    pub costs: Vec<Cost>,
}

/// Nanoseconds a message.
pub(crate) struct Row {
    pub name: String,
    /// The length of the list, and the nanoseconds.
    pub points: Vec<(f64, f64)>,
}

/// Microseconds a case.
pub(crate) struct Cost {
    pub name: String,
    pub before: Option<f64>,
    pub now: f64,
}

/// What cases cost, by profile and part: microseconds.
pub(crate) type Cases = Vec<(String, f64)>;

const READERS: [(&str, &str); 7] = [
    ("typed", "turnproof, typed reading"),
    ("check-1", "turnproof check, 1 thread"),
    ("check-2", "turnproof check, 2 threads"),
    ("serde_json-value", "serde_json, Value a line"),
    ("serde_json-ignored", "serde_json, IgnoredAny a line"),
    ("sonic-rs-value", "sonic-rs, Value a line"),
    ("simd-json-value", "simd-json, borrowed value a line"),
];

const LISTS: [(&str, &str); 8] = [
    ("api", "a request"),
    ("append", "one message more"),
    ("ui", "for a UI"),
    ("reorder", "in the order of a UI"),
    ("typed", "reading, typed"),
    ("read", "reading, typed, through serde"),
    ("serde_json-value", "reading, serde_json Value"),
    ("sonic-rs-value", "reading, sonic-rs Value"),
];

const PARTS: [(&str, &str); 4] = [
    ("generate-and-play", "planned and played"),
    ("observe", "and the reference asked"),
    ("judge", "and judged by all rules"),
    ("serde_json-value", "serde_json reads the transcript"),
];

const PROFILES: [&str; 3] = ["causal", "shuffled", "hostile"];

/// Reads the figures of the last runs; what cases cost before comes from a file.
pub(crate) fn read(before: Option<&Path>) -> Result<Figures, Box<dyn Error>> {
    let before: BTreeMap<String, f64> = match before {
        Some(file) => serde_json::from_slice::<Cases>(&std::fs::read(file)?)?.into_iter().collect(),
        None => BTreeMap::new(),
    };
    let megabytes = |(name, title): (&str, &str)| {
        let (time, of) = fastest(&folder(&["read-generated", name]))?;
        Some((title.to_owned(), of / time * 1e3))
    };
    let costs = cases()?.into_iter().map(|(name, now)| Cost { before: before.get(&name).copied(), now, name });
    Ok(Figures {
        readers: READERS.into_iter().filter_map(megabytes).collect(),
        lists: LISTS.into_iter().map(row).filter(|row| !row.points.is_empty()).collect(),
        costs: costs.collect(),
    })
}

/// What cases cost in the last run of `suite`.
pub(crate) fn cases() -> Result<Cases, Box<dyn Error>> {
    let part = |profile: &str, (name, title): (&str, &str)| {
        let (time, of) = fastest(&folder(&[profile, name]))?;
        Some((format!("{profile}: {title}"), time / of / 1e3))
    };
    let all = PROFILES.iter().flat_map(|profile| PARTS.map(|name| part(profile, name)));
    let cases: Cases = all.flatten().collect();
    if cases.is_empty() { Err("no run of `cargo bench --bench suite` is there".into()) } else { Ok(cases) }
}

fn row((name, title): (&str, &str)) -> Row {
    let sizes = std::fs::read_dir(folder(&[name])).into_iter().flatten().flatten();
    let mut points: Vec<(f64, f64)> = sizes.filter_map(|size| point(&size.path())).collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0));
    Row { name: title.to_owned(), points }
}

/// The length of a list, and nanoseconds a message of it.
fn point(folder: &Path) -> Option<(f64, f64)> {
    let length: f64 = folder.file_name()?.to_str()?.parse().ok()?;
    let (time, of) = fastest(folder)?;
    Some((length, time / of))
}

fn folder(names: &[&str]) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    names.iter().fold(target.join("criterion"), |folder, name| folder.join(name))
}

/// Nanoseconds of the fastest sample, and how many bytes or elements it took; `None` when there was no run.
fn fastest(folder: &Path) -> Option<(f64, f64)> {
    let read = |file: &str| -> Option<Value> {
        serde_json::from_slice(&std::fs::read(folder.join("new").join(file)).ok()?).ok()
    };
    let (sample, benchmark) = (read("sample.json")?, read("benchmark.json")?);
    let numbers = |name: &str| sample[name].as_array().into_iter().flatten().filter_map(Value::as_f64);
    let time = numbers("times").zip(numbers("iters")).map(|(time, times)| time / times).fold(f64::INFINITY, f64::min);
    let of = benchmark["throughput"].as_object()?.values().find_map(Value::as_f64)?;
    Some((time, of))
}
