//! Parents, tips and boundaries.

use std::slice::from_ref;

use serde_json::json;

use super::case::{Case, boundary, line, message, reply, result, user, with};

#[test]
fn each_line_chains_to_the_one_before() {
    let (u1, a1) = (user("u1"), reply("a1", 1, None));
    let case = Case::default().list(&[u1.clone(), a1.clone()], "a1");
    case.clone().flush(&[line(&u1, None), line(&a1, Some("u1"))]).holds(&["record/chain-links"]);
    case.clone().flush(&[line(&u1, None), line(&a1, None)]).breaks("record/chain-links");
    case.clone().flush(&[line(&u1, Some("u0")), line(&a1, Some("u1"))]).breaks("record/chain-links");
    // The child first.
    case.clone().flush(&[line(&a1, Some("u1")), line(&u1, None)]).breaks("record/chain-links");
    let without_parent = line(&u1, None).replace("\"parentUuid\":null,", "");
    case.clone().flush(&[without_parent, line(&a1, Some("u1"))]).breaks("record/chain-links");
    let other_session = line(&a1, Some("u1")).replace("\"s1\"", "\"s2\"");
    case.flush(&[line(&u1, None), other_session]).breaks("record/chain-links");
}

#[test]
fn what_a_message_says_of_its_own_parent_is_replaced() {
    let u1 = with(user("u1"), json!({"parentUuid": "gone"}));
    let case = Case::default().list(from_ref(&u1), "u1");
    case.clone().flush(&[line(&u1, None)]).holds(&["record/chain-links"]);
    case.flush(&[line(&u1, Some("gone"))]).breaks("record/chain-links");
}

#[test]
fn a_parent_is_never_what_is_not_written() {
    let (u1, u2) = (user("u1"), user("u2"));
    let progress = message("progress", "p1", json!({"data": {}}));
    let case = Case::default().list(&[u1.clone(), progress, u2.clone()], "u2");
    case.clone().flush(&[line(&u1, None), line(&u2, Some("u1"))]).holds(&["record/chain-links"]);
    case.flush(&[line(&u1, None), line(&u2, Some("p1"))]).breaks("record/chain-links");
}

#[test]
fn the_parent_of_a_result_is_the_line_of_its_call() {
    let (a1, a2) = (reply("a1", 1, None), reply("a2", 1, None));
    let (r1, r2) = (result("r1", "a1"), result("r2", "a2"));
    let case = Case::default().list(&[a1.clone(), a2.clone(), r2.clone(), r1.clone()], "r1");
    let first = [line(&a1, None), line(&a2, Some("a1"))];
    let lines = |r2_parent, r1_parent| [&first[..], &[line(&r2, Some(r2_parent)), line(&r1, Some(r1_parent))]].concat();
    case.clone().flush(&lines("a2", "a1")).holds(&["record/chain-links"]);
    case.flush(&lines("a2", "r2")).breaks("record/chain-links");
}

#[test]
fn a_result_of_an_unknown_message_chains_as_others_do() {
    let (u1, r1) = (user("u1"), result("r1", "gone"));
    let case = Case::default().list(&[u1.clone(), r1.clone()], "r1");
    case.clone().flush(&[line(&u1, None), line(&r1, Some("u1"))]).holds(&["record/chain-links"]);
    case.flush(&[line(&u1, None), line(&r1, Some("gone"))]).breaks("record/chain-links");
    // A prompt with a source is no result.
    let a1 = reply("a1", 1, None);
    let (u2, u3) = (user("u2"), with(user("u3"), json!({"sourceToolAssistantUUID": "a1"})));
    let lines = [line(&a1, None), line(&u2, Some("a1")), line(&u3, Some("u2"))];
    Case::default().list(&[a1, u2, u3], "u3").flush(&lines).holds(&["record/chain-links"]);
}

#[test]
fn recorded_messages_move_the_parent_only_while_they_begin_the_list() {
    let (u1, u2, u3) = (user("u1"), user("u2"), user("u3"));
    let case = Case::default()
        .request(from_ref(&u1), "u1", &[line(&u1, None)])
        .list(&[u2.clone(), u1.clone(), u3.clone()], "u3");
    case.clone().flush(&[line(&u2, None), line(&u3, Some("u2"))]).holds(&["record/prefix-parent"]);
    case.flush(&[line(&u2, None), line(&u3, Some("u1"))]).breaks("record/prefix-parent");
    let recorded = || Case::default().request(from_ref(&u1), "u1", &[line(&u1, None)]);
    recorded().list(&[u1.clone(), u2.clone()], "u2").flush(&[line(&u2, None)]).breaks("record/prefix-parent");
    // The tip at the end of the list is the last new one, not the recorded one after it.
    recorded().list(&[u2.clone(), u1.clone()], "u1").breaks("record/prefix-parent");
    recorded().list(&[u2.clone(), u1.clone()], "u2").holds(&["record/prefix-parent"]);
}

