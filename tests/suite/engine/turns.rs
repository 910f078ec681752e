//! *Turns*: prompts, what waits, tools side by side, interruptions and rejections.

use serde_json::Value;
use turnproof_reference::engine::{Denial, Hook, HookEvent, HookOutcome, Input, Options, Refused};
use turnproof_reference::json::Raw;
use turnproof_reference::message::constants::{CANCEL, REJECT};
use turnproof_reference::message::{Event, Message, contains_placeholder};

use super::talk::{Talk, messages, yielded};

#[test]
fn a_prompt_is_durable_before_its_request_is_sent() {
    let mut talk = Talk::new();
    let step = talk.says("hello");
    assert!(step.request.is_some());
    assert!(String::from_utf8_lossy(talk.engine.transcript()).contains("hello"));
}

#[test]
fn a_scripted_mode_still_writes_but_does_not_wait() {
    let mut talk = Talk::with(Options { waits_for_disk: false, ..Options::default() });
    assert!(talk.says("hello").request.is_some());
    talk.step(Input::Wait(200));
    assert!(String::from_utf8_lossy(talk.engine.transcript()).contains("hello"));
}

#[test]
fn what_is_typed_while_a_reply_streams_begins_the_next_turn_in_order() {
    let mut talk = Talk::new();
    talk.says("one");
    assert!(talk.says("two").request.is_none());
    assert!(talk.says("three").request.is_none());
    let step = talk.answers("first");
    assert_eq!(yielded(&step), ["user two", "user three"]);
    assert!(step.request.is_some_and(|request| request.contains("three")));
}

#[test]
fn what_is_typed_while_tools_run_joins_after_the_last_result() {
    let mut talk = Talk::working(&["toolu_1", "toolu_2"]);
    talk.says("wait, also this");
    assert!(talk.result("toolu_2", "two").request.is_none());
    let step = talk.result("toolu_1", "one");
    assert_eq!(yielded(&step), ["user result toolu_1", "user wait, also this"]);
    assert!(step.request.is_some());
}

