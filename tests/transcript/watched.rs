//! A *watch* keeps facts, keys and the line at hand, and never the text of a file.

use std::time::Duration;

use turnproof::check::{Event, Options, Watch};

#[test]
fn of_a_session_of_any_length_a_watch_keeps_under_two_hundred_bytes_a_record() {
    let records = 20_000;
    let text = "a".repeat(4_000);
    let line = |index: usize| {
        format!(
            r#"{{"type":"user","uuid":"u{index}","parentUuid":"u{}","message":{{"role":"user","content":"{text}"}}}}"#,
            index as i64 - 1
        ) + "\n"
    };
    let mut kept = Vec::new();
    let mut bytes = 0;
    let memory = allocation_counter::measure(|| {
        let mut watch = Watch::new("f", &Options::default());
        for index in 0..records {
            let line = line(index);
            bytes += line.len() as u64;
            // Each line comes in two parts.
            for part in [&line[..100], &line[100..]] {
                watch.append(part.as_bytes(), Duration::ZERO, &mut |_: Event<'_>| Ok(())).unwrap();
            }
        }
        kept.push(watch);
    });
    assert_eq!(kept[0].size(), bytes);
    let most = 200 * records as i64;
    assert!(memory.bytes_current < most, "{} bytes are kept of {bytes}", memory.bytes_current);
    assert!((memory.bytes_max as i64) < 2 * most, "{} bytes at most, of {bytes}", memory.bytes_max);
}
