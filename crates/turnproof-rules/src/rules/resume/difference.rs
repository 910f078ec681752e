//! A *difference* is a record that comes back although it should not, or does not, or in another place. Each breaks one
//! rule.
//!
//! What is lost before an obstacle on the path (a gap, progress, what is withdrawn) is blamed on the obstacle, not on
//! each record. What was put in beside a record that is lost is lost with that record.

use super::model::{Fate, FoundRecord, Resumption};
use crate::operation::{ConversationRecord, ResumeAnswer, Resumed};
use crate::rules::{Place, Report, Sentence};

const COMPLETE: &str = "resume/complete";
const PARALLEL_RESULTS: &str = "resume/parallel-results";
const NO_DELIVERED_REPLY_LOST: &str = "resume/no-delivered-reply-lost";
const BRIDGES_GAP: &str = "resume/bridges-gap";
const OLD_PROGRESS: &str = "resume/old-progress";
const BOUNDARY: &str = "resume/boundary";
const WITHDRAWN: &str = "resume/withdrawn";
const SIDECHAIN_APART: &str = "resume/sidechain-apart";

/// A record that comes back wrongly.
#[derive(Debug)]
pub(super) struct Difference {
    rule: &'static str,
    record: usize,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Missing,
    Extra,
    Moved,
    /// Another record with the same uuid comes back in place of it.
    Replaced,
}

/// Compares an answer with the model; `None` when one of the two has a conversation and the other has not.
pub(super) fn compare(case: &Resumed, right: &Resumption) -> Option<Vec<Difference>> {
    let answer = case.answer.as_ref().ok()?;
    if answer.is_some() == right.order.is_empty() {
        return None;
    }
    let returned = answer.as_ref().map_or(&[][..], |conversation| &conversation.records);
    Some(differences(&case.file, right, returned))
}

impl Difference {
    /// Reports the difference, if it breaks the rule of the report.
    pub(super) fn report(&self, right: &Resumption, report: &mut Report<'_>) {
        if self.rule != report.rule {
            return;
        }
        let Resumption { records, order, .. } = right;
        let record = &records[self.record];
        let uuid = record.uuid.as_deref().unwrap_or_default();
        let (kind, found, expected) = match self.what {
            What::Missing => ("missing", sentence!("`{uuid}` does not come back", uuid), record.fate.in_words().into()),
            What::Extra => ("extra", sentence!("`{uuid}` comes back", uuid), self.why_not(right)),
            What::Replaced => (
                "other-record",
                sentence!("another record with the uuid `{uuid}` comes back", uuid),
                "the last record of the conversation with that uuid".into(),
            ),
            What::Moved => {
                let place = order.iter().position(|&index| index == self.record).unwrap_or_default();
                let before = place.checked_sub(1).map(|before| &records[order[before]]);
                let expected = match before.and_then(|before| before.uuid.as_deref()) {
                    Some(before) => {
                        sentence!("right after `{before}`; {fate}", before, fate = record.fate.in_words())
                    }
                    None => "at the beginning".into(),
                };
                ("wrong-order", sentence!("`{uuid}` comes back in another place", uuid), expected)
            }
        };
        let place = Place::Record { line: record.line, start: record.start as u64, member: "", block: None };
        report.add(place, kind, found, expected);
    }

    /// Why a record that comes back should not.
    fn why_not(&self, Resumption { records, order, gaps, .. }: &Resumption) -> Sentence {
        let is_before_all = |first: &usize| self.record < *first && gaps.contains(&(*first, false));
        match records[self.record].fate {
            Fate::OtherBranch | Fate::ErrorBeside if self.rule == BRIDGES_GAP => {
                "it stays away: a gap is bridged to the nearest record of the same session alone".into()
            }
            Fate::OtherBranch | Fate::ErrorBeside if order.first().is_some_and(is_before_all) => {
                "it stays away: the conversation begins behind a gap, which is not bridged to another session".into()
            }
            fate => fate.in_words().into(),
        }
    }
}

