//! To say the same *otherwise*: other ids, other words, other JSON.

use turnproof_reference::engine::CLEARED;
use turnproof_rules::operation::{Conversation, Moment, Plain, Played, StreamItem, Value};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use crate::log::{change_lists, change_turns, result_id};
use crate::walk::{blocks_mut, each, kind, text};

/// The same JSON over several lines, with escapes.
pub(super) fn otherwise(json: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(json) else { return json.to_owned() };
    let mut escaped = String::new();
    for letter in format!("{value:#}").chars() {
        match letter {
            '\u{80}'.. => {
                let mut units = [0; 2];
                escaped.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04X}")));
            }
            _ => escaped.push(letter),
        }
    }
    escaped
}

pub(super) fn ids(block: &Value) -> [&str; 2] {
    [text(block, "id"), text(block, "tool_use_id")]
}

/// Wraps in another way what attachments say.
pub(super) fn each_wrapped(messages: &[Value], turns: &mut [Value], wrap: impl Fn(&str) -> String) {
    let is_given = |message: &&Value| kind(message) != "attachment" || message.get("rendered").is_some();
    let given: String = messages.iter().filter(is_given).map(Value::to_string).collect();
    each(turns, "user", |block| {
        let said = text(block, "text").to_owned();
        let inner = said.strip_prefix("<system-reminder>\n").and_then(|said| said.strip_suffix("\n</system-reminder>"));
        // What somebody else said in the same words stays as it is.
        let in_json = Value::from(said.as_str()).to_string();
        if let Some(inner) = inner.filter(|_| !given.contains(in_json.trim_matches('"'))) {
            block["text"] = wrap(inner).into();
        }
    });
}

pub(super) fn noting(file: &[u8], change: impl FnOnce(&mut Vec<String>)) -> Outcome<Option<Conversation>> {
    let mut outcome = Reference.resume(file);
    if let Outcome::Output(Some(found)) = &mut outcome {
        change(&mut found.notes);
    }
    outcome
}

/// Gives a message another uuid and time, if it has them.
pub(super) fn rename_own(message: &mut Value) {
    if let Some(uuid) = message.get("uuid").and_then(Value::as_str) {
        message["uuid"] = renamed(uuid).into();
    }
    if message.get("timestamp").is_some_and(Value::is_string) {
        message["timestamp"] = "2024-12-31T23:59:59.999Z".into();
    }
}

/// Another uuid for each uuid.
fn renamed(uuid: &str) -> String {
    moved(uuid, 5)
}

/// Gives the source of a result its other uuid.
pub(super) fn rename_source(user: &mut Value) {
    if let Some(uuid) = user.get("sourceToolAssistantUUID").and_then(Value::as_str) {
        user["sourceToolAssistantUUID"] = renamed(uuid).into();
    }
}

/// The items with the sources of results as they were before they were renamed.
pub(super) fn sources_by_first_name(mut items: Vec<StreamItem>) -> Vec<StreamItem> {
    for item in &mut items {
        let StreamItem::Message(json) = item else { continue };
        let Ok(user) = Plain::read(json) else { continue };
        if let Some(uuid) = user.value.get("sourceToolAssistantUUID").and_then(Value::as_str) {
            *json = json.replace(uuid, &moved(uuid, 11));
        }
    }
    items
}

/// A uuid whose first digits are moved so far.
fn moved(uuid: &str, by: u32) -> String {
    let mut letters: Vec<char> = uuid.chars().collect();
    for letter in letters.iter_mut().take(8) {
        if let Some(digit) = letter.to_digit(16) {
            *letter = char::from_digit((digit + by) % 16, 16).unwrap_or(*letter);
        }
    }
    letters.into_iter().collect()
}

fn has_form(text: &str) -> bool {
    let is_dash = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    let fits = |(at, byte): (usize, u8)| if is_dash(at) { byte == b'-' } else { byte.is_ascii_hexdigit() };
    text.len() == 36 && text.bytes().enumerate().all(fits)
}

/// Says in other words that a result was cleared, in lists and turns.
pub(super) fn clear_in_other_words(played: &mut Played) {
    let say_otherwise = |block: &mut Value| {
        if result_id(block).is_some() && block["content"] == CLEARED {
            block["content"] = "[gone]".into();
        }
    };
    let in_list = |list: &mut Vec<Value>| list.iter_mut().filter_map(blocks_mut).flatten().for_each(say_otherwise);
    change_lists(&mut played.moments, in_list);
    change_turns(&mut played.moments, in_list);
}

/// Gives each uuid another one, in the log and in all bytes of the transcripts, but for those of sessions.
pub(super) fn rename_all(played: &mut Played) {
    let change = |value: &mut Value| {
        let mut json = value.to_string().into_bytes();
        rename_bytes(&mut json);
        *value = serde_json::from_slice(&json).unwrap_or_else(|_| value.take());
    };
    for moment in &mut played.moments {
        match moment {
            Moment::Yielded(message) | Moment::Amended(message) => change(&mut message.value),
            Moment::Joined { uuid, .. } => *uuid = renamed(uuid),
            Moment::Typed { content, .. } => change(&mut content.value),
            Moment::Requested { turns, transcript, .. } => {
                change(&mut turns.value);
                rename_bytes(transcript);
            }
            Moment::Crashed { transcript } => rename_bytes(transcript),
            _ => {}
        }
    }
    change_lists(&mut played.moments, |list| list.iter_mut().for_each(change));
    rename_bytes(&mut played.transcript);
}

fn rename_bytes(bytes: &mut [u8]) {
    const LENGTH: usize = 36;
    let mut at = 0;
    while let Some(window) = bytes.get(at..at + LENGTH) {
        let uuid = std::str::from_utf8(window).ok().filter(|uuid| has_form(uuid));
        // Sessions have ids of their own.
        match uuid.filter(|uuid| !uuid.starts_with("5e55")).map(renamed) {
            Some(other) => {
                bytes[at..at + LENGTH].copy_from_slice(other.as_bytes());
                at += LENGTH;
            }
            None => at += 1,
        }
    }
}
