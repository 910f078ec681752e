//! An *exchange* is what whoever watches the mock sees of a request: what it was, what the rules say, what was answered.

use std::path::PathBuf;
use std::time::Duration;

use turnproof_rules::operation::TalkAnswer;
use turnproof_rules::rules::Severity;

use crate::judge::{Finding, Verdict};
use crate::row::Continued;

/// A request, and what was answered.
#[derive(Debug)]
pub struct Exchange {
    /// Which one it is, from 1, whatever it asks for.
    pub number: u64,
    /// The method and the path.
    pub line: String,
    /// The model that it asks; empty where it asks none.
    pub model: String,
    /// Its turns.
    pub turns: usize,
    /// The bytes of its body.
    pub bytes: u64,
    /// What the rules say of its bodies: one, or those of a batch; none where it has none.
    pub verdicts: Vec<Verdict>,
    /// What it says otherwise than the one that it continues.
    pub continued: Option<Continued>,
    /// What it says otherwise than what was said to it.
    pub talk: Vec<Finding>,
    /// What was said and how that ends, where it asks for a message and is answered.
    pub answered: Option<TalkAnswer>,
    /// The status of the answer.
    pub status: u16,
    /// The answer in a few words.
    pub answer: String,
    /// What else there is to say: the step, what was left out, what fails.
    pub notes: Vec<String>,
    /// How many blocks of the script the request does not allow.
    pub left_out: usize,
    /// The time that judging took.
    pub judging: Duration,
    /// Where it was written down.
    pub file: Option<PathBuf>,
    /// What is written down of it, as JSON, where that was asked for: request, headers, verdict and answer.
    pub record: Option<String>,
}

impl Exchange {
    /// Whether each of its bodies is one that the host takes.
    pub fn is_legal(&self) -> bool {
        self.verdicts.iter().all(Verdict::is_legal)
    }

    /// Whether it says something otherwise than what was said before.
    pub fn breaks_the_row(&self) -> bool {
        let findings = self.continued.iter().flat_map(|continued| &continued.findings);
        findings.into_iter().chain(&self.talk).any(|finding| finding.severity() == Severity::Error)
    }
}
