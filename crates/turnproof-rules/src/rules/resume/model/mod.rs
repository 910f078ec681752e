//! The *model* is a second, slow and simple way to find what a user gets back from a transcript.
//!
//! It follows the seven steps by which a resume is defined, a step a file, and says of each record why it comes back or
//! does not. Nothing in it recurses, and every file has an answer.

mod beside;
mod dead;
mod nodes;
mod parents;
mod path;
mod preserved;
mod put_back;
pub(super) mod record;
mod reply;
mod two_clients;
mod withdrawal;

use std::collections::HashSet;
use std::ops::{Deref, Range};

use self::nodes::{Nodes, Role};
use self::parents::Parents;
use self::put_back::Search;
use self::record::Record;
use self::withdrawal::Withdrawal;

/// What a right resume makes of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Resumption {
    /// All records of the file, in file order.
    pub(super) records: Vec<FoundRecord>,
    /// The indexes of the records that come back, in order; empty when there is no conversation.
    pub(super) order: Vec<usize>,
    /// The path, from its root.
    pub(super) path: Vec<Step>,
    /// The records, on the path or not, whose parent is lost, each with whether it comes after another one all the same.
    pub(super) gaps: Vec<(usize, bool)>,
    /// The boundaries that claim to preserve something that is not there.
    pub(super) missing_claims: Vec<usize>,
}

impl Resumption {
    /// Whether the boundary at the path's root claims to preserve something that is not there.
    pub(super) fn is_preserved_missing(&self) -> bool {
        self.path.first().is_some_and(|root| self.missing_claims.contains(&root.record))
    }
}

/// A node on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) record: usize,
    /// Whether a gap is bridged between it and the node before it.
    pub(super) is_bridge: bool,
}

/// A record of a file.
#[derive(Clone, Debug)]
pub(super) struct FoundRecord {
    /// The line, from 1.
    pub(super) line: u64,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) uuid: Option<String>,
    pub(super) fate: Fate,
    /// For what was put in beside the path: the record that it was put in for.
    pub(super) host: Option<usize>,
    /// Whether some record names it as withdrawn, rightly or not.
    pub(super) is_named: bool,
    /// The record that it comes after by its parents, stepping over what never comes back.
    pub(super) predecessor: Option<usize>,
}

/// What becomes of a record, for the reason that [`Fate::in_words`] gives; what comes back is first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    OnPath,
    BridgedTo,
    Boundary,
    Preserved,
    PutBack,
    TurnBack,
    Recovered,
    Beside,
    Withdrawn,
    WithdrawnResult,
    Replaced,
    Passing,
    BeforeBoundary,
    OtherBranch,
    ErrorBeside,
    Sidechain,
    RepeatedUuid,
    SideRecord,
}

impl Fate {
    /// Whether the record comes back.
    pub(super) fn is_kept(self) -> bool {
        self <= Self::Beside
    }

    /// The fate as an expectation.
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            Self::OnPath => "it comes back: it is on the path from the last reply to the first prompt",
            Self::BridgedTo => "it comes back: it is the nearest record of the session before a gap",
            Self::Boundary => "it comes back: the conversation begins at this boundary",
            Self::Preserved => "it comes back: the boundary preserves it",
            Self::PutBack => "it comes back: the user has seen this reply, and a notice pushed it off the path",
            Self::TurnBack => "it comes back: another client wrote it behind another result of the same call",
            Self::Recovered => "it comes back: it belongs to a reply of the conversation",
            Self::Beside => "it comes back: it hangs on a record of the conversation",
            Self::Withdrawn => "it stays away: a later record withdraws it",
            Self::WithdrawnResult => "it stays away: it answers withdrawn calls alone",
            Self::Replaced => "it stays away: it is a placeholder, and the true result is in the file",
            Self::Passing => "it stays away: it is no message, and is passed over",
            Self::BeforeBoundary => "it stays away: it is before the boundary, which does not preserve it",
            Self::OtherBranch => "it stays away: it is on a branch that was left",
            Self::ErrorBeside => "it stays away: it is an error of the API beside the path, which is not put back",
            Self::Sidechain => "it stays away: it belongs to a subagent",
            Self::RepeatedUuid => "it stays away: a later record has its uuid",
            Self::SideRecord => "it stays away: it has no uuid",
        }
    }
}

impl Resumption {
    /// Whether some record has one of these fates.
    pub(super) fn has(&self, fates: &[Fate]) -> bool {
        self.records.iter().any(|record| fates.contains(&record.fate))
    }
}

