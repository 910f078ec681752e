//! What is *beside* the dialogue: attachments, output of commands, notices, hooks, context; and what each
//! line of the file carries.

use serde_json::{Value, json};
use turnproof_reference::engine::{Hook, HookEvent, HookOutcome, Input, Options};
use turnproof_reference::json::Fields;
use turnproof_reference::message::Event;

use super::talk::{Talk, values};

fn fields(value: Value) -> Fields {
    serde_json::from_value(value).expect("an object")
}

/// The one message that an input leads to, which joins the conversation.
fn one(talk: &mut Talk, input: Input) -> Value {
    let step = talk.step(input);
    let [shown] = values(&step.events).try_into().expect("one message");
    assert_eq!(values(talk.engine.messages()).last(), Some(&shown), "it joins the conversation");
    shown
}

#[test]
fn an_attachment_is_shown_with_its_members_and_sent_with_the_next_request() {
    let mut talk = Talk::new();
    let members = json!({"type": "queued_command", "prompt": "mind the gap"});
    let shown = one(&mut talk, Input::Attach(fields(members.clone())));
    assert_eq!((&shown["type"], &shown["attachment"]), (&json!("attachment"), &members));
    let request = talk.says("go").request.expect("a request");
    assert!(request.contains("mind the gap"), "{request}");
}

#[test]
fn the_output_of_a_command_is_shown_and_sent_with_the_next_request() {
    let mut talk = Talk::new();
    let output = "<local-command-stdout>a clean tree</local-command-stdout>";
    let shown = one(&mut talk, Input::Command(output.into()));
    assert_eq!((&shown["subtype"], &shown["content"]), (&json!("local_command"), &json!(output)));
    let request = talk.says("go").request.expect("a request");
    assert!(request.contains("a clean tree"), "{request}");
}

#[test]
fn a_notice_is_shown_in_the_fields_of_its_subtype_and_never_sent() {
    let text = "said-in-the-notice";
    for (subtype, place, wanted) in [
        ("turn_duration", "messageCount", json!(0)),
        ("memory_saved", "writtenPaths", json!([text])),
        ("api_metrics", "note", json!(text)),
        ("permission_retry", "commands", json!([text])),
        ("bridge_status", "url", json!(text)),
        ("agents_killed", "content", json!("Running agents were stopped")),
        ("file_snapshot", "snapshotFiles", json!(text)),
        ("away_summary", "content", json!(text)),
    ] {
        let mut talk = Talk::new();
        let shown = one(&mut talk, Input::Notice { subtype: subtype.into(), text: text.into() });
        assert_eq!((&shown["type"], &shown["subtype"]), (&json!("system"), &json!(subtype)));
        assert_eq!(shown[place], wanted, "{shown}");
        let request = talk.says("go").request.expect("a request");
        assert!(!request.contains(text), "{request}");
    }
}

#[test]
fn each_hook_is_shown_under_the_name_of_its_event() {
    for (event, name) in [
        (HookEvent::PreToolUse, "PreToolUse"),
        (HookEvent::PostToolUse, "PostToolUse"),
        (HookEvent::Stop, "Stop"),
        (HookEvent::SessionStart, "SessionStart"),
        (HookEvent::UserPromptSubmit, "UserPromptSubmit"),
    ] {
        let mut talk = Talk::new();
        let mut shown = |outcome| one(&mut talk, Input::Hook(Hook { event, call: None, outcome }));
        let hook = format!("{name}:tool");
        for (outcome, kind) in [
            (HookOutcome::Success, "hook_success"),
            (HookOutcome::Context, "hook_additional_context"),
            (HookOutcome::Error, "hook_non_blocking_error"),
        ] {
            let attachment = shown(outcome)["attachment"].take();
            let wanted = json!({"type": kind, "hookName": hook, "hookEvent": name, "toolUseID": "",
                "content": ["checked"]});
            assert_eq!(attachment, wanted);
        }
        let data = shown(HookOutcome::Progress)["data"].take();
        assert_eq!((&data["hookEvent"], &data["hookName"]), (&json!(name), &json!(hook)));
        assert_eq!(shown(HookOutcome::Result)["content"], json!(format!("{hook} said so")));
    }
}

