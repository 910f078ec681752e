//! `normalize_ui`: the messages of a plan, as a UI is given them.

use crate::message::{Event, Message};
use crate::normalize::estimate_tokens;
use crate::normalize::ui::{bridge_view, collapse_read_search, group_tool_uses, normalize_for_ui, ungroup};
use crate::operation::Operation;
use crate::scenario::{Case, Scenario};
use crate::subject::Subject;
use crate::suite::Depth;

use super::{LISTS, Law, Target, keeps_the_rules};

/// Messages to what a UI shows.
pub const NORMALIZE_UI: Target = Target {
    name: "normalize_ui",
    title: "a message for each block, ids derived and stable, nothing lost or out of order; unfolding undoes folding",
    law: Law::Plan(normalize_ui, LISTS),
    shape: None,
};

/// One input in so many is judged by the rules.
const JUDGED_IN: u64 = 4;

fn normalize_ui(subject: &dyn Subject, scenario: &Scenario, depth: Depth) {
    let case = Case::of(scenario);
    let operations = [Operation::NormalizeUi, Operation::ReorderUi, Operation::DeriveUuid, Operation::ShortId];
    if let Some(depth) = depth.now_and_then(JUDGED_IN) {
        keeps_the_rules(subject, &case, &operations, depth);
    }
    let message = |event| if let Event::Message(message) = event { Some(message) } else { None };
    let messages: Vec<Message> = case.events().into_iter().filter_map(message).collect();
    unfolding_undoes_folding(&messages);
    a_bridge_shows_no_meta_messages(&messages);
    an_estimate_is_a_sum(&messages);
}

fn unfolding_undoes_folding(messages: &[Message]) {
    for fold in [group_tool_uses, collapse_read_search] {
        assert!(ungroup(fold(messages.to_vec())) == messages, "unfolding undoes folding: it does not");
        let split = normalize_for_ui(messages.to_vec());
        let twice = ungroup(ungroup(fold(fold(split.clone()))));
        assert!(twice == split, "unfolding undoes folding: twice, of single blocks, it does not");
    }
}

fn a_bridge_shows_no_meta_messages(messages: &[Message]) {
    let view = bridge_view(group_tool_uses(messages.to_vec()));
    assert!(!view.iter().any(Message::is_meta), "a bridge shows no meta messages: it shows one");
}

fn an_estimate_is_a_sum(messages: &[Message]) {
    let parts = messages.iter().map(|message| estimate_tokens(std::slice::from_ref(message)));
    let sum = parts.fold(0, u64::saturating_add);
    let whole = estimate_tokens(messages);
    assert!(whole == sum, "an estimate is the sum over the messages: {whole} is not {sum}");
}
