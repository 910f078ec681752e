//! Rules on *asking twice*: the same question has the same answer, except for random ids and times.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use turnproof_rules::operation::{Parsed, ParsedRecord, Played, Reading, Recorded, Rejected, Report, UiReordered};
use turnproof_rules::rules::{Place, Verdict, find};
use turnproof_rules::{Observed, Trial};

/// What the rule with this id says of a case.
fn judge<C: Clone + Into<Observed>>(id: &str, case: &C) -> Verdict {
    Trial::of(&case.clone().into()).judge(find(id).unwrap()).unwrap()
}

const FILE: &[u8] = b"{\"type\":\"user\",\"uuid\":\"u1\"}\n\0{\"type\":\"summary\"}\n";

fn parsed() -> Parsed {
    let record = |start: u64, end: u64| ParsedRecord {
        start,
        end,
        kind: Some("user".into()),
        uuid: None,
        written: FILE[start as usize..end as usize].to_vec(),
    };
    Parsed {
        records: vec![record(0, 27), record(29, 47)],
        blank: vec![(27, 28), (47, 48)],
        rejected: vec![Rejected { start: 28, end: 29, reason: "nul".into() }],
        reports: Some(vec![Report { rule: "wire/no-nul".into(), start: 28, end: 29 }]),
    }
}

fn read_twice(bytes: &[u8], again: Option<Result<Parsed, String>>) -> Verdict {
    let parsed = if bytes.is_empty() { Parsed::default() } else { parsed() };
    judge("wire/deterministic", &Reading { bytes: bytes.to_vec(), parsed, again })
}

/// Where the only violation is.
#[track_caller]
fn place(verdict: Verdict) -> Place {
    match verdict {
        Verdict::Broken(violations) if violations.len() == 1 => violations[0].place,
        other => panic!("not broken in one place: {other:?}"),
    }
}

#[test]
fn a_reading_is_compared_part_by_part() {
    assert_eq!(read_twice(FILE, Some(Ok(parsed()))), Verdict::Holds);
    assert!(matches!(read_twice(FILE, None), Verdict::NotApplicable(_)));
    assert!(matches!(read_twice(b"", Some(Ok(Parsed::default()))), Verdict::NotApplicable(_)));
    assert_eq!(place(read_twice(FILE, Some(Err("no".into())))), Place::Whole);
    let changed = |change: fn(&mut Parsed)| {
        let mut again = parsed();
        change(&mut again);
        place(read_twice(FILE, Some(Ok(again))))
    };
    let bytes = |start, end| Place::Bytes { start, end };
    assert_eq!(changed(|again| drop(again.records.remove(0))), bytes(0, 27));
    assert_eq!(changed(|again| drop(again.records.pop())), bytes(29, 47));
    assert_eq!(changed(|again| again.records[1].written.push(b' ')), bytes(29, 47));
    assert_eq!(changed(|again| again.records.push(again.records[0].clone())), bytes(0, 27));
    assert_eq!(changed(|again| again.blank[1].1 = 49), bytes(47, 48));
    assert_eq!(changed(|again| again.rejected[0].reason = "not-json".into()), bytes(28, 29));
    assert_eq!(changed(|again| again.reports = None), bytes(28, 29));
}

fn ordered_twice(messages: Value, output: Result<Value, String>, again: Result<Value, String>) -> Verdict {
    let [output, again] = [output, again].map(|order| order.map(Into::into));
    let case = UiReordered { messages: messages.into(), output, again: Some(again), reordered: None };
    judge("ui/reorder-deterministic", &case)
}

#[test]
fn an_order_is_compared_message_by_message() {
    let (one, two) = (json!({"uuid": "u1", "n": 1}), json!({"uuid": "u2"}));
    let judge =
        |output: &[&Value], again: &[&Value]| ordered_twice(json!([one, two]), Ok(json!(output)), Ok(json!(again)));
    assert_eq!(judge(&[&one, &two], &[&json!({"n": 1.0, "uuid": "u1"}), &two]), Verdict::Holds);
    let at = |index| Place::Message { index, block: None };
    assert_eq!(place(judge(&[&one, &two], &[&two, &one])), at(0));
    assert_eq!(place(judge(&[&one, &two], &[&one])), at(1));
    assert!(matches!(judge(&[], &[]), Verdict::NotApplicable(_)));
    let none = || Err("no".to_owned());
    assert_eq!(place(ordered_twice(json!([]), Ok(json!([])), none())), Place::Whole);
    assert_eq!(place(ordered_twice(json!([]), none(), Ok(json!([])))), Place::Whole);
    assert!(matches!(ordered_twice(json!([]), none(), none()), Verdict::NotApplicable(_)));
}

fn recorded_twice(first: Value, second: Value) -> Verdict {
    let case = json!({"before": [], "session": "s1", "steps": ["flush"], "answers": first, "again": second});
    judge("record/deterministic", &serde_json::from_value::<Recorded>(case).unwrap())
}

