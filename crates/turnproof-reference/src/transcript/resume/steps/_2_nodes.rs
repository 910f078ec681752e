//! The *nodes* are the records that belong to the conversation asked for; some of them are *withdrawn*.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::transcript::resume::survey::{Fact, HIDDEN, NONE, ONLY_RESULTS, PROVISIONAL, SIDECHAIN, Sort, Survey};

/// It belongs to the conversation asked for, though it may have no uuid, or one that stands again later.
const SELECTED: u8 = 1;
/// It is a node.
const NODE: u8 = 2;
/// It is withdrawn.
const WITHDRAWN: u8 = 4;
/// Its parent is a gap.
pub(crate) const GAP: u8 = 8;
/// Its parent is a gap because it was in a circle.
pub(crate) const CIRCLE: u8 = 16;
/// It is on the path.
pub(crate) const ON_PATH: u8 = 32;
/// It comes back.
pub(crate) const COMES_BACK: u8 = 64;

/// The nodes of a file.
pub(crate) struct Nodes<'a> {
    pub(crate) survey: &'a Survey,
    /// The node with each name as its uuid.
    standing: Vec<u32>,
    /// What is known of each fact.
    marks: Vec<u8>,
    /// Placeholders, and the true results of their calls.
    pub(crate) replaced: Vec<Replaced>,
}

/// Placeholders of one call, and its true results, in file order.
#[derive(Default)]
pub(crate) struct Replaced {
    pub(crate) placeholders: Vec<u32>,
    pub(crate) results: Vec<u32>,
}

impl<'a> Nodes<'a> {
    /// Finds the nodes, and which are withdrawn.
    pub(crate) fn new(survey: &'a Survey, agent: Option<&str>) -> Self {
        let marks = vec![0; survey.facts.len()];
        let mut nodes = Self { survey, standing: vec![NONE; survey.names.len()], marks, replaced: Vec::new() };
        nodes.select(agent);
        nodes.withdraw_named();
        nodes.withdraw_results();
        nodes.withdraw_placeholders();
        nodes
    }

    fn select(&mut self, agent: Option<&str>) {
        // A text without a name is nobody's: no value of a run is above all names but NONE.
        let wanted = agent.map(|agent| self.survey.names.find(agent).unwrap_or(NONE - 1));
        let agents = self.survey.agents.values();
        for ((at, fact), agent) in self.survey.facts.iter().enumerate().zip(agents) {
            let is_selected = match wanted {
                None => !fact.has(SIDECHAIN),
                Some(wanted) => agent == wanted,
            };
            if is_selected {
                self.marks[at] |= SELECTED;
                if fact.uuid != NONE {
                    self.standing[fact.uuid as usize] = at as u32;
                }
            }
        }
        for &at in &self.standing {
            if at != NONE {
                self.marks[at as usize] |= NODE;
            }
        }
    }

    fn withdraw_named(&mut self) {
        for &(by, uuid) in &self.survey.withdrawals {
            let at = self.standing[uuid as usize];
            if self.is_selected(by) && at < by {
                self.mark(at, WITHDRAWN);
            }
        }
    }

    /// Withdraws the users that hold only results of withdrawn calls.
    fn withdraw_results(&mut self) {
        const STANDS: u8 = 1;
        const IS_WITHDRAWN: u8 = 2;
        if !self.all().any(|at| self.is_withdrawn(at)) {
            return;
        }
        let mut calls = vec![0_u8; self.survey.names.len()];
        for &(at, call) in &self.survey.calls {
            if self.is_node(at) {
                calls[call as usize] |= if self.is_withdrawn(at) { IS_WITHDRAWN } else { STANDS };
            }
        }
        for own in self.survey.results.chunk_by(|(one, _), (other, _)| one == other) {
            let at = own[0].0;
            let are_withdrawn = || own.iter().all(|&(_, call)| calls[call as usize] == IS_WITHDRAWN);
            if self.is_node(at) && self.fact(at).has(ONLY_RESULTS) && are_withdrawn() {
                self.mark(at, WITHDRAWN);
            }
        }
    }

