//! Faults in reading transcripts.

use serde_json::Value;

use crate::operation::{Parsed, ParsedRecord, Rejected};

use super::stable::is_second_time;
use super::{Fault, Wrong};

/// The faults of `parse`.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "parse/stops-at-the-first-bad-line",
        title: "rejects everything after the first line that does not parse",
        source: Some("anthropics/claude-code#49876"),
        rule: "wire/json-object",
        wrong: Wrong::Parse(stop_at_bad_line),
    },
    Fault {
        id: "parse/loses-glued-records",
        title: "rejects a line with two records whole",
        source: Some("anthropics/claude-code#81843"),
        rule: "wire/one-record-per-line",
        wrong: Wrong::Parse(|bytes, parsed| reject_lines(bytes, parsed, |line| line.records.len() > 1)),
    },
    Fault {
        id: "parse/loses-the-record-after-a-splice",
        title: "rejects a whole record because another one was cut short before it on its line",
        source: Some("anthropics/claude-code#81843"),
        rule: "wire/one-record-per-line",
        wrong: Wrong::Parse(|bytes, parsed| reject_lines(bytes, parsed, |line| line.is_cut_short)),
    },
    Fault {
        id: "parse/loses-a-record-beside-nul",
        title: "rejects a whole record because NUL bytes stand beside it",
        source: Some("anthropics/claude-code#76059"),
        rule: "wire/no-nul",
        wrong: Wrong::Parse(|bytes, parsed| reject_lines(bytes, parsed, |line| line.bytes.contains(&0))),
    },
    Fault {
        id: "parse/refuses-bytes-that-are-not-utf8",
        title: "rejects a record for one broken character in a string",
        source: None,
        rule: "wire/utf8",
        wrong: Wrong::Parse(|bytes, parsed| {
            reject_lines(bytes, parsed, |line| std::str::from_utf8(line.bytes).is_err())
        }),
    },
    Fault {
        id: "parse/refuses-lone-surrogates",
        title: "rejects a record for half of a surrogate pair, as strict JSON readers do",
        source: Some("anthropics/claude-code#3277"),
        rule: "wire/no-lone-surrogate",
        wrong: Wrong::Parse(|bytes, parsed| {
            reject_lines(bytes, parsed, |line| {
                serde_json::from_slice::<Value>(line.bytes)
                    .is_err_and(|error| error.to_string().contains("surrogate"))
            })
        }),
    },
    Fault {
        id: "parse/splits-at-line-separators",
        title: "ends lines at U+2028 and U+2029, which JSON strings may hold",
        source: Some("anthropics/claude-code#27472"),
        rule: "wire/json-object",
        wrong: Wrong::Parse(|bytes, parsed| {
            let separator = "\u{2028}".as_bytes();
            reject_lines(bytes, parsed, |line| line.bytes.windows(3).any(|window| window == separator))
        }),
    },
    Fault {
        id: "parse/loses-the-last-line",
        title: "rejects a whole record for the missing line end of the file",
        source: Some("anthropics/claude-code#53821"),
        rule: "wire/terminated",
        wrong: Wrong::Parse(|bytes, parsed| reject_lines(bytes, parsed, |line| !line.is_terminated)),
    },
    Fault {
        id: "parse/forgets-the-torn-tail",
        title: "does not account for the bytes of a torn last line",
        source: Some("anthropics/claude-code#53821"),
        rule: "wire/every-byte-accounted",
        wrong: Wrong::Parse(|bytes, mut parsed| {
            let end = bytes.len() as u64;
            parsed.rejected.retain(|range| range.end != end);
            parsed
        }),
    },
    Fault {
        id: "parse/forgets-blank-lines",
        title: "does not account for empty lines",
        source: None,
        rule: "wire/every-byte-accounted",
        wrong: Wrong::Parse(|bytes, mut parsed| {
            parsed.blank.retain(|&(start, end)| end - start < 2 || bytes[start as usize] == b'\r');
            parsed
        }),
    },
    Fault {
        id: "parse/takes-the-line-end-along",
        title: "counts the line end to the record and to the blanks",
        source: None,
        rule: "wire/every-byte-accounted",
        wrong: Wrong::Parse(|bytes, mut parsed| {
            for record in &mut parsed.records {
                record.end += u64::from(bytes.get(record.end as usize) == Some(&b'\n'));
            }
            parsed
        }),
    },
    Fault {
        id: "parse/replaces-lone-surrogates",
        title: "writes U+FFFD for half of a surrogate pair",
        source: Some("anthropics/claude-code#2108"),
        rule: "wire/lossless",
        wrong: Wrong::Parse(|_, parsed| {
            rewrite(parsed, |text| {
                Some(text.replace("\\ud83d\"", "\u{FFFD}\"").replace("\\ude00 ", "\u{FFFD} "))
            })
        }),
    },
    Fault {
        id: "parse/numbers-through-doubles",
        title: "writes numbers as doubles print",
        source: None,
        rule: "wire/lossless",
        wrong: Wrong::Parse(|_, parsed| rewrite(parsed, |text| Some(text.replace("2.50", "2.5")))),
    },
    Fault {
        id: "parse/drops-nulls",
        title: "leaves out members that are null, as typed readers do",
        source: None,
        rule: "wire/lossless",
        wrong: Wrong::Parse(|_, parsed| rewrite(parsed, without_nulls)),
    },
    Fault {
        id: "parse/drops-unknown-kinds",
        title: "rejects records whose type it does not know",
        source: Some("datadog-labs/trajectory#78"),
        rule: "wire/json-object",
        wrong: Wrong::Parse(|bytes, parsed| {
            reject_lines(bytes, parsed, |line| {
                line.records.iter().any(|record| record.kind.as_deref() == Some("a-kind-of-tomorrow"))
            })
        }),
    },
    Fault {
        id: "parse/first-key-wins",
        title: "takes the first value of a repeated key",
        source: None,
        rule: "wire/unique-keys",
        wrong: Wrong::Parse(|_, mut parsed| {
            for record in &mut parsed.records {
                let written = String::from_utf8_lossy(&record.written).into_owned();
                let first = written.split("\"uuid\":\"").nth(1).and_then(|rest| rest.split('"').next());
                if let (Some(_), Some(first)) = (&record.uuid, first) {
                    record.uuid = Some(first.to_owned());
                }
            }
            parsed
        }),
    },
    Fault {
        id: "parse/unlimited-depth",
        title: "reads nesting of any depth, and so can be made to overflow its stack",
        source: Some("anthropics/claude-code#20992"),
        rule: "wire/depth",
        wrong: Wrong::Parse(|bytes, mut parsed| {
            let (deep, rejected) = parsed.rejected.into_iter().partition(|range| range.reason == "too-deep");
            parsed.rejected = rejected;
            let deep: Vec<Rejected> = deep;
            parsed.records.extend(deep.iter().map(|range| ParsedRecord {
                start: range.start,
                end: range.end,
                kind: None,
                uuid: None,
                written: bytes[range.start as usize..range.end as usize].to_vec(),
            }));
            parsed.records.sort_by_key(|record| record.start);
            parsed.reports.retain(|report| report.rule != "wire/depth");
            parsed
        }),
    },
    Fault {
        id: "parse/trusts-types",
        title: "does not notice known fields of the wrong type",
        source: Some("anthropics/claude-code CHANGELOG 2.1.280"),
        rule: "wire/typed-fields",
        wrong: Wrong::Parse(|_, parsed| unnoticed(parsed, "wire/typed-fields")),
    },
    Fault {
        id: "parse/overlooks-live-only-kinds",
        title: "does not notice kinds that must not be on disk",
        source: None,
        rule: "wire/live-only-kind",
        wrong: Wrong::Parse(|_, parsed| unnoticed(parsed, "wire/live-only-kind")),
    },
    Fault {
        id: "parse/panics-without-type",
        title: "panics on a record without a type",
        source: Some("anthropics/claude-code CHANGELOG 2.1.280"),
        rule: "wire/json-object",
        wrong: Wrong::Parse(|_, parsed| {
            assert!(parsed.records.iter().all(|record| record.kind.is_some()), "a record without a type");
            parsed
        }),
    },
    Fault {
        id: "parse/stops-when-time-is-up",
        title: "reads for so many milliseconds, and rejects the rest of the file",
        source: None,
        rule: "wire/deterministic",
        wrong: Wrong::Parse(stop_when_time_is_up),
    },
];

