//! The operation `parse`: bytes to records, blanks and rejected ranges.

use serde::{Deserialize, Serialize};

use super::bytes;
use super::form::Base64;
use crate::observed::guarded;
use crate::rules::ParseWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, NoAnswer, Observation};

/// The output of `parse`. All offsets are bytes from the file's start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parsed {
    /// The records, in file order.
    pub records: Vec<ParsedRecord>,
    /// The blank ranges, start and end, in file order, line ends among them.
    pub blank: Vec<(u64, u64)>,
    /// The ranges that hold no record, in file order.
    pub rejected: Vec<Rejected>,
    /// The rules of the family `wire` that the program noticed the file to break. Without them (left out or null) only
    /// what is read is judged, not how it is named, and the reasons of `rejected` may be left out too.
    #[serde(default)]
    pub reports: Option<Vec<Report>>,
}

impl Default for Parsed {
    /// Nothing read, and nothing noticed.
    fn default() -> Self {
        Self { records: Vec::new(), blank: Vec::new(), rejected: Vec::new(), reports: Some(Vec::new()) }
    }
}

/// A record that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParsedRecord {
    /// Its first byte.
    pub start: u64,
    /// The byte after its last one.
    pub end: u64,
    /// Its `type`, when that is a string (halves of surrogate pairs as U+FFFD).
    #[serde(rename = "type", default)]
    pub kind: Option<String>,
    /// Its `uuid`, when that is a string (halves of surrogate pairs as U+FFFD).
    #[serde(default)]
    pub uuid: Option<String>,
    /// The record as the program writes it back.
    #[serde(rename = "written_b64", with = "Base64")]
    pub written: Vec<u8>,
}

/// A range of bytes in which a subject found no record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rejected {
    /// Its first byte.
    pub start: u64,
    /// The byte after its last one.
    pub end: u64,
    /// Why, in kebab case: `nul`, `too-deep`, `not-object`, `cut-short`, `invalid-utf8`, `not-json`. A subject without
    /// reports may leave it out.
    #[serde(default)]
    pub reason: String,
}

/// A rule that a subject noticed the file to break, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// The rule's id, such as `wire/no-nul`.
    pub rule: String,
    /// The first byte concerned.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
}

/// What a subject did with a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The file; in JSON a string, or a list of numbers when it is not UTF-8.
    #[serde(with = "bytes")]
    pub bytes: Vec<u8>,
    /// What was read from it.
    pub parsed: Parsed,
    /// The same, asked for again, or why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Result<Parsed, String>>,
}

impl Observation for Reading {
    type WorkedOut<'a> = ParseWorkedOut;

    /// Gives the subject the transcript to read; then again.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let bytes = material.transcript();
        let ask = || Some(subject.parse(bytes).into_answer()?.map_err(NoAnswer::Refused));
        let parsed = match ask()? {
            Ok(parsed) => parsed,
            Err(why) => return Some(Err(why)),
        };
        // If the second reading panics, the rule about it reports that.
        let again = depth.asks_again(2).then(|| guarded(ask)).flatten();
        let again = again.map(|again| again.map_err(|why| why.to_string()));
        Some(Ok(vec![Self { bytes: bytes.to_vec(), parsed, again }]))
    }
}
