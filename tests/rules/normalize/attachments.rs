//! *Attachments* in a request: SPEC.md's table and the oracle's are equal, any wrapping is allowed, what is free is
//! free, and each thing that a text says too little or too much of is reported.

use std::slice::from_ref;

use serde_json::{Value, json};
use turnproof_format::attachments::attachment as row;
use turnproof_rules::rules::Verdict;

use super::build::{attached, attachment, case, image, note, text, user, ut, verdict};

/// The rules that judge what a request holds.
const RULES: [&str; 4] =
    ["normalize/conserves", "normalize/no-invention", "normalize/keeps-order", "normalize/wraps-attachments"];

/// The rules that are broken when these attachments become these blocks.
fn broken(attachments: &[Value], blocks: &[Value]) -> Vec<&'static str> {
    let messages: Vec<Value> = attachments.iter().cloned().map(attachment).chain([user("typed")]).collect();
    let request = json!([ut(blocks.iter().cloned().chain([text("typed")]).collect())]);
    let case = case(&Value::from(messages), None, &request);
    RULES.into_iter().filter(|rule| verdict(rule, &case).is_broken()).collect()
}

#[test]
fn the_table_has_each_kind_that_clients_write() {
    let kinds = "edited_text_file edited_image_file memory nested_memory relevant_memories hook_stopped_continuation \
        hook_permission_decision hook_success hook_blocking_error hook_non_blocking_error hook_additional_context \
        hook_cancelled hook_system_message async_hook_response max_turns_reached mcp_instructions_delta \
        deferred_tools_delta agent_listing_delta mcp_resource skill_discovery skill_listing invoked_skills \
        queued_command file directory selected_lines_in_ide diagnostics todo_reminder task_reminder task_status \
        plan_mode plan_mode_exit agent_mention output_style critical_system_reminder date_change dynamic_skill \
        command_permissions compact_file_reference read_truncation_notice goal_status auto_mode budget_usd \
        total_tokens_reminder batching_reminder_sent silent_turn_reminder ultra_effort_enter ultra_effort_exit \
        environment model";
    for kind in kinds.split_whitespace() {
        assert!(row(kind, "").is_some(), "{kind}");
    }
    assert!(row("attachment_of_tomorrow", "").is_none());
}

#[test]
fn any_wrapping_and_any_words_are_allowed() {
    let date = [json!({"type": "date_change", "newDate": "2026-01-02"})];
    for words in [
        "<system-reminder>2026-01-02</system-reminder>",
        "\n<context kind=\"date\">\nIt is 2026-01-02, a Friday.\n</context>\n",
        "<x_1>2026-01-02 < 2026-01-03</x_1>",
    ] {
        assert_eq!(broken(&date, &[text(words)]), [""; 0], "{words}");
    }
}

#[test]
fn text_that_looks_typed_is_reported() {
    let date = [json!({"type": "date_change", "newDate": "2026-01-02"})];
    for words in [
        "2026-01-02",
        "The date is 2026-01-02.",
        "<system-reminder>2026-01-02",
        "2026-01-02</system-reminder>",
        "<system-reminder>2026-01-02</system-reminder> and",
        "<system-reminder>2026-01-02</system-remind>",
        "<a>2026-01-02</a>: 2026-01-02</a>",
        "<1>2026-01-02</1>",
        "<>2026-01-02</>",
    ] {
        assert_eq!(broken(&date, &[text(words)]), ["normalize/wraps-attachments"], "{words}");
    }
}

#[test]
fn the_prompt_that_the_user_typed_may_stand_alone_and_no_other() {
    let queued = |more: Value| {
        let mut body = json!({"type": "queued_command", "prompt": "and the docs"});
        body.as_object_mut().expect("members").extend(more.as_object().expect("members").clone());
        [body]
    };
    for typed in [json!({}), json!({"commandMode": "prompt"}), json!({"origin": {"kind": "human"}, "isMeta": false})] {
        assert_eq!(broken(&queued(typed.clone()), &[text("and the docs")]), [""; 0], "{typed}");
        assert_eq!(broken(&queued(typed), &[attached("The user adds: and the docs")]), [""; 0]);
    }
    for other in
        [json!({"commandMode": "task-notification"}), json!({"origin": {"kind": "peer"}}), json!({"isMeta": true})]
    {
        assert_eq!(broken(&queued(other.clone()), &[text("and the docs")]), ["normalize/wraps-attachments"], "{other}");
        assert_eq!(broken(&queued(other), &[attached("and the docs")]), [""; 0]);
    }
    let lost = ["normalize/conserves", "normalize/no-invention"];
    assert_eq!(broken(&queued(json!({})), &[text("and the docs.")]), lost);
}

