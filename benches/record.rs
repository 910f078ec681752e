//! What recording costs: the messages of a session written to memory and to a file, at once and turn by
//! turn, beside `serde_json` writing the same messages as `Value`s.
//!
//! `cargo bench --bench record`. Quote ratios of one run.

use std::fs;
use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};
use turnproof_reference::message::Event;
use turnproof_reference::transcript::write::{Disk, FileDisk, MemoryDisk, Recorder, RecorderOptions};

const SIZES: [usize; 2] = [1_000, 10_000];

/// Messages of one turn: a prompt, two lines of a reply, two results.
const TURN: usize = 5;

fn message(number: usize) -> Value {
    let (turn, step) = (number / TURN, number % TURN);
    let prose = "The function takes the lines of a file and gives them back without those that are empty. ";
    let mut message = match step {
        0 => {
            json!({"type": "user", "message": {"role": "user", "content": format!("Prompt {turn}. {prose}")}})
        }
        1 | 2 => json!({"type": "assistant", "requestId": format!("req_{turn}"), "message": {
            "id": format!("msg_{turn}"), "type": "message", "role": "assistant", "model": "m",
            "content": [{
                "type": "tool_use", "id": format!("toolu_{turn}_{step}"), "name": "Bash",
                "input": {"command": "cargo test --quiet", "description": prose}
            }],
            "stop_reason": null, "usage": {"input_tokens": 10, "output_tokens": 20}
        }}),
        _ => json!({
            "type": "user", "toolUseResult": {"stdout": prose.repeat(8), "stderr": "", "interrupted": false},
            "sourceToolAssistantUUID": uuid(number - 2),
            "message": {"role": "user", "content": [{
                "type": "tool_result", "tool_use_id": format!("toolu_{turn}_{}", step - 2), "content": prose.repeat(8)
            }]}
        }),
    };
    message["uuid"] = json!(uuid(number));
    message["timestamp"] = json!("2026-01-01T00:00:00.000Z");
    message
}

fn uuid(number: usize) -> String {
    format!("{number:08x}-0000-4000-8000-{number:012x}")
}

/// The message as it is written: what the yardstick writes.
fn line(number: usize) -> Value {
    let mut message = message(number);
    message["sessionId"] = json!("5b3f0a52-7d1e-4c1b-9f0a-0d8c6c1e2a77");
    message["parentUuid"] = number.checked_sub(1).map_or(Value::Null, |before| json!(uuid(before)));
    message
}

fn recorder<D: Disk>(disk: D) -> Recorder<D> {
    Recorder::new(disk, RecorderOptions::new("5b3f0a52-7d1e-4c1b-9f0a-0d8c6c1e2a77"))
}

/// Records a list at once.
fn at_once<D: Disk>(disk: D, list: &[Event]) -> Recorder<D> {
    let mut recorder = recorder(disk);
    recorder.record(list).expect("a list with uuids");
    recorder.flush().expect("room on the disk");
    recorder
}

/// Records a list as it grows, with a flush after each turn; of the old messages the last one is given.
fn by_turn<D: Disk>(disk: D, list: &[Event]) -> Recorder<D> {
    let mut recorder = recorder(disk);
    for end in (TURN..=list.len()).step_by(TURN) {
        recorder.record(&list[(end - TURN).saturating_sub(1)..end]).expect("a list with uuids");
        recorder.flush().expect("room on the disk");
    }
    recorder
}

fn recording(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("session.jsonl");
    let file = || {
        // A new file each time; it may not be there yet.
        let _ = fs::remove_file(&path);
        FileDisk::new(&path)
    };
    for size in SIZES {
        let values: Vec<Value> = (0..size).map(line).collect();
        let list: Vec<Event> =
            (0..size).map(|number| serde_json::from_value(message(number)).expect("a message")).collect();
        let mut group = criterion.benchmark_group("record");
        group.throughput(Throughput::Elements(size as u64)).sample_size(20);
        group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
        group.bench_function(BenchmarkId::new("memory", size), |bencher| {
            bencher.iter_with_large_drop(|| at_once(MemoryDisk::default(), black_box(&list)));
        });
        group.bench_function(BenchmarkId::new("memory-by-turn", size), |bencher| {
            bencher.iter_with_large_drop(|| by_turn(MemoryDisk::default(), black_box(&list)));
        });
        group.bench_function(BenchmarkId::new("file", size), |bencher| {
            bencher.iter_with_large_drop(|| at_once(file(), black_box(&list)));
        });
        group.bench_function(BenchmarkId::new("file-by-turn", size), |bencher| {
            bencher.iter_with_large_drop(|| by_turn(file(), black_box(&list)));
        });
        group.bench_function(BenchmarkId::new("serde_json-value", size), |bencher| {
            bencher.iter_with_large_drop(|| {
                let mut lines = Vec::new();
                for value in black_box(&values) {
                    serde_json::to_writer(&mut lines, value).expect("JSON");
                    lines.push(b'\n');
                }
                lines
            });
        });
        group.finish();
    }
}

criterion_group!(benches, recording);
criterion_main!(benches);
