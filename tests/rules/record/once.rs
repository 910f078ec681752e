//! Each message is written *once*, and what stays in memory is never written.

use std::slice::from_ref;

use serde_json::json;

use super::case::{Case, line, message, user, with};

#[test]
fn the_same_list_twice_writes_nothing() {
    let (u1, u2) = (user("u1"), user("u2"));
    let lines = [line(&u1, None), line(&u2, Some("u1"))];
    let case = Case::default().list(&[u1.clone(), u2.clone()], "u2").flush(&lines).list(&[u1.clone(), u2], "u2");
    case.clone().flush(&[]).holds(&["record/incremental", "record/nothing-lost"]);
    case.flush(&[line(&u1, None)]).breaks("record/incremental");
}

#[test]
fn what_the_resumed_file_holds_is_not_written_again() {
    let (u1, u2) = (user("u1"), user("u2"));
    let case = Case::on(&line(&u1, None)).list(&[u1.clone(), u2.clone()], "u2");
    case.clone().flush(&[line(&u2, Some("u1"))]).holds(&["record/incremental", "record/prefix-parent"]);
    case.flush(&[line(&u1, None), line(&u2, Some("u1"))]).breaks("record/incremental");
}

#[test]
fn after_a_restart_the_file_counts_and_the_queue_does_not() {
    let (u1, u2) = (user("u1"), user("u2"));
    let case = Case::default()
        .request(from_ref(&u1), "u1", &[line(&u1, None)])
        .list(&[u1.clone(), u2.clone()], "u2")
        .restart()
        .list(&[u1.clone(), u2.clone()], "u2");
    case.clone().flush(&[line(&u2, Some("u1"))]).holds(&["record/incremental", "record/nothing-lost"]);
    case.clone().flush(&[line(&u1, None), line(&u2, Some("u1"))]).breaks("record/incremental");
    // It took for recorded what was only queued.
    case.flush(&[]).breaks("record/nothing-lost");
}

#[test]
fn nothing_of_a_refused_list_is_written() {
    let nameless = json!({"type": "user", "message": {"content": "a"}});
    let case = Case::default().refused(&[user("u1"), nameless.clone()]);
    case.clone().flush(&[]).holds(&["record/total"]);
    case.flush(&[line(&user("u1"), None)]).breaks("record/incremental");
    // What is never written needs no uuid.
    let u1 = user("u1");
    Case::default()
        .list(&[u1.clone(), json!({"type": "tombstone", "message": {"uuid": "a1"}})], "u1")
        .flush(&[line(&u1, None)])
        .holds(&["record/no-ephemeral"]);
    Case::default().list(&[nameless, u1.clone()], "u1").breaks("record/total");
    Case::default().refused(&[u1]).breaks("record/total");
}

#[test]
fn what_stays_in_memory_gets_no_line() {
    let u1 = user("u1");
    let hidden = [
        message("progress", "x1", json!({"data": {}})),
        message("tombstone", "x1", json!({"message": {"uuid": "a1"}})),
        message("tool_use_summary", "x1", json!({"summary": "a"})),
        message("grouped_tool_use", "x1", json!({})),
        message("stream_event", "x1", json!({"event": {}})),
        message("stream_request_start", "x1", json!({})),
        with(user("x1"), json!({"isVirtual": true})),
    ];
    for hidden in hidden {
        let case = Case::default().list(&[u1.clone(), hidden.clone()], "u1");
        case.clone().flush(&[line(&u1, None)]).holds(&["record/no-ephemeral"]);
        case.clone().flush(&[line(&u1, None), line(&hidden, Some("u1"))]).breaks("record/no-ephemeral");
        // Hidden, but its mark is left out.
        let bare = user("x1");
        case.flush(&[line(&u1, None), line(&bare, Some("u1"))]).breaks("record/no-ephemeral");
    }
}

#[test]
fn all_five_persisted_kinds_are_written() {
    let kinds = ["user", "assistant", "system", "attachment", "hook_result"];
    let messages: Vec<_> = kinds.iter().map(|kind| message(kind, &format!("{kind}1"), json!({}))).collect();
    let mut parent = None;
    let mut lines = Vec::new();
    for (kind, message) in kinds.iter().zip(&messages) {
        lines.push(line(message, parent.as_deref()));
        parent = Some(format!("{kind}1"));
    }
    let case = Case::default().list(&messages, "hook_result1");
    case.clone().flush(&lines).holds(&["record/chain-links", "record/nothing-lost"]);
    lines.pop();
    case.flush(&lines).breaks("record/nothing-lost");
}

#[test]
fn side_records_of_the_recorder_itself_are_allowed() {
    let u1 = user("u1");
    let side = "{\"type\":\"last-prompt\",\"sessionId\":\"s1\"}\n".to_owned();
    Case::default().list(from_ref(&u1), "u1").flush(&[line(&u1, None), side]).holds(&["record/nothing-lost"]);
}
