//! A *pair* is a call and its result; here is which calls count, and which results answer them.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::json::Value;

use super::block::{is_server_call, is_server_result};
use super::expected::{Fate, Item};
use crate::rules::alike::identical;
use crate::rules::value::{kind, text};
use crate::vocabulary::{MCP_RESULT, SERVER_RESULTS, result_of};

/// A call that counts, and what answers it, as places among the items.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    /// The call.
    pub call: usize,
    /// Its result; `None` when a placeholder must replace it.
    pub result: Option<usize>,
}

/// Finds the calls of the client's tools that count, and their results. All others go.
pub(super) fn client_calls(items: &mut [Item<'_>]) -> Vec<Call> {
    let made: Vec<usize> = (0..items.len()).filter(|&index| items[index].is_kept("tool_use")).collect();
    let kept = without_repeats(items, made);
    let mut calls: Vec<Call> = kept.iter().map(|&call| Call { call, result: None }).collect();
    // Of each id the places in `calls`, in order.
    let mut by_id: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, call) in calls.iter().enumerate() {
        let id = text(&items[call.call].value, "id").unwrap_or_default();
        by_id.entry(id.to_owned()).or_default().push(place);
    }
    for index in 0..items.len() {
        if !items[index].is_kept("tool_result") {
            continue;
        }
        let own =
            by_id.get(text(&items[index].value, "tool_use_id").unwrap_or_default()).map_or(&[][..], Vec::as_slice);
        let turn_of = |place: usize| items[calls[place].call].turn;
        let earlier = &own[..own.partition_point(|&place| turn_of(place) < items[index].turn)];
        let latest = earlier.last().map(|&place| turn_of(place));
        let in_latest = &earlier[earlier.partition_point(|&place| Some(turn_of(place)) < latest)..];
        // The results of one turn come in the order of its calls.
        let waiting = in_latest.partition_point(|&place| calls[place].result.is_some());
        items[index].fate = match in_latest.get(waiting) {
            Some(&place) => {
                calls[place].result = Some(index);
                Fate::Kept
            }
            None if own.is_empty() => Fate::Gone("no call has its id"),
            None if earlier.is_empty() => Fate::Gone("it stands before its call"),
            None => Fate::Gone("an earlier result answers the call"),
        };
    }
    let pairs: Vec<(usize, Option<usize>)> = calls.iter().map(|call| (call.call, call.result)).collect();
    pair_by_place(items, &pairs);
    calls
}

/// The calls among these places that do not say again what one of their turn says, under the same id. The others go.
fn without_repeats(items: &mut [Item<'_>], places: Vec<usize>) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut by_id: HashMap<(usize, String), Vec<usize>> = HashMap::new();
    for place in places {
        let item = &items[place];
        let id = text(&item.value, "id").unwrap_or_default().to_owned();
        let others = by_id.entry((item.turn, id)).or_default();
        if others.iter().any(|&other| asks_the_same(&items[other].value, &item.value)) {
            items[place].fate = Fate::Gone("a line of the same reply holds the call");
        } else {
            others.push(place);
            kept.push(place);
        }
    }
    kept
}

/// Whether two calls are for the same tool with the same input.
fn asks_the_same(one: &Value, other: &Value) -> bool {
    ["type", "server_name", "name", "input"].iter().all(|member| match (one.get(member), other.get(member)) {
        (Some(one), Some(other)) => identical(one, other),
        (one, other) => one.is_none() && other.is_none(),
    })
}

/// Gives each call but the first of an id, and its result, a name of its own. No id that the API accepts has its form,
/// so a request may have any other in its place.
fn pair_by_place(items: &mut [Item<'_>], pairs: &[(usize, Option<usize>)]) {
    let id_of = |item: &Item<'_>| text(&item.value, "id").unwrap_or_default().to_owned();
    let all: HashSet<String> = pairs.iter().map(|&(call, _)| id_of(&items[call])).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for &(call, result) in pairs {
        let id = id_of(&items[call]);
        let count = counts.entry(id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            let mut own = format!("{id} ({count}.)");
            while all.contains(&own) {
                own.push('.');
            }
            items[call].value.to_mut()["id"] = own.clone().into();
            if let Some(result) = result {
                items[result].value.to_mut()["tool_use_id"] = own.into();
            }
        }
    }
}

/// Finds the calls of the API's own tools whose result comes after them in their turn. All other calls and results of
/// such tools are dropped, and so are pairs that repeat one of their turn. Gives the calls that stay.
pub(super) fn server_calls(items: &mut [Item<'_>]) -> Vec<usize> {
    let pairs = server_pairs(items);
    let result_of: HashMap<usize, usize> = pairs.iter().copied().collect();
    let kept = without_repeats(items, pairs.into_iter().map(|(call, _)| call).collect());
    let kept_calls: HashSet<usize> = kept.iter().copied().collect();
    let kept_results: HashSet<usize> = kept.iter().filter_map(|call| result_of.get(call).copied()).collect();
    for (index, item) in items.iter_mut().enumerate().filter(|(_, item)| item.fate == Fate::Kept) {
        if is_server_call(&item.value) && !kept_calls.contains(&index) {
            item.fate = Fate::Gone("it has no result in its turn");
        } else if is_server_result(&item.value) && !kept_results.contains(&index) {
            item.fate = Fate::Gone("it has no call before it in its turn, or the call is dropped");
        }
    }
    let pairs: Vec<(usize, Option<usize>)> = kept.iter().map(|call| (*call, result_of.get(call).copied())).collect();
    pair_by_place(items, &pairs);
    kept
}

/// Each server call with its result, in the order of the calls.
fn server_pairs(items: &[Item<'_>]) -> Vec<(usize, usize)> {
    let kept = || items.iter().enumerate().filter(|(_, item)| item.fate == Fate::Kept);
    let mut waiting: HashMap<(usize, &str, &str), VecDeque<usize>> = HashMap::new();
    for (index, item) in kept().filter(|(_, item)| is_server_result(&item.value)) {
        let id = text(&item.value, "tool_use_id").unwrap_or_default();
        waiting.entry((item.turn, id, kind(&item.value))).or_default().push_back(index);
    }
    let mut pairs = Vec::new();
    for (index, item) in kept().filter(|(_, item)| is_server_call(&item.value)) {
        let id = text(&item.value, "id").unwrap_or_default();
        let mut first: Option<(usize, &str)> = None;
        for result_kind in SERVER_RESULTS.into_iter().filter(|result| fits(&item.value, result)) {
            let Some(queue) = waiting.get_mut(&(item.turn, id, result_kind)) else { continue };
            // Calls come in their order, so no later call can use what is before this one.
            while queue.front().is_some_and(|&result| result < index) {
                queue.pop_front();
            }
            let found = queue.front().map(|&result| (result, result_kind));
            first = [first, found].into_iter().flatten().min();
        }
        if let Some((result, result_kind)) = first {
            waiting.get_mut(&(item.turn, id, result_kind)).and_then(VecDeque::pop_front);
            pairs.push((index, result));
        }
    }
    pairs
}

/// Whether a server call may have a result of this type.
fn fits(call: &Value, result: &str) -> bool {
    let takes = result_of(kind(call), text(call, "name").unwrap_or_default());
    takes.map_or(result != MCP_RESULT, |takes| takes == result)
}
