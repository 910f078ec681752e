//! Cassettes of *go-vcr*: `interactions`, whose requests have a `url`. All its versions have the members that are read.

use serde_json::Value;

use super::document::{status, text};
use super::{Body, Endpoint, Recorded};

pub(super) fn exchange(one: &Value) -> Recorded {
    Recorded {
        endpoint: text(one, "/request/url").and_then(Endpoint::of),
        status: status(one, "/response/code").or_else(|| status(one, "/response/status")),
        request: Body::of(one.pointer("/request/body")),
        reply: Body::of(one.pointer("/response/body")),
    }
}
