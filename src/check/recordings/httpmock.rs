//! Recordings of *httpmock*, for Rust: a document with `when` and `then` for each exchange. The host is not kept.

use serde_json::Value;

use super::document::{status, text};
use super::{Body, Endpoint, Recorded};

pub(super) fn exchange(one: &Value) -> Recorded {
    let reply = match text(one, "/then/body_base64") {
        Some(base64) => Body::base64(base64),
        None => Body::of(one.pointer("/then/body")),
    };
    Recorded {
        endpoint: text(one, "/when/path").and_then(Endpoint::of),
        status: status(one, "/then/status"),
        request: Body::of(one.pointer("/when/body").or_else(|| one.pointer("/when/json_body"))),
        reply,
    }
}
