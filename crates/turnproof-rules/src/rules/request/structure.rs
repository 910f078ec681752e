//! The *structure* of a request: which turns it has, in which order, and that each says something.

use super::super::{Judge, Place, Rule, Severity, Violation};
use super::view::{Content, Role, Sink, last_turn, turns};
use crate::operation::{Host, Request};

pub(super) const FIRST_USER: Rule = Rule {
    id: "api/first-user",
    title: "a request has turns, and the user's is the first",
    severity: Severity::Error,
    doc: "\
A conversation begins with the user. A request whose first turn is the assistant's is refused (`first \
message must use the \"user\" role`), and so is a body without any turn. A bare empty array is not judged: \
nothing is sent.

Such requests are made by clients that cut old turns off to save room and cut between a prompt and its \
reply, by compaction that keeps a tail of the history, and by filters that drop a first prompt of meta text. \
Since the beginning of the history is the same each time, the session stays refused. One report says that \
an assistant's turn in front is served by now; no host promises it, so every profile refuses it.",
    example: br#"[{"role":"assistant","content":[{"type":"text","text":"a"}]}]"#,
    remedy: "Put a user turn in front, such as `(no content)` or a summary of what was cut off.",
    sources: &["spec 6", "messages: first message must use the \"user\" role"],
    judge: Judge::Request { structural: true, judge: first_user },
};

fn first_user(request: &Request, host: Host, sink: Sink<'_>) {
    if request.messages.is_empty() && request.body.is_object() {
        let found = "a body whose list of messages is empty";
        let violation = Violation::new(FIRST_USER.id, Place::Whole, found, "at least one turn, of the user");
        return sink(violation.predicting("messages: at least one message is required"));
    }
    let Some(first) = turns(request).find(|turn| turn.role() != Role::System) else { return };
    if first.role() == Role::Assistant {
        let error = match host {
            Host::Bedrock => {
                "A conversation must start with a user message. Try again with a conversation that starts with a \
                 user message."
            }
            _ => "messages: first message must use the \"user\" role",
        };
        let found = "the first turn is the assistant's";
        sink(
            Violation::new(FIRST_USER.id, first.place(), found, "a turn of the user before it")
                .predicting(error),
        );
    }
}

pub(super) const ALTERNATION: Rule = Rule {
    id: "api/alternation",
    title: "turns of the user and of the assistant take turns",
    severity: Severity::Error,
    doc: "\
Some hosts refuse two turns of one role in a row: Bedrock's Converse says that `a conversation must \
alternate between user and assistant roles`, and so did the Messages API in its first years. Today it and \
Vertex join such turns, so the profiles `anthropic` and `vertex` let them pass.

Runs come from histories in which notices, attachments and prompts stand as messages of their own, and from \
an interrupted turn after which the user writes again. A client that joins neighbours itself sends the same \
request to every host, and decides itself where tool results come to stand in the joined turn.",
    example: br#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#,
    remedy: "Join neighbouring turns of one role into one, blocks in their order, tool results first.",
    sources: &["spec 6", "messages: roles must alternate between \"user\" and \"assistant\""],
    judge: Judge::Request { structural: true, judge: alternation },
};

fn alternation(request: &Request, host: Host, sink: Sink<'_>) {
    if matches!(host, Host::Anthropic | Host::Vertex) {
        return;
    }
    let mut before = Role::Other;
    for turn in turns(request) {
        let role = turn.role();
        if role == before && matches!(role, Role::User | Role::Assistant) {
            let name = role.name();
            let error = match host {
                Host::Bedrock => {
                    "A conversation must alternate between user and assistant roles. Make sure the conversation \
                     alternates between user and assistant roles and try again."
                        .to_owned()
                }
                _ => format!(
                    "messages: roles must alternate between \"user\" and \"assistant\", but found multiple \
                     \"{name}\" roles in a row"
                ),
            };
            let found = format!("a second turn of the {name} in a row");
            let violation =
                Violation::new(ALTERNATION.id, turn.place(), found, "a turn of the other role between");
            sink(violation.predicting(error));
        }
        before = role;
    }
}

pub(super) const NON_EMPTY_CONTENT: Rule = Rule {
    id: "api/non-empty-content",
    title: "every turn has content",
    severity: Severity::Error,
    doc: "\
A turn whose list of blocks is empty is refused. The API allows it for an assistant's turn that ends the \
request; Bedrock's Converse does not, so `strict` refuses that too.

A refusal by the model or an aborted stream leaves a reply without blocks in the history, and every later \
prompt of the conversation then fails. The same happens when a filter takes the only block out of a turn, \
such as an image that was too large.",
    example: br#"[{"role":"user","content":[]}]"#,
    remedy: "Drop a reply without blocks and join its neighbours; give a user turn a text such as `(no content)`.",
    sources: &[
        "spec 6",
        "all messages must have non-empty content except for the optional final assistant message",
        "messages.N: user messages must have non-empty content",
    ],
    judge: Judge::Request { structural: true, judge: non_empty_content },
};

fn non_empty_content(request: &Request, host: Host, sink: Sink<'_>) {
    let last = last_turn(request).map(|turn| turn.index);
    for turn in turns(request) {
        if !matches!(turn.content(), Content::Blocks([])) {
            continue;
        }
        let is_last = last == Some(turn.index);
        let is_judged = match turn.role() {
            Role::User => true,
            Role::Assistant => !is_last || matches!(host, Host::Strict | Host::Bedrock),
            // Elsewhere the turn itself is refused, by `api/system-turns`.
            Role::System => host == Host::Anthropic && turn.value.get("output_config").is_none(),
            Role::Other => false,
        };
        if is_judged {
            let found = "a turn without a block";
            let violation = Violation::new(NON_EMPTY_CONTENT.id, turn.place(), found, "at least one block");
            sink(violation.predicting(empty_content(host, turn.index, turn.role(), is_last)));
        }
    }
}

/// What a host says of a turn without content.
pub(super) fn empty_content(host: Host, index: usize, role: Role, is_last: bool) -> String {
    let is_converse = host == Host::Bedrock || host == Host::Strict && is_last && role == Role::Assistant;
    match role {
        _ if is_converse => format!("The content field in the Message object at messages.{index} is empty."),
        Role::User => format!("messages.{index}: user messages must have non-empty content"),
        _ => format!(
            "messages.{index}: all messages must have non-empty content except for the optional final assistant \
             message"
        ),
    }
}
