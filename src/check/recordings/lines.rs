//! *Plain* recordings, an object for each exchange: `request` is the body, or has one beside its `url`.
//!
//! Logs of proxies have the second form. `response` is JSON or has a `body`; `stream` is the text of a stream.

use serde_json::Value;

use super::document::{status, text};
use super::{Body, Endpoint, Recorded};

/// Whether an object is an exchange.
pub(super) fn is_exchange(one: &Value) -> bool {
    one.get("request").is_some_and(Value::is_object)
        && ["status", "response", "stream"].iter().any(|name| one.get(name).is_some())
}

pub(super) fn exchange(one: &Value) -> Recorded {
    let at = |pointer: &str| one.pointer(pointer).filter(|value| !value.is_null());
    let url = ["/request/url", "/request/uri", "/url", "/uri"].into_iter().find_map(|pointer| text(one, pointer));
    let statuses = ["/status", "/status_code", "/response/status", "/response/status_code"];
    let is_http = at("/request/url").or_else(|| at("/request/uri")).is_some();
    let (request, reply) = match is_http {
        true => (at("/request/body"), at("/response/body").or_else(|| at("/response/body_raw"))),
        false => (at("/request"), at("/stream").or_else(|| at("/response"))),
    };
    Recorded {
        endpoint: match url {
            Some(url) => Endpoint::of(url),
            None => Endpoint::named(text(one, "/host").unwrap_or_default(), text(one, "/kind")),
        },
        status: statuses.into_iter().find_map(|pointer| status(one, pointer)),
        request: Body::of(request),
        reply: Body::of(reply),
    }
}
