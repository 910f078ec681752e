//! *Whole* logs, with their inputs: what was typed, when a request is sent, and what it holds.

use serde_json::{Value, json};
use turnproof_rules::operation::{Moment, Played};
use turnproof_rules::rules::Verdict;

use super::log::*;
use crate::families::judge;

/// The log of these inputs.
fn of(inputs: Value, log: &Log) -> Played {
    Played { inputs: Some(inputs.into()), ..log.done() }
}

/// A message as it is sent: its content as blocks.
fn sent(messages: &[&Value]) -> Value {
    let block = |content: &Value| match content {
        Value::String(said) => json!([{"type": "text", "text": said}]),
        blocks => blocks.clone(),
    };
    let turn = |message: &&Value| json!({"role": message["type"], "content": block(&message["message"]["content"])});
    messages.iter().map(turn).collect()
}

/// An event of the model's stream.
fn event(event: Value) -> Value {
    json!({"type": "stream_event", "event": event})
}

fn stop(reason: &str) -> [Value; 2] {
    let delta = json!({"type": "message_delta", "delta": {"stop_reason": reason}});
    [event(delta), event(json!({"type": "message_stop"}))]
}

/// A prompt is typed, joins and is sent.
fn asked() -> Log {
    let u1 = user("u1", "go");
    let log = Log::default().types(0, json!("go"), false).joins(0, &u1);
    log.requests_with(&[&u1], sent(&[&u1]), lines(&[&u1]))
}

