//! What a repair only copies: words, members, side records and results that no rule objects to.

use turnproof_rules::operation::Repaired;
use turnproof_rules::rules::Verdict;

use crate::families::{broken, judge};
use crate::repair::{A1, LOST, SIDE, U1, U2, file, reference, silent};

/// The kinds of what is wrong about a repair that says nothing of what it changed.
fn kinds(before: &[&str], after: &[&str]) -> Vec<String> {
    kinds_of(&silent(file(before), file(after)))
}

fn kinds_of(case: &Repaired) -> Vec<String> {
    match judge("repair/minimal", case) {
        Verdict::Broken(violations) => violations.iter().map(|violation| violation.kind.to_string()).collect(),
        _ => Vec::new(),
    }
}

const NONE: [&str; 0] = [];

#[test]
fn the_words_of_a_message_stay() {
    let before = [U1, A1, LOST];
    assert_eq!(kinds(&before, &[U1, A1, U2]), NONE);
    let emptied = A1.replace(r#""text":"b""#, r#""text":"(no content)""#);
    assert_eq!(kinds(&before, &[U1, &emptied, U2]), ["lost-words"]);
    let other = U1.replace(r#""content":"a""#, r#""content":"(no content)""#);
    assert_eq!(kinds(&before, &[&other, A1, U2]), ["lost-words"]);
    // A text may become a block.
    let block = U1.replace(r#""content":"a""#, r#""content":[{"type":"text","text":"a"}]"#);
    assert_eq!(kinds(&before, &[&block, A1, U2]), NONE);
}

#[test]
fn the_words_of_a_notice_stay() {
    let notice = r#"{"type":"system","subtype":"local_command","content":"ls","uuid":"n1","parentUuid":"a1"}"#;
    let emptied = notice.replace("ls", "(no content)");
    assert_eq!(kinds(&[U1, A1, notice, LOST], &[U1, A1, notice, U2]), NONE);
    assert_eq!(kinds(&[U1, A1, notice, LOST], &[U1, A1, &emptied, U2]), ["lost-words"]);
}

#[test]
fn the_texts_and_documents_of_an_attachment_stay() {
    let waited = |blocks: &str| {
        format!(
            r#"{{"type":"attachment","uuid":"w1","parentUuid":"a1","attachment":{{"type":"queued_command","prompt":[{blocks}]}}}}"#
        )
    };
    let text = r#"{"type":"text","text":"and the tests"}"#;
    let (was, blank) = (waited(&format!(r#"{text},{{"type":"text","text":" "}}"#)), waited(text));
    assert_eq!(kinds(&[U1, A1, &was, LOST], &[U1, A1, &blank, U2]), NONE);
    assert_eq!(kinds(&[U1, A1, &was, LOST], &[U1, A1, &waited(""), U2]), ["lost-text"]);
    let document = waited(r#"{"mimeType":"application/pdf","blob":"JVBERg=="}"#);
    assert_eq!(kinds(&[U1, A1, &document, LOST], &[U1, A1, &document, U2]), NONE);
    assert_eq!(kinds(&[U1, A1, &document, LOST], &[U1, A1, &waited(""), U2]), ["lost-picture"]);
}

#[test]
fn the_members_of_a_record_and_of_its_message_stay() {
    let before = [U1, A1, LOST];
    let other_session = A1.replace(r#""sessionId":"s""#, r#""sessionId":"t""#);
    let other_id = A1.replace(r#""id":"m1","#, "");
    let marked = A1.replace(r#""uuid":"a1","#, r#""uuid":"a1","isRepaired":true,"#);
    for (after, kind) in [(&other_session, "other-member"), (&other_id, "other-member"), (&marked, "new-member")] {
        assert_eq!(kinds(&before, &[U1, after, U2]), [kind], "{after}");
    }
    // A known field of a wrong type is taken out, in a message too.
    let misfit = A1.replace(r#""uuid":"a1","#, r#""uuid":"a1","cwd":7,"#).replace(r#""id":"m1""#, r#""id":7"#);
    let right = A1.replace(r#""id":"m1","#, "");
    assert_eq!(kinds(&[U1, &misfit, U2], &[U1, &right, U2]), NONE);
    assert_eq!(broken("repair", &reference(file(&[U1, &misfit, LOST]))), NONE);
}

#[test]
fn side_records_stay_as_often_as_they_were() {
    assert_eq!(kinds(&[SIDE, U1, A1, SIDE, LOST], &[SIDE, U1, A1, SIDE, U2]), NONE);
    assert_eq!(kinds(&[SIDE, U1, A1, SIDE, LOST], &[SIDE, U1, A1, U2]), ["lost-side-record"]);
    assert_eq!(kinds(&[SIDE, U1, A1, LOST], &[&SIDE.replace("1.0", "1"), U1, A1, U2]), ["lost-side-record"]);
}

#[test]
fn records_of_subagents_stay() {
    let agent = U2.replace("\"u2\"", "\"s1\"").replacen('{', r#"{"isSidechain":true,"agentId":"b","#, 1);
    assert_eq!(kinds(&[U1, A1, &agent, LOST], &[U1, A1, &agent, U2]), NONE);
    assert_eq!(kinds(&[U1, A1, &agent, LOST], &[U1, A1, U2]), ["lost-sidechain"]);
}

#[test]
fn the_last_line_keeps_its_end() {
    let (before, after) = (file(&[U1, A1, LOST]), file(&[U1, A1, U2]));
    let without_end = |file: &[u8]| file[..file.len() - 1].to_vec();
    assert_eq!(kinds_of(&silent(before.clone(), without_end(&after))), ["lost-line-end"]);
    assert_eq!(kinds_of(&silent(without_end(&before), without_end(&after))), NONE);
}

#[test]
fn the_last_of_several_records_keeps_its_words() {
    let first = U2.replace("\"c\"", "\"first\"");
    let emptied = U2.replace("\"c\"", "\"(no content)\"");
    assert_eq!(kinds(&[U1, A1, &first, U2], &[U1, A1, U2]), NONE);
    assert_eq!(kinds(&[U1, A1, &first, U2], &[U1, A1, &first]), ["other-copy"]);
    assert_eq!(kinds(&[U1, A1, &first, U2], &[U1, A1, &emptied]), ["other-copy"]);
}

const CALL: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}}"#;
const RESULT: &str = r#"{"type":"user","uuid":"r1","parentUuid":"a1","sessionId":"s","toolUseResult":"done","sourceToolAssistantUUID":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"done"}]}}"#;
const MISSING: &str = r#""content":"[Tool result missing due to internal error]","is_error":true"#;

#[test]
fn a_call_keeps_its_true_result() {
    let placeholder = RESULT.replace(r#""content":"done""#, MISSING);
    let next = LOST.replace("\"u2\"", "\"u3\"");
    let linked = next.replace("\"gone\"", "\"r1\"");
    assert_eq!(kinds(&[U1, CALL, RESULT, &next], &[U1, CALL, RESULT, &linked]), NONE);
    assert!(kinds(&[U1, CALL, RESULT, &next], &[U1, CALL, &placeholder, &linked]).contains(&"no-result".to_owned()));
    // Call and result may get another id.
    let renamed = |record: &str| record.replace("toolu_1", "toolu_2");
    assert_eq!(kinds(&[U1, CALL, RESULT, &next], &[U1, &renamed(CALL), &renamed(RESULT), &linked]), NONE);
}

#[test]
fn an_emptied_placeholder_does_not_stay_beside_the_true_result() {
    let first = RESULT.replace("\"r1\"", "\"p1\"").replace(r#""content":"done""#, MISSING);
    let emptied = RESULT.replace("\"r1\"", "\"p1\"");
    let content = emptied.find(r#"[{"type":"tool_result""#).expect("a result");
    let emptied = format!(r#"{}"(no content)"}}}}"#, &emptied[..content]);
    let before = [U1, CALL, &first, RESULT];
    assert_eq!(broken("repair", &reference(file(&before))), NONE);
    assert_eq!(kinds(&before, &[U1, CALL, RESULT]), NONE);
    assert!(kinds(&before, &[U1, CALL, RESULT, &emptied]).contains(&"kept-placeholder".to_owned()));
}

#[test]
fn a_placeholder_has_a_record_of_its_own() {
    let next = U2.to_owned();
    let added = RESULT.replace("\"r1\"", "\"x1\"").replace(r#""content":"done""#, MISSING);
    let linked = next.replace(r#""parentUuid":"a1""#, r#""parentUuid":"x1""#);
    assert_eq!(kinds(&[U1, CALL, &next], &[U1, CALL, &added, &linked]), NONE);
    let guest = format!(r#"[{{"type":"tool_result","tool_use_id":"toolu_1",{MISSING}}},{{"type":"text","text":"c"}}]"#);
    let guest = next.replace("\"content\":\"c\"", &format!("\"content\":{guest}"));
    assert_eq!(kinds(&[U1, CALL, &next], &[U1, CALL, &guest]), ["no-own-record"]);
    // An added result has what a result has.
    let bare = added.replace(r#""toolUseResult":"done","#, "");
    assert_eq!(kinds(&[U1, CALL, &next], &[U1, CALL, &bare, &linked]), ["unfit"]);
}

#[test]
fn what_is_made_fits_its_record() {
    let bare = A1.replace(r#","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"b"}]}"#, "");
    let made = |body: &str| bare.replacen('}', &format!(r#","message":{body}}}"#), 1);
    let (list, text) = (r#"[{"type":"text","text":"(no content)"}]"#, r#""(no content)""#);
    let right = made(&format!(r#"{{"role":"assistant","content":{list}}}"#));
    assert_eq!(kinds(&[U1, &bare, LOST], &[U1, &right, U2]), NONE);
    let of_text = made(&format!(r#"{{"role":"assistant","content":{text}}}"#));
    assert_eq!(kinds(&[U1, &bare, LOST], &[U1, &of_text, U2]), ["unfit"]);
    let of_user = made(&format!(r#"{{"role":"user","content":{list}}}"#));
    assert_eq!(kinds(&[U1, &bare, LOST], &[U1, &of_user, U2]), ["unfit"]);
}

#[test]
fn a_boundary_lists_messages_and_its_anchor_is_not_before_it() {
    let boundary = r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1","sessionId":"s","compactMetadata":{"preservedMessages":{"anchorUuid":"s1","uuids":["a1"]}}}"#;
    let summary =
        U1.replace("\"u1\"", "\"s1\"").replace("null", "\"b1\"").replacen('{', r#"{"isCompactSummary":true,"#, 1);
    let linked = U2.replace("\"a1\"", "\"s1\"");
    let repaired = |boundary: &str| kinds(&[U1, A1, boundary, &summary, LOST], &[U1, A1, boundary, &summary, &linked]);
    assert_eq!(repaired(boundary), NONE);
    for list in ["[]", r#"["a1","a1"]"#, r#"["b1"]"#, r#"["s1"]"#, r#"["nobody"]"#] {
        let found = repaired(&boundary.replace(r#"["a1"]"#, list));
        assert!(found.contains(&"odd-list".to_owned()), "{list}: {found:?}");
    }
    let found = repaired(&boundary.replace("\"s1\"", "\"u1\""));
    assert!(found.contains(&"early-anchor".to_owned()), "{found:?}");
}