    /// Withdraws the users that hold only placeholders whose true results others hold. Both name the call's record.
    fn withdraw_placeholders(&mut self) {
        let survey = self.survey;
        let stands = |at: u32| self.is_node(at) && !self.is_withdrawn(at);
        let provisional = |at: u32| self.fact(at).has(PROVISIONAL);
        let placeholders: Vec<u32> = self.indexes().filter(|&at| provisional(at) && stands(at)).collect();
        // By the id of the call and the uuid of its record.
        let mut calls: BTreeMap<(u32, u32), Replaced> = BTreeMap::new();
        for &at in &placeholders {
            for &(_, id) in survey.results_of(at) {
                for call in survey.named_calls(at) {
                    calls.entry((id, call)).or_default().placeholders.push(at);
                }
            }
        }
        // What is shown in the transcript alone is not sent.
        let is_true = |at: u32| !calls.is_empty() && !provisional(at) && !self.fact(at).has(HIDDEN) && stands(at);
        let others: Vec<(u32, u32)> = survey.results.iter().filter(|&&(at, _)| is_true(at)).copied().collect();
        for (at, id) in others {
            for call in survey.named_calls(at) {
                calls.entry((id, call)).and_modify(|replaced| replaced.results.push(at));
            }
        }
        let has_result = |id, call| calls.get(&(id, call)).is_some_and(|replaced| !replaced.results.is_empty());
        let is_replaced = |at: u32| {
            let mut own = survey.results_of(at).iter();
            own.all(|&(_, id)| survey.named_calls(at).any(|call| has_result(id, call)))
        };
        let gone: Vec<u32> = placeholders.into_iter().filter(|&at| is_replaced(at)).collect();
        gone.iter().for_each(|&at| self.mark(at, WITHDRAWN));
        self.replaced = calls.into_values().collect();
        for replaced in &mut self.replaced {
            replaced.placeholders.retain(|at| gone.binary_search(at).is_ok());
        }
        self.replaced.retain(|replaced| !replaced.placeholders.is_empty() && !replaced.results.is_empty());
    }

    /// The facts' indexes.
    pub(crate) fn indexes(&self) -> Range<u32> {
        0..self.survey.facts.len() as u32
    }

    /// The nodes in file order.
    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.indexes().filter(|&at| self.is_node(at))
    }

    /// The participants in file order.
    pub(crate) fn participants(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.all().filter(|&at| self.fact(at).is_participant())
    }

    /// The node that has a uuid.
    pub(crate) fn standing(&self, uuid: u32) -> Option<u32> {
        self.standing.get(uuid as usize).copied().filter(|&at| at != NONE)
    }

    /// The participant that has a uuid.
    pub(crate) fn participant(&self, uuid: u32) -> Option<u32> {
        self.standing(uuid).filter(|&at| self.fact(at).is_participant())
    }

    pub(crate) fn fact(&self, at: u32) -> &'a Fact {
        self.survey.fact(at)
    }

    pub(crate) fn is_selected(&self, at: u32) -> bool {
        self.has(at, SELECTED)
    }

    pub(crate) fn is_node(&self, at: u32) -> bool {
        self.has(at, NODE)
    }

    /// Whether a record of the conversation has a uuid that stands again later.
    pub(crate) fn is_repeated(&self, at: u32) -> bool {
        self.is_selected(at) && !self.is_node(at) && self.fact(at).uuid != NONE
    }

    pub(crate) fn is_withdrawn(&self, at: u32) -> bool {
        self.has(at, WITHDRAWN)
    }

    /// Whether a node may come back at all.
    pub(crate) fn may_come_back(&self, at: u32) -> bool {
        self.is_node(at) && self.fact(at).is_participant() && !self.is_withdrawn(at)
    }

    /// Whether a node is a user's or an assistant's, and not withdrawn.
    pub(crate) fn speaks(&self, at: u32) -> bool {
        self.fact(at).is_speaker() && !self.is_withdrawn(at)
    }

    /// What stands for the reply of an assistant participant: its name, or a number above all names.
    pub(crate) fn reply(&self, at: u32) -> Option<u64> {
        let fact = self.fact(at);
        match (fact.sort, fact.reply) {
            (Sort::Assistant, NONE) => Some(u64::from(NONE) + u64::from(at)),
            (Sort::Assistant, reply) => Some(u64::from(reply)),
            _ => None,
        }
    }

    pub(crate) fn has(&self, at: u32, mark: u8) -> bool {
        self.marks[at as usize] & mark != 0
    }

    pub(crate) fn mark(&mut self, at: u32, mark: u8) {
        self.marks[at as usize] |= mark;
    }
}
