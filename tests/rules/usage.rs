//! Rules on *usage*: what counts as a reply, which number wins, and which rule says what is wrong.

use serde_json::{Value, json};
use turnproof_rules::operation::{Counted, UsageRow};
use turnproof_rules::rules::Verdict;
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::Observed;

use crate::families::{self, assert_complete, assert_examples, assert_holds, assert_untouched, broken};

const RULES: [&str; 8] = [
    "usage/once-per-reply",
    "usage/cache-apart",
    "usage/by-model",
    "usage/by-session",
    "usage/sidechain-apart",
    "usage/unknown-said",
    "usage/copies-once",
    "usage/deterministic",
];

/// A line of a reply of the model `m` in the session `s`, with more members, or others.
fn line(id: &str, usage: Value, more: Value) -> Value {
    let mut line = json!({"type": "assistant", "sessionId": "s", "message": {"id": id, "model": "m", "usage": usage}});
    merge(&mut line, more);
    line
}

fn merge(into: &mut Value, more: Value) {
    let Value::Object(more) = more else { return };
    for (name, value) in more {
        match (&mut into[&name], value) {
            (inside @ Value::Object(_), value @ Value::Object(_)) => merge(inside, value),
            (place, value) => *place = value,
        }
    }
}

fn output(tokens: impl Into<Value>) -> Value {
    json!({"output_tokens": tokens.into()})
}

