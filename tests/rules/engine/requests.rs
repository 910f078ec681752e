//! What a request is made of, and what is safe when it is sent.

use serde_json::json;
use turnproof_rules::operation::Moment;

use super::log::*;

#[test]
fn user_messages_are_on_disk_when_a_request_is_sent() {
    let rule = "engine/durable-before-request";
    let (u1, a1, u2) = (user("u1", "one"), says("a1", "msg_1", "well"), user("u2", "two"));
    let all = [&u1, &a1, &u2];
    let log = |transcript: Vec<u8>| Log::default().yields(&all).requests_with(&all, turns(&all), transcript);
    log(lines(&all)).holds(&[rule]);
    // A reply may still wait.
    log(lines(&[&u1, &u2])).holds(&[rule]);
    log(lines(&[&u1, &a1])).breaks(rule);
    log(Vec::new()).breaks(rule);
    // The last line is torn.
    let mut torn = lines(&all);
    torn.truncate(torn.len() - 9);
    log(torn).breaks(rule);
    // A virtual message is never written.
    let mut hidden = user("v1", "note");
    hidden["isVirtual"] = json!(true);
    let more = [&u1, &hidden];
    Log::default().yields(&[&u1]).requests_with(&more, turns(&more), lines(&[&u1])).holds(&[rule]);
    // It is not asked where the disk did not take everything.
    let mut case = log(Vec::new()).done();
    case.whole = false;
    assert_eq!(broken(&case), [""; 0]);
}

#[test]
fn all_that_live_user_messages_say_is_sent() {
    let rule = "engine/request-of-live";
    let (u1, a1, u2) = (user("u1", "one"), says("a1", "msg_1", "well"), user("u2", "two"));
    let all = [&u1, &a1, &u2];
    let log = Log::default().yields(&all);
    log.clone().requests(&all).holds(&[rule]);
    log.clone().requests_with(&all, turns(&[&u1, &a1]), lines(&all)).breaks(rule);
    log.clone().requests_with(&all, turns(&[&a1, &u2]), lines(&all)).breaks(rule);
    // What the model said does not count.
    let wrong = json!([{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}]);
    log.requests_with(&all, wrong, lines(&all)).breaks(rule);
    // Hidden ones are not sent; those before a compaction neither.
    let mut hidden = user("u3", "three");
    hidden["isVisibleInTranscriptOnly"] = json!(true);
    let log = Log::default().yields(&[&u1, &hidden, &u2]);
    log.requests_with(&[&u1, &u2], turns(&[&u1, &u2]), lines(&[&u1, &u2])).holds(&[rule]);
    Log::default().yields(&all).compacts(&[&u2]).requests(&[&u2]).holds(&[rule]);
    Log::default().yields(&[&u1]).compacts(&[&u1, &u2]).requests(&[&u1]).breaks(rule);
}

#[test]
fn nothing_that_was_withdrawn_is_sent() {
    let rule = "engine/request-of-live";
    let (u1, a1, b1) = (user("u1", "one"), says("a1", "msg_1", "half"), says("b1", "msg_2", "whole"));
    let gone = tombstone(&a1);
    let log = Log::default().yields(&[&u1, &a1, &gone, &b1]);
    let live = [&u1, &b1];
    let sent = |more: &[&serde_json::Value]| log.clone().requests_with(&live, turns(more), lines(&live));
    sent(&[&u1, &b1]).holds(&[rule, "engine/no-withdrawn-survivor"]);
    sent(&[&u1, &a1, &b1]).breaks(rule);
    // The same words in a message that stays.
    let same = says("b1", "msg_2", "half");
    let live = [&u1, &same];
    Log::default().yields(&[&u1, &a1, &gone, &same]).requests(&live).holds(&[rule]);
    // A withdrawn call with its result.
    let (a2, r2) = (calls("a2", "msg_1", "toolu_1"), result("r2", "toolu_1"));
    let gone = tombstone(&a2);
    let log = Log::default().yields(&[&u1, &a2, &r2, &gone, &b1]);
    let live = [&u1, &b1];
    log.clone().requests(&live).holds(&[rule]);
    log.requests_with(&live, turns(&[&u1, &a2, &r2, &b1]), lines(&live)).breaks(rule);
}

