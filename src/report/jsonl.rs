//! *JSON Lines*: one object a violation, one a verdict, last the summary.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::check::{Finding, Judged, Sink, Tally};
use turnproof_rules::rules::SentenceValue;

use super::excerpt::Excerpt;
use super::verdicts::{note_lines, verdict_line};

/// Writes findings as JSON Lines, then the verdicts, worst first.
pub struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Sink for JsonLines<W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.out.write_all(violation_line(finding).as_bytes())
    }

    fn finish(&mut self, tally: &Tally, judged: &[Judged]) -> io::Result<()> {
        judged.iter().try_for_each(|judged| verdict_line(&mut self.out, judged))?;
        note_lines(&mut self.out, judged)?;
        let line = JsonLine::new("summary")
            .with("files", tally.files)
            .with("lines", tally.lines)
            .with("records", tally.records)
            .with("bytes", tally.bytes)
            .with("blank", tally.blank_bytes)
            .with("rejected", tally.rejected)
            .with("violations", tally.violation_count())
            .with("record_bytes", tally.record_bytes)
            .with("blank_bytes", tally.blank_bytes)
            .with("rejected_bytes", tally.rejected_bytes)
            .with("unreadable", tally.unreadable)
            .with("violations_by_rule", &tally.violations);
        self.out.write_all(line.end().as_bytes())?;
        self.out.flush()
    }
}

/// A finding as a line of JSON.
pub(super) fn violation_line(finding: &Finding<'_>) -> String {
    JsonLine::new("violation")
        .with("rule", finding.rule.id)
        .with("severity", finding.rule.severity.name())
        .with("file", finding.file)
        .with("line", finding.line)
        .with("column", finding.column())
        .with("start", finding.start)
        .with("end", finding.end)
        .with("path", &finding.path)
        .with("violation_kind", finding.kind)
        .with("found", finding.found.to_string())
        .with("expected", finding.expected.to_string())
        .with("values", values(finding.found.values().iter().chain(finding.expected.values())))
        .with("excerpt", Excerpt::of(finding, None).text)
        .end()
}

/// The values of sentences, as an object. The first of a name counts.
pub(super) fn values<'a>(values: impl Iterator<Item = &'a (&'static str, SentenceValue)>) -> Value {
    let mut object = Map::new();
    for (name, value) in values {
        object.entry(*name).or_insert_with(|| json!(value));
    }
    Value::Object(object)
}

/// A line of JSON: an object whose members stand in the order in which they were added, its `kind` first.
pub struct JsonLine(String);

impl JsonLine {
    /// A line of this kind.
    pub fn new(kind: &str) -> Self {
        Self(format!("{{\"kind\":\"{kind}\""))
    }

    /// Adds a member. Its value is plain data, which can always be written.
    pub fn with(mut self, name: &str, value: impl Serialize) -> Self {
        self.0 += &format!(",\"{name}\":{}", serde_json::to_string(&value).unwrap_or_default());
        self
    }

    /// Adds the members of an object.
    pub fn with_members(mut self, object: &impl Serialize) -> Self {
        let json = serde_json::to_string(object).unwrap_or_default();
        let members = json.strip_prefix('{').and_then(|json| json.strip_suffix('}')).filter(|json| !json.is_empty());
        self.0.extend(members.into_iter().flat_map(|members| [",", members]));
        self
    }

    /// The line with its end.
    pub fn end(self) -> String {
        self.0 + "}\n"
    }
}

/// Writes a value as JSON on a line of its own.
/// It fails when it cannot be written.
pub fn json_line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
