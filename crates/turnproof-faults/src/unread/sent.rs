//! Unread faults in what is *sent*: the blocks of a request.

use turnproof::operation::Value;
use turnproof_rules::json;

use super::super::hidden::hide_type;
use super::super::walk::{
    blocks, change_text, each_of, is_blank, is_server_result, kind, last_of, lists, remove, text, text_block, words,
};
use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-input-as-value",
        "6.9.1: an input that is no object is wrapped as {\"input\": …}",
        "wraps an input that is no object as {\"value\": …}",
        Wrong::Messages(|messages| {
            each_of(messages, "assistant", "tool_use", |block| {
                if block.get("input").is_some_and(|input| !input.is_object()) {
                    block["input"] = json!({"value": block["input"]});
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-content-as-javascript-says",
        "6.9.1: content that is neither text nor a list becomes its JSON text",
        "says [object Object] for a result whose content is an object",
        Wrong::Messages(|messages| {
            each_of(messages, "user", "tool_result", |block| {
                if block["content"].is_object() {
                    block["content"] = "[object Object]".into();
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-names-of-64",
        "6.9.1: of the name, 128 characters stay",
        "cuts the name of a tool after 64 characters",
        Wrong::EachBlock("assistant", |block| {
            if kind(block) == "tool_use" {
                block["name"] = text(block, "name").chars().take(64).collect::<String>().into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-names-without-dots",
        "6.9.1: each character that the API refuses becomes `_`",
        "leaves out a dot in the name of a tool",
        Wrong::Messages(|messages| {
            each_of(messages, "assistant", "tool_use", |block| {
                if block["name"].is_string() {
                    block["name"] = text(block, "name").replace('.', "").into();
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-no-cache-marks",
        "6.17.2 and 6.9.1: blocks are sent as what fits their shape, and cache_control fits",
        "sends no cache_control of the messages",
        Wrong::EachBlock("user", |block| remove(block, "cache_control")),
    ),
    unread(
        "normalize_api/unread-no-citations",
        "6.17.2 and 6.9.1: citations that fit are sent",
        "sends texts without their citations",
        Wrong::EachBlock("assistant", |block| remove(block, "citations")),
    ),
    unread(
        "normalize_api/unread-blank-to-the-eye",
        "1.2 and 6.12.4: U+FEFF is blank, and no text is blank",
        "takes U+FEFF for a letter, and sends a text of nothing else",
        Wrong::HiddenWhere("user", |block| {
            let said = text(block, "text");
            kind(block) == "text" && said.contains('\u{FEFF}') && is_blank(said)
        }),
    ),
    unread(
        "normalize_api/unread-prompts-are-trimmed",
        "6.17.2: each text is in the request",
        "trims each text of the user",
        Wrong::EachBlock("user", |block| change_text(block, |said| said.trim().to_owned())),
    ),
    unread(
        "normalize_api/unread-results-are-words",
        "6.17.2: results are compared as they are sent, content as text or a list",
        "sends the first text alone of a result that is a list",
        Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result"
                && let Some(parts) = block["content"].as_array()
                && let Some(first) = parts.iter().find(|part| kind(part) == "text")
            {
                block["content"] = first["text"].clone();
            }
        }),
    ),
    unread(
        "normalize_api/unread-no-titles",
        "6.17.2 and 6.12.10: a document may have a title and a context",
        "sends documents without title and context",
        Wrong::EachBlock("user", |block| {
            if kind(block) == "document" {
                remove(block, "title");
                remove(block, "context");
            }
        }),
    ),
    unread(
        "normalize_api/unread-no-hidden-thoughts",
        "6.14.2: the text of signed thinking may be empty; 6.14.4",
        "drops signed thinking whose text is empty",
        Wrong::Blocks("assistant", |blocks| {
            blocks.retain(|block| kind(block) != "thinking" || !text(block, "thinking").is_empty());
            if blocks.is_empty() {
                blocks.push(text_block("(no content)"));
            }
        }),
    ),
    unread(
        "normalize_api/unread-no-redacted-thoughts",
        "6.14.4: the thinking of the last reply is all there (earendil-works/pi#1665)",
        "drops redacted thinking",
        Wrong::Blocks("assistant", |blocks| blocks.retain(|block| kind(block) != "redacted_thinking")),
    ),
    unread(
        "normalize_api/unread-thoughts-first",
        "6.7: blocks keep their order; 6.14.4",
        "puts all thinking of a reply in front",
        Wrong::Blocks("assistant", |blocks| {
            blocks.sort_by_key(|block| !super::super::walk::is_thinking(block));
        }),
    ),
    unread(
        "normalize_api/unread-no-strangers",
        "2.5: a block of another type is carried unchanged, in both roles",
        "sends no block of an unknown type in the user's turns",
        Wrong::Messages(|messages| {
            const KNOWN: [&str; 6] = ["text", "image", "document", "tool_result", "search_result", "compaction"];
            lists(messages, "user", |blocks| blocks.retain(|block| KNOWN.contains(&kind(block))));
        }),
    ),
    unread(
        "normalize_api/unread-callers-go",
        "6.9.1: only what does not fit goes, and `caller` fits a call",
        "sends calls without their caller",
        Wrong::EachBlock("assistant", |block| remove(block, "caller")),
    ),
    unread(
        "normalize_api/unread-errors-of-servers-go",
        "6.17.2: each call of a server tool that stays, and its result",
        "sends no result of a server tool that is an error, nor its call",
        Wrong::Blocks("assistant", |blocks| {
            let is_error = |block: &Value| is_server_result(block) && kind(&block["content"]).ends_with("_error");
            let failed: Vec<String> =
                blocks.iter().filter(|block| is_error(block)).map(|block| text(block, "tool_use_id").into()).collect();
            let is_of = |id: &str| failed.iter().any(|failed| failed == id);
            blocks.retain(|block| !is_of(text(block, "id")) && !is_of(text(block, "tool_use_id")));
            if blocks.is_empty() {
                blocks.push(text_block("(no content)"));
            }
        }),
    ),
    unread(
        "normalize_api/unread-half-written-pictures",
        "6.9.1: half-written images and documents go",
        "sends an image without its data",
        Wrong::HiddenWhere("user", |block| kind(block) == "image" && block["source"] == json!({})),
    ),
    unread(
        "normalize_api/unread-picture-beside-its-result",
        "6.17.2: each result is in the request as it is, its images inside",
        "takes the images out of a result and sends them beside it",
        Wrong::Blocks("user", |blocks| {
            let mut beside = Vec::new();
            for parts in blocks
                .iter_mut()
                .filter(|block| kind(block) == "tool_result")
                .filter_map(|block| block.get_mut("content").and_then(Value::as_array_mut))
            {
                beside.extend(parts.extract_if(.., |part| kind(part) == "image"));
            }
            blocks.extend(beside);
        }),
    ),
    unread(
        "normalize_api/unread-space-of-another-sort",
        "6.9.2: a reply that ends the request loses the white space at the end of its last text",
        "takes only spaces from the end of a reply that ends the request, and no line feeds",
        Wrong::List(|asked, turns| {
            let ends = asked.messages.iter().rfind(|message| kind(message) == "assistant");
            let Some(said) = ends.and_then(|last| words(last).last()).filter(|said| said.ends_with('\n')) else {
                return;
            };
            let is_last = turns.last().is_some_and(|last| text(last, "role") == "assistant");
            let last = last_of(turns, "assistant").filter(|_| is_last);
            if let Some(block) = last.and_then(super::super::walk::blocks_mut).and_then(|blocks| blocks.last_mut())
                && kind(block) == "text"
                && said.trim_end() == text(block, "text")
            {
                block["text"] = said.into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-lists-of-nothing",
        "6.9.1: content of a tool_result that is an empty list is left out",
        "fills a result without content with the text (no content)",
        Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result" && block.get("content").is_none() {
                block["content"] = "(no content)".into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-unsigned-thoughts-are-sent",
        "6.9.1: thinking without a signature goes",
        "sends thinking without a signature",
        Wrong::HiddenBlocks("assistant", |block| {
            if kind(block) == "thinking" && text(block, "signature").is_empty() {
                hide_type(block);
            }
        }),
    ),
    unread(
        "normalize_api/unread-no-second-document",
        "6.17.2: each image, each document is in the request",
        "sends one document a turn, as if a second one were the same",
        Wrong::Blocks("user", |blocks| {
            let mut has_one = false;
            blocks.retain(|block| kind(block) != "document" || !std::mem::replace(&mut has_one, true));
        }),
    ),
    unread(
        "normalize_api/unread-long-results-are-cut",
        "6.17.2: the result that answers a call is in the request",
        "cuts the text of a result after 500 characters",
        Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result" && text(block, "content").chars().count() > 500 {
                block["content"] = text(block, "content").chars().take(500).collect::<String>().into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-flags-become-errors",
        "2.4: a result whose is_error is \"no\" is no error",
        "takes each is_error that is there for true",
        Wrong::Messages(|messages| {
            each_of(messages, "user", "tool_result", |block| {
                if block.get("is_error").is_some_and(|flag| !flag.is_boolean()) {
                    block["is_error"] = true.into();
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-half-a-turn",
        "6.17.2: each text of the list is sent",
        "sends at most eight blocks of a message",
        Wrong::Messages(|messages| {
            for message in messages.iter_mut().filter(|message| blocks(message).len() > 8) {
                super::super::walk::blocks_mut(message).into_iter().for_each(|blocks| blocks.truncate(8));
            }
        }),
    ),
];
