//! A *split* gives each block a message of its own; these rules say that it loses nothing.

use crate::json::Value;

use super::parts::{Content, Part, contents};
use super::plain::{NO_OUTPUT, NOTHING, SEVERAL, is_spoken, shown};
use crate::rules::alike::{alike, canonical};
use crate::rules::value::{content, kind};
use crate::rules::{Applies, Place, Report, UiEvidence, applies};

pub(super) fn one_block(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let output = case.shown().map_err(|_| NO_OUTPUT)?;
    let mut spoken = 0;
    for (index, message) in output.iter().enumerate().filter(|(_, message)| is_spoken(message)) {
        spoken += 1;
        let found = match content(message) {
            Some(Value::Array(blocks)) if blocks.len() == 1 => continue,
            Some(Value::Array(blocks)) => format!("{} blocks", blocks.len()),
            other => format!("the content is {}", shown(other)),
        };
        report.old_add(Place::message(index), found, "a list with one block");
    }
    applies(spoken > 0, "the output has no user or assistant message")
}

pub(super) fn conserves(case: &UiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    match case.shown() {
        Err(why) => report.old_whole(why, "a list of messages"),
        Ok([]) if case.parts().len() >= SEVERAL => report.old_whole(NOTHING, "the messages of the input"),
        Ok(output) => {
            if let Some(at) = case.lost() {
                let in_words = |content: Option<&Content<'_>>| match content.map(Content::in_full) {
                    Some((Some(block), rest)) => format!("{} in {}", shown(Some(&block)), shown(Some(&rest))),
                    Some((None, message)) => shown(Some(&message)),
                    None => "nothing more".to_owned(),
                };
                let expected = in_words(case.parts().get(at).map(|part| &part.content));
                report.old_add(Place::message(at), in_words(contents(output).get(at)), expected);
            }
        }
    }
    applies(!case.parts().is_empty(), "the messages have no blocks")
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
                (is_alone, format!("a list with {} alone", canonical(id)))
            }
            None => {
                // What is no list counts as missing.
                (list.is_none_or(Vec::is_empty), "no ids of pasted images".to_owned())
            }
        };
        if !is_right {
            report.old_add(Place::message(index), shown(found), expected);
        }
    }
    applies(is_touched, "no message has ids of pasted images")
}
