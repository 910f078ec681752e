//! The *log of moments* and the *recording*: what they hold, in which order, when an option asks for them.

use serde_json::Value;
use turnproof_reference::engine::{Engine, Input, Keep, Options, Preserve, play};
use turnproof_reference::message::FixedContext;
use turnproof_rules::operation::{Moment, RecordStep};

use super::talk::{Talk, values};

/// A talk whose moments are kept.
fn logged() -> Talk {
    Talk::with(Options { keeps_moments: true, ..Options::default() })
}

/// A talk whose recording is kept.
fn recorded() -> Talk {
    Talk::with(Options { keeps_recording: true, ..Options::default() })
}

/// A moment in a few words.
fn in_words(moment: &Moment) -> String {
    match moment {
        Moment::Typed { input, content, queued } => {
            format!("typed {input} {}{}", content.value, if *queued { ", queued" } else { "" })
        }
        Moment::Joined { input, .. } => format!("joined {input}"),
        Moment::Yielded(event) => {
            let kind = event.value["type"].as_str().unwrap_or_default();
            let detail = event.value["event"]["type"].as_str().or(event.value["subtype"].as_str());
            format!("yielded {kind} {}", detail.unwrap_or_default()).trim_end().to_owned()
        }
        Moment::Amended(line) => format!("amended {}", line.value["message"]["stop_reason"]),
        Moment::Requested { messages, .. } => format!("requested with {}", messages.elements().len()),
        Moment::SummaryOrdered(calls) => format!("summary ordered for {}", calls.join(", ")),
        Moment::SummaryFailed(calls) => format!("summary failed for {}", calls.join(", ")),
        Moment::Compacted(list) => format!("compacted to {}", list.elements().len()),
        Moment::Crashed { transcript: file } => {
            format!("crashed with {} lines", file.split(|&byte| byte == b'\n').count() - 1)
        }
        Moment::Resumed(list) => format!("resumed with {}", list.elements().len()),
        Moment::Forked(list) => format!("forked with {}", list.elements().len()),
    }
}

/// What happened since a place of the log.
fn since(talk: &Talk, place: usize) -> Vec<String> {
    talk.engine.moments()[place..].iter().map(in_words).collect()
}

/// The conversation as JSON.
fn list_json(talk: &Talk) -> Value {
    Value::from(values(talk.engine.messages()))
}

#[test]
fn a_turn_is_logged_moment_by_moment() {
    let mut talk = logged();
    talk.exchange("hello", "hi");
    assert_eq!(
        since(&talk, 0),
        [
            "typed 0 \"hello\"",
            "yielded user",
            "joined 0",
            "requested with 1",
            "yielded stream_request_start",
            "yielded stream_event message_start",
            "yielded stream_event content_block_start",
            "yielded stream_event content_block_delta",
            "yielded stream_event content_block_stop",
            "yielded assistant",
            "yielded stream_event message_delta",
            "amended \"end_turn\"",
            "yielded stream_event message_stop",
        ]
    );
}

#[test]
fn each_input_has_a_number_and_joins_under_it() {
    let mut talk = logged();
    talk.says("one");
    talk.says("two");
    talk.says("three");
    talk.answers("first");
    let mut numbered = since(&talk, 0);
    numbered.retain(|moment| moment.starts_with("typed") || moment.starts_with("joined"));
    let typed = ["typed 0 \"one\"", "joined 0", "typed 1 \"two\", queued", "typed 2 \"three\", queued"];
    assert_eq!(numbered[..4], typed);
    assert_eq!(numbered[4..], ["joined 1", "joined 2"]);
    let list = values(talk.engine.messages());
    let joined = talk.engine.moments().iter().filter_map(|moment| match moment {
        Moment::Joined { uuid, .. } => Some(uuid.as_str()),
        _ => None,
    });
    let prompts = list.iter().filter(|message| message["type"] == "user");
    assert!(joined.eq(prompts.filter_map(|prompt| prompt["uuid"].as_str())), "{list:#?}");
}

