//! Faults that change *values* a little: a text loses its ends, a name is cut, a flag is guessed, a turn gets a member.

use turnproof_rules::json;
use turnproof_rules::operation::Value;

use super::walk::{each, is_blank, is_of, kind, last_of, remove, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/trims-replies", "normalize/conserves")
        .that("removes the white space at the end of each reply, not of the last one alone")
        .by(Wrong::EachBlock("assistant", |block| change_text(block, "text", trimmed))),
    fault("normalize_api/trims-the-beginning-of-replies", "normalize/conserves")
        .that("removes the white space before the words of a reply")
        .by(Wrong::EachBlock("assistant", |block| change_text(block, "text", |words| words.trim_start().to_owned()))),
    fault("normalize_api/trims-the-end-of-thinking", "thinking/unmodified")
        .that("removes the white space at the end of thinking")
        .by(Wrong::EachBlock("assistant", |block| change_text(block, "thinking", trimmed))),
    fault("normalize_api/trims-results", "normalize/conserves")
        .that("removes the white space at the end of what a tool gave")
        .by(Wrong::EachBlock("user", |block| change_text(block, "content", trimmed))),
    fault("normalize_api/unifies-line-ends", "normalize/conserves")
        .that("writes each line end in texts as a line feed")
        .by(Wrong::List(|_, turns| {
            for role in ["user", "assistant"] {
                each(turns, role, |block| change_text(block, "text", |words| words.replace("\r\n", "\n")));
            }
        })),
    fault("normalize_api/takes-nul-out", "normalize/conserves")
        .that("takes U+0000 out of texts and results, which a data base does not store")
        .by(Wrong::EachBlock("user", |block| {
            ["text", "content"].iter().for_each(|name| change_text(block, name, |words| words.replace('\0', "")));
        })),
    fault("normalize_api/parses-inputs", "normalize/conserves")
        .that("parses an input that is JSON as text, and sends what it says")
        .by(Wrong::Messages(|messages| {
            each(messages, "assistant", |block| {
                let read = |input: &str| serde_json::from_str(input).ok().filter(Value::is_object);
                if let (true, Some(input)) = (kind(block) == "tool_use", read(text(block, "input"))) {
                    block["input"] = input;
                }
            });
        })),
    fault("normalize_api/guesses-failures", "normalize/conserves")
        .that("marks a result as failed when its text begins as an error does")
        .by(Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result" && text(block, "content").starts_with("Error") {
                block["is_error"] = json!(true);
            }
        })),
    fault("normalize_api/fills-empty-results", "normalize/conserves")
        .that("writes words of its own into a result without content")
        .by(Wrong::EachBlock("user", |block| {
            if kind(block) == "tool_result" && block.get("content").is_none() {
                block["content"] = json!("(no output)");
            }
        })),
    fault("normalize_api/cuts-names-at-64", "normalize/conserves")
        .that("cuts the name of a tool after 64 characters, as another vendor does")
        .by(Wrong::EachBlock("assistant", |block| change_name(block, |name| name.chars().take(64).collect()))),
    fault("normalize_api/cleans-names", "normalize/conserves")
        .that("writes each dash in the name of a tool as an underscore, though it is legal")
        .by(Wrong::EachBlock("assistant", |block| change_name(block, |name| name.replace('-', "_")))),
    fault("normalize_api/writes-names-small", "normalize/conserves")
        .that("writes the names of tools in small letters")
        .by(Wrong::EachBlock("assistant", |block| change_name(block, str::to_lowercase))),
    fault("normalize_api/misspells-jpeg", "api/required-fields")
        .that("writes the type of an image as `image/jpg`")
        .by(Wrong::EachBlock("user", |block| change_media_type(block, "image/jpeg", "image/jpg"))),
    fault("normalize_api/calls-every-image-png", "normalize/conserves")
        .that("writes the type of a JPEG image as `image/png`")
        .by(Wrong::EachBlock("user", |block| change_media_type(block, "image/jpeg", "image/png"))),
    fault("normalize_api/drops-cache-marks", "normalize/conserves")
        .that("drops `cache_control` from calls and results")
        .by(Wrong::List(|_, turns| {
            for role in ["user", "assistant"] {
                each(turns, role, |block| {
                    if matches!(kind(block), "tool_use" | "tool_result") {
                        remove(block, "cache_control");
                    }
                });
            }
        })),
    fault("normalize_api/names-turns", "api/known-members")
        .that("gives each turn of the user a name, as another vendor's API wants it")
        .by(Wrong::List(|_, turns| {
            turns.iter_mut().filter(|turn| is_of(turn, "user")).for_each(|turn| turn["name"] = json!("user"));
        })),
    fault("normalize_api/marks-turns-for-the-cache", "api/known-members")
        .that("puts `cache_control` on the last turn instead of its last block")
        .by(Wrong::List(|_, turns| {
            if let Some(last) = last_of(turns, "user") {
                last["cache_control"] = json!({"type": "ephemeral"});
            }
        })),
    fault("normalize_api/types-turns", "api/known-members")
        .that("gives each turn a type, as messages have one")
        .by(Wrong::List(|_, turns| turns.iter_mut().for_each(|turn| turn["type"] = json!("message")))),
    fault("normalize_api/no-titles", "normalize/conserves").that("sends documents without title and context").by(
        Wrong::EachBlock("user", |block| {
            if kind(block) == "document" {
                remove(block, "title");
                remove(block, "context");
            }
        }),
    ),
    fault("normalize_api/no-citations", "normalize/conserves")
        .that("sends texts without their citations")
        .by(Wrong::EachBlock("assistant", |block| remove(block, "citations"))),
];

/// Changes a member that is a text, of blocks of the client's and the model's words, thinking and results.
fn change_text(block: &mut Value, member: &str, change: fn(&str) -> String) {
    if matches!(kind(block), "text" | "thinking" | "tool_result")
        && let Some(words) = block.get(member).and_then(Value::as_str).map(change)
    {
        block[member] = Value::from(words);
    }
}

/// The words without blank characters at the end.
fn trimmed(words: &str) -> String {
    words.trim_end_matches(|letter: char| is_blank(letter.encode_utf8(&mut [0; 4]))).to_owned()
}

fn change_name(block: &mut Value, change: impl Fn(&str) -> String) {
    if kind(block) == "tool_use" {
        block["name"] = Value::from(change(text(block, "name")));
    }
}

/// Writes another media type for one, in an image.
fn change_media_type(block: &mut Value, from: &str, to: &str) {
    let media_type = block.pointer_mut("/source/media_type").filter(|media_type| *media_type == from);
    media_type.into_iter().for_each(|media_type| *media_type = Value::from(to));
}
