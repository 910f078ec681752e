//! The queue: its time, what is withdrawn from it, side records, starting over.

use allocation_counter::measure;
use serde_json::{Value, json};
use turnproof_reference::transcript::write::{MemoryDisk, Recorder, RecorderOptions};

use super::build::*;

fn uuids(recorder: &Memory) -> Vec<String> {
    lines(recorder.disk().bytes()).iter().map(|line| line["uuid"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_queue_is_due_a_period_after_the_first_message_in_it() {
    let mut recorder = recorder();
    recorder.tell_time(1_000);
    assert_eq!(recorder.due_at(), None);
    record(&mut recorder, &[user("u1")]);
    assert_eq!(recorder.due_at(), Some(1_100));
    assert_eq!(recorder.flush_if_due(1_099).unwrap().lines, 0);
    record(&mut recorder, &[user("u1"), user("u2")]);
    assert_eq!(recorder.due_at(), Some(1_100));
    assert_eq!(recorder.flush_if_due(1_100).unwrap().lines, 2);
    assert_eq!(recorder.due_at(), None);
    assert_eq!(recorder.flush_if_due(9_000).unwrap().lines, 0);
}

#[test]
fn the_period_is_an_option() {
    let options = RecorderOptions { period_ms: 7, ..RecorderOptions::new(SESSION) };
    let mut recorder = Recorder::new(MemoryDisk::default(), options);
    record(&mut recorder, &[user("u1")]);
    assert_eq!(recorder.due_at(), Some(7));
    assert_eq!(RecorderOptions::default().period_ms, 100);
}

#[test]
fn after_an_error_the_next_try_is_due_a_period_later() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1")]);
    recorder.disk_mut().takes(Some(5));
    assert!(recorder.flush_if_due(150).is_err());
    assert_eq!(recorder.due_at(), Some(250));
    recorder.disk_mut().takes(None);
    assert_eq!(recorder.flush_if_due(249).unwrap().lines, 0);
    assert_eq!(recorder.flush_if_due(250).unwrap().lines, 1);
}

#[test]
fn what_waits_is_dropped_when_it_is_withdrawn_and_what_is_written_is_named() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1"), assistant("a1")]);
    recorder.flush().unwrap();
    record(&mut recorder, &[user("u1"), assistant("a1"), assistant("a2"), assistant("a3")]);
    assert_eq!(recorder.withdraw(["a3", "a1", "unknown", "a2"]), ["a1"]);
    assert_eq!(recorder.queued(), 0);
    assert!(!recorder.is_recorded("a2"));
    assert!(recorder.is_recorded("a1"));
    let mut successor = assistant("a4");
    successor["supersedesUuids"] = json!(["a1"]);
    let lines = written(&mut recorder, &[user("u1"), successor]);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "a4<u1"]);
    assert_eq!(lines[2]["supersedesUuids"], json!(["a1"]));
}

#[test]
fn what_was_withdrawn_from_the_queue_is_not_written_when_a_later_list_holds_it() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1"), assistant("a1")]);
    recorder.withdraw(["a1"]);
    let list =
        [user("u1"), assistant("a1"), user("u2"), boundary("b", &json!({"preservedMessages": {"uuids": ["a1"]}}))];
    let lines = written(&mut recorder, &list);
    assert_eq!(chain(&lines), ["u1<-", "u2<u1", "b<-"]);
    assert_eq!(recorder.withdraw(["a1"]), Vec::<String>::new());
}

#[test]
fn what_hangs_on_a_withdrawn_message_hangs_on_what_that_hung_on() {
    let mut recorder = recorder();
    let list = [user("u1"), assistant("a1"), assistant("a2"), result("r1", "a1"), boundary("b", &json!({}))];
    record(&mut recorder, &list[..1]);
    recorder.flush().unwrap();
    record(&mut recorder, &list[..4]);
    assert_eq!(record(&mut recorder, &list).as_deref(), Some("b"));
    assert_eq!(recorder.withdraw(["r1", "a1"]), Vec::<String>::new());
    recorder.flush().unwrap();
    let lines = lines(recorder.disk().bytes());
    assert_eq!(chain(&lines), ["u1<-", "a2<u1", "b<-"]);
    assert_eq!(lines[2]["logicalParentUuid"], "u1");
}

