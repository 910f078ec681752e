//! A *withdrawal* takes back what was shown already (step 1).

use std::borrow::Cow;

use super::nodes::{Nodes, Role};

/// Why a node is withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Withdrawal {
    Named,
    /// It holds results of withdrawn calls alone.
    ResultsOfWithdrawnCalls,
}

/// What is withdrawn, record by record.
pub(super) fn withdrawals(nodes: &Nodes) -> Vec<Option<Withdrawal>> {
    let mut withdrawn = vec![None; nodes.len()];
    for later in (0..nodes.len()).filter(|&later| !nodes.record(later).is_apart) {
        for uuid in &nodes.record(later).withdraws {
            if let Some(node) = nodes.with_uuid(uuid).filter(|&node| node < later) {
                withdrawn[node] = Some(Withdrawal::Named);
            }
        }
    }
    let taken: Vec<usize> = nodes.with_role(Role::Assistant).filter(|&line| withdrawn[line].is_some()).collect();
    let has_call = |line: usize, call: &Cow<'_, str>| nodes.record(line).calls.contains(call);
    let is_withdrawn_call = |call: &Cow<'_, str>| {
        let lines = || nodes.with_role(Role::Assistant).filter(|&line| has_call(line, call));
        taken.iter().any(|&line| has_call(line, call)) && lines().all(|line| taken.contains(&line))
    };
    for user in nodes.with_role(Role::User) {
        let record = nodes.record(user);
        let is_left_alone = record.is_results_alone && record.results.iter().all(is_withdrawn_call);
        if withdrawn[user].is_none() && is_left_alone {
            withdrawn[user] = Some(Withdrawal::ResultsOfWithdrawnCalls);
        }
    }
    withdrawn
}
