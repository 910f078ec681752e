//! Whatever the log is, there is a verdict.

use proptest::prelude::*;
use serde_json::Value;
use turnproof::operation::{Moment, Plain, Played};

use super::log::broken;

/// Any JSON, with the words that rules look for.
fn any_json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(
        &[
            "user",
            "assistant",
            "system",
            "tombstone",
            "tool_use_summary",
            "tool_use",
            "tool_result",
            "text",
            "u1",
            "a1",
            "toolu_1",
            "msg_1",
            "compact_boundary",
            "",
        ][..],
    );
    let names = prop::sample::select(
        &[
            "type",
            "uuid",
            "message",
            "content",
            "id",
            "tool_use_id",
            "role",
            "text",
            "subtype",
            "isMeta",
            "precedingToolUseIds",
            "compactMetadata",
            "preservedMessages",
            "supersedesUuids",
        ][..],
    );
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        words.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 50, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::hash_map(names.clone().prop_map(str::to_owned), inner, 0..7)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn moment() -> impl Strategy<Value = Moment> {
    let plain = || any_json().prop_map(Plain::from);
    let list = || prop::collection::vec(any_json(), 0..5).prop_map(|list| Plain::from(Value::from(list)));
    let transcript = || {
        let lines = prop::collection::vec(any_json(), 0..4);
        lines.prop_map(|lines| lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes())
    };
    let ids = || prop::collection::vec(prop::sample::select(&["toolu_1", "u1"][..]).prop_map(str::to_owned), 0..3);
    prop_oneof![
        1 => (0..3_u64, plain(), any::<bool>())
            .prop_map(|(input, content, queued)| Moment::Typed { input, content, queued }),
        1 => (0..3_u64, "[ua]1").prop_map(|(input, uuid)| Moment::Joined { input, uuid }),
        4 => plain().prop_map(Moment::Yielded),
        1 => plain().prop_map(Moment::Amended),
        2 => (list(), list(), transcript())
            .prop_map(|(messages, turns, transcript)| Moment::Requested { messages, turns, transcript }),
        1 => ids().prop_map(Moment::SummaryOrdered),
        1 => ids().prop_map(Moment::SummaryFailed),
        1 => list().prop_map(Moment::Compacted),
        1 => transcript().prop_map(Moment::Crashed),
        1 => list().prop_map(Moment::Resumed),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_logs_never_panic(moments in prop::collection::vec(moment(), 0..12), whole in any::<bool>()) {
        broken(&Played { moments, transcript: Vec::new(), whole, again: None });
    }
}
