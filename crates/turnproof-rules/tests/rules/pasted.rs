//! *Pasted* errors: each text finds its page, whatever is around it and whatever its numbers and names are.

use std::path::PathBuf;
use std::{env, fs};

use serde_json::{Value, json};
use turnproof_rules::errors::{ErrorPage, ErrorPath, PAGES, all, look_up, path_in};
use turnproof_rules::rules::{Basis, find};

/// The id of the page of a text.
fn page_of(text: &str) -> &'static str {
    look_up(text).found.first().map_or("none", |found| found.origin.id())
}

/// Texts with other numbers, ids and names than the pages have, and the page of each.
const TEXTS: &[(&str, &str)] = &[
    (
        "messages.41: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_9, toolu_8. Each \
         `tool_use` block must have a corresponding `tool_result` block in the next message.",
        "pairing/result-follows-use",
    ),
    ("messages.3: `tool_use` ids were found …", "pairing/result-follows-use"),
    ("tool_use ids were found without tool_result blocks immediately after: x", "pairing/result-follows-use"),
    ("messages.7.content.2: `tool_use` ids must be unique", "pairing/unique-use-id"),
    ("tool_use ids must be unique", "pairing/unique-use-id"),
    ("messages.0.content.1.text.foo: Extra inputs are not permitted", "api/known-members"),
    ("frequency_penalty: Extra inputs are not permitted", "body/members"),
    ("tools.14.custom.input_schema.type: Field required", "body/tool-schemas"),
    ("tools.3.custom.name: Field required", "body/tools"),
    ("messages.2.content.0.tool_result.tool_use_id: Field required", "api/required-fields"),
    ("max_tokens: Field required", "api/required-fields"),
    ("messages.5.content.0: Invalid `signature` in `thinking` block", "thinking/whole-signature"),
    ("Invalid signature in thinking block", "thinking/whole-signature"),
    (
        "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. \
         Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\". The `tools` list \
         differs from the one this block was created with.",
        "error/thinking-bound",
    ),
    ("Prompt is too long", "error/too-long"),
    ("prompt is too long: 205030 tokens > 200000 maximum", "error/too-long"),
    ("input length and `max_tokens` exceed context limit: 184915 +\n20000 > 204648, decrease", "error/too-long"),
    ("max_tokens: 200000 > 64000, which is the maximum allowed number of output", "error/too-many-output-tokens"),
    (
        "The number of toolResult blocks at messages.44.content exceeds the number of toolUse blocks of previous turn.",
        "pairing/no-orphan-result",
    ),
    ("exceeds the number of toolUse blocks", "pairing/no-orphan-result"),
    ("No conversation found with session ID: 979cab47-a5b0-45fa-9cfa-13a3a4678ae1", "error/no-conversation"),
    ("Your credit balance is too low to access the Anthropic API.", "error/credit"),
    ("Credit balance is too low", "error/credit"),
    ("{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}", "error/overloaded"),
    ("overloaded_error", "error/overloaded"),
    ("authentication_error: invalid x-api-key", "error/authentication"),
    (
        "OAuth\n     token has expired. Please obtain a new token or refresh your existing \n    token.",
        "error/authentication",
    ),
    (
        "413 {\"error\":{\"type\":\"request_too_large\",\"message\":\"Request exceeds the maximum size\"}}",
        "api/request-size",
    ),
    (
        "The model returned the following errors: messages.58: all messages must have non-empty content",
        "api/non-empty-content",
    ),
    ("This request would exceed your organizations rate limit of 30,000 input tokens per minute", "error/rate-limit"),
    ("This model does not support effort level 'xhigh'.", "error/not-for-this-model"),
    ("Could not process image", "api/media-limits"),
    ("Request timed out.", "error/timeout"),
    ("API Error (Connection error.) · Retrying in 4 seconds… (attempt 4/10)", "error/connection"),
    ("Invocation of model ID anthropic.claude-9 with on-demand throughput isn’t supported.", "error/model-not-found"),
    (
        "messages.0.content.0.image.source: Input tag 'file' found using 'type' does not match any of the expected tags: \
      'base64', 'url'",
        "error/file-without-header",
    ),
    (
        "messages.4.content.2: Input tag 'input_text' found using 'type' does not match any of the expected tags: 'text', \
      'image'",
        "api/known-blocks",
    ),
    (
        "tools.0: Input tag 'x' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom'",
        "body/tools",
    ),
];

