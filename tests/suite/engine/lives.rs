//! *Lives* of a session: compaction, crash, resume, fork, subagents, other writers.

use turnproof_reference::engine::{Compaction, Input, Keep, Preserve};
use turnproof_reference::message::{Event, Message};
use turnproof_reference::transcript::Transcript;

use super::talk::{Talk, messages};

const PRESERVES: [Preserve; 3] = [Preserve::Segment, Preserve::Messages, Preserve::Both];

#[test]
fn a_compaction_leaves_the_summary_and_what_is_kept() {
    for preserve in PRESERVES {
        let mut talk = Talk::after(&[("one", "first"), ("two", "second")]);
        talk.compacts(Keep::Last(2), preserve);
        let compacted = ["system compact_boundary", "user the summary", "user two", "assistant second"];
        assert_eq!(talk.list(), compacted);
        let request = talk.says("three").request.expect("a request");
        assert!(!request.contains("first") && request.contains("the summary") && request.contains("second"));
        talk.comes_back();
        assert_eq!(talk.list()[..4], compacted, "{preserve:?}");
        assert_eq!(talk.list()[4], "user three");
    }
}

#[test]
fn what_is_kept_from_the_beginning_is_before_the_summary() {
    for preserve in PRESERVES {
        let mut talk = Talk::after(&[("one", "first"), ("two", "second")]);
        talk.compacts(Keep::First(2), preserve);
        let compacted = ["system compact_boundary", "user one", "assistant first", "user the summary"];
        assert_eq!(talk.list(), compacted);
        talk.exchange("three", "third");
        talk.step(Input::Resume);
        assert_eq!(talk.list()[..4], compacted, "{preserve:?}");
        assert_eq!(talk.list()[4..], ["user three", "assistant third"]);
    }
}

#[test]
fn a_compaction_never_tears_a_call_from_its_result() {
    let mut talk = Talk::working(&["toolu_1", "toolu_2"]);
    talk.result("toolu_1", "one");
    talk.result("toolu_2", "two");
    talk.answers("done");
    talk.compacts(Keep::Last(2), Preserve::Messages);
    assert_eq!(
        talk.list()[2..],
        [
            "assistant call toolu_1",
            "assistant call toolu_2",
            "user result toolu_1",
            "user result toolu_2",
            "assistant done"
        ]
    );
}

#[test]
fn behind_a_call_that_has_its_result_a_compaction_may_cut_anywhere() {
    for (keep, kept) in [(Keep::Last(1), "assistant done"), (Keep::First(1), "user go")] {
        let mut talk = Talk::working(&["toolu_1"]);
        talk.result("toolu_1", "ls");
        talk.answers("done");
        talk.compacts(keep, Preserve::Messages);
        let mut list = talk.list();
        list.retain(|message| message != "system compact_boundary" && message != "user the summary");
        assert_eq!(list, [kept]);
    }
}

#[test]
fn a_compaction_while_tools_run_waits_for_the_next_request() {
    let mut talk = Talk::after(&[("one", "first")]);
    talk.works(&["toolu_1"]);
    talk.compacts(Keep::Nothing, Preserve::Segment);
    assert_eq!(talk.list().len(), 4);
    let request = talk.result("toolu_1", "done").request.expect("a request");
    assert!(request.contains("the summary") && !request.contains("toolu_1"), "{request}");
}

#[test]
fn a_second_compaction_builds_on_the_first() {
    let mut talk = Talk::after(&[("one", "first")]);
    talk.compacts(Keep::Last(1), Preserve::Both);
    talk.exchange("two", "second");
    talk.compacts(Keep::Last(9), Preserve::Both);
    let list = talk.list();
    assert_eq!(list.iter().filter(|word| word.contains("boundary")).count(), 1, "{list:?}");
    talk.exchange("three", "third");
    let before = talk.list();
    talk.step(Input::Resume);
    assert_eq!(talk.list(), before);
}

#[test]
fn what_is_kept_across_an_earlier_compaction_comes_back_however_it_is_named() {
    for preserve in PRESERVES {
        // What the second and the third compaction keep of the first one's messages: all, a part, nothing.
        for counts in [[4, 6], [3, 5], [2, 4], [4, 4], [4, 1], [1, 3]] {
            let mut talk = Talk::after(&[("one", "first")]);
            talk.compacts(Keep::Last(2), preserve);
            for (count, prompt) in counts.into_iter().zip(["two", "three"]) {
                talk.exchange(prompt, "answer");
                talk.compacts(Keep::Last(count), preserve);
                talk.exchange("next", "answer");
                let before = talk.list();
                talk.step(Input::Resume);
                assert_eq!(talk.list(), before, "{preserve:?} {counts:?}");
            }
        }
    }
}

