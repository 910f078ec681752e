//! Unread faults in *parsing*: ranges, reasons, reports, and what a record is.

use turnproof::operation::Value;
use turnproof::operation::{Parsed, ParsedRecord, Plain, Rejected, Report};

use super::{Unread, unread};
use crate::walk::kind;
use crate::wrong::Wrong;

/// The kinds that live in memory only.
const LIVE: [&str; 5] = ["tool_use_summary", "tombstone", "grouped_tool_use", "stream_event", "stream_request_start"];

/// Some of the fields that are strings, and that are true or false.
const STRINGS: [&str; 8] =
    ["uuid", "parentUuid", "logicalParentUuid", "timestamp", "sessionId", "agentId", "cwd", "version"];
const FLAGS: [&str; 4] = ["isSidechain", "isMeta", "isVirtual", "isCompactSummary"];

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "parse/unread-nul-is-blank",
        "3.5.2: each run of NUL bytes is a rejected range with the reason nul",
        "takes NUL bytes for white space",
        Wrong::Parsed(|_, parsed| {
            let (nul, rest): (Vec<_>, Vec<_>) =
                std::mem::take(&mut parsed.rejected).into_iter().partition(|range| range.reason == "nul");
            parsed.rejected = rest;
            parsed.blank.extend(nul.into_iter().map(|range| (range.start, range.end)));
            parsed.blank.sort_unstable();
        }),
    ),
    unread(
        "parse/unread-nul-by-nul",
        "3.5.2: each run of NUL bytes is one rejected range",
        "rejects each NUL byte of a run by itself",
        Wrong::Parsed(|_, parsed| {
            let bytes = |range: Rejected| match range.reason.as_str() {
                "nul" => (range.start..range.end)
                    .map(|at| Rejected { start: at, end: at + 1, reason: "nul".into() })
                    .collect(),
                _ => vec![range],
            };
            parsed.rejected = std::mem::take(&mut parsed.rejected).into_iter().flat_map(bytes).collect();
        }),
    ),
    unread(
        "parse/unread-line-feed-of-the-record",
        "3.5.1: line ends are blank",
        "counts the line feed behind a record as a byte of the record",
        Wrong::Parsed(|bytes, parsed| {
            for record in &mut parsed.records {
                let is_end = bytes.get(record.end as usize) == Some(&b'\n');
                if let Some(blank) = parsed.blank.iter_mut().find(|blank| is_end && blank.0 == record.end) {
                    blank.0 += 1;
                    record.end += 1;
                }
            }
            parsed.blank.retain(|(start, end)| start < end);
        }),
    ),
    unread(
        "parse/unread-blank-lines-are-no-json",
        "3.5.2: white space of JSON around values is blank",
        "rejects a line that holds nothing but white space",
        Wrong::Parsed(|bytes, parsed| {
            let mut start = 0;
            for line in bytes.split_inclusive(|&byte| byte == b'\n') {
                let text = line.strip_suffix(b"\n").unwrap_or(line);
                let (from, to) = (start, start + text.len() as u64);
                start += line.len() as u64;
                if !text.is_empty() && text.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
                    take_out(&mut parsed.blank, from, to);
                    parsed.rejected.push(Rejected { start: from, end: to, reason: "not-json".into() });
                }
            }
            parsed.rejected.sort_by_key(|range| range.start);
        }),
    ),
    unread(
        "parse/unread-type-of-another-kind",
        "2.4: a type that is no string is none",
        "gives a type that is a number or a flag as text",
        Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                let read = value(record);
                record.kind = record.kind.take().or_else(|| match read.get("type")? {
                    Value::Null | Value::Array(_) | Value::Object(_) => None,
                    other => Some(other.to_string()),
                });
            }
        }),
    ),
    unread(
        "parse/unread-message-id-is-a-uuid",
        "2.4: all fields but type are optional; uuid is a contract",
        "gives the messageId of a side record as its uuid",
        Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                let read = value(record);
                let id = || read.get("messageId").and_then(Value::as_str).map(str::to_owned);
                record.uuid = record.uuid.take().or_else(id);
            }
        }),
    ),
    unread(
        "parse/unread-rejects-the-blanks-behind",
        "3.5.2: a rejected range goes on to the last byte of the stretch that is not blank",
        "rejects the white space at the end of a bad line too",
        Wrong::Parsed(|bytes, parsed| {
            for at in 0..parsed.rejected.len() {
                let end = parsed.rejected[at].end;
                let blanks = bytes.iter().skip(end as usize).take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
                let to = end + blanks.count() as u64;
                if parsed.rejected[at].reason != "nul" && end < to {
                    take_out(&mut parsed.blank, end, to);
                    parsed.rejected[at].end = to;
                }
            }
        }),
    ),
    unread(
        "parse/unread-cut-short-is-no-json",
        "3.5.3: a range that begins with { and ends inside the value is cut-short",
        "gives not-json as the reason of a record that was cut short",
        Wrong::Parsed(|_, parsed| {
            for range in parsed.rejected.iter_mut().filter(|range| range.reason == "cut-short") {
                range.reason = "not-json".into();
            }
        }),
    ),
    unread(
        "parse/unread-one-report-a-record",
        "3.5.3: each record or rejected range is reported at most once for each rule",
        "reports the first thing that is wrong with a record, and nothing else of it",
        Wrong::Parsed(|_, parsed| {
            let owner = |records: &[ParsedRecord], report: &Report| {
                records.iter().find(|record| (record.start..record.end).contains(&report.start)).map(|one| one.start)
            };
            let mut seen = Vec::new();
            let records = std::mem::take(&mut parsed.records);
            parsed.reports.retain(|report| match owner(&records, report) {
                Some(start) if seen.contains(&start) => false,
                Some(start) => {
                    seen.push(start);
                    true
                }
                None => true,
            });
            parsed.records = records;
        }),
    ),
    unread(
        "parse/unread-live-kinds-are-passed-over",
        "2: a reader that meets one in a transcript keeps the record, and reports it",
        "passes over records of kinds that live in memory only",
        Wrong::Parsed(|_, parsed| {
            pass_over(parsed, |record| record.kind.as_deref().is_some_and(|own| LIVE.contains(&own)))
        }),
    ),
    unread(
        "parse/unread-no-type-no-record",
        "3.5.2: a whole JSON object is a record, whatever it holds",
        "passes over an object without a type",
        Wrong::Parsed(|_, parsed| pass_over(parsed, |record| record.kind.is_none())),
    ),
    unread(
        "parse/unread-misfits-inside-are-quiet",
        "2.5: known members of known blocks have agreed JSON types",
        "looks at the types of the fields that every record has, and not at those inside its message",
        Wrong::Parsed(|_, parsed| {
            let is_quiet = |report: &Report| {
                let record = parsed.records.iter().find(|record| (record.start..record.end).contains(&report.start));
                report.rule == "wire/typed-fields" && record.is_some_and(|record| !has_misfit(&value(record)))
            };
            let kept = parsed.reports.iter().filter(|report| !is_quiet(report)).cloned().collect();
            parsed.reports = kept;
        }),
    ),
    unread(
        "parse/unread-null-is-a-misfit",
        "2.4: a known field may also be missing or null",
        "reports a known field that is null, parents aside",
        Wrong::Parsed(|_, parsed| {
            report_misfits(parsed, |record| {
                matches!(kind(record), "user" | "assistant" | "system")
                    && STRINGS
                        .iter()
                        .any(|name| !name.ends_with("arentUuid") && record.get(*name) == Some(&Value::Null))
            });
        }),
    ),
    unread(
        "parse/unread-side-records-have-fields",
        "2.4: side records and unknown kinds have no known fields",
        "reports fields of side records that have another type",
        Wrong::Parsed(|_, parsed| {
            report_misfits(parsed, |record| {
                let is_known = matches!(
                    kind(record),
                    "user" | "assistant" | "system" | "attachment" | "hook_result" | "progress" | ""
                );
                !is_known && !LIVE.contains(&kind(record)) && has_misfit(record)
            });
        }),
    ),
];

