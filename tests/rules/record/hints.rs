//! Hints belong to the next list, and to that one alone.

use std::slice::from_ref;

use serde_json::{Value, json};
use turnproof_rules::operation::{RecordHints, RecordStep, TeamInfo};

use super::case::{Case, line, user, with};

const HINT: &str = "record/starting-parent";
const TEAM: &str = "record/team";

/// A step that says where the next list continues.
fn continues(after: &str) -> RecordStep {
    RecordStep::Hints(RecordHints { starting_parent: Some(after.into()), team: None })
}

/// A step that names the team of the next list.
fn team() -> RecordStep {
    let team = TeamInfo { team_name: "crew".into(), agent_name: "scout".into() };
    RecordStep::Hints(RecordHints { starting_parent: None, team: Some(team) })
}

/// A file with one user message, and a hint before the next list.
fn hinted(hint: &str) -> Case {
    let u1 = user("u1");
    Case::default().request(from_ref(&u1), "u1", &[line(&u1, None)]).step(continues(hint), Ok(None), &[])
}

fn marked(message: &Value) -> Value {
    with(message.clone(), json!({"teamName": "crew", "agentName": "scout"}))
}

#[test]
fn a_list_without_recorded_messages_continues_after_the_hint() {
    let u2 = user("u2");
    let case = hinted("u1").list(from_ref(&u2), "u2");
    case.clone().flush(&[line(&u2, Some("u1"))]).holds(&[HINT]);
    case.flush(&[line(&u2, None)]).breaks(HINT);
}

#[test]
fn a_hint_that_names_nothing_recorded_is_passed_over() {
    let u2 = user("u2");
    let case = hinted("u9").list(from_ref(&u2), "u2");
    case.clone().flush(&[line(&u2, None)]).holds(&[HINT]);
    case.flush(&[line(&u2, Some("u9"))]).breaks(HINT);
}

#[test]
fn recorded_messages_that_begin_the_list_come_before_the_hint() {
    let (u1, u2, u3) = (user("u1"), user("u2"), user("u3"));
    let case = Case::default()
        .request(&[u1.clone(), u2.clone()], "u2", &[line(&u1, None), line(&u2, Some("u1"))])
        .step(continues("u1"), Ok(None), &[]);
    let given = case.clone().list(&[u2.clone(), u3.clone()], "u3");
    given.clone().flush(&[line(&u3, Some("u2"))]).holds(&[HINT]);
    given.flush(&[line(&u3, Some("u1"))]).breaks(HINT);
    case.clone().list(from_ref(&u2), "u2").holds(&[HINT]);
    case.list(from_ref(&u2), "u1").breaks(HINT);
}

#[test]
fn a_hint_is_forgotten_after_its_list_and_with_its_process() {
    let (u2, u3) = (user("u2"), user("u3"));
    let case = hinted("u1").list(&[], "u1").list(from_ref(&u2), "u2");
    case.clone().flush(&[line(&u2, None)]).holds(&[HINT]);
    case.flush(&[line(&u2, Some("u1"))]).breaks("record/chain-links");
    let case = hinted("u1").restart().list(from_ref(&u3), "u3");
    case.clone().flush(&[line(&u3, None)]).holds(&["record/chain-links"]);
    case.flush(&[line(&u3, Some("u1"))]).breaks("record/chain-links");
}

#[test]
fn new_messages_of_a_teams_list_are_marked_and_no_others() {
    let (u1, u2) = (user("u1"), user("u2"));
    let case =
        Case::default().step(team(), Ok(None), &[]).list(from_ref(&u1), "u1").list(&[u1.clone(), u2.clone()], "u2");
    let (first, second) = (line(&marked(&u1), None), line(&u2, Some("u1")));
    case.clone().flush(&[first.clone(), second.clone()]).holds(&[TEAM]);
    case.clone().flush(&[line(&u1, None), second]).breaks(TEAM);
    case.clone().flush(&[first, line(&marked(&u2), Some("u1"))]).breaks(TEAM);
    let without_agent = with(u1, json!({"teamName": "crew"}));
    case.flush(&[line(&without_agent, None), line(&u2, Some("u1"))]).breaks(TEAM);
}

#[test]
fn a_message_that_names_a_team_keeps_it() {
    let own = with(user("u1"), json!({"teamName": "other"}));
    let u2 = user("u2");
    let case = Case::default().step(team(), Ok(None), &[]).list(&[own.clone(), u2.clone()], "u2");
    let second = line(&marked(&u2), Some("u1"));
    case.clone().flush(&[line(&own, None), second.clone()]).holds(&[TEAM]);
    case.clone().flush(&[line(&marked(&own), None), second.clone()]).breaks("record/nothing-lost");
    // It gets no agent to its team.
    let half = with(own, json!({"agentName": "scout"}));
    case.flush(&[line(&half, None), second]).breaks(TEAM);
}