#[test]
fn what_was_yielded_is_in_the_log_as_it_was() {
    let mut talk = logged();
    let mut yielded = values(&talk.says("go").events);
    yielded.extend(values(&talk.step(Input::Interrupt).events));
    let noted = talk.engine.moments().iter().filter_map(|moment| match moment {
        Moment::Yielded(event) => Some(event.value.clone()),
        _ => None,
    });
    assert_eq!(noted.collect::<Vec<_>>(), yielded);
}

#[test]
fn a_request_is_logged_with_its_messages_its_turns_and_the_file_behind_it() {
    let mut talk = logged();
    talk.exchange("one", "first");
    let step = talk.says("two");
    let request = talk.engine.moments().iter().rev().find_map(|moment| match moment {
        Moment::Requested { messages, turns, transcript } => Some((messages, turns, transcript)),
        _ => None,
    });
    let (messages, turns, transcript) = request.expect("a request");
    assert_eq!(messages.value, list_json(&talk));
    let sent: Value = serde_json::from_str(&step.request.expect("a request")).expect("JSON");
    assert_eq!(turns.value, sent);
    assert_eq!(transcript, talk.engine.transcript());
    assert_eq!(talk.lines().len(), 3);
}

#[test]
fn an_amended_line_is_logged_as_it_is_from_then_on() {
    let mut talk = logged();
    talk.says("go");
    talk.replies("one");
    talk.replies("two");
    talk.ends("max_tokens");
    let amended = talk.engine.moments().iter().filter_map(|moment| match moment {
        Moment::Amended(line) => Some(&line.value),
        _ => None,
    });
    assert!(amended.eq([&values(talk.engine.messages())[2]]));
}

#[test]
fn summaries_are_logged_when_they_are_ordered_and_when_they_fail() {
    let mut talk = logged();
    talk.works(&["toolu_1", "toolu_2"]);
    talk.result("toolu_2", "two");
    talk.result("toolu_1", "one");
    talk.step(Input::Summary(None));
    let summaries = since(&talk, 0);
    let summaries: Vec<&String> = summaries.iter().filter(|moment| moment.starts_with("summary")).collect();
    assert_eq!(summaries, ["summary ordered for toolu_2, toolu_1", "summary failed for toolu_2, toolu_1"]);
}

#[test]
fn a_compaction_a_crash_a_resume_and_a_fork_are_logged_with_what_is_left() {
    let mut talk = logged();
    talk.exchange("one", "first");
    let place = talk.engine.moments().len();
    talk.compacts(Keep::Last(1), Preserve::Segment);
    let compacted = list_json(&talk);
    talk.step(Input::Wait(200));
    talk.step(Input::Crash(0));
    let file = talk.engine.transcript().to_vec();
    talk.step(Input::Resume);
    let resumed = list_json(&talk);
    talk.step(Input::Fork(0));
    let forked = list_json(&talk);
    assert_eq!(
        since(&talk, place),
        [
            "yielded system compact_boundary",
            "yielded user",
            "compacted to 3",
            "crashed with 4 lines",
            "resumed with 3",
            "forked with 3"
        ]
    );
    let moments = &talk.engine.moments()[place + 2..];
    let [
        Moment::Compacted(first),
        Moment::Crashed { transcript: crashed },
        Moment::Resumed(second),
        Moment::Forked(third),
    ] = moments
    else {
        panic!("{moments:?}")
    };
    assert_eq!([&first.value, &second.value, &third.value], [&compacted, &resumed, &forked]);
    assert_eq!(*crashed, file);
    assert_ne!(resumed, forked, "a fork has its own ids");
}

#[test]
fn nothing_is_kept_for_those_who_did_not_ask() {
    let mut talk = Talk::after(&[("one", "first")]);
    talk.compacts(Keep::Last(1), Preserve::Segment);
    talk.step(Input::Resume);
    assert!(talk.engine.moments().is_empty() && talk.engine.recording().is_empty());
    let mut talk = logged();
    talk.exchange("one", "first");
    assert!(talk.engine.recording().is_empty());
    let mut talk = recorded();
    talk.exchange("one", "first");
    assert!(talk.engine.moments().is_empty());
}

