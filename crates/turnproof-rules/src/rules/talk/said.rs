//! Rules on what the model said to its end: it comes back the same, once, in its order, and nothing else does.

use std::collections::HashSet;

use crate::json::Value;
use crate::operation::TalkMoment;
use crate::operation::history::Piece;
use crate::operation::talk::{Answered, name_of, squeezed};
use crate::rules::value::{kind, list, text};
use crate::rules::{Report, Severity};

use super::{place, place_of};

/// The thinking and the calls that were said, each with what comes back under its name. Of two under one name each has
/// its own.
fn pairs<'p, 'a>(
    answered: &'p Answered<'a>,
    said: &'p [Value],
) -> impl Iterator<Item = (&'p Value, Option<&'p Piece<'a>>)> {
    let mut taken: HashSet<usize> = HashSet::new();
    let of = move |block: &'p Value| {
        let name = name_of(block);
        let has = |piece: &Piece<'_>| name.is_some() && piece.kind == kind(block) && name_of(piece.value) == name;
        let mut pieces = answered.run.iter().chain(&answered.rest).enumerate();
        let found = pieces.find(|(at, piece)| has(piece) && !taken.contains(at));
        taken.extend(found.map(|(at, _)| at));
        (block, found.map(|(_, piece)| piece))
    };
    said.iter().map(of)
}

pub(super) fn changed(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(answered) = &moment.continued else { return };
    let Some(whole) = answered.whole else { return };
    for (block, piece) in pairs(answered, &whole.said) {
        let Some(piece) = piece else { continue };
        let same = |name: &str| same(block.get(name), piece.value.get(name));
        match kind(block) {
            "thinking" if !same("thinking") => {
                report.add(place(piece), "thinking", "thinking has another text than was said", "thinking to the byte");
            }
            // What is half there is not compared; some clients give it a name of their own.
            "tool_use" if is_last_of_cut(whole, block) => {}
            "tool_use" if !same("name") => {
                report.add(place(piece), "name", "a call has another name than was said", "the call as it was said");
            }
            "tool_use" if block.get("input").is_some_and(Value::is_object) && !same("input") => {
                report.add(place(piece), "input", "a call has another input than was said", "the call as it was said");
            }
            _ => {}
        }
    }
    let thoughts = |block: &&Value| kind(block) == "thinking";
    for block in whole.said.iter().filter(thoughts) {
        let has_text = |piece: &&Piece<'_>| {
            let said = text(block, "thinking").filter(|said| !said.is_empty());
            piece.kind == "thinking" && said.is_some() && text(piece.value, "thinking") == said
        };
        let known = |piece: &Piece<'_>| whole.said.iter().any(|one| name_of(one) == name_of(piece.value));
        if let Some(piece) = answered.run.iter().find(has_text).filter(|piece| !known(piece)) {
            report.add(
                place(piece),
                "signature",
                "thinking has another signature than was said",
                "thinking to the byte",
            );
        }
    }
    let (was, is) = (squeezed(texts(&whole.said)), answered.text());
    if !was.is_empty() && !is.is_empty() && !is.contains(&was) {
        report.add(place_of(&answered.run), "text", "the reply says something else than was said", "what was said");
    }
}

fn texts(blocks: &[Value]) -> impl Iterator<Item = &str> {
    blocks.iter().filter(|block| kind(block) == "text").filter_map(|block| text(block, "text"))
}

/// Whether two values are the same as JSON. Numbers are the same where they are equal, however they are written.
fn same(one: Option<&Value>, other: Option<&Value>) -> bool {
    match (one, other) {
        (Some(Value::Number(one)), Some(Value::Number(other))) => {
            one == other || one.to_string().parse::<f64>().ok() == other.to_string().parse::<f64>().ok()
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(Some(one), Some(other)))
        }
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            one.len() == other.len() && one.iter().all(|(name, value)| same(Some(value), other.get(name)))
        }
        (one, other) => one == other,
    }
}

/// Whether a call is the last thing said before the tokens ran out, so that its input may be half there.
fn is_last_of_cut(whole: &crate::operation::TalkExchange, block: &Value) -> bool {
    let is_cut = matches!(whole.stop.as_str(), "max_tokens" | "model_context_window_exceeded" | "refusal");
    is_cut && whole.said.last() == Some(block)
}

pub(super) fn lost(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(answered) = &moment.continued else { return };
    // What was said before a refusal may be left out.
    let Some(whole) = answered.whole.filter(|whole| whole.stop != "refusal") else { return };
    let at = place_of(if answered.run.is_empty() { &answered.rest } else { &answered.run });
    let all = "the reply as it was said";
    for (block, piece) in pairs(answered, &whole.said) {
        let is_renamed = || answered.run.iter().any(|piece| is_renamed(moment, block, piece));
        if kind(block) == "tool_use" && piece.is_none() && !is_last_of_cut(whole, block) && !is_renamed() {
            let id = text(block, "id").unwrap_or_default();
            report.add(at, "call", sentence!("the call {id} does not come back", id), all);
        }
    }
    let has_text = answered.run.iter().chain(&answered.rest).any(|piece| piece.is_assistant() && piece.kind == "text");
    if !has_text && !squeezed(texts(&whole.said)).is_empty() {
        report.add(at, "text", "the text of the reply does not come back", all);
    }
}

