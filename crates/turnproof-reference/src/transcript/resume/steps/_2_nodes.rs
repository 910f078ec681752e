//! The *nodes* are the records that belong to the conversation asked for; some of them are *withdrawn*.

use std::ops::Range;

use crate::transcript::resume::survey::{Fact, NONE, ONLY_RESULTS, SIDECHAIN, Sort, Survey, TEAM};

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
}

impl<'a> Nodes<'a> {
    /// Finds the nodes, and which are withdrawn.
    pub(crate) fn new(survey: &'a Survey, agent: Option<&str>) -> Self {
        let marks = vec![0; survey.facts.len()];
        let mut nodes = Self { survey, standing: vec![NONE; survey.names.len()], marks };
        nodes.select(agent);
        nodes.withdraw_named();
        nodes.withdraw_results();
        nodes
    }

    fn select(&mut self, agent: Option<&str>) {
        // A text without a name is nobody's: no value of a run is above all names but NONE.
        let wanted = agent.map(|agent| self.survey.names.find(agent).unwrap_or(NONE - 1));
        let agents = self.survey.agents.values();
        for ((at, fact), agent) in self.survey.facts.iter().enumerate().zip(agents) {
            let is_selected = match wanted {
                None => !fact.has(SIDECHAIN) && !fact.has(TEAM),
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
            if self.is_selected(by) && at != NONE && at < by {
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
