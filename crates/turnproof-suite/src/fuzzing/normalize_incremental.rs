//! `normalize_incremental`: a normalizer that is given a plan's messages one by one.

use crate::operation::{Plain, RequestOptions};
use crate::scenario::{Case, Scenario};
use crate::subject::{Outcome, Subject};
use crate::suite::Depth;

use super::{LISTS, Law, Target};

/// Message by message, against from scratch.
pub const NORMALIZE_INCREMENTAL: Target = Target {
    name: "normalize_incremental",
    title: "after each message the request of a normalizer that keeps its state is the one made from scratch",
    law: Law::Plan(normalize_incremental, LISTS),
    shape: None,
};

/// The longest list, since the time grows with the square of its length.
const MOST: usize = 24;

fn normalize_incremental(subject: &dyn Subject, scenario: &Scenario, _depth: Depth) {
    let case = Case::of(scenario);
    let messages = &case.messages()[..case.messages().len().min(MOST)];
    let options = RequestOptions { context: scenario.project_context() };
    let first = |count: usize| format!("[{}]", messages[..count].join(","));
    let states = match subject.normalize_api_incremental(&first(messages.len()), &options) {
        Outcome::Output(states) => states,
        Outcome::Rejected(why) => panic!("a list of messages is not refused: {why}"),
        Outcome::Unsupported => return,
    };
    let (count, wanted) = (states.len(), messages.len());
    assert!(count == wanted, "there is a request after each message: {count} after {wanted}");
    for (count, state) in (1..).zip(&states) {
        let Outcome::Output(request) = subject.normalize_api(&first(count), &options) else {
            panic!("a list of messages is not refused: the first {count} are");
        };
        let turns = request.turns;
        assert!(
            *state == turns || Plain::read(state).ok() == Plain::read(&turns).ok(),
            "message by message is as from scratch: after {count} it is {state}, from scratch {turns}"
        );
    }
}
