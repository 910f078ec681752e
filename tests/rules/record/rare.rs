//! What is *rare* in the steps of a recorder: each case distinguishes a branch of a rule from its absence.

use std::slice::from_ref;

use serde_json::json;
use turnproof_rules::operation::{RecordHints, RecordStep, TeamInfo};
use turnproof_rules::rules::Verdict;

use super::case::{Case, boundary, line, message, user, with};
use crate::families::judge;

#[test]
fn a_team_whose_messages_all_name_one_themselves_puts_no_rule_to_the_test() {
    let team = TeamInfo { team_name: "crew".into(), agent_name: "scout".into() };
    let hints = RecordStep::Hints(RecordHints { starting_parent: None, team: Some(team) });
    let own = with(user("u1"), json!({"teamName": "other", "agentName": "one"}));
    let case = Case::default().step(hints, Ok(None), &[]).list(from_ref(&own), "u1").flush(&[line(&own, None)]);
    let verdict = judge("record/team", &case.done());
    assert!(matches!(verdict, Verdict::NotApplicable(_)), "{verdict:?}");
}

#[test]
fn a_message_that_is_given_again_as_one_of_another_kind_is_unspecified() {
    let first = user("u1");
    for other in [message("attachment", "u1", json!({"attachment": {}})), boundary("u1", json!({}))] {
        let case = Case::default().list(from_ref(&first), "u1").list(from_ref(&other), "u1").flush(&[]);
        let verdict = judge("record/nothing-lost", &case.done());
        assert!(matches!(verdict, Verdict::NotApplicable(_)), "{verdict:?}");
    }
}
