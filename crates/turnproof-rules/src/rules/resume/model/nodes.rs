//! A *node* is a record that belongs to the conversation and is the last one with its uuid.

use std::collections::HashMap;

use super::record::Record;

/// What a node can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    Boundary,
    /// Any other participant.
    Notice,
    /// No participant.
    Passing,
}

impl Role {
    pub(super) fn of(record: &Record<'_>) -> Self {
        match record.kind.as_deref() {
            _ if record.is_virtual => Self::Passing,
            Some("user") => Self::User,
            Some("assistant") => Self::Assistant,
            Some("system") if record.has_boundary_subtype => Self::Boundary,
            Some("system" | "attachment" | "hook_result") => Self::Notice,
            _ => Self::Passing,
        }
    }

    fn is_speaker(self) -> bool {
        matches!(self, Self::User | Self::Assistant)
    }
}

/// A node that is put in beside the path, and the record that it is put in for.
#[derive(Clone, Copy)]
pub(super) struct Put {
    pub(super) node: usize,
    pub(super) host: usize,
}

/// The records of a file, and which of them are nodes.
pub(super) struct Nodes<'a> {
    records: &'a [&'a Record<'a>],
    standing: HashMap<&'a str, usize>,
    roles: Vec<Option<Role>>,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(records: &'a [&'a Record<'a>]) -> Self {
        let mut standing = HashMap::new();
        let mut roles = vec![None; records.len()];
        for (index, record) in records.iter().enumerate().filter(|(_, record)| !record.is_apart) {
            let Some(uuid) = &record.uuid else { continue };
            roles[index] = Some(Role::of(record));
            if let Some(earlier) = standing.insert(uuid.as_ref(), index) {
                roles[earlier] = None;
            }
        }
        Self { records, standing, roles }
    }

    /// How many records there are.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn record(&self, index: usize) -> &'a Record<'a> {
        self.records[index]
    }

    /// What a node is; `None` for other records.
    pub(super) fn role(&self, index: usize) -> Option<Role> {
        self.roles[index]
    }

    /// The node with a uuid.
    pub(super) fn with_uuid(&self, uuid: &str) -> Option<usize> {
        self.standing.get(uuid).copied()
    }

    /// The last record before a place that has a uuid, whether it counts or not.
    pub(super) fn last_before(&self, place: usize, uuid: &str) -> Option<usize> {
        let has_it = |record: &Record<'_>| !record.is_apart && record.uuid.as_deref() == Some(uuid);
        (0..place).rev().find(|&index| has_it(self.record(index)))
    }

    /// All nodes, in file order.
    pub(super) fn all(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.len()).filter(|&index| self.role(index).is_some())
    }

    /// All nodes with a role, in file order.
    pub(super) fn with_role(&self, role: Role) -> impl Iterator<Item = usize> {
        self.all().filter(move |&index| self.is(index, role))
    }

    pub(super) fn is(&self, index: usize, role: Role) -> bool {
        self.role(index) == Some(role)
    }

    pub(super) fn is_participant(&self, index: usize) -> bool {
        self.role(index).is_some_and(|role| role != Role::Passing)
    }

    pub(super) fn is_speaker(&self, index: usize) -> bool {
        self.role(index).is_some_and(Role::is_speaker)
    }

    /// Whether two assistant participants are lines of one reply.
    pub(super) fn is_same_reply(&self, one: usize, other: usize) -> bool {
        let id = &self.record(one).reply;
        one == other || (id.is_some() && *id == self.record(other).reply)
    }
}