#[test]
fn a_request_is_announced_and_the_events_of_its_reply_are_passed_on_as_they_came() {
    let mut talk = Talk::new();
    assert!(!talk.engine.is_streaming());
    let step = talk.says("go");
    assert!(matches!(step.events[..], [Event::Message(_), Event::StreamRequestStart(_)]));
    assert!(talk.engine.is_streaming() && !talk.engine.is_idle());
    let start = json!({"type": "message_start", "message": {"id": "msg_1", "type": "message",
        "role": "assistant", "model": "m", "content": [], "stop_reason": null, "usage": {}}});
    let step = talk.stream(start.clone());
    let [Event::StreamEvent(_)] = step.events[..] else { panic!("{step:?}") };
    assert_eq!(values(&step.events)[0]["event"], start);
    talk.step(Input::Interrupt);
    assert!(!talk.engine.is_streaming());
}

#[test]
fn while_tools_run_no_reply_streams() {
    let mut talk = Talk::asked();
    talk.calls("toolu_1");
    assert!(talk.engine.is_streaming());
    talk.ends("tool_use");
    assert!(!talk.engine.is_streaming() && !talk.engine.is_idle());
    talk.result("toolu_1", "done");
    assert!(talk.engine.is_streaming());
}

#[test]
fn the_lines_of_a_reply_name_the_request_that_they_answer() {
    let mut talk = Talk::working(&["toolu_1"]);
    talk.result("toolu_1", "done");
    talk.replies("one");
    talk.answers("two");
    let list = values(talk.engine.messages());
    let ids: Vec<&str> = list.iter().filter_map(|message| message["requestId"].as_str()).collect();
    assert_eq!(ids, ["req_1", "req_2", "req_2"]);
}

#[test]
fn context_is_in_front_of_each_request_and_not_in_the_conversation() {
    let mut talk = Talk::with(Options { context: Some("the project's rules".into()), ..Options::default() });
    for _ in 0..2 {
        let request = talk.says("go").request.expect("a request");
        let turns: Vec<Value> = serde_json::from_str(&request).expect("turns");
        assert!(turns[0].to_string().contains("the project's rules"), "{request}");
        assert_eq!(request.matches("the project's rules").count(), 1);
        talk.answers("done");
    }
    assert_eq!(talk.list(), ["user go", "assistant done", "user go", "assistant done"]);
}

#[test]
fn each_line_of_the_file_names_session_folder_version_and_user() {
    let options = Options { session: "s1".into(), cwd: "/somewhere".into(), ..Options::default() };
    let mut talk = Talk::with(options);
    talk.exchange("one", "first");
    talk.step(Input::Wait(200));
    let shown = |line: &Value| {
        ["sessionId", "cwd", "version", "userType", "isSidechain", "agentId"].map(|name| line[name].clone())
    };
    let wanted = [
        json!("s1"),
        json!("/somewhere"),
        json!(env!("CARGO_PKG_VERSION")),
        json!("external"),
        json!(false),
        Value::Null,
    ];
    assert_eq!(talk.lines().iter().map(shown).collect::<Vec<_>>(), [wanted.clone(), wanted.clone()]);
    talk.works(&["toolu_1"]);
    let (prompt, answer) = ("look there".to_owned(), "found it".to_owned());
    talk.step(Input::Subagent { call: "toolu_1".into(), agent: "agent1".into(), prompt, answer });
    let [session, cwd, version, user, ..] = wanted;
    let of_agent = [session, cwd, version, user, json!(true), json!("agent1")];
    let lines = talk.lines();
    assert_eq!(lines[lines.len() - 2..].iter().map(shown).collect::<Vec<_>>(), [of_agent.clone(), of_agent]);
}

#[test]
fn a_scripted_mode_sends_a_prompt_that_the_disk_does_not_take() {
    for waits_for_disk in [true, false] {
        let mut talk = Talk::with(Options { waits_for_disk, ..Options::default() });
        talk.step(Input::Disk(Some(0)));
        assert_eq!(talk.says("hello").request.is_some(), !waits_for_disk);
    }
}
