//! Sessions that are *judged*: the verdicts on files, by their names.

use std::io;

use super::Verdict;
use crate::check::input::{InputError, TranscriptFile};
use crate::check::{Options, Sink, check};

/// A session, by the name to show, and the verdict on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The file's name.
    pub file: String,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Whether a baseline knows that it is broken.
    pub is_known: bool,
}

impl Judged {
    /// Whether something should be done about it that was not known before.
    pub fn is_broken(&self) -> bool {
        self.verdict.class.is_broken() && !self.is_known
    }
}

/// The verdicts on all inputs, worst first and else in their order; an error for each that cannot be read.
pub fn verdicts(inputs: &[TranscriptFile]) -> (Vec<Judged>, Vec<InputError>) {
    let options = Options { rules: Vec::new(), verdicts: true, ..Options::default() };
    let mut taken = Verdicts::default();
    // Nothing is written, and no thread is started.
    let _ = check(inputs, &options, &mut taken);
    taken.judged.sort_by_key(|judged| judged.verdict.class);
    (taken.judged, taken.errors)
}

/// Takes verdicts alone.
#[derive(Default)]
struct Verdicts {
    judged: Vec<Judged>,
    errors: Vec<InputError>,
}

impl Sink for Verdicts {
    fn end_of_file(&mut self, judged: Option<&Judged>) -> io::Result<()> {
        self.judged.extend(judged.cloned());
        Ok(())
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        self.errors.push(error.clone());
        Ok(())
    }
}
