//! *Lists* that are given one after another: each is read by itself, though most begin like the one before.

use serde_json::Value;
use turnproof_rules::operation::{RecordAnswer, RecordStep, Recorded};
use turnproof_rules::rules::Verdict;
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::case::{Case, broken, line, message, user};
use crate::families;

fn lists() -> [String; 10] {
    let (user, torn) = (r#"{"type":"user","uuid":"u1"}"#, r#"{"type":"user","uuid":"u2","a":"\ud83d"}"#);
    [
        format!("[{user}]"),
        format!("[{user},{torn}]"),
        format!("[{user}, {torn}]"),
        format!("[{user},]"),
        format!("[{user},{torn},{{\"type\":\"user\"}},1]"),
        format!("[{user},{torn},{{\"type\":\"user\"}},12]"),
        format!("[{user},{torn},{{\"type\":\"progress\",\"uuid\":\"p1\"}}]"),
        format!("[{torn},{user}"),
        "[]".to_owned(),
        "{}".to_owned(),
    ]
}

fn case(steps: Vec<RecordStep>, answers: Vec<RecordAnswer>) -> Recorded {
    Recorded { before: Vec::new(), session: "s1".into(), steps, answers: Ok(answers), again: None }
}

/// These lists, each with the same answer.
fn answered(lists: &[&String], tip: &Result<Option<String>, String>) -> Recorded {
    let steps = lists.iter().map(|list| RecordStep::List((*list).clone().into())).collect();
    let answers = lists.iter().map(|_| RecordAnswer::new(tip.clone(), Vec::new())).collect();
    case(steps, answers)
}

/// Why it is unspecified what becomes of these lists, if it is.
fn why_unspecified(lists: &[&String]) -> Option<&'static str> {
    match families::judge("record/incremental", &answered(lists, &Ok(None))) {
        Verdict::NotApplicable(why) => Some(why),
        _ => None,
    }
}

/// What is said of the last of these lists when all are accepted, and when all are refused.
fn said_of_last(lists: &[&String]) -> Vec<String> {
    let last = format!("step {} ", lists.len() - 1);
    let said = |tip: Result<Option<String>, String>| match families::judge("record/total", &answered(lists, &tip)) {
        Verdict::Broken(violations) => violations,
        _ => Vec::new(),
    };
    let all = said(Ok(None)).into_iter().chain(said(Err("no".to_owned())));
    all.filter_map(|violation| violation.found.to_string().strip_prefix(&last).map(str::to_owned)).collect()
}

#[test]
fn a_list_reads_the_same_whatever_was_read_before_it() {
    let lists = lists();
    for before in &lists {
        for list in &lists {
            assert_eq!(said_of_last(&[before, list]), said_of_last(&[list]), "{list} after {before}");
            // Of several lists that cannot be read, the first gives the reason.
            if said_of_last(&[list]).is_empty() && !said_of_last(&[before]).is_empty() {
                assert_eq!(why_unspecified(&[before, list]), why_unspecified(&[list]), "{list} after {before}");
            }
        }
    }
    // There are lists that must be accepted, and none of these that must be refused.
    let accepted = lists.iter().filter(|list| said_of_last(&[list]) == ["is refused: no"]).count();
    assert_eq!(accepted, 5);
}

#[test]
fn a_list_that_was_read_after_another_one_holds_the_same_messages() {
    let lists = lists();
    let whole = || lists.iter().filter(|list| said_of_last(&[list]) == ["is refused: no"]);
    for before in whole() {
        for list in whole() {
            // A process that starts knows only what is in the file, so all of the list is new.
            let given = [before, list].map(|list| RecordStep::List(list.clone().into()));
            let [before, list] = given;
            let is_torn = matches!(&list, RecordStep::List(json) if json.contains("ud83d"));
            let is_empty = matches!(&list, RecordStep::List(json) if json.text() == "[]");
            let steps = vec![before, RecordStep::Restart, list, RecordStep::Flush];
            let Outcome::Output(answers) = Reference.record(b"", "s1", &steps) else { panic!("no answers") };
            let right = case(steps.clone(), answers.clone());
            assert_eq!(broken(&right), [""; 0], "{steps:?}");
            if !is_empty {
                assert_eq!(families::judge("record/nothing-lost", &right), Verdict::Holds, "{steps:?}");
            }
            let changed = |from: &str, to: &str| {
                let file = String::from_utf8(answers[3].file.clone()).unwrap().replace(from, to);
                let mut last = answers[3].clone();
                last.file = file.into_bytes();
                case(steps.clone(), [&answers[..3], &[last]].concat())
            };
            let is_lost = |case: &Recorded| families::judge("record/nothing-lost", case).is_broken();
            assert_eq!(is_lost(&changed(r"\ud83d", r"\ufffd")), is_torn, "{steps:?}");
            assert_eq!(is_lost(&changed("u1", "u9")), !is_empty, "{steps:?}");
        }
    }
}

#[test]
fn a_list_gives_the_uuid_of_its_last_message() {
    let u1 = user("u1");
    let list: [Value; 2] = [u1.clone(), message("progress", "p1", serde_json::json!({"data": {}}))];
    let tips = |first: Option<&str>, second: Option<&str>| {
        let step = || RecordStep::List(Value::from(&list[..]).to_string().into());
        Case::default().step(step(), Ok(first), &[]).step(step(), Ok(second), &[])
    };
    let lines = [line(&u1, None)];
    let right = tips(Some("u1"), Some("u1"));
    right.clone().flush(&lines).holds(&["record/chain-links", "record/prefix-parent", "record/incremental"]);
    // There is one line to write.
    right.flush(&[line(&u1, None), line(&u1, None)]).breaks("record/incremental");
    for wrong in [Some("p1"), None] {
        tips(wrong, Some("u1")).flush(&lines).breaks("record/chain-links");
        tips(Some("u1"), wrong).flush(&lines).breaks("record/prefix-parent");
    }
}
