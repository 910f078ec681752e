//! Faults in reading transcripts.

use turnproof_rules::operation::{Parsed, ParsedRecord, Plain, Rejected, Report, Value};

use super::stable::is_second_time;
use super::walk::kind;
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("parse/stops-at-the-first-bad-line", "wire/json-object")
        .that("rejects everything after the first line that does not parse")
        .seen_in("anthropics/claude-code#49876")
        .by(Wrong::Parsed(|bytes, parsed| {
            let bad = parsed.rejected.first().map(|range| range.start);
            bad.into_iter().for_each(|bad| reject_from(bad, bytes, parsed));
        })),
    fault("parse/loses-glued-records", "wire/one-record-per-line")
        .that("rejects a whole line when two records are on it")
        .seen_in("anthropics/claude-code#81843")
        .by(Wrong::Unread(|line| line.records.len() > 1)),
    fault("parse/loses-the-record-after-a-splice", "wire/one-record-per-line")
        .that("rejects a whole record because another one was cut short before it on its line")
        .seen_in("anthropics/claude-code#81843")
        .by(Wrong::Unread(|line| line.is_cut_short)),
    fault("parse/loses-a-record-beside-nul", "wire/no-nul")
        .that("rejects a whole record because NUL bytes stand beside it")
        .seen_in("anthropics/claude-code#76059")
        .by(Wrong::Unread(|line| line.bytes.contains(&0))),
    fault("parse/refuses-bytes-that-are-not-utf8", "wire/utf8")
        .that("rejects a record because of one broken character in a string")
        .by(Wrong::Unread(|line| std::str::from_utf8(line.bytes).is_err())),
    fault("parse/refuses-lone-surrogates", "wire/no-lone-surrogate")
        .that("rejects a record because of half a surrogate pair, as strict JSON readers do")
        .seen_in("anthropics/claude-code#3277")
        .by(Wrong::Unread(|line| {
            serde_json::from_slice::<Value>(line.bytes).is_err_and(|error| error.to_string().contains("surrogate"))
        })),
    fault("parse/splits-at-line-separators", "wire/json-object")
        .that("ends lines at U+2028 and U+2029, which JSON strings may hold")
        .seen_in("anthropics/claude-code#27472")
        .by(Wrong::Unread(|line| line.bytes.windows(3).any(|window| window == "\u{2028}".as_bytes()))),
    fault("parse/loses-the-last-line", "wire/terminated")
        .that("rejects a whole record because the last line end of the file is missing")
        .seen_in("anthropics/claude-code#53821")
        .by(Wrong::Unread(|line| !line.is_terminated)),
    fault("parse/forgets-the-torn-tail", "wire/every-byte-accounted")
        .that("does not account for the bytes of a torn last line")
        .seen_in("anthropics/claude-code#53821")
        .by(Wrong::Parsed(|bytes, parsed| {
            let end = bytes.len() as u64;
            parsed.rejected.retain(|range| range.end != end);
        })),
    fault("parse/wants-a-letter-first", "wire/one-record-per-line")
        .that("finds no record behind a torn one when its first key begins with an underscore")
        .by(Wrong::Unread(|line| line.is_cut_short && line.bytes.windows(3).any(|three| three == b"{\"_"))),
    fault("parse/reports-values-that-do-not-count", "wire/typed-fields")
        .that("reports what has a wrong type in the first value of a repeated key")
        .by(Wrong::Parsed(|_, parsed| {
            let reports = parsed.reports.get_or_insert_default();
            for record in &parsed.records {
                let is_reported = reports.iter().any(|report| {
                    report.rule == "wire/typed-fields" && report.start >= record.start && report.start < record.end
                });
                let is_stale =
                    record.written.starts_with(br#"{"message":{"role":"user","content":[{"type":"text","text":5}"#);
                if is_stale && !is_reported {
                    reports.push(Report { rule: "wire/typed-fields".to_owned(), start: record.start, end: record.end });
                }
            }
        })),
    fault("parse/forgets-blank-lines", "wire/every-byte-accounted").that("does not account for empty lines").by(
        Wrong::Parsed(|bytes, parsed| {
            parsed.blank.retain(|&(start, end)| end - start < 2 || bytes[start as usize] == b'\r');
        }),
    ),
    fault("parse/takes-the-line-end-along", "wire/every-byte-accounted")
        .that("counts the line end as part of the record and as blank")
        .by(Wrong::Parsed(|bytes, parsed| {
            for record in &mut parsed.records {
                record.end += u64::from(bytes.get(record.end as usize) == Some(&b'\n'));
            }
        })),
    fault("parse/replaces-lone-surrogates", "wire/lossless")
        .that("writes U+FFFD for half of a surrogate pair")
        .seen_in("anthropics/claude-code#2108")
        .by(Wrong::Parsed(|_, parsed| {
            rewrite(parsed, |text| Some(text.replace("\\ud83d\"", "\u{FFFD}\"").replace("\\ude00 ", "\u{FFFD} ")))
        })),
    fault("parse/numbers-through-doubles", "wire/lossless")
        .that("writes numbers in the way that doubles are printed")
        .by(Wrong::Parsed(|_, parsed| rewrite(parsed, |text| Some(text.replace("2.50", "2.5"))))),
    fault("parse/drops-nulls", "wire/lossless")
        .that("leaves out members that are null, as typed readers do")
        .by(Wrong::Parsed(|_, parsed| rewrite(parsed, without_nulls))),
    fault("parse/drops-unknown-kinds", "wire/json-object")
        .that("rejects records whose type it does not know")
        .seen_in("datadog-labs/trajectory#78")
        .by(Wrong::Unread(|line| {
            line.records.iter().any(|record| record.kind.as_deref() == Some("a-kind-of-tomorrow"))
        })),
    fault("parse/first-key-wins", "wire/unique-keys").that("takes the first value of a repeated key").by(
        Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                let written = String::from_utf8_lossy(&record.written).into_owned();
                // The first one that is the record's own, not that of a message in it.
                let is_own = |before: &str| before.matches('{').count() == before.matches('}').count() + 1;
                let first = written.split_once("\"uuid\":\"").filter(|(before, _)| is_own(before));
                let first = first.and_then(|(_, rest)| rest.split('"').next());
                if let (Some(_), Some(first)) = (&record.uuid, first) {
                    record.uuid = Some(first.to_owned());
                }
            }
        }),
    ),
    fault("parse/unlimited-depth", "wire/depth")
        .that("reads nesting of any depth, so that its stack can overflow")
        .seen_in("anthropics/claude-code#20992")
        .by(Wrong::Parsed(|bytes, parsed| {
            parsed.records.extend(parsed.rejected.extract_if(.., |range| range.reason == "too-deep").map(|range| {
                ParsedRecord {
                    start: range.start,
                    end: range.end,
                    kind: None,
                    uuid: None,
                    written: bytes[range.start as usize..range.end as usize].to_vec(),
                }
            }));
            parsed.records.sort_by_key(|record| record.start);
            parsed.reports.get_or_insert_default().retain(|report| report.rule != "wire/depth");
        })),
    fault("parse/trusts-types", "wire/typed-fields")
        .that("does not notice known fields of the wrong type")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.280")
        .by(Wrong::Parsed(|_, parsed| {
            parsed.reports.get_or_insert_default().retain(|report| report.rule != "wire/typed-fields")
        })),
    fault("parse/overlooks-live-only-kinds", "wire/live-only-kind")
        .that("does not notice kinds that must not be on disk")
        .by(Wrong::Parsed(|_, parsed| {
            parsed.reports.get_or_insert_default().retain(|report| report.rule != "wire/live-only-kind")
        })),
    fault("parse/panics-without-type", "wire/json-object")
        .that("panics on a record without a type")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.280")
        .by(Wrong::Parsed(|_, parsed| {
            assert!(parsed.records.iter().all(|record| record.kind.is_some()), "a record without a type");
        })),
    fault("parse/stops-when-time-is-up", "wire/deterministic")
        .that("reads for a fixed time, and rejects the rest of the file")
        .by(Wrong::Parsed(|bytes, parsed| {
            let late = parsed.records.get(1).map(|record| record.start).filter(|_| is_second_time());
            late.into_iter().for_each(|late| reject_from(late, bytes, parsed));
        })),
    fault("parse/strangers-have-no-uuid", "wire/typed-fields")
        .that("gives no uuid for a record of an unknown type")
        .by(Wrong::Parsed(|_, parsed| {
            const KNOWN: [&str; 6] = ["user", "assistant", "system", "attachment", "hook_result", "progress"];
            for record in &mut parsed.records {
                if !record.kind.as_deref().is_some_and(|kind| KNOWN.contains(&kind)) {
                    record.uuid = None;
                }
            }
        })),
    fault("parse/live-kinds-are-passed-over", "wire/live-only-kind")
        .that("passes over records of kinds that live in memory only")
        .by(Wrong::Parsed(|_, parsed| {
            pass_over(parsed, |record| record.kind.as_deref().is_some_and(|own| LIVE.contains(&own)))
        })),
    fault("parse/recovers-what-has-a-uuid", "wire/json-object")
        .that("recovers only a record with a uuid behind a torn one")
        .by(Wrong::Parsed(|_, parsed| {
            let Parsed { records, rejected, .. } = parsed;
            for range in rejected.iter_mut().filter(|range| range.reason == "cut-short") {
                let is_lost = |record: &mut ParsedRecord| record.start == range.end && record.uuid.is_none();
                let lost = records.extract_if(.., is_lost).next();
                range.end = lost.map_or(range.end, |record| record.end);
            }
        })),
    fault("parse/too-deep-by-one", "wire/depth").that("rejects a record that nests exactly 128 deep").by(
        Wrong::Parsed(|bytes, parsed| {
            let Parsed { records, rejected, reports, .. } = parsed;
            for record in records.extract_if(.., |record| depth(own(bytes, record)) == 128) {
                let (start, end) = (record.start, record.end);
                reports.get_or_insert_default().retain(|report| !(start..end).contains(&report.start));
                reports.get_or_insert_default().push(Report { rule: "wire/depth".to_owned(), start, end });
                rejected.push(Rejected { start, end, reason: "too-deep".to_owned() });
            }
            rejected.sort_by_key(|range| range.start);
        }),
    ),
    fault("parse/nul-by-nul", "wire/no-nul").that("rejects each NUL byte of a run by itself").by(Wrong::Parsed(
        |_, parsed| {
            let bytes = |range: Rejected| match range.reason.as_str() {
                "nul" => (range.start..range.end)
                    .map(|at| Rejected { start: at, end: at + 1, reason: "nul".into() })
                    .collect(),
                _ => vec![range],
            };
            parsed.rejected = std::mem::take(&mut parsed.rejected).into_iter().flat_map(bytes).collect();
        },
    )),
    fault("parse/pretty-lines", "wire/lossless").that("writes records back over several lines").by(Wrong::Parsed(
        |_, parsed| {
            for record in &mut parsed.records {
                let read = serde_json::from_slice::<Value>(&record.written);
                if let Some(pretty) = read.ok().and_then(|value| serde_json::to_vec_pretty(&value).ok()) {
                    record.written = pretty;
                }
            }
        },
    )),
    fault("parse/null-is-a-misfit", "wire/typed-fields").that("reports a known field that is null, parents aside").by(
        Wrong::Parsed(|_, parsed| {
            report_misfits(parsed, |record| {
                matches!(kind(record), "user" | "assistant" | "system")
                    && STRINGS
                        .iter()
                        .any(|name| !name.ends_with("arentUuid") && record.get(*name) == Some(&Value::Null))
            });
        }),
    ),
    fault("parse/type-of-another-kind", "wire/typed-fields")
        .that("gives a type that is a number or a flag as text")
        .by(Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                let read = value(record);
                record.kind = record.kind.take().or_else(|| match read.get("type")? {
                    Value::Null | Value::Array(_) | Value::Object(_) => None,
                    other => Some(other.to_string()),
                });
            }
        })),
    fault("parse/carriage-returns-are-nobodys", "wire/every-byte-accounted")
        .that("leaves the CR before a line end to no range")
        .by(Wrong::Parsed(|bytes, parsed| {
            for (start, end) in &mut parsed.blank {
                if bytes.get(*start as usize) == Some(&b'\r') && *end > *start {
                    *start += 1;
                }
            }
        })),
    fault("parse/line-feed-of-the-record", "wire/typed-fields")
        .that("counts the line feed behind a record as a byte of the record")
        .by(Wrong::Parsed(|bytes, parsed| {
            for record in &mut parsed.records {
                let is_end = bytes.get(record.end as usize) == Some(&b'\n');
                if let Some(blank) = parsed.blank.iter_mut().find(|blank| is_end && blank.0 == record.end) {
                    blank.0 += 1;
                    record.end += 1;
                }
            }
            parsed.blank.retain(|(start, end)| start < end);
        })),
    fault("parse/loses-what-prototypes-have", "wire/lossless")
        .that("assigns members to an object of JavaScript, and so loses `__proto__`")
        .by(Wrong::Parsed(|_, parsed| {
            rewrite(parsed, |text| {
                let Value::Object(mut value) = serde_json::from_str(text).ok()? else { return None };
                value.remove("__proto__")?;
                Some(Value::Object(value).to_string())
            });
        })),
    fault("parse/looks-for-repeated-keys-at-the-top", "wire/unique-keys")
        .that("notices a repeated key at the top of a record alone")
        .by(Wrong::Parsed(|bytes, parsed| {
            let Parsed { records, reports, .. } = parsed;
            let is_below = |report: &Report| {
                let its = records.iter().find(|record| (record.start..record.end).contains(&report.start));
                its.is_some_and(|record| nesting(&bytes[record.start as usize..report.start as usize]).0 > 1)
            };
            reports.get_or_insert_default().retain(|report| report.rule != "wire/unique-keys" || !is_below(report));
        })),
    fault("parse/reads-over-line-ends", "wire/json-object")
        .that("takes the next line for the end of one that is cut short, if both are JSON together")
        .by(Wrong::Parsed(|bytes, parsed| {
            let mut joined = Vec::new();
            for range in parsed.rejected.iter().filter(|range| range.reason == "cut-short") {
                let rest = &bytes[range.start as usize..];
                let mut lines = rest.splitn(3, |&byte| byte == b'\n');
                let (Some(first), Some(second)) = (lines.next(), lines.next()) else { continue };
                let whole = [first, second].concat();
                if serde_json::from_slice::<Value>(&whole).is_ok() {
                    joined.push((range.start, range.start + whole.len() as u64 + 1, whole));
                }
            }
            for (start, end, written) in joined {
                drop_between(start, end, parsed);
                parsed.records.push(ParsedRecord { start, end, kind: None, uuid: None, written });
            }
            parsed.records.sort_by_key(|record| record.start);
        })),
    fault("parse/does-not-decode-values", "wire/json-object")
        .that("gives a type or a uuid as it is written, escapes and all")
        .by(Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                let written = String::from_utf8_lossy(&record.written).into_owned();
                let raw = |name: &str| {
                    let (_, rest) = written.split_once(&format!("\"{name}\":\"\\u"))?;
                    Some(format!("\\u{}", rest.split('"').next()?))
                };
                record.kind = record.kind.take().map(|kind| raw("type").unwrap_or(kind));
                record.uuid = record.uuid.take().map(|uuid| raw("uuid").unwrap_or(uuid));
            }
        })),
    fault("parse/takes-blanks-for-a-line-end", "wire/terminated")
        .that("does not notice that the last line lacks its line end, if spaces are there instead")
        .by(Wrong::Parsed(|bytes, parsed| {
            if bytes.ends_with(b" ") {
                parsed.reports.get_or_insert_default().retain(|report| report.rule != "wire/terminated");
            }
        })),
    fault("parse/reports-whole-records", "wire/unique-keys").that("reports whole records, not the bytes concerned").by(
        Wrong::Parsed(|_, parsed| {
            let Parsed { records, reports, .. } = parsed;
            for report in reports.iter_mut().flatten() {
                let is_its = |record: &&ParsedRecord| (record.start..record.end).contains(&report.start);
                if let Some(record) = records.iter().find(is_its) {
                    (report.start, report.end) = (record.start, record.end);
                }
            }
        }),
    ),
    fault("parse/deep-is-not-json", "wire/depth")
        .that("calls a value that nests too deep not-json")
        .by(Wrong::Parsed(|_, parsed| rename(parsed, "too-deep", "not-json"))),
    fault("parse/recovers-messages-alone", "wire/one-record-per-line")
        .that("rejects a side record behind damage on its line, since it names neither parent nor session")
        .by(Wrong::Parsed(|_, parsed| {
            let is_behind = |record: &ParsedRecord, range: &Rejected| range.end == record.start;
            let is_named = |record: &ParsedRecord| {
                ["parentUuid", "sessionId"].iter().any(|name| value(record).get(name).is_some())
            };
            parsed.records.retain(|record| {
                match parsed.rejected.iter_mut().find(|range| is_behind(record, range) && !is_named(record)) {
                    Some(range) => range.end = record.end,
                    None => return true,
                }
                false
            });
        })),
];

