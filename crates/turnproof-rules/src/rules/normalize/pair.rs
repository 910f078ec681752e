//! A *pair* is a call and its result; here is which calls count, and which results answer them.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;

use super::block::{is_server_call, is_server_result};
use super::expected::{Fate, Item};
use crate::rules::value::{kind, text};
use crate::vocabulary::SERVER_RESULTS;

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
    let mut calls: Vec<Call> = Vec::new();
    let mut by_id: HashMap<String, usize> = HashMap::new();
    for (index, item) in items.iter_mut().enumerate().filter(|(_, item)| item.is_kept("tool_use")) {
        let id = text(&item.value, "id").unwrap_or_default().to_owned();
        let next = calls.len();
        if *by_id.entry(id).or_insert(next) < next {
            item.fate = Fate::Gone("an earlier call has its id");
        } else {
            calls.push(Call { call: index, result: None });
        }
    }
    for index in 0..items.len() {
        let item = &items[index];
        if !item.is_kept("tool_result") {
            continue;
        }
        let call = by_id.get(text(&item.value, "tool_use_id").unwrap_or_default());
        let fate = match call.and_then(|&call| calls.get_mut(call)) {
            None => Fate::Gone("no call has its id"),
            Some(call) if item.turn < items[call.call].turn => Fate::Gone("it stands before its call"),
            Some(Call { result: Some(_), .. }) => Fate::Gone("an earlier result answers the call"),
            Some(call) => {
                call.result = Some(index);
                Fate::Kept
            }
        };
        items[index].fate = fate;
    }
    calls
}

/// Finds the calls of the API's own tools whose result stands after them in their turn, the first pair of each id; all
/// other calls and results of such tools go. Gives the calls that stay.
pub(super) fn server_calls(items: &mut [Item<'_>]) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut kept_results = HashSet::new();
    let mut seen: HashSet<String> = HashSet::new();
    for (call, result) in server_pairs(items) {
        if seen.insert(text(&items[call].value, "id").unwrap_or_default().to_owned()) {
            kept.push(call);
            kept_results.insert(result);
        }
    }
    let kept_calls: HashSet<usize> = kept.iter().copied().collect();
    for (index, item) in items.iter_mut().enumerate().filter(|(_, item)| item.fate == Fate::Kept) {
        if is_server_call(&item.value) && !kept_calls.contains(&index) {
            item.fate = Fate::Gone("it has no result in its turn, or an earlier pair has its id");
        } else if is_server_result(&item.value) && !kept_results.contains(&index) {
            item.fate = Fate::Gone("it has no call before it in its turn, or an earlier pair has its id");
        }
    }
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
            // Calls come in their order, so no later call can use what stands before this one.
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
    let is_mcp_result = result == "mcp_tool_result";
    if kind(call) == "mcp_tool_use" || is_mcp_result {
        return kind(call) == "mcp_tool_use" && is_mcp_result;
    }
    match text(call, "name").unwrap_or_default() {
        name @ ("web_search"
        | "web_fetch"
        | "code_execution"
        | "bash_code_execution"
        | "text_editor_code_execution"
        | "advisor") => result.strip_suffix("_tool_result") == Some(name),
        "tool_search_tool_regex" | "tool_search_tool_bm25" => result == "tool_search_tool_result",
        _ => true,
    }
}
