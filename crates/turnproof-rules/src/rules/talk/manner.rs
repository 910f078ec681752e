//! Rules on how a program behaves: what it sends of a long conversation, how it asks again, and how it ends.

use crate::operation::{TalkEnd, TalkExchange, TalkMoment};
use crate::rules::value::text;
use crate::rules::{Place, Report, Severity};

pub(super) fn window(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(now) = moment.now else { return };
    let role = |one: &TalkExchange| one.request.messages.first().and_then(|turn| text(turn, "role")).map(str::to_owned);
    let began_with = |one: &&&TalkExchange| one.tools == now.tools && role(one).as_deref() == Some("user");
    if role(now).as_deref() == Some("assistant") && moment.before.iter().any(|one| began_with(&one)) {
        report.add(Place::message(0), "assistant", "what is kept begins with the assistant", "the user's words first");
    }
}

/// So often a request may fail before it is given up: the first time, and eleven retries.
const TRIES: usize = 12;

/// So many milliseconds a client may come too early.
const EARLY: u64 = 100;

/// Whether asking again may help.
fn may_be_retried(one: &TalkExchange) -> bool {
    match one.end {
        TalkEnd::Refused => matches!(one.status, 408 | 409 | 429 | 500..),
        _ => one.is_broken_off(),
    }
}

pub(super) fn retries(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    if moment.over.is_some() {
        gave_up(moment, report);
        return;
    }
    let Some(now) = moment.now else { return };
    let mut tries = moment.before.iter().rev().filter(|one| one.key == now.key).take_while(|one| may_be_retried(one));
    let failed = tries.clone().count();
    if failed == TRIES {
        let found = sentence!("a request that failed {failed} times is sent again", failed);
        report.add(Place::Whole, "for-ever", found, "an end of retries, and an error for the user");
    }
    let Some((last, wait)) = tries.next().and_then(|last| Some((last, last.retry_after?))) else { return };
    let waited = now.at.saturating_sub(last.at);
    if waited + EARLY < wait.saturating_mul(1000) {
        let found = sentence!("it is sent again after {waited} of {wait} seconds", waited = waited / 1000, wait);
        report.add(Place::Whole, "too-early", found, "the time that `retry-after` asks for");
    }
}

fn gave_up(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let Some(last) = moment.before.last().filter(|last| may_be_retried(last) && last.end != TalkEnd::Stalled) else {
        return;
    };
    if moment.before.iter().filter(|one| one.key == last.key).count() == 1 {
        let expected = "the request again, after a while";
        report.rate(Place::Whole, "gave-up", "it gives up at the first failure", expected, Severity::Warning);
    }
}

/// So many milliseconds may pass without an event before a client gives a stream up.
const SILENCE: u64 = 300_000;

pub(super) fn ends(moment: &TalkMoment<'_>, report: &mut Report<'_>) {
    let (Some(over), Some(last)) = (moment.over, moment.before.last()) else { return };
    let silent = over.at.saturating_sub(last.at);
    if last.end == TalkEnd::Stalled && silent > SILENCE {
        let found = sentence!("it waits for {seconds} seconds while nothing comes", seconds = silent / 1000);
        report.add(Place::Whole, "hangs", found, "an end of waiting after five minutes");
    }
    if over.failed && last.is_odd && last.is_whole() {
        // It may have failed for another reason.
        let found = "it fails, and its last answer had an event or a delta that it may not know";
        report.rate(Place::Whole, "dies", found, "events of tomorrow are left out", Severity::Warning);
    }
}