#[test]
fn texts_are_found_alone_in_a_body_in_a_log_and_in_a_session() {
    let mut wrong = Vec::new();
    for (text, page) in TEXTS {
        let body = json!({"type": "error", "error": {"type": "invalid_request_error", "message": text},
            "request_id": "req_011CaBcD"});
        let log = format!("2026-11-27T10:00:01Z ERROR llm.py:75 API Error: 400 {body} · retrying in 3 s");
        let record = json!({"type": "assistant", "uuid": "8a1b", "isApiErrorMessage": true,
            "message": {"role": "assistant", "content": [{"type": "text", "text": log}]}});
        let colours = format!("\u{1b}[31m{text}\u{1b}[0m");
        for pasted in [(*text).to_owned(), body.to_string(), log, record.to_string(), colours, text.to_uppercase()] {
            if page_of(&pasted) != *page {
                wrong.push(format!("{pasted}\n    expected {page}, found {}\n", page_of(&pasted)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// The words of public reports, and the page of each.
const REPORTED: &[(&str, &str)] = &[
    ("unexpected tool_use_id found in advisor_tool_result blocks: srvtoolu_1", "pairing/server-tools"),
    ("server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'", "pairing/id-form"),
    ("Tool reference 'WaitForMcpServers' not found in available tools", "api/tool-references"),
    ("Could not process PDF", "api/readable-documents"),
    ("The PDF specified was not valid.", "api/readable-documents"),
    ("PDF is password protected", "api/readable-documents"),
    ("Content block is not a thinking block", "reply/deltas-fit"),
    ("undefined is not an object (evaluating '_.input_tokens')", "reply/usage"),
    ("The toolConfig field must be defined when using toolUse and toolResult content blocks", "body/tools-defined"),
    ("tools: Tool names must be unique", "body/tools"),
    ("clear_thinking_20251015 strategy requires thinking to be enabled", "body/context-management"),
    ("No conversation found with session ID", "error/no-conversation"),
    ("each thinking block must contain thinking", "thinking/signed"),
    (
        "thinking or redacted_thinking blocks in the latest assistant message cannot be modified",
        "error/thinking-changed",
    ),
    ("Advisor tool result content could not be processed", "error/advisor-result"),
    (
        "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
        "api/media-limits",
    ),
    ("messages: text content blocks must be non-empty", "api/no-empty-text"),
    ("The request body is not valid JSON: no low surrogate in string: line 1 column 9 (char 8)", "api/valid-unicode"),
    ("Expected `thinking` or `redacted_thinking`, but found `text`", "thinking/leads-tool-use"),
    ("A maximum of 4 blocks with cache_control may be provided. Found 5.", "api/cache-breakpoints"),
    ("messages.1.cache_control: Extra inputs are not permitted", "api/known-members"),
    ("messages.1.content.0.tool_use.input: Input should be a valid dictionary", "pairing/input-object"),
    ("final assistant content cannot end with trailing whitespace", "api/no-trailing-space"),
    ("This model does not support assistant message prefill.", "api/ends-with-user"),
    (
        "messages.1: `code_execution` tool use with id `srvtoolu_9` was found without a corresponding \
         `code_execution_tool_result` block",
        "pairing/server-tools",
    ),
];

#[test]
fn the_words_of_public_reports_are_found() {
    for (text, page) in REPORTED {
        assert_eq!(page_of(text), *page, "{text}");
    }
}

#[test]
fn every_text_finds_its_own_page() {
    for (origin, error) in all() {
        // What stands for a number is a number, what stands for a path is one, and the like.
        let text = error.text.replace("{n}", "7").replace("{path}", "messages.7").replace(['{', '}'], "");
        assert_eq!(page_of(&text), origin.id(), "{text}");
    }
}

#[test]
fn each_text_is_written_once() {
    let mut texts: Vec<&str> = all().map(|(_, error)| error.text).collect();
    texts.sort_unstable();
    let twice: Vec<_> = texts.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn what_was_recorded_has_no_other_source() {
    for (_, error) in all() {
        let mut by: Vec<_> = error.said.iter().map(|said| said.by).collect();
        by.dedup();
        assert_eq!(by.len(), error.said.len(), "{}", error.text);
        assert!(error.said.iter().all(|said| said.known != Basis::Inferred || said.date.is_none()), "{}", error.text);
    }
}

#[test]
fn what_fits_nothing_names_the_nearest_three_with_their_words() {
    let answer = look_up("messages.2.content.0.video.frame_rate: tool frames must be whole numbers");
    assert!(answer.found.is_empty(), "{:?}", answer.found);
    assert_eq!(answer.near.len(), 3);
    for near in &answer.near {
        assert!(!near.common.is_empty());
    }
    let mut pages: Vec<&str> = answer.near.iter().map(|near| near.origin.id()).collect();
    pages.dedup();
    assert_eq!(pages.len(), 3);
    for text in ["", "{", "🙂", "hello world", "\\", "\\u12", "\u{1b}[", "{\"error\":"] {
        assert!(look_up(text).found.is_empty(), "{text}");
    }
}

#[test]
fn a_text_with_two_errors_names_both() {
    let text = "400 messages.1: all messages must have non-empty content except for the optional final assistant message; \
                503 overloaded_error";
    let found: Vec<&str> = look_up(text).found.iter().map(|found| found.origin.id()).collect();
    assert_eq!(found, ["api/non-empty-content", "error/overloaded"]);
}

#[test]
fn a_path_says_which_turn_block_and_part() {
    let path = |list, index, block, part| Some(ErrorPath { list, index, block, part });
    for (text, expected) in [
        ("messages.3: x", path("messages", 3, None, None)),
        ("400 messages.3.content.1.tool_use.id: x", path("messages", 3, Some(1), None)),
        ("messages.3.content.1.tool_result.content.2: x", path("messages", 3, Some(1), Some(2))),
        ("blocks at messages.12.content for", path("messages", 12, None, None)),
        ("#/messages/0/content/4: expected", path("messages", 0, Some(4), None)),
        ("messages[2].content[0]", path("messages", 2, Some(0), None)),
        ("tools.4.custom.name: x", path("tools", 4, None, None)),
        ("system.1.text: x", path("system", 1, None, None)),
        ("messages: text content blocks must be non-empty", None),
        ("my_messages.3 and foo.tools.2", None),
        ("messages.x", None),
        ("messages.99999999999999999999999", None),
        ("", None),
    ] {
        assert_eq!(path_in(text), expected, "{text}");
    }
}

/// The recordings: `TURNPROOF_EXCHANGES`, or a folder beside the repository.
fn recordings() -> PathBuf {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/exchanges/exchanges.jsonl").into();
    env::var_os("TURNPROOF_EXCHANGES").map_or_else(beside, PathBuf::from)
}

#[test]
fn each_error_that_a_host_was_recorded_to_give_has_a_page() {
    let Ok(lines) = fs::read_to_string(recordings()) else {
        eprintln!("skipped: there are no recordings at {}", recordings().display());
        return;
    };
    let exchanges = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let errors: Vec<Value> = exchanges.filter(|exchange| exchange["status"].as_u64() >= Some(400)).collect();
    for exchange in &errors {
        let text = exchange["response"].to_string();
        assert_ne!(page_of(&text), "none", "{}: {text}", exchange["source"]);
    }
    assert!(errors.len() >= 20, "{} errors", errors.len());
}

#[test]
fn each_page_of_an_error_has_all_its_parts_and_each_file_is_a_page() {
    let mut names: Vec<String> = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/errors"))
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort_unstable();
    let mut pages: Vec<&str> = PAGES.iter().map(|page| page.id.trim_start_matches("error/")).collect();
    pages.sort_unstable();
    assert_eq!(names, pages);
    for page in PAGES.iter() {
        let parts = [page.title, page.doc, page.place, page.remedy];
        assert!(parts.iter().all(|part| !part.is_empty() && !part.contains("##")), "{}", page.id);
        assert!(!page.sources.is_empty() && find(page.id).is_none(), "{}", page.id);
    }
}

#[test]
fn a_page_of_an_error_says_what_is_needed_and_nothing_that_nobody_reads() {
    let read = |front: &str, rest: &str| {
        let page = format!("---\n{front}---\n\n# A title\n\nProse.\n{rest}").leak();
        ErrorPage::read("error/x", page).map_or_else(|error| error.to_string(), |page| page.title.to_owned())
    };
    let rest = "\n## Where to look\n\nThere.\n\n## Remedy\n\nDo.\n\n## Sources\n\n- a\n";
    let error = "errors:\n  - vertex reported, client recorded 2026-05: \"a: \\\"b\\\"\"\n";
    assert_eq!(read(error, rest), "A title");
    for (front, rest, expected) in [
        (error, "", "4: `## Where to look` is missing"),
        ("errors:\n", rest, "3: `errors` is missing"),
        ("errors:\n  - vertex: \"a\"\n", rest, "3: it is not `who how when: \"text\"`"),
        ("errors:\n  - vertex reported soon: \"a\"\n", rest, "3: it is not `who how when: \"text\"`"),
        ("errors:\n  - nobody reported: \"a\"\n", rest, "3: it is not `who how when: \"text\"`"),
        ("errors:\n  - vertex reported: \"{n}: {path}\"\n", rest, "3: a text has words"),
        ("errors:\n  - vertex reported: a\n", rest, "3: it is not `who how when: \"text\"`"),
        ("  - vertex reported: \"a\"\n", rest, "2: readers of YAML need quotes here"),
        ("errors:\n  - vertex reported: \"a\"\nwords: b\n", rest, "4: nothing reads `words` here"),
    ] {
        assert_eq!(read(front, rest), format!("errors/x.md:{expected}"), "{front}");
    }
}