#[test]
fn the_last_line_of_a_reply_gets_its_late_fields_in_place() {
    let mut talk = Talk::asked();
    talk.replies("a");
    talk.answers("b");
    let stops: Vec<Option<String>> = messages(&talk.engine)
        .filter_map(|message| match message {
            Message::Assistant(line) => Some(line.message.get()?.stop_reason.as_str().map(str::to_owned)),
            _ => None,
        })
        .collect();
    assert_eq!(stops, [None, Some("end_turn".to_owned())]);
    talk.step(Input::Wait(200));
    let file = String::from_utf8_lossy(talk.engine.transcript()).into_owned();
    assert_eq!(file.matches(r#""stop_reason":"end_turn""#).count(), 1);
    assert_eq!(file.matches(r#""output_tokens":9"#).count(), 1);
}

#[test]
fn a_call_may_be_answered_while_its_reply_still_streams() {
    let mut talk = Talk::asked();
    talk.calls("toolu_1");
    assert!(talk.result("toolu_1", "early").request.is_none());
    talk.replies("meanwhile");
    assert!(talk.ends("tool_use").request.is_some());
}

#[test]
fn an_interruption_of_a_reply_keeps_what_was_shown_and_ends_the_turn() {
    let mut talk = Talk::asked();
    talk.replies("half of it");
    let step = talk.step(Input::Interrupt);
    assert_eq!(yielded(&step), ["user [Request interrupted by user]"]);
    assert!(talk.engine.is_idle());
    assert!(talk.says("again").request.is_some());
}

#[test]
fn an_interruption_while_tools_run_answers_each_open_call_with_its_text() {
    let mut talk = Talk::working(&["toolu_1", "toolu_2"]);
    talk.result("toolu_2", "done");
    let step = talk.step(Input::Interrupt);
    assert_eq!(yielded(&step), ["user result toolu_1", "user [Request interrupted by user for tool use]"]);
    let all: Vec<_> = messages(&talk.engine).cloned().collect();
    // Nothing is lost, so the history is sound.
    assert!(!contains_placeholder(&all));
    let file = String::from_utf8_lossy(talk.engine.transcript()).into_owned();
    assert!(!file.contains("internal error"), "{file}");
    let result = all[all.len() - 2].tool_results().next().expect("a result");
    assert_eq!(result.content.get().map(Raw::get), Some(r#""[Request interrupted by user for tool use]""#));
    assert_eq!(result.is_error.get(), Some(&true));
}

#[test]
fn a_crash_loses_results_and_the_placeholder_says_so() {
    let mut talk = Talk::working(&["toolu_1"]);
    talk.step(Input::Wait(200));
    talk.comes_back();
    let all: Vec<_> = messages(&talk.engine).cloned().collect();
    assert!(contains_placeholder(&all));
}

#[test]
fn the_transcript_says_what_waited_and_when_it_joined() {
    let mut talk = Talk::working(&["toolu_1"]);
    talk.says("and the docs");
    talk.result("toolu_1", "done");
    let lines = talk.lines();
    let place = |is: &dyn Fn(&Value) -> bool| lines.iter().position(is).expect("a line");
    let operation = |name: &str| place(&|line| line["type"] == "queue-operation" && line["operation"] == name);
    let (put_in, taken_out) = (operation("enqueue"), operation("dequeue"));
    let joined = place(&|line| line["message"]["content"] == "and the docs");
    assert!(put_in < taken_out && taken_out < joined, "{lines:?}");
    let members = |at: usize| lines[at].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(members(put_in), "content operation sessionId timestamp type");
    assert_eq!(members(taken_out), "operation sessionId timestamp type");
    assert_eq!(lines[put_in]["content"], "and the docs");
    // The first prompt did not wait.
    assert_eq!(lines.iter().filter(|line| line["type"] == "queue-operation").count(), 2);
}

#[test]
fn other_late_members_reach_the_line_too() {
    let mut talk = Talk::asked();
    talk.replies("a");
    talk.replies("b");
    talk.stream(serde_json::json!({"type": "message_delta", "context_management": {"applied_edits": []},
        "delta": {"stop_reason": "refusal", "stop_details": {"type": "refusal"}, "container": {"id": "c"}},
        "usage": {"output_tokens": 9}}));
    talk.stream(serde_json::json!({"type": "message_stop"}));
    talk.step(Input::Wait(200));
    let lines = talk.lines();
    let bodies: Vec<&Value> =
        lines.iter().filter(|line| line["type"] == "assistant").map(|line| &line["message"]).collect();
    let [first, last] = bodies[..] else { panic!("two lines: {bodies:?}") };
    for (name, value) in [
        ("stop_details", serde_json::json!({"type": "refusal"})),
        ("container", serde_json::json!({"id": "c"})),
        ("context_management", serde_json::json!({"applied_edits": []})),
    ] {
        assert_eq!((&first[name], &last[name]), (&Value::Null, &value), "{name}");
    }
}

#[test]
fn a_withdrawn_reply_takes_no_result_of_an_earlier_one_with_it() {
    let mut talk = Talk::working(&["call_0"]);
    talk.result("call_0", "first");
    talk.calls("call_0");
    talk.result("call_0", "second");
    let step = talk.step(Input::Fallback("m2".into()));
    assert!(step.request.is_some());
    let results: Vec<String> = talk.list().into_iter().filter(|message| message.contains("result")).collect();
    assert_eq!(results, ["user result call_0"]);
    assert!(
        messages(&talk.engine)
            .flat_map(Message::tool_results)
            .all(|result| { result.content.get().map(Raw::get) == Some(r#""first""#) })
    );
}

#[test]
fn an_interruption_lets_what_was_typed_go_on() {
    let mut talk = Talk::asked();
    talk.says("no, this");
    let step = talk.step(Input::Interrupt);
    assert!(step.request.is_some());
    assert_eq!(talk.list().last().map(String::as_str), Some("user no, this"));
}

#[test]
fn a_rejection_without_a_reason_cancels_the_other_calls_and_ends_the_turn() {
    let mut talk = Talk::working(&["toolu_1", "toolu_2"]);
    let step = talk.step(Input::Deny { call: "toolu_1".into(), denial: Denial::User });
    assert_eq!(
        yielded(&step),
        ["user result toolu_1", "user result toolu_2", "user [Request interrupted by user for tool use]"]
    );
    assert!(step.request.is_none() && talk.engine.is_idle());
    let results: Vec<String> = messages(&talk.engine)
        .flat_map(|message| message.tool_results())
        .filter_map(|result| result.content.get().map(|content| content.get().to_owned()))
        .collect();
    assert_eq!(results, [Value::from(REJECT).to_string(), Value::from(CANCEL).to_string()]);
}

#[test]
fn each_other_rejection_is_the_calls_result_and_the_turn_continues() {
    let denials = [
        Denial::UserWithReason("use rg".into()),
        Denial::Subagent,
        Denial::SubagentWithReason("not there".into()),
        Denial::Plan("1. look".into()),
        Denial::Rule,
        Denial::DontAsk,
        Denial::Classifier("it deletes files".into()),
    ];
    for denial in denials {
        let mut talk = Talk::working(&["toolu_1"]);
        let step = talk.step(Input::Deny { call: "toolu_1".into(), denial: denial.clone() });
        let Some(request) = step.request else { panic!("{denial:?} ended the turn") };
        assert!(request.contains(r#""is_error":true"#), "{denial:?}: {request}");
    }
}

#[test]
fn progress_and_hooks_stand_beside_a_running_tool_and_are_not_sent() {
    let mut talk = Talk::working(&["toolu_1"]);
    let shown = talk.step(Input::Progress { call: "toolu_1".into(), data: Raw::from("working") });
    let [Event::Message(Message::Progress(progress))] = shown.events.as_slice() else { panic!("{shown:?}") };
    assert_eq!(progress.output(), Some(&Raw::from("working")));
    for outcome in [HookOutcome::Progress, HookOutcome::Success, HookOutcome::Result] {
        let call = Some("toolu_1".into());
        talk.step(Input::Hook(Hook { event: HookEvent::PreToolUse, call, outcome }));
    }
    let request = talk.result("toolu_1", "done").request.expect("the next request");
    assert!(!request.contains("working") && !request.contains("PreToolUse"), "{request}");
    let file = String::from_utf8_lossy(talk.engine.transcript()).into_owned();
    assert!(!file.contains(r#""type":"progress""#) && file.contains("hook_success"), "{file}");
}

#[test]
fn a_summary_comes_before_the_next_reply_or_not_at_all() {
    let mut talk = Talk::working(&["toolu_1"]);
    assert!(talk.result("toolu_1", "done").request.is_some(), "the request does not wait for it");
    let step = talk.step(Input::Summary(Some("Listed files".into())));
    let [Event::ToolUseSummary(summary)] = step.events.as_slice() else { panic!("{:?}", step.events) };
    assert_eq!(summary.calls(), [turnproof_reference::json::Text::from("toolu_1")]);
    talk.calls("toolu_2");
    talk.ends("tool_use");
    talk.result("toolu_2", "done");
    talk.replies("all done");
    let late = talk.engine.step(&Input::Summary(Some("too late".into())));
    assert_eq!((late.events.len(), late.refused), (0, Some(Refused::Nothing)));
}

#[test]
fn a_summary_that_nobody_asked_for_is_not_ordered() {
    let mut talk = Talk::with(Options { orders_summaries: false, ..Options::default() });
    talk.works(&["toolu_1"]);
    talk.result("toolu_1", "done");
    assert_eq!(talk.engine.step(&Input::Summary(Some("unasked".into()))).refused, Some(Refused::Nothing));
}

#[test]
fn a_summary_that_failed_is_silent() {
    let mut talk = Talk::working(&["toolu_1"]);
    talk.result("toolu_1", "done");
    assert!(talk.step(Input::Summary(None)).events.is_empty());
}

#[test]
fn what_cannot_happen_now_is_refused_and_changes_nothing() {
    let mut talk = Talk::new();
    let refused = [
        (Input::Interrupt, Refused::Idle),
        (Input::Break, Refused::NotStreaming),
        (Input::Fallback("m".into()), Refused::NotStreaming),
        (Input::Stream(Default::default()), Refused::NotStreaming),
        (Input::Summary(None), Refused::Nothing),
        (Input::Microcompact(1), Refused::Nothing),
        (Input::Deny { call: "toolu_9".into(), denial: Denial::User }, Refused::NoSuchCall),
    ];
    for (input, reason) in refused {
        let step = talk.engine.step(&input);
        assert_eq!((step.refused, step.events.len()), (Some(reason), 0), "{input:?}");
    }
    talk.says("go");
    assert_eq!(talk.engine.step(&Input::Microcompact(1)).refused, Some(Refused::Busy));
    talk.step(Input::Crash(0));
    assert_eq!(talk.engine.step(&Input::Type("hello".into())).refused, Some(Refused::Dead));
}
