//! *Records*: a file for each exchange, with the request, its verdict and what was answered. No key is ever written.
//!
//! A file has the plain form of recordings that `turnproof check --recordings` reads.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hyper::HeaderMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use turnproof_rules::operation::TalkAnswer;
use turnproof_rules::rules::Severity;

use crate::headers::masked;
use crate::judge::{Finding, Verdict};

/// A folder of records.
#[derive(Debug)]
pub(crate) struct Records {
    folder: PathBuf,
}

/// An exchange as it is written down.
pub(crate) struct Recorded<'a> {
    pub(crate) number: u64,
    pub(crate) path: &'a str,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
    pub(crate) verdict: Option<&'a Verdict>,
    pub(crate) row: Vec<&'a Finding>,
    pub(crate) talk: Option<&'a TalkAnswer>,
    pub(crate) status: u16,
    pub(crate) answer: &'a str,
    pub(crate) streams: bool,
    pub(crate) notes: &'a [String],
}

impl Records {
    /// Makes the folder; fails where it is there and has something in it.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        match fs::read_dir(folder)?.next() {
            None => Ok(Self { folder: folder.to_owned() }),
            Some(_) => Err(io::Error::new(io::ErrorKind::AlreadyExists, "the folder is not empty")),
        }
    }

    /// Writes an exchange down; gives its file.
    pub(crate) fn write(&self, recorded: &Recorded<'_>) -> io::Result<PathBuf> {
        let file = self.folder.join(format!("{:04}.json", recorded.number));
        fs::write(&file, recorded.text()).map(|()| file)
    }
}

impl Recorded<'_> {
    /// The record as JSON.
    pub(crate) fn text(&self) -> String {
        let headers: Map<String, Value> = self.headers.iter().map(header).collect();
        let host = self.verdict.map(|verdict| verdict.host.name());
        let members = [
            ("number", json!(self.number).to_string()),
            // What is behind the question mark may be a key.
            ("url", json!(self.path).to_string()),
            ("judged_as", json!(host).to_string()),
            ("status", json!(self.status).to_string()),
            ("end", json!(self.talk.map(|talk| talk.end.name()).unwrap_or("whole")).to_string()),
            ("at", json!(self.talk.map_or(0, |talk| talk.at)).to_string()),
            ("odd", json!(self.talk.is_some_and(|talk| talk.odd)).to_string()),
            ("retry_after", json!(self.talk.and_then(|talk| talk.retry_after)).to_string()),
            ("headers", Value::from(headers).to_string()),
            ("verdict", self.findings().to_string()),
            ("notes", json!(self.notes).to_string()),
            ("request", as_json(&String::from_utf8_lossy(self.body))),
            if self.streams { ("stream", json!(self.answer).to_string()) } else { ("response", as_json(self.answer)) },
        ];
        let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        format!("{{{}}}\n", members.join(",\n "))
    }

    fn findings(&self) -> Value {
        let Some(verdict) = self.verdict else { return Value::Null };
        let one = |finding: &Finding| {
            let violation = &finding.violation;
            json!({
                "rule": finding.rule.id, "severity": finding.severity().name(), "place": violation.place.to_string(),
                "found": violation.found.to_string(), "error": violation.error,
            })
        };
        let worst = |severity: Severity| self.row.iter().any(|finding| finding.severity() == severity);
        let findings: Vec<Value> = verdict.findings.iter().chain(self.row.iter().copied()).map(one).collect();
        json!({"legal": verdict.is_legal(), "lost": worst(Severity::Error), "findings": findings})
    }
}

fn header((name, value): (&hyper::header::HeaderName, &hyper::header::HeaderValue)) -> (String, Value) {
    let text = String::from_utf8_lossy(value.as_bytes());
    (name.to_string(), masked(name.as_str(), &text).into())
}

/// A text that is JSON as it is, and any other as a string.
fn as_json(text: &str) -> String {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) => raw.get().to_owned(),
        Err(_) => json!(text).to_string(),
    }
}
