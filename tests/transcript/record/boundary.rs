//! What is written before a compact boundary, and which parents it has.

use allocation_counter::measure;
use serde_json::{Value, json};

use super::build::*;

fn segment(head: &str, tail: &str) -> Value {
    json!({"preservedSegment": {"headUuid": head, "anchorUuid": "s", "tailUuid": tail}})
}

fn messages(uuids: &[&str], all_uuids: &[&str]) -> Value {
    json!({"preservedMessages": {"anchorUuid": "s", "uuids": uuids, "allUuids": all_uuids}})
}

/// The chain of a file to which one list was written after `u1`, `a1`.
fn after_two(list: &[Value]) -> Vec<String> {
    let mut recorder = recorder();
    written(&mut recorder, &[user("u1"), assistant("a1")]);
    chain(&written(&mut recorder, list))[2..].to_vec()
}

#[test]
fn a_boundary_has_no_parent_and_keeps_its_logical_one() {
    let mut own = boundary("b", &json!({}));
    own["logicalParentUuid"] = json!("far away");
    own["parentUuid"] = json!("u1");
    let mut recorder = recorder();
    let lines = written(&mut recorder, &[user("u1"), own, summary("s"), user("u2")]);
    assert_eq!(chain(&lines), ["u1<-", "b<-", "s<b", "u2<s"]);
    assert_eq!(lines[1]["logicalParentUuid"], "far away");
}

#[test]
fn a_boundary_without_a_logical_parent_gets_the_last_line_before_it() {
    for mut own in [boundary("b", &json!({})), json!({"type": "system", "subtype": "compact_boundary", "uuid": "b"})] {
        let mut recorder = recorder();
        written(&mut recorder, &[user("u1"), assistant("a1")]);
        record(&mut recorder, &[user("u1"), assistant("a1"), user("waits")]);
        let lines = written(&mut recorder, &[own.clone(), summary("s")]);
        assert_eq!(chain(&lines)[2..], ["waits<a1", "b<-", "s<b"]);
        assert_eq!(lines[3]["logicalParentUuid"], "waits");
        own["logicalParentUuid"] = json!(null);
        let lines = written(
            &mut going_on(recorder.disk().bytes()),
            &[json!({
                "type": "system", "subtype": "compact_boundary", "uuid": "b2", "logicalParentUuid": null
            })],
        );
        assert_eq!(lines[5]["logicalParentUuid"], "s");
    }
}

#[test]
fn a_boundary_as_the_first_line_has_no_logical_parent_to_get() {
    let lines = written(&mut recorder(), &[boundary("b", &json!({}))]);
    assert_eq!(lines[0].get("logicalParentUuid"), None);
    assert_eq!(chain(&lines), ["b<-"]);
}

#[test]
fn a_later_version_of_a_waiting_boundary_keeps_the_logical_parent_it_was_given() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1"), boundary("b", &json!({}))]);
    let lines = written(&mut recorder, &[boundary("b", &json!({"trigger": "auto"})), summary("s")]);
    assert_eq!(chain(&lines), ["u1<-", "b<-", "s<b"]);
    assert_eq!(lines[1]["logicalParentUuid"], "u1");
    assert_eq!(lines[1]["compactMetadata"]["trigger"], "auto");
}

#[test]
fn kept_messages_that_are_recorded_are_not_written_again_and_move_nothing() {
    let list = [boundary("b", &segment("u1", "a1")), summary("s"), user("u1"), assistant("a1"), user("u2")];
    assert_eq!(after_two(&list), ["b<-", "s<b", "u2<s"]);
}

#[test]
fn new_messages_that_are_preserved_go_before_the_boundary_one_after_the_other() {
    for metadata in [messages(&["k1", "k2"], &[]), messages(&[], &["k2", "k1"]), messages(&["k1"], &["k2"])] {
        let list = [boundary("b", &metadata), summary("s"), assistant("k1"), user("k2"), user("after")];
        assert_eq!(after_two(&list), ["k1<a1", "k2<k1", "b<-", "s<b", "after<s"]);
    }
}

#[test]
fn the_logical_parent_is_the_last_of_what_is_preserved() {
    let mut recorder = recorder();
    let list = [boundary("b", &messages(&["k1"], &[])), summary("s"), user("k1")];
    let lines = written(&mut recorder, &list);
    assert_eq!(chain(&lines), ["k1<-", "b<-", "s<b"]);
    assert_eq!(lines[1]["logicalParentUuid"], "k1");
}

