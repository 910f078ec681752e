//! The operation `repair`: a damaged transcript to one that every reader resumes whole.

use serde::{Deserialize, Serialize};

use super::bytes;
use super::form::Base64;
use crate::rules::RepairWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// The output of `repair`. Without `changes` or `removed` (left out or null) less is judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Repaired"))]
pub struct RepairedFile {
    /// The repaired file, whole.
    #[serde(rename = "jsonl_b64", with = "Base64")]
    pub bytes: Vec<u8>,
    /// What was changed, in any order.
    #[serde(default)]
    pub changes: Option<Vec<RepairChange>>,
    /// What was removed, in any order.
    #[serde(default)]
    pub removed: Option<Vec<RemovedPiece>>,
}

/// A change of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepairChange {
    /// The line of the damaged file, from 1; of an added record the line after which it is placed.
    pub line: u64,
    /// The rule that asks for it, such as `chain/parent-exists`.
    pub rule: String,
    /// What was done, in the program's own words.
    #[serde(default)]
    pub what: String,
    /// The bytes before; none where something was added.
    #[serde(rename = "before_b64", with = "Base64")]
    pub before: Vec<u8>,
    /// The bytes after; none where something was taken out.
    #[serde(rename = "after_b64", with = "Base64")]
    pub after: Vec<u8>,
}

/// A piece that a repair removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemovedPiece {
    /// The line of the damaged file, from 1.
    pub line: u64,
    /// The rule that it breaks, if the program can tell.
    #[serde(default)]
    pub rule: Option<String>,
    /// Why it had to go, in the program's own words.
    #[serde(default)]
    pub reason: String,
    /// Its bytes.
    #[serde(rename = "removed_b64", with = "Base64")]
    pub bytes: Vec<u8>,
}

/// The repaired file, or why there is none.
pub type RepairAnswer = Result<RepairedFile, String>;

/// A transcript, and what a subject made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repaired {
    /// The damaged file.
    #[serde(with = "bytes")]
    pub file: Vec<u8>,
    /// The answer.
    pub answer: RepairAnswer,
    /// The answer for the repaired file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<RepairAnswer>,
    /// The answer for the damaged file, asked again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<RepairAnswer>,
}

impl Observation for Repaired {
    type WorkedOut<'a> = RepairWorkedOut;

    /// Asks for a repair of the transcript, then for a repair of what came out. A file that came out as it went in is
    /// asked about again now and then, and so is the transcript itself.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let file = material.transcript().to_vec();
        let answer = subject.repair(&file).into_answer()?;
        let asks_again = |repaired: &&RepairedFile| repaired.bytes != file || depth.asks_again(1);
        let repaired = answer.as_ref().ok().filter(asks_again);
        let again = repaired.and_then(|repaired| subject.repair(&repaired.bytes).into_answer());
        let is_changed = answer.as_ref().is_ok_and(|repaired| repaired.bytes != file);
        let repeats = is_changed && depth.asks_again(2);
        let repeated = repeats.then(|| subject.repair(&file).into_answer()).flatten();
        Some(Ok(vec![Self { file, answer, again, repeated }]))
    }
}
