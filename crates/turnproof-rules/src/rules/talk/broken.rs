//! Rules on replies that broke off: what was said to its end may be kept, and half a block may not.

use crate::json::Value;
use crate::operation::history::Piece;
use crate::operation::talk::{Answered, name_of, squeezed};
use crate::operation::{TalkEnd, TalkExchange, TalkMoment};
use crate::rules::value::{kind, list, text};
use crate::rules::{Place, Report};

use super::{place, place_of};

fn broken_off<'p, 'a>(answered: &'p Answered<'a>) -> impl Iterator<Item = &'a TalkExchange> + use<'p, 'a> {
    answered.tries.iter().copied().filter(|one| one.is_broken_off())
}

pub(super) fn cut_call(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(answered) = &moment.continued else { return };
    let open =
        broken_off(answered).filter_map(|one| one.open.as_ref()).filter(|block| kind(block).ends_with("tool_use"));
    for id in open.filter_map(name_of) {
        let is_whole = answered.whole.is_some_and(|whole| whole.said.iter().any(|block| name_of(block) == Some(id)));
        let is_it = |piece: &&Piece<'_>| piece.is_call() && name_of(piece.value) == Some(id);
        if let Some(piece) = answered.run.iter().chain(&answered.rest).find(is_it).filter(|_| !is_whole) {
            let found = sentence!("the call {id} was cut off, and comes back as a whole one", id);
            report.add(place(piece), "cut", found, "no call before its block has ended");
        }
    }
}

/// The text of a try, without blanks: what was said to its end, and half a block behind it.
fn text_of(one: &TalkExchange) -> String {
    squeezed(one.said.iter().chain(&one.open).filter_map(|block| text(block, "text")))
}

pub(super) fn retry_joined(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(answered) = &moment.continued else { return };
    let Some(whole) = answered.whole else { return };
    let (is, said) = (answered.text(), text_of(whole));
    let names = |one: &TalkExchange| one.said.iter().filter_map(name_of).map(str::to_owned).collect::<Vec<_>>();
    let kept = names(whole);
    for one in broken_off(answered) {
        let half = text_of(one);
        let has_both =
            !said.is_empty() && !half.is_empty() && is.contains(&said) && is.replacen(&said, "", 1).contains(&half);
        let has_name = |piece: &&Piece<'_>| {
            let name = name_of(piece.value).unwrap_or_default();
            !kept.iter().any(|known| known == name) && names(one).iter().any(|known| known == name)
        };
        let named = answered.run.iter().find(has_name);
        let is_back = !said.is_empty() && is.contains(&said)
            || answered
                .run
                .iter()
                .any(|piece| name_of(piece.value).is_some_and(|name| kept.iter().any(|known| known == name)));
        if has_both || named.is_some() && is_back {
            let at = named.map_or_else(|| place_of(&answered.run), place);
            report.add(at, "both", "a try that broke off comes back beside its retry", "one try, and nothing twice");
            return;
        }
    }
}

pub(super) fn half(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(answered) = moment.continued.as_ref().filter(|answered| answered.whole.is_none()) else { return };
    let is = answered.text();
    for one in broken_off(answered) {
        let Some(open) = one.open.as_ref() else { continue };
        let half = squeezed(text(open, "text").into_iter());
        let thought = text(open, "thinking").unwrap_or_default();
        let is_thought = |piece: &&Piece<'_>| !thought.is_empty() && text(piece.value, "thinking") == Some(thought);
        let kind = if one.end == TalkEnd::Error { "error" } else { "cut" };
        if let Some(piece) = answered.run.iter().find(is_thought) {
            report.add(
                place(piece),
                kind,
                "half a thought comes back as a whole one",
                "the request again, or no reply",
            );
        } else if !half.is_empty() && is.contains(&half) {
            let at = place_of(&answered.run);
            report.add(at, kind, "half a text comes back as a whole reply", "the request again, or no reply");
        }
    }
}

pub(super) fn empty_reply(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(now) = moment.now else { return };
    let nothing = |turn: &Value| match turn.get("content") {
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(blocks)) => blocks.is_empty(),
        _ => false,
    };
    let is_empty = |turn: &&Value| text(turn, "role") == Some("assistant") && nothing(turn);
    let Some(at) = now.request.messages.iter().position(|turn| is_empty(&turn)) else { return };
    if moment.before.iter().any(|earlier| earlier.request.messages.iter().any(|turn| is_empty(&turn))) {
        return;
    }
    let is_cut = moment.before.iter().any(|earlier| earlier.opening == now.opening && earlier.is_broken_off());
    let kind = if is_cut { "cut" } else { "empty" };
    let blocks = list(&now.request.messages[at], "content").len();
    let found = sentence!("a reply of which nothing came is a turn of {blocks} blocks", blocks);
    report.add(Place::message(at), kind, found, "no turn where nothing was said");
}
