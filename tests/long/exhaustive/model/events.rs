//! Steps 1 to 5: what happens to *events*.

use serde_json::{Value, json};

use crate::exhaustive::naive::{
    Turn, blocks_of_attachment, convert, drop_hidden, drop_internal, refused_types, reorder_attachments,
    strip_rejected_media,
};

use super::{assistant, result, text, user, with};

fn attachment(date: &str) -> Value {
    json!({"type": "attachment", "attachment": {"type": "date_change", "newDate": date}})
}

fn results_message(id: &str) -> Value {
    json!({"type": "user", "message": {"content": [text("t"), result(id, "r")]}})
}

#[test]
fn attachments_go_to_the_front_of_their_run_in_their_order() {
    let progress = json!({"type": "progress"});
    let events =
        vec![user("1"), attachment("a"), progress.clone(), attachment("b"), assistant("2"), user("3"), attachment("c")];
    let expected = [attachment("a"), attachment("b"), user("1"), progress, assistant("2"), attachment("c"), user("3")];
    assert_eq!(reorder_attachments(events), expected);
}

#[test]
fn attachments_stop_at_a_result_and_at_an_assistant_that_is_not_sent() {
    let hidden = with(assistant("1"), "isVirtual", true);
    for stop in [results_message("c1"), hidden, json!({"type": "assistant"})] {
        let events = vec![user("0"), stop.clone(), user("2"), attachment("a")];
        assert_eq!(reorder_attachments(events), [user("0"), stop, attachment("a"), user("2")]);
    }
}

#[test]
fn virtual_events_go_whatever_they_are() {
    let summary = with(with(user("s"), "isCompactSummary", true), "isVirtual", true);
    let events = vec![with(assistant("1"), "isVirtual", true), with(attachment("a"), "isVirtual", true), summary];
    assert!(drop_hidden(events).is_empty());
    let shown = vec![with(user("1"), "isVirtual", false), with(user("2"), "isVirtual", Value::Null)];
    assert_eq!(drop_hidden(shown.clone()), shown);
}

#[test]
fn of_what_only_the_transcript_shows_summaries_stay() {
    let summary = with(with(user("s"), "isCompactSummary", true), "isVisibleInTranscriptOnly", true);
    let reply = with(with(assistant("s"), "isCompactSummary", true), "isVisibleInTranscriptOnly", true);
    let notice = with(user("n"), "isVisibleInTranscriptOnly", true);
    assert_eq!(drop_hidden(vec![summary.clone(), reply, notice]), [summary]);
}

fn error(words: &str) -> Value {
    json!({"type": "assistant", "isApiErrorMessage": true, "message": {"model": "<synthetic>", "content": [text(words)]}})
}

fn media(types: &[&str]) -> Value {
    let block = |type_name: &&str| json!({"type": type_name, "source": {}});
    json!({"type": "user", "isMeta": true, "message": {"content": types.iter().map(block).collect::<Vec<_>>()}})
}

#[test]
fn an_error_says_what_it_refuses() {
    let none: [&str; 0] = [];
    assert_eq!(refused_types(&error("The IMAGE was too large")), ["image"]);
    assert_eq!(refused_types(&error("A maximum of 100 PDF pages may be provided")), ["document"]);
    assert_eq!(refused_types(&error("image exceeds; pdf invalid")), ["image", "document"]);
    assert_eq!(refused_types(&error("413 request_too_large")), ["image", "document"]);
    assert_eq!(refused_types(&error("Overloaded")), none);
    assert_eq!(refused_types(&error("the image is fine")), none);
    let in_two = json!({"message": {"content": [text("could not"), text("process"), {"type": "x", "text": "image"}]}});
    assert_eq!(refused_types(&in_two), none);
    assert_eq!(refused_types(&json!({"message": {"content": "Could not process image"}})), ["image"]);
}

