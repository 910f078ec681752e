//! The *mistakes* that real readers make, each with the one rule that it breaks.

use crate::families;
use serde_json::json;
use turnproof_rules::operation::Conversation;

use super::broken;
use super::notation::{case, conversation, file, record};

/// A mistake, the records of a file, what a reader that makes it gives back, and the rule that it breaks.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

const PARALLEL: &str = "u1 -; a1 u1 m=m c=x; a2 a1 m=m c=y; u2 a2 r=y; u3 a1 r=x; a3 u3 m=n; u4 a3";
const NOTICE: &str = "u1 -; a1 u1; s1 u1; u2 s1; a2 u2";
const RETRY: &str = "u1 -; s1 u1; s2 s1; a1 u1; t1 a1; u2 s2";
const GAP: &str = "u1 -; a1 u1; u2 a1; a3 lost; u3 a3";
const PROGRESS: &str = "u1 -; a1 u1 c=x; p1 a1; p2 p1; u2 p2 r=x; a2 u2; p3 a1";
const COMPACTED: &str = "u1 -; a1 u1; u2 a1; a2 u2; b1 - keeps=u3,u2,a2; u3 b1; u4 u3";
const SEGMENT: &str = "u1 -; a1 u1; u2 a1; a2 u2; b1 - segment=u3,u2,a2; u3 b1; u4 u3";
const RETRACTED: &str = "u1 -; a1 u1 m=m c=x; u2 a1 r=x; a2 u2 m=n withdraws=a1; u3 a2";
const SUBAGENT: &str = "u1 -; a1 u1 c=x; u9 a1 side; a9 u9 side; u2 a1 r=x; a8 a9 side";

