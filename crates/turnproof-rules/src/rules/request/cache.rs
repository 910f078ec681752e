//! A *cache breakpoint* is a block with `cache_control`: up to it the host keeps what it has read.

use crate::json::Value;

use super::view::{Block, blocks_and_parts};
use crate::operation::{Host, Request};
use crate::rules::value::{is_blank, list, text};
use crate::rules::{Place, Report};

struct Breakpoint<'a> {
    place: Place,
    /// The path in errors about the breakpoint.
    path: String,
    control: &'a Value,
    /// The error, where it is on an empty text.
    on_empty: Option<String>,
}

pub(super) fn cache_breakpoints(request: &Request, host: Host, report: &mut Report<'_>) {
    let of_body = request.body.get("cache_control").is_some_and(|control| !control.is_null());
    if of_body && host != Host::Anthropic {
        let error = "cache_control: Extra inputs are not permitted";
        let (found, expected) = ("cache_control for the whole body", "cache_control on blocks only");
        report.predict(Place::Whole, "whole-body", found, expected, error);
    }
    let (mut count, mut fifth) = (usize::from(of_body), None);
    let mut was_short = false;
    for Breakpoint { place, path, control, on_empty } in breakpoints(request) {
        count += 1;
        if count == 5 {
            fifth = Some(place);
        }
        if let Some(error) = on_empty {
            let expected = "cache_control on a block that can be kept";
            report.predict(place, "empty-text", "cache_control on an empty text", expected, error);
        }
        let is_long = text(control, "ttl") == Some("1h");
        if is_long && was_short {
            let error = format!(
                "{path}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' \
                 cache_control block."
            );
            let found = "a breakpoint for an hour behind one for five minutes";
            report.predict(place, "wrong-order", found, "breakpoints for an hour first", error);
        }
        was_short |= !is_long;
    }
    if let Some(place) = fifth {
        let error = format!("A maximum of 4 blocks with cache_control may be provided. Found {count}.");
        report.predict(place, "too-many", sentence!("{count} cache breakpoints", count), "at most 4", error);
    }
}

/// All breakpoints, in the order of the request: tools, system, messages.
fn breakpoints(request: &Request) -> impl Iterator<Item = Breakpoint<'_>> {
    let outside = ["tools", "system"].into_iter().flat_map(|name| {
        let members = list(&request.body, name).iter().enumerate();
        members.filter_map(move |(index, value)| outside_messages(name, index, value))
    });
    outside.chain(blocks_and_parts(request).filter_map(inside_messages))
}

fn outside_messages<'a>(name: &str, index: usize, value: &'a Value) -> Option<Breakpoint<'a>> {
    let control = value.get("cache_control").filter(|control| !control.is_null())?;
    let path = format!("{name}.{index}");
    let is_empty = name == "system" && text(value, "text").is_some_and(is_blank);
    let on_empty = is_empty.then(|| on_empty_text(&path));
    Some(Breakpoint { place: Place::Whole, path, control, on_empty })
}

fn inside_messages(block: Block<'_>) -> Option<Breakpoint<'_>> {
    let control = block.given("cache_control")?;
    let path = block.path();
    let on_empty = match block.text() {
        Some(text) if is_blank(text) => Some(on_empty_text(&format!("{path}.text"))),
        _ => None,
    };
    Some(Breakpoint { place: block.place(), path, control, on_empty })
}

/// What a host says of a breakpoint on an empty text.
fn on_empty_text(path: &str) -> String {
    format!("{path}: cache_control cannot be set for empty text blocks")
}