/// A line, with the records that the reference found on it.
pub(super) struct ReadLine<'a> {
    pub(super) bytes: &'a [u8],
    records: Vec<&'a ParsedRecord>,
    is_cut_short: bool,
    is_terminated: bool,
}

/// Rejects whole lines that hold a record: what a reader does that parses line by line.
pub(super) fn reject_lines(bytes: &[u8], parsed: &mut Parsed, unreadable: fn(&ReadLine<'_>) -> bool) {
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let (from, to) = (start, start + text.len() as u64);
        start += line.len() as u64;
        let inside = |at: u64| (from..to).contains(&at);
        let records: Vec<_> = parsed.records.iter().filter(|record| inside(record.start)).collect();
        let is_cut_short = parsed.rejected.iter().any(|range| inside(range.start) && range.reason == "cut-short");
        let is_terminated = text.len() < line.len();
        let read = ReadLine { bytes: text, records, is_cut_short, is_terminated };
        if !read.records.is_empty() && unreadable(&read) {
            parsed.records.retain(|record| !inside(record.start));
            parsed.blank.retain(|&(start, _)| !inside(start));
            parsed.rejected.retain(|range| !inside(range.start));
            parsed.reports.get_or_insert_default().retain(|report| !inside(report.start));
            parsed.rejected.push(Rejected { start: from, end: to, reason: "not-json".into() });
        }
    }
    parsed.rejected.sort_by_key(|range| range.start);
}

