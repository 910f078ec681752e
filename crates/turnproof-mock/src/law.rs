//! The *law* of the fuzz target `mock`: whatever comes is judged, the same each time, and what is legal gets a reply that
//! a host might give.

use turnproof_rules::operation::{Host, Reply};
use turnproof_rules::rules::{CATALOGUE, Judge, Severity};
use turnproof_suite::fuzzing::mutate::Shape;
use turnproof_suite::fuzzing::{Law, Target};
use turnproof_suite::subject::Subject;
use turnproof_suite::suite::Depth;

use crate::encoding::unpacked;
use crate::error::{ApiError, Dialect};
use crate::judge::{Purpose, judge};
use crate::sample::sample;
use crate::script::Script;

/// Any bytes, sent to the mock.
pub const MOCK: Target = Target {
    name: "mock",
    title: "any body is taken or refused with words, the same each time, and unpacked within its limit; \
            what is taken gets a reply that breaks no rule; any script is read or refused with words",
    law: Law::Bytes(hold),
    shape: Some(Shape::Request),
};

/// The most bytes that a body may have, unpacked.
const MOST: usize = 1 << 16;

fn hold(_subject: &dyn Subject, bytes: &[u8], _depth: Depth) {
    for encoding in ["gzip", "deflate", "zstd"] {
        if let Ok(unpacked) = unpacked(bytes, encoding, MOST) {
            assert!(unpacked.len() <= MOST, "a body is unpacked within its limit: it has {} bytes", unpacked.len());
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Err(error) = Script::read(text)
    {
        assert!(!error.to_string().is_empty(), "what is wrong with a script is said");
    }
    for host in Host::ALL {
        for purpose in [Purpose::Message, Purpose::Count] {
            let verdict = judge(bytes, host, purpose);
            let again = judge(bytes, host, purpose);
            assert!(verdict.refusal == again.refusal, "a verdict is the same each time: it is not for {host:?}");
            if let Some(refusal) = &verdict.refusal {
                has_words(refusal);
            }
        }
    }
    // The same bytes choose the reply.
    if let Ok(said) = sample(bytes, bytes.to_vec()) {
        breaks_no_rule(&said);
    }
}

fn has_words(refusal: &ApiError) {
    assert!(refusal.status >= 400, "what is refused has the status of an error: {}", refusal.status);
    for dialect in [Dialect::Messages, Dialect::Bedrock] {
        let body = refusal.body(dialect, "req_1");
        let is_json = serde_json::from_str::<serde_json::Value>(&body).is_ok();
        assert!(is_json && !refusal.message.is_empty(), "a refusal is JSON and has words: {body}");
    }
}

fn breaks_no_rule(said: &str) {
    let reply = Reply::read(said.as_bytes());
    let reply = reply.unwrap_or_else(|error| panic!("what is said is a reply: {error}: {said}"));
    for rule in CATALOGUE.iter() {
        if let Judge::Reply(judge) = rule.judge {
            judge(&reply, &mut |violation| {
                let severity = violation.severity.unwrap_or(rule.severity);
                assert!(severity < Severity::Error, "what is said breaks no rule: {} {}", rule.id, violation.found);
            });
        }
    }
}