#[test]
fn what_is_not_said_is_reported() {
    let lost: &[&str] = &["normalize/conserves", "normalize/no-invention"];
    let tasks = json!({"type": "todo_reminder", "content": [{"content": "write", "status": "pending"},
        {"content": "read", "status": "completed", "activeForm": "Reading"}]});
    assert_eq!(broken(from_ref(&tasks), &[attached("write: pending; read: completed")]), [""; 0]);
    assert_eq!(broken(from_ref(&tasks), &[attached("write; read")]), lost);
    assert_eq!(broken(from_ref(&tasks), &[attached("write: pending")]), lost);
    assert_eq!(broken(from_ref(&tasks), &[]), ["normalize/conserves"]);
    assert_eq!(broken(from_ref(&tasks), &[attached("write: pending"), attached("read: completed")]), lost);
    let twice = attached("write: pending; read: completed");
    assert_eq!(broken(&[tasks], &[twice.clone(), twice]), ["normalize/conserves"]);
    let delta = json!({"type": "agent_listing_delta", "addedLines": ["new agent"], "removedTypes": ["old-agent"]});
    assert_eq!(broken(from_ref(&delta), &[attached("new agent, and no old-agent")]), [""; 0]);
    assert_eq!(broken(&[delta], &[attached("new agent")]), lost);
    let lines = json!({"type": "selected_lines_in_ide", "filename": "/a.rs", "lineStart": 41, "lineEnd": 47});
    assert_eq!(broken(from_ref(&lines), &[attached("/a.rs, 41 to 47")]), [""; 0]);
    assert_eq!(broken(&[lines], &[attached("/a.rs, 41")]), lost);
}

#[test]
fn news_without_words_is_said_and_media_are_shown() {
    let plan = json!({"type": "plan_mode"});
    assert_eq!(broken(from_ref(&plan), &[attached("Make a plan.")]), [""; 0]);
    assert_eq!(broken(&[plan], &[]), ["normalize/conserves"]);
    let file = json!({"type": "file", "filename": "/a.png",
        "content": {"type": "image", "file": {"base64": "AA==", "type": "image/png"}}});
    assert_eq!(broken(from_ref(&file), &[attached("/a.png"), image()]), [""; 0]);
    assert_eq!(broken(from_ref(&file), &[attached("/a.png")]), ["normalize/conserves"]);
    assert_eq!(broken(from_ref(&file), &[image()]), ["normalize/conserves"]);
    assert_eq!(broken(&[file], &[image(), attached("/a.png")]), ["normalize/keeps-order"]);
    let cell = json!({"source": ["a = ", "1"], "outputs": [{"text": "out"}, {"image": {"image_data": "AA==",
        "media_type": "image/png"}}]});
    let notebook = json!({"type": "file", "content": {"type": "notebook", "file": {"cells": [cell]}}});
    assert_eq!(broken(from_ref(&notebook), &[attached("a = 1 -> out"), image()]), [""; 0]);
    assert_eq!(broken(&[notebook], &[attached("a = 1"), image()]), ["normalize/conserves", "normalize/no-invention"]);
}

