//! *Legal* replies break no rule, in whatever form they come.

use serde_json::{Value, json};
use turnproof_rules::operation::{Reply, ReplyError, ReplyForm};

use super::{block, call, delta, end, found, input, legal, message, start, stop, stream, text, text_block};

const NONE: [&str; 0] = [];

#[test]
fn a_legal_stream_breaks_no_rule_in_any_form() {
    let events = legal();
    let sent = stream(&events);
    let lines = |events: &[Value]| events.iter().map(|event| format!("{event}\n")).collect::<String>();
    let wrapped: Vec<Value> = events.iter().map(|event| json!({"type": "stream_event", "event": event})).collect();
    for form in [
        sent.replace('\n', "\r\n"),
        sent.replace('\n', "\r"),
        format!("\u{FEFF}{sent}"),
        format!(": a comment\n\nid: 7\nretry: 10\n{sent}\n\n"),
        sent.replace(": ", ":"),
        lines(&events),
        lines(&wrapped),
        serde_json::to_string_pretty(&events).unwrap(),
        sent,
    ] {
        assert_eq!(found(&form), NONE, "{form}");
    }
}

#[test]
fn a_legal_message_and_an_error_break_no_rule() {
    assert_eq!(found(&message().to_string()), NONE);
    assert_eq!(found(&serde_json::to_string_pretty(&message()).unwrap()), NONE);
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    assert_eq!(found(&error.to_string()), NONE);
    assert_eq!(Reply::read(error.to_string().as_bytes()).unwrap().form, ReplyForm::Error);
    // An error ends a stream anywhere.
    for length in 0..legal().len() - 1 {
        let mut events = legal()[..length].to_vec();
        events.push(error.clone());
        assert_eq!(found(&stream(&events)), NONE, "{length}");
    }
}

#[test]
fn a_reply_that_was_cut_short_may_end_inside_its_last_block() {
    let last = json!({"type": "message_stop"});
    for reason in ["max_tokens", "refusal", "model_context_window_exceeded"] {
        let half = delta(0, input("{\"comm"));
        assert_eq!(
            found(&stream(&[start(), block(0, call()), half.clone(), stop(0), end(reason), last.clone()])),
            NONE
        );
        assert_eq!(found(&stream(&[start(), block(0, call()), half, end(reason), last.clone()])), NONE);
    }
}

#[test]
fn what_the_api_sends_now_and_then_is_legal() {
    let last = json!({"type": "message_stop"});
    let search = json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}});
    let result = json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []});
    let citation = json!({"type": "web_search_result_location", "cited_text": "a", "encrypted_index": "b",
        "title": null, "url": "https://example.com"});
    let events = [
        start(),
        block(0, search),
        delta(0, input("")),
        stop(0),
        block(1, result),
        stop(1),
        block(2, json!({"type": "text", "text": "", "citations": []})),
        delta(2, json!({"type": "citations_delta", "citation": citation})),
        delta(2, text("a")),
        stop(2),
        // Running totals may come more than once.
        json!({"type": "message_delta", "delta": {}, "usage": {"output_tokens": 3}}),
        end("pause_turn"),
        last.clone(),
    ];
    assert_eq!(found(&stream(&events)), NONE);
    // An empty reply, a call without input, and blocks that the message begins with.
    assert_eq!(found(&stream(&[start(), end("end_turn"), last.clone()])), NONE);
    assert_eq!(found(&stream(&[start(), block(0, call()), stop(0), end("tool_use"), last.clone()])), NONE);
    let mut begun = start();
    begun["message"]["content"] = json!([call()]);
    assert_eq!(found(&stream(&[begun, block(1, text_block()), stop(1), end("tool_use"), last])), NONE);
}

#[test]
fn what_is_no_reply_is_an_error() {
    let error = |text: &str| Reply::read(text.as_bytes()).map(|reply| reply.form).unwrap_err();
    assert!(matches!(error(""), ReplyError::Empty));
    assert!(matches!(error(" \n"), ReplyError::Empty));
    assert!(matches!(error("{"), ReplyError::Json(_)));
    assert!(matches!(error("<html>\n</html>\n"), ReplyError::Shape));
}