/// A line, with the records that the reference found on it.
struct ReadLine<'a> {
    bytes: &'a [u8],
    records: Vec<&'a ParsedRecord>,
    is_cut_short: bool,
    is_terminated: bool,
}

/// Rejects whole lines that hold a record: what a reader does that parses line by line.
fn reject_lines(bytes: &[u8], mut parsed: Parsed, unreadable: impl Fn(&ReadLine<'_>) -> bool) -> Parsed {
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let (from, to) = (start, start + text.len() as u64);
        start += line.len() as u64;
        let inside = |at: u64| (from..to).contains(&at);
        let records: Vec<_> = parsed.records.iter().filter(|record| inside(record.start)).collect();
        let is_cut_short =
            parsed.rejected.iter().any(|range| inside(range.start) && range.reason == "cut-short");
        let is_terminated = text.len() < line.len();
        let read = ReadLine { bytes: text, records, is_cut_short, is_terminated };
        if !read.records.is_empty() && unreadable(&read) {
            parsed.records.retain(|record| !inside(record.start));
            parsed.blank.retain(|&(start, _)| !inside(start));
            parsed.rejected.retain(|range| !inside(range.start));
            parsed.reports.retain(|report| !inside(report.start));
            parsed.rejected.push(Rejected { start: from, end: to, reason: "not-json".into() });
        }
    }
    parsed.rejected.sort_by_key(|range| range.start);
    parsed
}