/// Drops what was found from one byte to another.
fn drop_between(start: u64, end: u64, parsed: &mut Parsed) {
    let is_outside = |at: u64| !(start..end).contains(&at);
    parsed.records.retain(|record| is_outside(record.start));
    parsed.blank.retain(|&(blank, _)| is_outside(blank));
    parsed.rejected.retain(|range| is_outside(range.start));
    parsed.reports.get_or_insert_default().retain(|report| is_outside(report.start));
}

fn reject_from(start: u64, bytes: &[u8], parsed: &mut Parsed) {
    parsed.records.retain(|record| record.start < start);
    parsed.blank.retain(|&(blank, _)| blank < start);
    parsed.rejected.retain(|range| range.start < start);
    parsed.reports.get_or_insert_default().retain(|report| report.start < start);
    parsed.rejected.push(Rejected { start, end: bytes.len() as u64, reason: "not-json".into() });
}

/// Changes what the subject writes back, for records that are text.
fn rewrite(parsed: &mut Parsed, change: impl Fn(&str) -> Option<String>) {
    for record in &mut parsed.records {
        let changed = std::str::from_utf8(&record.written).ok().and_then(&change);
        if let Some(changed) = changed {
            record.written = changed.into_bytes();
        }
    }
}

fn without_nulls(text: &str) -> Option<String> {
    let Value::Object(mut value) = serde_json::from_str(text).ok()? else { return None };
    let before = value.len();
    value.retain(|_, value| !value.is_null());
    (value.len() < before).then(|| Value::Object(value).to_string())
}

