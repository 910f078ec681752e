//! The *requests* that a validator is asked about beside those of the case: the examples of the rules, requests at the
//! border of a sentence, and requests about shapes.

use std::sync::LazyLock;

use crate::Depth;
use crate::json::Value;
use crate::operation::request::Host;
use crate::rules::Rule;

use super::shapes::shape_requests;
use super::structural;

/// Requests, one a line, each about one sentence of what is legal: at its border, or just beyond it.
const REQUESTS: &str = include_str!("requests.jsonl");

/// How many requests of each sort are asked about in a sample.
const SAMPLED_EXAMPLES: usize = 2;
const SAMPLED_LINES: usize = 6;
const SAMPLED_SHAPES: usize = 6;

/// A legal request with the example of a structural rule behind it, which half of the time has more turns behind it.
pub(super) fn behind(legal: &str, depth: Depth) -> impl Iterator<Item = (Host, String)> {
    let examples: Vec<&Rule> = structural().map(|(rule, _)| rule).collect();
    depth.asked(2 * examples.len() * Host::ALL.len(), SAMPLED_EXAMPLES).map(move |number| {
        let (rule, is_old) = (examples[number / 2 / Host::ALL.len()], number % 2 == 1);
        let request = joined(legal, &String::from_utf8_lossy(rule.example));
        let request = if is_old { joined(&request, following(&request)) } else { request };
        (Host::ALL[number / 2 % Host::ALL.len()], request)
    })
}

/// The requests at the border of a sentence, as JSON text.
pub fn requests() -> impl Iterator<Item = &'static str> {
    REQUESTS.lines()
}

/// Requests at the border of a sentence: alone for each host, and behind other turns or in front of them.
pub(super) fn lines(depth: Depth) -> impl Iterator<Item = (Host, String)> {
    static LINES: LazyLock<Vec<(Host, String)>> = LazyLock::new(|| {
        let alone = Host::ALL.map(|host| (host, Located::Alone));
        let places = [&alone[..], &[(Host::Portable, Located::Behind), (Host::Anthropic, Located::Before)]].concat();
        let placed = |(host, place)| requests().map(move |request| (host, placed(request, place)));
        places.into_iter().flat_map(placed).collect()
    });
    depth.asked(LINES.len(), SAMPLED_LINES).map(|number| LINES[number].clone())
}

/// Requests about shapes. Hosts differ in which blocks they have, so two of them are asked.
pub(super) fn shapes(depth: Depth) -> impl Iterator<Item = (Host, String)> {
    let shapes = shape_requests();
    let hosts = [Host::Portable, Host::Anthropic];
    depth.asked(shapes.len() * hosts.len(), SAMPLED_SHAPES).map(move |number| {
        let request = &shapes[number % shapes.len()];
        (hosts[number / shapes.len()], request.turns.clone())
    })
}

/// Where the turns of a request are.
#[derive(Clone, Copy)]
enum Located {
    Alone,
    Behind,
    Before,
}

/// A request with its turns in a place. A body is asked about as it is.
fn placed(request: &str, place: Located) -> String {
    match place {
        Located::Behind if request.starts_with('[') => joined(PRECEDING, request),
        Located::Before if request.starts_with('[') => joined(request, following(request)),
        _ => request.to_owned(),
    }
}

/// Turns that may come before an array of turns.
const PRECEDING: &str = r#"[{"role":"user","content":"e"},{"role":"assistant","content":"f"}]"#;

/// Two arrays of turns as one. They are joined as text: half of a surrogate pair is in no value.
fn joined(one: &str, other: &str) -> String {
    let inside = |array: &str| array.trim().trim_start_matches('[').trim_end_matches(']').trim().to_owned();
    let parts = [inside(one), inside(other)];
    format!("[{}]", parts.iter().filter(|part| !part.is_empty()).map(String::as_str).collect::<Vec<_>>().join(","))
}

/// Turns that may follow an array of turns: so what is wrong is not the newest.
fn following(array: &str) -> &'static str {
    let turns: Vec<Value> = serde_json::from_str(array).unwrap_or_default();
    match turns.last().and_then(|turn| turn["role"].as_str()) {
        Some("user") => r#"[{"role":"assistant","content":"c"},{"role":"user","content":"d"}]"#,
        _ => r#"[{"role":"user","content":"b"},{"role":"assistant","content":"c"},{"role":"user","content":"d"}]"#,
    }
}
