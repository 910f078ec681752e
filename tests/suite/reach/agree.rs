//! The labels of a case *agree* with what a second, naive reader of its bytes finds.

use turnproof::scenario::{Case, Profile, Scenario};

use super::{labels, read, small};

/// A label, and its name in the naive reader.
const SAME: &[(&str, &str)] = &[
    ("kind/tombstone", "tombstone"),
    ("kind/hook-result", "hook_result"),
    ("kind/progress", "progress"),
    ("message/absent", "message absent"),
    ("message/without-content", "content absent"),
    ("message/content-null", "content null"),
    ("message/paste-ids", "paste ids"),
    ("message/synthetic-error", "synthetic error"),
    ("message/error-flag-alone", "error flag alone"),
    ("message/synthetic-model-alone", "synthetic model alone"),
    ("refusal/of-images", "error that refuses images"),
    ("refusal/of-documents", "error that refuses documents"),
    ("refusal/of-both", "error that refuses both"),
    ("refusal/of-nothing", "error that refuses nothing"),
    ("reply/without-an-id", "reply id absent or empty"),
    ("call/twice", "call repeated"),
    ("call/answered", "call answered"),
    ("result/of-no-call", "result of no call"),
    ("call-id/illegal-and-answered", "illegal call id that is answered"),
    ("block/text-without-text", "text without text"),
    ("block/media-without-source", "media without source"),
    ("block/redacted-without-data", "redacted without data"),
    ("block/thinking-unsigned", "thinking without signature"),
    ("block/call-without-id", "call without id"),
    ("block/call-without-name", "call without name"),
    ("block/input-missing", "input absent"),
    ("block/result-with-error", "result is_error"),
    ("block/result-without-call-id", "result without call id"),
    ("block/with-cache-control", "cache_control"),
    ("block/without-a-type", "block without a type"),
    ("block/with-members-of-the-client", "block with the client's members"),
];

#[test]
fn labels_agree_with_a_naive_reader_of_the_bytes() {
    let mut seen = vec![0; SAME.len()];
    for case in 0..6_000 {
        let plan = small(3, case, Profile::Shuffled);
        let naive = labels::labels(&read(&plan));
        let own = Case::of(&plan).labels();
        for ((label, name), seen) in SAME.iter().zip(&mut seen) {
            assert_eq!(own.has(label), naive.contains(*name), "{label} in case {case}: {plan:?}");
            *seen += u32::from(own.has(label));
        }
    }
    assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
}

#[test]
fn labels_of_the_file_agree_with_its_bytes() {
    for case in 0..4_000 {
        let plan = small(3, case, Profile::Hostile);
        let case = Case::of(&plan);
        let (bytes, labels) = (case.transcript(), case.labels());
        let ends_torn = labels.has("damage/torn-end") || labels.has("damage/end-without-line-end");
        if ends_torn && !labels.has("damage/two-on-a-line") && !labels.has("damage/lost") {
            assert_ne!(bytes.last(), Some(&b'\n'), "{plan:?}");
        }
        if labels.has("damage/nul-block") && !labels.has("damage/two-on-a-line") {
            assert!(bytes.windows(4096).any(|window| window.iter().all(|byte| *byte == 0)), "{plan:?}");
        }
        if labels.has("damage/none") {
            assert_eq!(bytes.split(|byte| *byte == b'\n').count(), plan.lines.len() + 1, "{plan:?}");
        }
    }
}

#[test]
fn labels_of_a_conversation_agree_with_its_transcript() {
    let holds = |bytes: &[u8], text: &str| String::from_utf8_lossy(bytes).contains(text);
    for case in 0..600 {
        let plan = Scenario::from_seed(3, case, Profile::Causal);
        let case = Case::of(&plan);
        let (bytes, labels) = (case.transcript(), case.labels());
        let on_disk = ["retry/shown-on-disk", "fallback/shown-on-disk"].iter().any(|label| labels.has(label));
        let is_whole = !["crash/idle", "fork/whole", "fork/shorter", "disk/full", "resume/after-a-crash"]
            .iter()
            .any(|label| labels.has(label));
        if is_whole {
            assert_eq!(on_disk, holds(bytes, "retractedMessageUuids"), "{plan:?}");
            let compacted = labels.has("compaction/manual") || labels.has("compaction/automatic");
            assert!(!holds(bytes, "\"compact_boundary\"") || compacted, "{plan:?}");
        }
    }
}
