//! *Hostile* steps and answers: whatever they are, there is a verdict.

use proptest::prelude::*;
use turnproof_rules::operation::{RecordAnswer, RecordHints, RecordStep, Recorded};

use super::case::broken;

/// Pieces that lists, files and lines are made of.
const PIECES: [&str; 14] = [
    r#"{"type":"user","uuid":"u1"}"#,
    r#"{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s1"}"#,
    r#"{"type":"assistant","uuid":"a1","message":{"usage":{"output_tokens":1}}}"#,
    r#"{"type":"assistant","uuid":"a1","message":{"usage":{"output_tokens":2}}}"#,
    r#"{"type":"user","uuid":"r1","sourceToolAssistantUUID":"a1","message":{"content":[{"type":"tool_result"}]}}"#,
    r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","compactMetadata":{"preservedMessages":{"uuids":["u2",1]}}}"#,
    r#"{"type":"system","subtype":"compact_boundary","uuid":"b2","compactMetadata":{"preservedSegment":{"headUuid":"u1","tailUuid":"u2"}}}"#,
    r#"{"type":"progress","uuid":"p1"}"#,
    r#"{"type":"user","isVirtual":true}"#,
    r#"{"type":"user"}"#,
    r#"{"type":7,"uuid":[]}"#,
    r#"{"uuid":"\ud83d","type":"user"}"#,
    "null",
    "\"a",
];

fn pieces(most: usize) -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..most)
}

fn file() -> impl Strategy<Value = Vec<u8>> {
    let separators = prop::sample::select(&["\n", "", "\0", "\n\n", "{", "\u{FEFF}"][..]);
    (pieces(5), separators).prop_map(|(pieces, separator)| pieces.join(separator).into_bytes())
}

fn step() -> impl Strategy<Value = RecordStep> {
    let list = || pieces(5).prop_map(|pieces| format!("[{}]", pieces.join(",")));
    prop_oneof![
        3 => list().prop_map(|list| RecordStep::List(list.into())),
        1 => list().prop_map(|list| RecordStep::ListBeforeRequest(list.into())),
        1 => "\\PC*".prop_map(|list| RecordStep::List(list.into())),
        2 => Just(RecordStep::Flush),
        1 => any::<Option<u64>>().prop_map(RecordStep::DiskTakes),
        1 => Just(RecordStep::Restart),
        1 => "\\PC{0,3}".prop_map(|uuid| RecordStep::Hints(RecordHints { starting_parent: Some(uuid), team: None })),
        1 => file().prop_map(RecordStep::OtherWriter),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_answers_never_panic(
        before in file(),
        steps in prop::collection::vec((step(), file(), any::<bool>(), any::<bool>()), 0..7),
        missing in 0..2_usize,
    ) {
        let mut grown = before.clone();
        let mut answers = Vec::new();
        for (_, more, grows, is_refused) in &steps {
            let file = match grows {
                true => { grown.extend(more); grown.clone() }
                false => more.clone(),
            };
            let tip = if *is_refused { Err("no".to_owned()) } else { Ok(Some("u1".to_owned())) };
            answers.push(RecordAnswer::new(tip, file));
        }
        answers.truncate(steps.len().saturating_sub(missing));
        let steps = steps.into_iter().map(|(step, ..)| step).collect();
        broken(&Recorded { before, session: "s1".into(), steps, answers: Ok(answers), again: None });
    }
}
