//! `turnproof check --response` as a user meets it, and what `turnproof accumulate` says of the same replies.

#![cfg(feature = "cli")]

use crate::call::{run, turnproof};
use serde_json::Value;
use turnproof_rules::rules::{CATALOGUE, Judge};

const START: &str = r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}"#;
const TEXT: &str = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
const CALL: &str = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}}"#;
const SAYS: &str = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#;
const THINKS: &str = r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"b"}}"#;
const STOP: &str = r#"{"type":"content_block_stop","index":0}"#;
const END: &str = r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#;
const LAST: &str = r#"{"type":"message_stop"}"#;
const MESSAGE: &str = r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"a"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}"#;
const CHUNK: &str =
    r#"{"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"a"}}]}"#;

fn stream(events: &[&str]) -> String {
    let name = |event: &str| serde_json::from_str::<Value>(event).unwrap()["type"].as_str().unwrap().to_owned();
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", name(event))).collect()
}

fn legal() -> String {
    stream(&[START, TEXT, SAYS, STOP, END, LAST])
}

fn check(reply: impl Into<Vec<u8>>, more: &[&str]) -> (i32, String, String) {
    run(turnproof(&["check", "--response", "-"]).args(more).write_stdin(reply))
}

fn accumulate(reply: &str) -> (i32, String, String) {
    run(turnproof(&["accumulate", "--whole", "-"]).write_stdin(reply))
}

#[test]
fn a_legal_reply_is_one_line_and_exit_code_0() {
    let reply = legal();
    assert_eq!(check(&*reply, &[]), (0, format!("-: a stream, legal: 6 events, {} bytes\n", reply.len()), "".into()));
    assert_eq!(check(MESSAGE, &[]), (0, format!("-: a message, legal: {} bytes\n", MESSAGE.len()), "".into()));
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    assert_eq!(check(error, &[]).1, "-: an error, legal: 75 bytes\n");
    let (code, _, error) = accumulate(&reply);
    assert_eq!((code, error.as_str()), (0, ""));
}

