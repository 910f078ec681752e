//! Rules on calls and their results.

use crate::operation::TalkMoment;
use crate::operation::talk::{name_of, results};
use crate::rules::value::{is_true, kind, list, text};
use crate::rules::{Place, Report, Severity};

use super::place_of;

pub(super) fn result(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let (Some(answered), Some(now)) = (&moment.continued, moment.now) else { return };
    let Some(whole) = answered.whole else { return };
    let comes_back =
        |id: &str| answered.run.iter().any(|piece| piece.kind == "tool_use" && name_of(piece.value) == Some(id));
    for id in whole.calls().filter_map(name_of).filter(|id| comes_back(id)) {
        let of_call: Vec<_> = results(&now.request).filter(|(_, _, of, _)| *of == id).collect();
        let expected = "one result for each call";
        match of_call.as_slice() {
            [] => {
                let found = sentence!("the call {id} has no result", id);
                report.add(place_of(&answered.run), "missing", found, expected);
            }
            [_] => {}
            [_, (turn, block, ..), ..] => {
                let found = sentence!("the call {id} has a second result", id);
                report.add(Place::block(*turn, Some(*block)), "twice", found, expected);
            }
        }
    }
    let calls = || {
        let of_turns = now.request.messages.iter().flat_map(|turn| list(turn, "content"));
        of_turns.filter(|block| kind(block) == "tool_use").filter_map(name_of)
    };
    let first = answered.rest.first().map_or(usize::MAX, |piece| piece.turn);
    for (turn, block, id, _) in results(&now.request).filter(|(turn, ..)| *turn >= first) {
        if !calls().any(|known| known == id) {
            let found = sentence!("a result is of the call {id}, which nobody made", id);
            report.add(Place::block(turn, Some(block)), "of-no-call", found, "the id of a call that was made");
        }
    }
}

pub(super) fn is_error(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let (Some(answered), Some(now)) = (&moment.continued, moment.now) else { return };
    let Some(base) = answered.tries.last() else { return };
    let mut before: Vec<_> =
        results(&base.request).map(|(_, _, id, result)| (id, is_true(result, "is_error"))).collect();
    before.sort_unstable();
    for (turn, block, id, result) in results(&now.request) {
        let at = before.binary_search_by_key(&id, |(id, _)| *id).ok();
        let was = at.and_then(|at| before.get(at)).map(|(_, was)| *was);
        let is = is_true(result, "is_error");
        match was {
            Some(true) if !is => {
                let found = sentence!("the result of {id} was an error, and is none any more", id);
                report.add(Place::block(turn, Some(block)), "lost", found, "`is_error` as it was sent first");
            }
            Some(false) if is => {
                let found = sentence!("the result of {id} was no error, and is one now", id);
                report.add(Place::block(turn, Some(block)), "gained", found, "`is_error` as it was sent first");
            }
            _ => {}
        }
        let call = answered.whole.and_then(|whole| whole.calls().find(|call| name_of(call) == Some(id)));
        let name = call.and_then(|call| text(call, "name"));
        let is_declared =
            |name: &str| list(&base.request.body, "tools").iter().any(|tool| text(tool, "name") == Some(name));
        if let Some(name) = name.filter(|name| !is && !is_declared(name)) {
            let found = sentence!("the result of {name}, a tool that is not declared, is no error", name);
            let at = Place::block(turn, Some(block));
            report.rate(at, "undeclared", found, "`is_error` where there is no such tool", Severity::Warning);
        }
    }
}
