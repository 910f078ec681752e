//! Input that has to wait.

use serde_json::json;
use turnproof_rules::operation::Moment;

use super::log::*;

const RULE: &str = "engine/queue-order";

#[test]
fn what_waits_joins_first_in_first_out() {
    let (u1, u2) = (user("u1", "one"), user("u2", "two"));
    let log = Log::default().types(1, json!("one"), true).types(2, json!("two"), true);
    log.clone().joins(1, &u1).joins(2, &u2).requests(&[&u1, &u2]).holds(&[RULE]);
    log.joins(2, &u2).joins(1, &u1).requests(&[&u1, &u2]).breaks(RULE);
}

#[test]
fn what_was_typed_is_what_is_said() {
    let image = json!([{"type": "text", "text": "one"}, {"type": "image", "source": {}}]);
    let mut u1 = user("u1", "");
    u1["message"]["content"] = image.clone();
    Log::default().types(1, image.clone(), true).joins(1, &u1).holds(&[RULE]);
    // Without its image; with other words; as a note; as another kind.
    let note = {
        let mut note = user("u1", "one");
        note["isMeta"] = json!(true);
        note
    };
    let attachment = json!({"type": "attachment", "uuid": "u1", "attachment": {"type": "queued_command"}});
    Log::default().types(1, image, true).joins(1, &user("u1", "one")).breaks(RULE);
    for wrong in [user("u1", "other"), note, attachment] {
        Log::default().types(1, json!("one"), true).joins(1, &wrong).breaks(RULE);
    }
    // One text and a list of one text are the same. Nothing is the same as the text that replaces it.
    let blocks = json!([{"type": "text", "text": "one"}]);
    Log::default().types(1, blocks, true).joins(1, &user("u1", "one")).holds(&[RULE]);
    Log::default().types(1, json!(""), true).joins(1, &user("u1", "(no content)")).holds(&[RULE]);
}

#[test]
fn nothing_waits_for_a_second_request() {
    let u0 = user("u0", "zero");
    let u1 = user("u1", "one");
    let log = Log::default().yields(&[&u0]).types(1, json!("one"), true).requests(&[&u0]);
    log.clone().joins(1, &u1).requests(&[&u0, &u1]).holds(&[RULE]);
    let (a1, more) = (says("a1", "msg_1", "well"), user("u9", "more"));
    let next = log.clone().yields(&[&a1, &more]).requests(&[&u0, &a1, &more]);
    next.breaks(RULE);
    next.joins(1, &u1).breaks(RULE);
    // The same request again does not count twice.
    log.clone().requests(&[&u0]).joins(1, &u1).requests(&[&u0, &u1]).holds(&[RULE]);
    // Only a crash may lose it.
    log.clone().crashes(&[&u0]).resumes(&[&u0]).requests(&[&u0]).holds(&[RULE]);
    // The log ends before it is due.
    log.holds(&[RULE]);
}

#[test]
fn each_input_joins_once() {
    let (u1, u2) = (user("u1", "one"), user("u2", "one"));
    let log = Log::default().types(1, json!("one"), true).joins(1, &u1);
    log.clone().joins(1, &u2).breaks(RULE);
    log.joins(7, &u2).breaks(RULE);
}

#[test]
fn the_message_of_an_input_is_in_the_log() {
    let u0 = user("u0", "zero");
    let joined = Moment::Joined { input: 1, uuid: "nowhere".into() };
    let mut log = Log::default().yields(&[&u0]).types(1, json!("one"), true).then(joined);
    log.queue.push(queue_operation("dequeue", None));
    log.clone().requests(&[&u0]).breaks(RULE);
    log.clone().crashes(&[&u0]).resumes(&[&u0]).requests(&[&u0]).holds(&[RULE]);
    log.holds(&[RULE]);
}
