//! Cassettes of *vcrpy*: `interactions`, whose requests have a `uri`. Some projects keep a `parsed_body`, so that people
//! can read it.

use serde_json::Value;

use super::document::{status, text};
use super::{Body, Endpoint, Recorded};

pub(super) fn exchange(one: &Value) -> Recorded {
    let body = |of: &str| {
        let at = |name: &str| one.pointer(&format!("/{of}/{name}")).filter(|value| !value.is_null());
        Body::of(at("body").or_else(|| at("parsed_body")))
    };
    Recorded {
        endpoint: text(one, "/request/uri").and_then(Endpoint::of),
        status: status(one, "/response/status/code").or_else(|| status(one, "/response/status_code")),
        request: body("request"),
        reply: match body("response") {
            Body::Absent => Body::of(one.pointer("/response/content")),
            body => body,
        },
    }
}