const MISTAKES: &[Mistake] = &[
    ("stops at the first bad line", "u1 -; a1 u1; \"{\"ty; u2 a1", "u1 a1", "resume/complete"),
    ("gives the first line alone", "u1 -; a1 u1; u2 a1", "u1", "resume/complete"),
    ("gives the last lines alone", "u1 -; a1 u1; u2 a1; a2 u2", "u2 a2", "resume/complete"),
    ("picks the leaf by its time", "u1 - at=1; a1 u1 at=9; u2 u1 at=2; a2 u2 at=3", "u1 a1", "resume/complete"),
    ("follows the branch that was left", "u1 -; a1 u1; u2 a1; a2 u1", "u1 a1 u2", "resume/complete"),
    ("gives all branches", "u1 -; a1 u1; u2 a1; a2 u1", "u1 a1 u2 a2", "resume/complete"),
    ("takes the first of a repeated uuid", "u1 -; u1 - meta; a1 u1", "u1' a1", "resume/complete"),
    ("gives each copy of a repeated uuid", "u1 -; u1 - meta; a1 u1", "u1' u1 a1", "resume/complete"),
    ("filters attachments before it walks", "u1 -; a1 u1; t1 a1; a2 t1", "a2", "resume/complete"),
    ("filters attachments after it walked", "u1 -; a1 u1; t1 a1; a2 t1", "u1 a1 a2", "resume/complete"),
    ("loses a hook beside the path", "u1 -; a1 u1 c=x; t1 a1; u2 a1 r=x", "u1 a1 u2", "resume/complete"),
    ("moves a hook to the end", "u1 -; a1 u1 c=x; t1 a1; u2 a1 r=x", "u1 a1 u2 t1", "resume/complete"),
    ("sorts by time", "u1 - at=1; a1 u1 at=3; u2 a1 at=2", "u1 u2 a1", "resume/complete"),
    ("follows the order of the file", "u2 u1; u1 -; a1 u2", "u2 u1 a1", "resume/complete"),
    ("drops what is meta", "u1 -; u2 u1 meta; a1 u2", "u1 a1", "resume/complete"),
    ("ends at a meta leaf's terminal", "u1 -; a1 u1; u2 u1 meta", "u1 u2", "resume/complete"),
    // Parallel calls.
    ("walks parents alone", PARALLEL, "u1 a1 u3 a3 u4", "resume/parallel-results"),
    ("puts back lines without results", PARALLEL, "u1 a1 a2 u3 a3 u4", "resume/parallel-results"),
    ("puts back results without lines", PARALLEL, "u1 a1 u2 u3 a3 u4", "resume/parallel-results"),
    ("puts lines back at the end", PARALLEL, "u1 a1 u3 a3 u4 a2 u2", "resume/parallel-results"),
    ("leaves results where the file has them", PARALLEL, "u1 a1 a2 u3 u2 a3 u4", "resume/parallel-results"),
    ("puts results before the line", PARALLEL, "u1 a1 u2 a2 u3 a3 u4", "resume/parallel-results"),
    (
        "gives the second result of a call too",
        "a1 - c=x; u1 a1 r=x; u2 a1 r=x; a2 u2",
        "a1 u1 u2 a2",
        "resume/complete",
    ),
    // Replies that a notice pushed off.
    ("follows the notice", NOTICE, "u1 s1 u2 a2", "resume/no-delivered-reply-lost"),
    ("puts the reply at the end", NOTICE, "u1 s1 u2 a2 a1", "resume/no-delivered-reply-lost"),
    ("puts the reply after the prompt", NOTICE, "u1 s1 u2 a1 a2", "resume/no-delivered-reply-lost"),
    ("follows the chain of errors", RETRY, "u1 s1 s2 u2", "resume/no-delivered-reply-lost"),
    ("puts back the head alone", RETRY, "u1 s1 s2 a1 u2", "resume/no-delivered-reply-lost"),
    ("puts the reply before the errors", RETRY, "u1 a1 t1 s1 s2 u2", "resume/no-delivered-reply-lost"),
    ("puts back an API error", "u1 -; a1 u1 error; s1 u1; u2 s1", "u1 a1 s1 u2", "resume/complete"),
    // Gaps and circles.
    ("cuts at a parent that is missing", GAP, "a3 u3", "resume/bridges-gap"),
    (
        "cuts at a gap, with results beside the path behind it",
        "u1 -; a1 u1 c=x,y; u2 a1 r=x; u3 a1 r=y; t1 a1; a2 u3; u4 lost",
        "u4",
        "resume/bridges-gap",
    ),
    ("drops the message that has the gap, and all before it", GAP, "u3", "resume/complete"),
    ("loses the record before a gap", GAP, "u1 a1 a3 u3", "resume/bridges-gap"),
    ("cuts at a parent that is a number", "u1 -; a1 #", "a1", "resume/bridges-gap"),
    ("cuts where there is no parent", "u1 -; a1 !", "a1", "resume/bridges-gap"),
    ("cuts at a circle", "u0 -; u1 a1; a1 u1", "u1 a1", "resume/bridges-gap"),
    ("cuts at a record that is its own parent", "u1 -; a1 a1; u2 a1", "a1 u2", "resume/bridges-gap"),
    (
        "bridges to another session",
        "u1 - of=s; a1 u1 of=s; u8 - of=z; u9 u8 of=z; u2 lost of=s",
        "u8 u9 u2",
        "resume/bridges-gap",
    ),
    (
        "bridges to the line before",
        "u1 - of=s; a1 u1 of=s; u9 - of=z; u2 lost of=s",
        "u1 a1 u9 u2",
        "resume/bridges-gap",
    ),
    // Progress, unknown and virtual records.
    ("filters progress before it walks", PROGRESS, "u2 a2", "resume/old-progress"),
    ("gives progress back", PROGRESS, "u1 a1 p1 p2 u2 a2", "resume/old-progress"),
    ("gives late progress back", PROGRESS, "u1 a1 u2 a2 p3", "resume/old-progress"),
    ("gives unknown kinds back", "u1 -; x1 u1; a1 x1", "u1 x1 a1", "resume/old-progress"),
    ("stops at unknown kinds", "u1 -; x1 u1; a1 x1", "a1", "resume/old-progress"),
    ("gives virtual messages back", "u1 -; u2 u1 virtual; a1 u2", "u1 u2 a1", "resume/old-progress"),
    ("stops at virtual messages", "u1 -; u2 u1 virtual; a1 u2", "a1", "resume/old-progress"),
    // Boundaries.
    ("undoes compaction", COMPACTED, "u1 a1 u2 a2 b1 u3 u4", "resume/boundary"),
    ("follows the order of the file, what is preserved included", COMPACTED, "u2 a2 b1 u3 u4", "resume/boundary"),
    ("forgets what is preserved", COMPACTED, "b1 u3 u4", "resume/boundary"),
    ("keeps half of what is preserved", COMPACTED, "b1 u3 u2 u4", "resume/boundary"),
    ("puts what is preserved before the anchor", COMPACTED, "b1 u2 a2 u3 u4", "resume/boundary"),
    ("puts what is preserved at the end", COMPACTED, "b1 u3 u4 u2 a2", "resume/boundary"),
    ("turns what is preserved around", COMPACTED, "b1 u3 a2 u2 u4", "resume/boundary"),
    ("drops the boundary", COMPACTED, "u3 u2 a2 u4", "resume/boundary"),
    ("forgets the segment", SEGMENT, "b1 u3 u4", "resume/boundary"),
    ("walks beyond the head", SEGMENT, "b1 u3 u1 a1 u2 a2 u4", "resume/boundary"),
    (
        "keeps the head and the tail alone",
        "u1 -; a1 u1; u2 a1; b1 - segment=b1,u1,u2; u4 b1",
        "b1 u1 u2 u4",
        "resume/boundary",
    ),
    ("keeps what is there of a broken list", "u1 -; b1 - keeps=b1,u1,zz; u2 b1", "b1 u1 u2", "resume/boundary"),
    ("follows the boundary's own parent", "u1 -; a1 u1; b1 a1; u2 b1", "u1 a1 b1 u2", "resume/boundary"),
    // Withdrawn.
    ("ignores withdrawal", RETRACTED, "u1 a1 u2 a2 u3", "resume/withdrawn"),
    ("keeps the result of a withdrawn call", RETRACTED, "u1 u2 a2 u3", "resume/withdrawn"),
    ("keeps the withdrawn call alone", RETRACTED, "u1 a1 a2 u3", "resume/withdrawn"),
    ("stops at what is withdrawn", RETRACTED, "a2 u3", "resume/withdrawn"),
    ("withdraws what comes later", "u1 - withdraws=a1; a1 u1; a2 a1", "u1 a2", "resume/withdrawn"),
    ("lets a subagent withdraw", "u1 -; a1 u1; a9 a1 side withdraws=a1; u2 a1", "u1 u2", "resume/withdrawn"),
    // Subagents, and teams that are none.
    ("lets a subagent in", SUBAGENT, "u1 a1 u9 a9 u2", "resume/sidechain-apart"),
    ("lets a subagent's last line in", SUBAGENT, "u1 a1 u2 a8", "resume/sidechain-apart"),
    ("loses a record to a subagent's", "u1 -; a1 u1; a1 u1 side", "u1", "resume/sidechain-apart"),
    ("gives a subagent's record instead", "u1 -; a1 u1 side; a1 u1", "u1 a1'", "resume/sidechain-apart"),
    ("leaves a team out", "u1 -; a1 u1; a2 a1 team=red", "u1 a1", "resume/complete"),
    // Conversations that are there, and that are not.
    ("gives up at a circle", "u1 a1; a1 u1", "", "resume/total"),
    ("finds no conversation behind metadata", "\"{\"type\":\"pr-link\"}; u1 -", "", "resume/total"),
    ("finds no conversation without a reply", "u1 - meta", "", "resume/total"),
    ("gives a notice for a conversation", "s1 -", "s1", "resume/total"),
    ("gives a subagent for a conversation", "u1 - side", "u1", "resume/total"),
];