#[test]
fn refused_media_goes_from_the_meta_message_before_the_error() {
    let (progress, refusal) = (json!({"type": "progress"}), error("image exceeds 5 MB"));
    let notice = json!({"type": "system", "subtype": "api_error"});
    let events = vec![media(&["image", "document"]), notice.clone(), progress.clone(), refusal.clone()];
    assert_eq!(strip_rejected_media(events), [media(&["document"]), notice, progress, refusal]);
}

#[test]
fn two_errors_mark_the_same_message_and_an_emptied_one_goes() {
    let (image, pdf) = (error("image exceeds"), error("pdf exceeds"));
    let events = vec![media(&["image", "document"]), image.clone(), pdf.clone()];
    assert_eq!(strip_rejected_media(events), [image.clone(), pdf]);
    let twice = vec![media(&["image", "x"]), image.clone(), image.clone()];
    assert_eq!(strip_rejected_media(twice), [media(&["x"]), image.clone(), image]);
}

#[test]
fn media_stays_where_the_error_is_not_about_it() {
    let refusal = error("image exceeds");
    let not_meta = with(media(&["image"]), "isMeta", false);
    let not_synthetic =
        json!({"type": "assistant", "isApiErrorMessage": true, "message": {"model": "m", "content": "image exceeds"}});
    for events in [
        vec![not_meta, refusal.clone()],
        vec![media(&["document"]), refusal.clone()],
        vec![media(&["image"]), user("between"), refusal.clone()],
        vec![media(&["image"]), json!({"type": "hook_result"}), refusal.clone()],
        vec![media(&["image"]), not_synthetic],
        vec![refusal, media(&["image"])],
    ] {
        assert_eq!(strip_rejected_media(events.clone()), events);
    }
}

#[test]
fn what_only_the_client_knows_goes() {
    let local = json!({"type": "system", "subtype": "local_command", "content": "l"});
    let mut events: Vec<Value> = [
        "progress",
        "hook_result",
        "grouped_tool_use",
        "tool_use_summary",
        "stream_event",
        "stream_request_start",
        "tombstone",
    ]
    .map(|kind| json!({"type": kind}))
    .into();
    events.extend([json!({"type": "system", "subtype": "informational"}), json!({"type": "system"}), error("e")]);
    assert!(drop_internal(events).is_empty());
    let kept =
        vec![user("u"), assistant("a"), attachment("d"), local, with(assistant("real"), "isApiErrorMessage", true)];
    assert_eq!(drop_internal(kept.clone()), kept);
}

#[test]
fn a_tombstone_withdraws_every_assistant_before_it_with_its_uuid() {
    let (one, other) = (with(assistant("1"), "uuid", "a"), with(assistant("2"), "uuid", "b"));
    let said = with(user("3"), "uuid", "a");
    let tombstone = json!({"type": "tombstone", "message": {"uuid": "a"}});
    let events = vec![one.clone(), other.clone(), said.clone(), one.clone(), tombstone, one.clone()];
    assert_eq!(drop_internal(events), [other, said, one]);
}

#[test]
fn a_tombstone_without_a_uuid_withdraws_nothing() {
    let nameless = with(assistant("1"), "uuid", Value::Null);
    for tombstone in [json!({"type": "tombstone"}), json!({"type": "tombstone", "message": {"uuid": null}})] {
        assert_eq!(drop_internal(vec![nameless.clone(), tombstone]), std::slice::from_ref(&nameless));
    }
}

#[test]
fn local_commands_and_attachments_become_user_text() {
    let local = |member: &str| json!({"type": "system", "subtype": "local_command", member: "l"});
    let events = vec![local("content"), local("message"), local("other"), attachment("d")];
    let date = "<system-reminder>\nThe day has changed.\nToday is d\n</system-reminder>";
    let texts =
        ["l", "l", "", date].map(|words| Turn::user(if words.is_empty() { Vec::new() } else { vec![text(words)] }));
    assert_eq!(convert(events), texts);
}

