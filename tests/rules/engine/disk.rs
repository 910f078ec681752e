//! What is on *disk* at a moment: the records of the transcript as it was then.

use serde_json::{Value, json};
use turnproof_rules::operation::{Moment, Played};
use turnproof_rules::rules::{Place, Verdict};

use super::log::*;
use crate::families;

const UUIDS: [&str; 4] = ["a", "b", "c", "d"];

/// A record with this uuid, which withdraws another one.
fn record(uuid: &str) -> String {
    format!("{{\"uuid\":\"{uuid}\",\"supersedesUuids\":[\"of {uuid}\"]}}")
}

/// Transcripts, one after the other. Most grow, with and without a torn end; two are new files.
fn files() -> [String; 7] {
    [
        String::new(),
        record("a"),
        format!("{}\n{}", record("a"), record("b")),
        format!("{}\n{}x\n", record("a"), record("b")),
        format!("{}\n{}x\n{}\n", record("a"), record("b"), record("c")),
        format!("{}\n", record("a")),
        format!("{}\n{}\n", record("d"), record("a")),
    ]
}

/// The moments at which a rule is broken.
fn broken_at(id: &str, moments: Vec<Moment>) -> Vec<usize> {
    let played: Played = Log { moments, ..Log::default() }.done();
    let Verdict::Broken(violations) = families::judge(id, &played) else { return Vec::new() };
    let place = |place| match place {
        Place::Message { index, block: None } => index as usize,
        other => panic!("no moment: {other:?}"),
    };
    violations.into_iter().map(|violation| place(violation.place)).collect()
}

#[test]
fn each_moment_holds_what_its_own_transcript_holds() {
    for uuid in UUIDS {
        let moment = |file: &String| Moment::Requested {
            messages: json!([user(uuid, "one")]).into(),
            turns: json!([]).into(),
            transcript: file.clone().into_bytes(),
        };
        let missing = |(index, file): (usize, &String)| (!file.contains(&record(uuid))).then_some(index);
        let expected: Vec<usize> = files().iter().enumerate().filter_map(missing).collect();
        let found = broken_at("engine/durable-before-request", files().iter().map(moment).collect());
        assert_eq!(found, expected, "{uuid}");
    }
}

#[test]
fn each_moment_withdraws_what_its_own_transcript_withdraws() {
    // The withdrawn messages are on disk, so that only the record of a withdrawal keeps them away.
    let gone: String = UUIDS.iter().map(|uuid| format!("{{\"uuid\":\"of {uuid}\"}}\n")).collect();
    for uuid in UUIDS {
        let withdrawn = says(&format!("of {uuid}"), "msg_1", "half");
        for (at, last) in files().iter().enumerate() {
            let mut moments: Vec<Moment> = [&withdrawn, &tombstone(&withdrawn)]
                .map(|event: &Value| Moment::Yielded(event.clone().into()))
                .to_vec();
            for (index, file) in files().iter().enumerate() {
                moments.push(Moment::Crashed { transcript: format!("{gone}{file}").into_bytes() });
                if index == at {
                    moments.push(Moment::Resumed(json!([withdrawn]).into()));
                }
            }
            let expected: &[usize] = if last.contains(&record(uuid)) { &[at + 3] } else { &[] };
            assert_eq!(broken_at("engine/no-withdrawn-survivor", moments), expected, "{uuid} in {last}");
        }
    }
}
