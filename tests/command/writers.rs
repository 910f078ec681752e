//! Sessions of *other writers* keep working: no verdict needs a member that only the client 2.1.332 writes.

use std::path::Path;

use serde_json::{Map, Value};
use turnproof::check::{Acceptance, Verdict, verdict};
use turnproof_reference::transcript::Transcript;
use turnproof_suite::scenario::{Profile, Scenario};

use crate::transcripts;

/// The members of a record that writers of all times write.
const OLD: &str = "
    type subtype uuid parentUuid logicalParentUuid sessionId isSidechain agentId teamName timestamp cwd version gitBranch
    userType message requestId toolUseResult sourceToolAssistantUUID toolUseID content level isMeta isVirtual
    isCompactSummary isVisibleInTranscriptOnly isApiErrorMessage compactMetadata attachment data summary leafUuid
    supersedesUuids retractedMessageUuids
";

/// A session without what only the client of today writes.
fn by_another_writer(session: &str) -> String {
    session.lines().filter_map(old).collect()
}

/// A record with its old members; none where the record itself is new. What is no record stays.
fn old(line: &str) -> Option<String> {
    let Ok(Value::Object(record)) = serde_json::from_str(line) else { return Some(format!("{line}\n")) };
    if record.get("type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("api-request")) {
        return None;
    }
    let is_old = |name: &str| OLD.split_whitespace().any(|old| old == name);
    let mut record: Map<String, Value> = record.into_iter().filter(|(name, _)| is_old(name)).collect();
    if let Some(attachment) = record.get_mut("attachment").and_then(Value::as_object_mut) {
        attachment.remove("rendered");
    }
    Some(format!("{}\n", Value::Object(record)))
}

/// What becomes of a session: its class, what comes back, and for which rules the API refuses it.
fn fate(session: &str) -> String {
    let Verdict { class, messages, comes_back, acceptance, .. } =
        verdict(&Transcript::from_bytes(session.as_bytes().to_vec()));
    let rules: Vec<&str> = match &acceptance {
        Acceptance::Refused(refusals) => refusals.iter().map(|refusal| refusal.rule).collect(),
        _ => Vec::new(),
    };
    format!("{}: {comes_back} of {messages} {rules:?}", class.name())
}

fn assert_same_fate(name: &str, session: &str) {
    assert_eq!(fate(&by_another_writer(session)), fate(session), "{name}");
}

#[test]
fn generated_conversations_have_the_same_fate_without_what_only_the_client_of_today_writes() {
    for case in 0..300 {
        let session = Scenario::from_seed(41, case, Profile::Causal).transcript();
        assert_same_fate(&format!("case {case}"), &String::from_utf8_lossy(&session));
    }
}

#[test]
fn sessions_of_the_client_of_today_have_the_same_fate_without_what_only_it_writes() {
    for path in transcripts::of_client() {
        assert_same_fate(&name(&path), &std::fs::read_to_string(&path).unwrap_or_default());
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}
