//! The *cases* from the field where a file or a chain is damaged: each is generated, under the labels named here.

use turnproof::scenario::LABELS;

/// The rows of the damage table (SPEC.md section 3.5).
const DAMAGE_TABLE: &[(&str, &[&str])] = &[
    ("invalid JSON, not an object", &["damage/garbage", "damage/not-object", "damage/bad-escape"]),
    ("two records glued on a line", &["damage/no-line-end", "damage/glued"]),
    ("a record cut short with another whole record after it", &["damage/splice"]),
    ("last line without LF", &["damage/end-without-line-end", "damage/torn-end"]),
    ("runs of NUL", &["damage/nul-before", "damage/nul-after", "damage/nul-inside", "damage/nul-block"]),
    ("invalid UTF-8", &["damage/bad-byte", "damage/bad-byte-in-string"]),
    ("lone surrogate escapes", &["damage/lone-surrogate", "text/half-a-pair"]),
    ("repeated keys", &["damage/repeated-key"]),
    ("nesting deeper than 128", &["damage/nested", "damage/too-deep"]),
    ("raw U+2028/2029, CRLF, BOM", &["text/line-separators", "damage/carriage-return", "damage/byte-order-mark"]),
    ("known field of the wrong JSON type", &["damage/wrong-type", "damage/odd-parent"]),
    ("kind that must not be on disk", &["file/live-only"]),
];

/// Public reports (of anthropics/claude-code unless named) whose symptom stands in the transcript.
const REPORTS: &[(&str, &[&str])] = &[
    ("21617, 22107, 22526, 24304, 58554", &["damage/lost", "parent/missing", "parent/missing-in-the-middle"]),
    ("24304: a snapshot names the message that comes next", &["uuid/named-by-a-snapshot"]),
    ("21751: a line of a reply is missing", &["damage/lost", "reply/of-several-lines"]),
    ("83460", &["fork/reply-and-notice", "fork/notice-wins", "retry/then-a-reply"]),
    ("88597", &["fork/notice-wins", "subtype/stop-hook-summary"]),
    ("35024", &["parent/progress", "parent/progress-of-progress"]),
    ("33651", &["file/progress-last", "flag/is-sidechain", "damage/other-time"]),
    ("BytePioneer-AI/codex-host#171", &["parent/attachment", "member/agent"]),
    ("81843", &["damage/splice", "damage/glued", "damage/nul-inside"]),
    ("20992", &["damage/splice", "damage/other-time"]),
    ("45286", &["result/one-of-several-missing", "damage/result-lost"]),
    ("26964, 29342", &["file/sessions", "parent/of-another-session"]),
    ("49876, 76059, 50347", &["damage/nul-block", "damage/nul-after", "damage/nul-end"]),
    ("53821", &["damage/torn-end", "crash/torn-end", "resume/then-a-prompt"]),
    ("27472", &["text/line-separators"]),
    ("94055, 94408", &["text/nul-inside", "text/nul-alone", "block/result-with-nul"]),
    ("3277, 2108, 1939 and others", &["text/half-a-pair", "text/swapped-pair", "block/input-with-half-a-pair"]),
    ("20508 and others", &["call/twice", "call/twice-in-a-reply", "damage/twice"]),
    ("8484, 14173, 40305", &["result/of-no-call", "damage/call-lost", "boundary/without-metadata"]),
    ("56515, 65098, 95074", &["server-call/orphan-result", "server-call/unanswered"]),
    ("12162", &["interrupt/while-tools-run", "interrupt/with-open-calls"]),
    ("1237, 1577 and others", &["call/unanswered", "fail/with-open-calls", "crash/while-tools-run"]),
    ("10199", &["reply/thinking-alone", "file/thinking-last"]),
    ("19460, 63155, 63357", &["reply/lines-apart"]),
    ("62396, 60009, 23440", &["call/empty-text-beside", "text/empty", "text/blank"]),
    (
        "13480 and others: media that are refused",
        &["refusal/of-meta-media", "refusal/of-attached-media", "meta/refused"],
    ),
    ("14462, tamaratran/fast-jev-compaction#89", &["boundary/preserves", "compaction/by-segment"]),
    ("omnigent-ai/omnigent#1957", &["boundary/without-metadata", "boundary/metadata-null"]),
    ("62851, 41616, 45753", &["file/pr-link-first", "file/side-record-first", "file/side-records-alone"]),
    ("ccusage#985 and others", &["reply/of-several-lines", "late-fields/while-queued"]),
    ("8524, 39355, 28826", &["fork/of-a-fork", "fork/shorter"]),
    ("24663", &["member/numeric-keys"]),
    ("66947 and others: ids twice", &["uuid/twice", "damage/twice"]),
    ("datadog-labs/trajectory#78", &["side/atis-latch", "kind/of-tomorrow"]),
    ("readers that need a session", &["damage/without"]),
    ("parentUuid that is an object or a list", &["damage/odd-parent"]),
    ("system lines without a subtype", &["subtype/none"]),
    ("CHANGELOG 2.1.30: a cycle of parents", &["parent/cycle"]),
    ("CHANGELOG 2.1.69: a result before all else", &["file/result-first"]),
    ("CHANGELOG 2.1.69, 2.1.89: a withdrawn line stays in the file", &["parent/withdrawn", "member/superseded"]),
    ("CHANGELOG 2.1.80: parallel results", &["call/parallel", "result/out-of-order"]),
    ("CHANGELOG 2.1.101: a dead end", &["withdrawn/with-a-result-on-disk", "retry/shown-on-disk"]),
    ("CHANGELOG 2.1.108: its own parent", &["parent/self"]),
    ("CHANGELOG 2.1.108: a full disk", &["disk/full", "disk/refuses-a-prompt"]),
    ("CHANGELOG 2.1.122: forks", &["fork/whole", "fork/after-a-compaction"]),
    ("CHANGELOG 2.1.136: redacted thinking after a call", &["reply/redacted-after-a-call"]),
    ("CHANGELOG 2.1.217, 2.1.223: misshapen attachments", &["attachment/misshapen", "attachment/absent"]),
    ("CHANGELOG 2.1.218: paths that begin with a u", &["text/backslashes", "damage/bad-escape"]),
    ("CHANGELOG 2.1.234: a block that lacks its text", &["block/text-without-text", "block/thinking-without-text"]),
    ("CHANGELOG 2.1.280: a misshapen notice", &["system/without-text", "damage/wrong-type"]),
];

#[test]
fn every_damage_and_every_report_has_labels_that_are_required() {
    for (case, labels) in DAMAGE_TABLE.iter().chain(REPORTS) {
        assert!(!labels.is_empty(), "{case}");
        for label in *labels {
            let found = LABELS.iter().find(|other| other.name == *label);
            assert!(found.is_some_and(|found| found.least > 0), "{case}: {label}");
        }
    }
}