fn value(record: &ParsedRecord) -> Value {
    Plain::read(&String::from_utf8_lossy(&record.written)).map(Plain::into_value).unwrap_or_default()
}

/// Takes a range out of blank ranges.
fn take_out(blank: &mut Vec<(u64, u64)>, from: u64, to: u64) {
    let cut = |(start, end): (u64, u64)| [(start, end.min(from)), (start.max(to), end)];
    *blank = blank.drain(..).flat_map(cut).filter(|(start, end)| start < end).collect();
}

/// Takes records for blank ranges.
fn pass_over(parsed: &mut Parsed, is_meant: impl Fn(&ParsedRecord) -> bool) {
    let (over, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut parsed.records).into_iter().partition(is_meant);
    parsed.records = rest;
    for record in over {
        parsed.reports.retain(|report| !(record.start..record.end).contains(&report.start));
        parsed.blank.push((record.start, record.end));
    }
    parsed.blank.sort_unstable();
}

/// Whether one of a record's own fields has another type.
fn has_misfit(record: &Value) -> bool {
    let is_other = |name: &str, is_right: fn(&Value) -> bool| {
        record.get(name).is_some_and(|field| !field.is_null() && !is_right(field))
    };
    STRINGS.iter().any(|name| is_other(name, Value::is_string))
        || FLAGS.iter().any(|name| is_other(name, Value::is_boolean))
}

fn report_misfits(parsed: &mut Parsed, is_meant: impl Fn(&Value) -> bool) {
    const RULE: &str = "wire/typed-fields";
    for record in &parsed.records {
        let inside = |report: &Report| report.rule == RULE && (record.start..record.end).contains(&report.start);
        if is_meant(&value(record)) && !parsed.reports.iter().any(inside) {
            parsed.reports.push(Report { rule: RULE.to_owned(), start: record.start, end: record.end });
        }
    }
}
