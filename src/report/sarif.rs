//! *SARIF* is the format that code hosts and editors take from analysers (OASIS SARIF 2.1.0). One JSON document, written
//! as it comes: the rules, a result for each violation and for each session that is broken, what could not be read.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::printer::Printed;
use crate::check::{Class, Finding, InputError, Judged, Sink, Tally};
use turnproof_rules::rules::{Rule, Severity};

/// Where the shape of the document is described.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Writes findings as SARIF. Columns are characters, counted from 1.
pub struct Sarif<'a, W> {
    out: W,
    rules: &'a [&'static Rule],
    /// Whether verdicts are given too.
    verdicts: bool,
    /// Whether the head and a result are written.
    has_head: bool,
    has_result: bool,
    /// What could not be read.
    unread: Vec<Value>,
}

impl<'a, W: Write> Sarif<'a, W> {
    /// Writes to `out`. `rules` are those that are asked, and `verdicts` says whether verdicts are asked for too.
    pub fn new(out: W, rules: &'a [&'static Rule], verdicts: bool) -> Self {
        Self { out, rules, verdicts, has_head: false, has_result: false, unread: Vec::new() }
    }

    fn head(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.has_head, true) {
            return Ok(());
        }
        let classes = Class::ALL.into_iter().filter(|class| class.is_broken() && self.verdicts);
        let classes = classes.map(described_class);
        let rules: Vec<Value> = self.rules.iter().map(|rule| described(rule)).chain(classes).collect();
        let driver = json!({"name": "turnproof", "version": env!("CARGO_PKG_VERSION"), "rules": rules});
        let head = json!({"driver": driver});
        write!(self.out, r#"{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{{"tool":{head},"#)?;
        self.out.write_all(br#""columnKind":"unicodeCodePoints","results":["#)
    }

    fn result(&mut self, result: &Value) -> io::Result<()> {
        self.head()?;
        let comma = if std::mem::replace(&mut self.has_result, true) { ",\n" } else { "\n" };
        write!(self.out, "{comma}{result}")
    }

    fn index(&self, rule: &Rule) -> Option<usize> {
        self.rules.iter().position(|other| other.id == rule.id)
    }

    /// Writes a finding in a request or a reply; its place is a path or an event in it.
    pub(super) fn judged(&mut self, printed: &Printed<'_>) -> io::Result<()> {
        let Printed { file, line, rule, severity, violation, .. } = printed;
        let error = violation.error.as_ref().map_or(String::new(), |error| format!("; the API answers: {error}"));
        let text = format!("{}; expected {}{error}", violation.found, violation.expected);
        let location = located(file, json!({"startLine": line}), &violation.place.to_string());
        let mut result = result(rule.id, self.index(rule), level(*severity), &text, location);
        result["properties"] = json!({"kind": violation.kind});
        self.result(&result)
    }

    /// Ends the document.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.head()?;
        let unread = std::mem::take(&mut self.unread);
        let invocation = json!({"executionSuccessful": unread.is_empty(), "toolExecutionNotifications": unread});
        writeln!(self.out, "\n],\"invocations\":[{invocation}]}}]}}")?;
        self.out.flush()
    }
}

impl<W: Write> Sink for Sarif<'_, W> {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        let meaning = finding.rule.consequence.map_or(String::new(), |meaning| format!("; it means: {meaning}"));
        let text = format!("{}; expected {}{meaning}", finding.found, finding.expected);
        let location = located(finding.file, region(finding), &finding.path);
        let index = self.index(finding.rule);
        let mut result = result(finding.rule.id, index, level(finding.rule.severity), &text, location);
        result["properties"] = json!({"kind": finding.kind});
        self.result(&result)
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        let place = json!([{"physicalLocation": {"artifactLocation": {"uri": uri(&error.name)}}}]);
        self.unread.push(json!({"level": "error", "message": {"text": error.problem}, "locations": place}));
        Ok(())
    }

    fn finish(&mut self, _tally: &Tally, judged: &[Judged]) -> io::Result<()> {
        let broken = judged.iter().filter(|judged| judged.is_broken());
        for Judged { file, verdict, .. } in broken {
            let index = Class::ALL.iter().position(|class| *class == verdict.class);
            let index = index.map(|index| self.rules.len() + index);
            let location = located(file, json!({"startLine": 1}), "");
            self.result(&result(&id_of(verdict.class), index, "error", &verdict.consequences().join("; "), location))?;
        }
        self.end()
    }
}

fn result(id: &str, index: Option<usize>, level: &str, text: &str, location: Value) -> Value {
    let mut result = json!({"ruleId": id, "level": level, "message": {"text": text}, "locations": [location]});
    if let Some(index) = index {
        result["ruleIndex"] = index.into();
    }
    result
}

fn located(file: &str, region: Value, path: &str) -> Value {
    let mut location = json!({"physicalLocation": {"artifactLocation": {"uri": uri(file)}, "region": region}});
    if !path.is_empty() {
        location["logicalLocations"] = json!([{"fullyQualifiedName": path, "kind": "member"}]);
    }
    location
}

/// The place of a finding: the line and the characters in it, and the bytes of the file.
fn region(finding: &Finding<'_>) -> Value {
    let within = |byte: u64| (byte.saturating_sub(finding.text_start) as usize).min(finding.text.len());
    let (start, end) = (within(finding.start), within(finding.end));
    let before = characters(&finding.text[..start]);
    let mut region = json!({
        "startLine": finding.line.max(1), "startColumn": before + 1,
        "byteOffset": finding.start, "byteLength": finding.end - finding.start,
    });
    if start < end {
        region["endColumn"] = (before + characters(&finding.text[start..end]) + 1).into();
    }
    region
}

fn characters(bytes: &[u8]) -> usize {
    let count =
        |chunk: std::str::Utf8Chunk<'_>| chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty());
    bytes.utf8_chunks().map(count).sum()
}

/// A file's name as a URI: what is absolute with its scheme, all else as it is, from where the command is called.
fn uri(name: &str) -> String {
    let path = if cfg!(windows) { name.replace('\\', "/") } else { name.to_owned() };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let escape = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let escaped: String = path.bytes().map(escape).collect();
    match (path.starts_with('/'), path.as_bytes().get(1) == Some(&b':')) {
        (true, _) => format!("file://{escaped}"),
        (false, true) => format!("file:///{}", escaped.replacen("%3A", ":", 1)),
        (false, false) => escaped,
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn described(rule: &Rule) -> Value {
    let help = format!("{}\n\nWhat to do: {}", rule.doc, rule.remedy);
    json!({
        "id": rule.id, "shortDescription": {"text": rule.title}, "fullDescription": {"text": rule.doc},
        "help": {"text": help}, "defaultConfiguration": {"level": level(rule.severity)},
        "properties": {"tags": [rule.family()]},
    })
}

fn id_of(class: Class) -> String {
    format!("session/{}", class.name())
}

fn described_class(class: Class) -> Value {
    json!({
        "id": id_of(class), "shortDescription": {"text": format!("a session is {}", class.name())},
        "fullDescription": {"text": class.meaning()}, "help": {"text": "`turnproof check FILE` says what to run."},
        "defaultConfiguration": {"level": "error"}, "properties": {"tags": ["session"]},
    })
}
