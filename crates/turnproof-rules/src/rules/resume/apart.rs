//! What stays *apart* from the conversation: what was withdrawn, and what belongs to somebody else.

use super::difference::{self, judge};
use super::model::Fate;
use crate::rules::{Judge, Rule, Severity};

pub(super) const WITHDRAWN: Rule = Rule {
    id: difference::WITHDRAWN,
    title: "what a later record withdraws does not come back, and nothing behind it is lost",
    severity: Severity::Error,
    doc: "\
When a stream breaks off and another model takes over, what was already shown of the first reply is \
withdrawn: a later record names it in `supersedesUuids` or `retractedMessageUuids`. It must not come back, \
and neither must results of its calls: the API refuses a result whose call is gone.

Its line stays in the file and in the chain, so the walk goes through it to what came before. Withdrawing \
twice, or withdrawing what is not there, changes nothing; a record cannot withdraw what is written after it; \
and a subagent's record withdraws nothing in the conversation.",
    example: concat!(
        r#"{"file":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n"#,
        r#"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"u1\"}\n"#,
        r#"{\"type\":\"assistant\",\"uuid\":\"a2\",\"parentUuid\":\"a1\",\"supersedesUuids\":[\"a1\"]}\n","#,
        r#""answer":{"Ok":{"records":["#,
        r#"{"uuid":"u1","bytes":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}"},"#,
        r#"{"uuid":"a1","bytes":"{\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"u1\"}"},"#,
        r#"{"uuid":"a2","bytes":"{\"type\":\"assistant\",\"uuid\":\"a2\",\"parentUuid\":\"a1\","#,
        r#"\"supersedesUuids\":[\"a1\"]}"}]}}}"#,
    )
    .as_bytes(),
    remedy: "Gather what is withdrawn before walking; walk through it, and leave it out with the results of \
its calls.",
    sources: &[
        "spec 3.3",
        "spec 4",
        "anthropics/claude-code#20508",
        "anthropics/claude-code CHANGELOG 2.1.69, 2.1.89",
    ],
    judge: Judge::Resume(|case| {
        judge(
            case,
            WITHDRAWN.id,
            |right| right.records.iter().any(|record| record.is_named),
            "nothing in the file is withdrawn",
            |_, _| None,
        )
    }),
};

pub(super) const SIDECHAIN_APART: Rule = Rule {
    id: difference::SIDECHAIN_APART,
    title: "nothing of a subagent enters the conversation",
    severity: Severity::Error,
    doc: "\
Old clients wrote what subagents say into the session's own file, marked `isSidechain`; records of teams \
carry a `teamName`. Both have parents and replies of their own and are often the last lines of the file.

None of it belongs to what the user and the model said to each other. A subagent's last line taken for the \
end of the conversation shows the user a talk that they never had, and makes the model go on with somebody \
else's task. Nor can a subagent's record stand in for one of the conversation with the same uuid.",
    example: concat!(
        r#"{"file":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n"#,
        r#"{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":\"u1\",\"isSidechain\":true}\n","#,
        r#""answer":{"Ok":{"records":["#,
        r#"{"uuid":"u1","bytes":"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}"},"#,
        r#"{"uuid":"u2","bytes":"{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":\"u1\","#,
        r#"\"isSidechain\":true}"}]}}}"#,
    )
    .as_bytes(),
    remedy: "Leave records with isSidechain or a teamName out before anything else is looked for.",
    sources: &[
        "spec 3.3",
        "spec 3.4",
        "anthropics/claude-code#33651",
        "anthropics/claude-code CHANGELOG 2.1.78",
    ],
    judge: Judge::Resume(|case| {
        judge(
            case,
            SIDECHAIN_APART.id,
            |right| right.has(&[Fate::Sidechain]),
            "the file holds no record of a subagent or a team",
            |_, _| None,
        )
    }),
};
