//! *HAR*, as browsers and proxies write it, and as Polly.js does: `log.entries`.
//!
//! Polly keeps what was compressed as a list of pieces in base64, written as JSON into the text.

use serde_json::Value;

use super::document::{status, text};
use super::{Body, Endpoint, Recorded};

pub(super) fn exchange(entry: &Value) -> Recorded {
    Recorded {
        endpoint: text(entry, "/request/url").and_then(Endpoint::of),
        status: status(entry, "/response/status"),
        request: text(entry, "/request/postData/text").map_or(Body::Absent, Body::text),
        reply: reply(entry),
    }
}

fn reply(entry: &Value) -> Body {
    let Some(content) = text(entry, "/response/content/text") else { return Body::Absent };
    let is_base64 = text(entry, "/response/content/encoding") == Some("base64");
    match serde_json::from_str::<Vec<String>>(content) {
        Ok(pieces) if is_base64 => Body::base64(&pieces.concat()),
        _ if is_base64 => Body::base64(content),
        _ => Body::text(content),
    }
}
