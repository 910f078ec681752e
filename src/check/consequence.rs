//! A *consequence* is what a broken rule means for who holds the session.

use crate::rules::Rule;

/// What a violation of a rule on files means for who holds the session: a sentence without a full stop, and what every
/// reader and the API have to do with it. `None` for rules that judge no file.
pub fn consequence(rule: &Rule) -> Option<&'static str> {
    CONSEQUENCES.iter().find(|(id, _)| *id == rule.id).map(|(_, text)| *text)
}

/// By rule, in the order of the catalogue.
const CONSEQUENCES: &[(&str, &str)] = &[
    ("wire/json-object", "what these bytes said is lost, and readers that stop here show nothing after it"),
    ("wire/one-record-per-line", "readers of lines lose a record here, and what hangs on it"),
    ("wire/terminated", "a torn last line is lost; to a whole one the next record may be glued"),
    ("wire/no-nul", "readers of lines lose the record beside the NULs, and what hangs on it"),
    ("wire/utf8", "strict readers lose the record, or refuse the whole file"),
    ("wire/no-lone-surrogate", "the API refuses each request that holds this text"),
    ("wire/unique-keys", "readers that take the first value see another one than the client"),
    ("wire/depth", "the record is not read, and what it said does not come back"),
    ("wire/typed-fields", "strict readers lose the record or crash; others take the field as missing"),
    ("wire/live-only-kind", "nothing of the conversation is lost; readers that know no such kind may refuse the file"),
    ("id/unique", "of all messages with one uuid only one comes back"),
    ("chain/parent-exists", "a reader that stops at the gap shows nothing from before it"),
    ("chain/acyclic", "some readers never end here, and others show a part of the conversation"),
    ("chain/parent-before-child", "readers that stream lose the link, and show nothing from before it"),
    ("chain/progress-not-parent", "readers that drop progress lose everything before it"),
    ("chain/one-leaf", "one branch comes back, and the others do not"),
    ("chain/session-matches-file", "a resume may mix two conversations, or take the other one"),
    ("chain/sidechain-separate", "a subagent's messages come back in the main conversation, or in their place"),
    ("chain/boundary-starts-segment", "the compaction is undone: all that it summed up is sent again"),
    ("chain/preserved-segment", "what the compaction kept does not come back, or the compaction is undone"),
    ("tool/result-has-call", "the API refuses each request that holds this result; clients have to drop it"),
    ("tool/call-answered", "the API refuses each request that holds this call; clients have to make up a result"),
    ("tool/unique-call-id", "the API refuses each request that holds both calls"),
    ("tool/single-result", "the API refuses each request that holds both results"),
    ("tool/dual", "an interface shows plain text where it showed a diff or a picture; the model sees the same"),
    ("tool/source", "the result hangs in the wrong place: it or its call may not come back"),
    ("tool/placeholder-marked", "what the tool said is lost; the session works"),
    ("message/content-not-empty", "the API refuses an empty turn; clients have to put something there"),
    ("message/no-blank-text", "the API refuses a blank text; clients have to leave it out"),
    ("message/content-is-list", "readers of blocks show an empty reply here"),
    ("message/role-fits-type", "a prompt may come back as a reply, or a reply as a prompt"),
    ("message/has-uuid", "the message does not come back, and nothing finds it as its parent"),
    ("message/uuid-form", "tools that ask for a message by its UUID refuse it; it comes back"),
    ("message/timestamp", "lists of sessions and costs by day are wrong; the message comes back"),
    ("message/not-virtual", "the model may read what was never said to it"),
    ("message/summary-follows-boundary", "the compaction is undone, or its summary does not come back"),
    ("message/synthetic-usage", "programs that sum up costs count wrong; the message comes back"),
    ("message/reply-agrees", "tokens may be counted twice, and blocks joined to another reply"),
];
