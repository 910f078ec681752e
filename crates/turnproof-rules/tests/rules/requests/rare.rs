//! What is *rare* in requests: each case distinguishes a branch of a rule from its absence.

use serde_json::{Value, json};
use turnproof_rules::operation::Host;
use turnproof_rules::rules::find;

use super::{assistant, body, call, image_of, judge, request, result, search, system, text, thinking, turns, user};

/// Whether a request breaks the rule with this id.
fn breaks(id: &str, host: Host, value: Value) -> bool {
    !judge(find(id).expect("there"), &request(value), host).is_empty()
}

/// The head of an image of one pixel in each format that hosts take.
const HEADS: [(&str, &str); 3] = [
    ("image/gif", "R0lGODlhAQABAIAAAAAAAAAAAAAAAAAAAAA="),
    ("image/webp", "UklGRhYAAABXRUJQVlA4WAoAAAAAAAAAAAAAAAAA"),
    ("image/jpeg", "/9j/4AAQSkZJRgABAQAAAQABAAD/wAALCAABAAEBAREA/9k="),
];

#[test]
fn an_image_may_have_any_format_that_hosts_take_and_says_which() {
    for (format, head) in HEADS {
        let is_broken = |said: &str| breaks("api/media-limits", Host::Portable, turns(json!([[image_of(said, head)]])));
        assert!(!is_broken(format), "{format}");
        assert!(is_broken("image/png"), "{format}");
    }
}

#[test]
fn only_a_turn_of_the_system_without_content_gives_directions() {
    let is_broken = |turns: Value| breaks("api/system-turns", Host::Anthropic, turns);
    let directing = |mut turn: Value| {
        turn["output_config"] = json!({"effort": "low"});
        turn
    };
    let behind = |turn: Value| json!([turn, user("a".into()), assistant("b".into()), user("c".into())]);
    assert!(!is_broken(behind(directing(system(json!([]))))));
    assert!(is_broken(behind(system(json!([])))));
    assert!(is_broken(behind(directing(system("d".into())))));
    // A turn of the user stays one.
    let system_second = |first: Value| json!([first, system("b".into()), assistant("c".into())]);
    assert!(!is_broken(system_second(directing(user("a".into())))));
    assert!(!is_broken(system_second(directing(user(json!([]))))));
}

#[test]
fn a_reply_that_ends_with_a_tool_of_the_server_may_go_on() {
    let ends = |last: Value| {
        let messages = json!([user("a".into()), assistant(json!([last]))]);
        breaks("api/ends-with-user", Host::Portable, body(json!({"model": "claude-opus-4-6", "messages": messages})))
    };
    assert!(ends(text("b")));
    assert!(ends(call("t1")));
    assert!(!ends(search("srvtoolu_1")));
    assert!(!ends(super::found("srvtoolu_1")));
}

#[test]
fn blocks_of_types_that_nobody_knows_have_no_members_of_the_client_either() {
    let is_broken = |block: Value| breaks("api/no-internal-fields", Host::Portable, turns(json!([[block]])));
    assert!(!is_broken(json!({"type": "of_tomorrow", "words": "a"})));
    assert!(is_broken(json!({"type": "of_tomorrow", "isMeta": true})));
}

#[test]
fn a_reply_without_thinking_is_reported_where_no_reply_has_any() {
    let is_broken = |contents: Value| {
        let members = json!({"thinking": {"type": "enabled", "budget_tokens": 1024}, "messages": turns(contents)});
        breaks("thinking/leads-tool-use", Host::Portable, body(members))
    };
    assert!(is_broken(json!(["a", [text("b")], "c", [call("t1")], [result("t1")]])));
    // The client keeps thinking, so this reply had none.
    assert!(!is_broken(json!(["a", [thinking(), text("b")], "c", [call("t1")], [result("t1")]])));
    assert!(!is_broken(json!(["a", [thinking(), call("t0")], [result("t0")], [call("t1")], [result("t1")]])));
    assert!(!is_broken(json!(["a", [call("t1")], [result("t1")], [text("b"), call("t2")], "c"])));
}
