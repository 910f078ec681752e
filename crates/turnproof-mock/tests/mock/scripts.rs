//! *Scripts*: steps in order and by match, calls made up from tools, errors, delays, side requests.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use turnproof_mock::{Script, Settings};

use super::client::ask;
use super::{body, scripted, started, tools};

fn said(script: &str, bodies: &[Value]) -> Vec<String> {
    let mock = scripted(script);
    bodies.iter().map(|body| ask(&mock, body).said()).collect()
}

fn prompt(text: &str) -> Value {
    body(json!({"messages": [{"role": "user", "content": text}]}))
}

#[test]
fn steps_come_in_order_and_then_the_usual_answer() {
    let script = "[[step]]\ntext = 'one'\n[[step]]\ntext = 'two'\ntimes = 2\n";
    let bodies = [prompt("a"), prompt("b"), prompt("c"), prompt("d")];
    assert_eq!(said(script, &bodies), ["one", "two", "two", "Reply 4 to 1 turn, the last: d"]);
    let again = format!("repeat = true\n{script}");
    assert_eq!(said(&again, &bodies), ["one", "two", "two", "one"]);
}

#[test]
fn steps_that_match_come_before_those_in_order() {
    let script = r#"{"step": [
        {"text": "one"},
        {"when": {"prompt": "weather"}, "text": "rain", "times": 1},
        {"when": {"model": "opus"}, "text": "a large model"},
        {"when": {"nth": 5}, "text": "the fifth"},
        {"when": {"tool": "ReadFiles", "prompt": "read"}, "text": "a tool"}
    ]}"#;
    let with_tools = |text: &str| {
        let mut body = prompt(text);
        body["tools"] = tools();
        body
    };
    let mut opus = prompt("a");
    opus["model"] = "claude-opus-4-8".into();
    let bodies = [prompt("the weather?"), prompt("the weather?"), opus, with_tools("read"), prompt("a")];
    let expected = ["rain", "one", "a large model", "a tool", "the fifth"];
    assert_eq!(said(script, &bodies), expected);
}

#[test]
fn calls_are_made_up_from_the_tools_of_the_request() {
    let script = r#"
        [[step]]
        blocks = [
            { type = "tool_use", use = "shell", text = "echo alpha" },
            { type = "tool_use", use = "read", text = "/a.txt" },
            { type = "tool_use", use = "undeclared" },
            { type = "tool_use", name = "run_shell_command", input = { command = "x" }, id = "toolu_mine" },
        ]
    "#;
    let mut shells = tools();
    // The tool of the known type is the shell by its name alone.
    shells.as_array_mut().unwrap().remove(2);
    let calls = ask(&scripted(script), &body(json!({"tools": shells}))).json();
    let call = |at: usize| (&calls["content"][at]["name"], &calls["content"][at]["input"]);
    assert_eq!(call(0), (&json!("run_shell_command"), &json!({"command": "echo alpha", "why": "test"})));
    assert_eq!(call(1), (&json!("ReadFiles"), &json!({"files": [{"path": "/a.txt"}]})));
    assert_eq!(call(2).0, "tool_of_tomorrow");
    assert_eq!((call(3).1, &calls["content"][3]["id"]), (&json!({"command": "x"}), &json!("toolu_mine")));
    assert_eq!(calls["stop_reason"], "tool_use");
    let known = ask(&scripted(script), &body(json!({"tools": tools()}))).json();
    assert_eq!(
        (&known["content"][0]["name"], &known["content"][0]["input"]["command"]),
        (&json!("bash"), &json!("echo alpha"))
    );
}

#[test]
fn side_requests_take_no_step() {
    let script = "side = 'A title'\n[[step]]\ntext = 'one'\n[[step]]\ntext = 'two'\n";
    let mut title = prompt("hello");
    title["system"] = "Write a title of five words for this conversation.".into();
    let mut whole = prompt("hello");
    whole["tools"] = tools();
    assert_eq!(said(script, &[title.clone(), whole.clone()]), ["A title", "one"]);
    // After requests with tools, those without are side requests while steps are still to come.
    let all = [whole.clone(), prompt("what next?"), whole, prompt("and then?")];
    assert_eq!(said(script, &all), ["one", "A title", "two", "Reply 4 to 1 turn, the last: and then?"]);
    assert_eq!(said(&format!("main = 'all'\n{script}"), &[title]), ["one"]);
}