fn answers(tip: Value, lines: &[Value]) -> Value {
    let file: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut answer = json!({"jsonl_b64": BASE64_STANDARD.encode(file)});
    answer.as_object_mut().unwrap().extend(tip.as_object().unwrap().clone());
    json!({"Ok": [answer]})
}

#[test]
fn a_file_is_compared_line_by_line_but_for_times() {
    let line = |uuid: &str, time: u32| json!({"type": "user", "uuid": uuid, "timestamp": time});
    let ok = || json!({"tip": "u2"});
    let first = || answers(ok(), &[line("u1", 1), line("u2", 2)]);
    assert_eq!(recorded_twice(first(), first()), Verdict::Holds);
    assert_eq!(recorded_twice(first(), answers(ok(), &[line("u1", 3), line("u2", 4)])), Verdict::Holds);
    assert!(matches!(recorded_twice(first(), Value::Null), Verdict::NotApplicable(_)));
    let length = line("u1", 1).to_string().len() as u64 + 1;
    let second = Place::Bytes { start: length, end: 2 * length };
    let third = Place::Bytes { start: 2 * length, end: 2 * length };
    assert_eq!(place(recorded_twice(first(), answers(ok(), &[line("u1", 1), line("u3", 2)]))), second);
    assert_eq!(place(recorded_twice(first(), answers(ok(), &[line("u1", 1)]))), second);
    let more = [line("u1", 1), line("u2", 2), line("u3", 3)];
    assert_eq!(place(recorded_twice(first(), answers(ok(), &more))), third);
}

#[test]
fn what_a_recorder_answers_is_compared_but_for_the_words_of_errors() {
    let with = |tip: Value| answers(tip, &[]);
    let error = |why: &str| json!({"error": why});
    let refused = |why: &str| json!({"Err": why});
    assert_eq!(recorded_twice(with(error("a")), with(error("b"))), Verdict::Holds);
    assert_eq!(place(recorded_twice(with(error("a")), with(json!({"tip": null})))), Place::Whole);
    assert_eq!(place(recorded_twice(with(json!({"tip": "u1"})), with(json!({"tip": null})))), Place::Whole);
    assert_eq!(place(recorded_twice(with(json!({"tip": null})), refused("no"))), Place::Whole);
    assert_eq!(place(recorded_twice(with(json!({"tip": null})), json!({"Ok": []}))), Place::Whole);
    assert!(matches!(recorded_twice(refused("a"), refused("b")), Verdict::NotApplicable(_)));
}

fn log(ids: [&str; 2], time: u32, words: &str) -> Value {
    let first = json!({"type": "user", "uuid": ids[0], "timestamp": time});
    let second = json!({"type": "user", "uuid": ids[1], "parentUuid": ids[0], "text": words});
    let file = BASE64_STANDARD.encode(format!("{first}\n{second}\n"));
    json!({
        "moments": [
            {"yielded": first},
            {"joined": {"input": 0, "uuid": ids[0]}},
            {"requested": {"messages": [first], "turns": [], "transcript_b64": file}},
            {"crashed": {"transcript_b64": file}},
        ],
        "transcript_b64": file,
        "whole": true,
    })
}

fn played_twice(first: Value, second: Value) -> Verdict {
    let mut case: Played = serde_json::from_value(first).unwrap();
    case.again = serde_json::from_value(second).unwrap();
    judge("engine/deterministic", &case)
}

#[test]
fn a_log_is_compared_moment_by_moment_but_for_times_and_with_ids_known_by_their_order() {
    let first = || log(["u1", "u2"], 1, "a");
    let ok = |log: Value| json!({"Ok": log});
    assert_eq!(played_twice(first(), ok(first())), Verdict::Holds);
    assert_eq!(played_twice(first(), ok(log(["x", "y"], 2, "a"))), Verdict::Holds);
    assert!(matches!(played_twice(first(), Value::Null), Verdict::NotApplicable(_)));
    assert_eq!(place(played_twice(first(), json!({"Err": "no"}))), Place::Whole);
    let at = |index| Place::Message { index, block: None };
    // A record of the transcript is another one.
    assert_eq!(place(played_twice(first(), ok(log(["u1", "u2"], 1, "b")))), at(2));
    assert_eq!(place(played_twice(first(), ok(log(["u1", "u1"], 1, "a")))), at(2));
    let without = |index: usize| {
        let mut log = first();
        log["moments"].as_array_mut().unwrap().remove(index);
        log
    };
    assert_eq!(place(played_twice(first(), ok(without(3)))), at(3));
    assert_eq!(place(played_twice(first(), ok(without(0)))), at(0));
    let mut short = first();
    short["transcript_b64"] = json!("");
    assert_eq!(place(played_twice(first(), ok(short))), Place::Whole);
}
