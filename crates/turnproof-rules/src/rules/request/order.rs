//! The *order* of results in their turn, and the *form* of ids and inputs.

use super::super::{Judge, Rule, Severity, Violation};
use super::pairing::{answers, unanswered};
use super::view::{Role, SERVER_RESULTS, Sink, blocks};
use crate::operation::{Host, Request};

pub(super) const RESULTS_FIRST: Rule = Rule {
    id: "pairing/results-first",
    title: "results stand before all other content of their turn",
    severity: Severity::Error,
    doc: "\
In the user's turn after a reply with calls, the `tool_result` blocks come first and everything else \
after them. A result behind a text or an image is refused as if it were not there: with the error about calls \
without results, and no error of its own, which makes it hard to see.

Clients break it when they join messages in the order in which they came: a reminder, a hook's words or the \
user's next prompt was stored before the slow tool's result.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"text","text":"b"},{"type":"tool_result","tool_use_id":"toolu_1","content":"c"}]}]"#,
    remedy: "Move the results to the front of the turn; keep the order of the rest.",
    sources: &["spec 6", "messages.N: `tool_use` ids were found without `tool_result` blocks immediately after"],
    judge: Judge::Request { structural: true, judge: results_first },
};

fn results_first(request: &Request, host: Host, sink: Sink<'_>) {
    for answer in answers(request).iter().filter(|answer| answer.is_late && !answer.is_repeated) {
        let Some(call) = answer.call else { continue };
        let (id, place) = (answer.id, answer.block.place());
        let found = format!("the result for {id} stands behind other content");
        let violation = Violation::new(RESULTS_FIRST.id, place, found, "the results in front of the turn");
        sink(violation.predicting(unanswered(host, call.turn.index, answer.block.turn.index, &[id])));
    }
}

pub(super) const ID_FORM: Rule = Rule {
    id: "pairing/id-form",
    title: "ids of calls have a form that the API takes",
    severity: Severity::Error,
    doc: "\
The id of a call, and the id that a result names, is one or more of the letters `a` to `z` in either case, \
digits, `_` and `-`. The id of a call of a server tool begins with `srvtoolu_`. Others are refused.

Histories that were made with another vendor's model bring ids of other forms (`Bash:12`, `call.7`), and so \
do proxies. The session works until it is sent to the API itself, and then never.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"Bash:12","name":"Bash","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"Bash:12","content":"b"}]}]"#,
    remedy: "Replace the id by a legal one that nothing else has, in the call and in its result alike.",
    sources: &[
        "spec 6",
        "messages.N.content.M.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
        "betmoar/cc-proxy-plugin#67",
    ],
    judge: Judge::Request { structural: true, judge: id_form },
};

fn id_form(request: &Request, _: Host, sink: Sink<'_>) {
    for block in blocks(request) {
        let (member, is_server) = match (block.turn.role(), block.kind()) {
            (Role::Assistant, "tool_use" | "mcp_tool_use") => ("id", false),
            (Role::Assistant, "server_tool_use") => ("id", true),
            (Role::User, "tool_result") | (Role::Assistant, "mcp_tool_result") => ("tool_use_id", false),
            (Role::Assistant, kind) if SERVER_RESULTS.contains(&kind) => ("tool_use_id", true),
            _ => continue,
        };
        let Some(id) = block.string(member).filter(|id| !has_form(id, is_server)) else { continue };
        let pattern = if is_server { "^srvtoolu_[a-zA-Z0-9_]+$" } else { "^[a-zA-Z0-9_-]+$" };
        let error = format!("{}: String should match pattern '{pattern}'", block.member(member));
        let found = format!("the {member} {id:?}");
        let violation = Violation::new(ID_FORM.id, block.place(), found, format!("an id like {pattern}"));
        sink(violation.predicting(error));
    }
}

/// Whether an id has the form that calls of its kind need.
fn has_form(id: &str, is_server: bool) -> bool {
    let rest = if is_server { id.strip_prefix("srvtoolu_") } else { Some(id) };
    let is_letter =
        |letter: u8| letter.is_ascii_alphanumeric() || letter == b'_' || letter == b'-' && !is_server;
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(is_letter))
}

pub(super) const INPUT_OBJECT: Rule = Rule {
    id: "pairing/input-object",
    title: "the input of a call is an object",
    severity: Severity::Error,
    doc: "\
The `input` of a `tool_use` block must be a JSON object, even when the tool takes nothing (`{}`). Null, a \
string or a list is refused.

A client that collects the input from stream deltas and stops early keeps a piece of JSON text instead of \
the object that it stands for; one that finds no delta keeps null or an empty string; other vendors' formats hold \
the arguments as text. An input that is absent is `api/required-fields`' matter.",
    example: br#"[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":"{}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"b"}]}]"#,
    remedy: "Parse the collected text; where that fails, send `{}` or wrap the value in an object.",
    sources: &["spec 6", "messages.N.content.M.tool_use.input: Input should be an object"],
    judge: Judge::Request { structural: true, judge: input_object },
};

fn input_object(request: &Request, _: Host, sink: Sink<'_>) {
    let calls = blocks(request).filter(|block| block.is("tool_use") && block.turn.role() == Role::Assistant);
    for block in calls {
        if block.field("input").is_some_and(|input| !input.is_object()) {
            let error = format!("{}: Input should be an object", block.member("input"));
            let found = "an input that is no object";
            sink(Violation::new(INPUT_OBJECT.id, block.place(), found, "an object").predicting(error));
        }
    }
}