#[test]
fn a_step_may_be_an_error_and_may_wait() {
    let script = r#"
        [[step]]
        error = { status = 429, retry_after = 7 }
        [[step]]
        error = { status = 400, type = "invalid_request_error", message = "prompt is too long: 2 tokens > 1 maximum" }
        [[step]]
        delay = 150
        text = "late"
    "#;
    let mock = scripted(script);
    let limited = ask(&mock, &prompt("a"));
    assert_eq!((limited.status, limited.header("retry-after")), (429, Some("7")));
    assert_eq!(limited.json()["error"]["type"], "rate_limit_error");
    assert_eq!(ask(&mock, &prompt("a")).words(), "prompt is too long: 2 tokens > 1 maximum");
    let start = Instant::now();
    assert_eq!(ask(&mock, &prompt("a")).said(), "late");
    assert!(start.elapsed() >= Duration::from_millis(150));
}

#[test]
fn stops_and_half_a_pair_are_as_the_script_says() {
    let script = r#"
        [[step]]
        blocks = [{ type = "text", text = "half", half_a_pair = true }]
        stop = "max_tokens"
        [[step]]
        text = "no"
        stop = "refusal"
    "#;
    let mock = scripted(script);
    let half = ask(&mock, &prompt("a")).text();
    assert!(half.contains(r#""text":"half\ud83d""#) && half.contains(r#""stop_reason":"max_tokens""#), "{half}");
    assert_eq!(ask(&mock, &prompt("a")).json()["stop_details"]["type"], "refusal");
}

#[test]
fn what_a_request_does_not_allow_is_left_out_and_counted() {
    let script =
        "repeat = true\n[[step]]\nblocks = [{ type = 'thinking', thinking = 'a' }, { type = 'text', text = 'b' }]\n";
    let script = Script::read(script).expect("a script");
    let (mock, exchanges) = started(Settings { script, ..Settings::default() });
    assert_eq!(ask(&mock, &prompt("a")).json()["content"].as_array().map(Vec::len), Some(1));
    let thinks = json!({"max_tokens": 4096, "thinking": {"type": "enabled", "budget_tokens": 1024}});
    assert_eq!(ask(&mock, &body(thinks)).json()["content"].as_array().map(Vec::len), Some(2));
    assert_eq!(exchanges.try_iter().map(|exchange| exchange.left_out).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn an_input_that_was_cut_off_is_streamed_as_far_as_it_came_and_left_out_of_a_whole_message() {
    let script = r#"
        repeat = true
        [[step]]
        stop = "max_tokens"
        blocks = [{ type = "tool_use", use = "shell", written = '{"command": "ec' }]
    "#;
    let mock = scripted(script);
    let asked = |streams: bool| ask(&mock, &body(json!({"tools": tools(), "stream": streams})));
    assert_eq!(asked(false).json()["content"][0]["input"], json!({}));
    let events = asked(true).text();
    let data = events.lines().filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data:")?).ok());
    let written: String = data.filter_map(|event| Some(event["delta"]["partial_json"].as_str()?.to_owned())).collect();
    assert_eq!(written, r#"{"command": "ec"#);
}

#[test]
fn a_script_that_is_none_is_refused_with_its_reason() {
    let wrong = |text: &str| Script::read(text).expect_err("it is wrong").to_string();
    assert!(wrong("[[step]]\ntxt = 'a'\n").contains("unknown field `txt`"));
    assert!(wrong(r#"{"step": [{"faults": ["cut-evnt=1"]}]}"#).contains("there is no fault \"cut-evnt=1\""));
    assert_eq!(wrong("[[step]]\nstop = 'tired'\n"), "step 1: no reply stops because of \"tired\"");
    assert_eq!(wrong("[[step]]\n[[step]]\nerror = { status = 200 }\n"), "step 2: 200 is no status of an error");
}