#[test]
fn what_was_kept_while_tools_ran_is_kept_again_by_the_next_compaction() {
    for preserve in PRESERVES {
        let mut talk = Talk::working(&["toolu_1"]);
        talk.compacts(Keep::Last(1), preserve);
        talk.result("toolu_1", "done");
        talk.answers("all done");
        talk.compacts(Keep::Last(2), preserve);
        talk.says("next");
        let before = talk.list();
        talk.comes_back();
        assert_eq!(talk.list(), before, "{preserve:?}");
    }
}

/// The members of the metadata of the last message of a kind that the transcript holds.
fn metadata(talk: &Talk, name: &str) -> serde_json::Value {
    let mut lines = talk.lines();
    lines.iter_mut().rev().find_map(|line| line.get_mut(name).map(serde_json::Value::take)).expect("metadata")
}

#[test]
fn a_boundary_says_why_there_was_a_compaction_and_how_much_there_was() {
    for is_automatic in [false, true] {
        let mut talk = Talk::new();
        talk.exchange("one", &"long ".repeat(1_000));
        let compaction = Compaction {
            is_automatic,
            summary: "the summary".into(),
            keep: Keep::Nothing,
            preserve: Preserve::Segment,
        };
        talk.step(Input::Compact(compaction));
        talk.exchange("next", "answer");
        let metadata = metadata(&talk, "compactMetadata");
        assert_eq!(metadata["trigger"], if is_automatic { "auto" } else { "manual" });
        // Four characters a token, and some for the JSON around the text.
        let tokens = metadata["preTokens"].as_u64().expect("a number");
        assert!((1_250..1_600).contains(&tokens), "{tokens}");
    }
}

#[test]
fn a_microcompaction_names_what_it_cleared() {
    let mut talk = Talk::new();
    for call in ["toolu_1", "toolu_2", "toolu_3"] {
        talk.says("go");
        talk.calls(call);
        talk.ends("tool_use");
        talk.result(call, &"long ".repeat(1_000));
        talk.ends("end_turn");
    }
    talk.step(Input::Microcompact(2));
    talk.exchange("next", "answer");
    let metadata = metadata(&talk, "microcompactMetadata");
    assert_eq!(metadata["trigger"], "auto");
    assert_eq!(metadata["compactedToolIds"], serde_json::json!(["toolu_1", "toolu_2"]));
    assert_eq!(metadata["clearedAttachmentUUIDs"], serde_json::json!([]));
    // Each result is there twice, for the API, whose one is cleared, and for the UI.
    let tokens = ["preTokens", "tokensSaved"].map(|name| metadata[name].as_u64().expect("a number"));
    assert!((7_500..9_000).contains(&tokens[0]) && (2_300..2_500).contains(&tokens[1]), "{tokens:?}");
}

#[test]
fn a_microcompaction_clears_the_oldest_results() {
    let mut talk = Talk::new();
    for call in ["toolu_1", "toolu_2"] {
        talk.says("go");
        talk.calls(call);
        talk.ends("tool_use");
        talk.result(call, "a long result");
        talk.ends("end_turn");
    }
    talk.step(Input::Microcompact(1));
    let request = talk.says("and now").request.expect("a request");
    assert_eq!(request.matches("a long result").count(), 1);
    assert_eq!(request.matches("was cleared").count(), 1);
}

#[test]
fn what_a_microcompaction_cleared_stays_cleared_after_a_resume_and_in_a_fork() {
    let mut talk = Talk::new();
    // The model restarts the numbers of its calls in each reply.
    for said in ["first long result", "second long result", "third long result"] {
        talk.works(&["call_0"]);
        talk.result("call_0", said);
        talk.answers("done");
    }
    talk.step(Input::Microcompact(1));
    talk.step(Input::Microcompact(1));
    for input in [Input::Resume, Input::Fork(0), Input::Resume] {
        talk.step(input);
        let request = talk.says("and now").request.expect("a request");
        assert_eq!(request.matches("was cleared").count(), 2, "{request}");
        assert_eq!(request.matches("long result").count(), 1, "{request}");
        assert!(request.contains("third long result"));
        talk.answers("well");
    }
    // The file keeps what the tools gave.
    assert!(String::from_utf8_lossy(talk.engine.transcript()).contains("first long result"));
}

#[test]
fn parallel_results_in_any_order_come_back_after_a_crash() {
    let mut talk = Talk::asked();
    for call in ["toolu_1", "toolu_2", "toolu_3"] {
        talk.calls(call);
    }
    talk.ends("tool_use");
    for call in ["toolu_3", "toolu_1", "toolu_2"] {
        talk.result(call, "done");
    }
    talk.answers("all done");
    talk.step(Input::Wait(200));
    let before = talk.list();
    talk.comes_back();
    assert_eq!(talk.list(), before);
}

