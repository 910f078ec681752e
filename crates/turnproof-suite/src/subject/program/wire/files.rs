//! Transcripts *on the wire*, and what is read from them and written to them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::operation::{self, RecordHints, Rejected, Report, UsageRow};

use super::{Bytes, IntoPlain, List};

/// The input of `parse`, `resume` and `repair`, and a file of `usage`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct File {
    /// The transcript's bytes.
    pub jsonl_b64: Bytes,
}

/// The output of `parse`. All offsets are bytes from the file's start.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
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

/// A record that was read.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
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
    pub written_b64: Bytes,
}

/// The input of `record`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// The file that the session goes on with.
    pub jsonl_b64: Bytes,
    /// The session's id.
    pub session: String,
    /// What happens, in order.
    pub steps: Vec<RecordStep>,
}

/// One thing that happens while a session is recorded.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordStep {
    /// The list of messages as it stands now.
    List(List),
    /// The same, and a request is about to be sent.
    ListBeforeRequest(List),
    /// Everything that waits is to be written now.
    Flush,
    /// From now on the disk takes so many bytes more; null: it takes everything.
    DiskTakes(Option<u64>),
    /// The process dies, and another one goes on with the file.
    Restart,
    /// Another process writes these bytes at the end of the file.
    OtherWriterB64(Bytes),
    /// What the caller says about the next list (SPEC 3.2.8).
    Hints(RecordHints),
}

/// The output of `record`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// The answer to each step.
    pub answers: Vec<RecordAnswer>,
}

/// The answer to a step.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RecordAnswer {
    /// After a list: the uuid that the next message will chain to.
    #[serde(default)]
    pub tip: Option<String>,
    /// The error that the caller got, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The file after the step.
    pub jsonl_b64: Bytes,
}

/// The output of `resume`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// The conversation; null when the file holds none.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(required)]
    pub conversation: Option<Conversation>,
}

/// A conversation that was found.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Conversation {
    /// The records, in order.
    pub records: Vec<ConversationRecord>,
    /// What was bridged, dropped, put back or moved, in the program's own words.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A record of a conversation.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ConversationRecord {
    /// Its uuid (halves of surrogate pairs as U+FFFD).
    pub uuid: String,
    /// Its bytes as they stand in the file.
    pub record_b64: Bytes,
}

/// The input of `usage`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Transcripts {
    /// The files, in the order in which they are read.
    pub files: Vec<File>,
}

/// The output of `usage`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rows {
    /// A row for each session, model and sort of conversation, in any order.
    pub rows: Vec<UsageRow>,
}

/// The output of `repair`. Without `changes` or `removed` (left out or null) less is judged.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Repaired {
    /// The repaired file, whole.
    pub jsonl_b64: Bytes,
    /// What was changed, in any order.
    #[serde(default)]
    pub changes: Option<Vec<RepairChange>>,
    /// What was removed, in any order.
    #[serde(default)]
    pub removed: Option<Vec<RemovedPiece>>,
}

/// A change of a repair.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RepairChange {
    /// The line of the damaged file, from 1; of an added record the line after which it goes.
    pub line: u64,
    /// The rule that asks for it, such as `chain/parent-exists`.
    pub rule: String,
    /// What was done, in the program's own words.
    #[serde(default)]
    pub what: String,
    /// The bytes before; none where something was added.
    pub before_b64: Bytes,
    /// The bytes after; none where something was taken out.
    pub after_b64: Bytes,
}

/// A piece that a repair removed.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
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
    pub removed_b64: Bytes,
}

impl File {
    pub(in crate::subject::program) fn of(bytes: &[u8]) -> Self {
        Self { jsonl_b64: Bytes(bytes.to_vec()) }
    }
}

impl IntoPlain for Parsed {
    type Plain = operation::Parsed;

    fn into_plain(self) -> Result<operation::Parsed, String> {
        let plain = |record: ParsedRecord| {
            let ParsedRecord { start, end, kind, uuid, written_b64: Bytes(written) } = record;
            operation::ParsedRecord { start, end, kind, uuid, written }
        };
        let records = self.records.into_iter().map(plain).collect();
        let (unnamed, reports) = (self.reports.is_none(), self.reports.unwrap_or_default());
        Ok(operation::Parsed { records, blank: self.blank, rejected: self.rejected, reports, unnamed })
    }
}

impl From<operation::Parsed> for Parsed {
    fn from(parsed: operation::Parsed) -> Self {
        let on_the_wire = |record: operation::ParsedRecord| {
            let operation::ParsedRecord { start, end, kind, uuid, written } = record;
            ParsedRecord { start, end, kind, uuid, written_b64: Bytes(written) }
        };
        let records = parsed.records.into_iter().map(on_the_wire).collect();
        let reports = (!parsed.unnamed).then_some(parsed.reports);
        Self { records, blank: parsed.blank, rejected: parsed.rejected, reports }
    }
}

