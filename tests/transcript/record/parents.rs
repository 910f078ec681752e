//! Which parents messages get.

use serde_json::json;

use super::build::*;

#[test]
fn the_tip_begins_at_null_and_goes_through_recorded_messages_to_the_first_new_one() {
    let mut recorder = recorder();
    assert_eq!(record(&mut recorder, &[]), None);
    assert_eq!(record(&mut recorder, &[user("u1"), assistant("a1")]).as_deref(), Some("a1"));
    assert_eq!(record(&mut recorder, &[user("u1")]).as_deref(), Some("u1"));
    assert_eq!(record(&mut recorder, &[]), None);
    let lines = written(&mut recorder, &[user("u1"), assistant("a1"), user("u2")]);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "u2<a1"]);
}

#[test]
fn after_the_first_new_message_recorded_ones_no_longer_move_the_tip() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1"), assistant("a1"), user("u2")]);
    let list = [user("u1"), user("new1"), assistant("a1"), user("u2"), user("new2"), user("u2")];
    assert_eq!(record(&mut recorder, &list).as_deref(), Some("new2"));
    let lines = written(&mut recorder, &list);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "u2<a1", "new1<u1", "new2<new1"]);
}

#[test]
fn a_list_that_begins_with_a_new_message_starts_a_segment() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1"), assistant("a1")]);
    let lines = written(&mut recorder, &[user("fresh"), user("u1")]);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "fresh<-"]);
}

#[test]
fn a_rewind_hangs_the_new_message_on_the_last_one_kept() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1"), assistant("a1"), user("u2"), assistant("a2")]);
    let lines = written(&mut recorder, &[user("u1"), assistant("a1"), user("other")]);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "u2<a1", "a2<u2", "other<a1"]);
}

#[test]
fn a_result_hangs_on_the_message_that_holds_its_call() {
    let list = [user("u1"), assistant("a1"), assistant("a2"), result("r2", "a2"), result("r1", "a1"), assistant("a3")];
    let lines = written(&mut recorder(), &list);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "a2<a1", "r2<a2", "r1<a1", "a3<r1"]);
}

#[test]
fn a_result_finds_its_call_in_the_resumed_file_too() {
    let mut first = recorder();
    written(&mut first, &[user("u1"), assistant("a1"), assistant("a2")]);
    let mut recorder = going_on(first.disk().bytes());
    let lines = written(&mut recorder, &[user("u1"), assistant("a1"), assistant("a2"), result("r1", "a1")]);
    assert_eq!(chain(&lines)[3], "r1<a1");
}

#[test]
fn a_source_that_is_not_recorded_or_of_no_result_is_passed_over() {
    let unknown = result("r1", "nowhere");
    let own = result("r2", "r2");
    let late = result("r3", "a9");
    let mut no_result = user("u2");
    no_result["sourceToolAssistantUUID"] = json!("a1");
    let mut of_virtual = result("r4", "hidden");
    of_virtual["slug"] = json!("any");
    let mut hidden = assistant("hidden");
    hidden["isVirtual"] = json!(true);
    let list = [
        user("u1"),
        assistant("a1"),
        assistant("a2"),
        unknown,
        own,
        late,
        no_result,
        hidden,
        of_virtual,
        assistant("a9"),
    ];
    let lines = written(&mut recorder(), &list);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "a2<a1", "r1<a2", "r2<r1", "r3<r2", "u2<r3", "r4<u2", "a9<r4"]);
}

#[test]
fn what_a_message_says_of_its_own_parent_is_replaced() {
    let mut first = user("u1");
    first["parentUuid"] = json!("elsewhere");
    let mut second = assistant("a1");
    second["parentUuid"] = json!(null);
    let lines = written(&mut recorder(), &[first, second]);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1"]);
}

#[test]
fn a_later_version_of_a_waiting_message_keeps_the_first_ones_parent() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1"), assistant("a1")]);
    let mut later = assistant("a1");
    later["parentUuid"] = json!("elsewhere");
    later["message"]["stop_reason"] = json!("end_turn");
    // The list has lost its first message.
    let lines = written(&mut recorder, &[later]);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1"]);
    assert_eq!(lines[1]["message"]["stop_reason"], "end_turn");
}

#[test]
fn uuids_with_half_a_surrogate_pair_are_written_unchanged() {
    let list = r#"[{"type":"user","uuid":"x\ud83d","text":"\udc00"},{"type":"user","uuid":"u2"}]"#;
    let mut recorder = recorder();
    recorder.record(&serde_json::from_str::<Vec<_>>(list).unwrap()).unwrap();
    recorder.flush().unwrap();
    let file = String::from_utf8(recorder.disk().bytes().to_vec()).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines[0], r#"{"type":"user","uuid":"x\ud83d","parentUuid":null,"sessionId":"s1","text":"\udc00"}"#);
    assert_eq!(lines[1], r#"{"type":"user","uuid":"u2","parentUuid":"x\ud83d","sessionId":"s1"}"#);
    let again = going_on(recorder.disk().bytes()).record(&serde_json::from_str::<Vec<_>>(list).unwrap());
    assert_eq!(again.unwrap().as_deref(), Some("u2"));
}