fn stop_at_bad_line(bytes: &[u8], mut parsed: Parsed) -> Parsed {
    let Some(bad) = parsed.rejected.first().map(|range| range.start) else { return parsed };
    parsed.records.retain(|record| record.start < bad);
    parsed.blank.retain(|&(start, _)| start < bad);
    parsed.reports.retain(|report| report.start < bad);
    parsed.rejected = vec![Rejected { start: bad, end: bytes.len() as u64, reason: "not-json".into() }];
    parsed
}

fn stop_when_time_is_up(bytes: &[u8], mut parsed: Parsed) -> Parsed {
    let Some(late) = parsed.records.get(1).map(|record| record.start).filter(|_| is_second_time()) else {
        return parsed;
    };
    parsed.records.truncate(1);
    parsed.blank.retain(|&(start, _)| start < late);
    parsed.rejected.retain(|range| range.start < late);
    parsed.reports.retain(|report| report.start < late);
    parsed.rejected.push(Rejected { start: late, end: bytes.len() as u64, reason: "not-json".into() });
    parsed
}

/// Changes what the subject writes back, for records that are text.
fn rewrite(mut parsed: Parsed, change: impl Fn(&str) -> Option<String>) -> Parsed {
    for record in &mut parsed.records {
        let changed = std::str::from_utf8(&record.written).ok().and_then(&change);
        if let Some(changed) = changed {
            record.written = changed.into_bytes();
        }
    }
    parsed
}

fn without_nulls(text: &str) -> Option<String> {
    let mut value: serde_json::Map<String, Value> = serde_json::from_str(text).ok()?;
    let before = value.len();
    value.retain(|_, value| !value.is_null());
    (value.len() < before).then(|| Value::Object(value).to_string())
}

fn unnoticed(mut parsed: Parsed, rule: &str) -> Parsed {
    parsed.reports.retain(|report| report.rule != rule);
    parsed
}
