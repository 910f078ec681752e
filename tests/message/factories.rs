//! What factories make.

use super::*;

/// One message of each factory that makes messages of lists, given empty content where it takes any.
fn everything(factory: &mut Factory<'_, FixedContext>) -> Vec<Message> {
    let raw = || Raw::from("raw");
    let result = ToolResult::new("t1", "done", false);
    let mut made: Vec<Message> = vec![
        factory.user("").into(),
        factory.user(Vec::new()).into(),
        factory.user_interruption().into(),
        factory.user_interruption_for_tool_use().into(),
        factory.synthetic_caveat().into(),
        factory.tool_result(result, raw(), "a1").into(),
        factory.compact_summary("", None).into(),
        factory.assistant("").into(),
        factory.assistant(Vec::new()).into(),
        factory.assistant_api_error("", None, None).into(),
        factory.progress("t1", "t0", raw()).into(),
        factory.attachment(AttachmentBody::new("file", Fields::new())).into(),
        factory.hook_result("Stop", None, None, "").into(),
    ];
    made.extend(systems(factory));
    made
}

/// One system message of each factory that is named after a subtype.
fn systems(factory: &mut Factory<'_, FixedContext>) -> Vec<Message> {
    let raw = || Raw::from("raw");
    vec![
        factory.informational("warning", "", None, false).into(),
        factory.local_command("").into(),
        factory.api_error(raw(), 1, 2, 3).into(),
        factory.compact_boundary(CompactMetadata::default(), Some("u9")).into(),
        factory.microcompact_boundary(MicrocompactMetadata::default()).into(),
        factory.memory_saved(vec!["a.md".into()]).into(),
        factory.stop_hook_summary(vec![raw()], vec![], true, Some("why")).into(),
        factory.turn_duration(1_234, Some(5), None).into(),
        factory.api_metrics(Fields::from_iter([("ttftMs".into(), raw())])).into(),
        factory.permission_retry(vec!["ls".into(), "pwd".into()]).into(),
        factory.bridge_status("https://example.com").into(),
        factory.away_summary("").into(),
        factory.agents_killed().into(),
        factory.scheduled_task_fire("").into(),
        factory.thinking("").into(),
        factory.file_snapshot(raw()).into(),
    ]
}

/// The JSON text of a message.
fn written(message: impl Into<Message>) -> String {
    message.into().write().get().to_owned()
}

#[test]
fn every_message_of_a_factory_has_a_fresh_id_and_a_time_and_round_trips() {
    let mut context = FixedContext::new(3);
    let messages = everything(&mut Factory::new(&mut context));
    let ids: HashSet<&str> = messages.iter().filter_map(Message::uuid).collect();
    assert_eq!(ids.len(), messages.len());
    for message in &messages {
        let time = message.envelope().timestamp.as_str().unwrap();
        assert!(time.starts_with("2025-01-01T00:00:00.0") && time.ends_with('Z'), "{time}");
        assert_eq!(round_trip(&written(message.clone())), Entry::from(message.clone()));
    }
}

#[test]
fn content_of_a_factory_is_never_empty() {
    let mut context = FixedContext::new(3);
    for message in everything(&mut Factory::new(&mut context)) {
        assert!(message.content().is_none_or(|content| !content.is_empty()), "{message:?}");
        if let Some(text) = message.as_system().and_then(|system| system.text()) {
            assert!(!text.is_empty());
        }
    }
    let mut factory = Factory::new(&mut context);
    assert_eq!(factory.user("").content(), Some(&NO_CONTENT.into()));
    assert_eq!(factory.user(Vec::new()).content(), Some(&NO_CONTENT.into()));
    assert_eq!(factory.user(Content::one_text("")).content(), Some(&NO_CONTENT.into()));
    assert_eq!(factory.user(" ").content(), Some(&" ".into()));
    assert_eq!(factory.assistant("").content(), Some(&Content::one_text(NO_CONTENT)));
    assert_eq!(factory.assistant(Vec::new()).content(), Some(&Content::one_text(NO_CONTENT)));
    assert_eq!(factory.local_command("").content, NO_CONTENT.into());
    assert_eq!(factory.tool_use_summary("", vec![]).summary, NO_CONTENT.into());
}