impl From<&operation::RecordStep> for RecordStep {
    fn from(step: &operation::RecordStep) -> Self {
        match step {
            operation::RecordStep::List(list) => Self::List(List::of(list)),
            operation::RecordStep::ListBeforeRequest(list) => Self::ListBeforeRequest(List::of(list)),
            operation::RecordStep::Flush => Self::Flush,
            operation::RecordStep::DiskTakes(bytes) => Self::DiskTakes(*bytes),
            operation::RecordStep::Restart => Self::Restart,
            operation::RecordStep::OtherWriter(bytes) => Self::OtherWriterB64(Bytes(bytes.clone())),
            operation::RecordStep::Hints(hints) => Self::Hints(hints.clone()),
        }
    }
}

impl From<RecordStep> for operation::RecordStep {
    fn from(step: RecordStep) -> Self {
        match step {
            RecordStep::List(list) => Self::List(list.text().to_owned().into()),
            RecordStep::ListBeforeRequest(list) => Self::ListBeforeRequest(list.text().to_owned().into()),
            RecordStep::Flush => Self::Flush,
            RecordStep::DiskTakes(bytes) => Self::DiskTakes(bytes),
            RecordStep::Restart => Self::Restart,
            RecordStep::OtherWriterB64(Bytes(bytes)) => Self::OtherWriter(bytes),
            RecordStep::Hints(hints) => Self::Hints(hints),
        }
    }
}

impl IntoPlain for Recorded {
    type Plain = Vec<operation::RecordAnswer>;

    fn into_plain(self) -> Result<Self::Plain, String> {
        let plain = |answer: RecordAnswer| operation::RecordAnswer {
            tip: answer.error.map_or(Ok(answer.tip), Err),
            file: answer.jsonl_b64.0,
        };
        Ok(self.answers.into_iter().map(plain).collect())
    }
}

impl From<Vec<operation::RecordAnswer>> for Recorded {
    fn from(answers: Vec<operation::RecordAnswer>) -> Self {
        let on_the_wire = |answer: operation::RecordAnswer| {
            let (tip, error) = answer.tip.map_or_else(|error| (None, Some(error)), |tip| (tip, None));
            RecordAnswer { tip, error, jsonl_b64: Bytes(answer.file) }
        };
        Self { answers: answers.into_iter().map(on_the_wire).collect() }
    }
}

impl IntoPlain for Found {
    type Plain = Option<operation::Conversation>;

    fn into_plain(self) -> Result<Self::Plain, String> {
        let record = |record: ConversationRecord| operation::ConversationRecord {
            uuid: record.uuid,
            bytes: record.record_b64.0,
        };
        Ok(self.conversation.map(|conversation| operation::Conversation {
            records: conversation.records.into_iter().map(record).collect(),
            notes: conversation.notes,
        }))
    }
}

impl From<Option<operation::Conversation>> for Found {
    fn from(found: Option<operation::Conversation>) -> Self {
        let record = |record: operation::ConversationRecord| ConversationRecord {
            uuid: record.uuid,
            record_b64: Bytes(record.bytes),
        };
        let conversation = found.map(|conversation| Conversation {
            records: conversation.records.into_iter().map(record).collect(),
            notes: conversation.notes,
        });
        Self { conversation }
    }
}

impl IntoPlain for Rows {
    type Plain = Vec<UsageRow>;

    fn into_plain(self) -> Result<Vec<UsageRow>, String> {
        Ok(self.rows)
    }
}

impl IntoPlain for Repaired {
    type Plain = operation::RepairedFile;

    fn into_plain(self) -> Result<Self::Plain, String> {
        let change = |change: RepairChange| {
            let RepairChange { line, rule, what, before_b64: Bytes(before), after_b64: Bytes(after) } = change;
            operation::RepairChange { line, rule, what, before, after }
        };
        let piece = |piece: RemovedPiece| {
            let RemovedPiece { line, rule, reason, removed_b64: Bytes(bytes) } = piece;
            operation::RemovedPiece { line, rule, reason, bytes }
        };
        Ok(operation::RepairedFile {
            bytes: self.jsonl_b64.0,
            changes: self.changes.map(|changes| changes.into_iter().map(change).collect()),
            removed: self.removed.map(|removed| removed.into_iter().map(piece).collect()),
        })
    }
}

impl From<operation::RepairedFile> for Repaired {
    fn from(repaired: operation::RepairedFile) -> Self {
        let change = |change: operation::RepairChange| {
            let operation::RepairChange { line, rule, what, before, after } = change;
            RepairChange { line, rule, what, before_b64: Bytes(before), after_b64: Bytes(after) }
        };
        let piece = |piece: operation::RemovedPiece| {
            let operation::RemovedPiece { line, rule, reason, bytes } = piece;
            RemovedPiece { line, rule, reason, removed_b64: Bytes(bytes) }
        };
        Self {
            jsonl_b64: Bytes(repaired.bytes),
            changes: repaired.changes.map(|changes| changes.into_iter().map(change).collect()),
            removed: repaired.removed.map(|removed| removed.into_iter().map(piece).collect()),
        }
    }
}
