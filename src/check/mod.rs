//! A *check* judges transcripts as they lie on disk, any number of files in bounded memory. The findings and their
//! order do not depend on the threads.
//!
//! One thread reads chunks, a few ahead, and reports what is found in them by file and byte; all threads scan. Of each
//! record only its facts stay in memory until its file ends. Then the rules on whole transcripts are asked, and of the
//! conversation that comes back what may be wrong is read again, for the verdict.

mod baseline;
mod finding;
mod folder;
mod foreign;
mod gather;
mod history;
mod input;
mod line_reader;
mod outlines;
mod pipeline;
mod recordings;
mod reply;
mod request;
mod scan;
mod seen;
mod sent;
mod sizes;
mod summary;
mod uuids;
mod verdict;
mod watch;
mod weight;

pub use finding::Finding;
pub use folder::{FolderFact, FolderNote, Origin, folder_notes};
pub use foreign::Foreign;
pub use history::{HistoryFinding, HistoryTally, is_on_history, judge_history, read_history};
pub use input::{InputError, TranscriptFile, gather};
pub use recordings::{
    ExchangeVerdict, FileVerdict, Outcome, RecordedFile, RecordingTally, RequestCounts, RequestVerdict, Told,
    is_on_exchanges, judge_recordings,
};
pub use reply::{ReplyFinding, judge_reply, read_reply};
pub use request::{RequestFinding, judge_request, read_requests};
pub use sent::{SentBody, SentVerdict, SharedPrefix, judge_sent, read_sent};
pub use sizes::{Compaction, Large, RecordedTokens, Sizes};
pub use verdict::{
    Acceptance, ApiError, Class, Judged, LeftOut, Lost, Verdict, repair_as_asked, repair_broken, verdict,
};
pub use watch::{Event, Watch, Watcher};

// What the command needs besides.
#[doc(hidden)]
pub use baseline::{Baseline, BaselineError};
#[doc(hidden)]
pub use input::session_id;
#[doc(hidden)]
pub use recordings::{RecordedAnswer, RecordedAnswers, recorded_answers};
#[doc(hidden)]
pub use reply::{ReplyTally, describe_reply, is_on_replies};
#[doc(hidden)]
pub use request::{RequestTally, is_on_requests, predictions};
#[doc(hidden)]
pub use summary::{Summary, folder_of, summarize};
#[doc(hidden)]
pub use verdict::{quoted, verdict_of_file, verdicts};
#[doc(hidden)]
pub use watch::{Again, BUSY, BYTES_A_SECOND, REST, Tell};
#[doc(hidden)]
pub use weight::{Weight, weight};

pub use turnproof_reference::repair::Refusal;

use std::collections::BTreeMap;
use std::io;

use turnproof_reference::transcript::MAX_LINE;
use turnproof_rules::rules::Rule;

/// How to check.
#[derive(Clone)]
pub struct Options {
    /// The rules to ask.
    pub rules: Vec<&'static Rule>,
    /// How many threads scan; 0 for those of the pool that the caller is in, or else one a core.
    pub threads: usize,
    /// How many bytes a thread takes at once.
    pub chunk_size: usize,
    /// Longer lines, in bytes, are not looked into.
    pub longest_line: usize,
    /// Whether to tell what older clients wrote, and every reader takes.
    pub legacy: bool,
    /// Whether to say what becomes of each file.
    pub verdicts: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rules: turnproof_rules::rules::CATALOGUE.clone(),
            threads: 0,
            chunk_size: 256 << 10,
            longest_line: MAX_LINE,
            legacy: true,
            verdicts: false,
        }
    }
}

/// Takes what a check finds, in order. A method fails when something cannot be written; that ends the check.
pub trait Sink {
    /// Whether the next finding, of this rule in this file, is wanted in full. Called once for each finding.
    fn wants(&mut self, _file: &str, _rule: &Rule) -> bool {
        true
    }

    /// Takes a violation.
    fn finding(&mut self, _finding: &Finding<'_>) -> io::Result<()> {
        Ok(())
    }

    /// Ends a file: all its findings have been given. Takes the verdict on it, where verdicts are asked for and the file
    /// could be read.
    fn end_of_file(&mut self, _judged: Option<&Judged>) -> io::Result<()> {
        Ok(())
    }

    /// Takes the error of an input that cannot be read, or not to its end.
    fn unreadable(&mut self, _error: &InputError) -> io::Result<()> {
        Ok(())
    }

    /// Takes how many bytes more have been read.
    fn progress(&mut self, _bytes: u64) {}

    /// Takes the counts when all is over, and the verdicts, worst first.
    fn finish(&mut self, _tally: &Tally, _judged: &[Judged]) -> io::Result<()> {
        Ok(())
    }
}

/// Why a check ended early.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The sink failed.
    #[error(transparent)]
    Sink(#[from] io::Error),
}

/// Checks all inputs in order, gives what it finds to `sink`, and counts.
/// It fails when the threads cannot be started, or the sink fails.
pub fn check(inputs: &[TranscriptFile], options: &Options, sink: &mut (dyn Sink + Send)) -> Result<Tally, CheckError> {
    if options.threads == 0 {
        return Ok(rayon::scope(|_| pipeline::run(inputs, options, sink))?);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    Ok(pool.install(|| pipeline::run(inputs, options, sink))?)
}

/// What a check counted. The bytes of records, blanks and rejected ranges add up to all bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files read.
    pub files: u64,
    /// Lines, blank ones included.
    pub lines: u64,
    /// Records.
    pub records: u64,
    /// All bytes read.
    pub bytes: u64,
    /// Bytes of records.
    pub record_bytes: u64,
    /// Bytes of white space between records, line ends included.
    pub blank_bytes: u64,
    /// Rejected ranges.
    pub rejected: u64,
    /// Bytes of rejected ranges.
    pub rejected_bytes: u64,
    /// Inputs that could not be read, or not to their end.
    pub unreadable: u64,
    /// Violations, by the rule's id.
    pub violations: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Violations of all rules.
    pub fn violation_count(&self) -> u64 {
        self.violations.values().sum()
    }

    /// Adds the counts of another part.
    pub fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.lines += other.lines;
        self.records += other.records;
        self.bytes += other.bytes;
        self.record_bytes += other.record_bytes;
        self.blank_bytes += other.blank_bytes;
        self.rejected += other.rejected;
        self.rejected_bytes += other.rejected_bytes;
        self.unreadable += other.unreadable;
        for (rule, count) in &other.violations {
            *self.violations.entry(rule).or_default() += count;
        }
    }
}
