//! What is *attached* to a conversation on its page: reminders, hooks and decisions at their calls, and pictures.

use serde_json::{Value, json};

use super::{harmless, is_picture, lines, page};
use crate::markup::Element;

/// Records of one chain, a line each.
pub(super) fn chain(records: &[Value]) -> String {
    let line = |(at, record): (usize, &Value)| {
        let mut record = record.clone();
        record["uuid"] = json!(format!("u{at}"));
        record["parentUuid"] = if at == 0 { Value::Null } else { json!(format!("u{}", at - 1)) };
        record["sessionId"] = json!("s");
        if record.get("timestamp").is_none() {
            record["timestamp"] = json!("2026-01-01T00:00:00.000Z");
        }
        record.to_string() + "\n"
    };
    records.iter().enumerate().map(line).collect()
}

pub(super) fn user(content: Value) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": content}})
}

pub(super) fn reply(content: Value) -> Value {
    json!({"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": content}})
}

/// Texts that would leave their place in a page or in a document, or turn what stands around them.
pub(super) const HOSTILE: &str =
    "</details></div><script>alert(1)</script><img src=x onerror=alert(1)>`````\u{202e}\u{200f}\u{1b}[31m\r\n````\n";

fn reminder(sort: &str, text: &str) -> Value {
    json!({"type": "attachment", "attachment": {"type": sort, "text": text}, "rendered": [{"content": text}],
        "renderedRole": "system"})
}

fn of<'a>(elements: &'a [Element], class: &str) -> Vec<&'a Element> {
    elements.iter().filter(|element| element.is(class)).collect()
}

#[test]
fn reminders_between_messages_are_folded_and_hold_what_was_sent() {
    let session = chain(&[
        user(json!("hi")),
        reminder("date", "It is Friday."),
        reminder(HOSTILE, HOSTILE),
        json!({"type": "attachment", "attachment": {"type": "session_context", "context": {}}}),
        reply(json!([{"type": "text", "text": "hello"}])),
    ]);
    let text = page("s.jsonl", &session);
    let elements = harmless(&text);
    let folded = of(&elements, "reminders");
    assert_eq!(folded.len(), 1);
    let of_model = |element: &&Element| element.name == "summary" && element.text.starts_with("what the model");
    let summary = elements.iter().find(of_model).unwrap();
    assert!(summary.text.starts_with("what the model was sent: date, </details>"), "{}", summary.text);
    assert!(summary.text.ends_with("noted: session_context"), "{}", summary.text);
    assert!(folded[0].text.contains("It is Friday.") && folded[0].text.contains("sent as system"));
    assert!(!text.contains(['\u{202e}', '\u{200f}', '\u{1b}', '\r']));
    assert_eq!(lines(&elements, "conversation"), [1, 2, 3, 4, 5]);
}

#[test]
fn hooks_and_decisions_are_at_their_calls() {
    let call = |id: &str| reply(json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}]));
    let mut denied = user(json!([{"type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": true}]));
    denied["toolDenialKind"] = json!("user-rejected");
    denied["permissionDecision"] =
        json!({"decision": "reject", "source": "hook", "reasonType": "hook", "reasonCode": "hook:PreToolUse"});
    let hook = json!({"type": "attachment", "attachment": {"type": "hook_blocking_error", "hookName": "PostToolUse:Bash",
        "toolUseID": "t1", "blockingError": {"blockingError": HOSTILE, "command": "lint"}}});
    let elements = harmless(&page("s.jsonl", chain(&[user(json!("hi")), call("t1"), denied, hook])));
    let beside = of(&elements, "hook");
    assert_eq!(beside.len(), 1);
    assert!(
        beside[0].is("stops") && beside[0].text.contains("hook PostToolUse:Bash") && beside[0].text.contains("lint")
    );
    let call = elements.iter().find(|element| element.attributes.get("id").is_some_and(|id| id == "L2")).unwrap();
    assert!(call.text.contains("denied: user-rejected (hook:PreToolUse)"), "{}", call.text);
    assert!(call.text.contains("</details></div><script>"), "{}", call.text);
    // It is shown once.
    assert!(of(&elements, "reminders").is_empty());
}

#[test]
fn pictures_of_plain_types_are_shown_and_others_are_named_with_their_size() {
    let picture = |kind: &str, data: &str| json!({"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}});
    let shown = |blocks: Value| {
        let elements = harmless(&page("s.jsonl", chain(&[user(blocks)])));
        let pictures = elements.iter().filter(|element| element.name == "img");
        assert!(pictures.clone().all(|picture| is_picture(&picture.attributes["src"])));
        (pictures.count(), elements.into_iter().find(|element| element.name == "main").unwrap().text)
    };
    assert_eq!(shown(json!([picture("image/png", "iVBORw0KGgo="), picture("image/webp", "AAAA")])).0, 2);
    for (kind, data) in [
        ("image/svg+xml", "AAAA".to_owned()),
        ("image/png", "\"><script>".to_owned()),
        ("image/png;x", "AAAA".to_owned()),
        ("image/png", "A".repeat(1_400_004)),
        ("image/png", String::new()),
    ] {
        let (count, text) = shown(json!([picture(kind, &data)]));
        assert_eq!(count, 0, "{kind}");
        assert!(text.contains(kind) && text.contains("byte"), "{text}");
    }
    let (count, text) = shown(json!({"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}));
    assert_eq!(count, 0, "{text}");
    // All of them together have an end, too.
    let many = vec![picture("image/gif", &"A".repeat(1_000_000)); 5];
    let (count, text) = shown(json!(many));
    assert_eq!((count, text.matches("of about 750,000 bytes").count()), (3, 5));
}