#[track_caller]
fn breaks(id: &str, case: &Played) -> String {
    assert!(broken(case).contains(&id), "{:?}", broken(case));
    match judge(id, case) {
        Verdict::Broken(violations) => violations[0].found.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A log breaks no rule but those on whole runs, whose inputs these are not, and these have something to judge in it.
#[track_caller]
fn assert_requests_hold(case: &Played, tested: &[&str]) {
    let on_whole_runs = ["engine/tells-all", "engine/file-as-yielded"];
    let broken: Vec<&str> = broken(case).into_iter().filter(|id| !on_whole_runs.contains(id)).collect();
    assert_eq!(broken, [""; 0]);
    for id in tested {
        assert_eq!(judge(id, case), Verdict::Holds, "{id}");
    }
}

#[test]
fn a_log_shows_what_was_typed() {
    let rule = "engine/log-of-inputs";
    let go = json!([{"type": "go"}]);
    assert_requests_hold(&of(go.clone(), &asked()), &[rule]);
    // A string is one text block.
    let block = json!([{"type": [{"type": "text", "text": "go"}]}]);
    assert_requests_hold(&of(block, &asked()), &[rule]);
    assert!(breaks(rule, &of(go.clone(), &Log::default())).contains("the log is empty"));
    breaks(rule, &of(json!([{"type": "stay"}]), &asked()));
    breaks(rule, &of(json!([{"type": "go"}, {"type": "on"}]), &asked()));
    breaks(rule, &of(json!([]), &asked()));
    // The dead hear nothing.
    let dead = json!([{"type": "go"}, {"crash": 0}, {"type": "on"}]);
    assert_requests_hold(&of(dead, &asked()), &[rule]);
    breaks(rule, &of(json!([{"type": "go"}, {"crash": 0}, "resume", {"type": "on"}]), &asked()));
    // Only a disk that fails, or another writer, spoils the transcript.
    breaks(rule, &Played { whole: false, ..of(go, &asked()) });
    for spoiled in [json!({"disk": 9}), json!({"other_writer": "x"})] {
        let case = Played { whole: false, ..of(json!([{"type": "go"}, spoiled]), &asked()) };
        assert_requests_hold(&case, &[rule]);
    }
    breaks(rule, &Played { whole: false, ..of(json!([{"type": "go"}, {"disk": null}]), &asked()) });
}

#[test]
fn a_request_says_what_was_given_before_its_prompt() {
    let rule = "engine/request-of-inputs";
    let (note, u1, m1) =
        (json!({"type": "date_change", "newDate": "2026-01-02"}), user("u1", "go"), user("m1", "a.rs"));
    let inputs = json!([{"attach": note}, {"meta": "a.rs"}, {"command": "3 files"}, {"type": "go"}, {"type": "on"}]);
    let log = |said: &[&str]| {
        let blocks: Value = said.iter().map(|text| json!({"type": "text", "text": text})).collect();
        let log = Log::default().types(0, json!("go"), false).joins(0, &u1).yields(&[&m1]).types(1, json!("on"), true);
        let turns = json!([{"role": "user", "content": blocks}]);
        of(inputs.clone(), &log.requests_with(&[&u1, &m1], turns, lines(&[&u1, &m1])))
    };
    let wrapped = "<note>\n2026-01-02\n</note>";
    let all = [wrapped, "3 files", "go", "a.rs"];
    assert_eq!(judge(rule, &log(&all)), Verdict::Holds);
    for lost in 0..all.len() {
        let mut some = all.to_vec();
        some.remove(lost);
        breaks(rule, &log(&some));
    }
    // What was typed once is said once; what is typed later need not be there.
    assert!(breaks(rule, &log(&[wrapped, "3 files", "go", "go", "a.rs"])).contains("said 2 times"));
    let twice = json!([{"meta": "go"}, {"type": "go"}, {"type": "on"}]);
    let case = Played { inputs: Some(twice.into()), ..log(&["go", "go"]) };
    assert_eq!(judge(rule, &case), Verdict::Holds);
}

#[test]
fn a_result_is_what_the_tool_gave() {
    let rule = "engine/request-of-inputs";
    let (u1, a1, r1) = (user("u1", "go"), calls("a1", "msg_1", "toolu_1"), result("r1", "toolu_1"));
    let result = |content: Value, is_error: bool| json!({"call": "toolu_1", "content": content, "is_error": is_error});
    let log = |more: &[Value]| {
        let inputs: Value = [json!({"type": "go"})].iter().chain(more).cloned().collect();
        let all = [&u1, &a1, &r1];
        of(inputs, &asked().yields(&[&a1, &r1]).requests_with(&all, sent(&all), lines(&all)))
    };
    let gives = |content: Value, is_error| json!({"result": result(content, is_error)});
    assert_eq!(judge(rule, &log(&[gives(json!("done"), false)])), Verdict::Holds);
    assert_eq!(judge(rule, &log(&[gives(json!([{"type": "text", "text": "done"}]), false)])), Verdict::Holds);
    assert!(breaks(rule, &log(&[gives(json!("done"), true)])).contains("is_error"));
    assert!(breaks(rule, &log(&[gives(json!("it failed"), false)])).contains("is sent as"));
    // Several results with an id, and cleared ones, are not compared.
    let twice = [gives(json!("one"), false), gives(json!("two"), false)];
    assert_eq!(judge(rule, &log(&twice)), Verdict::Holds);
    assert_eq!(judge(rule, &log(&[gives(json!("one"), false), json!({"microcompact": 1})])), Verdict::Holds);
}

#[test]
fn a_request_is_sent_when_it_is_due_and_not_else() {
    let rule = "engine/request-when-due";
    let go = || json!([{"type": "go"}]);
    let (u1, a1) = (user("u1", "go"), says("a1", "msg_1", "done"));
    let [delta, end] = stop("end_turn");
    let again = |log: Log, all: &[&Value]| log.requests_with(all, sent(all), lines(all));
    // A prompt without a request.
    let joined = Log::default().types(0, json!("go"), false).joins(0, &u1);
    breaks(rule, &of(go(), &joined));
    let spoiled = json!([{"type": "go"}, {"disk": 0}]);
    assert_requests_hold(&Played { whole: false, ..of(spoiled, &joined) }, &[]);
    breaks(rule, &of(go(), &joined.clone().yields(&[&event(json!({"type": "message_start"}))])));
    breaks(rule, &of(go(), &Log::default().types(0, json!("go"), false)));
    // A reply without calls.
    let plain = asked().yields(&[&a1, &delta, &end]);
    assert_requests_hold(&of(go(), &plain), &[rule]);
    assert!(breaks(rule, &of(go(), &again(plain, &[&u1, &a1]))).contains("a reply without calls"));
    let [cut, over] = stop("max_tokens");
    let cut = asked().yields(&[&a1, &cut, &over]);
    assert_requests_hold(&of(go(), &again(cut, &[&u1, &a1])), &[rule]);
    // A reply that broke off is asked for again.
    assert_requests_hold(&of(go(), &again(asked(), &[&u1])), &[rule]);
}

#[test]
fn a_request_follows_the_last_result() {
    let rule = "engine/request-when-due";
    let go = || json!([{"type": "go"}]);
    let (u1, a1, r1) = (user("u1", "go"), calls("a1", "msg_1", "toolu_1"), result("r1", "toolu_1"));
    let [delta, end] = stop("tool_use");
    let all = [&u1, &a1, &r1];
    let send = |log: Log, all: &[&Value]| log.requests_with(all, sent(all), lines(all));
    let called = asked().yields(&[&a1, &delta, &end]);
    assert_requests_hold(&of(go(), &called), &[rule]);
    let answered = called.clone().yields(&[&r1]);
    assert_requests_hold(&of(go(), &send(answered.clone(), &all)), &[rule]);
    assert!(breaks(rule, &of(go(), &answered)).contains("all calls of the reply are answered"));
    // The result may come before the reply has ended.
    let early = asked().yields(&[&a1, &r1, &delta, &end]);
    assert_requests_hold(&of(go(), &send(early.clone(), &all)), &[rule]);
    breaks(rule, &of(go(), &early));
    // An interruption ends the turn.
    let interrupted = answered.clone().yields(&[&user("u2", "[Request interrupted by user for tool use]")]);
    assert_requests_hold(&of(go(), &interrupted), &[rule]);
    let all = [&u1, &a1, &r1, &user("u2", "[Request interrupted by user for tool use]")];
    let turns = json!([sent(&[&u1])[0], sent(&[&a1])[0], {"role": "user", "content": [
        r1["message"]["content"][0], {"type": "text", "text": "[Request interrupted by user for tool use]"}]}]);
    let sent_on = interrupted.requests_with(&all, turns, lines(&all));
    assert!(breaks(rule, &of(go(), &sent_on)).contains("an interruption"));
    // A crash takes what was due.
    assert_requests_hold(&of(go(), &answered.crashes(&[&u1])), &[rule]);
}

#[test]
fn what_waits_joins_when_the_turn_is_over() {
    let rule = "engine/request-when-due";
    let inputs = || json!([{"type": "go"}, {"type": "on"}]);
    let (u1, a1, u2) = (user("u1", "go"), says("a1", "msg_1", "done"), user("u2", "on"));
    let [delta, end] = stop("end_turn");
    let waiting = asked().types(1, json!("on"), true);
    assert_requests_hold(&of(inputs(), &waiting), &[rule]);
    let over = waiting.yields(&[&a1, &delta, &end]);
    assert!(breaks(rule, &of(inputs(), &over)).contains("input 1 does not join"));
    let all = [&u1, &a1, &u2];
    let joined = over.joins(1, &u2).requests_with(&all, sent(&all), lines(&all));
    assert_requests_hold(&of(inputs(), &joined), &[rule]);
}

#[test]
fn each_request_is_legal() {
    let rule = "engine/legal-request";
    let u1 = user("u1", "go");
    let log = |turns: Value| {
        let log = Log::default().types(0, json!("go"), false).joins(0, &u1);
        of(json!([{"type": "go"}]), &log.requests_with(&[&u1], turns, lines(&[&u1])))
    };
    assert_requests_hold(&log(sent(&[&u1])), &[rule]);
    let mut own = sent(&[&u1]);
    own[0]["isMeta"] = json!(true);
    assert!(breaks(rule, &log(own)).starts_with("api/no-internal-fields: "));
    let found = judge(rule, &log(json!("go")));
    assert!(
        matches!(found, Verdict::Broken(violations) if violations[0].found.to_string().contains("a list of turns"))
    );
}

#[test]
fn each_request_holds_what_is_live() {
    let rule = "engine/request-holds-live";
    let image =
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}});
    let content = json!([{"type": "text", "text": "go"}, image]);
    let mut u1 = user("u1", "");
    u1["message"]["content"] = content.clone();
    let log = |made_of: &[&Value], turns: Value| {
        let log = Log::default().types(0, content.clone(), false).joins(0, &u1);
        of(json!([{"type": content}]), &log.requests_with(made_of, turns, lines(&[&u1])))
    };
    assert_requests_hold(&log(&[&u1], sent(&[&u1])), &[rule]);
    let text = json!({"type": "text", "text": "go"});
    for (wrong, first) in [
        (json!([text]), "normalize/conserves: "),
        (json!([text, image, image]), "normalize/conserves: "),
        (json!([text, image, {"type": "text", "text": "more"}]), "normalize/no-invention: "),
        (json!([image, text]), "normalize/keeps-order: "),
    ] {
        let found = breaks(rule, &log(&[&u1], json!([{"role": "user", "content": wrong}])));
        assert!(found.starts_with(first), "{found}");
    }
    assert!(breaks(rule, &log(&[], sent(&[&u1]))).contains("is live"));
    assert!(breaks(rule, &log(&[&u1, &user("u7", "old")], sent(&[&u1]))).contains("is not live"));
    assert!(breaks(rule, &log(&[&u1, &u1], sent(&[&u1]))).contains("twice"));
}

