//! Unread faults in the *blocks* of a request.

use turnproof::operation::{Plain, Value};

use super::super::super::walk::{blocks_mut, change_text, each_of, is_of, kind, remove, text};
use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "normalize_api/unread-third-parses-inputs",
        "6.17.2: a text as input is not parsed",
        "reads the JSON in an input that is a text",
        Wrong::Messages(|messages| {
            each_of(messages, "assistant", "tool_use", |call| {
                let read = call["input"].as_str().and_then(|input| Plain::read(input).ok());
                if let Some(input) = read.map(Plain::into_value).filter(Value::is_object) {
                    call["input"] = input;
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-third-objects-as-results-lost",
        "6.9.1: content of a tool_result that is neither text nor a list becomes its JSON text",
        "leaves out what a tool gave when it is an object",
        Wrong::Messages(|messages| {
            each_of(messages, "user", "tool_result", |result| {
                if result["content"].is_object() {
                    remove(result, "content");
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-third-results-not-cached",
        "6.17.2: cache_control stays (envoyproxy/ai-gateway#2477)",
        "makes results anew, without their cache_control",
        Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result" {
                remove(block, "cache_control");
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-results-of-texts",
        "6.17.2: the result that answers a call is in the request, its content as text or a list \
         (sgl-project/sglang#19222)",
        "sends the texts of a result, and loses its images",
        Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result"
                && let Some(parts) = block["content"].as_array_mut()
            {
                parts.retain(|part| kind(part) != "image");
                if parts.is_empty() {
                    remove(block, "content");
                }
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-results-trimmed",
        "6.17.2: white space of results stays",
        "takes the line feed from the end of what a tool printed",
        Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result"
                && let Some(said) = block["content"].as_str().map(str::trim_end).filter(|said| !said.is_empty())
            {
                block["content"] = said.into();
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-hidden-thinking-lost",
        "6.14.2: the text of thinking may be empty, since some models hide it",
        "drops thinking without a text, though it is signed",
        Wrong::Blocks("assistant", |blocks| {
            blocks.retain(|block| kind(block) != "thinking" || !text(block, "thinking").is_empty());
        }),
    ),
    unread(
        "normalize_api/unread-third-no-citations",
        "6.9.1: of each block that has a shape, what fits is sent, and a text has citations",
        "sends the text of a reply without its citations",
        Wrong::EachBlock("assistant", |block| {
            if kind(block) == "text" {
                remove(block, "citations");
            }
        }),
    ),
    unread(
        "normalize_api/unread-third-truthy-errors",
        "2.4: a field of another type counts as missing, so an is_error that is a text makes no error",
        "takes any text in is_error for true",
        Wrong::Messages(|messages| {
            each_of(messages, "user", "tool_result", |result| {
                if !text(result, "is_error").is_empty() {
                    result["is_error"] = true.into();
                }
            });
        }),
    ),
    unread(
        "normalize_api/unread-third-every-reply-trimmed",
        "6.9.2: a reply that ends the request loses the white space at the end of its last text",
        "takes the white space from the end of every reply",
        Wrong::List(|_, turns| {
            for turn in turns.iter_mut().filter(|turn| is_of(turn, "assistant")) {
                if let Some(last) = blocks_mut(turn).and_then(|blocks| blocks.last_mut()) {
                    change_text(last, |said| said.trim_end().to_owned());
                }
            }
        }),
    ),
];
