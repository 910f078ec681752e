//! A *withdrawal* takes back what was shown already (step 1).

use std::borrow::Cow;

use super::nodes::{Nodes, Role};

/// Why a node is withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Withdrawal {
    Named,
    /// It holds results of withdrawn calls alone.
    ResultsOfWithdrawnCalls,
    /// It holds placeholders alone, and the true results are in the file.
    Replaced,
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
    let replaced: Vec<usize> = nodes
        .with_role(Role::User)
        .filter(|&user| withdrawn[user].is_none() && is_replaced(nodes, user, &|other| withdrawn[other].is_some()))
        .collect();
    for user in replaced {
        withdrawn[user] = Some(Withdrawal::Replaced);
    }
    withdrawn
}

/// Whether a user holds placeholders alone, and for each of them another one has the true result.
fn is_replaced(nodes: &Nodes, user: usize, is_withdrawn: &dyn Fn(usize) -> bool) -> bool {
    let record = nodes.record(user);
    let has_true_one = |call: &Cow<'_, str>| true_results(nodes, user, call, is_withdrawn).next().is_some();
    is_provisional(nodes, user) && record.results.iter().all(has_true_one)
}

/// Whether a user holds placeholders and nothing else.
pub(super) fn is_provisional(nodes: &Nodes, user: usize) -> bool {
    let record = nodes.record(user);
    record.is_results_alone && record.is_provisional
}

/// The users with the true result for a placeholder of a user: both name the record of the call.
pub(super) fn true_results<'n>(
    nodes: &'n Nodes<'_>,
    user: usize,
    call: &'n str,
    is_withdrawn: &'n dyn Fn(usize) -> bool,
) -> impl Iterator<Item = usize> + 'n {
    let named = move |other: usize| {
        let record = nodes.record(other);
        [record.parent.uuid(), record.source.as_deref()].into_iter().flatten()
    };
    nodes
        .with_role(Role::User)
        .filter(move |&other| !is_withdrawn(other) && !is_provisional(nodes, other) && !nodes.record(other).is_hidden)
        .filter(move |&other| nodes.record(other).results.iter().any(|own| own == call))
        .filter(move |&other| named(other).any(|uuid| named(user).any(|own| own == uuid)))
}
