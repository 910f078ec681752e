//! *Server tools* run at the host: call and result are in one turn of the assistant, or the result is in a later one
//! of the same loop, where calls of the client were open as well.

use std::collections::{HashMap, HashSet, VecDeque};

use turnproof_format::result_of;

use super::pairing::{calls, unanswered};
use super::view::{Block, Role, Run, SERVER_CALLS, SERVER_RESULTS, runs};
use crate::operation::{Host, Request};
use crate::rules::Report;

pub(super) fn server_tools(request: &Request, host: Host, report: &mut Report<'_>) {
    let runs = runs(request);
    let may_wait = host == Host::Anthropic;
    let mut used = HashSet::new();
    let mut open = Open::default();
    for (at, run) in runs.iter().enumerate() {
        if run.role != Role::Assistant {
            continue;
        }
        for &block in &run.blocks {
            if SERVER_CALLS.contains(&block.kind()) {
                let Some(id) = block.string("id") else { continue };
                let is_first = used.insert(id);
                open.call(id, block, is_first);
                if !is_first {
                    let found = sentence!("an earlier call of a server tool has the id {id} too", id);
                    let error = format!("{}: `tool_use` ids must be unique", block.path());
                    report.predict(block.place(), "same-id", found, "an id of its own", error);
                }
            } else if SERVER_RESULTS.contains(&block.kind())
                && let Some(id) = block.string("tool_use_id")
                && !open.answer(id, block.kind())
            {
                without_call(id, block, report);
            }
        }
        behind_use(host, run, &open, report);
        // Where calls of the client were open too, the host gives its own results with a later reply.
        if !may_wait || !runs.get(at + 1).is_none_or(holds_results_alone) {
            open.calls().for_each(|(id, block)| without_result(id, block, report));
            open = Open::default();
        }
    }
}

/// Whether a run has only results of client tools.
fn holds_results_alone(run: &Run<'_>) -> bool {
    run.blocks.iter().all(|block| block.is("tool_result"))
}

/// The type of result that belongs to a call. `None` means any type but `mcp_tool_result`; only the error then names a
/// type, made of the tool's name.
fn takes(call: Block<'_>) -> Option<&'static str> {
    result_of(call.kind(), call.string("name").unwrap_or_default())
}

/// The calls of a loop that wait for their result.
#[derive(Default)]
struct Open<'a> {
    /// All calls, with whether they are to be reported while they wait. A repeated one is reported as such.
    all: Vec<(&'a str, Block<'a>, bool)>,
    /// Those that wait, by id and the type that they take, first ones first.
    waiting: HashMap<(&'a str, Option<&'static str>), VecDeque<usize>>,
}

impl<'a> Open<'a> {
    fn call(&mut self, id: &'a str, block: Block<'a>, is_first: bool) {
        self.waiting.entry((id, takes(block))).or_default().push_back(self.all.len());
        self.all.push((id, block, is_first));
    }

    /// Gives a result to the first call that takes it; `false` when there is none.
    fn answer(&mut self, id: &'a str, kind: &str) -> bool {
        let typed = SERVER_RESULTS.into_iter().find(|&known| known == kind).map(Some);
        let any = (kind != "mcp_tool_result").then_some(None);
        let keys = [typed, any].into_iter().flatten().map(|takes| (id, takes));
        let first = keys.filter_map(|key| Some((*self.waiting.get(&key)?.front()?, key))).min_by_key(|&(at, _)| at);
        let Some((at, key)) = first else { return false };
        if let Some(queue) = self.waiting.get_mut(&key) {
            queue.pop_front();
        }
        if let Some((.., waits)) = self.all.get_mut(at) {
            *waits = false;
        }
        true
    }

    /// The calls that still wait.
    fn calls(&self) -> impl Iterator<Item = (&'a str, Block<'a>)> {
        self.all.iter().filter(|(.., waits)| *waits).map(|&(id, block, _)| (id, block))
    }
}

fn without_result(id: &str, block: Block<'_>, report: &mut Report<'_>) {
    let name = block.string("name").unwrap_or_default();
    let result = takes(block).map_or_else(|| format!("{name}_tool_result"), str::to_owned);
    let error = format!(
        "{}: `{name}` tool use with id `{id}` was found without a corresponding `{result}` block",
        block.turn.path()
    );
    let found = sentence!("the call {id} of {name} has no result in its turn", id, name);
    let expected = sentence!("a `{result}` behind it in the same turn", result);
    report.predict(block.place(), "no-result", found, expected, error);
}

fn without_call(id: &str, block: Block<'_>, report: &mut Report<'_>) {
    let kind = block.kind();
    let call = if kind == "mcp_tool_result" { "mcp_tool_use" } else { "server_tool_use" };
    let error = format!(
        "{}: unexpected `tool_use_id` found in `{kind}` blocks: {id}. Each `{kind}` block must have a corresponding \
         `{call}` block before it.",
        block.path()
    );
    let found = sentence!("a result for {id}, without a call of its kind before it in the turn", id);
    report.predict(block.place(), "no-call", found, sentence!("a `{call}` before it", call), error);
}

/// Reports `tool_use` blocks with a call or result of a server tool behind them. A call that waits does not count: it
/// is reported itself, or is at the open end.
fn behind_use(host: Host, run: &Run<'_>, open: &Open<'_>, report: &mut Report<'_>) {
    let waiting: HashSet<_> = open.calls().map(|(_, block)| block.place_in_order()).collect();
    let is_server = |block: &&Block<'_>| {
        SERVER_RESULTS.contains(&block.kind())
            || SERVER_CALLS.contains(&block.kind()) && !waiting.contains(&block.place_in_order())
    };
    let Some(last) = run.blocks.iter().rfind(is_server).map(|block| block.place_in_order()) else { return };
    let before: Vec<_> = calls(run).take_while(|(_, block)| block.place_in_order() < last).collect();
    let Some(&(_, first)) = before.first() else { return };
    let ids: Vec<&str> = before.iter().map(|&(id, _)| id).collect();
    let found = sentence!("blocks of a server tool behind the call {ids}", ids = ids.join(", "));
    let error = unanswered(host, first.turn.index, run.last.index + 1, &ids);
    report.predict(first.place(), "wrong-order", found, "`tool_use` blocks at the turn's end", error);
}
