//! What must be *kept*: what is in the file, when, and how.

use std::slice::from_ref;

use serde_json::json;
use turnproof_rules::operation::RecordStep;

use super::case::{Case, broken, line, reply, user, with};

#[test]
fn what_starts_a_request_is_in_the_file_when_it_is_sent() {
    let (u1, u2) = (user("u1"), user("u2"));
    let lines = [line(&u1, None), line(&u2, Some("u1"))];
    let case = Case::default().list(from_ref(&u1), "u1");
    let both = [u1.clone(), u2.clone()];
    case.clone().request(&both, "u2", &lines).holds(&["record/user-before-request"]);
    case.clone().request(&both, "u2", &[]).flush(&lines).breaks("record/user-before-request");
    case.request(&both, "u2", &lines[..1]).flush(&lines[1..]).breaks("record/user-before-request");
}

#[test]
fn lines_may_be_written_before_they_must() {
    let u1 = user("u1");
    let step = RecordStep::List(json!([u1]).to_string().into());
    Case::default()
        .step(step, Ok(Some("u1")), &[line(&u1, None)])
        .flush(&[])
        .holds(&["record/chain-links", "record/append-only"]);
}

#[test]
fn a_disk_that_fails_is_reported_and_nothing_is_lost() {
    let (u1, u2) = (user("u1"), user("u2"));
    let (first, second) = (line(&u1, None), line(&u2, Some("u1")));
    let torn = second[..9].to_owned();
    let takes = Some((first.len() + 9) as u64);
    let case = Case::default().list(&[u1.clone(), u2.clone()], "u2").disk(takes);
    let failed = case.clone().step(RecordStep::Flush, Err("disk full"), &[first.clone(), torn.clone()]).disk(None);
    let tested = ["record/nothing-lost", "record/total", "record/whole-lines"];
    failed.clone().flush(&["\n".to_owned(), second.clone()]).holds(&tested);
    // What could not be written is forgotten, and the torn line stays.
    let forgotten = failed.clone().flush(&[]).done();
    assert_eq!(broken(&forgotten), ["record/whole-lines", "record/nothing-lost"]);
    // The whole batch is written again.
    failed.clone().flush(&["\n".to_owned(), first.clone(), second.clone()]).breaks("record/incremental");
    // The next line is glued to the torn one.
    failed.flush(from_ref(&second)).breaks("record/whole-lines");
    // Nobody learns of it.
    let silent = case.step(RecordStep::Flush, Ok(None), &[first, torn]).disk(None);
    silent.flush(&["\n".to_owned(), second]).breaks("record/nothing-lost");
}

#[test]
fn before_a_request_a_disk_that_fails_is_reported() {
    let u1 = user("u1");
    let list = RecordStep::ListBeforeRequest(json!([u1]).to_string().into());
    let case = Case::default().disk(Some(0));
    let reported = case.clone().step(list.clone(), Err("disk full"), &[]).disk(None);
    reported.flush(&[line(&u1, None)]).holds(&["record/total", "record/nothing-lost"]);
    case.step(list.clone(), Ok(Some("u1")), &[]).breaks("record/user-before-request");
    Case::default().step(list, Err("disk full"), &[]).breaks("record/total");
    Case::default().step(RecordStep::Flush, Err("why"), &[]).breaks("record/total");
}

#[test]
fn a_line_without_its_end_may_count_or_not() {
    let u1 = user("u1");
    let whole = line(&u1, None);
    let unterminated = whole.trim_end().to_owned();
    let case = Case::default()
        .list(&[u1], "u1")
        .disk(Some(unterminated.len() as u64))
        .step(RecordStep::Flush, Err("disk full"), &[unterminated])
        .disk(None);
    case.clone().flush(&["\n".to_owned(), whole.clone()]).holds(&["record/nothing-lost"]);
    case.flush(&["\n".to_owned()]).holds(&["record/nothing-lost"]);
}

#[test]
fn a_line_holds_the_message_as_it_was_given() {
    let u1 = with(user("u1"), json!({"odd": {"a": [1, 2.5, null]}, "timestamp": "2025-01-01T00:00:00.000Z"}));
    let case = Case::default().list(from_ref(&u1), "u1");
    case.clone().flush(&[line(&u1, None)]).holds(&["record/nothing-lost"]);
    let more = with(u1.clone(), json!({"slug": "a", "isSidechain": false}));
    case.clone().flush(&[line(&more, None)]).holds(&["record/nothing-lost"]);
    let mut typed = u1.clone();
    typed.as_object_mut().unwrap().remove("odd");
    let wrong = [
        typed,
        with(u1.clone(), json!({"timestamp": "2025-01-02T00:00:00.000Z"})),
        with(u1.clone(), json!({"message": {"role": "user", "content": "text of u1 "}})),
        with(u1, json!({"odd": {"a": [1, 2.5]}})),
    ];
    for wrong in wrong {
        case.clone().flush(&[line(&wrong, None)]).breaks("record/nothing-lost");
    }
}

#[test]
fn half_of_a_surrogate_pair_is_kept() {
    let list = r#"[{"type":"user","uuid":"u1","message":{"content":"a\ud83d"}}]"#;
    let written = |text: &str| {
        format!(r#"{{"type":"user","uuid":"u1","message":{{"content":"{text}"}},"parentUuid":null,"sessionId":"s1"}}"#)
            + "\n"
    };
    let case = Case::default().step(RecordStep::List(list.to_owned().into()), Ok(Some("u1")), &[]);
    case.clone().flush(&[written("a\\ud83d")]).holds(&["record/nothing-lost"]);
    case.flush(&[written("a\u{FFFD}")]).breaks("record/nothing-lost");
}

#[test]
fn late_fields_are_in_the_line_that_waited_for_them() {
    let (early, late) = (reply("a1", 1, None), reply("a1", 90, Some("end_turn")));
    let case = Case::default().list(from_ref(&early), "a1").list(from_ref(&late), "a1");
    case.clone().flush(&[line(&late, None)]).holds(&["record/late-fields"]);
    case.clone().flush(&[line(&early, None)]).breaks("record/late-fields");
    // A line that is made at once.
    let list = |message: &serde_json::Value| RecordStep::List(json!([message]).to_string().into());
    Case::default()
        .step(list(&early), Ok(Some("a1")), &[line(&early, None)])
        .step(list(&late), Ok(Some("a1")), &[])
        .flush(&[])
        .breaks("record/late-fields");
    // Between the two a flush was forced.
    Case::default()
        .list(from_ref(&early), "a1")
        .flush(&[line(&early, None)])
        .list(from_ref(&late), "a1")
        .flush(&[])
        .holds(&["record/nothing-lost"]);
    // Half of them.
    let half = reply("a1", 1, Some("end_turn"));
    Case::default()
        .list(from_ref(&early), "a1")
        .list(&[half], "a1")
        .list(&[late], "a1")
        .flush(&[line(&reply("a1", 1, Some("end_turn")), None)])
        .breaks("record/late-fields");
}