#[test]
fn a_summary_is_sent_though_people_do_not_see_it() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "b"});
    let mut summary = user("s", "so far");
    summary["isCompactSummary"] = json!(true);
    summary["isVisibleInTranscriptOnly"] = json!(true);
    let u1 = user("u1", "go");
    let live = [&boundary, &summary, &u1];
    let both =
        json!([{"role": "user", "content": [{"type": "text", "text": "so far"}, {"type": "text", "text": "go"}]}]);
    let log = |turns| Log::default().compacts(&live).requests_with(&live, turns, lines(&live));
    log(both).holds(&["engine/request-of-live"]);
    log(sent(&[&u1])).breaks("engine/request-of-live");
}

#[test]
fn a_compaction_leaves_its_summary_and_what_was_live() {
    let rule = "engine/request-holds-live";
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "b"});
    let mut summary = user("s", "so far");
    summary["isCompactSummary"] = json!(true);
    let (u1, u7) = (user("u1", "go"), user("u7", "old"));
    let log = |list: &[&Value]| {
        let yielded = asked().yields(&[&boundary, &summary]).compacts(list);
        of(json!([{"type": "go"}]), &yielded)
    };
    assert_eq!(judge(rule, &log(&[&boundary, &summary])), Verdict::Holds);
    assert_eq!(judge(rule, &log(&[&boundary, &summary, &u1])), Verdict::Holds);
    assert!(breaks(rule, &log(&[&boundary, &u1])).contains("no summary"));
    assert!(breaks(rule, &log(&[&summary, &u1])).contains("no boundary"));
    assert!(breaks(rule, &log(&[&boundary, &summary, &u7])).contains("u7"));
}

