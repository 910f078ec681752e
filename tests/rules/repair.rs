//! Rules on *repairing*: what a repaired file must be, and which rule says what is wrong with it.

use turnproof_rules::operation::{Operation, RemovedPiece, RepairAnswer, RepairChange, Repaired, RepairedFile};
use turnproof_rules::rules::Verdict;
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::{Depth, Observed};

use crate::families::{assert_complete, assert_examples, broken, judge};

const RULES: [&str; 8] = [
    "repair/total",
    "repair/clean",
    "repair/legal",
    "repair/resumes",
    "repair/conserves",
    "repair/minimal",
    "repair/idempotent",
    "repair/deterministic",
];

pub(crate) const U1: &str =
    r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"a"}}"#;
pub(crate) const A1: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"b"}]}}"#;
pub(crate) const U2: &str =
    r#"{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"s","message":{"role":"user","content":"c"}}"#;
pub(crate) const LOST: &str =
    r#"{"type":"user","uuid":"u2","parentUuid":"gone","sessionId":"s","message":{"role":"user","content":"c"}}"#;
pub(crate) const SIDE: &str = r#"{"type":"file-history-snapshot", "messageId":"u1" ,"snapshot":{"a":1.0}}"#;

pub(crate) fn file(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

fn change(line: u64, rule: &str, before: &str, after: &str) -> RepairChange {
    RepairChange {
        line,
        rule: rule.to_owned(),
        what: String::new(),
        before: before.as_bytes().to_vec(),
        after: after.as_bytes().to_vec(),
    }
}

fn removed(line: u64, rule: &str, bytes: &str) -> RemovedPiece {
    RemovedPiece { line, rule: Some(rule.to_owned()), reason: String::new(), bytes: bytes.as_bytes().to_vec() }
}

/// What a tool made of a file, and what it says of it.
fn said(before: Vec<u8>, after: Vec<u8>, changes: &[RepairChange], removed: &[RemovedPiece]) -> Repaired {
    let answer = RepairedFile { bytes: after, changes: Some(changes.to_vec()), removed: Some(removed.to_vec()) };
    Repaired { file: before, answer: Ok(answer), again: None, repeated: None }
}

/// What a tool made of a file that says nothing of it.
pub(crate) fn silent(before: Vec<u8>, after: Vec<u8>) -> Repaired {
    let answer = RepairedFile { bytes: after, ..RepairedFile::default() };
    Repaired { file: before, answer: Ok(answer), again: None, repeated: None }
}

/// What the reference makes of a file, twice.
pub(crate) fn reference(file: Vec<u8>) -> Repaired {
    let ask = |file: &[u8]| match Reference.repair(file) {
        Outcome::Output(repaired) => Ok(repaired),
        other => Err(format!("{other:?}")),
    };
    let answer: RepairAnswer = ask(&file);
    let again = answer.as_ref().ok().map(|repaired| ask(&repaired.bytes));
    Repaired { file, answer, again, repeated: None }
}

fn found(rule: &str, case: &Repaired) -> String {
    match judge(rule, case) {
        Verdict::Broken(violations) => violations[0].found.to_string(),
        other => panic!("{rule}: {other:?}"),
    }
}

#[test]
fn the_family_has_eight_rules_in_order() {
    assert_complete("repair", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    assert_examples::<Repaired>("repair");
}

#[test]
fn a_healthy_file_that_stays_as_it_is_breaks_nothing() {
    let healthy = file(&[U1, SIDE, A1, U2]);
    for without_end in [healthy.clone(), healthy[..healthy.len() - 1].to_vec()] {
        assert_eq!(broken("repair", &said(without_end.clone(), without_end.clone(), &[], &[])), [""; 0]);
        assert_eq!(judge("repair/minimal", &reference(without_end)), Verdict::Holds);
    }
}

#[test]
fn each_byte_of_a_line_is_in_one_of_the_parts_into_which_its_changes_cut_it() {
    let before = file(&[U1, A1, LOST]);
    let linked = change(3, "chain/parent-exists", "\"gone\"", "\"a1\"");
    assert_eq!(
        broken("repair", &said(before.clone(), file(&[U1, A1, U2]), std::slice::from_ref(&linked), &[])),
        [""; 0]
    );
    // The same change, and a member is gone without a word.
    let shorter = U2.replace(r#""sessionId":"s","#, "");
    let case = said(before.clone(), file(&[U1, A1, &shorter]), std::slice::from_ref(&linked), &[]);
    assert_eq!(broken("repair", &case), ["repair/conserves", "repair/minimal"]);
    // A record that is written again, with other spaces.
    let spaced = U2.replace(',', ", ");
    assert_eq!(broken("repair", &said(before, file(&[U1, A1, &spaced]), &[linked], &[])), ["repair/conserves"]);
}

#[test]
fn a_part_is_found_where_a_beginning_of_it_did_not_match_before() {
    let before = file(&[U1, A1, "abababac", U2]);
    let case = |kept: &str| {
        let torn = removed(3, "wire/json-object", kept);
        judge("repair/conserves", &said(before.clone(), file(&[U1, A1, U2]), &[], &[torn]))
    };
    assert_eq!(case("aababababacb"), Verdict::Holds);
    assert!(matches!(case("abababaabababa"), Verdict::Broken(_)), "the last letter is nowhere");
}

#[test]
fn of_two_equal_lines_one_must_not_vanish() {
    let before = file(&[U1, SIDE, A1, SIDE, "torn", U2]);
    let torn = removed(5, "wire/json-object", "torn");
    let case = said(before.clone(), file(&[U1, SIDE, A1, SIDE, U2]), &[], std::slice::from_ref(&torn));
    assert_eq!(broken("repair", &case), [""; 0]);
    let case = said(before, file(&[U1, SIDE, A1, U2]), &[], &[torn]);
    assert_eq!(broken("repair", &case), ["repair/conserves", "repair/minimal"]);
}

#[test]
fn a_tool_that_gives_the_file_alone_must_keep_each_uuid() {
    let before = file(&[U1, A1, "torn", U2]);
    assert_eq!(broken("repair", &silent(before.clone(), file(&[U1, A1, U2]))), [""; 0]);
    // The last message was removed: what comes back is less, too.
    let case = silent(before.clone(), file(&[U1, A1]));
    assert_eq!(broken("repair", &case), ["repair/resumes", "repair/conserves"]);
    assert_eq!(found("repair/conserves", &case), "the record `u2` is gone");
    assert!(matches!(judge("repair/minimal", &case), Verdict::NotApplicable(_)));
    // It says so.
    let mut case = silent(before, file(&[U1, A1]));
    case.answer.as_mut().unwrap().removed = Some(vec![removed(4, "", U2)]);
    assert_eq!(broken("repair", &case), ["repair/resumes"]);
}

#[test]
fn a_change_names_a_rule_that_the_file_breaks() {
    let (before, after) = (file(&[U1, A1, "torn", U2]), file(&[U1, A1, U2]));
    let of = |rule| said(before.clone(), after.clone(), &[], &[removed(3, rule, "torn")]);
    assert_eq!(broken("repair", &of("wire/json-object")), [""; 0]);
    for other in ["wire/no-nul", "chain/acyclic", "no/rule", "api/no-rule"] {
        assert_eq!(broken("repair", &of(other)), ["repair/minimal"], "{other}");
    }
    // In a damaged file, calls and blocks may come to light that nobody saw before.
    assert_eq!(broken("repair", &of("pairing/no-orphan-result")), [""; 0]);
}

#[test]
fn what_came_back_over_a_gap_comes_back_and_the_gap_is_closed() {
    let before = file(&[U1, A1, LOST]);
    assert_eq!(
        found("repair/resumes", &silent(before.clone(), before.clone())),
        "the parent of the record in line 3 is lost"
    );
    assert_eq!(broken("repair", &silent(before.clone(), file(&[U1, A1, U2]))), [""; 0]);
    let root = LOST.replace("\"gone\"", "null");
    let case = silent(before, file(&[U1, A1, &root]));
    assert_eq!(found("repair/resumes", &case), "`u1` does not come back any more");
}

#[test]
fn the_messages_come_back_in_their_order() {
    let swapped = [&U1.replace("\"u1\"", "\"u2\"").replace('a', "c"), A1, U2];
    let case = silent(file(&[U1, A1, "torn", U2]), file(&[U2, A1, U1]));
    assert_eq!(broken("repair", &case), [""; 0], "parents say the order, not lines: {swapped:?}");
    let other_way = [
        U2.replace("\"parentUuid\":\"a1\"", "\"parentUuid\":null"),
        A1.replace("\"parentUuid\":\"u1\"", "\"parentUuid\":\"u2\""),
        U1.replace("\"parentUuid\":null", "\"parentUuid\":\"a1\""),
    ];
    let other_way: Vec<&str> = other_way.iter().map(String::as_str).collect();
    let case = silent(file(&[U1, A1, "torn", U2]), file(&other_way));
    assert_eq!(found("repair/resumes", &case), "`a1` comes back in another place");
}

#[test]
fn a_refusal_is_right_where_no_record_can_be_read() {
    let refused =
        |file: &[u8]| Repaired { file: file.to_vec(), answer: Err("no".to_owned()), again: None, repeated: None };
    assert_eq!(broken("repair", &refused(b"garbage\n\0\0")), [""; 0]);
    assert_eq!(broken("repair", &refused(&file(&[U1, "garbage"]))), ["repair/total"]);
}

#[test]
fn a_call_without_result_makes_the_conversation_one_that_is_refused() {
    let call = A1.replace(r#"{"type":"text","text":"b"}"#, r#"{"type":"tool_use","id":"t1","name":"Bash","input":{}}"#);
    let open = file(&[U1, &call, U2]);
    assert_eq!(broken("repair", &silent(open.clone(), open.clone())), ["repair/legal"]);
    assert_eq!(broken("repair", &reference(open)), [""; 0]);
}

#[test]
fn what_goes_on_from_another_file_and_idle_progress_may_stay() {
    let of_agent = |record: &str| record.replacen('{', r#"{"isSidechain":true,"agentId":"abc","#, 1);
    let agent =
        file(&[&of_agent(&U1.replace("\"parentUuid\":null", "\"parentUuid\":\"gone\"")), &of_agent(A1), &of_agent(U2)]);
    let progress =
        r#"{"parentUuid":"gone","isSidechain":true,"type":"progress","uuid":"p1","sessionId":"s","data":{}}"#;
    for file in [agent, file(&[U1, A1, progress, U2]), file(&[U1, A1, &progress.replace(r#""uuid":"p1","#, ""), U2])] {
        assert_eq!(broken("repair", &reference(file.clone())), [""; 0], "{}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn the_reference_holds_each_rule_and_each_is_put_to_the_test() {
    let mut held = [0; RULES.len()];
    for case in 0..400 {
        let plan = Scenario::from_seed(22, case, [Profile::Causal, Profile::Hostile][(case % 2) as usize]);
        let observed = Observed::of(&Reference, &Case::of(&plan), &[Operation::Repair], Depth::Whole);
        for repaired in observed.repair.unwrap().unwrap() {
            assert_eq!(
                broken("repair", &repaired),
                [""; 0],
                "case {case}: {}",
                String::from_utf8_lossy(&repaired.file)
            );
            for (held, rule) in held.iter_mut().zip(RULES) {
                *held += usize::from(judge(rule, &repaired) == Verdict::Holds);
            }
        }
    }
    assert!(held.iter().all(|&held| held > 50), "{held:?}");
}

#[test]
fn a_repair_may_make_other_ids_each_time_and_nothing_else() {
    let added = |uuid: &str| {
        let new = U1.replace("\"u1\"", &format!("\"{uuid}\"")).replace("null", "\"a1\"");
        let next = LOST.replace("\"gone\"", &format!("\"{uuid}\""));
        RepairedFile { bytes: file(&[U1, A1, &new, &next]), ..RepairedFile::default() }
    };
    let case = |repeated: RepairAnswer| Repaired {
        repeated: Some(repeated),
        ..silent(file(&[U1, A1, LOST]), added("x1").bytes)
    };
    assert_eq!(judge("repair/deterministic", &case(Ok(added("x2")))), Verdict::Holds);
    let mut other = added("x1");
    other.bytes = file(&[U1, A1, LOST]);
    assert!(found("repair/deterministic", &case(Ok(other))).starts_with("asked again, line 3 is "));
    assert!(matches!(judge("repair/deterministic", &case(Err("no".to_owned()))), Verdict::Broken(_)));
}

#[test]
fn a_placeholder_says_when_and_where_its_call_was_recorded() {
    let call = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","cwd":"/a","version":"2.1.42","timestamp":"2026-01-01T00:00:00.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}}"#;
    let repaired = reference(file(&[U1, call, U2]));
    assert_eq!(judge("repair/minimal", &repaired), Verdict::Holds);
    for (right, wrong, name) in [
        (r#""sessionId":"s""#, r#""sessionId":"t""#, "sessionId"),
        (r#""cwd":"/a""#, r#""agentId":"b","cwd":"/a""#, "agentId"),
        (r#""version":"2.1.42""#, r#""novelty":1"#, "version"),
        ("2026-01-01", "2027-01-01", "timestamp"),
    ] {
        let mut other = repaired.clone();
        let answer = other.answer.as_mut().expect("a repaired file");
        let text = String::from_utf8(answer.bytes.clone()).expect("text");
        let line = text.lines().find(|line| line.contains("[Tool result missing")).expect("a placeholder");
        answer.bytes = text.replace(line, &line.replace(right, wrong)).into_bytes();
        let found = found("repair/minimal", &other);
        assert!(found.starts_with(&format!("`{name}` of the placeholder")), "{found}");
    }
    let mut other = repaired;
    let answer = other.answer.as_mut().expect("a repaired file");
    let text = String::from_utf8(answer.bytes.clone()).expect("text");
    answer.bytes = text.replace(r#""is_error":true"#, r#""is_error":false"#).into_bytes();
    let found = found("repair/minimal", &other);
    assert!(found.starts_with("the placeholder for the result of toolu_1 does not say"), "{found}");
}
