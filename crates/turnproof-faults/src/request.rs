//! Faults in the form of *requests*: what the API refuses in any conversation.

use turnproof_reference::message::constants::NO_CONTENT;
use turnproof_rules::operation::{Plain, Value};

use super::hidden::hide;
use super::shapes::{bring_back, copy, says};
use super::walk::{
    blocks, blocks_mut, content_mut, each, hide_blocks, is_blank, is_of, is_thinking, kind, list, remove, results,
    text, text_block, turn, words,
};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("normalize_api/begins-with-the-reply", "api/first-user")
        .that("puts no user turn before a list that begins with a reply")
        .by(Wrong::List(|_, turns| {
            if turns.len() > 1 && is_made(&turns[0]) {
                turns.remove(0);
            }
        })),
    fault("normalize_api/cuts-before-a-reply", "api/first-user")
        .that("sends the last four turns only, whoever speaks in the first of them")
        .by(Wrong::List(|_, turns| drop(turns.drain(..turns.len().saturating_sub(4))))),
    fault("normalize_api/sends-lines-apart", "api/alternation")
        .that("makes a turn of each block of a reply, as the transcript has a line for each")
        .by(Wrong::List(|_, turns| apart(turns, "assistant", |_| 1))),
    fault("normalize_api/leaves-neighbours-apart", "api/alternation")
        .that("joins results, and leaves the user messages after them as turns of their own")
        .by(Wrong::List(|_, turns| apart(turns, "user", |blocks| results(blocks).max(1)))),
    fault("normalize_api/sends-an-empty-prompt", "api/non-empty-content")
        .that("sends a user turn with nothing in it as an empty list")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.258")
        .by(Wrong::List(|_, turns| {
            turns.iter_mut().filter(|turn| is_made(turn)).filter_map(blocks_mut).for_each(Vec::clear);
        })),
    fault("normalize_api/sends-a-refused-reply", "api/non-empty-content")
        .that("ends the request with the turn of a reply that has no blocks")
        .by(Wrong::List(|asked, turns| {
            let is_empty = |message: &Value| kind(message) == "assistant" && blocks(message).is_empty();
            if asked.messages.last().is_some_and(is_empty) && turns.last().is_some_and(|turn| is_of(turn, "user")) {
                turns.push(turn("assistant", Vec::new()));
            }
        })),
    fault("normalize_api/adds-empty-text-beside-calls", "api/no-empty-text")
        .that("puts an empty text before calls that have no text")
        .seen_in("anthropics/claude-code#62396")
        .by(Wrong::Blocks("assistant", |blocks| {
            if blocks.first().is_some_and(|block| kind(block) == "tool_use") {
                blocks.insert(0, text_block(""));
            }
        })),
    fault("normalize_api/keeps-empty-text", "api/no-empty-text")
        .that("sends an empty prompt, and a text block that the stream opened and left empty")
        .seen_in("anthropics/claude-code#60009")
        .by(Wrong::Hidden(|messages| {
            ["user", "assistant"].iter().for_each(|role| hide_texts(messages, role, str::is_empty));
        })),
    fault("normalize_api/keeps-blank-text-beside-a-call", "api/no-blank-text")
        .that("tests only for the empty string, and sends two line ends beside a call")
        .seen_in("anthropics/claude-code#23440")
        .by(Wrong::Hidden(|messages| hide_texts(messages, "assistant", |text| !text.is_empty() && is_blank(text)))),
    fault("normalize_api/trims-ascii-only", "api/no-blank-text")
        .that("treats a no-break space, a byte order mark or a separator as words")
        .by(Wrong::Hidden(|messages| {
            hide_texts(messages, "user", |text| is_blank(text) && !text.trim_ascii().is_empty());
        })),
    fault("normalize_api/keeps-blank-text-in-results", "api/no-blank-text")
        .that("drops blank texts from turns, but not from the result of a tool")
        .by(Wrong::HiddenBlocks("user", |block| {
            for part in blocks_mut(block).into_iter().flatten() {
                let words = text(part, "text").to_owned();
                if kind(part) == "text" && is_blank(&words) && !words.is_empty() {
                    part["text"] = Value::from(hide(&words));
                }
            }
        })),
    fault("normalize_api/keeps-space-at-the-end", "api/no-trailing-space")
        .that("sends a reply that was cut off with the white space at its end")
        .by(Wrong::List(|asked, turns| {
            let last = turns.last_mut().filter(|turn| is_of(turn, "assistant")).and_then(blocks_mut);
            if let Some(block) = last.and_then(|blocks| blocks.last_mut())
                && kind(block) == "text"
            {
                let sent = text(block, "text").to_owned();
                let is_longer =
                    |words: &&str| words.strip_prefix(&*sent).is_some_and(|rest| !rest.is_empty() && is_blank(rest));
                let replies = asked.messages.iter().filter(|message| kind(message) == "assistant");
                if let Some(words) = replies.flat_map(words).find(is_longer) {
                    block["text"] = Value::from(words);
                }
            }
        })),
    fault("normalize_api/sends-a-result-in-a-reply", "api/blocks-by-role")
        .that("lets a reply carry results, images and documents")
        .by(Wrong::HiddenWhere("assistant", |block| matches!(kind(block), "tool_result" | "image" | "document"))),
    fault("normalize_api/sends-a-call-in-a-prompt", "api/blocks-by-role")
        .that("lets a user message carry calls and thinking")
        .by(Wrong::HiddenWhere("user", |block| kind(block) == "tool_use" || is_thinking(block))),
    fault("normalize_api/sends-own-members", "api/no-internal-fields")
        .that("sends blocks as they are stored, with the client's own members")
        .by(Wrong::List(|asked, turns| bring_back(asked, turns, |block, source| copy(block, source, is_own)))),
    fault("normalize_api/sends-own-members-in-results", "api/no-internal-fields")
        .that("removes the client's own members from blocks, but not inside results")
        .by(Wrong::List(|asked, turns| {
            bring_back(asked, turns, |block, source| {
                let sources = blocks(source).to_vec();
                for part in blocks_mut(block).into_iter().flatten().filter(|part| part.is_object()) {
                    let own = sources.iter().find(|source| says(source) == says(part) && kind(source) == kind(part));
                    own.into_iter().for_each(|source| copy(part, source, is_own));
                }
            });
        })),
    fault("normalize_api/sends-ids-of-records", "api/no-internal-fields")
        .that("leaves the id of the record on each turn")
        .by(Wrong::List(|asked, turns| {
            for turn in turns {
                let record = asked.messages.iter().find(|message| is_of(turn, kind(message)));
                if let Some(uuid) = record.and_then(|record| record.get("uuid")) {
                    turn["uuid"] = uuid.clone();
                }
            }
        })),
    fault("normalize_api/sends-half-a-character", "api/valid-unicode")
        .that("sends half of a surrogate pair as it is stored")
        .seen_in("anthropics/claude-code#3277")
        .by(Wrong::RequestText(|messages, turns| {
            let is_half = Plain::read(messages).is_ok_and(|plain| !plain.lone_surrogates.is_empty());
            Ok(if is_half { turns.replace('\u{FFFD}', "\\ud83d") } else { turns })
        })),
    fault("normalize_api/cuts-inside-a-character", "api/valid-unicode")
        .that("cuts text by UTF-16 units, in the middle of a character")
        .seen_in("anthropics/claude-code#2108")
        .by(Wrong::RequestText(|_, turns| {
            let cut = |letter: char| match letter {
                '\u{10000}'.. => format!("\\u{:04x}", letter.encode_utf16(&mut [0; 2])[0]),
                letter => letter.to_string(),
            };
            Ok(turns.chars().map(cut).collect())
        })),
    fault("normalize_api/sends-half-written-blocks", "api/required-fields")
        .that("sends texts without text, calls without name and results without the id of their call")
        .by(Wrong::Hidden(|messages| {
            let is_half = |block: &Value| match kind(block) {
                "text" => block.get("text").is_none_or(Value::is_null),
                "tool_use" => text(block, "name").is_empty(),
                "tool_result" => block.get("tool_use_id").is_none_or(Value::is_null),
                _ => false,
            };
            ["user", "assistant"].iter().for_each(|role| hide_blocks(messages, role, is_half));
        })),
    fault("normalize_api/sends-media-without-source", "api/required-fields")
        .that("sends an image whose data was taken away to save room")
        .by(Wrong::EachBlock("user", |block| {
            if kind(block) == "image" {
                remove(block, "source");
            }
        })),
    fault("normalize_api/sends-notices-as-system", "api/system-turns")
        .that("sends what the client's commands print as turns of the system")
        .seen_in("anthropics/claude-code CHANGELOG 2.1.280")
        .by(Wrong::List(|asked, turns| {
            let notices = asked.messages.iter().filter(|message| text(message, "subtype") == "local_command");
            let words = notices.map(|notice| text(notice, "content")).filter(|words| !is_blank(words));
            let orders = words.map(|words| turn("system", vec![text_block(words)]));
            turns.extend(orders.collect::<Vec<_>>());
        })),
    fault("normalize_api/keeps-halves-in-inputs", "api/valid-unicode")
        .that("puts U+FFFD into texts, and not into the inputs of calls")
        .by(Wrong::RequestText(|_, turns| {
            let all = list(&turns).unwrap_or_default();
            let calls = all.iter().flat_map(blocks).filter(|block| kind(block) == "tool_use");
            let inputs = calls.map(|call| call["input"].to_string()).filter(|input| input.contains('\u{FFFD}'));
            let halved = |turns: String, input: String| turns.replace(&input, &input.replace('\u{FFFD}', "\\ud83d"));
            Ok(inputs.fold(turns.clone(), halved))
        })),
];

