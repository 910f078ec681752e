//! The *size* of a request, in bytes as it is sent.

use super::super::{Judge, Place, Rule, Severity, Violation};
use super::view::Sink;
use crate::operation::{Host, Request};

pub(super) const REQUEST_SIZE: Rule = Rule {
    id: "api/request-size",
    title: "a request is no larger than 32 MiB",
    severity: Severity::Warning,
    doc: "\
The Messages API takes bodies of up to 32 MiB; a larger one is answered by status 413 and \
`request_too_large`, before anybody looks into it.

Images and documents in base64 add up over a session, and so do outputs of tools that print whole files. \
The error names no block, so people look in vain for the one that is wrong. The example below is \
shortened: its text stands for one of 32 MiB.",
    example: br#"[{"role":"user","content":"aaaaaaaa"}]"#,
    remedy: "Drop or shrink the largest blocks of the history, images and documents first.",
    sources: &["spec 6", "413 request_too_large"],
    judge: Judge::Request { structural: false, judge: request_size },
};

/// The largest body, in bytes.
const MOST: u64 = 32 << 20;

fn request_size(request: &Request, _: Host, sink: Sink<'_>) {
    if request.bytes > MOST {
        let found = format!("a body of {} bytes", request.bytes);
        let violation = Violation::new(REQUEST_SIZE.id, Place::Whole, found, format!("at most {MOST} bytes"));
        sink(violation.predicting("request_too_large"));
    }
}
