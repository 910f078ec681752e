//! What a message *says*: the content that was given, kept and never empty, and the exact texts of the protocol.

use crate::json;
use crate::json::Value;

use super::NOTHING_MADE;
use super::call::Called;
use super::predicate::unanswered;
use super::table::Says;
use crate::rules::alike::{alike, in_short};
use crate::rules::value::{blocks, is_blank, kind, list, text, text_of};
use crate::rules::{Applies, MakeEvidence, Place, Report, Sentence, applies};
use crate::vocabulary::{MISSING_TOOL_RESULT, NO_CONTENT};

pub(super) fn content_not_empty(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let called = case.called()?;
    applies(!matches!(called.factory.says, Says::Nothing), "the factory's message says nothing of its own")?;
    for (index, message) in called.messages() {
        let said = said(called, message);
        if is_empty(said) {
            let said = said.unwrap_or(&Value::Null).to_string();
            let found = sentence!("`{factory}` says {said}", factory = called.factory.name, said);
            report.add(Place::message(index), "empty", found, "content that is not empty");
        }
    }
    applies(!called.read.is_empty(), NOTHING_MADE)
}

/// What the message says, where its factory puts it.
fn said<'a>(called: &Called, message: &'a Value) -> Option<&'a Value> {
    match called.factory.says {
        Says::Words(_, member) => message.get(member),
        Says::Own(pointer) => message.pointer(pointer),
        _ => message.pointer("/message/content"),
    }
}

/// Whether content is missing, the empty text, or a list of nothing but empty texts.
fn is_empty(said: Option<&Value>) -> bool {
    match said {
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(blocks)) => blocks.is_empty() || blocks.iter().all(|block| text_of(block) == Some("")),
        _ => true,
    }
}

/// What was given for the message to say; `None` when that is empty.
fn given(called: &Called) -> Option<&Value> {
    let name = if let Says::Words(argument, _) = called.factory.says { argument } else { "content" };
    called.arguments.get(name).filter(|given| !is_empty(Some(given)))
}

pub(super) fn texts(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let called = case.called()?;
    let right = match called.factory.says {
        Says::Interruption(_, for_tool_use) if called.arguments.get("toolUse") == Some(&Value::Bool(true)) => {
            for_tool_use
        }
        Says::Interruption(plain, _) => plain,
        Says::Placeholders => {
            text(&called.arguments, "text").filter(|text| !text.is_empty()).unwrap_or(MISSING_TOOL_RESULT)
        }
        Says::UserContent | Says::AssistantContent | Says::Words(..) if given(called).is_none() => NO_CONTENT,
        _ => return Err("no text of the protocol is asked for"),
    };
    for (index, message) in called.messages() {
        let found = match called.factory.says {
            Says::Interruption(..) => one_text(said(called, message)).filter(|_| !blocks(message).is_empty()),
            Says::Placeholders => blocks(message).first().and_then(|block| text(block, "content")),
            _ => one_text(said(called, message)),
        };
        // Content that is empty breaks another rule.
        if found != Some(right) && !is_empty(said(called, message)) {
            let found = said(called, message).unwrap_or(&Value::Null);
            let found = sentence!("it says {found}", found = in_short(found));
            report.add(Place::message(index), "other-text", found, sentence!("{right:?}", right));
        }
    }
    applies(!called.read.is_empty(), NOTHING_MADE)
}

/// A text, or that of the one text block of a list.
fn one_text(content: Option<&Value>) -> Option<&str> {
    match content? {
        Value::String(text) => Some(text),
        Value::Array(blocks) => match &blocks[..] {
            [block] => text_of(block),
            _ => None,
        },
        _ => None,
    }
}

/// Reports content that is not what was given, a text of the factory's own that is blank, and content of the wrong
/// form.
pub(super) fn given_content(called: &Called, index: usize, message: &Value, report: &mut Report<'_>) {
    let found = said(called, message).unwrap_or(&Value::Null);
    let wrong: Option<(&str, Sentence)> = match called.factory.says {
        _ if is_empty(Some(found)) => None,
        Says::AssistantContent if !found.is_array() => Some(("no-list", "a list of blocks".into())),
        Says::Own(_) => {
            one_text(Some(found)).is_none_or(is_blank).then(|| ("blank", "a text that is not blank".into()))
        }
        Says::UserContent | Says::AssistantContent | Says::Words(..) => {
            let given = given(called).filter(|given| !is_kept(called, given, found));
            given.map(|given| ("other-content", sentence!("{given}", given = in_short(given))))
        }
        Says::Nothing | Says::Interruption(..) | Says::Placeholders => None,
    };
    if let Some((kind, expected)) = wrong {
        let found = sentence!("it says {found}", found = in_short(found));
        report.add(Place::message(index), kind, found, expected);
    }
}

/// Whether the message holds what was given. A text of a user or an assistant may be one text block.
fn is_kept(called: &Called, given: &Value, found: &Value) -> bool {
    let is_block = matches!(called.factory.says, Says::UserContent | Says::AssistantContent);
    let is_one_block = || alike(found, &json!([{"type": "text", "text": given}]));
    alike(found, given) || is_block && given.is_string() && is_one_block()
}

pub(super) fn placeholders(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let called = case.called()?;
    applies(matches!(called.factory.says, Says::Placeholders), "no results are missing")?;
    let expected = unanswered(list(&called.arguments, "messages"));
    for ((index, message), (call, source)) in called.messages().zip(&expected) {
        let result = match blocks(message) {
            [block] if kind(block) == "tool_result" => block,
            _ => &Value::Null,
        };
        let answers = (text(result, "tool_use_id"), result.get("is_error"), text(message, "sourceToolAssistantUUID"));
        if answers != (Some(*call), Some(&Value::Bool(true)), *source) {
            let found = sentence!("it holds {message}", message = in_short(message));
            let expected = match source {
                Some(source) => {
                    sentence!("a failed result of the call {call:?} of {source:?}", call = *call, source = *source)
                }
                None => sentence!("a failed result of the call {call:?}, without a source", call = *call),
            };
            report.add(Place::message(index), "wrong-result", found, expected);
        }
    }
    let made = called.read.len();
    if made != expected.len() && called.missing.is_none() && case.answer.is_ok() {
        let found = sentence!("{made} placeholders are made", made);
        let calls = expected.iter().map(|(call, source)| match source {
            Some(source) => format!("{call} of {source}"),
            None => (*call).to_owned(),
        });
        let calls = calls.collect::<Vec<_>>().join(", ");
        let count = expected.len();
        report.whole("wrong-count", found, sentence!("{count}, one for each call that is open: {calls}", count, calls));
    }
    applies(case.answer.is_ok(), NOTHING_MADE)?;
    applies(!expected.is_empty() || made > 0, "each call has a result")
}