#[test]
fn a_preserved_result_hangs_on_its_call() {
    let metadata = messages(&["k1", "k2", "r1", "k3"], &[]);
    let list =
        [boundary("b", &metadata), summary("s"), assistant("k1"), assistant("k2"), result("r1", "k1"), user("k3")];
    assert_eq!(after_two(&list), ["k1<a1", "k2<k1", "r1<k1", "k3<r1", "b<-", "s<b"]);
    let list = [boundary("b", &messages(&["r0"], &[])), summary("s"), result("r0", "u1")];
    assert_eq!(after_two(&list), ["r0<u1", "b<-", "s<b"]);
}

#[test]
fn preserved_messages_supersede_a_preserved_segment() {
    let mut metadata = messages(&["k2"], &[]);
    metadata["preservedSegment"] = segment("k1", "k3")["preservedSegment"].clone();
    let list = [boundary("b", &metadata), summary("s"), user("k1"), user("k2"), user("k3")];
    assert_eq!(after_two(&list), ["k2<a1", "b<-", "s<b", "k1<s", "k3<k1"]);
}

#[test]
fn a_segment_goes_from_its_head_to_its_tail_in_list_order() {
    let list = [
        boundary("b", &segment("k1", "k3")),
        summary("s"),
        user("before"),
        user("k1"),
        assistant("a1"),
        user("k2"),
        user("k3"),
        user("after"),
    ];
    assert_eq!(after_two(&list), ["k1<a1", "k2<k1", "k3<k2", "b<-", "s<b", "before<s", "after<before"]);
}

#[test]
fn a_segment_whose_head_is_recorded_begins_with_the_first_of_the_list() {
    let list =
        [user("first"), boundary("b", &segment("u1", "k2")), summary("s"), user("k1"), user("k2"), user("after")];
    assert_eq!(after_two(&list), ["first<-", "k1<first", "k2<k1", "b<-", "s<b", "after<s"]);
}

#[test]
fn the_boundary_other_boundaries_and_summaries_are_never_preserved() {
    let uuids = ["b", "s", "b0", "k1"];
    for metadata in [messages(&uuids, &uuids), segment("u1", "k1"), segment("b", "k1")] {
        let list = [boundary("b", &metadata), summary("s"), boundary("b0", &json!({})), user("k1")];
        assert_eq!(after_two(&list), ["k1<a1", "b<-", "s<b", "b0<-"], "{metadata}");
    }
}

#[test]
fn a_segment_without_head_or_tail_preserves_nothing() {
    for metadata in [
        segment("gone", "k1"),
        segment("k1", "gone"),
        segment("k2", "k1"),
        json!({"preservedSegment": {"headUuid": "k1"}}),
        json!({"preservedSegment": {"tailUuid": "k1"}}),
        json!({"preservedMessages": {}, "preservedSegment": {"headUuid": "k1", "tailUuid": "k2"}}),
        json!({"preservedMessages": null, "preservedSegment": null}),
    ] {
        let list = [boundary("b", &metadata), summary("s"), user("k1"), user("k2")];
        assert_eq!(after_two(&list), ["b<-", "s<b", "k1<s", "k2<k1"], "{metadata}");
    }
}

#[test]
fn each_boundary_of_a_list_preserves_its_own() {
    let list = [
        boundary("b1", &segment("u1", "k1")),
        summary("s1"),
        boundary("b2", &segment("u1", "k2")),
        summary("s2"),
        user("k1"),
        user("k2"),
    ];
    assert_eq!(after_two(&list), ["k1<a1", "b1<-", "s1<b1", "k2<s1", "b2<-", "s2<b2"]);
}

#[test]
fn what_is_preserved_is_written_in_its_last_form() {
    let mut recorder = recorder();
    let list = [boundary("b", &messages(&["k1"], &[])), summary("s"), assistant("k1")];
    record(&mut recorder, &list);
    let mut later = list.clone();
    later[2]["message"]["stop_reason"] = json!("end_turn");
    let lines = written(&mut recorder, &later);
    assert_eq!(chain(&lines), ["k1<-", "b<-", "s<b"]);
    assert_eq!(lines[0]["message"]["stop_reason"], "end_turn");
}

#[test]
fn many_boundaries_take_memory_in_step_with_the_list() {
    let bytes = |count: usize| {
        let mut list: Vec<Value> =
            (0..count).map(|index| boundary(&format!("b{index}"), &segment("u1", "k"))).collect();
        list.extend((0..count).map(|index| summary(&format!("s{index}"))));
        list.push(user("k"));
        let list = events(&list);
        let mut recorder = recorder();
        record(&mut recorder, &[user("u1")]);
        measure(|| drop(recorder.record(&list).unwrap())).bytes_total
    };
    let (small, large) = (bytes(1_000), bytes(20_000));
    // 20 times the list, and tables that grow by doubling. If each boundary looked through the list for what it
    // preserves, it would be 400 times as much.
    assert!(large < small * 40, "{small} bytes and {large} bytes");
}
