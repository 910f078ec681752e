//! Replies of *other APIs* are named as such, in one finding.

use serde_json::json;

use super::found;

#[test]
fn a_reply_of_another_api_breaks_the_rule_on_framing_alone() {
    let chunk = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}}]});
    let completion = json!({"id": "chatcmpl-1", "object": "chat.completion", "choices": []});
    let converse = json!({"output": {"message": {"role": "assistant", "content": []}}, "stopReason": "end_turn"});
    let error = json!({"error": {"message": "no", "type": "invalid_request_error", "param": null, "code": null}});
    for (text, expected) in [
        (format!("data: {chunk}\n\ndata: {chunk}\n\ndata: [DONE]\n\n"), "openai-chunks at event 1 (line 1)"),
        (format!("data: {chunk}\n\n"), "openai-chunks at event 1 (line 1)"),
        (format!("{chunk}\n{chunk}\n"), "openai-chunks at event 1 (line 1)"),
        (completion.to_string(), "openai-completion at message"),
        (converse.to_string(), "converse at message"),
        (error.to_string(), "openai-error at message"),
        ("{}".to_owned(), "no-message at message"),
        (r#"{"type":"assistant"}"#.to_owned(), "no-message at message"),
    ] {
        assert_eq!(found(&text), [format!("reply/framing {expected}")], "{text}");
    }
}