#[test]
fn each_mistake_breaks_its_rule_and_no_other() {
    assert!(MISTAKES.len() > 65);
    let mut wrong = Vec::new();
    for (name, lines, answer, rule) in MISTAKES {
        let rules = broken(&case(&file(lines), answer));
        if rules != [*rule] {
            wrong.push(format!("{name}: {rules:?}, not {rule}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_answer_that_is_no_answer_breaks_the_rule_on_answers_alone() {
    let mut case = case(&file(PARALLEL), "u1");
    case.answer = Err("RangeError: Maximum call stack size exceeded".into());
    assert_eq!(broken(&case), ["resume/total"]);
    case.answer = Ok(Some(Conversation::default()));
    case.file = Vec::new();
    assert_eq!(broken(&case), ["resume/total"]);
}

#[test]
fn another_answer_to_the_same_question_is_detected_and_other_notes_are_not() {
    let right = case(&file("u1 -; a1 u1"), "u1 a1");
    for again in [Err("no".to_owned()), Ok(None), Ok(Some(conversation(&right.file, "u1")))] {
        let mut case = right.clone();
        case.again = Some(again);
        assert_eq!(broken(&case), ["resume/total"]);
    }
    let mut case = right.clone();
    case.again = Some(Ok(Some(Conversation { notes: Vec::new(), ..right.answer.clone().unwrap().unwrap() })));
    assert_eq!(broken(&case), [""; 0]);
}

#[test]
fn a_record_that_is_not_as_in_the_file_is_detected() {
    let right = case(&file("u1 -; a1 u1; u2 a1"), "u1 a1 u2");
    let changes: [fn(&mut Conversation); 5] = [
        // Written again, with its members in another order.
        |conversation| conversation.records[0].bytes = br#"{"uuid":"u1","type":"user"}"#.to_vec(),
        |conversation| conversation.records[1].bytes.push(b'\n'),
        |conversation| conversation.records[1].uuid = "u2".into(),
        |conversation| conversation.records[2].bytes.truncate(10),
        |conversation| {
            let mut made_up = conversation.records[0].clone();
            (made_up.uuid, made_up.bytes) = ("u9".into(), b"{}".to_vec());
            conversation.records.push(made_up);
        },
    ];
    for change in changes {
        let mut case = right.clone();
        change(case.answer.as_mut().unwrap().as_mut().unwrap());
        assert_eq!(broken(&case), ["resume/total"]);
    }
}

#[test]
fn a_torn_tail_that_is_glued_to_the_next_line_is_detected() {
    let mut file = file("u1 -");
    file.extend(b"{\"type\":\"assistant\",\"uuid\":\"a1\"");
    let next = record("u2 u1").to_string();
    file.extend(next.bytes().chain([b'\n']));
    let whole = b"{\"type\":\"user\",\"uuid\":\"u2\"}";
    assert!(!String::from_utf8_lossy(&file).contains(&*String::from_utf8_lossy(whole)));
    let mut case = case(&file, "u1");
    // The record behind the torn one is whole and comes back: it has a mark that records have.
    assert_eq!(broken(&case), ["resume/complete"]);
    let conversation = case.answer.as_mut().unwrap().as_mut().unwrap();
    conversation
        .records
        .push(turnproof_rules::operation::ConversationRecord { uuid: "u2".into(), bytes: next.into_bytes() });
    assert_eq!(broken(&case), [""; 0]);
    let glued = file[file.iter().position(|&byte| byte == b'\n').unwrap() + 1..file.len() - 1].to_vec();
    case.answer.as_mut().unwrap().as_mut().unwrap().records[1].bytes = glued;
    assert_eq!(broken(&case), ["resume/total"]);
}

#[test]
fn a_gap_that_is_not_reported_is_detected() {
    let mut case = case(&file(GAP), "u1 a1 u2 a3 u3");
    assert_eq!(broken(&case), [""; 0]);
    case.answer.as_mut().unwrap().as_mut().unwrap().notes.clear();
    assert_eq!(broken(&case), ["resume/bridges-gap"]);
}

#[test]
fn a_boundary_whose_preserved_messages_are_missing_must_be_reported() {
    for lines in [
        "u1 -; b1 - keeps=b1,zz; u2 b1",
        "u1 -; b1 - keeps=zz,u1; u2 b1",
        "u1 -; b1 - segment=b1,zz,u1; u2 b1",
        "u1 -; b1 - segment=b1,u1,zz; u2 b1",
        "u1 -; b1 - segment=zz,u1,u1; u2 b1",
    ] {
        let mut case = case(&file(lines), "b1 u2");
        assert_eq!(broken(&case), [""; 0]);
        case.answer.as_mut().unwrap().as_mut().unwrap().notes.clear();
        assert_eq!(broken(&case), ["resume/boundary"], "{lines:?}");
    }
    // The boundary names nothing, so nothing is missing.
    for metadata in [json!(null), json!({}), json!({"preservedMessages": null}), json!([1])] {
        let mut boundary = record("b1 -");
        boundary["compactMetadata"] = metadata;
        let file = [file("u1 -"), format!("{boundary}\n").into_bytes(), file("u2 b1")].concat();
        let mut case = case(&file, "b1 u2");
        assert_eq!(broken(&case), [""; 0]);
        // A note says that `u1` is left out, as with each boundary.
        case.answer.as_mut().unwrap().as_mut().unwrap().notes.clear();
        assert_eq!(broken(&case), ["resume/boundary"]);
    }
}

#[test]
fn what_was_recorded_must_come_back_uuid_for_uuid() {
    let uuids = |text: &str| Some(text.split(' ').map(str::to_owned).collect());
    let mut case = case(&file("u1 -; a1 u1; u2 a1"), "u1 a1 u2");
    case.recorded = uuids("u1 a1 u2");
    assert_eq!(broken(&case), [""; 0]);
    for recorded in ["u1 a1", "u1 a1 u2 a2", "u1 u2 a1", "u1 a1 u3"] {
        case.recorded = uuids(recorded);
        assert_eq!(broken(&case), ["resume/complete"], "{recorded}");
    }
}

#[test]
fn a_violation_says_which_line_and_why() {
    let case = case(&file(RETRACTED), "u1 a1 a2 u3");
    let turnproof_rules::rules::Verdict::Broken(violations) = families::judge("resume/withdrawn", &case) else {
        panic!("it holds");
    };
    let reported: Vec<_> = violations
        .iter()
        .map(|violation| format!("{}: {}; {}", violation.place, violation.found, violation.expected))
        .collect();
    assert_eq!(reported, ["line 2: `a1` comes back; it stays away: a later record withdraws it"]);
}
