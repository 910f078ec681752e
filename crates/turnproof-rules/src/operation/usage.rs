//! The operation `usage`: transcripts to how many tokens their replies cost, by session and model.

use crate::json;
use crate::json::Value;
use serde::{Deserialize, Serialize};

use super::bytes;
use crate::rules::UsageWorkedOut;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// What the replies of one session and one model cost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageRow {
    /// The session; `None` when the lines name none.
    pub session: Option<String>,
    /// The model; `None` when the lines name none.
    pub model: Option<String>,
    /// Whether these are replies of subagents.
    pub sidechain: bool,
    /// How many replies there are.
    pub replies: u64,
    /// How many of them have no usage on any line.
    pub unknown: u64,
    /// Tokens read at full price.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Tokens read into the prompt cache.
    pub cache_creation_input_tokens: u64,
    /// Tokens read from the prompt cache.
    pub cache_read_input_tokens: u64,
    /// About how many tokens the replies without usage wrote; never judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_output_tokens: Option<u64>,
}

/// The rows of some files, in any order; or why there are none.
pub type UsageAnswer = Result<Vec<UsageRow>, String>;

/// Transcripts, and what a subject says that their replies cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The files, in the order in which they are read.
    #[serde(with = "bytes::list")]
    pub files: Vec<Vec<u8>>,
    /// The answer.
    pub answer: UsageAnswer,
    /// The same question again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<UsageAnswer>,
    /// The answer for a copy of each file under another session, and the files themselves behind the copies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub with_copies: Option<UsageAnswer>,
}

impl Observation for Counted {
    type WorkedOut<'a> = UsageWorkedOut;

    /// Asks about the transcript alone, then about its two halves as two files, with some lines in both. Of the
    /// transcript it also asks with a copy beside it.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let whole = vec![material.transcript().to_vec()];
        let halves = if depth.asks(2, SORTS) { halves(material.transcript()) } else { None };
        let count = |files: Vec<Vec<u8>>, asks_copies: bool| {
            let answer = subject.usage(&files).into_answer()?;
            let again = depth.asks_again(SORTS).then(|| subject.usage(&files).into_answer()).flatten();
            let copies = || files.iter().map(|file| copy(file)).collect::<Option<Vec<_>>>();
            let all = if asks_copies { copies().map(|copies| [&copies, &files[..]].concat()) } else { None };
            let with_copies = all.and_then(|all| subject.usage(&all).into_answer());
            Some(Self { files, answer, again, with_copies })
        };
        let mut counted = vec![count(whole, depth.asks(1, SORTS))?];
        if let Some(halves) = halves {
            counted.push(count(halves, false)?);
        }
        Some(Ok(counted))
    }
}

/// How many sorts of further questions there are.
const SORTS: u64 = 3;

/// A file as two: up to two thirds of its lines, and from one third on, as two clients leave it that went on with one
/// session. `None` when there are fewer than three lines.
fn halves(file: &[u8]) -> Option<Vec<Vec<u8>>> {
    let lines: Vec<&[u8]> = file.split_inclusive(|&byte| byte == b'\n').collect();
    let third = lines.len() / 3;
    (third > 0).then(|| vec![lines[..lines.len() - third].concat(), lines[third..].concat()])
}

/// The session of a copy.
const COPY: &str = "c0c0c0c0-0000-4000-8000-000000000000";

/// The replies of a file as a fork repeats them: under another session and other uuids, each line saying where it comes
/// from. `None` when a line is not one JSON object that a value can hold, or is a copy already.
fn copy(file: &[u8]) -> Option<Vec<u8>> {
    let lines = file.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
    let mut copies = Vec::new();
    for (number, line) in lines {
        let is_own = |record: &Value| record.is_object() && record.get("forkedFrom").is_none();
        let mut record: Value = json::value_of_slice(line).ok().filter(is_own)?;
        // A line without a reply's id is known by its uuid, which a fork changes.
        if record["type"] == "assistant" && record["message"]["id"].as_str().is_some_and(|id| !id.is_empty()) {
            record["forkedFrom"] = json!({"sessionId": record["sessionId"], "messageUuid": record["uuid"]});
            record["sessionId"] = COPY.into();
            record["uuid"] = format!("{COPY}-{number}").into();
            copies.extend(format!("{record}\n").bytes());
        }
    }
    Some(copies)
}
