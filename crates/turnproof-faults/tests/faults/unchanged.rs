//! Where a fault has nothing to do wrong, it answers as the reference does: what is around its mistake is right.

use turnproof_faults::{self as faults, Fault};
use turnproof_rules::json;
use turnproof_rules::operation::Value;
use turnproof_rules::operation::{RecordHints, RecordStep, RequestOptions};
use turnproof_suite::subject::{Outcome, Reference, Subject};

fn fault(id: &str) -> &'static Fault {
    faults::find(id).unwrap_or_else(|| panic!("no fault {id}"))
}

#[test]
fn a_view_that_changes_nothing_gives_back_what_the_reference_gives_back() {
    let file = concat!(
        r#"{"type":"user","uuid":"u1","parentUuid":null,"text":"\ud83d","number":1e400}"#,
        "\n{\"type\":\"user\", torn\n\n",
        r#"{"type":"assistant","uuid":"a1","parentUuid":"u1"}{"type":"system","uuid":"s1","parentUuid":"u1"}"#,
        "\n",
        r#"{"type":"user","uuid":"u2","parentUuid":"s1"}"#,
        "\n",
    );
    let Outcome::Output(Some(right)) = Reference.resume(file.as_bytes()) else { panic!("no answer") };
    assert_eq!(right.records.len(), 4);
    for id in [
        "resume/filters-attachments-first",
        "resume/first-of-a-uuid-wins",
        "resume/filters-progress-first",
        "resume/brings-back-progress",
        "resume/loses-what-is-preserved",
        "resume/brings-back-the-withdrawn",
        "resume/ends-at-the-withdrawn",
        "resume/mixes-subagents-in",
        "resume/leaves-teams-out",
        "resume/keeps-to-one-session",
    ] {
        let Outcome::Output(Some(own)) = fault(id).resume(file.as_bytes()) else { panic!("no answer of {id}") };
        assert_eq!(own.records, right.records, "{id}");
    }
}

#[test]
fn a_slip_that_changes_nothing_records_what_the_reference_records() {
    let list = |messages: &str| RecordStep::List(format!("[{messages}]").into());
    let user = r#"{"type":"user","uuid":"u1","message":{"role":"user","content":"\ud83d"}}"#;
    let boundary = r#"{"type":"system","subtype":"compact_boundary","uuid":"b1"}"#;
    let steps = [
        list(user),
        RecordStep::Flush,
        RecordStep::OtherWriter(br#"{"type":"tag","ta"#.to_vec()),
        list(&format!("{user},{boundary}")),
        RecordStep::DiskTakes(Some(20)),
        RecordStep::Flush,
        RecordStep::Hints(RecordHints { starting_parent: Some("u1".to_owned()), team: None }),
        RecordStep::Restart,
        RecordStep::DiskTakes(None),
        list(r#"{"type":"user"}"#),
        RecordStep::ListBeforeRequest(format!("[{boundary}]").into()),
    ];
    let Outcome::Output(right) = Reference.record(b"", "s", &steps) else { panic!("no answers") };
    assert!(right[5].tip().is_err() && right[9].tip().is_err());
    for id in [
        "record/renames-the-session",
        "record/takes-lines-out",
        "record/refuses-odd-notices",
        "record/gives-up",
        "record/writes-in-the-order-of-keys",
    ] {
        let Outcome::Output(own) = fault(id).record(b"", "s", &steps) else { panic!("no answers of {id}") };
        assert_eq!(own, right, "{id}");
    }
}

#[test]
fn what_is_hidden_is_shown_again() {
    for id in ["", "Bash:12", "tøølu_1", " \n", "toolu_1"] {
        let messages = json!([
            {"type": "user", "message": {"role": "user", "content": "a"}},
            {"type": "assistant", "message": {"role": "assistant", "content": [
                {"type": "tool_use", "id": id, "name": "Bash", "input": {}}]}},
            {"type": "user", "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": "r"}]}},
        ]);
        let subject = fault("normalize_api/sends-ids-as-they-are");
        let answer = subject.normalize_api(&messages.to_string(), &RequestOptions::default());
        let Outcome::Output(request) = answer else { panic!("no request") };
        let turns: Value = serde_json::from_str(&request.turns).unwrap();
        assert_eq!(turns[1]["content"][0]["id"], id);
        assert_eq!(turns[2]["content"][0]["tool_use_id"], id);
    }
}
