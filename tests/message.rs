//! Messages through the public interface: what they keep, what they refuse, how they are made.

mod naive;

use std::collections::HashSet;

use naive::document;
use proptest::prelude::*;
use turnproof::json::{FieldError, Fields, JsonType, Raw, Text};
use turnproof::message::constants::{
    self, MISSING_TOOL_RESULT, NO_CONTENT, SYNTHETIC_MODEL, SYNTHETIC_TEXTS,
};
use turnproof::message::id::{DeriveError, ShortIdError, derive_uuid, short_id};
use turnproof::message::{
    Assistant, AttachmentBody, Block, CompactMetadata, Content, Context, Entry, Envelope, Event, Factory,
    FixedContext, Kind, Maybe, Member, Message, MicrocompactMetadata, NormalizedMessage, NotNormalized,
    Progress, SERVER_TOOL_RESULTS, SIDE_KINDS, SUBTYPES, Shape, SystemContext, TextBlock, ToolResult,
    ToolUse, ToolUseSummary, Typed, Usage, User, contains_placeholder,
};

// Round trips.

/// The types of block that are known.
fn block_types() -> impl Iterator<Item = &'static str> {
    let plain = [
        "text",
        "tool_use",
        "tool_result",
        "thinking",
        "redacted_thinking",
        "server_tool_use",
        "image",
        "document",
    ];
    plain.into_iter().chain(SERVER_TOOL_RESULTS.iter().copied())
}