/// Whether a turn was made because nothing else is there.
fn is_made(turn: &Value) -> bool {
    is_of(turn, "user") && matches!(blocks(turn), [only] if text(only, "text") == NO_CONTENT)
}

/// Cuts each turn of a role: the first piece has as many blocks as `first` says, each other piece has one.
fn apart(turns: &mut Vec<Value>, role: &str, first: fn(&[Value]) -> usize) {
    for whole in std::mem::take(turns) {
        if !is_of(&whole, role) || blocks(&whole).is_empty() {
            turns.push(whole);
            continue;
        }
        let (head, rest) = blocks(&whole).split_at(first(blocks(&whole)));
        turns.push(turn(role, head.to_vec()));
        turns.extend(rest.iter().map(|block| turn(role, vec![block.clone()])));
    }
}

fn hide_texts(messages: &mut [Value], role: &str, is_meant: fn(&str) -> bool) {
    for content in messages.iter_mut().filter(|message| is_of(message, role)).filter_map(content_mut) {
        if let Some(words) = content.as_str().filter(|words| is_meant(words)).map(hide) {
            *content = Value::from(words);
        }
    }
    each(messages, role, |block| {
        let words = block.get("text").and_then(Value::as_str).filter(|words| is_meant(words)).map(hide);
        if let Some(words) = words.filter(|_| kind(block) == "text") {
            block["text"] = Value::from(words);
        }
    });
}

/// Whether a member is the client's own.
fn is_own(name: &str) -> bool {
    name.starts_with('_') || name.contains(|letter: char| letter.is_ascii_uppercase()) || name == "uuid"
}