#[test]
fn a_finding_has_its_event_its_line_and_what_to_read() {
    let (code, out, error) = check(stream(&[START, TEXT, THINKS, STOP, END, LAST]), &[]);
    assert_eq!((code, error.as_str()), (1, ""));
    for part in [
        "error[reply/deltas-fit]: a thinking_delta is about block 0, which is a text\n",
        "  --> -: event 3 (line 7)\n",
        "   | {\"type\":\"content_block_delta\",\"index\":0,",
        "   = turnproof explain reply/deltas-fit\n",
        "-: a stream, not legal: 1 violation in 6 events, ",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (_, out, _) = check(MESSAGE.replace("end_turn", "stop"), &[]);
    assert!(out.contains("  --> -: stop_reason\n"), "{out}");
}

/// What gateways and mock servers were reported to send: the reply, a rule that it breaks, what is found, and what
/// `accumulate` says of it.
fn reported() -> Vec<(String, &'static str, &'static str, &'static str)> {
    let sent = legal();
    let nameless: String = sent.split_inclusive('\n').filter(|line| !line.starts_with("event:")).collect();
    let with_call = |call: &str, end: &str| stream(&[START, call, STOP, end, LAST]);
    let calls = END.replace("end_turn", "tool_use");
    let cut = r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"[1]"}}"#;
    vec![
        (
            stream(&[START, TEXT, THINKS, STOP, END, LAST]),
            "reply/deltas-fit",
            "a thinking_delta is about block 0, which is a text",
            "event 3: wrong-delta: a thinking_delta is about block 0, which is a text; it is left out",
        ),
        (
            sent.replace(r#","usage":{"input_tokens":1,"output_tokens":1}"#, ""),
            "reply/usage",
            "`message_start` without usage",
            "event 1: no-usage: `message_start` without usage",
        ),
        (
            nameless,
            "reply/framing",
            "no event has an `event:` line; the SDKs of Anthropic read none of these events",
            "event 1: no-event-lines: ",
        ),
        (
            with_call(CALL, END),
            "reply/stop-reason",
            "stop_reason end_turn, with a tool_use in the reply",
            "event 4: end-turn-with-call: ",
        ),
        (
            sent.replace("end_turn", "stop"),
            "reply/stop-reason",
            "stop_reason stop is none of the Messages API, but of OpenAI's",
            "event 5: openai: stop_reason stop is none of",
        ),
        (
            with_call(&CALL.replace(r#""id":"toolu_1","#, ""), &calls),
            "reply/ids",
            "a tool_use without an id",
            "event 2: no-call-id: a tool_use without an id",
        ),
        (
            stream(&[START, TEXT, SAYS, STOP, LAST]),
            "reply/order",
            "`message_stop` without `message_delta`: no stop_reason is given",
            "event 5: no-message-delta: ",
        ),
        (
            stream(&[START, START, TEXT, SAYS, STOP, END, LAST]),
            "reply/order",
            "a second `message_start`",
            "event 2: second-message-start: ",
        ),
        (
            stream(&[START, CALL, cut, STOP, &calls, LAST]),
            "reply/input",
            "the input of the call in block 0 is no JSON object",
            "event 2: no-object: ",
        ),
        (
            format!("data: {CHUNK}\n\ndata: [DONE]\n\n"),
            "reply/framing",
            "this is chunks of OpenAI's chat completions",
            "event 1: openai-chunks: this is chunks of OpenAI's chat completions",
        ),
        (sent + "data: [DONE]\n\n", "reply/framing", "the data is [DONE]", "event 7: bad-event: "),
    ]
}

#[test]
fn each_reported_fault_of_gateways_is_found_by_check_and_by_accumulate() {
    for (reply, rule, found, note) in reported() {
        let (code, out, _) = check(&*reply, &[]);
        assert_eq!(code, 1, "{reply}");
        assert!(out.contains(&format!("error[{rule}]: {found}")), "{found}\n{out}");
        let (_, _, error) = accumulate(&reply);
        assert!(error.contains(&format!("turnproof: {note}")), "{note}\n{error}");
    }
}

#[test]
fn accumulate_exits_with_1_where_a_delta_is_lost_and_says_each_thing_once() {
    let (code, out, error) = accumulate(&stream(&[START, TEXT, THINKS, SAYS, STOP, END, LAST]));
    assert_eq!(code, 1);
    assert!(out.contains(r#"{"type":"text","text":"a"}"#), "{out}");
    assert_eq!(error.lines().count(), 1, "{error}");
    // A note alone leaves the stream whole.
    let (code, _, error) = accumulate(&legal().replace("end_turn", "stop"));
    assert_eq!((code, error.lines().count()), (0, 1), "{error}");
    // What the accumulator says itself is not said again.
    let (code, _, error) = accumulate(&stream(&[START, START, TEXT, SAYS, STOP, END, LAST]));
    assert_eq!((code, error.lines().count()), (1, 1), "{error}");
    // Two replies in one text are two.
    assert_eq!(accumulate(&(legal() + &legal())).0, 0);
}

#[test]
fn accumulate_names_what_is_no_stream() {
    let completion = r#"{"object":"chat.completion","choices":[]}"#;
    for (reply, what) in [(MESSAGE, "a whole message"), (completion, "a chat completion of OpenAI's API")] {
        let (code, out, error) = accumulate(reply);
        assert_eq!((code, out.as_str()), (1, ""));
        assert!(error.contains(&format!("this is {what}, no stream")), "{error}");
    }
}

#[test]
fn programs_read_the_event_and_the_line() {
    let reply = legal().replace("end_turn", "stop");
    let (code, out, _) = check(&*reply, &["--format", "json"]);
    assert_eq!(code, 1);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["rule"], &lines[0]["severity"]), (&"reply/stop-reason".into(), &"error".into()));
    assert_eq!((&lines[0]["event"], &lines[0]["line"]), (&5.into(), &13.into()));
    assert_eq!((&lines[0]["violation_kind"], &lines[0]["path"]), (&"openai".into(), &"event 5 (line 13)".into()));
    assert_eq!(
        (&lines[1]["kind"], &lines[1]["replies"], &lines[1]["legal"]),
        (&"summary".into(), &1.into(), &0.into())
    );

    let (_, out, _) = check(&*reply, &["--format", "github"]);
    assert!(out.starts_with("::error file=-,line=13,title=reply/stop-reason (openai)::"), "{out}");
    let (_, out, _) = check(&*reply, &["--format", "sarif"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    let result = &document["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "reply/stop-reason");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 13);
}

#[test]
fn what_is_worth_knowing_fails_only_where_it_is_asked_to() {
    let reply = stream(&[START, r#"{"type":"progress"}"#, TEXT, SAYS, STOP, END, LAST]);
    let (code, out, _) = check(&*reply, &[]);
    assert_eq!(code, 0);
    assert!(out.contains("info[reply/known]") && out.contains("-: a stream, legal, with 1 note: 7 events"), "{out}");
    assert_eq!(check(&*reply, &["--fail-on", "info"]).0, 1);
    assert_eq!(accumulate(&reply).2, "");
    let other = legal().replace("msg_1", "chatcmpl-1");
    assert_eq!((check(&*other, &[]).0, check(&*other, &["--fail-on", "error"]).0), (1, 0));
    assert_eq!(check(&*other, &["--ignore", "reply/id-form"]).0, 0);
}

#[test]
fn what_is_no_reply_is_exit_code_2() {
    for (reply, why) in [("", "there is nothing in it"), ("{", "not JSON"), ("<html></html>", "this is neither")] {
        let (code, out, error) = check(reply, &[]);
        assert_eq!(code, 2);
        assert!(error.contains(why) && out.is_empty(), "{error}{out}");
    }
    let (code, _, error) = check(MESSAGE, &["--select", "api/*"]);
    assert_eq!(code, 2);
    assert!(error.contains("no rule on replies matches"), "{error}");
    assert_eq!(check(MESSAGE, &["--request"]).0, 2);
    assert_eq!(check(MESSAGE, &["--profile", "anthropic"]).0, 2);
}

#[test]
fn nothing_in_a_reply_controls_the_terminal() {
    let reply =
        legal().replace("end_turn", "\\u001b[31m\\n\\u202e").replace("event: message_start", "event: \u{1b}[2J");
    for format in ["human", "json", "github"] {
        let (code, out, _) = check(&*reply, &["--format", format]);
        assert_eq!(code, 1);
        let controls = |character: char| character.is_control() && character != '\n';
        assert!(!out.contains(controls), "{format}: {out:?}");
    }
}

#[test]
fn rules_on_replies_explain_themselves() {
    for rule in CATALOGUE.iter().filter(|rule| matches!(rule.judge, Judge::Reply(_))) {
        let (code, out, _) = run(&mut turnproof(&["explain", rule.id]));
        assert_eq!(code, 0);
        assert!(out.contains("It judges: replies") && out.contains("subjects\nare not asked"), "{out}");
    }
}