/// The uuids of an answer, in order.
pub(super) fn uuids(answer: &ResumeAnswer) -> Vec<&str> {
    let records = answer.iter().flatten().flat_map(|conversation| &conversation.records);
    records.map(|record| record.uuid.as_str()).collect()
}

/// All differences between what is right and what was returned. `resume/total` judges what is no record of the file,
/// and what is returned twice.
fn differences(file: &[u8], right: &Resumption, returned: &[ConversationRecord]) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut answer: Vec<usize> = Vec::new();
    for record in returned {
        let Some(mut index) = identify(file, right, record) else { continue };
        if let Some(standing) = standing_instead(right, returned, index, file) {
            let rule = match right.records[index].fate {
                Fate::Sidechain => SIDECHAIN_APART,
                _ => COMPLETE,
            };
            index = standing;
            differences.push(Difference { rule, record: index, what: What::Replaced });
        }
        if !answer.contains(&index) {
            answer.push(index);
        }
    }
    let blame = Blame { right, answer: &answer };
    for &record in right.order.iter().filter(|record| !answer.contains(record)) {
        differences.push(Difference { rule: blame.missing(record), record, what: What::Missing });
    }
    for (at, &record) in answer.iter().enumerate() {
        if let Some(rule) = blame.extra(at, record) {
            differences.push(Difference { rule, record, what: What::Extra });
        }
    }
    for record in moved(right, &answer) {
        let rule = rule_of_place(right.records[record].fate);
        differences.push(Difference { rule, record, what: What::Moved });
    }
    differences
}

/// Which record of the file was returned: the one with these bytes, else the one with this uuid.
fn identify(file: &[u8], right: &Resumption, returned: &ConversationRecord) -> Option<usize> {
    let has_bytes = |record: &FoundRecord| file[record.start..record.end] == returned.bytes;
    let has_uuid = |record: &FoundRecord| record.uuid.as_ref() == Some(&returned.uuid);
    let counts = |record: &FoundRecord| !matches!(record.fate, Fate::RepeatedUuid | Fate::Sidechain);
    let last = |is_it: &dyn Fn(&FoundRecord) -> bool| right.records.iter().rposition(is_it);
    last(&|record| record.fate.is_kept() && has_bytes(record))
        .or_else(|| last(&|record| record.uuid.is_some() && has_bytes(record)))
        .or_else(|| last(&|record| counts(record) && has_uuid(record)))
}

/// The record that should have come back when another one with its uuid did.
fn standing_instead(right: &Resumption, returned: &[ConversationRecord], index: usize, file: &[u8]) -> Option<usize> {
    let other = &right.records[index];
    let is_it = |record: &FoundRecord| record.fate.is_kept() && record.uuid == other.uuid;
    let standing = right.records.iter().rposition(is_it)?;
    let bytes = &file[right.records[standing].start..right.records[standing].end];
    let is_returned = returned.iter().any(|record| record.bytes == bytes);
    let is_other = matches!(other.fate, Fate::RepeatedUuid | Fate::Sidechain);
    (is_other && !is_returned).then_some(standing)
}

/// Says which rule a difference breaks.
struct Blame<'a> {
    right: &'a Resumption,
    answer: &'a [usize],
}

