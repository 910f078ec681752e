//! A *check* judges transcripts as they lie on disk: reader and rules together, over any number of
//! files, in bounded memory, with the same findings in the same order whatever the threads.
//!
//! One thread reads chunks, a few ahead, and reports what is found in them by file and byte; all
//! threads scan. Of a record only its facts stay in memory, under 100 bytes, until its file ends and
//! the rules on whole transcripts are asked.

mod finding;
mod input;
mod pipeline;
mod request;
mod scan;
mod tally;

pub use finding::Finding;
pub use input::{Input, InputError, gather};
pub use request::{RequestFinding, RequestTally, is_on_requests, judge_request, predictions, read_request};
pub use tally::Tally;

use crate::rules::Rule;

/// How to check.
#[derive(Clone)]
pub struct Options {
    /// The rules to ask.
    pub rules: Vec<&'static Rule>,
    /// How many threads scan; 0 for those of the pool that the caller is in, or else one a core.
    pub threads: usize,
    /// How many bytes a thread takes at once.
    pub chunk_size: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { rules: crate::rules::CATALOGUE.clone(), threads: 0, chunk_size: 256 << 10 }
    }
}

/// Who is told what a check finds, in order.
pub trait Sink {
    /// Whether the next finding, of this rule in this file, is wanted in full; asked once for each.
    fn wants(&mut self, _file: &str, _rule: &Rule) -> bool {
        true
    }

    /// A rule is broken.
    fn finding(&mut self, finding: &Finding<'_>);

    /// Everything in a file has been told.
    fn end_of_file(&mut self) {}

    /// An input cannot be read, or not to its end.
    fn unreadable(&mut self, error: &InputError);

    /// So many bytes more have been read.
    fn progress(&mut self, bytes: u64);

    /// Whether to stop early, because nobody listens any more.
    fn is_closed(&self) -> bool {
        false
    }
}

/// Checks all inputs in order and tells `sink`; gives the counts.
///
/// # Errors
/// When the threads cannot be started.
pub fn check(
    inputs: &[Input],
    options: &Options,
    sink: &mut (dyn Sink + Send),
) -> Result<Tally, rayon::ThreadPoolBuildError> {
    if options.threads == 0 {
        return Ok(rayon::scope(|_| pipeline::run(inputs, options, sink)));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    Ok(pool.install(|| pipeline::run(inputs, options, sink)))
}
