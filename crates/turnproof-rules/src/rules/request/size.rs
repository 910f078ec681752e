//! The *size* of a request, in bytes as it is sent.

use super::super::{Judge, Place, RuleEntry, Violation};
use super::view::Sink;
use crate::operation::{Host, Request};

pub(super) const REQUEST_SIZE: RuleEntry =
    rule!("api/request-size", Warning, Judge::Request { structural: false, judge: request_size });

/// The largest body, in bytes.
const MOST: u64 = 32 << 20;

fn request_size(request: &Request, _: Host, sink: Sink<'_>) {
    if request.bytes > MOST {
        let found = format!("a body of {} bytes", request.bytes);
        let violation = Violation::new(REQUEST_SIZE.id, Place::Whole, found, format!("at most {MOST} bytes"));
        sink(violation.predicting("request_too_large"));
    }
}
