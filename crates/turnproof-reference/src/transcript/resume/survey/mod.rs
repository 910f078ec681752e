//! A *survey* gathers compact facts of records as they are scanned, so that a file of any size can
//! be resumed in two passes.

mod fact;
mod frugal;
mod read;

pub(super) use fact::{
    API_ERROR, Fact, HAS_RESULT, HIDDEN, META, ONLY_CALLS, ONLY_RESULTS, PROVISIONAL, ParentLink, Preserves, SIDECHAIN,
    Sort,
};
pub(super) use frugal::NONE;
pub use read::PlaceReader;
pub use read::{copy_places, survey};

use crate::transcript::resume::answer::Place;
use crate::transcript::{Flag, Record};
use frugal::{Names, Runs, push};

/// How many subagents are remembered by name, to say whom one could ask for.
const AGENTS: usize = 20;

/// Facts of the records of one file, under 100 bytes a record in all.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    pub(crate) names: Names,
    pub(crate) facts: Vec<Fact>,
    /// The session of each fact.
    pub(crate) sessions: Runs,
    /// The subagent of each fact.
    pub(crate) agents: Runs,
    /// The calls of assistant participants: fact and id.
    pub(crate) calls: Vec<(u32, u32)>,
    /// The results of user participants: fact and call.
    pub(crate) results: Vec<(u32, u32)>,
    /// `sourceToolAssistantUUID` of user participants that hold results: fact and uuid.
    pub(crate) sources: Vec<(u32, u32)>,
    /// Who withdraws what: fact and uuid.
    pub(crate) withdrawals: Vec<(u32, u32)>,
    /// What boundaries preserve.
    pub(crate) preserves: Vec<(u32, Preserves)>,
    /// All records, those without facts too.
    pub(crate) records: u64,
    /// Messages of the main conversation without a uuid.
    pub(crate) nameless: u64,
    /// The first subagents that are named.
    pub(crate) agent_names: Vec<String>,
}

impl Survey {
    /// Adds the next record of the file, its line counted from the file's start.
    pub fn note(&mut self, record: &Record<'_>) {
        self.records += 1;
        let head = &record.head;
        let withdraws = head.supersedes.is_some() || head.retracts.is_some();
        let is_nameless = head.uuid.is_none() && head.is_chain_participant() && !head.has(Flag::Virtual);
        self.nameless += u64::from(is_nameless && record.is_of_main());
        // What has no uuid is never a node, but it can withdraw some.
        if (head.uuid.is_none() && !withdraws) || self.facts.len() as u64 >= u64::from(NONE - 2) {
            return;
        }
        let at = self.facts.len();
        let fact = Fact::of(record, &mut self.names);
        push(&mut self.facts, fact);
        let session = head.session.map_or(NONE, |span| self.names.of(&record.text(span)));
        self.sessions.push(at, session);
        self.note_agent(record, at);
        for list in [head.supersedes, head.retracts] {
            for text in fact::texts(record, list) {
                push(&mut self.withdrawals, (at as u32, self.names.of(&text)));
            }
        }
        match fact.sort {
            Sort::Assistant => {
                for id in fact::calls(record) {
                    push(&mut self.calls, (at as u32, self.names.of(&id)));
                }
            }
            Sort::User => self.note_results(record, at),
            Sort::Boundary => {
                let preserves = Preserves::of(record, &mut self.names);
                self.preserves.extend(preserves.map(|preserves| (at as u32, preserves)));
            }
            Sort::Notice | Sort::Passing => {}
        }
    }

    fn note_agent(&mut self, record: &Record<'_>, at: usize) {
        let agent = record.head.agent.map(|span| record.text(span));
        let name = agent.as_ref().map_or(NONE, |agent| self.names.of(agent));
        if let (true, Some(agent)) = (self.agents.push(at, name), agent) {
            self.remember_agent(agent.into_owned());
        }
    }

    fn note_results(&mut self, record: &Record<'_>, at: usize) {
        let before = self.results.len();
        for call in fact::results(record) {
            push(&mut self.results, (at as u32, self.names.of(&call)));
        }
        if let (true, Some(source)) = (self.results.len() > before, record.head.source_assistant) {
            push(&mut self.sources, (at as u32, self.names.of(&record.text(source))));
        }
    }