#[test]
fn the_tip_and_the_last_line_step_back_over_what_is_withdrawn() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1")]);
    recorder.flush().unwrap();
    record(&mut recorder, &[user("u1"), assistant("a1"), assistant("a2")]);
    recorder.withdraw(["a1", "a2"]);
    assert_eq!(recorder.tip().map(|tip| tip.as_str()), Some("u1"));
    let lines = written(&mut recorder, &[boundary("b", &json!({}))]);
    assert_eq!(lines[1]["logicalParentUuid"], "u1");
}

#[test]
fn the_last_line_is_the_last_message_written_whatever_stands_beside_it() {
    let mut recorder = recorder();
    record(&mut recorder, &[user("u1")]);
    recorder.record_side(side(r#"{"type":"custom-title"}"#));
    recorder.flush().unwrap();
    record(&mut recorder, &[user("u1"), assistant("a1")]);
    recorder.withdraw(["a1"]);
    let lines = written(&mut recorder, &[boundary("b", &json!({}))]);
    assert_eq!(lines[2]["logicalParentUuid"], "u1");
}

#[test]
fn withdrawing_every_part_of_a_queue_leaves_a_file_without_gaps() {
    let list: Vec<Value> = (0..5).map(|index| user(&format!("u{index}"))).collect();
    for mask in 0..32_u32 {
        let gone: Vec<String> = (0..5).filter(|bit| mask & 1 << bit != 0).map(|bit| format!("u{bit}")).collect();
        let mut recorder = recorder();
        record(&mut recorder, &list);
        recorder.withdraw(gone.iter().map(String::as_str));
        assert_eq!(recorder.queued(), 5 - gone.len());
        recorder.flush().unwrap();
        let mut before = "-".to_owned();
        let mut expected = Vec::new();
        for uuid in (0..5).map(|index| format!("u{index}")).filter(|uuid| !gone.contains(uuid)) {
            expected.push(format!("{uuid}<{before}"));
            before = uuid;
        }
        assert_eq!(chain(&lines(recorder.disk().bytes())), expected);
    }
}

#[test]
fn side_records_are_written_in_order_and_are_never_in_the_chain() {
    let mut recorder = recorder();
    recorder.record_side(side(r#"{"type":"custom-title","customTitle":"first","uuid":"t1"}"#));
    record(&mut recorder, &[user("u1")]);
    recorder.record_side(side(r#"{"type":"custom-title","customTitle":"second"}"#));
    record(&mut recorder, &[user("u1"), assistant("a1"), boundary("b", &json!({}))]);
    assert_eq!(recorder.queued(), 5);
    recorder.flush().unwrap();
    let lines = lines(recorder.disk().bytes());
    let types: Vec<_> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["custom-title", "user", "custom-title", "assistant", "system"]);
    assert_eq!(lines[0], json!({"type": "custom-title", "customTitle": "first", "uuid": "t1"}));
    assert_eq!(lines[3]["parentUuid"], "u1");
    assert_eq!(lines[4]["logicalParentUuid"], "a1");
}

#[test]
fn a_side_record_alone_makes_the_queue_due() {
    let mut recorder = recorder();
    recorder.record_side(side(r#"{"type":"custom-title"}"#));
    assert_eq!(recorder.due_at(), Some(100));
}

#[test]
fn starting_over_writes_the_next_list_whole() {
    let mut recorder = recorder();
    let list = [user("u1"), assistant("a1")];
    written(&mut recorder, &list[..1]);
    record(&mut recorder, &list);
    recorder.record_side(side(r#"{"type":"custom-title","uuid":"t"}"#));
    recorder.start_over();
    assert_eq!(recorder.queued(), 1);
    *recorder.disk_mut() = MemoryDisk::default();
    record(&mut recorder, &list);
    recorder.flush().unwrap();
    assert_eq!(uuids(&recorder), ["t", "u1", "a1"]);
    assert_eq!(chain(&lines(recorder.disk().bytes())[1..]), ["u1<-", "a1<u1"]);
}

#[test]
fn recording_a_list_copies_nothing_of_its_messages() {
    let block = "x".repeat(1_000_000);
    let message = |index: usize| {
        let mut message = user(&format!("u{index}"));
        message["message"]["content"] = json!(block);
        event(&message)
    };
    let list: Vec<_> = (0..50).map(message).collect();
    let mut recorder = recorder();
    let mut recording = || measure(|| drop(recorder.record(&list).unwrap())).bytes_total;
    let (first, again) = (recording(), recording());
    recorder.flush().unwrap();
    let flushed = measure(|| drop(recorder.record(&list).unwrap())).bytes_total;
    let least = block.len() as u64;
    assert!(first.max(again).max(flushed) < least, "{first}, {again} and {flushed} bytes, and a message has {least}");
}
