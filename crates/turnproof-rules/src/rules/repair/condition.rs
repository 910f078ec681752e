//! The *condition* of a file is what is wrong with it, and what comes back from it.

use crate::json;
use crate::json::Value;
use crate::operation::{Host, Plain, Request};
use crate::rules::agent_file::first_message;
use crate::rules::catalogue::{CATALOGUE, find, of_family};
use crate::rules::message::written::facts_of_pieces;
use crate::rules::normalize::turns_as_stored;
use crate::rules::wire::model::{Piece, blanks, read_with_records};
use crate::rules::{Judge, Repair, Sentence, resume};

/// A rule that a file breaks, and where.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) rule: &'static str,
    /// What a repair does about it.
    pub(super) repair: Option<Repair>,
    pub(super) what: String,
}

impl Finding {
    pub(super) fn in_words(&self) -> Sentence {
        sentence!("{rule}: {what}", rule = self.rule, what = &self.what)
    }
}

#[derive(Debug, Default)]
pub(super) struct Condition {
    /// What is wrong with bytes, links, calls and messages.
    pub(super) findings: Vec<Finding>,
    /// Why a host would refuse the conversation as it is stored.
    pub(super) refusals: Vec<Finding>,
    /// The uuids of the messages that come back, in order.
    pub(super) conversation: Vec<String>,
    /// The lines of records on the path whose parent is lost.
    pub(super) gaps_on_path: Vec<u64>,
    pub(super) has_records: bool,
    /// The file has a record whose parent is lost, on the path or not. In a file of one subagent alone, the parent of the
    /// first message is elsewhere.
    has_gaps: bool,
    is_preserved_missing: bool,
    /// The file has bytes that are no record.
    has_rejected: bool,
}

impl Condition {
    pub(super) fn of(file: &[u8]) -> Self {
        let mut records = Vec::new();
        let reading = read_with_records(file, |record| records.push(record));
        let mut findings = Vec::new();
        for rule in of_family("wire") {
            let what = |piece: &Piece| format!("line {}, bytes {} to {}", piece.line, piece.start, piece.end);
            let finding = |piece| Finding { rule: rule.id, repair: rule.repair, what: what(piece) };
            findings.extend(reading.breaking(rule.id).map(finding));
        }
        findings.extend(marks(file, &reading.pieces));
        let facts = facts_of_pieces(file, &reading.pieces);
        for rule in CATALOGUE.iter() {
            let Judge::Transcript(judge) = rule.judge else { continue };
            judge(&facts, &mut |violation| {
                let what = format!("{}: {}", violation.place, violation.found);
                findings.push(Finding { rule: rule.id, repair: rule.repair, what });
            });
        }
        let found = resume::found(&records);
        let first_of_agent = first_message(&facts).map(|node| u64::from(facts.nodes[node].line));
        Self {
            findings,
            refusals: refusals(found.records.iter().map(|(_, place)| &file[place.clone()])),
            conversation: found.records.into_iter().map(|(uuid, _)| uuid).collect(),
            gaps_on_path: found.gaps_on_path,
            has_records: reading.pieces.iter().any(Piece::is_record),
            has_gaps: found.gaps.iter().any(|&line| Some(line) != first_of_agent),
            is_preserved_missing: found.is_preserved_missing,
            has_rejected: !reading.pieces.iter().all(Piece::is_record),
        }
    }

    /// Whether nothing is wrong that a repair may be asked for.
    pub(super) fn is_healthy(&self) -> bool {
        let is_damage = |finding: &Finding| finding.repair.is_some();
        let is_damaged =
            self.findings.iter().any(is_damage) || self.has_gaps || self.is_preserved_missing || self.has_rejected;
        !is_damaged && self.refusals.is_empty()
    }

    fn breaks(&self, family: &str) -> bool {
        let is_of_it = |finding: &Finding| finding.rule.split('/').next() == Some(family);
        self.findings.iter().any(is_of_it)
    }

    /// Whether a rule asks for a change. A rule on bytes must be broken. A repair of links can reveal other wrong
    /// links, and every repair can reveal calls and blocks that no request may carry.
    pub(super) fn asks(&self, rule: &str) -> bool {
        if self.findings.iter().chain(&self.refusals).any(|finding| finding.rule == rule) {
            return true;
        }
        let is_of_ids = |finding: &Finding| matches!(finding.rule, "message/has-uuid" | "wire/typed-fields");
        let has_wrong_links = || {
            let is_broken = ["chain", "id"].iter().any(|family| self.breaks(family));
            is_broken || self.has_gaps || self.findings.iter().any(is_of_ids)
        };
        match rule.split('/').next() {
            // A segment follows the links, which are moved where calls and results are.
            Some("chain") if rule == "chain/preserved-segment" => !self.is_healthy(),
            Some("chain" | "id") => has_wrong_links() || self.is_preserved_missing,
            Some("api" | "pairing" | "thinking" | "tool" | "message" | "resume") => {
                find(rule).is_some() && !self.is_healthy()
            }
            _ => false,
        }
    }
}

/// What readers trip over between records, and what is no record: CR and byte order marks.
fn marks(file: &[u8], pieces: &[Piece]) -> impl Iterator<Item = Finding> {
    let blanks = blanks(pieces, file.len() as u64).into_iter();
    let blanks: Vec<u8> = blanks.flat_map(|(start, end)| file[start as usize..end as usize].iter().copied()).collect();
    let found = [(b'\r', "a CR beside a record"), (b'\xEF', "a byte order mark")];
    let finding =
        |(_, what): (u8, &str)| Finding { rule: "wire/json-object", repair: Some(Repair::Must), what: what.to_owned() };
    found.into_iter().filter(move |(mark, _)| blanks.contains(mark)).map(finding)
}

/// Why the strictest host refuses these records as they are stored, with a prompt behind them.
fn refusals<'a>(records: impl Iterator<Item = &'a [u8]>) -> Vec<Finding> {
    let read = |record: &[u8]| Plain::read_bytes(record).ok().map(Plain::into_value);
    let mut events: Vec<Value> = records.filter_map(read).collect();
    events.push(json!({"type": "user", "message": {"role": "user", "content": "Go on."}}));
    let request = Request { messages: turns_as_stored(&events), ..Request::default() };
    let mut refusals = Vec::new();
    for rule in CATALOGUE.iter() {
        let Judge::Request { structural: true, judge } = rule.judge else { continue };
        judge(&request, Host::Portable, &mut |violation| {
            let what = violation.error.unwrap_or_else(|| format!("{}: {}", violation.place, violation.found));
            refusals.push(Finding { rule: rule.id, repair: rule.repair, what });
        });
    }
    refusals
}
