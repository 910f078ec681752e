//! Steps 6 and 7: what happens to messages and their *blocks* before they are turns.

use serde_json::{Value, json};

use crate::exhaustive::naive::{Turn, is_blank, regroup_replies, tidy_blocks};

use super::{call, result, text};

fn line(reply: &str, words: &str) -> Turn {
    Turn { reply: Some(reply.into()), ..Turn::assistant(vec![text(words)]) }
}

#[test]
fn lines_of_one_reply_become_one_message_at_the_place_of_the_first() {
    let turns = vec![line("m1", "1"), Turn::user(vec![text("2")]), line("m2", "3"), line("m1", "4")];
    let whole = Turn { reply: Some("m1".into()), ..Turn::assistant(vec![text("1"), text("4")]) };
    assert_eq!(regroup_replies(turns), [whole, Turn::user(vec![text("2")]), line("m2", "3")]);
}

#[test]
fn messages_of_no_reply_stay_apart() {
    let turns = vec![Turn::assistant(vec![text("1")]), Turn::user(vec![]), Turn::assistant(vec![text("2")])];
    assert_eq!(regroup_replies(turns.clone()), turns);
}

/// What is left of a block in a turn of this role.
fn tidied(turn: fn(Vec<Value>) -> Turn, block: Value) -> Option<Value> {
    tidy_blocks(vec![turn(vec![block])]).remove(0).blocks.pop()
}

#[test]
fn a_role_carries_only_what_it_may() {
    let source = json!({"type": "image", "source": {"type": "url", "url": "a"}});
    let thinking = json!({"type": "thinking", "thinking": "", "signature": "s"});
    let server = json!({"type": "mcp_tool_result", "tool_use_id": "m"});
    for block in [call("c"), thinking, server, json!({"type": "redacted_thinking", "data": "d"})] {
        assert_eq!(tidied(Turn::user, block.clone()), None);
        assert_eq!(tidied(Turn::assistant, block.clone()), Some(block));
    }
    for block in [result("c", "r"), source, json!({"type": "document", "source": {"type": "url", "url": "a"}})] {
        assert_eq!(tidied(Turn::assistant, block.clone()), None);
        assert_eq!(tidied(Turn::user, block.clone()), Some(block));
    }
    for turn in [Turn::user, Turn::assistant] {
        let unknown = json!({"type": "of_tomorrow", "id": 7});
        assert_eq!(tidied(turn, unknown.clone()), Some(unknown));
    }
}

#[test]
fn a_block_that_lacks_what_its_type_requires_goes() {
    for block in [
        json!({}),
        json!(7),
        json!("text"),
        json!({"type": ""}),
        json!({"type": 1}),
        json!({"type": "text"}),
        json!({"type": "text", "text": null}),
        text(" \u{FEFF}\u{1C}\u{1F}\u{A0}\u{2028}"),
        json!({"type": "tool_use", "name": "A", "input": {}}),
        json!({"type": "tool_use", "id": "c", "name": "", "input": {}}),
        json!({"type": "server_tool_use", "id": 1, "name": "A"}),
        json!({"type": "mcp_tool_use", "id": "m"}),
        json!({"type": "web_search_tool_result", "tool_use_id": null}),
        json!({"type": "thinking", "thinking": "t"}),
        json!({"type": "thinking", "thinking": "t", "signature": ""}),
        json!({"type": "thinking", "signature": "s"}),
        json!({"type": "redacted_thinking", "data": ""}),
    ] {
        assert_eq!(tidied(Turn::assistant, block.clone()), None, "{block}");
    }
    for block in [
        json!({"type": "tool_result", "content": "r"}),
        json!({"type": "image"}),
        json!({"type": "document", "source": null}),
    ] {
        assert_eq!(tidied(Turn::user, block.clone()), None, "{block}");
    }
}

#[test]
fn a_block_with_empty_but_present_parts_stays() {
    for block in [text("\u{1B}"), text("\u{200B}"), call("")] {
        assert_eq!(tidied(Turn::assistant, block.clone()), Some(block));
    }
    assert!(is_blank("") && is_blank("\u{85}\u{3000}") && !is_blank(" a "));
}

