//! `normalize_api`: the messages of a plan, made a request.

use std::collections::HashSet;

use crate::message::{Block, Event};
use crate::normalize::api::{Options, Part, Role, Turn, normalize_for_api, normalize_traced};
use crate::operation::{Host, Operation, Request};
use crate::rules::{CATALOGUE, Judge};
use crate::scenario::{Case, Scenario};
use crate::subject::Subject;
use crate::suite::Depth;

use super::{BrokenRule, LISTS, Law, Target, keeps_the_rules};

/// Messages to a request.
pub const NORMALIZE_API: Target = Target {
    name: "normalize_api",
    title: "every host accepts the request, everything of the messages is in it once and in order, and it is the \
            same when it is made again, of itself, or for one host alone",
    law: Law::Plan(normalize_api, LISTS),
    shape: None,
};

/// One input in so many is judged by the rules, which takes as long as all else for that many inputs.
const JUDGED_IN: u64 = 128;

fn normalize_api(subject: &dyn Subject, scenario: &Scenario, depth: Depth) {
    let case = Case::of(scenario);
    let messages = case.events();
    let options = Options { context: scenario.project_context(), ..Options::default() };
    let turns = normalize_for_api(&messages, &options);
    is_legal_at_a_glance(&turns);
    if depth.asks(0, 16) {
        is_itself_again(&turns);
    }
    if depth.asks(1, 16) {
        tracing_changes_nothing(&messages);
    }
    if depth.asks(2, 32) {
        Host::ALL.into_iter().for_each(|host| is_accepted(&messages, host));
    }
    if let Some(depth) = depth.now_and_then(JUDGED_IN) {
        keeps_the_rules(subject, &case, &[Operation::NormalizeApi], depth);
    }
}

/// What any host refuses at once: turns that do not alternate or say nothing, and calls without their results.
fn is_legal_at_a_glance(turns: &[Turn<'_>]) {
    let mut calls: Vec<&str> = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let wanted = if index % 2 == 0 { Role::User } else { Role::Assistant };
        assert!(turn.role == wanted, "turns alternate, the user first: turn {index} is {:?}", turn.role);
        assert!(!turn.content.is_empty(), "no turn is empty: turn {index} is");
        let says_nothing = |part: &Part<'_>| part.text().is_some_and(|text| text.as_str().trim().is_empty());
        assert!(!turn.content.iter().any(says_nothing), "no text is blank: one of turn {index} is");
        let mut results: Vec<&str> = turn.content.iter().filter_map(result).collect();
        calls.sort_unstable();
        results.sort_unstable();
        assert!(calls == results, "each call has one result: before turn {index} {calls:?}, in it {results:?}");
        calls = turn.content.iter().filter_map(call).collect();
    }
    assert!(calls.is_empty(), "each call has one result: those of the last turn have none");
}

fn call<'p>(part: &'p Part<'_>) -> Option<&'p str> {
    if let Some(Block::ToolUse(call)) = part.block() { call.id.as_str() } else { None }
}

fn result<'p>(part: &'p Part<'_>) -> Option<&'p str> {
    if let Some(Block::ToolResult(result)) = part.block() { result.tool_use_id.as_str() } else { None }
}

/// The turns as messages make the same request.
fn is_itself_again(turns: &[Turn<'_>]) {
    let messages: Vec<Event> = turns.iter().map(Turn::to_message).collect();
    let again = normalize_for_api(&messages, &Options::default());
    let blocks = |turn: &Turn<'_>| turn.content.iter().map(Part::to_block).collect::<Vec<_>>();
    let is_same = again.len() == turns.len() && again.iter().map(blocks).eq(turns.iter().map(blocks));
    assert!(is_same, "a request is made of itself: {turns:?} became {again:?}");
}

fn tracing_changes_nothing(messages: &[Event]) {
    let options = Options::default();
    let (traced, trace) = normalize_traced(messages, &options);
    assert!(traced == normalize_for_api(messages, &options), "tracing changes nothing: it did");
    assert!(!trace.steps.is_empty(), "a trace reports each stage: it reports none");
}

/// A request that is made for a host and has a single tool is legal there.
fn is_accepted(messages: &[Event], host: Host) {
    let options = Options { profile: host, tools: Some(HashSet::from(["Bash".to_owned()])), ..Options::default() };
    let turns = normalize_for_api(messages, &options);
    if turns.is_empty() {
        // Nothing is sent.
        return;
    }
    let turns = serde_json::to_string(&turns);
    let request = turns.ok().and_then(|turns| Request::read(&turns).ok());
    let request = request.unwrap_or_else(|| panic!("a request can be read: for {} it cannot", host.name()));
    for rule in CATALOGUE.iter() {
        let Judge::Request { structural: true, judge } = rule.judge else { continue };
        judge(&request, host, &mut |violation| {
            let message = format!("for {}: {}: {}", host.name(), violation.place, violation.found);
            BrokenRule::new(&violation, message).panic()
        });
    }
}
