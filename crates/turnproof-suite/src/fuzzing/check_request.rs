//! `check_request`: any bytes, judged as a request.

use crate::operation::{Host, Request, Value};
use crate::rules::{CATALOGUE, Judge};
use crate::subject::Subject;
use crate::suite::Depth;

use super::mutate::Shape;
use super::{Law, Target};

/// Any bytes to a verdict.
pub const CHECK_REQUEST: Target = Target {
    name: "check_request",
    title: "any text that is a request gets a verdict, the same each time; what the strictest profile accepts, \
            every host accepts, and its turns alternate",
    law: Law::Bytes(check_request),
    shape: Some(Shape::Request),
};

fn check_request(_subject: &dyn Subject, bytes: &[u8], _depth: Depth) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(request) = Request::read(text) else { return };
    let portable = broken(&request, Host::Portable);
    assert!(portable == broken(&request, Host::Portable), "a verdict is the same each time: it is not");
    if portable.is_empty() {
        for host in Host::ALL {
            let more = broken(&request, host);
            assert!(more.is_empty(), "what the strictest accepts, every host accepts: {host:?} says {more:?}");
        }
        hold_accepted(&request);
    }
}

fn broken(request: &Request, host: Host) -> Vec<(&'static str, String)> {
    let mut broken = Vec::new();
    for rule in CATALOGUE.iter() {
        if let Judge::Request { judge, .. } = rule.judge {
            judge(request, host, &mut |violation| broken.push((rule.id, violation.place.to_string())));
        }
    }
    broken
}

/// Holds a request that the strictest host accepts to what the rules say together, said once more and plainly: its
/// turns alternate and say something, and its calls are answered. It panics when that does not hold.
pub fn hold_accepted(request: &Request) {
    turns_alternate(request);
    calls_are_answered(request);
}

fn turns_alternate(request: &Request) {
    for (index, turn) in request.messages.iter().enumerate() {
        let wanted = if index % 2 == 0 { "user" } else { "assistant" };
        let role = &turn["role"];
        assert!(role == wanted, "accepted turns alternate: turn {index} is {role}");
        let content = &turn["content"];
        let is_empty = content.as_str().is_some_and(str::is_empty);
        assert!(!is_empty, "accepted turns are not empty: turn {index} is");
    }
}

/// Each call of an accepted request has its result in the next turn, but for one that is under way at the end.
fn calls_are_answered(request: &Request) {
    for pair in request.messages.windows(2) {
        let blocks = |turn: usize| pair[turn]["content"].as_array().map_or(&[][..], Vec::as_slice);
        for call in blocks(0).iter().filter(|block| block["type"] == "tool_use") {
            let is_answer = |block: &&Value| block["type"] == "tool_result" && block["tool_use_id"] == call["id"];
            let answers = blocks(1).iter().filter(is_answer).count();
            assert!(answers == 1, "accepted calls have one result: {} has {answers}", call["id"]);
        }
    }
}