    /// Joins the survey of the next part of the same file, whose lines begin after `lines` others.
    pub fn append(&mut self, part: Self, lines: u64) {
        self.records += part.records;
        self.nameless += part.nameless;
        let base = self.facts.len();
        if (base + part.facts.len()) as u64 >= u64::from(NONE - 2) {
            return;
        }
        let names = self.names.of_part(&part.names);
        let name = |old: u32| names.get(old as usize).copied().unwrap_or(NONE);
        let runs = part.sessions.values().zip(part.agents.values());
        for (at, (fact, (session, agent))) in (base..).zip(part.facts.iter().zip(runs)) {
            push(&mut self.facts, fact.moved(name, lines));
            self.sessions.push(at, name(session));
            self.agents.push(at, name(agent));
        }
        let moved = |(at, old): (u32, u32)| (at + base as u32, name(old));
        part.calls.into_iter().for_each(|pair| push(&mut self.calls, moved(pair)));
        part.results.into_iter().for_each(|pair| push(&mut self.results, moved(pair)));
        part.sources.into_iter().for_each(|pair| push(&mut self.sources, moved(pair)));
        part.withdrawals.into_iter().for_each(|pair| push(&mut self.withdrawals, moved(pair)));
        let preserves = part.preserves.into_iter();
        self.preserves.extend(preserves.map(|(at, what)| (at + base as u32, what.moved(name))));
        for agent in part.agent_names {
            self.remember_agent(agent);
        }
    }

    /// An empty name names nobody.
    fn remember_agent(&mut self, agent: String) {
        if !agent.is_empty() && self.agent_names.len() < AGENTS && !self.agent_names.contains(&agent) {
            self.agent_names.push(agent);
        }
    }

    /// How many records were noted.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The bytes of memory that the facts take.
    pub fn memory(&self) -> usize {
        let pairs = [&self.calls, &self.results, &self.sources, &self.withdrawals];
        self.names.memory()
            + self.facts.capacity() * size_of::<Fact>()
            + self.sessions.memory()
            + self.agents.memory()
            + pairs.iter().map(|pairs| pairs.capacity() * size_of::<(u32, u32)>()).sum::<usize>()
    }

    /// The fact at an index.
    pub(crate) fn fact(&self, at: u32) -> &Fact {
        &self.facts[at as usize]
    }

    /// The ids in the record at a place.
    pub fn ids(&self, place: &Place) -> Option<RecordIds<'_>> {
        let at = self.facts.binary_search_by_key(&place.start, |fact| fact.start).ok()?;
        let reply = Some(self.facts[at].reply).filter(|&reply| reply != NONE);
        Some(RecordIds { reply, calls: of(&self.calls, at as u32), results: self.results_of(at as u32) })
    }

    /// How many different ids there are.
    pub fn names(&self) -> usize {
        self.names.len()
    }

    /// The results of a user participant.
    pub(crate) fn results_of(&self, at: u32) -> &[(u32, u32)] {
        of(&self.results, at)
    }

    /// What a user participant that holds results names as its parent and as its source.
    pub(crate) fn named_calls(&self, at: u32) -> impl Iterator<Item = u32> {
        let source = self.sources.binary_search_by_key(&at, |&(at, _)| at).ok();
        [self.named_parent(at), source.map(|place| self.sources[place].1)].into_iter().flatten()
    }

    /// For each name the last record that has it as its uuid, of whatever conversation, or [`NONE`].
    pub(crate) fn holders(&self) -> Vec<u32> {
        let mut holders = vec![NONE; self.names.len()];
        let named = self.facts.iter().enumerate().filter(|(_, fact)| fact.uuid != NONE);
        named.for_each(|(at, fact)| holders[fact.uuid as usize] = at as u32);
        holders
    }

    /// What `parentUuid` names, when it is a string.
    pub(crate) fn named_parent(&self, at: u32) -> Option<u32> {
        let fact = self.fact(at);
        (fact.link == ParentLink::Named).then_some(fact.parent)
    }
}

/// The pairs of a record, of pairs in the order of records.
fn of(pairs: &[(u32, u32)], at: u32) -> &[(u32, u32)] {
    let from = pairs.partition_point(|&(other, _)| other < at);
    let own = &pairs[from..];
    &own[..own.partition_point(|&(other, _)| other == at)]
}

/// The ids of a record, as numbers below [`Survey::names`]: those that are equal have the same number.
#[derive(Clone, Copy, Debug)]
pub struct RecordIds<'s> {
    /// Of the reply that it is a line of.
    pub reply: Option<u32>,
    calls: &'s [(u32, u32)],
    results: &'s [(u32, u32)],
}

impl<'s> RecordIds<'s> {
    /// Of its calls, in their order.
    pub fn calls(&self) -> impl Iterator<Item = u32> + use<'s> {
        self.calls.iter().map(|&(_, id)| id)
    }

    /// Of the calls that its results are for, in their order.
    pub fn results(&self) -> impl Iterator<Item = u32> + use<'s> {
        self.results.iter().map(|&(_, id)| id)
    }
}