#[test]
fn a_result_has_no_blank_text_inside_and_no_empty_list() {
    let with_content = |content: Value| json!({"type": "tool_result", "tool_use_id": "c", "content": content});
    let without_content = json!({"type": "tool_result", "tool_use_id": "c"});
    let image = json!({"type": "image", "source": {"type": "file", "file_id": "f"}});
    for empty in [json!([]), json!([text(" "), {"type": "text"}]), Value::Null] {
        assert_eq!(tidied(Turn::user, with_content(empty)), Some(without_content.clone()));
    }
    let mixed = with_content(json!([text(""), text("a"), image]));
    assert_eq!(tidied(Turn::user, mixed), Some(with_content(json!([text("a"), image]))));
    let media = |kind: &str, media_type: &str| json!({"type": kind, "source": {"type": "base64", "media_type": media_type, "data": ""}});
    let unknown = json!([{"type": "image"}, media("image", "image/svg+xml"), media("document", "text/html")]);
    assert_eq!(tidied(Turn::user, with_content(unknown)), Some(without_content));
    for kept in [json!(""), json!([media("image", "image/webp"), media("document", "application/pdf")])] {
        assert_eq!(tidied(Turn::user, with_content(kept.clone())), Some(with_content(kept)));
    }
}

#[test]
fn a_member_of_another_type_is_missing() {
    let result = |is_error: Value| json!({"type": "tool_result", "tool_use_id": "c", "is_error": is_error});
    let bare = json!({"type": "tool_result", "tool_use_id": "c"});
    for (is_error, expected) in [(json!("no"), &bare), (json!(1), &bare), (json!(true), &result(json!(true)))] {
        assert_eq!(tidied(Turn::user, result(is_error)).as_ref(), Some(expected));
    }
    let document = json!({"type": "document", "source": {"type": "url", "url": "a"}});
    let titled = json!({"type": "document", "source": {"type": "url", "url": "a"}, "title": 7, "context": ["a"]});
    assert_eq!(tidied(Turn::user, titled), Some(document));
    assert_eq!(tidied(Turn::user, json!({"type": "image", "source": "a.png"})), None);
}

#[test]
fn inputs_become_objects() {
    let named = |type_name: &str| match type_name {
        "mcp_tool_use" => json!({"type": type_name, "id": "i", "name": "A", "server_name": "s"}),
        _ => json!({"type": type_name, "id": "i", "name": "A"}),
    };
    let call_with = |type_name: &str, input: Value| {
        let mut call = named(type_name);
        call["input"] = input;
        call
    };
    for input in [json!([1]), json!("s"), json!(null), json!(false)] {
        let expected = call_with("tool_use", json!({ "input": input }));
        assert_eq!(tidied(Turn::assistant, call_with("tool_use", input)), Some(expected));
    }
    for type_name in ["tool_use", "server_tool_use", "mcp_tool_use"] {
        assert_eq!(tidied(Turn::assistant, named(type_name)), Some(call_with(type_name, json!({}))));
    }
    let server = call_with("server_tool_use", json!([1]));
    assert_eq!(tidied(Turn::assistant, server), Some(call_with("server_tool_use", json!({"input": [1]}))));
}

#[test]
fn the_clients_own_members_go_from_blocks_and_from_results_inside() {
    let block =
        json!({"type": "text", "text": "t", "uuid": 1, "_x": 1, "aB": 1, "cache_control": {"type": "ephemeral"}});
    let expected = json!({"type": "text", "text": "t", "cache_control": {"type": "ephemeral"}});
    assert_eq!(tidied(Turn::user, block), Some(expected));
    let inner = json!([{"type": "image", "source": {"type": "file", "file_id": "f", "fileName": "f"}, "slug": "s", "cwd": "c"}, 7]);
    let block = json!({"type": "tool_result", "tool_use_id": "c", "content": inner, "timestamp": "t", "origin": 1});
    let expected = json!([{"type": "image", "source": {"type": "file", "file_id": "f"}}]);
    assert_eq!(
        tidied(Turn::user, block),
        Some(json!({"type": "tool_result", "tool_use_id": "c", "content": expected}))
    );
}
