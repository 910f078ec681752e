//! How fast transcripts are read: typed reading and the whole check, beside what other libraries
//! need to read the same lines; and how fast lines become whole documents, each of which is dropped at once.
//!
//! Two inputs: a generated transcript of 64 MiB, and the transcripts of the folder
//! `TURNPROOF_TRANSCRIPTS` (by default `shared/transcripts` beside the repository), joined, if it is there.
//! `benches/table.py` prints the table of docs/performance.md from a run.
//!
//! Every contender gets the same lines, found with `memchr`. simd-json writes into its input, so
//! each line is copied for it first. The check reads a file on disk, asks every rule, and reports
//! to nobody what it prints without options.

#[path = "sample/field.rs"]
mod field;
mod sample;

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use serde::de::IgnoredAny;
use turnproof::check::{Options, Sink, TranscriptFile, check};
use turnproof::report::{Human, Screen};
use turnproof_reference::message::Event;
use turnproof_reference::transcript::{Chunks, Found, Scanner};

/// The size of the generated transcript.
const SIZE: u64 = 64 << 20;

criterion_group!(benches, read);
criterion_main!(benches);

fn read(criterion: &mut Criterion) {
    let mut generated = Vec::new();
    sample::write(&mut generated, SIZE).expect("memory takes what is written");
    contenders(criterion, "generated", &generated);
    let folder = field::folder();
    match field::transcripts(&folder).unwrap_or_default().concat() {
        bytes if !bytes.is_empty() => contenders(criterion, "real", &bytes),
        _ => eprintln!("no transcripts in {}: real ones are not measured", folder.display()),
    }
}

fn contenders(criterion: &mut Criterion, input: &str, bytes: &[u8]) {
    let mut group = group(criterion, format!("read-{input}"), bytes.len());
    turnproof(&mut group, bytes);
    others(&mut group, bytes);
    group.finish();
    documents(criterion, input, bytes);
}

fn group(criterion: &mut Criterion, name: String, bytes: usize) -> BenchmarkGroup<'_, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
        .throughput(Throughput::Bytes(bytes as u64));
    group
}

/// Reads a line, and says whether that worked.
type Reader = fn(&str) -> bool;

/// Makes a whole document of every line that holds an event.
fn documents(criterion: &mut Criterion, input: &str, bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    let lines: Vec<&str> = lines.filter(|line| Event::read(line).is_ok()).collect();
    let mut group = group(criterion, format!("documents-{input}"), lines.iter().map(|line| line.len()).sum());
    let of_each = |read: Reader| lines.iter().filter(|line| read(black_box(line))).count();
    let readers: [(&str, Reader); 3] = [
        ("event", |line| black_box(Event::read(line)).is_ok()),
        ("serde_json-value", |line| black_box(serde_json::from_str::<serde_json::Value>(line)).is_ok()),
        ("sonic-rs-value", |line| black_box(sonic_rs::from_str::<sonic_rs::Value>(line)).is_ok()),
    ];
    for (name, read) in readers {
        group.bench_function(name, |bencher| bencher.iter(|| of_each(read)));
    }
    group.finish();
}

fn turnproof(group: &mut BenchmarkGroup<'_, WallTime>, bytes: &[u8]) {
    group.bench_function("typed", |bencher| bencher.iter(|| typed(bytes)));
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("room for the transcript");
    let inputs = [TranscriptFile::file(file.path())];
    for threads in [1, 2] {
        // Threads are started once, as by any program that checks more than one file.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let options = Options::default();
        group.bench_function(format!("check-{threads}"), |bencher| {
            bencher.iter(|| {
                let mut report = Human::new(io::sink(), Screen::default(), 5);
                let tally = pool.install(|| check(&inputs, &options, &mut report)).expect("threads");
                report.finish(&tally, &[]).expect("nobody refuses");
                tally.records
            });
        });
    }
}

/// Reads every record's head.
fn typed(bytes: &[u8]) -> u64 {
    let mut chunks = Chunks::new(bytes, Options::default().chunk_size);
    let mut scanner = Scanner::default();
    let mut records = 0;
    while let Some(chunk) = chunks.next_chunk().expect("memory is readable") {
        scanner.chunk(&chunk, |found| {
            if let Found::Record(record) = black_box(found) {
                records += u64::from(record.head.kind.is_some());
            }
        });
        chunks.reuse(chunk);
    }
    records
}

/// Reads every line with other libraries; what they refuse, they refuse.
fn others(group: &mut BenchmarkGroup<'_, WallTime>, bytes: &[u8]) {
    group.bench_function("serde_json-value", |bencher| {
        bencher.iter(|| each_line(bytes, |line| serde_json::from_slice::<serde_json::Value>(line).is_ok()));
    });
    group.bench_function("serde_json-ignored", |bencher| {
        bencher.iter(|| each_line(bytes, |line| serde_json::from_slice::<IgnoredAny>(line).is_ok()));
    });
    group.bench_function("sonic-rs-value", |bencher| {
        bencher.iter(|| each_line(bytes, |line| sonic_rs::from_slice::<sonic_rs::Value>(line).is_ok()));
    });
    group.bench_function("simd-json-value", |bencher| {
        let (mut copy, mut buffers) = (Vec::new(), simd_json::Buffers::default());
        bencher.iter(|| {
            each_line(bytes, |line| {
                copy.clear();
                copy.extend_from_slice(line);
                simd_json::to_borrowed_value_with_buffers(&mut copy, &mut buffers).is_ok()
            })
        });
    });
}

/// How many lines `read` accepts.
fn each_line(bytes: &[u8], mut read: impl FnMut(&[u8]) -> bool) -> usize {
    let mut accepted = 0;
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        accepted += usize::from(read(black_box(&bytes[start..end])));
        start = end + 1;
    }
    accepted
}
