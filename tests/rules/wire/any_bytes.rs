//! On any bytes the model and the rules agree.

use serde_json::Value;

use turnproof_rules::rules::right_reading;

use super::{RULES, assert_broken, judge, pieces};

/// Damaged files, the same each time: random sequences of pieces of records and of damage.
fn damaged_files() -> impl Iterator<Item = Vec<u8>> {
    const TEXTS: &str = r#"{ } [ ] " : , \ \ud83d null 12 - "a": {"a":1} "type":"user" {"type":"user","sessionId":"s"} {"type":"tombstone","a":" "uuid":"u""#;
    const BYTES: [&[u8]; 6] = [b"\n", b" ", b"\r", b"\0", b"\xFF", "\u{FEFF}".as_bytes()];
    let parts: Vec<&[u8]> = TEXTS.split(' ').map(str::as_bytes).chain(BYTES).collect();
    assert_eq!(parts.len(), 24);

    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    (0..20_000).map(move |_| {
        let count = next(12);
        (0..count).flat_map(|_| parts[next(24) as usize].to_vec()).collect()
    })
}

#[test]
fn on_any_bytes_the_model_satisfies_every_rule() {
    for bytes in damaged_files() {
        let parsed = right_reading(&bytes);
        for id in RULES {
            let verdict = judge(id, &bytes, &parsed);
            assert!(!verdict.is_broken(), "{id} on {:?}: {verdict:?}", String::from_utf8_lossy(&bytes));
        }
    }
}

#[test]
fn on_any_bytes_every_report_of_the_model_detects_a_subject_that_keeps_silent() {
    for bytes in damaged_files() {
        let mut parsed = right_reading(&bytes);
        for report in parsed.reports.replace(Vec::new()).unwrap_or_default() {
            assert_broken(&report.rule, &bytes, &parsed);
        }
    }
}

#[test]
fn every_line_that_serde_json_reads_as_an_object_is_one_record() {
    for bytes in damaged_files() {
        for line in bytes.split(|&byte| byte == b'\n') {
            if let Ok(Value::Object(_)) = serde_json::from_slice(line) {
                assert_eq!(pieces(line).len(), 1, "{:?}", String::from_utf8_lossy(line));
                assert_eq!(pieces(line)[0].2, "record");
            }
        }
    }
}