#[test]
fn an_attachment_that_says_nothing_is_not_sent() {
    for attachment in [
        json!({"type": "date_change", "newDate": " "}),
        json!({"type": "date_change"}),
        json!({"type": "hook_success", "content": "c"}),
        json!({"type": "queued_command", "prompt": []}),
        json!({"type": "queued_command", "prompt": ["a string"]}),
        json!(["no object"]),
        Value::Null,
    ] {
        assert_eq!(convert(vec![json!({"type": "attachment", "attachment": attachment})]), []);
    }
}

#[test]
fn a_queued_command_gives_its_words_or_its_blocks() {
    let queued =
        |prompt: Value| json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": prompt}});
    let blocks = json!([text(" "), 7, {"type": "image", "uuid": "kept for now"}]);
    let turns = convert(vec![queued("do".into()), queued(blocks)]);
    assert_eq!(turns[0].blocks, [text("do")]);
    assert_eq!(turns[1].blocks, [text(" "), json!({"type": "image", "uuid": "kept for now"})]);
}

#[test]
fn content_that_is_a_string_becomes_a_block_and_absent_content_becomes_no_block() {
    let said = |content: Value| json!({"type": "assistant", "message": {"id": "m", "content": content}});
    let turns = convert(vec![said("s".into()), said(Value::Null), json!({"type": "user"})]);
    let reply = |blocks| Turn { reply: Some("m".into()), ..Turn::assistant(blocks) };
    assert_eq!(turns, [reply(vec![text("s")]), reply(vec![]), Turn::user(vec![])]);
}

#[test]
fn the_words_of_each_attachment_are_found() {
    let cases = [
        (json!({"type": "queued_command", "prompt": "p"}), vec!["p"]),
        (json!({"type": "file", "filename": "f", "content": {"file": {"content": "c"}}}), vec!["f", "c"]),
        (json!({"type": "edited_text_file", "filename": "f", "snippet": "s"}), vec!["f", "s"]),
        (json!({"type": "nested_memory", "path": "p", "content": {"content": "c"}}), vec!["p", "c"]),
        (json!({"type": "compact_file_reference", "filename": "f"}), vec!["f"]),
        (json!({"type": "hook_additional_context", "content": ["a", " ", 1, "b"]}), vec!["a", "b"]),
        (json!({"type": "hook_blocking_error", "blockingError": {"blockingError": "e"}}), vec!["e"]),
        (json!({"type": "todo_reminder", "content": [{"content": "a"}, {}, {"content": "b"}]}), vec!["a", "b"]),
        (json!({"type": "task_reminder", "content": [{"subject": "s", "content": "c"}]}), vec!["s"]),
        (json!({"type": "skill_listing", "content": "c"}), vec!["c"]),
        (json!({"type": "invoked_skills", "skills": [{"content": "c"}]}), vec!["c"]),
        (json!({"type": "total_tokens_reminder", "text": "t"}), vec!["t"]),
        (json!({"type": "silent_turn_reminder", "text": "t"}), vec!["t"]),
        (json!({"type": "batching_reminder_sent", "text": "t"}), vec!["t"]),
        (json!({"type": "read_truncation_notice", "banner": "b"}), vec!["b"]),
        (json!({"type": "deferred_tools_delta", "addedLines": ["a", "b"]}), vec!["a", "b"]),
        (json!({"type": "agent_listing_delta", "addedLines": ["a"]}), vec!["a"]),
        (json!({"type": "mcp_instructions_delta", "addedBlocks": ["a"]}), vec!["a"]),
        (json!({"type": "task_status", "status": "s", "description": "d"}), vec!["d", "s"]),
        (json!({"type": "todo_reminder", "content": {"content": "no list"}}), vec![]),
        (json!({"type": "of_tomorrow", "content": "c"}), vec![]),
    ];
    for (attachment, words) in cases {
        let blocks = blocks_of_attachment(&attachment);
        assert_eq!(blocks.is_empty(), words.is_empty(), "{attachment}");
        for word in words {
            assert!(blocks[0]["text"].as_str().is_some_and(|text| text.contains(word)), "{attachment}: {blocks:?}");
        }
    }
}