#[test]
fn an_id_and_a_time_that_are_given_are_used_once_and_nothing_is_drawn_for_them() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let given = factory.with_uuid("u1").with_timestamp("2020-02-02T02:02:02.222Z").user("hi");
    assert_eq!(given.envelope.uuid, "u1".into());
    assert_eq!(given.envelope.timestamp, "2020-02-02T02:02:02.222Z".into());
    let next = factory.user("hi");
    let mut fresh = FixedContext::new(3);
    assert_eq!(next.envelope.uuid, fresh.uuid().as_str().into());
    assert_eq!(next.envelope.timestamp, fresh.now().as_str().into());
}

#[test]
fn text_for_an_assistant_becomes_one_text_block_of_a_synthetic_message() {
    let mut context = FixedContext::new(3);
    let assistant = Factory::new(&mut context).with_uuid("a1").assistant("hello");
    let body = assistant.message.get().unwrap();
    assert_eq!(body.content, Content::one_text("hello").into());
    assert_eq!(body.model, SYNTHETIC_MODEL.into());
    assert_eq!((body.stop_reason.as_str(), body.stop_sequence.as_str()), (Some("stop_sequence"), Some("")));
    assert_eq!(body.usage, Usage::synthetic().into());
    assert_eq!((body.object_type.as_str(), body.role.as_str()), (Some("message"), Some("assistant")));
    assert!(body.id.is_present() && body.id != "a1".into());
    assert!(!Message::from(assistant).is_synthetic_api_error());
}

#[test]
fn blocks_and_strings_given_to_a_factory_are_kept() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let blocks = vec![TextBlock::new("a").into(), ToolUse::new("t1", "Bash", Raw::from(true)).into()];
    assert_eq!(factory.assistant(blocks.clone()).content(), Some(&Content::Blocks(blocks.clone())));
    assert_eq!(factory.user(blocks.clone()).content(), Some(&Content::Blocks(blocks)));
    assert_eq!(factory.user("a").content(), Some(&Content::Text("a".into())));
}

#[test]
fn interruptions_are_synthetic_messages_and_the_caveat_is_a_meta_message() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let plain = factory.user_interruption();
    assert_eq!(plain.content(), Some(&Content::one_text("[Request interrupted by user]")));
    let for_tool_use = factory.user_interruption_for_tool_use();
    let text = "[Request interrupted by user for tool use]";
    assert_eq!(for_tool_use.content(), Some(&Content::one_text(text)));
    for notice in [plain, for_tool_use].map(Message::from) {
        assert!(notice.is_synthetic_message() && !notice.is_human_turn());
    }
    let caveat = Message::from(factory.synthetic_caveat());
    assert!(caveat.is_meta() && !caveat.is_synthetic_message() && !caveat.is_human_turn());
}