/// Values of a shape, each awkward in its own way; null comes last.
fn samples(shape: Shape) -> Vec<String> {
    let mut samples: Vec<String> = match shape {
        Shape::Any => vec![r#"{"z":[1.10,null, 1e400],"a":"\ud83d"}"#.into(), "-0.0".into(), "\"\"".into()],
        Shape::Text => vec![r#""half \ud83d of \u00e9\u0000""#.into(), "\"\"".into(), "\"😀\"".into()],
        Shape::Flag => vec!["true".into(), "false".into()],
        Shape::Number => ["1.10", "1e400", "12345678901234567890", "-0", "3E+2"].map(String::from).into(),
        Shape::List(element) => {
            let elements = samples(*element);
            vec![format!("[{}]", elements[..elements.len() - 1].join(" , ")), "[]".into()]
        }
        Shape::Object(members) => {
            vec![object(members.iter().map(|member| (member.name, samples(member.shape).swap_remove(0))))]
        }
        Shape::Content => vec![blocks(), "\"\"".into(), "[]".into(), r#""text \ude00""#.into()],
    };
    samples.push("null".into());
    samples
}

/// An object with these members, and two that nobody knows.
fn object<'n>(members: impl Iterator<Item = (&'n str, String)>) -> String {
    let mut parts = vec![r#""\ud83d unknown":"\ud83d""#.to_owned()];
    parts.extend(members.map(|(name, value)| format!("\"{name}\":{value}")));
    parts.push(r#""novelty": 1.10"#.to_owned());
    format!("{{{}}}", parts.join(","))
}

/// A tagged object with these members.
fn tagged<'n>(tag: &str, members: impl Iterator<Item = (&'n str, String)>) -> String {
    object(std::iter::once(("type", format!("\"{tag}\""))).chain(members))
}

/// One block of each known type, and some that are not known.
fn blocks() -> String {
    let full = |tag| {
        let members = Block::members_of(tag).iter();
        tagged(tag, members.map(|member| (member.name, samples(member.shape).swap_remove(0))))
    };
    let mut blocks: Vec<String> = block_types().map(full).collect();
    blocks.push(tagged("hologram", [("text", "1".to_owned())].into_iter()));
    blocks.push(r#"{"text":"no type"}"#.to_owned());
    blocks.push(r#"{"type":null,"text":3}"#.to_owned());
    format!("[{}]", blocks.join(","))
}

/// The known members of a kind, the envelope's first.
fn members_of(kind: Kind) -> impl Iterator<Item = &'static Member> {
    Envelope::MEMBERS.iter().chain(kind.members())
}

#[track_caller]
fn round_trip(line: &str) -> Entry {
    let entry: Entry = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
    let written = serde_json::to_string(&entry).unwrap();
    assert_eq!(document(&written), document(line), "{line}\nbecame\n{written}");
    assert_eq!(serde_json::from_str::<Entry>(&written).unwrap(), entry);
    assert_eq!(entry.write().get(), written);
    entry
}

#[test]
fn every_kind_with_all_members_is_written_as_an_equal_document() {
    for kind in Kind::ALL {
        let members = members_of(kind).map(|member| (member.name, samples(member.shape).swap_remove(0)));
        let entry = round_trip(&tagged(kind.name(), members));
        assert!(matches!(&entry, Entry::Event(event) if event.kind() == kind), "{kind:?}");
    }
}

#[test]
fn every_member_of_every_kind_round_trips_with_every_sample_null_included() {
    for kind in Kind::ALL {
        round_trip(&tagged(kind.name(), std::iter::empty()));
        for member in members_of(kind) {
            for sample in samples(member.shape) {
                round_trip(&tagged(kind.name(), [(member.name, sample)].into_iter()));
            }
        }
    }
}

#[test]
fn every_member_of_every_block_round_trips_with_every_sample_null_included() {
    for tag in block_types() {
        assert!(!Block::members_of(tag).is_empty());
        for member in Block::members_of(tag) {
            for sample in samples(member.shape) {
                let text = tagged(tag, [(member.name, sample)].into_iter());
                let block: Block = serde_json::from_str(&text).unwrap();
                assert_eq!(block.type_name(), tag);
                assert_eq!(document(&serde_json::to_string(&block).unwrap()), document(&text));
            }
        }
    }
}

#[test]
fn every_subtype_round_trips() {
    for subtype in SUBTYPES.iter().chain(&["model_refusal_fallback", "of_tomorrow"]) {
        let line = format!(r#"{{"type":"system","subtype":"{subtype}","content":"c","own":{{"n":1.10}}}}"#);
        let message = round_trip(&line).into_message().unwrap();
        assert!(message.is_system(subtype));
    }
    round_trip(r#"{"type":"system","subtype":null,"content":"from the field"}"#);
}

#[test]
fn side_records_and_unknown_types_round_trip() {
    for kind in SIDE_KINDS {
        let line = format!(r#"{{"b":1.10,"type":"{kind}","uuid":3,"\ude00":[]}}"#);
        let entry = round_trip(&line);
        assert!(matches!(&entry, Entry::Side(record) if record.kind == *kind), "{kind}");
        assert_eq!(serde_json::to_string(&entry).unwrap(), line);
    }
    for line in [r#"{"type":"of-tomorrow","n":1e400}"#, r#"{"uuid":1}"#, r#"{"type":null}"#, "{}"] {
        assert!(matches!(round_trip(line), Entry::Unknown(_)));
        assert_eq!(serde_json::to_string(&round_trip(line)).unwrap(), line);
    }
}

#[test]
fn null_and_absent_stay_apart() {
    let line = r#"{"type":"user","parentUuid":null}"#;
    let message = round_trip(line).into_message().unwrap();
    assert_eq!(message.envelope().parent_uuid, Maybe::Null);
    assert_eq!(message.envelope().uuid, Maybe::Absent);
    assert_eq!(serde_json::to_string(&message).unwrap(), line);
}

#[test]
fn numbers_keep_their_text() {
    for number in ["1.10", "1e400", "12345678901234567890", "0.1e-7", "-0", "1E+2"] {
        let line = format!(
            r#"{{"type":"assistant","message":{{"usage":{{"input_tokens":{number}}}}},"new":{number}}}"#
        );
        assert_eq!(serde_json::to_string(&round_trip(&line)).unwrap(), line);
    }
}

#[test]
fn lone_surrogates_are_kept_in_strings_and_in_keys() {
    let line = concat!(
        r#"{"type":"user","message":{"content":[{"type":"text","text":"a\ud83d","\ude00":"\ud83d\n"}]},"#,
        r#""toolUseResult":{"\ud83d":1},"\ud83d key":"\udfff"}"#
    );
    let message = round_trip(line).into_message().unwrap();
    assert_eq!(serde_json::to_string(&message).unwrap(), line);
    let Some(Block::Text(block)) = message.blocks().first() else { panic!("a text block") };
    assert!(block.text.get().is_some_and(Text::has_lone_surrogate));
    assert_eq!(block.text.as_str(), Some("a\u{fffd}"));
}

#[test]
fn of_a_repeated_key_the_last_value_stands() {
    let message = round_trip(concat!(
        r#"{"type":"system","uuid":"u1","type":"user","uu\u0069d":"u2","message":"gone","#,
        r#""message":{"content":[{"type":"image","text":"a","type":"text","text":"b"}]},"new":1,"new":2}"#
    ));
    let message = message.into_message().unwrap();
    assert_eq!(message.kind(), Kind::User);
    assert_eq!(message.uuid(), Some("u2"));
    assert_eq!(message.content(), Some(&Content::one_text("b")));
}

#[test]
fn content_round_trips_as_a_string_and_as_a_list() {
    for text in [r#""said""#, "\"\"", "[]", r#"[{"type":"text","text":"said"}]"#] {
        let content: Content = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&content).unwrap(), text);
        for kind in ["user", "assistant"] {
            round_trip(&format!(r#"{{"type":"{kind}","message":{{"content":{text}}}}}"#));
        }
    }
}

#[test]
fn a_message_refuses_what_is_only_an_event_and_an_event_what_is_only_a_line() {
    for kind in Kind::ALL {
        let line = format!(r#"{{"type":"{}"}}"#, kind.name());
        assert_eq!(serde_json::from_str::<Event>(&line).unwrap().kind(), kind);
        let in_list = !matches!(
            kind,
            Kind::Tombstone | Kind::ToolUseSummary | Kind::StreamEvent | Kind::StreamRequestStart
        );
        assert_eq!(serde_json::from_str::<Message>(&line).is_ok(), in_list, "{kind:?}");
    }
    assert!(serde_json::from_str::<Event>(r#"{"type":"summary"}"#).is_err());
    assert!(serde_json::from_str::<Event>(r#"{"type":"of-tomorrow"}"#).is_err());
}

// Aliases.

#[test]
fn older_names_are_read_as_aliases_and_stay_as_they_were_written() {
    let system = r#"{"type":"system","message":"said"}"#;
    let system = round_trip(system).into_message().unwrap();
    assert_eq!(system.as_system().and_then(|system| system.text()).map(Text::as_str), Some("said"));

    let Some(Message::Progress(progress)) =
        round_trip(r#"{"type":"progress","progress":{"type":"p"}}"#).into_message()
    else {
        panic!("progress")
    };
    assert_eq!(progress.output().map(Raw::get), Some(r#"{"type":"p"}"#));

    let line = r#"{"type":"tool_use_summary","toolUseIds":["t1"]}"#;
    let Entry::Event(Event::ToolUseSummary(summary)) = round_trip(line) else { panic!("a summary") };
    assert_eq!(summary.calls(), [Text::from("t1")]);
}

#[test]
fn the_present_name_goes_before_the_older_one() {
    let system: Message =
        serde_json::from_str(r#"{"type":"system","message":"old","content":"new"}"#).unwrap();
    assert_eq!(system.as_system().and_then(|system| system.text()).map(Text::as_str), Some("new"));
    let progress =
        Progress { data: Raw::from(1 == 1).into(), progress: Raw::from("old").into(), ..<_>::default() };
    assert_eq!(progress.output().map(Raw::get), Some("true"));
    let summary = ToolUseSummary {
        preceding_tool_use_ids: vec![Text::from("new")].into(),
        tool_use_ids: vec![Text::from("old")].into(),
        ..<_>::default()
    };
    assert_eq!(summary.calls(), [Text::from("new")]);
}

// Wrong types.

/// A value with one misfit inside, the misfit's path from there, and what it should have been.
struct Misfit {
    value: String,
    path: String,
    expected: &'static str,
}

impl Misfit {
    fn under(self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self {
            value: format!("{{\"{name}\":{}}}", self.value),
            path: format!("{name}{dot}{}", self.path),
            ..self
        }
    }

    fn in_list(self) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { value: format!("[{}]", self.value), path: format!("[0]{dot}{}", self.path), ..self }
    }

    /// The same object with a `type`.
    fn tagged(self, tag: &str) -> Self {
        Self { value: format!("{{\"type\":\"{tag}\",{}", &self.value[1..]), ..self }
    }
}

/// Every way to put a value of a wrong JSON type into a shape, at any depth.
fn misfits(shape: Shape) -> Vec<Misfit> {
    let values = ["true", "1.5", "\"s\"", "[]", "{}"];
    let fits: fn(JsonType) -> bool = match shape {
        Shape::Any => |_| true,
        Shape::Text => |found| found == JsonType::String,
        Shape::Flag => |found| found == JsonType::Bool,
        Shape::Number => |found| found == JsonType::Number,
        Shape::List(_) => |found| found == JsonType::Array,
        Shape::Object(_) => |found| found == JsonType::Object,
        Shape::Content => |found| found == JsonType::Array || found == JsonType::String,
    };
    let wrong = values.into_iter().filter(|value| !fits(JsonType::of(value.as_bytes()[0])));
    let own = |value: &str| Misfit { value: value.into(), path: String::new(), expected: shape.expected() };
    let mut found: Vec<Misfit> = wrong.map(own).collect();
    match shape {
        Shape::List(element) => found.extend(misfits(*element).into_iter().map(Misfit::in_list)),
        Shape::Object(members) => found.extend(members.iter().flat_map(member_misfits)),
        Shape::Content => found.extend(block_misfits().into_iter().map(Misfit::in_list)),
        _ => {}
    }
    found
}

fn member_misfits(member: &Member) -> Vec<Misfit> {
    misfits(member.shape).into_iter().map(|misfit| misfit.under(member.name)).collect()
}

fn block_misfits() -> Vec<Misfit> {
    let mut found = misfits(Shape::Object(&[]));
    found.extend(misfits(Shape::Text).into_iter().map(|misfit| misfit.under("type")));
    for tag in block_types() {
        let members = Block::members_of(tag).iter();
        found.extend(members.flat_map(member_misfits).map(|misfit| misfit.tagged(tag)));
    }
    found
}

#[test]
fn a_wrong_type_of_any_known_member_is_an_error_that_names_its_path() {
    let mut count = 0;
    for kind in Kind::ALL {
        for misfit in members_of(kind).flat_map(member_misfits) {
            let Misfit { value, path, expected } = misfit.tagged(kind.name());
            let error = Entry::read(&Raw::from_json(value.clone()).unwrap()).unwrap_err();
            assert_eq!((error.path.as_str(), &*error.expected), (path.as_str(), expected), "{value}");
            let said = serde_json::from_str::<Entry>(&value).unwrap_err().to_string();
            assert!(said.starts_with(&format!("`{path}` should be {expected}, not ")), "{said}");
            count += 1;
        }
    }
    assert!(count > 1_000, "only {count} misfits");
}

#[test]
fn a_wrong_type_of_any_known_member_of_a_block_is_an_error_that_names_its_path() {
    for Misfit { value, path, expected } in block_misfits() {
        let error = Block::read(&Raw::from_json(value.clone()).unwrap()).unwrap_err();
        assert_eq!((error.path.as_str(), &*error.expected), (path.as_str(), expected), "{value}");
    }
}

#[test]
fn errors_name_deep_places_and_show_what_was_found() {
    let read = |line: &str| Entry::read(&Raw::from_json(line.to_owned()).unwrap()).unwrap_err();
    let error =
        read(r#"{"type":"user","message":{"content":[{"type":"x"},{"type":"text","text":["long"]}]}}"#);
    let expected = FieldError {
        path: "message.content[1].text".into(),
        expected: "a string".into(),
        found: "array",
        shown: r#"["long"]"#.into(),
    };
    assert_eq!(error, expected);
    assert_eq!(error.to_string(), r#"`message.content[1].text` should be a string, not array: ["long"]"#);

    let places = [
        (r#"{"type":7}"#, "type"),
        (r#"{"type":"system","retractedMessageUuids":["a",null]}"#, "retractedMessageUuids[1]"),
        (r#"{"type":"user","message":{"content":[null]}}"#, "message.content[0]"),
        (
            r#"{"type":"assistant","message":{"usage":{"server_tool_use":{"web_fetch_requests":"0"}}}}"#,
            "message.usage.server_tool_use.web_fetch_requests",
        ),
        (
            r#"{"type":"system","compactMetadata":{"preservedMessages":{"uuids":["a",1]}}}"#,
            "compactMetadata.preservedMessages.uuids[1]",
        ),
    ];
    for (line, path) in places {
        assert_eq!(read(line).path, path);
    }
    assert_eq!(read("[]").path, "");
    assert_eq!(read("[]").to_string(), "the value should be an object, not array: []");
}

// Constants.

/// The texts as the wire has them.
const TEXTS: &[(&str, &str)] = &[
    (NO_CONTENT, "(no content)"),
    (SYNTHETIC_MODEL, "<synthetic>"),
    (constants::INTERRUPTION, "[Request interrupted by user]"),
    (constants::INTERRUPTION_FOR_TOOL_USE, "[Request interrupted by user for tool use]"),
    (
        constants::CANCEL,
        "The user doesn't want to take this action right now. STOP what you are doing and wait for \
         the user to tell you how to proceed.",
    ),
    (
        constants::REJECT,
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it \
         was a file edit, the new_string was NOT written to the file). STOP what you are doing and \
         wait for the user to tell you how to proceed.",
    ),
    (
        constants::REJECT_WITH_REASON_PREFIX,
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it \
         was a file edit, the new_string was NOT written to the file). To tell you how to proceed, \
         the user said:\n",
    ),
    (
        constants::SUBAGENT_REJECT,
        "Permission for this tool use was denied. The tool use was rejected (eg. if it was a file \
         edit, the new_string was NOT written to the file). Try a different approach or report the \
         limitation to complete your task.",
    ),
    (
        constants::SUBAGENT_REJECT_WITH_REASON_PREFIX,
        "Permission for this tool use was denied. The tool use was rejected (eg. if it was a file \
         edit, the new_string was NOT written to the file). The user said:\n",
    ),
    (
        constants::PLAN_REJECTION_PREFIX,
        "The agent proposed a plan that was rejected by the user. The user chose to stay in plan \
         mode rather than proceed with implementation.\n\nRejected plan:\n",
    ),
    (constants::NO_RESPONSE_REQUESTED, "No response requested."),
    (MISSING_TOOL_RESULT, "[Tool result missing due to internal error]"),
    (
        constants::GUIDANCE_BEGINNING,
        "IMPORTANT: You *may* attempt to accomplish this action using other tools that might \
         naturally be used to accomplish this goal",
    ),
];

#[test]
fn the_constants_are_exact() {
    for (constant, text) in TEXTS {
        assert_eq!(constant, text);
    }
    assert_eq!(constants::NO_CONTENT_BRACKETED, "[no content]");
}

#[test]
fn the_synthetic_texts_are_the_two_interruptions_cancel_reject_and_no_response() {
    let five = [
        constants::INTERRUPTION,
        constants::INTERRUPTION_FOR_TOOL_USE,
        constants::CANCEL,
        constants::REJECT,
        constants::NO_RESPONSE_REQUESTED,
    ];
    assert_eq!(SYNTHETIC_TEXTS, five);
}

#[test]
fn denials_share_one_guidance() {
    let guidance = constants::GUIDANCE;
    assert!(guidance.starts_with(constants::GUIDANCE_BEGINNING));
    assert_eq!(
        constants::automatic_denial("Bash"),
        format!("Permission to use Bash has been denied. {guidance}")
    );
    assert_eq!(
        constants::dont_ask_denial("mcp__a__b"),
        format!(
            "Permission to use mcp__a__b has been denied because Claude Code is running in don't ask mode. \
             {guidance}"
        )
    );
    let middle = "it deletes. If you have other tasks that don't depend on this action, continue working on \
                  those. ";
    assert_eq!(
        constants::classifier_denial("it deletes"),
        format!(
            "{}{middle}{guidance} {}",
            constants::CLASSIFIER_DENIAL_PREFIX,
            constants::CLASSIFIER_DENIAL_HINT
        )
    );
}

#[test]
fn both_forms_of_no_content_are_recognised_and_nothing_else() {
    assert!(constants::is_no_content("(no content)") && constants::is_no_content("[no content]"));
    assert!(!constants::is_no_content("") && !constants::is_no_content("(no content) "));
}

#[test]
fn the_usage_of_a_synthetic_message_is_the_whole_object_of_the_api() {
    let expected = concat!(
        r#"{"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"#,
        r#""server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":null,"#,
        r#""cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":0},"#,
        r#""inference_geo":null,"iterations":null,"speed":null}"#
    );
    assert_eq!(document(Usage::synthetic().write().get()), document(expected));
}

// Factories.

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
        factory.compact_summary("").into(),
        factory.assistant("").into(),
        factory.assistant(Vec::new()).into(),
        factory.assistant_api_error("").into(),
        factory.progress("t1", "t0", raw()).into(),
        factory.attachment(AttachmentBody::new("file", Fields::new())).into(),
        factory.hook_result("t1", "").into(),
    ];
    made.extend(systems(factory));
    made
}

/// One system message of each factory that is named after a subtype.
fn systems(factory: &mut Factory<'_, FixedContext>) -> Vec<Message> {
    let raw = || Raw::from("raw");
    vec![
        factory.informational("warning", "").into(),
        factory.local_command("").into(),
        factory.api_error(raw(), 1, 2, 3).into(),
        factory.compact_boundary(CompactMetadata::default(), Some("u9")).into(),
        factory.microcompact_boundary(MicrocompactMetadata::default()).into(),
        factory.memory_saved(vec!["a.md".into()]).into(),
        factory.stop_hook_summary(vec![raw()], vec![], true, Some("why")).into(),
        factory.turn_duration(1_234, 5).into(),
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
    assert!(
        Message::from(plain).is_synthetic_message() && Message::from(for_tool_use).is_synthetic_message()
    );
    let caveat = Message::from(factory.synthetic_caveat());
    assert!(caveat.is_meta() && !caveat.is_synthetic_message() && !caveat.is_human_turn());
}

#[test]
fn a_tool_result_holds_the_block_the_raw_output_and_its_source() {
    let mut context = FixedContext::new(3);
    let output = Raw::from_json(r#"{"stdout":"x","n":1.10}"#.to_owned()).unwrap();
    let mut factory = Factory::new(&mut context);
    let user = factory.with_uuid("u1").with_timestamp("t").tool_result(
        ToolResult::new("t1", "x", true),
        output,
        "a1",
    );
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
        factory.hook_result("t1", "ran").into(),
        r#"{"type":"hook_result","content":"ran","toolUseID":"t1"}"#,
    );
    written_as(
        factory.compact_summary("in short").into(),
        concat!(
            r#"{"type":"user","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"#,
            r#""message":{"role":"user","content":"in short"}}"#
        ),
    );
    written_as(
        factory.turn_duration(12, 3).into(),
        concat!(
            r#"{"type":"system","subtype":"turn_duration","level":"info","isMeta":false,"#,
            r#""durationMs":12,"messageCount":3}"#
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
fn an_api_error_is_a_synthetic_api_error() {
    let mut context = FixedContext::new(3);
    let mut error = Factory::new(&mut context).assistant_api_error("overloaded");
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
    let placeholders = factory.missing_tool_results(&history);
    let seen: Vec<(String, String, bool, String)> = placeholders.iter().map(describe).collect();
    let missing = |call: &str, source: &str| {
        (call.to_owned(), source.to_owned(), true, format!("\"{MISSING_TOOL_RESULT}\""))
    };
    assert_eq!(seen, [missing("t3", "a1"), missing("t2", "a2"), missing("t0", "a2")]);

    let all: Vec<Message> = history.into_iter().chain(placeholders.into_iter().map(Message::from)).collect();
    assert!(contains_placeholder(&all) && !contains_placeholder(&all[..3]));
    assert!(factory.missing_tool_results(&all).is_empty());
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

// Predicates.

fn message(json: &str) -> Message {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error} in {json}"))
}

#[test]
fn a_message_is_synthetic_when_its_first_block_is_one_of_the_five_texts() {
    let says = |kind: &str, content: String| {
        message(&format!(r#"{{"type":"{kind}","message":{{"content":{content}}}}}"#)).is_synthetic_message()
    };
    for text in SYNTHETIC_TEXTS {
        let token = Text::from(text).to_token();
        let block = format!(r#"{{"type":"text","text":{token}}}"#);
        let other = r#"{"type":"text","text":"other"}"#;
        for kind in ["user", "assistant"] {
            assert!(says(kind, format!("[{block}]")) && says(kind, format!("[{block},{other}]")));
            assert!(!says(kind, format!("[{other},{block}]")) && !says(kind, token.clone()));
            assert!(!says(kind, format!(r#"[{{"type":"thinking","text":{token}}}]"#)));
        }
        for kind in ["progress", "attachment"] {
            assert!(!says(kind, format!("[{block}]")));
        }
        let system = format!(r#"{{"type":"system","content":{token}}}"#);
        assert!(!message(&system).is_synthetic_message());
    }
    assert!(!says("user", "[]".into()) && !says("user", r#"[{"type":"text","text":" "}]"#.into()));
}

#[test]
fn chain_participants_are_the_kinds_that_are_persisted() {
    for (kind, links) in [
        ("user", true),
        ("assistant", true),
        ("system", true),
        ("attachment", true),
        ("hook_result", true),
        ("progress", false),
        ("grouped_tool_use", false),
    ] {
        assert_eq!(message(&format!(r#"{{"type":"{kind}"}}"#)).is_chain_participant(), links, "{kind}");
    }
}

#[test]
fn calls_belong_to_assistants_and_results_to_users() {
    for (kind, tag, is_call, is_result) in [
        ("user", "tool_result", false, true),
        ("assistant", "tool_use", true, false),
        ("user", "tool_use", false, false),
        ("assistant", "tool_result", false, false),
    ] {
        let blocks = format!(r#"[{{"type":"text","text":"a"}},{{"type":"{tag}"}}]"#);
        let message = message(&format!(r#"{{"type":"{kind}","message":{{"content":{blocks}}}}}"#));
        assert_eq!((message.has_tool_use(), message.is_tool_result()), (is_call, is_result), "{kind} {tag}");
    }
}

#[test]
fn a_human_turn_is_a_user_message_of_a_person() {
    assert!(message(r#"{"type":"user","message":{"content":"hi"}}"#).is_human_turn());
    for line in [
        r#"{"type":"assistant","message":{"content":"hi"}}"#,
        r#"{"type":"user","isMeta":true,"message":{"content":"hi"}}"#,
        r#"{"type":"user","isCompactSummary":true,"message":{"content":"hi"}}"#,
        r#"{"type":"user","toolUseResult":"x","message":{"content":"hi"}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result"}]}}"#,
    ] {
        assert!(!message(line).is_human_turn(), "{line}");
    }
}

#[test]
fn flags_are_read_from_the_envelope_and_the_subtype() {
    let user = message(
        r#"{"type":"user","isMeta":true,"isVirtual":true,"isSidechain":true,"isCompactSummary":true}"#,
    );
    assert!(user.is_meta() && user.is_virtual() && user.is_sidechain() && user.is_compact_summary());
    let user = message(r#"{"type":"user","isMeta":null,"isVirtual":false}"#);
    assert!(!user.is_meta() && !user.is_virtual() && !user.is_sidechain() && !user.is_compact_summary());
    assert!(message(r#"{"type":"system","subtype":"local_command"}"#).is_local_command());
    assert!(message(r#"{"type":"system","subtype":"microcompact_boundary"}"#).is_microcompact_boundary());
    assert!(!message(r#"{"type":"system","subtype":"microcompact_boundary"}"#).is_compact_boundary());
    assert!(!message(r#"{"type":"user","subtype":"compact_boundary"}"#).is_compact_boundary());
}

#[test]
fn a_placeholder_is_found_as_a_string_and_as_a_text_block_and_only_in_results() {
    let found = |content: &str| {
        contains_placeholder(&[message(&format!(r#"{{"type":"user","message":{{"content":{content}}}}}"#))])
    };
    let text = format!("\"{MISSING_TOOL_RESULT}\"");
    assert!(found(&format!(r#"[{{"type":"text"}},{{"type":"tool_result","content":{text}}}]"#)));
    assert!(found(&format!(r#"[{{"type":"tool_result","content":[{{"type":"text","text":{text}}}]}}]"#)));
    assert!(!found(&text) && !found(&format!(r#"[{{"type":"text","text":{text}}}]"#)));
    assert!(!found(r#"[{"type":"tool_result","content":{"odd":1}},{"type":"tool_result"}]"#));
    assert!(!found(&format!(r#"[{{"type":"tool_result","content":"so: {MISSING_TOOL_RESULT}"}}]"#)));
    assert!(!contains_placeholder(&[]));
}

// Normalized messages.

#[test]
fn a_normalized_message_is_of_five_kinds() {
    for kind in Kind::ALL {
        let Ok(message) = serde_json::from_str::<Message>(&format!(
            r#"{{"type":"{}","message":{{"content":[{{"type":"text"}}]}}}}"#,
            kind.name()
        )) else {
            continue;
        };
        let result = NormalizedMessage::try_from(message.clone());
        match kind {
            Kind::HookResult | Kind::GroupedToolUse => assert_eq!(result, Err(NotNormalized::Kind(kind))),
            _ => assert_eq!(result.map(Message::from), Ok(message)),
        }
    }
}

#[test]
fn a_normalized_message_holds_a_list_of_exactly_one_block() {
    for (kind, name) in [(Kind::User, "user"), (Kind::Assistant, "assistant")] {
        let normalized = |content: &str| {
            let line = format!(r#"{{"type":"{name}","message":{{"content":{content}}}}}"#);
            NormalizedMessage::try_from(message(&line)).map(NormalizedMessage::into_message).map(drop)
        };
        assert_eq!(normalized(r#"[{"type":"new"}]"#), Ok(()));
        assert_eq!(normalized("\"text\""), Err(NotNormalized::NoList(kind)));
        assert_eq!(normalized("null"), Err(NotNormalized::NoList(kind)));
        assert_eq!(normalized("[]"), Err(NotNormalized::Blocks { kind, count: 0 }));
        assert_eq!(normalized("[{},{}]"), Err(NotNormalized::Blocks { kind, count: 2 }));
    }
    let line = r#"{"type":"user","message":{"content":[{"type":"text","text":"\ud83d"}]}}"#;
    let normalized: NormalizedMessage = serde_json::from_str(line).unwrap();
    assert_eq!(serde_json::to_string(&normalized).unwrap(), line);
    assert!(serde_json::from_str::<NormalizedMessage>(r#"{"type":"user"}"#).is_err());
}

// Contexts.

/// Whether an id has the form of a version 4 UUID in lower case.
fn is_uuid_v4(id: &str) -> bool {
    let bytes = id.as_bytes();
    let dashes = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let form =
        bytes.iter().enumerate().all(|(at, &byte)| if dashes(at) { byte == b'-' } else { digit(byte) });
    bytes.len() == 36 && form && bytes[14] == b'4' && matches!(bytes[19], b'8' | b'9' | b'a' | b'b')
}

#[test]
fn a_fixed_context_gives_the_same_answers_for_the_same_seed() {
    let answers = |seed: u64| {
        let mut context = FixedContext::new(seed);
        (0..50).map(|_| (context.uuid(), context.now())).collect::<Vec<_>>()
    };
    assert_eq!(answers(7), answers(7));
    assert!(answers(7).iter().zip(answers(8)).all(|(one, other)| one.0 != other.0 && one.1 == other.1));
    assert!(answers(7).iter().all(|(id, _)| is_uuid_v4(id)));
    assert!(answers(7).windows(2).all(|pair| pair[0].1 < pair[1].1));
}

#[test]
fn ids_of_a_fixed_context_differ_in_the_part_that_derived_ids_keep() {
    let mut context = FixedContext::new(0);
    let kept: HashSet<String> = (0..10_000).map(|_| context.uuid()[..24].to_owned()).collect();
    assert_eq!(kept.len(), 10_000);
}

#[test]
fn the_clock_of_a_fixed_context_starts_and_steps_as_told() {
    let mut context = FixedContext::new(0).starting_at(0).with_step(61_000);
    assert_eq!([context.now(), context.now()], ["1970-01-01T00:00:00.000Z", "1970-01-01T00:01:01.000Z"]);
    let mut backwards = FixedContext::new(0).with_step(-1);
    backwards.now();
    assert_eq!(backwards.now(), "2024-12-31T23:59:59.999Z");
    let mut far = FixedContext::new(0).starting_at(i64::MAX).with_step(i64::MAX);
    assert_eq!((far.now(), far.now().len()), ("9999-12-30T22:00:00.999Z".to_owned(), 24));
}

#[test]
fn the_context_of_the_system_gives_the_time_in_milliseconds_and_fresh_ids() {
    let mut context = SystemContext;
    let now = context.now();
    assert_eq!((now.len(), &now[10..11], &now[19..20], &now[23..]), (24, "T", ".", "Z"));
    let (one, other) = (context.uuid(), context.uuid());
    assert!(is_uuid_v4(&one) && is_uuid_v4(&other) && one != other);
    let dynamic: &mut dyn Context = &mut context;
    assert!(Factory::new(dynamic).user("hi").envelope.uuid.is_present());
}

// Ids.

#[test]
fn a_derived_id_keeps_24_characters_and_counts_in_hex() {
    let parent = "01234567-89ab-4cde-8f01-23456789abcd";
    assert_eq!(derive_uuid(parent, 10).as_deref(), Ok("01234567-89ab-4cde-8f01-00000000000a"));
    assert_eq!(derive_uuid(parent, (1 << 48) - 1).as_deref(), Ok("01234567-89ab-4cde-8f01-ffffffffffff"));
    assert_eq!(derive_uuid(parent, 1 << 48), Err(DeriveError { index: 1 << 48 }));
    assert_eq!(derive_uuid(parent, u64::MAX), Err(DeriveError { index: u64::MAX }));
    assert_eq!(derive_uuid("", 1).as_deref(), Ok("000000000001"));
    assert_eq!(derive_uuid(&"é😀".repeat(20), 1).unwrap(), "é😀".repeat(12) + "000000000001");
}

#[test]
fn a_short_id_is_six_characters_in_base_36() {
    assert_eq!(short_id("ffffffff-ffff-4fff-8fff-ffffffffffff").as_deref(), Ok("e13wu1"));
    assert_eq!(short_id("FFFFFFFFFF").as_deref(), Ok("e13wu1"));
    assert_eq!(short_id("00000000-2400-4000-8000-000000000000").as_deref(), Ok("10"));
    assert_eq!(short_id("0123456789 and more"), short_id("01-2345-67-89"));
    for bad in ["", "u1", "123456789", "12345678-9g00", "\u{663}123456789"] {
        assert_eq!(short_id(bad), Err(ShortIdError { uuid: bad.to_owned() }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn derived_ids_of_one_parent_are_as_different_as_their_indexes(
        parent in prop::collection::vec(any::<char>(), 0..40),
        one in 0..1_u64 << 48,
        other in prop_oneof![0..300_u64, 0..1_u64 << 48],
    ) {
        let parent: String = parent.into_iter().collect();
        let derived = |index| derive_uuid(&parent, index).unwrap();
        prop_assert_eq!(derived(one) == derived(other), one == other);
        prop_assert_eq!(derived(one), derived(one));
        let kept: String = parent.chars().take(24).collect();
        prop_assert_eq!(derived(one), format!("{kept}{one:012x}"));
    }

    #[test]
    fn a_short_id_agrees_with_arithmetic(number in 0..1_u64 << 40) {
        let short = short_id(&format!("{number:010x}")).unwrap();
        let mut whole = number;
        while whole >= 36_u64.pow(6) {
            whole /= 36;
        }
        prop_assert_eq!(u64::from_str_radix(&short, 36).unwrap(), whole);
        prop_assert!(short.len() <= 6 && (short == "0" || !short.starts_with('0')));
    }
}