#[test]
fn the_words_in_place_of_a_cleared_result_are_free() {
    let (u1, a1) = (user("u1", "go"), calls("a1", "msg_1", "toolu_1"));
    let r1 = result("r1", "toolu_1");
    let mut cleared = r1.clone();
    cleared["message"]["content"][0]["content"] = json!("(cleared)");
    let mut boundary = json!({"type": "system", "subtype": "microcompact_boundary", "uuid": "b"});
    boundary["microcompactMetadata"] = json!({"compactedToolIds": ["toolu_1"]});
    let [delta, end] = stop("tool_use");
    let log = |shown: &Value, turned: &Value| {
        let log = asked().yields(&[&a1, &delta, &end, &r1, &boundary]);
        let all = [&u1, &a1, shown, &boundary];
        of(json!([{"type": "go"}]), &log.requests_with(&all, sent(&[&u1, &a1, turned]), lines(&all)))
    };
    assert_requests_hold(&log(&cleared, &cleared), &["engine/request-holds-live"]);
    breaks("engine/request-holds-live", &log(&cleared, &r1));
}

#[test]
fn a_log_whose_inputs_are_not_known_may_be_a_piece_of_one() {
    for rule in ["log-of-inputs", "request-of-inputs", "request-when-due", "legal-request", "request-holds-live"] {
        let rule = format!("engine/{rule}");
        let case = Played { moments: vec![Moment::Joined { input: 7, uuid: "u7".into() }], ..Played::default() };
        assert!(matches!(judge(&rule, &case), Verdict::NotApplicable(_)), "{rule}");
    }
}