#[test]
fn inputs_that_are_played_give_the_log_and_the_file_of_an_engine_that_is_stepped() {
    let inputs = [Input::Type("one".into()), Input::Type("two".into()), Input::Interrupt, Input::Wait(200)];
    let mut engine = Engine::with_options(FixedContext::new(5), Options { keeps_moments: true, ..Options::default() });
    for input in &inputs {
        engine.step(input);
    }
    // `play` keeps the log, whatever the options say.
    let played = play(&inputs, FixedContext::new(5), Options::default());
    assert_eq!(played.moments, engine.moments());
    assert_eq!(played.moments.iter().filter(|moment| matches!(moment, Moment::Requested { .. })).count(), 2);
    assert_eq!(played.transcript, engine.transcript());
    assert!(played.whole);
    assert_eq!(played, engine.into_played());
}

#[test]
fn a_file_is_whole_while_its_disk_takes_everything_and_nobody_else_writes_to_it() {
    let whole = |inputs: &[Input]| play(inputs, FixedContext::new(5), Options::default()).whole;
    let (fails, takes) = (Input::Disk(Some(10)), Input::Disk(None));
    assert!(whole(&[Input::Type("one".into()), takes.clone(), Input::Crash(9), Input::Resume]));
    assert!(!whole(std::slice::from_ref(&fails)));
    assert!(!whole(&[fails, takes.clone()]), "what it did not take may be missing");
    assert!(!whole(&[Input::OtherWriter("{}\n".into()), takes]));
}

/// A step of a recording with the number of its messages or bytes.
fn step_in_words(step: &RecordStep) -> String {
    let count = |json: &str| serde_json::from_str::<Vec<Value>>(json).expect("a list").len();
    match step {
        RecordStep::List(list) => format!("list of {}", count(list)),
        RecordStep::ListBeforeRequest(list) => format!("request with {}", count(list)),
        RecordStep::Flush => "flush".to_owned(),
        RecordStep::DiskTakes(bytes) => format!("disk takes {bytes:?}"),
        RecordStep::Restart => "restart".to_owned(),
        RecordStep::OtherWriter(bytes) => format!("other writer of {}", bytes.len()),
        RecordStep::Hints(hints) => format!("hints {hints:?}"),
    }
}

#[test]
fn the_recording_holds_what_the_recorder_was_given_up_to_a_fork() {
    let mut talk = recorded();
    talk.exchange("one", "first");
    talk.step(Input::Wait(50));
    talk.step(Input::Wait(150));
    talk.step(Input::Disk(Some(1_000_000)));
    talk.step(Input::OtherWriter("{}\n".into()));
    talk.says("two");
    talk.comes_back();
    talk.step(Input::Resume);
    talk.step(Input::Fork(0));
    let wanted = [
        "request with 1",
        "list of 2",
        "list of 2",
        "flush",
        "disk takes Some(1000000)",
        "other writer of 3",
        "request with 3",
        "restart",
        "list of 3",
        "flush",
        "restart",
        "list of 3",
        "flush",
    ];
    let steps = |talk: &Talk| talk.engine.recording().iter().map(step_in_words).collect::<Vec<_>>();
    assert_eq!(steps(&talk), wanted);
    talk.exchange("three", "third");
    talk.step(Input::Wait(200));
    assert_eq!(steps(&talk), wanted, "the fork has another file");
}

#[test]
fn the_recording_has_each_list_as_it_stood() {
    let mut talk = recorded();
    talk.says("one");
    let before = list_json(&talk);
    talk.replies("first");
    talk.step(Input::Wait(10));
    let without_end = list_json(&talk);
    talk.ends("end_turn");
    talk.step(Input::Wait(10));
    let after = list_json(&talk);
    assert_ne!(without_end, after);
    let recording = talk.engine.recording();
    let [RecordStep::ListBeforeRequest(first), RecordStep::List(second), RecordStep::List(third)] = &recording[..]
    else {
        panic!("{recording:?}")
    };
    let lists = [first, second, third].map(|list| serde_json::from_str::<Value>(list).expect("JSON"));
    assert_eq!(lists, [before, without_end, after]);
}