#[test]
fn a_crash_while_tools_run_leaves_calls_that_get_the_placeholder() {
    let mut talk = Talk::working(&["toolu_1", "toolu_2"]);
    talk.result("toolu_2", "done");
    talk.step(Input::Wait(200));
    talk.comes_back();
    assert_eq!(
        talk.list(),
        ["user go", "assistant call toolu_1", "assistant call toolu_2", "user result toolu_2", "user result toolu_1"]
    );
    assert!(talk.says("go on").request.is_some());
}

#[test]
fn a_crash_at_any_byte_that_was_not_confirmed_leaves_a_beginning() {
    let mut talk = Talk::after(&[("one", "first")]);
    talk.says("two");
    talk.calls("toolu_1");
    talk.ends("tool_use");
    talk.result("toolu_1", "done");
    talk.answers("second");
    talk.step(Input::Wait(200));
    let whole = talk.list();
    let file = talk.engine.transcript().to_vec();
    for cut in 0..=file.len() {
        let mut cut_talk = Talk::later();
        cut_talk.step(Input::Crash(0));
        cut_talk.step(Input::OtherWriter(String::from_utf8_lossy(&file[..cut]).into_owned()));
        cut_talk.step(Input::Resume);
        let mut found = cut_talk.list();
        // A call that was cut from its result has the placeholder now.
        if found.last().is_some_and(|word| word == "user result toolu_1") && !whole.starts_with(&found) {
            found.pop();
        }
        assert!(whole.starts_with(&found), "cut at {cut}: {found:?}");
        cut_talk.exchange("more", "said");
        let before = cut_talk.list();
        cut_talk.step(Input::Resume);
        assert_eq!(cut_talk.list(), before, "cut at {cut}");
    }
}

#[test]
fn a_fork_continues_under_new_ids_and_leaves_the_original_alone() {
    let mut talk = Talk::after(&[("one", "first"), ("two", "second")]);
    let ids: Vec<String> = messages(&talk.engine).filter_map(|message| message.uuid().map(str::to_owned)).collect();
    talk.step(Input::Fork(2));
    assert_eq!(talk.list(), ["user one", "assistant first"]);
    assert!(messages(&talk.engine).all(|message| !ids.iter().any(|id| message.uuid() == Some(id))));
    talk.exchange("another way", "fine");
    let before = talk.list();
    talk.step(Input::Resume);
    assert_eq!(talk.list(), before);
}

#[test]
fn a_subagent_is_in_the_file_and_not_in_the_conversation() {
    let mut talk = Talk::working(&["toolu_1"]);
    let (prompt, answer) = ("look there".to_owned(), "found it".to_owned());
    talk.step(Input::Subagent { call: "toolu_1".into(), agent: "agent1".into(), prompt, answer });
    let request = talk.result("toolu_1", "done").request.expect("a request");
    assert!(!request.contains("look there"));
    let file = String::from_utf8_lossy(talk.engine.transcript()).into_owned();
    assert!(file.contains(r#""isSidechain":true"#) && file.contains("look there"));
    talk.comes_back();
    assert_eq!(talk.list(), ["user go", "assistant call toolu_1", "user result toolu_1"]);
}

#[test]
fn a_torn_line_of_another_writer_is_healed_and_costs_no_line_of_ours() {
    let mut talk = Talk::after(&[("one", "first")]);
    talk.step(Input::OtherWriter(r#"{"type":"tag","ta"#.into()));
    talk.exchange("two", "second");
    talk.step(Input::Wait(200));
    let transcript = Transcript::from_bytes(talk.engine.transcript().to_vec());
    assert_eq!(transcript.rejected().len(), 1);
    let before = talk.list();
    talk.step(Input::Resume);
    assert_eq!(talk.list(), before);
}

#[test]
fn side_records_are_kept_beside_the_conversation() {
    let mut talk = Talk::after(&[("one", "first")]);
    let side =
        serde_json::from_str(r#"{"type":"custom-title","customTitle":"A title","sessionId":"s"}"#).expect("JSON");
    talk.step(Input::Side(side));
    talk.exchange("two", "second");
    talk.step(Input::Wait(200));
    assert!(String::from_utf8_lossy(talk.engine.transcript()).contains("A title"));
    talk.step(Input::Resume);
    assert_eq!(talk.list().len(), 4);
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    let play = || {
        let mut talk = Talk::after(&[("one", "first")]);
        talk.compacts(Keep::Last(1), Preserve::Both);
        talk.exchange("two", "second");
        talk.step(Input::Wait(200));
        talk.engine.transcript().to_vec()
    };
    assert_eq!(play(), play());
}

#[test]
fn events_that_pass_by_are_never_in_the_list() {
    let talk = Talk::after(&[("one", "first")]);
    assert!(talk.engine.messages().iter().all(|event| matches!(event, Event::Message(_))));
    assert!(messages(&talk.engine).all(|message| !matches!(message, Message::GroupedToolUse(_))));
}
