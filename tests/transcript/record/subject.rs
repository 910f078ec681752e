//! The reference's operation `record`.

use serde_json::{Value, json};
use turnproof_rules::operation::{Operation, RecordAnswer, RecordStep};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::build::*;

fn list(list: &[Value]) -> RecordStep {
    RecordStep::List(json!(list).to_string().into())
}

fn before_request(list: &[Value]) -> RecordStep {
    RecordStep::ListBeforeRequest(json!(list).to_string().into())
}

fn answers(file: &[u8], steps: &[RecordStep]) -> Vec<RecordAnswer> {
    match Reference.record(file, SESSION, steps) {
        Outcome::Output(answers) => answers,
        other => panic!("{other:?}"),
    }
}

fn tip(answer: &RecordAnswer) -> Option<&str> {
    answer.tip().unwrap()
}

#[test]
fn the_reference_records() {
    assert!(Reference.supports(Operation::Record));
    assert_eq!(answers(b"", &[]), []);
}

#[test]
fn a_list_waits_for_a_flush_or_a_request() {
    let two = [user("u1"), assistant("a1")];
    let answers = answers(b"", &[list(&two[..1]), RecordStep::Flush, list(&two), before_request(&two)]);
    let tips: Vec<_> = answers.iter().map(tip).collect();
    assert_eq!(tips, [Some("u1"), None, Some("a1"), Some("a1")]);
    let lengths: Vec<_> = answers.iter().map(|answer| lines(&answer.file).len()).collect();
    assert_eq!(lengths, [0, 1, 1, 2]);
    assert_eq!(chain(&lines(&answers[3].file)), ["u1<-", "a1<u1"]);
    assert_eq!(lines(&answers[3].file)[0]["sessionId"], SESSION);
}

#[test]
fn the_file_before_the_first_step_counts_as_recorded() {
    let file = b"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n{\"type\":\"assis";
    let answers = answers(file, &[before_request(&[user("u1"), assistant("a1")])]);
    let added = answers[0].file.strip_prefix(&file[..]).unwrap();
    assert_eq!(added[0], b'\n');
    assert_eq!(chain(&lines(&added[1..])), ["a1<u1"]);
}

#[test]
fn a_restart_loses_what_waits_and_knows_what_is_written() {
    let two = [user("u1"), assistant("a1")];
    let steps =
        [before_request(&two[..1]), list(&two), RecordStep::Restart, RecordStep::Flush, list(&two), RecordStep::Flush];
    let answers = answers(b"", &steps);
    assert_eq!(lines(&answers[3].file).len(), 1);
    assert_eq!(tip(&answers[4]), Some("a1"));
    assert_eq!(chain(&lines(&answers[5].file)), ["u1<-", "a1<u1"]);
}

#[test]
fn an_error_is_the_answer_and_later_steps_go_on() {
    let two = [user("u1"), assistant("a1")];
    let steps = [
        RecordStep::DiskTakes(Some(5)),
        list(&two),
        RecordStep::Flush,
        before_request(&two),
        RecordStep::List("[{\"type\":\"user\"}]".to_owned().into()),
        RecordStep::List("no list".to_owned().into()),
        RecordStep::DiskTakes(None),
        RecordStep::Flush,
    ];
    let answers = answers(b"", &steps);
    let failed: Vec<bool> = answers.iter().map(|answer| answer.tip().is_err()).collect();
    assert_eq!(failed, [false, false, true, true, true, true, false, false]);
    assert_eq!(answers[3].file, b"{\"typ");
    assert_eq!(chain(&lines(&answers[7].file[6..])), ["u1<-", "a1<u1"]);
}

#[test]
fn what_another_process_writes_stays_where_it_is() {
    let other = b"{\"type\":\"custom-title\"}\n{\"type\":\"us".to_vec();
    let steps = [
        before_request(&[user("u1")]),
        RecordStep::OtherWriter(other.clone()),
        before_request(&[user("u1"), user("u2")]),
    ];
    let answers = answers(b"", &steps);
    assert_eq!(answers[1].file, [&answers[0].file[..], &other].concat());
    let added = answers[2].file.strip_prefix(&answers[1].file[..]).unwrap();
    assert_eq!(chain(&lines(&added[1..])), ["u2<u1"]);
}

#[test]
fn the_limit_of_a_disk_outlives_the_process() {
    let steps = [RecordStep::DiskTakes(Some(0)), RecordStep::Restart, before_request(&[user("u1")])];
    let answers = answers(b"", &steps);
    assert!(answers[2].tip().is_err());
    assert_eq!(answers[2].file, b"");
}
