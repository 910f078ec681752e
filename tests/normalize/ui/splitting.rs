//! Splitting: one message a block, with ids that never change.

use serde_json::{Value, json};
use turnproof_reference::message::NormalizedMessage;
use turnproof_reference::normalize::ui::normalize_for_ui;

use super::{list, shown, text, uuids};

const A: &str = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
const B: &str = "bbbbbbbb-bbbb-4ccc-8ddd-eeeeeeeeeeee";
const C: &str = "cccccccc-bbbb-4ccc-8ddd-eeeeeeeeeeee";

fn split(messages: Value) -> Value {
    shown(&normalize_for_ui(list(messages)))
}

fn user(uuid: &str, content: Value) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": content}})
}

fn assistant(uuid: &str, content: Value) -> Value {
    json!({"type": "assistant", "uuid": uuid, "message": {"id": "msg_1", "content": content}})
}

fn blocks(texts: &[&str]) -> Value {
    Value::from_iter(texts.iter().map(|text| json!({"type": "text", "text": text})))
}

#[test]
fn each_block_gets_a_message_of_its_own_with_all_other_fields() {
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}});
    let whole = json!({
        "type": "assistant", "uuid": A, "parentUuid": null, "requestId": "req_1", "novelty": [1.10],
        "message": {"id": "msg_1", "model": "m", "usage": {"input_tokens": 3}, "content": [
            {"type": "text", "text": "one"}, {"type": "novel", "payload": 2}, call,
        ]},
    });
    let part = |index: usize| {
        let mut part = whole.clone();
        part["uuid"] = json!(format!("aaaaaaaa-bbbb-4ccc-8ddd-00000000000{index}"));
        part["message"]["content"] = json!([whole["message"]["content"][index]]);
        part
    };
    assert_eq!(split(json!([whole])), json!([part(0), part(1), part(2)]));
}

#[test]
fn a_string_becomes_one_text_block_for_users_and_assistants() {
    for wrap in [user, assistant] {
        assert_eq!(split(json!([wrap(A, json!("words"))])), json!([wrap(A, blocks(&["words"]))]));
        assert_eq!(split(json!([wrap(A, json!(""))])), json!([wrap(A, blocks(&[""]))]));
    }
}

#[test]
fn other_kinds_pass_unchanged() {
    let others = json!([
        {"type": "system", "uuid": A, "subtype": "informational", "content": "a"},
        {"type": "attachment", "uuid": A, "attachment": {"type": "file"}},
        {"type": "hook_result", "uuid": A, "content": "a"},
        {"type": "progress", "uuid": A, "data": {"type": "bash_progress"}},
        {"type": "grouped_tool_use", "uuid": A, "messages": [], "results": []},
    ]);
    assert_eq!(split(others.clone()), others);
    // After a split too: only users and assistants get derived ids.
    let mut after = others.as_array().unwrap().clone();
    after.insert(0, user(B, blocks(&["one", "two"])));
    let after = split(Value::Array(after));
    assert_eq!(after.as_array().unwrap()[2..], others.as_array().unwrap()[..]);
}

#[test]
fn ids_are_kept_until_the_first_message_with_more_than_one_block_and_derived_from_it_on() {
    let messages = list(json!([
        user(A, blocks(&["alone"])),
        text(B, "alone"),
        assistant(C, blocks(&["one", "two"])),
        user(A, blocks(&["alone"])),
        text(B, "alone"),
        assistant(B, blocks(&["alone"])),
        user(A, blocks(&["one", "two"])),
        text(B, "alone"),
    ]));
    let expected = [
        A,
        B,
        "cccccccc-bbbb-4ccc-8ddd-000000000000",
        "cccccccc-bbbb-4ccc-8ddd-000000000001",
        "aaaaaaaa-bbbb-4ccc-8ddd-000000000000",
        "bbbbbbbb-bbbb-4ccc-8ddd-000000000000",
        "bbbbbbbb-bbbb-4ccc-8ddd-000000000000",
        "aaaaaaaa-bbbb-4ccc-8ddd-000000000000",
        "aaaaaaaa-bbbb-4ccc-8ddd-000000000001",
        "bbbbbbbb-bbbb-4ccc-8ddd-000000000000",
    ];
    assert_eq!(uuids(&normalize_for_ui(messages)), expected);
}