pub(super) fn thinking_kept(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(answered) = &moment.continued else { return };
    let Some(whole) = answered.whole else { return };
    let thoughts: Vec<_> =
        pairs(answered, &whole.said).filter(|(block, _)| kind(block).ends_with("thinking")).collect();
    let missing = thoughts.iter().filter(|(block, piece)| piece.is_none() && name_of(block).is_some()).count();
    if missing == 0 {
        return;
    }
    // A block with another signature is changed, and not lost.
    let back = answered.run.iter().filter(|piece| piece.is_thinking()).count();
    if back >= thoughts.len() {
        return;
    }
    let is_called = whole.calls().next().is_some();
    let thinks = moment.now.is_some_and(|now| {
        let kind = now.request.body.pointer("/thinking/type").and_then(Value::as_str);
        matches!(kind, Some("enabled" | "adaptive"))
    });
    let severity = if is_called && thinks { Severity::Error } else { Severity::Info };
    let found = sentence!("{missing} blocks of thinking do not come back", missing);
    report.rate(place_of(&answered.run), "dropped", found, "thinking beside its calls", severity);
}

pub(super) fn invented(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(answered) = &moment.continued else { return };
    let said = || answered.tries.iter().flat_map(|one| one.said.iter().chain(&one.open));
    // Who asks to go on with a reply that was cut off may join the rest to it.
    let is_of_another = |name: Option<&str>| {
        let mut all = moment.before.iter().flat_map(|one| &one.said);
        name.is_some() && all.any(|block| name_of(block) == name)
    };
    for piece in &answered.run {
        let name = name_of(piece.value);
        let is_known = said().any(|block| name_of(block) == name || is_renamed(moment, block, piece));
        match () {
            () if is_known => {}
            () if is_of_another(name) => {}
            () if piece.kind == "tool_use" => {
                report.add(place(piece), "call", "a call comes back that nobody made", "what was said");
            }
            () if piece.is_thinking() && piece.signature().is_some() && !is_resigned(piece, answered) => {
                report.add(place(piece), "thinking", "thinking comes back that nobody thought", "what was said");
            }
            () => {}
        }
    }
    let has_text = said().any(|block| kind(block) == "text");
    if !has_text && !answered.text().is_empty() {
        let severity = Severity::Warning;
        report.rate(place_of(&answered.run), "text", "a text comes back that nobody said", "what was said", severity);
    }
}

/// Whether a call that was said under an id that the API does not take comes back as it was, under another one. It takes
/// no id that another call has.
fn is_renamed(moment: &TalkMoment<'_>, block: &Value, piece: &Piece<'_>) -> bool {
    let is_call = |value: &Value| kind(value) == "tool_use";
    let is_same = |name: &str| same(block.get(name), piece.value.get(name));
    if !is_call(block) || !is_call(piece.value) || !is_same("name") || !is_same("input") {
        return false;
    }
    let calls = || moment.before.iter().flat_map(|one| one.calls());
    text(block, "id").is_none_or(|id| {
        !turnproof_format::is_call_id(id) || calls().filter(|call| name_of(call) == Some(id)).nth(1).is_some()
    })
}

/// Whether thinking was said under another signature.
fn is_resigned(piece: &Piece<'_>, answered: &Answered<'_>) -> bool {
    let thought = text(piece.value, "thinking");
    answered.tries.iter().any(|one| one.said.iter().any(|block| text(block, "thinking") == thought))
}

pub(super) fn order(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(answered) = &moment.continued else { return };
    let Some(whole) = answered.whole else { return };
    let place_in_run = |block: &Value| {
        let is_same = |piece: &Piece<'_>| match kind(block) {
            "text" => piece.kind == "text" && piece.text().trim() == text(block, "text").unwrap_or_default().trim(),
            _ => name_of(block).is_some() && name_of(piece.value) == name_of(block),
        };
        answered.run.iter().position(is_same)
    };
    let places: Vec<usize> = whole.said.iter().filter_map(place_in_run).collect();
    if let Some(pair) = places.windows(2).find(|pair| pair[0] > pair[1]) {
        let at = place(&answered.run[pair[1]]);
        report.add(at, "moved", "blocks of the reply come back in another order", "the order in which they were said");
    }
}

pub(super) fn split(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let (Some(answered), Some(now)) = (&moment.continued, moment.now) else { return };
    let Some(whole) = answered.whole else { return };
    let is_of_reply = |piece: &&Piece<'_>| {
        piece.is_assistant()
            && name_of(piece.value).is_some_and(|name| whole.calls().any(|call| name_of(call) == Some(name)))
    };
    if let Some(piece) = answered.rest.iter().find(is_of_reply) {
        let between =
            now.request.messages.get(piece.turn.saturating_sub(1)).map_or(0, |turn| list(turn, "content").len());
        let found = sentence!("a turn of {between} blocks splits the reply", between);
        report.add(place(piece), "split", found, "one reply in one turn");
    }
}
