//! Unread faults in *reading* a file.

use turnproof::operation::Value;
use turnproof::operation::{Parsed, Rejected};

use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "parse/unread-short-lines",
        "3.5: it never fails on content; only a line longer than 1 GiB is not looked into",
        "reads no line of more than 4,096 bytes",
        Wrong::Unread(|line| line.bytes.len() > 4096),
    ),
    unread(
        "parse/unread-strangers-have-no-uuid",
        "2: a record of an unknown type is kept too; 3.5.1",
        "gives no uuid for a record of an unknown type",
        Wrong::Parsed(|_, parsed| {
            const KNOWN: [&str; 6] = ["user", "assistant", "system", "attachment", "hook_result", "progress"];
            for record in &mut parsed.records {
                if !record.kind.as_deref().is_some_and(|kind| KNOWN.contains(&kind)) {
                    record.uuid = None;
                }
            }
        }),
    ),
    unread(
        "parse/unread-pretty-lines",
        "3.5.5: a record that is written back is the same document, on one line",
        "writes records back over several lines",
        Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                let read = serde_json::from_slice::<Value>(&record.written);
                if let Some(pretty) = read.ok().and_then(|value| serde_json::to_vec_pretty(&value).ok()) {
                    record.written = pretty;
                }
            }
        }),
    ),
    unread(
        "parse/unread-carriage-returns-are-nobodys",
        "3.5.1: each byte belongs to exactly one range",
        "leaves the CR before a line end to no range",
        Wrong::Parsed(|bytes, parsed| {
            for (start, end) in &mut parsed.blank {
                if bytes.get(*start as usize) == Some(&b'\r') && *end > *start {
                    *start += 1;
                }
            }
        }),
    ),
    unread(
        "parse/unread-deep-is-not-json",
        "3.5.3: the first reason that holds: too-deep",
        "calls a value that nests too deep not-json",
        Wrong::Parsed(|_, parsed| rename(parsed, "too-deep", "not-json")),
    ),
    unread(
        "parse/unread-numbers-are-not-json",
        "3.5.3: not-object: it is one whole JSON value that is no object",
        "calls a value that is no object not-json",
        Wrong::Parsed(|_, parsed| rename(parsed, "not-object", "not-json")),
    ),
    unread(
        "parse/unread-last-line-is-not-reported",
        "3.5.2: the missing LF is reported in both cases",
        "reports a missing LF only if the last line is torn",
        Wrong::Parsed(|bytes, parsed| {
            let last = parsed.records.last().map(|record| record.end);
            if last == Some(bytes.len() as u64) {
                parsed.reports.retain(|report| report.rule != "wire/terminated");
            }
        }),
    ),
    unread(
        "parse/unread-mark-in-the-middle",
        "3.5.2: a byte order mark where a value could begin is blank too",
        "knows a byte order mark at the beginning of the file alone",
        Wrong::Parsed(|bytes, parsed| {
            let mut blank = Vec::new();
            for &(start, end) in &parsed.blank {
                let is_mark = |at: u64| bytes[at as usize..].starts_with(b"\xEF\xBB\xBF");
                match (start.max(1)..end).find(|&at| is_mark(at)) {
                    Some(at) => {
                        blank.extend([(start, at), (at + 3, end)]);
                        parsed.rejected.push(Rejected { start: at, end: at + 3, reason: "not-json".to_owned() });
                    }
                    None => blank.push((start, end)),
                }
            }
            parsed.blank = blank.into_iter().filter(|(start, end)| start < end).collect();
            parsed.rejected.sort_by_key(|range| range.start);
        }),
    ),
    unread(
        "parse/unread-ids-in-lower-case",
        "1.2: clients write UUIDs, readers accept any string",
        "gives uuids in lower case",
        Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                record.uuid = record.uuid.as_ref().map(|uuid| uuid.to_lowercase());
            }
        }),
    ),
    unread(
        "parse/unread-one-report-a-file",
        "3.5.3: each record or rejected range is reported at most once for each rule",
        "reports each rule once in a file",
        Wrong::Parsed(|_, parsed| {
            let mut seen = std::collections::HashSet::new();
            parsed.reports.retain(|report| seen.insert(report.rule.clone()));
        }),
    ),
    unread(
        "parse/unread-separators-are-escaped",
        "3.5.5: a record that nobody changed is written back byte for byte",
        "writes U+2028 as an escape",
        Wrong::Parsed(|_, parsed| {
            for record in &mut parsed.records {
                if let Ok(said) = std::str::from_utf8(&record.written) {
                    record.written = said.replace('\u{2028}', "\\u2028").into_bytes();
                }
            }
        }),
    )
    .withdrawn("3.5.5 says that byte for byte is best, and that how keys and texts are escaped is free"),
    unread(
        "parse/unread-glued-record-is-quiet",
        "3.5.3: a record that follows another record on its line is reported",
        "reports no record that follows another one on its line",
        Wrong::Parsed(|_, parsed| {
            let starts: Vec<u64> = parsed.records.iter().map(|record| record.start).collect();
            parsed
                .reports
                .retain(|report| report.rule != "wire/one-record-per-line" || !starts.contains(&report.start));
        }),
    ),
];

fn rename(parsed: &mut Parsed, from: &str, to: &str) {
    for range in parsed.rejected.iter_mut().filter(|range| range.reason == from) {
        to.clone_into(&mut range.reason);
    }
}
