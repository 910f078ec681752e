//! *Hostile* items and outputs: whatever they are, there is a verdict.

use crate::random;
use proptest::prelude::*;
use serde_json::{Value, json};
use turnproof_rules::operation::{Accumulated, Plain, StreamFault, StreamItem, Streamed};

use super::stream::broken;

/// Words and names that rules look for.
const WORDS: &str = "message_start|content_block_start|content_block_delta|content_block_stop|message_delta|\
                     message_stop|error|text|tool_use|fallback|text_delta|input_json_delta|citations_delta|assistant|\
                     user|tombstone|tool_result|a1|{|";
const NAMES: &str = "type|uuid|message|content|index|delta|content_block|usage|id|role|model|input|text|partial_json|\
                     citation|stop_reason|to";

fn any_json() -> impl Strategy<Value = Value> {
    random::any_json(WORDS, NAMES)
}

/// Events that are nearly right, so that streams do not end at once.
fn near_event() -> impl Strategy<Value = Value> {
    (0..9_u8, -1..4_i32, any_json()).prop_map(|(kind, index, any)| match kind {
        0 => json!({"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "model": "m",
            "content": [], "usage": any}}),
        1 => json!({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": any}}),
        2 => {
            json!({"type": "content_block_start", "index": index, "content_block": {"type": "tool_use", "input": any}})
        }
        3 => json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": "a"}}),
        4 => json!({"type": "content_block_delta", "index": index,
            "delta": {"type": "input_json_delta", "partial_json": "{\"a"}}),
        5 => json!({"type": "content_block_delta", "index": index, "delta": any}),
        6 => json!({"type": "content_block_stop", "index": index}),
        7 => json!({"type": "message_delta", "delta": any, "usage": {"output_tokens": index}}),
        _ => json!({"type": "message_stop"}),
    })
}

fn item() -> impl Strategy<Value = StreamItem> {
    prop_oneof![
        6 => near_event().prop_map(|event| StreamItem::Event(event.to_string())),
        1 => any_json().prop_map(|event| StreamItem::Event(event.to_string())),
        1 => "\\PC*".prop_map(StreamItem::Event),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(StreamItem::Bytes),
        1 => near_event().prop_map(|event| StreamItem::Bytes(format!("data:{event}\n\n").into_bytes())),
        1 => Just(StreamItem::Abandon),
        1 => any_json().prop_map(|message| StreamItem::Message(message.to_string())),
    ]
}

fn output() -> impl Strategy<Value = Streamed> {
    let list = || prop::collection::vec(any_json(), 0..5).prop_map(|list| Plain::from(Value::from(list)));
    let fault = (prop::sample::select(&["bad-event", "", "unfinished"][..]), 0..5_u64)
        .prop_map(|(name, item)| StreamFault { name: name.to_owned(), message: String::new(), item });
    let optional = || prop::option::of(any_json().prop_map(Plain::from));
    (list(), list(), optional(), optional(), prop::option::of(fault))
        .prop_map(|(events, live, slots, messages, fault)| Streamed { events, live, slots, messages, fault })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_answers_never_panic(
        items in prop::collection::vec(item(), 0..12),
        output in output(),
        other in output(),
    ) {
        let other = Ok(other);
        broken(&Accumulated { items, output: Ok(output), cut_otherwise: Some(other.clone()), again: Some(other) });
    }
}