#[test]
fn a_withdrawn_message_is_in_no_later_list() {
    let rule = "engine/no-withdrawn-survivor";
    let (u1, a1, b1) = (user("u1", "one"), says("a1", "msg_1", "half"), says("b1", "msg_2", "whole"));
    let gone = tombstone(&a1);
    let log = Log::default().yields(&[&u1, &a1, &gone, &b1]);
    let with = [&u1, &a1, &b1];
    log.clone().requests_with(&with, turns(&[&u1, &b1]), lines(&with)).breaks(rule);
    log.clone().compacts(&[&u1, &a1]).breaks(rule);
    // Before it was withdrawn it was there.
    let log = Log::default().yields(&[&u1, &a1]).requests(&[&u1, &a1]);
    log.yields(&[&gone, &b1]).requests(&[&u1, &b1]).holds(&[rule]);
}

#[test]
fn a_withdrawal_outlives_a_crash_once_anything_after_it_is_on_disk() {
    let rule = "engine/no-withdrawn-survivor";
    let (u1, a1, mut b1) = (user("u1", "one"), says("a1", "msg_1", "half"), says("b1", "msg_2", "whole"));
    b1["supersedesUuids"] = json!(["a1"]);
    let gone = tombstone(&a1);
    let log = Log::default().yields(&[&u1, &a1, &gone, &b1]);
    log.clone().crashes(&[&u1, &a1, &b1]).resumes(&[&u1, &b1]).holds(&[rule]);
    log.clone().crashes(&[&u1, &a1, &b1]).resumes(&[&u1, &a1, &b1]).breaks(rule);
    // Its successor is there and does not name it.
    let bare = says("b1", "msg_2", "whole");
    let silent = Log::default().yields(&[&u1, &a1, &gone, &bare]).crashes(&[&u1, &a1, &bare]);
    let resumed = silent.resumes(&[&u1, &a1, &bare]);
    resumed.breaks(rule);
    let case = turnproof_rules::operation::Played { whole: false, ..resumed.done() };
    assert_eq!(broken(&case), [""; 0]);
    // The file could not know of it; from then on the message counts.
    let crashed = log.crashes(&[&u1, &a1]).resumes(&[&u1, &a1]);
    crashed.holds(&["engine/resume-complete"]);
    crashed.requests(&[&u1, &a1]).holds(&["engine/request-of-live"]);
    // Without a crash nothing can have been lost.
    let moment = Moment::Resumed(json!([u1, a1]).into());
    Log::default().yields(&[&u1, &a1, &gone]).then(moment).breaks(rule);
}

#[test]
fn what_a_compaction_took_away_is_in_no_resumed_session() {
    let rule = "engine/no-compacted-survivor";
    let (u1, a1) = (user("u1", "one"), says("a1", "msg_1", "half"));
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "uuid": "b"});
    let summary = json!({"type": "user", "uuid": "s", "isCompactSummary": true, "message": {"content": "so far"}});
    let log = Log::default().yields(&[&u1, &a1]).compacts(&[&boundary, &summary, &a1]);
    let whole = [&u1, &a1, &boundary, &summary];
    let crashed = log.clone().crashes(&whole);
    crashed.clone().resumes(&[&boundary, &summary, &a1]).holds(&[rule]);
    crashed.clone().resumes(&[&boundary, &summary, &u1, &a1]).breaks(rule);
    // Where it is not whole on disk, it may never have been.
    for torn in [&whole[..3], &whole[..2], &[&u1, &boundary, &summary]] {
        let resumed = log.clone().crashes(torn).resumes(&[&u1, &a1]);
        assert!(!broken(&resumed.clone().done()).contains(&rule));
        // It stays undone.
        let again = resumed.crashes(&whole).resumes(&[&u1, &a1]);
        assert!(!broken(&again.done()).contains(&rule));
    }
    // Without a crash nothing can have been lost.
    let moment = Moment::Resumed(json!([u1, a1]).into());
    assert_eq!(broken(&log.then(moment).done()), [rule, "engine/resume-complete"]);
    let case = turnproof_rules::operation::Played { whole: false, ..crashed.resumes(&[&u1]).done() };
    assert_eq!(broken(&case), [""; 0]);
}
