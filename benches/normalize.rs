//! The table of normalization in docs/performance.md: lists of 1,000 to 1,000,000 messages for the API, for the UI,
//! in the order of the UI, and one by one; beside the reading of the same messages from JSON.
//!
//! `cargo bench --bench normalize`, then `python3 benches/table.py normalize`.

use std::cell::LazyCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::json;
use turnproof_reference::message::{Event, Message};
use turnproof_reference::normalize::api::{Incremental, Options, normalize_for_api};
use turnproof_reference::normalize::ui::{normalize_for_ui, reorder_for_ui};

const SIZES: [usize; 5] = [1_000, 10_000, 100_000, 500_000, 1_000_000];

/// Message `number` of a session without end: in each turn of eight messages a prompt, an attachment,
/// a reply of thinking, text and two calls, whose results come in the other order beside progress.
fn message(number: usize) -> String {
    let (turn, step) = (number / 8, number % 8);
    let uuid = format!("{number:08x}-0000-4000-8000-{number:012x}");
    let prose = "The function takes the lines of a file and gives them back without those that are empty. ";
    let mut message = match step {
        0 => {
            json!({"type": "user", "message": {"role": "user", "content": format!("Prompt {turn}. {prose}")}})
        }
        1 => {
            json!({"type": "attachment", "attachment": {"type": "edited_text_file", "filename": "src/lib.rs", "snippet": prose}})
        }
        2 => reply(turn, json!({"type": "thinking", "thinking": prose, "signature": "c2lnbmF0dXJl"})),
        3 => reply(turn, json!({"type": "text", "text": prose})),
        4 | 5 => reply(
            turn,
            json!({
                "type": "tool_use", "id": format!("toolu_{turn}_{step}"), "name": "Bash",
                "input": {"command": "cargo test --quiet", "description": prose}
            }),
        ),
        6 => json!({
            "type": "progress", "toolUseID": format!("toolu_{turn}_4"), "data": {"type": "bash_progress", "output": prose}
        }),
        _ => json!({
            "type": "user", "toolUseResult": {"stdout": prose, "stderr": "", "interrupted": false},
            "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": format!("toolu_{turn}_5"), "content": prose.repeat(4)},
                {"type": "tool_result", "tool_use_id": format!("toolu_{turn}_4"), "content": prose, "is_error": false}
            ]}
        }),
    };
    message["uuid"] = json!(uuid);
    message["sessionId"] = json!("5b3f0a52-7d1e-4c1b-9f0a-0d8c6c1e2a77");
    message["timestamp"] = json!("2026-01-01T00:00:00.000Z");
    message.to_string()
}

fn reply(turn: usize, block: serde_json::Value) -> serde_json::Value {
    json!({"type": "assistant", "requestId": format!("req_{turn}"), "message": {
        "id": format!("msg_{turn}"), "type": "message", "role": "assistant", "model": "m", "content": [block],
        "stop_reason": null, "usage": {"input_tokens": 10, "output_tokens": 20}
    }})
}

fn lines(messages: std::ops::Range<usize>) -> Vec<String> {
    messages.map(message).collect()
}

fn events(lines: &[String]) -> Vec<Event> {
    lines.iter().map(|line| Event::read(line).expect("a message")).collect()
}

fn messages(list: &[Event]) -> Vec<Message> {
    let messages = list.iter().filter_map(|event| match event {
        Event::Message(message) => Some(message.clone()),
        _ => None,
    });
    messages.collect()
}

/// The same measure for every group: what takes long is measured few times.
fn group<'a>(
    criterion: &'a mut Criterion,
    name: &str,
    size: usize,
) -> criterion::BenchmarkGroup<'a, criterion::measurement::WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(size as u64)).sample_size(if size > 10_000 { 10 } else { 30 });
    group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    group
}

fn lists(criterion: &mut Criterion) {
    for size in SIZES {
        // Made when a measure needs them, so that a filter on the command line saves time too.
        let lines = LazyCell::new(|| lines(0..size));
        let list = LazyCell::new(|| events(&lines));
        let messages = LazyCell::new(|| messages(&list));
        let split = LazyCell::new(|| normalize_for_ui(messages.clone()));
        let id = || BenchmarkId::from_parameter(size);
        group(criterion, "api", size).bench_function(id(), |bencher| {
            bencher.iter_with_large_drop(|| normalize_for_api(black_box(&list), &Options::default()));
        });
        // The input is made ready outside of the measure; the output is dropped there too.
        group(criterion, "ui", size).bench_function(id(), |bencher| {
            bencher.iter_batched(|| messages.clone(), normalize_for_ui, BatchSize::PerIteration);
        });
        group(criterion, "reorder", size).bench_function(id(), |bencher| {
            bencher.iter_batched(|| split.clone(), reorder_for_ui, BatchSize::PerIteration);
        });
        group(criterion, "typed", size).bench_function(id(), |bencher| {
            bencher.iter_with_large_drop(|| events(black_box(&lines)));
        });
        group(criterion, "read", size).bench_function(id(), |bencher| {
            bencher.iter_with_large_drop(|| -> Vec<Event> {
                lines.iter().map(|line| serde_json::from_str(line).expect("a message")).collect()
            });
        });
        group(criterion, "serde_json-value", size).bench_function(id(), |bencher| {
            bencher.iter_with_large_drop(|| -> Vec<serde_json::Value> {
                lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
            });
        });
        group(criterion, "sonic-rs-value", size).bench_function(id(), |bencher| {
            bencher.iter_with_large_drop(|| -> Vec<sonic_rs::Value> {
                lines.iter().map(|line| sonic_rs::from_str(line).expect("JSON")).collect()
            });
        });
    }
}

/// A normalizer that has been given so many messages.
fn filled(size: usize) -> Incremental {
    let mut incremental = Incremental::new(Options::default());
    incremental.extend(events(&lines(0..size)));
    incremental.turns();
    incremental
}

/// One message more, and the request for all of them.
fn appending(criterion: &mut Criterion) {
    for size in SIZES {
        let mut incremental = None;
        let mut next = size;
        let mut group = group(criterion, "append", 1);
        group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
            bencher.iter_custom(|times| {
                let incremental = incremental.get_or_insert_with(|| filled(size));
                let messages = events(&lines(next..next + times as usize));
                next += times as usize;
                let start = Instant::now();
                for message in messages {
                    incremental.push(message);
                    black_box(incremental.turns());
                }
                start.elapsed()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, lists, appending);
criterion_main!(benches);
