//! Cassettes of *VCR*, for Ruby and for R: `http_interactions`, whose bodies have an encoding and a `string` or a
//! `base64_string`. R writes the status as a number, or as `status_code`.

use serde_json::Value;

use super::document::{status, text};
use super::{Body, Endpoint, Recorded};

pub(super) fn exchange(one: &Value) -> Recorded {
    let statuses = ["/response/status", "/response/status/code", "/response/status/status_code"];
    Recorded {
        endpoint: text(one, "/request/uri").and_then(Endpoint::of),
        status: statuses.into_iter().find_map(|pointer| status(one, pointer)),
        request: Body::of(one.pointer("/request/body")),
        reply: Body::of(one.pointer("/response/body")),
    }
}