#[test]
fn a_tool_result_holds_the_block_the_raw_output_and_its_source() {
    let mut context = FixedContext::new(3);
    let output = Raw::from_json(r#"{"stdout":"x","n":1.10}"#.to_owned()).unwrap();
    let mut factory = Factory::new(&mut context);
    let user = factory.with_uuid("u1").with_timestamp("t").tool_result(ToolResult::new("t1", "x", true), output, "a1");
    let expected = concat!(
        r#"{"type":"user","uuid":"u1","timestamp":"t","message":{"role":"user","content":["#,
        r#"{"type":"tool_result","tool_use_id":"t1","content":"x","is_error":true}]},"#,
        r#""toolUseResult":{"stdout":"x","n":1.10},"#,
        r#""sourceToolAssistantUUID":"a1"}"#
    );
    assert_eq!(written(user), expected);
}

#[test]
fn the_other_factories_fill_in_the_fields_of_their_kind() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let written_as = |message: Message, expected: &str| {
        let mut members = Fields::from_raw(&message.write()).unwrap();
        members.take("uuid");
        members.take("timestamp");
        assert_eq!(document(&members.to_json()), document(expected));
    };
    let data = Raw::from("d");
    written_as(
        factory.progress("t1", "t0", data.clone()).into(),
        r#"{"type":"progress","toolUseID":"t1","parentToolUseID":"t0","data":"d"}"#,
    );
    let extra = Fields::from_iter([("filename".into(), data.clone())]);
    written_as(
        factory.attachment(AttachmentBody::new("file", extra)).into(),
        r#"{"type":"attachment","attachment":{"type":"file","filename":"d"}}"#,
    );
    written_as(
        factory.hook_result("PreToolUse", Some("check"), Some("t1"), "ran").into(),
        concat!(
            r#"{"type":"hook_result","content":"ran","toolUseID":"t1","#,
            r#""hookEvent":"PreToolUse","hookName":"check"}"#
        ),
    );
    written_as(
        factory.hook_result("Stop", None, None, "ran").into(),
        r#"{"type":"hook_result","content":"ran","hookEvent":"Stop"}"#,
    );
    written_as(
        factory.informational("warning", "hi", Some("t1"), true).into(),
        concat!(
            r#"{"type":"system","subtype":"informational","level":"warning","content":"hi","#,
            r#""toolUseID":"t1","preventContinuation":true}"#
        ),
    );
    written_as(
        factory.meta("go on").into(),
        r#"{"type":"user","isMeta":true,"message":{"role":"user","content":"go on"}}"#,
    );
    let body = AssistantBody { id: "msg_1".into(), content: Content::one_text("a").into(), ..<_>::default() };
    written_as(
        factory.reply_line(body, "req_1".into()).into(),
        concat!(
            r#"{"type":"assistant","requestId":"req_1","#,
            r#""message":{"id":"msg_1","content":[{"type":"text","text":"a"}]}}"#
        ),
    );
    written_as(
        factory.compact_summary("in short", Some(Raw::from("why"))).into(),
        concat!(
            r#"{"type":"user","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"#,
            r#""message":{"role":"user","content":"in short"},"summarizeMetadata":"why"}"#
        ),
    );
    written_as(
        factory.turn_duration(12, Some(3), Some(TurnBudget { tokens: 9, limit: 500, nudges: 1 })).into(),
        concat!(
            r#"{"type":"system","subtype":"turn_duration","level":"info","isMeta":false,"#,
            r#""durationMs":12,"messageCount":3,"budgetTokens":9,"budgetLimit":500,"budgetNudges":1}"#
        ),
    );
    written_as(
        factory.stop_hook_summary(vec![data.clone()], vec![], false, None).into(),
        concat!(
            r#"{"type":"system","subtype":"stop_hook_summary","level":"info","hookCount":1,"#,
            r#""hookInfos":["d"],"hookErrors":[],"#,
            r#""preventedContinuation":false,"stopReason":"","hasOutput":false}"#
        ),
    );
    written_as(
        factory.api_error(data, 500, 1, 10).into(),
        concat!(
            r#"{"type":"system","subtype":"api_error","level":"error","error":"d","#,
            r#""retryInMs":500,"retryAttempt":1,"maxRetries":10}"#
        ),
    );
}

#[test]
fn events_that_pass_by_have_factories_too() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let event = factory.with_uuid("e1").with_timestamp("t").stream_event(Fields::from([("type", Raw::from("ping"))]));
    let expected = r#"{"type":"stream_event","uuid":"e1","timestamp":"t","event":{"type":"ping"}}"#;
    assert_eq!(Event::from(event).write().get(), expected);
    let start = factory.with_uuid("e2").with_timestamp("t").stream_request_start();
    assert_eq!(Event::from(start).write().get(), r#"{"type":"stream_request_start","uuid":"e2","timestamp":"t"}"#);
}

#[test]
fn each_of_the_sixteen_subtypes_has_a_factory() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let named = systems(&mut factory);
    assert_eq!((named.len(), SUBTYPES.len()), (16, 16));
    for (message, subtype) in named.iter().zip(SUBTYPES) {
        assert!(message.is_system(subtype), "{subtype}: {message:?}");
        let level = message.as_system().and_then(|system| system.level.as_str());
        assert!(matches!(level, Some("info" | "warning" | "error")));
        let general = factory.system(*subtype, "info", "said");
        assert!(general.is(subtype) && general.content == "said".into());
    }
}