impl Blame<'_> {
    fn fate(&self, record: usize) -> Fate {
        self.right.records[record].fate
    }

    /// The rule that is broken when a record does not come back.
    fn missing(&self, mut record: usize) -> &'static str {
        while let Some(host) = self.right.records[record].host.filter(|host| !self.answer.contains(host)) {
            record = host;
        }
        let on_path = self.right.path.iter().position(|step| step.record == record);
        let obstacle = on_path.and_then(|at| self.obstacle_after_stretch(at));
        obstacle.unwrap_or_else(|| match self.fate(record) {
            Fate::PutBack | Fate::TurnBack => NO_DELIVERED_REPLY_LOST,
            Fate::Recovered => PARALLEL_RESULTS,
            Fate::Boundary | Fate::Preserved => BOUNDARY,
            _ if self.right.records[record].is_named => WITHDRAWN,
            _ if self.has_twin_apart(record) => SIDECHAIN_APART,
            _ => COMPLETE,
        })
    }

    /// Whether a record of a subagent has the same uuid.
    fn has_twin_apart(&self, record: usize) -> bool {
        let records = &self.right.records;
        records.iter().any(|other| other.fate == Fate::Sidechain && other.uuid == records[record].uuid)
    }

    /// The rule about the last obstacle on the path between the missing stretch that a step belongs to, and what comes
    /// back after it.
    fn obstacle_after_stretch(&self, at: usize) -> Option<&'static str> {
        let path = &self.right.path;
        let is_kept = |&next: &usize| self.fate(path[next].record).is_kept();
        let is_back = |&next: &usize| self.answer.contains(&path[next].record);
        let after = (at + 1..path.len()).filter(is_kept).find(is_back);
        let end = (at + 1..after.unwrap_or(path.len())).rfind(is_kept).unwrap_or(at);
        let between = end + 1..after.map_or(path.len(), |after| after + 1);
        between.rev().find_map(|step| match self.fate(path[step].record) {
            Fate::Passing => Some(OLD_PROGRESS),
            Fate::Withdrawn | Fate::WithdrawnResult | Fate::Replaced => Some(WITHDRAWN),
            _ => path[step].is_bridge.then_some(BRIDGES_GAP),
        })
    }

    /// The rule that is broken when a record comes back as `at` of the answer; `None` when it should come back.
    fn extra(&self, at: usize, record: usize) -> Option<&'static str> {
        match self.fate(record) {
            Fate::Withdrawn | Fate::WithdrawnResult | Fate::Replaced => Some(WITHDRAWN),
            Fate::Passing => Some(OLD_PROGRESS),
            Fate::BeforeBoundary => Some(BOUNDARY),
            Fate::Sidechain => Some(SIDECHAIN_APART),
            Fate::OtherBranch | Fate::ErrorBeside if self.comes_before_gap(at) => Some(BRIDGES_GAP),
            Fate::OtherBranch | Fate::ErrorBeside | Fate::RepeatedUuid => Some(COMPLETE),
            _ => None,
        }
    }

    /// Whether the next right record of the answer is one before which a gap is bridged.
    fn comes_before_gap(&self, at: usize) -> bool {
        let next = self.answer[at..].iter().find(|&&record| self.fate(record).is_kept());
        next.is_some_and(|&next| self.right.path.iter().any(|step| step.record == next && step.is_bridge))
    }
}

/// The rule that is broken when a record comes back in another place.
fn rule_of_place(fate: Fate) -> &'static str {
    match fate {
        Fate::BridgedTo => BRIDGES_GAP,
        Fate::Boundary | Fate::Preserved => BOUNDARY,
        Fate::PutBack | Fate::TurnBack => NO_DELIVERED_REPLY_LOST,
        Fate::Recovered => PARALLEL_RESULTS,
        _ => COMPLETE,
    }
}

/// The records that stand in another place: all but the heaviest selection that is in the right order. A record that is
/// on the path by its parents alone weighs more than all that was put in or preserved, and the boundary.
fn moved(right: &Resumption, answer: &[usize]) -> Vec<usize> {
    let places: Vec<usize> =
        answer.iter().filter_map(|record| right.order.iter().position(|own| own == record)).collect();
    let weight = |place: usize| match right.records[right.order[place]].fate {
        Fate::OnPath | Fate::BridgedTo => places.len() + 1,
        _ => 1,
    };
    // For each place the heaviest selection that ends with it: its weight, and what comes before it there.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(places.len());
    for (at, &place) in places.iter().enumerate() {
        let earlier = (0..at).filter(|&earlier| places[earlier] < place).max_by_key(|&earlier| best[earlier].0);
        let before = earlier.map_or(0, |earlier| best[earlier].0);
        best.push((before + weight(place), earlier));
    }
    let mut stays = vec![false; places.len()];
    let mut next = (0..places.len()).max_by_key(|&at| best[at].0);
    while let Some(at) = next {
        stays[at] = true;
        next = best[at].1;
    }
    (0..places.len()).filter(|&at| !stays[at]).map(|at| right.order[places[at]]).collect()
}
