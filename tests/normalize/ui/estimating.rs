//! Estimates of tokens, at the limits of each estimate.

use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof_reference::message::Block;
use turnproof_reference::normalize::{estimate_block_tokens, estimate_tokens};

use super::{list, text};

fn tokens(block: Value) -> u64 {
    estimate_block_tokens(&serde_json::from_str::<Block>(&block.to_string()).expect("a block"))
}

/// An encoder of Base64 of our own, since the decoder is what is tested.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let number = chunk.iter().fold(0u32, |number, &byte| number << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

fn image(bytes: &[u8]) -> Value {
    json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64(bytes)}})
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\x06\0\0\0\0\0\0\0");
    bytes
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    [b"GIF89a", &width.to_le_bytes()[..], &height.to_le_bytes(), &[0; 8]].concat()
}

/// A JPEG with so many bytes of metadata before its size.
fn jpeg(width: u16, height: u16, metadata: u16) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xD8, 0xFF, 0xE1];
    bytes.extend((metadata + 2).to_be_bytes());
    bytes.extend(vec![0; usize::from(metadata)]);
    bytes.extend([0xFF, 0xC0, 0, 17, 8]);
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes.extend([3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
    bytes
}

/// A lossy WebP.
fn webp(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"RIFF\x20\0\0\0WEBPVP8 \x14\0\0\0\0\0\0\x9d\x01\x2a".to_vec();
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend([0; 12]);
    bytes
}

#[test]
fn text_and_thinking_cost_their_bytes_divided_by_four_and_rounded_up() {
    for (text, expected) in [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("漢字", 2), ("12345678", 2)] {
        assert_eq!(tokens(json!({"type": "text", "text": text})), expected, "{text}");
        assert_eq!(tokens(json!({"type": "thinking", "thinking": text, "signature": "long".repeat(9)})), expected);
    }
    assert_eq!(tokens(json!({"type": "text"})), 0);
    assert_eq!(tokens(json!({"type": "thinking", "thinking": null})), 0);
}

#[test]
fn a_call_costs_twenty_and_its_input() {
    for kind in ["tool_use", "server_tool_use"] {
        assert_eq!(tokens(json!({"type": kind, "id": "toolu_1", "name": "Bash", "input": {}})), 21);
        assert_eq!(tokens(json!({"type": kind, "id": "toolu_1", "name": "Bash", "input": {"a": 1}})), 22);
        assert_eq!(tokens(json!({"type": kind, "name": "Bash"})), 20);
    }
}

#[test]
fn a_result_costs_ten_and_its_content() {
    let result = |content: Value| tokens(json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": content}));
    assert_eq!(tokens(json!({"type": "tool_result"})), 10);
    assert_eq!(result(Value::Null), 10);
    assert_eq!(result(json!("")), 10);
    // As text, so that escapes and quotes cost nothing.
    assert_eq!(result(json!("\n\n\n\n")), 11);
    assert_eq!(result(json!([{"type": "text", "text": "abcde"}, image(&png(750, 2))])), 14);
    assert_eq!(result(json!({"a": 1})), 12);
    assert_eq!(result(json!([1, 2])), 12);
    // Known and unknown results inside a result cost as much as their JSON; what is in them is not counted.
    let inside = json!({"type": "tool_result", "content": [{"type": "text", "text": ""}]});
    assert_eq!(result(json!([inside])), 10 + (inside.to_string().len() as u64).div_ceil(4));
}

#[test]
fn results_of_server_tools_cost_ten_and_their_content_as_json() {
    let block = json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [1, 2]});
    assert_eq!(tokens(block), 12);
}

#[test]
fn images_cost_their_pixels_divided_by_750_and_rounded_up() {
    for (bytes, name) in
        [(png(100, 75), "png"), (gif(100, 75), "gif"), (jpeg(100, 75, 16), "jpeg"), (webp(100, 75), "webp")]
    {
        assert_eq!(tokens(image(&bytes)), 10, "{name}");
    }
    assert_eq!(tokens(image(&png(751, 1))), 2);
    assert_eq!(tokens(image(&png(750, 1))), 1);
    assert_eq!(tokens(image(&png(1, 1))), 1);
    assert_eq!(tokens(image(&png(3000, 2000))), 8_000);
}

#[test]
fn an_image_of_unknown_size_costs_1600() {
    let with = |source: Value| tokens(json!({"type": "image", "source": source}));
    assert_eq!(tokens(json!({"type": "image"})), 1_600);
    assert_eq!(with(json!({"type": "url", "url": "https://example.com/a.png"})), 1_600);
    for data in [json!(""), json!("not base64!"), json!("AAAA"), json!(base64(&png(8, 8)[..20])), json!(7), Value::Null]
    {
        assert_eq!(with(json!({"type": "base64", "data": data})), 1_600, "{data}");
    }
}

#[test]
fn the_size_is_read_from_the_beginning_of_the_data_alone() {
    // The rest is not read.
    let mut long = png(750, 2);
    long.resize(48 * 1024, 0);
    let data = format!("{}not base64!", base64(&long));
    assert_eq!(data.len(), 64 * 1024 + 11);
    assert_eq!(tokens(json!({"type": "image", "source": {"type": "base64", "data": data}})), 2);
    // A size in the last bytes that are read is found, and one after them is not.
    let around = jpeg(750, 2, 0).len();
    assert_eq!(tokens(image(&jpeg(750, 2, (48 * 1024 - around) as u16))), 2);
    assert_eq!(tokens(image(&jpeg(750, 2, 48 * 1024))), 1_600);
}

#[test]
fn documents_and_all_others_cost_their_json() {
    let blocks = [
        json!({"type": "document", "source": {"type": "text", "data": "words"}}),
        json!({"type": "redacted_thinking", "data": "abc"}),
        json!({"type": "block_of_tomorrow", "payload": [1, 2, 3]}),
        json!({"no": "type"}),
    ];
    for block in blocks {
        assert_eq!(tokens(block.clone()), (block.to_string().len() as u64).div_ceil(4), "{block}");
    }
}

#[test]
fn messages_cost_what_users_and_assistants_say() {
    let blocks = json!([{"type": "text", "text": "abcde"}, {"type": "tool_use", "input": {}}]);
    let messages = list(json!([
        text("a", "abcde"),
        {"type": "assistant", "message": {"content": blocks}},
        {"type": "user", "message": {"content": blocks}},
        {"type": "user"},
        {"type": "system", "content": "a notice of some length"},
        {"type": "attachment", "attachment": {"type": "file", "content": "a file of some length"}},
    ]));
    assert_eq!(estimate_tokens(&messages), 2 + 23 + 23);
    assert_eq!(estimate_tokens(&[]), 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_image_data_makes_it_panic(which in 0..5usize, cut in 0..64usize, noise in prop::collection::vec(any::<u8>(), 0..64)) {
        let heads = [png(9, 9), gif(9, 9), jpeg(9, 9, 16), webp(9, 9), Vec::new()];
        let mut bytes = heads[which].clone();
        bytes.truncate(cut);
        bytes.extend(noise);
        // The most that two sizes of 32 bits can be.
        prop_assert!(tokens(image(&bytes)) <= u64::MAX / 750 + 1);
    }
}