#[test]
fn the_index_in_an_id_is_written_in_hexadecimal() {
    let words: Vec<String> = (0..18).map(|number| number.to_string()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let parts = normalize_for_ui(list(json!([user(A, blocks(&words))])));
    assert_eq!(parts.len(), 18);
    assert_eq!(parts[9].uuid(), Some("aaaaaaaa-bbbb-4ccc-8ddd-000000000009"));
    assert_eq!(parts[10].uuid(), Some("aaaaaaaa-bbbb-4ccc-8ddd-00000000000a"));
    assert_eq!(parts[17].uuid(), Some("aaaaaaaa-bbbb-4ccc-8ddd-000000000011"));
}

#[test]
fn a_message_without_a_uuid_gets_no_uuid() {
    let mut none = user(A, blocks(&["one", "two"]));
    none["uuid"] = Value::Null;
    let parts = split(json!([none]));
    assert_eq!(parts.as_array().unwrap().len(), 2);
    assert!(parts[0]["uuid"].is_null() && parts[1]["uuid"].is_null());
    none.as_object_mut().unwrap().remove("uuid");
    let parts = split(json!([none]));
    assert_eq!(parts[0].get("uuid").or(parts[1].get("uuid")), None);
}

#[test]
fn a_message_without_blocks_gives_nothing() {
    let empty = json!([
        user(A, json!([])),
        user(A, Value::Null),
        {"type": "user", "uuid": A, "message": {"role": "user"}},
        {"type": "user", "uuid": A, "message": null},
        {"type": "user", "uuid": A},
        assistant(A, json!([])),
        assistant(A, Value::Null),
        {"type": "assistant", "uuid": A, "message": {"id": "msg_1"}},
        {"type": "assistant", "uuid": A},
    ]);
    assert_eq!(split(empty), json!([]));
    // It is no message with more than one block either.
    assert_eq!(uuids(&normalize_for_ui(list(json!([user(A, json!([])), text(B, "a")])))), [B]);
}

#[test]
fn ids_of_pasted_images_go_one_by_one_to_the_image_blocks() {
    let image = |data: &str| json!({"type": "image", "source": {"type": "base64", "data": data}});
    let paste = |ids: Value| {
        let said = json!({"type": "text", "text": "look"});
        let mut message = user(A, json!([image("a"), said, image("b"), said, image("c")]));
        message["imagePasteIds"] = ids;
        let parts = split(json!([message]));
        let parts = parts.as_array().unwrap();
        parts.iter().map(|part| part.get("imagePasteIds").cloned()).collect::<Vec<_>>()
    };
    let (seven, text) = (Some(json!([7])), None);
    assert_eq!(
        paste(json!([7, "x", 9])),
        [seven.clone(), text.clone(), Some(json!(["x"])), text.clone(), Some(json!([9]))]
    );
    // Too few, and too many.
    assert_eq!(paste(json!([7])), [seven.clone(), None, None, None, None]);
    assert_eq!(paste(json!([7, 7, 7, 7])), [seven.clone(), None, seven.clone(), None, seven]);
    assert_eq!(paste(json!([])), [const { None }; 5]);
    // A null is no list: it is carried as all other fields are.
    assert_eq!(paste(Value::Null), [const { Some(Value::Null) }; 5]);
}

#[test]
fn a_single_block_has_the_id_of_its_image_and_text_has_no_id() {
    let mut image = user(A, json!([{"type": "image", "source": {"type": "url", "url": "u"}}]));
    image["imagePasteIds"] = json!([3]);
    assert_eq!(split(json!([image])), json!([image]));
    let mut words = user(A, blocks(&["words"]));
    words["imagePasteIds"] = json!([3]);
    assert_eq!(split(json!([words])), json!([user(A, blocks(&["words"]))]));
}

#[test]
fn what_an_assistant_has_under_the_name_of_pasted_images_is_on_every_part() {
    let mut message = assistant(A, json!([{"type": "image"}, {"type": "text", "text": "a"}]));
    message["imagePasteIds"] = json!([1]);
    let parts = split(json!([message]));
    assert_eq!(parts[0]["imagePasteIds"], json!([1]));
    assert_eq!(parts[1]["imagePasteIds"], json!([1]));
}

#[test]
fn what_is_split_is_normalized() {
    let messages = list(json!([assistant(A, blocks(&["one", "two"])), text(B, "three")]));
    for message in normalize_for_ui(messages) {
        assert!(NormalizedMessage::try_from(message).is_ok());
    }
}
