//! What comes back after a crash.

use serde_json::{Value, json};

use super::log::*;

const RULE: &str = "engine/resume-complete";

#[test]
fn what_was_live_and_on_disk_comes_back_in_order() {
    let (u1, a1, n1) = (user("u1", "one"), says("a1", "msg_1", "well"), notice("n1"));
    let (h1, u2) = (json!({"type": "hook_result", "uuid": "h1"}), user("u2", "two"));
    let progress = json!({"type": "progress", "uuid": "p1"});
    let log = Log::default().yields(&[&u1, &a1, &n1, &progress, &h1, &u2]);
    let written = log.crashes(&[&u1, &a1, &n1, &h1]);
    written.clone().resumes(&[&u1, &a1, &n1, &h1]).holds(&[RULE]);
    for missing in 0..4 {
        let mut back = vec![&u1, &a1, &n1, &h1];
        back.remove(missing);
        written.clone().resumes(&back).breaks(RULE);
    }
    written.clone().resumes(&[&a1, &u1, &n1, &h1]).breaks(RULE);
    written.clone().resumes(&[&u1, &a1, &h1, &n1]).breaks(RULE);
    written.clone().resumes(&[&u1, &u1, &a1, &n1, &h1]).breaks(RULE);
    written.resumes(&[]).breaks(RULE);
}

#[test]
fn a_torn_line_need_not_come_back() {
    let (u1, u2) = (user("u1", "one"), user("u2", "two"));
    let mut transcript = lines(&[&u1, &u2]);
    transcript.truncate(transcript.len() - 5);
    let log = Log::default().yields(&[&u1, &u2]);
    let log = log.then(turnproof_rules::operation::Moment::Crashed { transcript });
    log.clone().resumes(&[&u1]).holds(&[RULE]);
    log.resumes(&[&u2]).breaks(RULE);
}

#[test]
fn parallel_calls_come_back_in_one_piece() {
    let u1 = user("u1", "go");
    let (a1, a2) = (calls("a1", "msg_1", "toolu_1"), calls("a2", "msg_1", "toolu_2"));
    let (r1, r2, n1) = (result("r1", "toolu_1"), result("r2", "toolu_2"), notice("n1"));
    let b1 = says("b1", "msg_2", "well");
    let all = [&u1, &a1, &r1, &a2, &r2, &n1, &b1];
    let log = Log::default().yields(&all).crashes(&all);
    log.clone().resumes(&all).holds(&[RULE]);
    // Among themselves they may be in another order.
    log.clone().resumes(&[&u1, &a1, &a2, &r2, &r1, &n1, &b1]).holds(&[RULE]);
    log.clone().resumes(&[&u1, &a1, &a2, &r1, &n1, &b1]).breaks(RULE);
    log.clone().resumes(&[&u1, &a1, &r1, &n1, &b1]).breaks(RULE);
    log.resumes(&[&u1, &a1, &r1, &n1, &b1, &a2, &r2]).breaks(RULE);
    // A notice between them is on a branch, and comes back all the same.
    let all = [&u1, &a1, &a2, &r2, &n1, &r1, &b1];
    let log = Log::default().yields(&all).crashes(&all);
    log.clone().resumes(&[&u1, &a1, &a2, &r2, &r1, &b1]).breaks(RULE);
    log.clone().resumes(&[&u1, &a1, &a2, &r2, &r1, &n1, &b1]).holds(&[RULE]);
    log.resumes(&all).holds(&[RULE]);
}

/// A boundary that preserves these.
fn boundary(uuids: &[&str]) -> Value {
    json!({"type": "system", "subtype": "compact_boundary", "uuid": "b1",
        "compactMetadata": {"preservedMessages": {"anchorUuid": "s1", "uuids": uuids}}})
}

#[test]
fn after_a_compaction_what_it_left_comes_back() {
    let (u1, a1, k1) = (user("u1", "one"), says("a1", "msg_1", "well"), user("k1", "keep"));
    let (b1, s1, u2) = (boundary(&["k1"]), user("s1", "summary"), user("u2", "two"));
    let log = Log::default().yields(&[&u1, &a1, &k1]).compacts(&[&b1, &s1, &k1]).yields(&[&u2]);
    let written = log.clone().crashes(&[&u1, &a1, &k1, &b1, &s1, &u2]);
    written.clone().resumes(&[&b1, &s1, &k1, &u2]).holds(&[RULE]);
    written.clone().resumes(&[&b1, &s1, &u2]).breaks(RULE);
    written.resumes(&[&b1, &k1, &u2]).breaks(RULE);
    // The anchor did not reach the disk, so what it holds cannot come back.
    log.clone().crashes(&[&u1, &a1, &k1, &b1]).resumes(&[]).holds(&[]);
    // The boundary did not reach the disk either, so the old conversation comes back.
    log.crashes(&[&u1, &a1, &k1]).resumes(&[&u1, &a1, &k1]).holds(&[RULE]);
}

#[test]
fn a_boundary_that_is_yielded_too_counts_once() {
    let (u1, b1, s1, u2) = (user("u1", "one"), boundary(&[]), user("s1", "summary"), user("u2", "two"));
    let all = [&u1, &b1, &s1, &u2];
    let before = Log::default().yields(&[&u1, &b1, &s1]).compacts(&[&b1, &s1]).yields(&[&u2]).crashes(&all);
    let after = Log::default().yields(&[&u1]).compacts(&[&b1, &s1]).yields(&[&b1, &s1, &u2]).crashes(&all);
    for log in [before, after] {
        log.clone().resumes(&[&b1, &s1, &u2]).holds(&[RULE]);
        log.resumes(&[&b1, &u2, &s1]).breaks(RULE);
    }
}

#[test]
fn what_is_resumed_counts_at_the_next_crash() {
    let (u1, u2) = (user("u1", "one"), user("u2", "two"));
    let log = Log::default().yields(&[&u1]).crashes(&[&u1]).resumes(&[&u1]).yields(&[&u2]);
    let again = log.crashes(&[&u1, &u2]);
    again.clone().resumes(&[&u1, &u2]).holds(&[RULE]);
    again.resumes(&[&u2]).breaks(RULE);
}

#[test]
fn it_is_not_asked_where_the_disk_did_not_take_everything() {
    let u1 = user("u1", "one");
    let mut case = Log::default().yields(&[&u1]).crashes(&[&u1]).resumes(&[]).done();
    assert_eq!(broken(&case), [RULE]);
    case.whole = false;
    assert_eq!(broken(&case), [""; 0]);
}
