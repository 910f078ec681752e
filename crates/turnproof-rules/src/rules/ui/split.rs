//! A *split* gives each block a message of its own; these rules say that it loses nothing.

use crate::json::Value;

use super::parts::{Content, Part, contents};
use super::plain::{NO_OUTPUT, NOTHING, SEVERAL, is_spoken, shown};
use crate::rules::alike::alike;
use crate::rules::value::{content, kind};
use crate::rules::{Applies, Place, Report, Sentence, UiEvidence, applies};

pub(super) fn one_block(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let output = case.shown().map_err(|_| NO_OUTPUT)?;
    let mut spoken = 0;
    for (index, message) in output.iter().enumerate().filter(|(_, message)| is_spoken(message)) {
        spoken += 1;
        let (kind, found) = match content(message) {
            Some(Value::Array(blocks)) if blocks.len() == 1 => continue,
            Some(Value::Array(blocks)) => ("wrong-count", sentence!("{count} blocks", count = blocks.len())),
            None => ("missing", "the content is nothing".into()),
            other => ("no-list", sentence!("the content is {content}", content = shown(other))),
        };
        report.add(Place::message(index), kind, found, "a list with one block");
    }
    applies(spoken > 0, "the output has no user or assistant message")
}

pub(super) fn conserves(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    match case.shown() {
        Err((kind, why)) => report.whole(kind, why, "a list of messages"),
        Ok([]) if case.parts().len() >= SEVERAL => report.whole("says-nothing", NOTHING, "the messages of the input"),
        Ok(output) => {
            if let Some(at) = case.lost() {
                let contents = contents(output);
                let (found, expected) = (contents.get(at), case.parts().get(at).map(|part| &part.content));
                let kind = match (found, expected) {
                    (None, _) => "missing",
                    (_, None) => "extra",
                    _ => "changed",
                };
                report.add(Place::message(at), kind, in_words(found), in_words(expected));
            }
        }
    }
    applies(!case.parts().is_empty(), "the messages have no blocks")
}

fn in_words(content: Option<&Content<'_>>) -> Sentence {
    match content.map(Content::in_full) {
        Some((Some(block), rest)) => {
            sentence!("{block} in {message}", block = shown(Some(&block)), message = shown(Some(&rest)))
        }
        Some((None, message)) => sentence!("{message}", message = shown(Some(&message))),
        None => "nothing more".into(),
    }
}

/// The parts that an output must hold, each with the message that holds it. An `Err` says that the output holds
/// something else, which other rules report.
pub(super) fn paired<'e, 'a>(
    case: &'e UiEvidence<'a>,
) -> Result<impl Iterator<Item = (&'e Part<'a>, &'a Value)> + Clone, &'static str> {
    let (parts, output) = (case.parts(), case.shown().unwrap_or_default());
    let is_same = case.shown().is_ok() && parts.len() == output.len() && case.lost().is_none();
    applies(is_same, "the output is not one message for each block of the input")?;
    Ok(parts.iter().zip(output))
}

pub(super) fn paste_ids(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let pairs = paired(case)?;
    let has_ids = |message: &Value| kind(message) == "user" && message.get("imagePasteIds").is_some();
    let is_touched =
        case.input().iter().any(|message| has_ids(message)) || pairs.clone().any(|(_, message)| has_ids(message));
    for (index, (part, message)) in pairs.enumerate().filter(|(_, (_, message))| kind(message) == "user") {
        let found = message.get("imagePasteIds");
        let list = found.and_then(Value::as_array);
        let (is_right, expected) = match &part.paste_id {
            Some(id) => {
                let is_alone = list.is_some_and(|list| matches!(&list[..], [one] if alike(one, id)));
                (is_alone, sentence!("a list with {id} alone", id = id.to_string()))
            }
            None => {
                // What is no list counts as missing.
                (list.is_none_or(Vec::is_empty), "no ids of pasted images".into())
            }
        };
        if !is_right {
            let kind = match (found, &part.paste_id) {
                (None, _) => "missing",
                (_, None) => "extra",
                _ => "wrong-id",
            };
            report.add(Place::message(index), kind, sentence!("{found}", found = shown(found)), expected);
        }
    }
    applies(is_touched, "no message has ids of pasted images")
}
