//! *Evidence* is what a subject did with a case, and what rules work out of that: worked out once, when the
//! first rule asks, and shared by all rules of the operation.

use std::ops::Deref;

use crate::operation::{
    Accumulated, ApiNormalized, Parsed, Played, Recorded, Resumed, UiNormalized, UiReordered,
};

use super::{engine, normalize, record, resume, stream, ui, wire};

/// What was given to judge, and what rules have worked out of it.
///
/// ```
/// use turnproof_rules::operation::Recorded;
/// use turnproof_rules::rules::{Judge, RecordEvidence, find};
///
/// let rule = find("record/whole-lines").expect("a rule");
/// let recorded: Recorded = serde_json::from_slice(rule.example).expect("an example");
/// let Judge::Record(judge) = rule.judge else { panic!("it judges recorders") };
/// assert!(judge(&RecordEvidence::new(&recorded)).is_broken());
/// ```
#[derive(Debug)]
pub struct Evidence<T, W> {
    given: T,
    /// Cells, filled when they are asked for.
    pub(super) worked_out: W,
}

/// The evidence on a reading.
pub type ParseEvidence<'a> = Evidence<ParsedBytes<'a>, wire::WorkedOut>;
/// The evidence on a request that was made of messages.
pub type ApiEvidence<'a> = Evidence<&'a ApiNormalized, normalize::WorkedOut<'a>>;
/// The evidence on messages for the UI.
pub type UiEvidence<'a> = Evidence<&'a UiNormalized, ui::SplitWorkedOut<'a>>;
/// The evidence on an order for the UI.
pub type OrderEvidence<'a> = Evidence<&'a UiReordered, ui::OrderWorkedOut<'a>>;
/// The evidence on a recorder.
pub type RecordEvidence<'a> = Evidence<&'a Recorded, record::WorkedOut<'a>>;
/// The evidence on a resume.
pub type ResumeEvidence<'a> = Evidence<&'a Resumed, resume::WorkedOut<'a>>;
/// The evidence on what was made of a stream.
pub type StreamEvidence<'a> = Evidence<&'a Accumulated, stream::WorkedOut<'a>>;
/// The evidence on the log of a loop.
pub type PlayEvidence<'a> = Evidence<&'a Played, engine::WorkedOut<'a>>;

/// What a subject read from a file.
#[derive(Clone, Copy, Debug)]
pub struct ParsedBytes<'a> {
    /// The file.
    pub bytes: &'a [u8],
    /// The output of `parse`.
    pub parsed: &'a Parsed,
    /// The same, asked for again, or why there is none.
    pub again: Option<&'a Result<Parsed, String>>,
}

impl<T, W: Default> Evidence<T, W> {
    /// Evidence of which nothing has been worked out.
    pub fn new(given: T) -> Self {
        Self { given, worked_out: W::default() }
    }
}

impl<T, W> Deref for Evidence<T, W> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.given
    }
}