/// Takes records for blank ranges.
fn pass_over(parsed: &mut Parsed, is_meant: impl Fn(&ParsedRecord) -> bool) {
    let (over, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut parsed.records).into_iter().partition(is_meant);
    parsed.records = rest;
    for record in over {
        parsed.reports.get_or_insert_default().retain(|report| !(record.start..record.end).contains(&report.start));
        parsed.blank.push((record.start, record.end));
    }
    parsed.blank.sort_unstable();
}

/// The kinds that live in memory only.
const LIVE: [&str; 5] = ["tool_use_summary", "tombstone", "grouped_tool_use", "stream_event", "stream_request_start"];

/// The bytes of a record in its file.
fn own<'a>(bytes: &'a [u8], record: &ParsedRecord) -> &'a [u8] {
    &bytes[record.start as usize..record.end as usize]
}

/// How deep arrays and objects nest.
fn depth(record: &[u8]) -> usize {
    nesting(record).1
}

/// How many arrays and objects are open at the end, and at most.
fn nesting(record: &[u8]) -> (usize, usize) {
    let (mut open, mut deepest, mut is_text, mut is_escaped) = (0_usize, 0, false, false);
    for byte in record {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' | b'[' if !is_text => {
                open += 1;
                deepest = deepest.max(open);
            }
            b'}' | b']' if !is_text => open = open.saturating_sub(1),
            _ => {}
        }
    }
    (open, deepest)
}

fn report_misfits(parsed: &mut Parsed, is_meant: impl Fn(&Value) -> bool) {
    const RULE: &str = "wire/typed-fields";
    for record in &parsed.records {
        let inside = |report: &Report| report.rule == RULE && (record.start..record.end).contains(&report.start);
        if is_meant(&value(record)) && !parsed.reports.iter().flatten().any(inside) {
            parsed.reports.get_or_insert_default().push(Report {
                rule: RULE.to_owned(),
                start: record.start,
                end: record.end,
            });
        }
    }
}

/// Some of the fields that are strings, and that are true or false.
const STRINGS: [&str; 8] =
    ["uuid", "parentUuid", "logicalParentUuid", "timestamp", "sessionId", "agentId", "cwd", "version"];

fn value(record: &ParsedRecord) -> Value {
    Plain::read(&String::from_utf8_lossy(&record.written)).map(Plain::into_value).unwrap_or_default()
}

fn rename(parsed: &mut Parsed, from: &str, to: &str) {
    for range in parsed.rejected.iter_mut().filter(|range| range.reason == from) {
        to.clone_into(&mut range.reason);
    }
}
