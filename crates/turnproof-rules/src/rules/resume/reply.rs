//! A *reply* comes back as the user saw it: in one piece, with the results of its calls.

use super::difference::{self, judge};
use super::model::Fate;
use crate::rules::{Judge, Rule, Severity};

pub(super) const PARALLEL_RESULTS: Rule = Rule {
    id: difference::PARALLEL_RESULTS,
    title: "every parallel call and result of a reply on the path comes back, the reply in one piece",
    severity: Severity::Error,
    doc: "\
A reply with two calls is two lines, each call's result hangs on its own line, and the next reply hangs on \
one of the results. So the records form a net, not a chain, and a walk over parents sees one call and one \
result. In real sessions such a walk loses 6.6 % of all results.

The other lines of the reply (they share its `message.id`) come back right after its last line on the path, \
and after them the results of its calls that nothing else answers. A call without its result makes the API \
refuse the next request, or the client fill in a placeholder: the model reads that its tool failed, and runs \
it again. A second result of an answered call does not come back, nor one that answers another reply's call \
with the same id.",
    example: concat!(
        r#"{"file":"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":null,\"message\":{\"id\":\"m1\","#,
        r#"\"content\":[]}}\n"#,
        r#"{\"type\":\"assistant\",\"uuid\":\"a2\",\"parentUuid\":\"a1\",\"message\":{\"id\":\"m1\","#,
        r#"\"content\":[]}}\n"#,
        r#"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":\"a1\"}\n","answer":{"Ok":{"records":["#,
        r#"{"uuid":"a1","bytes":"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":null,"#,
        r#"\"message\":{\"id\":\"m1\",\"content\":[]}}"},"#,
        r#"{"uuid":"u1","bytes":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":\"a1\"}"}]}}}"#,
    )
    .as_bytes(),
    remedy: "Group a reply by message.id and attach results by tool_use_id, never by a walk over parents \
alone.",
    sources: &[
        "spec 3.3",
        "anthropics/claude-code#31330",
        "anthropics/claude-code#37779",
        "anthropics/claude-code#39695",
        "anthropics/claude-code#45286",
        "anthropics/claude-code CHANGELOG 2.1.80",
    ],
    judge: Judge::Resume(|case| {
        judge(
            case,
            PARALLEL_RESULTS.id,
            |right| right.has(&[Fate::Recovered]),
            "no line or result of a reply is beside the path",
            |_, _| None,
        )
    }),
};

pub(super) const NO_DELIVERED_REPLY_LOST: Rule = Rule {
    id: difference::NO_DELIVERED_REPLY_LOST,
    title: "a reply that the user has seen is not lost because a notice beside it won the chain",
    severity: Severity::Error,
    doc: "\
A reply and a notice (the summary of a stop hook, an API error that was retried) are written within \
milliseconds, both with the prompt as parent, and the next prompt hangs on the notice. The user has read the \
reply and answers it; but the parents lead past it, so after a resume it is gone, and the model does not \
know what it said.

Between two speakers of the path, a reply that hangs on the first of them or on a notice after it, was \
written before the next prompt and has no line on the path, is put back where it was written, with what \
comes after it. An API error that was shown instead of a reply is none. A branch whose prompt was rewound is \
none either: it hangs on a speaker that was answered.",
    example: concat!(
        r#"{"file":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n"#,
        r#"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"u1\"}\n"#,
        r#"{\"type\":\"system\",\"uuid\":\"s1\",\"parentUuid\":\"u1\"}\n"#,
        r#"{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":\"s1\"}\n","answer":{"Ok":{"records":["#,
        r#"{"uuid":"u1","bytes":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}"},"#,
        r#"{"uuid":"s1","bytes":"{\"type\":\"system\",\"uuid\":\"s1\",\"parentUuid\":\"u1\"}"},"#,
        r#"{"uuid":"u2","bytes":"{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":\"s1\"}"}]}}}"#,
    )
    .as_bytes(),
    remedy: "When writing, chain each record to the one written before it. When reading, look for replies \
that hang beside a stretch of notices, and put them back.",
    sources: &["spec 3.3", "anthropics/claude-code#88597", "anthropics/claude-code#83460"],
    judge: Judge::Resume(|case| {
        judge(
            case,
            NO_DELIVERED_REPLY_LOST.id,
            |right| right.has(&[Fate::PutBack]),
            "no reply hangs beside a stretch of notices",
            |_, _| None,
        )
    }),
};