#[test]
fn what_must_not_be_sent_is_reported() {
    let hook = |event: &str| {
        json!({"type": "hook_success", "hookEvent": event, "content": "context of the hook",
            "stdout": "{\"raw\": \"context of the hook\"}\n", "toolUseID": "toolu_0123456789"})
    };
    assert_eq!(broken(&[hook("SessionStart")], &[attached("context of the hook")]), [""; 0]);
    assert_eq!(broken(&[hook("SessionStart")], &[]), ["normalize/conserves"]);
    let raw = attached("context of the hook: {\"raw\": \"context of the hook\"}");
    assert_eq!(broken(&[hook("SessionStart")], &[raw]), ["normalize/conserves"]);
    let id = attached("context of the hook for toolu_0123456789");
    assert_eq!(broken(&[hook("SessionStart")], &[id]), ["normalize/conserves"]);
    assert_eq!(broken(&[hook("PostToolUse")], &[]), [""; 0]);
    assert_eq!(broken(&[hook("PostToolUse")], &[attached("context of the hook")]), ["normalize/conserves"]);
    let file = json!({"type": "file", "filename": "/a.png",
        "content": {"type": "image", "file": {"base64": "iVBORw0KGgo=", "type": "image/bmp"}}});
    assert_eq!(broken(&[file], &[attached("/a.png: iVBORw0KGgo=")]), ["normalize/conserves"]);
}

#[test]
fn a_text_that_is_said_too_is_not_kept_back() {
    let hook = json!({"type": "hook_success", "hookEvent": "SessionStart", "content": "the same words",
        "stdout": "the same words\n", "stderr": "short"});
    assert_eq!(broken(&[hook], &[attached("the same words\n")]), [""; 0]);
}

#[test]
fn what_is_free_may_be_said_once_and_need_not() {
    let free = [
        json!({"type": "goal_status", "condition": "the tests pass"}),
        json!({"type": "attachment_of_tomorrow", "text": "news"}),
        json!({"type": "todo_reminder", "content": []}),
    ];
    assert_eq!(broken(&free, &[]), [""; 0]);
    let all = [attached("the tests pass"), attached("news"), attached("no tasks")];
    for some in [&all[..], &all[..1], &all[1..], &all[2..]] {
        assert_eq!(broken(&free, some), [""; 0]);
    }
    let more = [&all[..], &[attached("and more")]].concat();
    assert_eq!(broken(&free, &more), ["normalize/no-invention"]);
    assert_eq!(broken(&free, &[text("the tests pass")]), ["normalize/no-invention"]);
}

#[test]
fn what_is_free_separates_replies_only_where_it_is_sent() {
    let reply = |words: &str| json!({"type": "assistant", "message": {"role": "assistant", "content": [text(words)]}});
    let goal = attachment(json!({"type": "goal_status", "condition": "the tests pass"}));
    let messages = json!([user("a"), reply("b"), goal, reply("c")]);
    let turn = |role: &str, blocks: Vec<Value>| json!({"role": role, "content": blocks});
    let joined = json!([ut(vec![text("a")]), turn("assistant", vec![text("b"), text("c")])]);
    let apart = json!([
        ut(vec![text("a")]),
        turn("assistant", vec![text("b")]),
        ut(vec![attached("the tests pass")]),
        turn("assistant", vec![text("c")])
    ]);
    for request in [joined, apart] {
        let case = case(&messages, None, &request);
        for rule in RULES {
            assert!(!verdict(rule, &case).is_broken(), "{rule}: {request}");
        }
    }
}

#[test]
fn attachments_in_another_order_are_reported_by_order_alone() {
    let two =
        [json!({"type": "date_change", "newDate": "2026-01-02"}), json!({"type": "memory", "content": "remember"})];
    assert_eq!(broken(&two, &[attached("2026-01-02"), attached("remember")]), [""; 0]);
    assert_eq!(broken(&two, &[attached("remember"), attached("2026-01-02")]), ["normalize/keeps-order"]);
}

#[test]
fn equal_words_of_a_prompt_and_of_an_attachment_are_distinguished_by_their_place() {
    let queued = [json!({"type": "queued_command", "prompt": "typed"})];
    assert_eq!(broken(&queued, &[text("typed")]), [""; 0]);
    assert_eq!(broken(&queued, &[]), ["normalize/conserves"]);
}

#[test]
fn without_attachments_nothing_is_to_be_wrapped() {
    let case = case(&json!([user("a")]), None, &json!([ut(vec![text("a")])]));
    assert!(matches!(verdict("normalize/wraps-attachments", &case), Verdict::NotApplicable(_)));
    let with_note = super::build::case(&json!([note("b")]), None, &json!([ut(vec![attached("b")])]));
    assert_eq!(verdict("normalize/wraps-attachments", &with_note), Verdict::Holds);
}
