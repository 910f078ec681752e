//! *Predicates*: what can be asked of messages and of normalized messages.

use super::*;

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
    for content in [r#""hi""#, r#""[Request interrupted by user]""#, r#"[{"type":"text","text":"What is [Request"}]"#] {
        let line = format!(r#"{{"type":"user","message":{{"content":{content}}}}}"#);
        assert!(message(&line).is_human_turn(), "{line}");
    }
    for line in [
        r#"{"type":"assistant","message":{"content":"hi"}}"#,
        r#"{"type":"user","isMeta":true,"message":{"content":"hi"}}"#,
        r#"{"type":"user","isCompactSummary":true,"message":{"content":"hi"}}"#,
        r#"{"type":"user","toolUseResult":"x","message":{"content":"hi"}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result"}]}}"#,
        r#"{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}"#,
    ] {
        assert!(!message(line).is_human_turn(), "{line}");
    }
}

#[test]
fn flags_are_read_from_the_envelope_and_the_subtype() {
    let user = message(r#"{"type":"user","isMeta":true,"isVirtual":true,"isSidechain":true,"isCompactSummary":true}"#);
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
            _ => assert_eq!(result.map(NormalizedMessage::into_message), Ok(message)),
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
