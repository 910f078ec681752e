//! Rules on *resuming*: what comes back from a transcript, whatever happened to it.
//!
//! A [`model`] says what a right resume makes of the file, and why. Each difference from it breaks the rule about its
//! reason, and no other.

mod crash;
mod difference;
mod model;
mod total;

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use self::difference::uuids;
use self::model::{Fate, Resumption, record};
pub use self::model::{RightRecord, right_resume};
use super::wire::model::RecordTree;
use super::{Applies, Report, ResumeEvidence, RuleEntry, applies};
use crate::operation::Resumed;

/// What the rules of the family work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    records: OnceCell<Vec<record::Record<'a>>>,
    right: OnceCell<Resumption>,
    differences: OnceCell<Option<Vec<difference::Difference>>>,
}

/// The conversation of a file, as other families look at it.
#[derive(Debug, Default)]
pub(super) struct FileConversation {
    /// The records that come back, in order: uuid and place.
    pub(super) records: Vec<(String, Range<usize>)>,
    /// The lines of records whose parent is lost, on the path or not.
    pub(super) gaps: Vec<u64>,
    /// The lines of those on the path: a reader that only follows parents stops there.
    pub(super) gaps_on_path: Vec<u64>,
    /// Whether a boundary claims to preserve something that is not there.
    pub(super) is_preserved_missing: bool,
}