#[test]
fn a_compact_boundary_has_a_null_parent_and_a_logical_one() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let metadata = CompactMetadata { trigger: "auto".into(), ..<_>::default() };
    let boundary = factory.compact_boundary(metadata.clone(), Some("u9"));
    assert_eq!(boundary.envelope.parent_uuid, Maybe::Null);
    assert_eq!(boundary.envelope.logical_parent_uuid, "u9".into());
    assert_eq!(boundary.compact_metadata, metadata.clone().into());
    assert!(Message::from(boundary).is_compact_boundary());
    let first = factory.compact_boundary(metadata, None);
    assert_eq!(first.envelope.logical_parent_uuid, Maybe::Absent);
}

#[test]
fn an_api_error_is_a_synthetic_api_error_with_its_kind_and_its_details() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let bare = factory.assistant_api_error("overloaded", None, None);
    assert_eq!((bare.api_error, bare.error_details), (Maybe::Absent, Maybe::Absent));
    let mut error = factory.assistant_api_error("too long", Some("max_output_tokens"), Some("64000 tokens"));
    assert_eq!(error.api_error, Raw::from("max_output_tokens").into());
    assert_eq!(error.error_details, Raw::from("64000 tokens").into());
    assert!(Message::from(error.clone()).is_synthetic_api_error());
    if let Some(body) = error.message.get_mut() {
        body.model = "claude".into();
    }
    assert!(!Message::from(error).is_synthetic_api_error());
}

#[test]
fn a_tombstone_holds_the_message_that_it_withdraws() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    let shown = Message::from(factory.with_uuid("a1").assistant("half an ans"));
    let tombstone = factory.tombstone(&shown);
    assert_eq!(tombstone.withdrawn(), Some("a1".into()));
    assert_eq!(tombstone.message.get().map(Fields::to_raw), Some(shown.write()));
    assert_eq!(Event::from(tombstone).kind(), Kind::Tombstone);
    let summary = factory.tool_use_summary("Read two files", vec!["t1".into(), "t2".into()]);
    assert_eq!(summary.calls().len(), 2);
    assert_eq!(Event::from(summary).kind(), Kind::ToolUseSummary);
}

fn calls(factory: &mut Factory<'_, FixedContext>, ids: &[&str]) -> Assistant {
    let call = |id: &&str| Block::from(ToolUse::new(*id, "Bash", Raw::from(true)));
    factory.assistant(ids.iter().map(call).collect::<Vec<_>>())
}

#[test]
fn each_unanswered_call_gets_one_placeholder_in_the_order_of_the_calls() {
    let mut context = FixedContext::new(3);
    let mut factory = Factory::new(&mut context);
    factory.with_uuid("a1");
    let first = calls(&mut factory, &["t3", "t1", "t3"]);
    factory.with_uuid("a2");
    let second = calls(&mut factory, &["t2", "t0"]);
    let answer = factory.tool_result(ToolResult::new("t1", "done", false), Raw::from("done"), "a1");
    let history: Vec<Message> = vec![first.into(), answer.into(), second.into()];
    let placeholders = factory.missing_tool_results(&history, MISSING_TOOL_RESULT);
    let seen: Vec<(String, String, bool, String)> = placeholders.iter().map(describe).collect();
    let missing =
        |call: &str, source: &str| (call.to_owned(), source.to_owned(), true, format!("\"{MISSING_TOOL_RESULT}\""));
    assert_eq!(seen, [missing("t3", "a1"), missing("t2", "a2"), missing("t0", "a2")]);

    let all: Vec<Message> = history.into_iter().chain(placeholders.into_iter().map(Message::from)).collect();
    assert!(contains_placeholder(&all) && !contains_placeholder(&all[..3]));
    assert!(factory.missing_tool_results(&all, MISSING_TOOL_RESULT).is_empty());
}

/// A result's call, its source, whether it failed, and its content.
fn describe(user: &User) -> (String, String, bool, String) {
    let Some([Block::ToolResult(result)]) = user.content().map(Content::blocks) else {
        panic!("one result in {user:?}")
    };
    let text = |text: &Maybe<Text>| text.as_str().unwrap_or_default().to_owned();
    let content = result.content.get().map(|content| content.get().to_owned());
    let source = text(&user.source_tool_assistant_uuid);
    (text(&result.tool_use_id), source, result.is_error.is_true(), content.unwrap_or_default())
}