fn file(lines: &[Value]) -> Vec<u8> {
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

/// A row of the model `m` in the session `s`: replies, those without usage, and the four sorts of tokens.
fn row(replies: u64, unknown: u64, [input, output, written, read]: [u64; 4]) -> UsageRow {
    UsageRow {
        session: Some("s".into()),
        model: Some("m".into()),
        replies,
        unknown,
        input_tokens: input,
        output_tokens: output,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: read,
        ..UsageRow::default()
    }
}

fn counted(files: &[Vec<u8>], rows: &[UsageRow]) -> Counted {
    Counted { files: files.to_vec(), answer: Ok(rows.to_vec()), again: None, with_copies: None }
}

/// These rows are the right ones, for the rules and for the reference.
#[track_caller]
fn assert_right(files: &[Vec<u8>], rows: &[UsageRow]) {
    assert_eq!(broken("usage", &counted(files, rows)), [""; 0], "the rules");
    let Outcome::Output(found) = Reference.usage(files) else { panic!("no answer") };
    let found: Vec<UsageRow> = found.into_iter().map(|row| UsageRow { estimated_output_tokens: None, ..row }).collect();
    assert_eq!(found, rows, "the reference");
}

#[test]
fn the_family_has_eight_rules_in_order() {
    assert_complete("usage", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    assert_examples::<Counted>("usage");
}

#[test]
fn files_without_replies_touch_nothing() {
    let user = file(&[json!({"type": "user", "message": {"content": "a"}})]);
    let case = Counted { again: Some(Ok(vec![])), with_copies: Some(Ok(vec![])), ..counted(&[user], &[]) };
    assert_untouched("usage", &case);
}

#[test]
fn the_last_line_of_a_reply_wins_also_when_it_says_less() {
    let lines = [line("a", output(1), json!({})), line("b", output(5), json!({})), line("a", output(31), json!({}))];
    assert_right(&[file(&lines)], &[row(2, 0, [0, 36, 0, 0])]);
    let lines = [line("a", output(31), json!({})), line("a", output(2), json!({}))];
    assert_right(&[file(&lines)], &[row(1, 0, [0, 2, 0, 0])]);
}

#[test]
fn a_number_that_a_later_line_does_not_say_stays() {
    let whole = json!({"input_tokens": 7, "output_tokens": 1, "cache_read_input_tokens": 20});
    for later in [output(31), json!({"output_tokens": 31, "input_tokens": "9", "cache_read_input_tokens": null})] {
        let lines = [line("a", whole.clone(), json!({})), line("a", later, json!({}))];
        assert_right(&[file(&lines)], &[row(1, 0, [7, 31, 0, 20])]);
    }
}

#[test]
fn only_whole_numbers_that_a_double_holds_count() {
    let counts = [("12.0", 12), ("3e1", 30), ("-0", 0), ("9007199254740991", 9_007_199_254_740_991)];
    let others = ["-1", "1.5", "9007199254740992", "1e400", "\"7\"", "null", "true", "[3]", "{}"];
    let of = |number: &str| {
        format!(
            "{{\"type\":\"assistant\",\"sessionId\":\"s\",\"message\":{{\"id\":\"a\",\"model\":\"m\",\"usage\":\
             {{\"output_tokens\":{number}}}}}}}"
        )
    };
    for (number, tokens) in counts {
        assert_right(&[of(number).into_bytes()], &[row(1, 0, [0, tokens, 0, 0])]);
    }
    for number in others {
        assert_right(&[of(number).into_bytes()], &[row(1, 1, [0; 4])]);
    }
}

#[test]
fn a_reply_is_known_by_its_id_and_its_request() {
    let request = |id: &str| json!({"requestId": id});
    let lines = [
        line("a", output(1), request("r1")),
        line("a", output(2), request("r2")),
        line("a", output(4), json!({})),
        line("a", output(8), request("r1")),
        line("a", output(16), json!({"requestId": 5})),
    ];
    assert_right(&[file(&lines)], &[row(3, 0, [0, 8 + 2 + 16, 0, 0])]);
}

#[test]
fn a_line_without_an_id_is_a_reply_by_its_uuid_or_by_itself() {
    let without = |more: Value| line("", output(3), more);
    let named = without(json!({"uuid": "u1"}));
    let lines = [named.clone(), named.clone(), without(json!({})), without(json!({"message": {"id": null}}))];
    assert_right(&[file(&lines), file(&[named])], &[row(3, 0, [0, 9, 0, 0])]);
}

#[test]
fn between_files_the_greatest_number_counts() {
    let [first, last] = [line("a", output(1), json!({})), line("a", output(31), json!({}))];
    for files in
        [[file(&[first.clone(), last.clone()]), file(std::slice::from_ref(&first))], [file(&[first]), file(&[last])]]
    {
        assert_right(&files, &[row(1, 0, [0, 31, 0, 0])]);
        let [one, other] = files;
        assert_right(&[other, one], &[row(1, 0, [0, 31, 0, 0])]);
    }
}

#[test]
fn a_fork_counts_nothing_and_takes_nothing() {
    let own = line("a", output(3), json!({}));
    let copy = line("a", output(3), json!({"sessionId": "fork", "forkedFrom": {"sessionId": "s", "messageUuid": "u"}}));
    let new = line("b", output(5), json!({"sessionId": "fork"}));
    let fork = UsageRow { session: Some("fork".into()), ..row(1, 0, [0, 5, 0, 0]) };
    let own_row = row(1, 0, [0, 3, 0, 0]);
    let (before, after) = (file(&[own]), file(&[copy, new]));
    assert_right(&[before.clone(), after.clone()], &[own_row.clone(), fork.clone()]);
    let rows = [fork, own_row];
    assert_eq!(broken("usage", &counted(&[after.clone(), before], &rows)), [""; 0]);
    // Only the copy says what it cost, and of which session it is.
    let alone = UsageRow { session: Some("fork".into()), ..row(2, 0, [0, 8, 0, 0]) };
    assert_right(&[after], &[alone]);
}

#[test]
fn a_reply_is_of_a_subagent_when_all_its_lines_are() {
    let of = |id: &str, more: Value| line(id, output(1), more);
    let lines = [
        of("a", json!({"isSidechain": true})),
        of("b", json!({"teamName": "crew"})),
        of("c", json!({"isSidechain": true})),
        of("c", json!({})),
        of("d", json!({"teamName": "", "isSidechain": "yes"})),
    ];
    let apart = UsageRow { sidechain: true, ..row(1, 0, [0, 1, 0, 0]) };
    assert_right(&[file(&lines)], &[row(3, 0, [0, 3, 0, 0]), apart]);
}

#[test]
fn synthetic_messages_and_progress_count_nothing() {
    let reply = line("a", output(1), json!({}));
    let lines = [
        reply.clone(),
        line("e", output(9), json!({"message": {"model": "<synthetic>"}})),
        json!({"type": "progress", "data": {"type": "agent_progress", "message": line("p", output(7), json!({}))}}),
        json!({"type": "user", "sessionId": "s", "message": {"id": "u", "usage": output(5)}}),
    ];
    assert_right(&[file(&lines)], &[row(1, 0, [0, 1, 0, 0])]);
}

#[test]
fn records_that_are_recovered_from_a_damaged_file_count() {
    let [one, other] = ["a", "b"].map(|id| line(id, output(2), json!({})).to_string());
    let torn = &one[..one.len() - 4];
    assert_right(&[format!("{one}{other}\n").into_bytes()], &[row(2, 0, [0, 4, 0, 0])]);
    assert_right(&[format!("{torn}{other}\n{torn}").into_bytes()], &[row(1, 0, [0, 2, 0, 0])]);
}

#[test]
fn what_is_likely_is_said_with_the_totals() {
    let lines = [line("a", output(1), json!({})), line("a", output(31), json!({}))];
    let found = |tokens| {
        let case = counted(&[file(&lines)], &[row(1, 0, [0, tokens, 0, 0])]);
        let Verdict::Broken(violations) = families::judge("usage/once-per-reply", &case) else { panic!("it holds") };
        violations[0].found.to_string()
    };
    assert_eq!(found(32), "1 replies with 32 tokens, as if each line were a reply");
    assert_eq!(found(1), "1 replies with 1 tokens, as if the first line of a reply held its usage");
    assert_eq!(found(5), "output_tokens is 5 in all");
}

#[test]
fn an_answer_that_is_none_is_reported_by_one_rule() {
    let case = Counted { answer: Err("no".into()), ..counted(&[file(&[line("a", output(1), json!({}))])], &[]) };
    assert_eq!(broken("usage", &case), ["usage/once-per-reply"]);
}

#[test]
fn rows_may_come_in_any_order_and_in_parts() {
    let lines = [line("a", output(1), json!({})), line("b", output(2), json!({"message": {"model": "n"}}))];
    let other = UsageRow { model: Some("n".into()), ..row(1, 0, [0, 2, 0, 0]) };
    let [one, nothing] = [row(1, 0, [0, 1, 0, 0]), UsageRow { session: Some("x".into()), ..row(0, 0, [0; 4]) }];
    let rows = [nothing, other, one];
    let mut again = rows.to_vec();
    again.reverse();
    let case = Counted { again: Some(Ok(again)), ..counted(&[file(&lines)], &rows) };
    assert_holds("usage", &case, &["usage/once-per-reply", "usage/by-model", "usage/deterministic"]);
}

#[test]
fn any_files_and_any_rows_are_judged_without_a_panic() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    let words = "assistant|<synthetic>|s|m|a|1|";
    let names =
        "type|message|id|model|usage|output_tokens|input_tokens|sessionId|requestId|uuid|isSidechain|forkedFrom";
    let files = prop::collection::vec(prop::collection::vec(crate::random::any_json(words, names), 0..4), 0..3);
    TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() })
        .run(&(files, any::<u64>()), |(files, tokens)| {
            let files: Vec<Vec<u8>> = files.iter().map(|lines| file(lines)).collect();
            let rows = vec![row(tokens, tokens, [tokens; 4]); 2];
            broken("usage", &Counted { with_copies: Some(Ok(vec![])), ..counted(&files, &rows) });
            let Outcome::Output(right) = Reference.usage(&files) else { panic!("no answer") };
            prop_assert_eq!(broken("usage", &counted(&files, &right)), [""; 0]);
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_subject_is_asked_about_halves_and_copies() {
    use turnproof_suite::scenario::{Case, Profile, Scenario};
    use turnproof_suite::suite::Depth;
    let (mut halves, mut copies) = (0, 0);
    for case in 0..60 {
        let plan = Scenario::from_seed(9, case, Profile::Shuffled);
        let observed =
            Observed::of(&Reference, &Case::of(&plan), &[turnproof_rules::operation::Operation::Usage], Depth::Whole);
        for counted in observed.usage.unwrap().unwrap() {
            halves += usize::from(counted.files.len() == 2);
            copies += usize::from(counted.with_copies.is_some());
        }
    }
    assert!(halves > 20 && copies > 50, "{halves} halves, {copies} with copies");
}

#[test]
fn an_answer_without_a_row_is_said_to_say_nothing() {
    let files = [file(&[line("m1", output(7), Value::Null)])];
    match families::judge("usage/once-per-reply", &counted(&files, &[])) {
        Verdict::Broken(violations) => assert_eq!(violations[0].found.to_string(), "it says nothing: no row"),
        other => panic!("{other:?}"),
    }
}