#[test]
fn the_answer_names_the_tip() {
    let u1 = user("u1");
    Case::default().list(from_ref(&u1), "u0").breaks("record/chain-links");
    let recorded = Case::default().request(from_ref(&u1), "u1", &[line(&u1, None)]);
    recorded.list(&[u1], "u0").breaks("record/prefix-parent");
}

#[test]
fn a_boundary_has_no_parent_and_a_logical_one() {
    let u1 = user("u1");
    let b1 = boundary("b1", json!({"trigger": "auto"}));
    let u2 = user("u2");
    let case = Case::default().request(from_ref(&u1), "u1", &[line(&u1, None)]).list(&[b1.clone(), u2.clone()], "u2");
    let written = |boundary: String| case.clone().flush(&[boundary, line(&u2, Some("b1"))]);
    let logical = |uuid: &str| with(b1.clone(), json!({ "logicalParentUuid": uuid }));
    written(line(&logical("u1"), None)).holds(&["record/chain-links"]);
    written(line(&b1, None)).breaks("record/chain-links");
    written(line(&logical("u2"), None)).breaks("record/chain-links");
    written(line(&logical("u1"), Some("u1"))).breaks("record/chain-links");
    // Its own is kept.
    let own = logical("far");
    let case = Case::default().list(&[u1.clone(), own.clone()], "b1");
    case.clone().flush(&[line(&u1, None), line(&own, None)]).holds(&["record/chain-links"]);
    case.flush(&[line(&u1, None), line(&logical("u1"), None)]).breaks("record/chain-links");
}

#[test]
fn after_a_restart_a_boundary_comes_after_the_last_line_that_is_no_subagents() {
    let (u1, of_agent) = (user("u1"), with(user("s1"), json!({"isSidechain": true})));
    let b1 = boundary("b1", json!({"trigger": "auto"}));
    let before = [line(&u1, None), line(&of_agent, Some("u1"))].concat();
    let case = Case::on(&before).list(from_ref(&b1), "b1");
    let logical = |uuid: &str| line(&with(b1.clone(), json!({ "logicalParentUuid": uuid })), None);
    case.clone().flush(&[logical("u1")]).holds(&["record/chain-links"]);
    case.flush(&[logical("s1")]).breaks("record/chain-links");
    // Where there are subagents alone, nothing says which one is meant.
    let case = Case::on(&line(&of_agent, None)).list(from_ref(&b1), "b1");
    case.flush(&[logical("s1")]).holds(&["record/chain-links"]);
}

#[test]
fn what_a_boundary_preserves_is_written_before_it() {
    let by_list = json!({"preservedMessages": {"anchorUuid": "s1", "uuids": ["k1"], "allUuids": ["k1", "k2"]}});
    let by_segment = json!({"preservedSegment": {"headUuid": "k1", "anchorUuid": "s1", "tailUuid": "k2"}});
    let (u1, k1, k2, u2) = (user("u1"), user("k1"), user("k2"), user("u2"));
    let summary = with(user("s1"), json!({"isCompactSummary": true}));
    for metadata in [by_list, by_segment] {
        let b1 = with(boundary("b1", metadata), json!({"logicalParentUuid": "k2"}));
        let list = [b1.clone(), summary.clone(), k1.clone(), k2.clone(), u2.clone()];
        let case = Case::default().request(from_ref(&u1), "u1", &[line(&u1, None)]).list(&list, "u2");
        let after = [line(&b1, None), line(&summary, Some("b1"))];
        let kept = [line(&k1, Some("u1")), line(&k2, Some("k1"))];
        let last = [line(&u2, Some("s1"))];
        let tested = ["record/boundary-tail-first", "record/chain-links"];
        case.clone().flush(&[&kept[..], &after, &last].concat()).holds(&tested);
        case.clone().flush(&[&after[..], &kept, &last].concat()).breaks("record/boundary-tail-first");
        case.clone().flush(&[&kept[..1], &after, &kept[1..], &last].concat()).breaks("record/boundary-tail-first");
        // The first kept one chains to the last line before, not to nothing.
        let loose = [line(&k1, None), line(&k2, Some("k1"))];
        case.clone().flush(&[&loose[..], &after, &last].concat()).breaks("record/chain-links");
        // The next prompt chains to the summary, not to the kept ones before the boundary.
        let late = [line(&u2, Some("k2"))];
        case.flush(&[&kept[..], &after, &late].concat()).breaks("record/prefix-parent");
    }
}

#[test]
fn a_segment_whose_head_is_recorded_begins_with_the_list() {
    let (k1, k2) = (user("k1"), user("k2"));
    let metadata = json!({"preservedSegment": {"headUuid": "k1", "anchorUuid": "b1", "tailUuid": "k2"}});
    let b1 = with(boundary("b1", metadata), json!({"logicalParentUuid": "k2"}));
    let case =
        Case::default().request(from_ref(&k1), "k1", &[line(&k1, None)]).list(&[b1.clone(), k1, k2.clone()], "b1");
    case.clone().flush(&[line(&k2, Some("k1")), line(&b1, None)]).holds(&["record/boundary-tail-first"]);
    case.flush(&[line(&b1, None), line(&k2, Some("k1"))]).breaks("record/boundary-tail-first");
}
