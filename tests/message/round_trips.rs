//! How messages are written back.

use super::*;

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
        let line =
            format!(r#"{{"type":"assistant","message":{{"usage":{{"input_tokens":{number}}}}},"new":{number}}}"#);
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
fn of_a_repeated_key_the_last_value_is_kept() {
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
        let in_list =
            !matches!(kind, Kind::Tombstone | Kind::ToolUseSummary | Kind::StreamEvent | Kind::StreamRequestStart);
        assert_eq!(serde_json::from_str::<Message>(&line).is_ok(), in_list, "{kind:?}");
    }
    assert!(serde_json::from_str::<Event>(r#"{"type":"summary"}"#).is_err());
    assert!(serde_json::from_str::<Event>(r#"{"type":"of-tomorrow"}"#).is_err());
}

#[test]
fn older_names_are_read_as_aliases_and_stay_as_they_were_written() {
    let system = r#"{"type":"system","message":"said"}"#;
    let system = round_trip(system).into_message().unwrap();
    assert_eq!(system.as_system().and_then(|system| system.text()).map(Text::as_str), Some("said"));

    let Some(Message::Progress(progress)) = round_trip(r#"{"type":"progress","progress":{"type":"p"}}"#).into_message()
    else {
        panic!("progress")
    };
    assert_eq!(progress.output().map(Raw::get), Some(r#"{"type":"p"}"#));

    let line = r#"{"type":"tool_use_summary","toolUseIds":["t1"]}"#;
    let Entry::Event(Event::ToolUseSummary(summary)) = round_trip(line) else { panic!("a summary") };
    assert_eq!(summary.calls(), [Text::from("t1")]);
}

#[test]
fn the_present_name_takes_precedence_over_the_older_one() {
    let system: Message = serde_json::from_str(r#"{"type":"system","message":"old","content":"new"}"#).unwrap();
    assert_eq!(system.as_system().and_then(|system| system.text()).map(Text::as_str), Some("new"));
    let progress = Progress { data: Raw::from(1 == 1).into(), progress: Raw::from("old").into(), ..<_>::default() };
    assert_eq!(progress.output().map(Raw::get), Some("true"));
    let summary = ToolUseSummary {
        preceding_tool_use_ids: vec![Text::from("new")].into(),
        tool_use_ids: vec![Text::from("old")].into(),
        ..<_>::default()
    };
    assert_eq!(summary.calls(), [Text::from("new")]);
}