/// A record of a file, and what a right resume makes of it.
pub struct RightRecord {
    /// Its bytes in the file.
    pub range: Range<usize>,
    /// Its uuid (lone surrogates as U+FFFD).
    pub uuid: Option<String>,
    /// Whether it comes back, and why, in words.
    pub fate: &'static str,
}

/// What a right resume makes of a file: all its records, and the indexes of those that come back, in order. This is the
/// model with which the rules of the family `resume` compare.
///
/// ```
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null}
/// {"type":"progress","uuid":"p1","parentUuid":"u1"}
/// {"type":"assistant","uuid":"a1","parentUuid":"p1"}"#;
/// let (records, order) = turnproof_rules::rules::right_resume(file);
/// assert_eq!(order, [0, 2]);
/// assert_eq!(records[1].fate, "it stays away: it is no message, and is passed over");
/// ```
pub fn right_resume(file: &[u8]) -> (Vec<RightRecord>, Vec<usize>) {
    let Resumption { records, order, .. } = find_among(&record::read(file).iter().collect::<Vec<_>>());
    let right =
        |FoundRecord { start, end, uuid, fate, .. }| RightRecord { range: start..end, uuid, fate: fate.in_words() };
    (records.into_iter().map(right).collect(), order)
}

/// The records of a file as those see it whose conversation it is: the user, or, where all messages are of subagents,
/// the first of these that has a conversation.
pub(super) fn as_seen_by_speaker<'a>(records: Vec<Record<'a>>) -> Vec<Record<'a>> {
    let is_message = |record: &Record<'_>| !record.is_sidechain && Role::of(record) != Role::Passing;
    if records.iter().any(is_message) {
        return records;
    }
    let mut asked: Vec<&str> = Vec::new();
    for agent in records.iter().filter(|record| record.uuid.is_some()).filter_map(|record| record.agent.as_deref()) {
        // An empty name names nobody.
        if agent.is_empty() || asked.contains(&agent) {
            continue;
        }
        asked.push(agent);
        let seen = |record: &Record<'a>| {
            let is_own = record.agent.as_deref() == Some(agent);
            Record { is_apart: !is_own, ..record.clone() }
        };
        let seen: Vec<Record<'a>> = records.iter().map(seen).collect();
        if !find_among(&seen.iter().collect::<Vec<_>>()).order.is_empty() {
            return seen;
        }
    }
    records
}

/// All messages that a boundary names as kept; none of any other record.
pub(super) fn names_as_kept<'r>(record: &'r Record<'_>) -> impl Iterator<Item = &'r str> {
    let claim = record.claim.as_ref().filter(|_| Role::of(record) == Role::Boundary);
    let all = match claim.map(|claim| &claim.what) {
        Some(record::Claimed::Messages { all, .. }) => all.as_slice(),
        _ => &[],
    };
    all.iter().map(|uuid| &**uuid)
}