/// Finds the conversation of a file: the main one, or that of a subagent whose file it is.
pub(super) fn found(records: &[RecordTree<'_>]) -> FileConversation {
    let records = model::as_seen_by_speaker(records.iter().map(record::of_tree).collect());
    let right = model::find_among(&records.iter().collect::<Vec<_>>());
    let uuids: HashSet<&str> = records.iter().filter_map(|record| record.uuid.as_deref()).collect();
    // A parent that is there leads on whoever follows parents, though it is of somebody else.
    let is_lost = |index: &&usize| records[**index].named_parent().is_none_or(|parent| !uuids.contains(parent));
    let on_path = right.path.iter().filter(|step| step.is_bridge).map(|step| step.record);
    // A record that names no parent may be the first.
    let is_gap = |(index, is_bridged): &&(usize, bool)| *is_bridged || records[*index].named_parent().is_some();
    let line = |&index: &usize| right.records[index].line;
    let names_nobody = |record| model::names_as_kept(record).any(|kept| !uuids.contains(kept));
    let record = |&index: &usize| {
        let record = &right.records[index];
        (record.uuid.clone().unwrap_or_default(), record.start..record.end)
    };
    FileConversation {
        records: right.order.iter().map(record).collect(),
        gaps: right.gaps.iter().filter(is_gap).map(|(index, _)| line(index)).collect(),
        gaps_on_path: on_path.filter(|index| is_lost(&index)).map(|index| line(&index)).collect(),
        is_preserved_missing: !right.missing_claims.is_empty() || records.iter().any(names_nobody),
    }
}

impl<'a> ResumeEvidence<'a> {
    /// The records of the file.
    fn records(&self) -> &[record::Record<'a>] {
        let resumed = self.given();
        self.worked_out.records.get_or_init(|| record::read(&resumed.file))
    }

    /// What a right resume makes of the file.
    fn right(&self) -> &Resumption {
        let find = || model::find_among(&self.records().iter().collect::<Vec<_>>());
        self.worked_out.right.get_or_init(find)
    }

    /// How the answer differs from what is right.
    fn differences(&self) -> Result<&[difference::Difference], &'static str> {
        let compare = || difference::compare(self, self.right());
        self.worked_out.differences.get_or_init(compare).as_deref().ok_or(NO_CONVERSATION)
    }

    /// Reports the differences that break the rule; gives what is right.
    fn compare(&self, report: &mut Report<'_>) -> Result<&Resumption, &'static str> {
        let right = self.right();
        self.differences()?.iter().for_each(|difference| difference.report(right, report));
        Ok(right)
    }
}

/// Why no rule on single differences applies.
const NO_CONVERSATION: &str = "there is no answer, or a conversation that should not be; `resume/total` reports it";

pub(super) const RULES: &[RuleEntry] = &[
    rule!("resume/total", Resume(total::total)),
    rule!("resume/complete", Resume(complete)),
    rule!("resume/parallel-results", Resume(parallel_results)),
    rule!("resume/no-delivered-reply-lost", Resume(no_delivered_reply_lost)),
    rule!("resume/bridges-gap", Resume(bridges_gap)),
    rule!("resume/old-progress", Resume(old_progress)),
    rule!("resume/boundary", Resume(boundary)),
    rule!("resume/withdrawn", Resume(withdrawn)),
    rule!("resume/sidechain-apart", Resume(sidechain_apart)),
    rule!("resume/crash-prefix", Resume(crash::crash_prefix)),
    rule!("resume/then-continue", Resume(crash::then_continue)),
];

fn complete(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let Some(recorded) = &case.recorded else {
        let fates = [Fate::OnPath, Fate::Beside, Fate::OtherBranch, Fate::ErrorBeside, Fate::RepeatedUuid];
        let right = case.compare(report)?;
        wants_a_note(case, right.has(&[Fate::OtherBranch, Fate::RepeatedUuid]), report);
        return applies(right.has(&fates), "the file holds nothing of a conversation");
    };
    case.differences()?;
    let returned = uuids(&case.answer);
    let expected: Vec<&str> = recorded.iter().map(String::as_str).collect();
    if returned != expected {
        let at = returned.iter().zip(&expected).take_while(|(ours, theirs)| ours == theirs).count();
        let shown = |uuids: &[&str]| match uuids.get(at) {
            Some(uuid) => sentence!("record {at} of {count} is `{uuid}`", at, count = uuids.len(), uuid),
            None => sentence!("only {count} records", count = uuids.len()),
        };
        let kind = if returned.len() <= at { "too-few" } else { "other-record" };
        report.whole(kind, shown(&returned), shown(&expected));
    }
    Ok(())
}

fn parallel_results(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let is_touched = case.compare(report)?.has(&[Fate::Recovered]);
    wants_a_note(case, is_touched, report);
    applies(is_touched, "no line or result of a reply is beside the path")
}

fn no_delivered_reply_lost(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let is_touched = case.compare(report)?.has(&[Fate::PutBack, Fate::TurnBack]);
    wants_a_note(case, is_touched, report);
    applies(is_touched, "no reply is beside a stretch of notices, and no turn behind a placeholder")
}

fn bridges_gap(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let is_bridged = case.compare(report)?.path.iter().any(|step| step.is_bridge);
    if is_bridged && says_nothing(case) {
        report.whole(NO_NOTE, "a gap was bridged, and nothing is said about it", "a note about the gap");
    }
    applies(is_bridged, "no gap is on the path")
}

/// The kind of an answer that does not say what is odd; it is about [naming](super::is_of_naming) alone.
pub(super) const NO_NOTE: &str = "no-note";

/// Whether an answer has no notes.
fn says_nothing(case: &Resumed) -> bool {
    matches!(&case.answer, Ok(Some(conversation)) if conversation.notes.is_empty())
}

/// Reports an answer that was not what the chain alone gives, and that has no note at all. What notes say is free.
fn wants_a_note(case: &Resumed, is_touched: bool, report: &mut Report<'_>) {
    if is_touched && says_nothing(case) {
        let found = "records were left out, put back or put elsewhere, and nothing is said about it";
        report.whole(NO_NOTE, found, "a note about them");
    }
}

fn old_progress(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let right = case.compare(report)?;
    let is_on_path = right.path.iter().any(|step| right.records[step.record].fate == Fate::Passing);
    wants_a_note(case, is_on_path, report);
    applies(right.has(&[Fate::Passing]), "the file holds no progress and the like")
}

fn boundary(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let right = case.compare(report)?;
    if right.is_preserved_missing() && says_nothing(case) {
        let found = "what the boundary claims to preserve is not there, and nothing is said about it";
        report.whole(NO_NOTE, found, "a note about what is missing");
    }
    wants_a_note(case, right.has(&[Fate::Preserved, Fate::BeforeBoundary]), report);
    let is_touched = right.has(&[Fate::Boundary, Fate::Preserved, Fate::BeforeBoundary]);
    applies(is_touched, "no boundary is on the path")
}

fn withdrawn(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let right = case.compare(report)?;
    wants_a_note(case, right.has(&[Fate::Withdrawn, Fate::WithdrawnResult, Fate::Replaced]), report);
    let is_touched = right.records.iter().any(|record| record.is_named) || right.has(&[Fate::Replaced]);
    applies(is_touched, "nothing in the file is withdrawn")
}

fn sidechain_apart(case: &ResumeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let is_touched = case.compare(report)?.has(&[Fate::Sidechain]);
    applies(is_touched, "the file holds no record of a subagent")
}
