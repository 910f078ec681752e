//! *Hostile* logs: whatever a log is, there is a verdict.

use crate::random;
use proptest::prelude::*;
use serde_json::Value;
use turnproof_rules::operation::{Moment, Plain, Played};

use super::log::broken;

/// Words and names that rules look for.
const WORDS: &str = "user|assistant|system|tombstone|tool_use_summary|tool_use|tool_result|text|u1|a1|toolu_1|msg_1|\
                     compact_boundary|";
const NAMES: &str = "type|uuid|message|content|id|tool_use_id|role|text|subtype|isMeta|precedingToolUseIds|\
                     compactMetadata|preservedMessages|supersedesUuids";

fn any_json() -> impl Strategy<Value = Value> {
    random::any_json(WORDS, NAMES)
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
        1 => transcript().prop_map(|transcript| Moment::Crashed { transcript }),
        1 => list().prop_map(Moment::Resumed),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_logs_never_panic(moments in prop::collection::vec(moment(), 0..12), whole in any::<bool>()) {
        broken(&Played { moments, transcript: Vec::new(), whole, inputs: None, again: None });
    }
}