/// Finds the conversation among the records of a file.
pub(super) fn find_among(records: &[&Record<'_>]) -> Resumption {
    let nodes = &Nodes::new(records);
    let withdrawals = withdrawal::withdrawals(nodes);
    let is_withdrawn = |node: usize| withdrawals[node].is_some();
    let parents = &Parents::new(nodes);
    let path = path::path(nodes, parents, &is_withdrawn);
    let boundary = path.first().copied().filter(|&root| nodes.is(root, Role::Boundary));
    let may_stand = |node: usize| is_allowed(nodes, parents, &path, node);
    let is_dead = |node: usize| dead::is_dead(nodes, parents, &path, &is_withdrawn, node);
    let (is_withdrawn, is_dead): (&dyn Fn(usize) -> bool, &dyn Fn(usize) -> bool) = (&is_withdrawn, &is_dead);
    let search = Search { nodes, parents, path: &path, is_withdrawn, is_dead, is_allowed: &may_stand };
    let replaced = search.replaced(&withdrawals);
    let replaces_one = |node: &usize| {
        replaced.iter().any(|replaced| replaced.results.contains(node) && may_stand(replaced.placeholder))
    };
    let is_allowed = |node: usize| may_stand(node) || replaces_one(&node);
    let may_return = |node: usize| !is_withdrawn(node) && is_allowed(node);
    let beside_path = Search { is_allowed: &is_allowed, ..search };
    let (mut line, put_back) = beside_path.put_back();
    let turns_back = beside_path.put_turns_back(&replaced, &mut line);
    let returns = |node: &usize| nodes.is_participant(*node) && !is_withdrawn(*node);
    let mut order: Vec<usize> = line.into_iter().filter(returns).collect();
    let recovered = reply::recover(nodes, &mut order, &may_return, is_dead);
    let beside = beside::add_notices(nodes, parents, &mut order, is_withdrawn, &may_return);

    let named: HashSet<&str> = records.iter().flat_map(|record| &record.withdraws).map(Deref::deref).collect();
    let mut found: Vec<FoundRecord> = (0..records.len())
        .map(|index| {
            let fate = left(nodes, boundary, withdrawals[index], index);
            found_record(records[index], &named, fate, predecessor(nodes, parents, is_withdrawn, index))
        })
        .collect();
    let mut keep = |node: usize, fate, host| {
        if returns(&node) {
            (found[node].fate, found[node].host) = (fate, host);
        }
    };
    for (at, &node) in path.iter().enumerate() {
        let is_bridged_to = path.get(at + 1).is_some_and(|&next| parents.is_bridge[next]);
        keep(node, on_path(parents, boundary, is_bridged_to, node), None);
    }
    let put =
        [(Fate::PutBack, put_back), (Fate::TurnBack, turns_back), (Fate::Recovered, recovered), (Fate::Beside, beside)];
    for (fate, put) in put {
        put.into_iter().for_each(|put| keep(put.node, fate, Some(put.host)));
    }

    let is_missing = |&node: &usize| {
        let is_claim = nodes.is(node, Role::Boundary) && nodes.record(node).claim.is_some();
        is_claim && parents.preserved_by(node).is_none()
    };
    let missing_claims = (0..records.len()).filter(is_missing).collect();
    let step = |(at, &record): (usize, &usize)| Step { record, is_bridge: at > 0 && parents.is_bridge[record] };
    let path = path.iter().enumerate().map(step).collect();
    let gaps = (0..records.len()).filter(|&index| parents.is_gap[index]).map(|index| (index, parents.is_bridge[index]));
    let gaps = gaps.collect();
    Resumption { records: found, order, path, gaps, missing_claims }
}

fn found_record(record: &Record<'_>, named: &HashSet<&str>, fate: Fate, predecessor: Option<usize>) -> FoundRecord {
    let Record { line, start, end, .. } = *record;
    let is_named = record.uuid.as_deref().is_some_and(|uuid| named.contains(uuid));
    let uuid = record.uuid.as_deref().map(str::to_owned);
    FoundRecord { line, start, end, uuid, fate, host: None, is_named, predecessor }
}

/// Whether a node that is not on the path may come back.
fn is_allowed(nodes: &Nodes, parents: &Parents, path: &[usize], node: usize) -> bool {
    let Some(&boundary) = path.first().filter(|&&root| nodes.is(root, Role::Boundary)) else { return true };
    let is_preserved = || parents.preserved_by(boundary).is_some_and(|preserved| preserved.allows(nodes, node));
    let is_away = |node: usize| parents.compacted_away_by(nodes, node) == Some(boundary);
    node > boundary || is_preserved() || is_away(node) && path.iter().any(|&node| is_away(node))
}

/// Why a participant on the path comes back.
fn on_path(parents: &Parents, boundary: Option<usize>, is_bridged_to: bool, node: usize) -> Fate {
    if boundary == Some(node) {
        Fate::Boundary
    } else if parents.preserved.iter().any(|(_, preserved)| preserved.list.contains(&node)) {
        Fate::Preserved
    } else if is_bridged_to {
        Fate::BridgedTo
    } else {
        Fate::OnPath
    }
}

/// Why a record stays away, when it does.
fn left(nodes: &Nodes, boundary: Option<usize>, withdrawal: Option<Withdrawal>, index: usize) -> Fate {
    let record = nodes.record(index);
    match (nodes.role(index), withdrawal) {
        _ if record.uuid.is_none() => Fate::SideRecord,
        _ if record.is_apart => Fate::Sidechain,
        (None, _) => Fate::RepeatedUuid,
        (Some(Role::Passing), _) => Fate::Passing,
        (_, Some(Withdrawal::Named)) => Fate::Withdrawn,
        (_, Some(Withdrawal::ResultsOfWithdrawnCalls)) => Fate::WithdrawnResult,
        (_, Some(Withdrawal::Replaced)) => Fate::Replaced,
        _ if boundary.is_some_and(|boundary| index < boundary) => Fate::BeforeBoundary,
        _ if record.is_api_error => Fate::ErrorBeside,
        _ => Fate::OtherBranch,
    }
}

/// The record that a node comes after, stepping over what never comes back.
fn predecessor(nodes: &Nodes, parents: &Parents, is_withdrawn: &dyn Fn(usize) -> bool, index: usize) -> Option<usize> {
    nodes.role(index)?;
    path::walk(nodes, parents, index).skip(1).find(|&node| nodes.is_participant(node) && !is_withdrawn(node))
}
