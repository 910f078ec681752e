//! *Compactions*: where a list may be cut, and how a boundary names what stays.

use serde_json::{Value, json};
use turnproof_reference::engine::{Input, Keep, Preserve};

use super::talk::{Talk, values};

const PRESERVES: [Preserve; 3] = [Preserve::Segment, Preserve::Messages, Preserve::Both];

/// What the boundary in the conversation says of what stays: the segment, and the messages.
fn named(talk: &Talk) -> [Value; 2] {
    let list = values(talk.engine.messages());
    let boundary = list.iter().find(|message| message["subtype"] == "compact_boundary").expect("a boundary");
    let metadata = &boundary["compactMetadata"];
    ["preservedSegment", "preservedMessages"].map(|name| metadata[name].clone())
}

/// The uuid of the message at a place of the conversation.
fn uuid(talk: &Talk, at: usize) -> String {
    values(talk.engine.messages())[at]["uuid"].as_str().expect("a uuid").to_owned()
}

/// Messages at these places of the conversation, named by the first and the last, after an anchor.
fn by_segment(talk: &Talk, anchor: usize, places: &[usize]) -> Value {
    let [head, tail] = [places[0], places[places.len() - 1]].map(|at| uuid(talk, at));
    json!({"headUuid": head, "anchorUuid": uuid(talk, anchor), "tailUuid": tail})
}

/// The same messages, named one by one.
fn by_messages(talk: &Talk, anchor: usize, places: &[usize]) -> Value {
    let uuids: Vec<String> = places.iter().map(|&at| uuid(talk, at)).collect();
    json!({"anchorUuid": uuid(talk, anchor), "uuids": uuids, "allUuids": uuids})
}

/// Of a segment and a list of messages those that a boundary of this sort has.
fn those_of(preserve: Preserve, segment: Value, messages: Value) -> [Value; 2] {
    match preserve {
        Preserve::Segment => [segment, Value::Null],
        Preserve::Messages => [Value::Null, messages],
        Preserve::Both => [segment, messages],
    }
}

/// The boundary names what was kept, which is in the list from the third place on, by the first and the
/// last alone: it is a chain on disk.
fn assert_chain(talk: &Talk, count: usize) {
    let places: Vec<usize> = (2..2 + count).collect();
    assert_eq!(named(talk), [by_segment(talk, 1, &places), Value::Null], "{:#?}", talk.list());
}

/// The boundary names each message that was kept, although the step asks for the first and the last alone.
fn assert_no_chain(talk: &Talk, count: usize) {
    let places: Vec<usize> = (2..2 + count).collect();
    assert_eq!(named(talk), [Value::Null, by_messages(talk, 1, &places)], "{:#?}", talk.list());
}

#[test]
fn the_last_messages_are_named_as_they_are_to_be_after_the_summary() {
    for preserve in PRESERVES {
        let mut talk = Talk::after(&[("one", "first"), ("two", "second")]);
        talk.compacts(Keep::Last(3), preserve);
        assert_eq!(
            talk.list(),
            ["system compact_boundary", "user the summary", "assistant first", "user two", "assistant second"]
        );
        let (segment, messages) = (by_segment(&talk, 1, &[2, 3, 4]), by_messages(&talk, 1, &[2, 3, 4]));
        assert_eq!(named(&talk), those_of(preserve, segment, messages), "{preserve:?}");
    }
}

#[test]
fn the_first_messages_are_named_as_they_are_to_be_after_the_boundary() {
    for preserve in PRESERVES {
        let mut talk = Talk::after(&[("one", "first"), ("two", "second")]);
        talk.compacts(Keep::First(1), preserve);
        assert_eq!(talk.list(), ["system compact_boundary", "user one", "user the summary"]);
        let (segment, messages) = (by_segment(&talk, 0, &[1]), by_messages(&talk, 0, &[1]));
        assert_eq!(named(&talk), those_of(preserve, segment, messages), "{preserve:?}");
    }
}

#[test]
fn a_compaction_that_keeps_nothing_names_nothing() {
    for preserve in PRESERVES {
        let mut talk = Talk::after(&[("one", "first")]);
        talk.compacts(Keep::Nothing, preserve);
        assert_eq!(talk.list(), ["system compact_boundary", "user the summary"]);
        assert_eq!(named(&talk), [Value::Null, Value::Null], "{preserve:?}");
    }
}

#[test]
fn what_was_kept_as_a_chain_and_is_kept_again_alone_is_a_chain_still() {
    for before in [Preserve::Segment, Preserve::Both] {
        for count in [1, 2] {
            let mut talk = Talk::after(&[("one", "first")]);
            talk.compacts(Keep::Last(2), before);
            talk.compacts(Keep::Last(count), Preserve::Segment);
            assert_chain(&talk, count as usize);
        }
    }
}

#[test]
fn what_was_named_one_by_one_is_named_so_again() {
    let mut talk = Talk::after(&[("one", "first")]);
    talk.compacts(Keep::Last(2), Preserve::Messages);
    talk.compacts(Keep::Last(2), Preserve::Segment);
    assert_no_chain(&talk, 2);
    // Messages that were put together like this are no chain for the third compaction either.
    talk.compacts(Keep::Last(1), Preserve::Segment);
    assert_no_chain(&talk, 1);
}

