//! The *strip* of requests: a bar for each request that a session notes, as high as it is large, and filled as far as
//! it was cached.

use maud::{Markup, html};
use turnproof_reference::sent::{Sent, SentRequest, Weight};
use turnproof_suite::table::{count, size};

use super::row::{Rows, in_short};
use crate::report::html::text::{glance, words};
use crate::report::html::{aside, table};

/// So many requests are shown: the last ones.
const SHOWN: usize = 400;

/// So many refused requests are listed.
const REFUSED: usize = 20;

/// A request on the strip.
struct Bar<'a> {
    number: usize,
    request: &'a SentRequest,
    weight: Option<Weight>,
}

/// The requests of a session, where it notes some.
pub(super) fn section(sent: &Sent, rows: &Rows<'_>) -> Markup {
    let all = sent.requests();
    let from = all.len().saturating_sub(SHOWN);
    let weights = sent.weights(from);
    let bar = |(at, (request, weight))| Bar { number: from + at + 1, request, weight };
    let bars: Vec<Bar<'_>> = all[from..].iter().zip(weights).enumerate().map(bar).collect();
    let largest = bars.iter().filter_map(|bar| Some(bar.weight?.bytes)).max().unwrap_or(1).max(1);
    let refused = || bars.iter().filter(|bar| bar.request.refused.is_some());
    html! {
        section #requests {
            h2 { "The requests" }
            p.quiet {
                (size(all.len() as u64, "request")) " that the session notes, in their order. A bar is as high as the \
                 request is large, and filled as far as it was read from the cache; where the reply says nothing of a \
                 cache, as far as it begins as the request before. An orange one does not begin with all of \
                 the one before; a red one was refused."
            }
            @if from > 0 { p.quiet { "The last " (count(SHOWN as u64)) " are shown." } }
            ol.strip { @for one in &bars { (drawn(one, largest)) } }
            @if let (Some(first), Some(last)) = (bars.first(), bars.last()) {
                p.strip-ends { "from " (time(first)) " to " (time(last)) }
            }
            ul.refusals {
                @for one in refused().take(REFUSED) { (refusal(one, rows)) }
            }
            @if refused().count() > REFUSED {
                p.quiet { "… and " (count((refused().count() - REFUSED) as u64)) " more that were refused" }
            }
            (aside("Each request", &listed(&bars, rows)))
        }
    }
}

fn time(bar: &Bar<'_>) -> Markup {
    glance(&in_short(&bar.request.timestamp))
}

/// A bar. Its height and its filled part are in percent.
fn drawn(bar: &Bar<'_>, largest: u64) -> Markup {
    let height = bar.weight.map_or(2, |weight| percent(weight.bytes, largest).max(2));
    let cached = cached(bar).unwrap_or(0);
    let is_refused = bar.request.refused.is_some();
    let class = match (is_refused, bar.weight.and_then(|weight| weight.same.filter(|_| !weight.is_continued))) {
        (true, _) => Some("refused"),
        (false, Some(_)) => Some("broken-off"),
        (false, None) => None,
    };
    let says = said(bar).join(", ");
    html! { li class=[class] style={ "--high:" (height) ";--cached:" (cached) } title=(says) {} }
}

/// What is said of a request: its number, its size, and how much of it was cached.
fn said(bar: &Bar<'_>) -> Vec<String> {
    let mut said = vec![format!("request {}", count(bar.number as u64))];
    let day = in_short(&bar.request.timestamp);
    said.extend(day.is_ascii().then_some(day).filter(|day| !day.chars().any(|character| character.is_control())));
    said.push(bar.weight.map_or_else(|| "of unknown size".to_owned(), |weight| size(weight.bytes, "byte")));
    said.extend(cached(bar).map(|percent| format!("{percent} % cached")));
    if bar.request.refused.is_some() {
        said.push("refused".to_owned());
    }
    said
}

/// How much was cached, in percent: as the reply says, or else what is as before.
fn cached(bar: &Bar<'_>) -> Option<u64> {
    let tokens = bar.request.prompt_tokens.filter(|tokens| tokens.read > 0 || tokens.cached > 0);
    let as_before = || bar.weight.and_then(|weight| Some(percent(weight.same?, weight.bytes)));
    tokens.map(|tokens| percent(tokens.read, tokens.all())).or_else(as_before)
}

/// A share in percent, rounded down.
fn percent(part: u64, whole: u64) -> u64 {
    (u128::from(part) * 100).checked_div(u128::from(whole)).unwrap_or(0).min(100) as u64
}

fn refusal(bar: &Bar<'_>, rows: &Rows<'_>) -> Markup {
    html! {
        @if let Some(refused) = &bar.request.refused {
            li {
                (rows.line_link(refused.line)) " request " (count(bar.number as u64)) " was refused"
                @if let Some(status) = refused.status { " (" (status) ")" } ": " (words(&refused.words))
            }
        }
    }
}

/// All that is known of each request.
fn listed(bars: &[Bar<'_>], rows: &Rows<'_>) -> Markup {
    let head = ["request", "time", "model", "#turns", "#bytes", "as before", "#tokens", "#from the cache", ""];
    let cells = |bar: &Bar<'_>| {
        let tokens = bar.request.prompt_tokens;
        let number = |number: Option<u64>| html! { @if let Some(number) = number { (count(number)) } };
        vec![
            html! { (rows.line_link_as(bar.request.line, &count(bar.number as u64))) },
            time(bar),
            glance(&bar.request.model),
            number(bar.request.turns()),
            number(bar.weight.map(|weight| weight.bytes)),
            as_before(bar.weight),
            number(tokens.map(|tokens| tokens.all())),
            number(tokens.map(|tokens| tokens.read)),
            html! { @if let Some(agent) = &bar.request.agent { "subagent " (glance(agent)) " " }
            @if bar.request.refused.is_some() { b { "refused" } } },
        ]
    };
    table("", &head, bars.iter().map(cells))
}

/// How far a request begins as the one before it.
fn as_before(weight: Option<Weight>) -> Markup {
    let share = weight.and_then(|weight| Some((percent(weight.same?, weight.bytes), weight.is_continued)));
    html! {
        @if let Some((share, is_continued)) = share {
            (share) " %" @if !is_continued { ", not all of it" }
        }
    }
}