#[test]
fn what_was_kept_before_and_what_came_after_it_are_named_one_by_one() {
    for before in PRESERVES {
        // The earlier compaction kept one message or two.
        for kept in [1, 2] {
            let mut talk = Talk::after(&[("one", "first")]);
            talk.compacts(Keep::Last(kept), before);
            talk.exchange("two", "second");
            talk.compacts(Keep::Last(3), Preserve::Segment);
            assert_eq!(talk.list()[2..], ["assistant first", "user two", "assistant second"], "{before:?}");
            assert_no_chain(&talk, 3);
        }
    }
}

#[test]
fn what_came_after_an_earlier_compaction_is_a_chain_of_its_own() {
    for before in PRESERVES {
        for keep in [Keep::Nothing, Keep::First(2), Keep::Last(2)] {
            let mut talk = Talk::after(&[("one", "first")]);
            talk.compacts(keep, before);
            talk.exchange("two", "second");
            talk.compacts(Keep::Last(2), Preserve::Segment);
            assert_chain(&talk, 2);
        }
    }
}

#[test]
fn an_earlier_summary_that_stays_is_named_with_the_others_one_by_one() {
    let mut talk = Talk::after(&[("one", "first")]);
    talk.compacts(Keep::Nothing, Preserve::Segment);
    talk.exchange("two", "second");
    talk.compacts(Keep::Last(3), Preserve::Segment);
    assert_eq!(talk.list()[2..], ["user the summary", "user two", "assistant second"]);
    assert_no_chain(&talk, 3);
}

#[test]
fn live_output_stays_but_is_not_named_and_mixes_nothing() {
    let mut talk = Talk::working(&["toolu_1"]);
    talk.step(Input::Progress { call: "toolu_1".into(), data: "working".into() });
    talk.result("toolu_1", "done");
    talk.ends("end_turn");
    let kept = ["assistant call toolu_1", "progress", "user result toolu_1"];
    talk.compacts(Keep::Last(3), Preserve::Both);
    assert_eq!(talk.list()[2..], kept);
    assert_eq!(named(&talk), [by_segment(&talk, 1, &[2, 4]), by_messages(&talk, 1, &[2, 4])]);
    talk.compacts(Keep::Last(3), Preserve::Segment);
    assert_eq!(talk.list()[2..], kept);
    assert_eq!(named(&talk), [by_segment(&talk, 1, &[2, 4]), Value::Null]);
}

#[test]
fn what_a_boundary_names_the_wrong_way_round_was_not_kept_by_it() {
    let mut talk = Talk::after(&[("one", "first")]);
    talk.compacts(Keep::Nothing, Preserve::Segment);
    talk.exchange("two", "second");
    talk.exchange("three", "third");
    talk.step(Input::Wait(200));
    let [head, tail, summary] = [5, 2, 1].map(|at| uuid(&talk, at));
    let mut file = String::new();
    for mut line in talk.lines() {
        if line["subtype"] == "compact_boundary" {
            line["compactMetadata"]["preservedSegment"] =
                json!({"headUuid": head, "anchorUuid": summary, "tailUuid": tail});
        }
        file += &format!("{line}\n");
    }
    let mut talk = Talk::later();
    talk.step(Input::Crash(0));
    talk.step(Input::OtherWriter(file));
    talk.step(Input::Resume);
    let after = ["user two", "assistant second", "user three", "assistant third"];
    assert_eq!(talk.list()[2..], after);
    talk.compacts(Keep::Last(4), Preserve::Segment);
    assert_eq!(talk.list()[2..], after);
    assert_chain(&talk, 4);
}

#[test]
fn a_compaction_never_cuts_a_reply_of_several_lines() {
    let whole = ["user one", "assistant a", "assistant b", "user two", "assistant c", "assistant d"];
    let kept = |keep| {
        let mut talk = Talk::new();
        for (prompt, lines) in [("one", ["a", "b"]), ("two", ["c", "d"])] {
            talk.says(prompt);
            for line in lines {
                talk.replies(line);
            }
            talk.ends("end_turn");
        }
        assert_eq!(talk.list(), whole);
        talk.compacts(keep, Preserve::Messages);
        let mut list = talk.list();
        list.retain(|message| message != "system compact_boundary" && message != "user the summary");
        list
    };
    for (count, first, last) in [(1, 1, 2), (2, 3, 2), (3, 3, 3), (4, 4, 5), (5, 6, 5), (6, 6, 6)] {
        assert_eq!(kept(Keep::First(count)), whole[..first], "the first {count}");
        assert_eq!(kept(Keep::Last(count)), whole[6 - last..], "the last {count}");
    }
}

#[test]
fn a_result_between_the_lines_of_a_reply_stays_between_them() {
    let mut talk = Talk::asked();
    talk.calls("toolu_1");
    talk.result("toolu_1", "early");
    talk.replies("meanwhile");
    talk.ends("tool_use");
    talk.answers("done");
    talk.compacts(Keep::Last(2), Preserve::Messages);
    let kept = ["assistant call toolu_1", "user result toolu_1", "assistant meanwhile", "assistant done"];
    assert_eq!(talk.list()[2..], kept);
}
