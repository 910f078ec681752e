//! A *tool* call is a `tool_use` block of a reply; these rules say how calls and their results stand
//! in a transcript.

use super::facts::{CallFact, Facts, IdKey, KeyIndex, ResultFact};
use super::links::Uuids;
use super::{Judge, Rule, Severity, Violation};

/// Takes each violation, in file order.
type Sink<'a> = &'a mut dyn FnMut(Violation);

/// The rules of the family.
pub(super) const RULES: &[&Rule] =
    &[&RESULT_HAS_CALL, &CALL_ANSWERED, &UNIQUE_CALL_ID, &SINGLE_RESULT, &DUAL, &SOURCE, &PLACEHOLDER_MARKED];

const RESULT_HAS_CALL: Rule = Rule {
    id: "tool/result-has-call",
    title: "every tool result answers a call of this file",
    severity: Severity::Error,
    doc: "\
A `tool_result` block names its call in `tool_use_id`; the call is a `tool_use` block of an assistant \
record. A result whose call is nowhere in the file is an orphan.

The API refuses a request that holds one (`unexpected tool_use_id found in tool_result blocks`), and since \
the history is sent each time, the session is stuck: `/rewind` does not help. Orphans come from compaction \
that drops the call and keeps the result, from an interrupt, and from a reply whose line was never written. \
A client must drop orphans before it sends.",
    example: concat!(
        r#"{"type":"user","uuid":"u1","parentUuid":null,"#,
        r#""message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","#,
        r#""content":"a"}]},"toolUseResult":"a"}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "Remove the result, or restore the assistant record that holds its call.",
    sources: &[
        "spec 5",
        "spec 6",
        "anthropics/claude-code#8484",
        "anthropics/claude-code#14173",
        "anthropics/claude-code#40305",
        "anthropics/claude-code#12162",
    ],
    judge: Judge::Transcript(result_has_call),
};

fn result_has_call(facts: &Facts, sink: Sink<'_>) {
    let calls = calls_by_id(facts);
    for result in &facts.results {
        if calls.get(result.call, call_id(facts)).is_none() {
            sink(Violation::new(
                RESULT_HAS_CALL.id,
                facts.block_place(result.node, result.block),
                "no tool_use block in this file has the id that this tool_result names",
                "the id of a tool_use block in this file, as tool_use_id",
            ));
        }
    }
}

/// Indexes the calls by id.
fn calls_by_id(facts: &Facts) -> KeyIndex {
    KeyIndex::new(facts.calls.len(), call_id(facts))
}

/// The id of a call, by its place in the facts.
fn call_id(facts: &Facts) -> impl Fn(usize) -> Option<IdKey> {
    |call| Some(facts.calls[call].id)
}

/// The call that a result names, by the result's place in the facts.
fn result_call(facts: &Facts) -> impl Fn(usize) -> Option<IdKey> {
    |result| Some(facts.results[result].call)
}

const CALL_ANSWERED: Rule = Rule {
    id: "tool/call-answered",
    title: "every tool call has a result in this file",
    severity: Severity::Warning,
    doc: "\
Each `tool_use` block of a reply is to be answered by a `tool_result` block, be it the tool's output, a \
rejection or a note that it was interrupted. The API refuses a request with an unanswered call \
(`tool_use ids were found without tool_result blocks immediately after`).

A call stays unanswered when the client ends while the tool runs, when a compaction falls between call and \
result, or when results of parallel calls are written over each other: 26 of 18,552 real calls. Clients \
repair it by making a placeholder result when they send, which is why this is a warning; one that does not \
is stuck in the session.",
    example: concat!(
        r#"{"type":"assistant","uuid":"a1","parentUuid":null,"#,
        r#""message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","#,
        r#""id":"toolu_1","name":"Bash","input":{}}]}}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "Resume with a client that answers open calls itself, or add a tool_result with is_error \
that says that the tool did not finish.",
    sources: &[
        "spec 5",
        "anthropics/claude-code#45286",
        "anthropics/claude-code#1237",
        "anthropics/claude-code#473",
        "anthropics/claude-code#4211",
    ],
    judge: Judge::Transcript(call_answered),
};

fn call_answered(facts: &Facts, sink: Sink<'_>) {
    let results = KeyIndex::new(facts.results.len(), result_call(facts));
    for call in &facts.calls {
        if results.get(call.id, result_call(facts)).is_none() {
            sink(Violation::new(
                CALL_ANSWERED.id,
                facts.block_place(call.node, call.block),
                "no tool_result block in this file answers this tool_use",
                "a tool_result whose tool_use_id is the id of this block",
            ));
        }
    }
}

const UNIQUE_CALL_ID: Rule = Rule {
    id: "tool/unique-call-id",
    title: "no two tool calls share an id",
    severity: Severity::Error,
    doc: "\
A call's id is what ties its result to it, so it must be unique in the conversation. The API refuses a \
request in which it repeats (`tool_use ids must be unique`), on every turn from then on.

It happened when a client fell back from streaming to a plain request and kept the blocks of both, and when \
a repeated control message made it append the same reply twice. Two records with the same uuid are one \
record written twice: that is `id/unique`'s matter, and their calls are not reported here.",
    example: concat!(
        r#"{"type":"assistant","uuid":"a1","parentUuid":null,"#,
        r#""message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","#,
        r#""id":"toolu_1","name":"Bash","input":{}}]}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"a2","parentUuid":"a1","#,
        r#""message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","#,
        r#""id":"toolu_1","name":"Bash","input":{}}]}}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "Remove the repeated tool_use block; if both calls ran, give the later one and its \
result a new id.",
    sources: &[
        "spec 6",
        "anthropics/claude-code#20508",
        "anthropics/claude-code#20573",
        "anthropics/claude-code#28515",
        "BerriAI/litellm#23510",
        "anthropics/claude-code CHANGELOG 2.1.51",
    ],
    judge: Judge::Transcript(unique_call_id),
};

fn unique_call_id(facts: &Facts, sink: Sink<'_>) {
    let calls = calls_by_id(facts);
    for (at, call) in facts.calls.iter().enumerate() {
        let first = calls.get(call.id, call_id(facts)).filter(|&first| first < at);
        let Some(first) = first.map(|first| &facts.calls[first]) else { continue };
        if !is_same_record_again(facts, first.node, call.node) {
            let line = facts.nodes[first.node as usize].line;
            sink(Violation::new(
                UNIQUE_CALL_ID.id,
                facts.block_place(call.node, call.block),
                format!("a tool_use block on line {line} has the same id"),
                "an id that no other tool_use block has",
            ));
        }
    }
}

/// Whether two records, not one and the same, have the same uuid.
fn is_same_record_again(facts: &Facts, first: u32, second: u32) -> bool {
    let uuid = |node: u32| facts.nodes[node as usize].uuid();
    first != second && uuid(first).is_some() && uuid(first) == uuid(second)
}

const SINGLE_RESULT: Rule = Rule {
    id: "tool/single-result",
    title: "a tool call has one result",
    severity: Severity::Error,
    doc: "\
A call is answered once. With two `tool_result` blocks for one call the API refuses the request (`each \
tool_use must have a single result`), or, where it does not, the model reads two contradicting outputs.

It can come from a placeholder written for a tool that was thought lost and then did answer, from results that \
are delivered twice, and from records written again after a resume. Two records with the same uuid are one \
record written twice: that is `id/unique`'s matter, and their results are not reported here.",
    example: concat!(
        r#"{"type":"assistant","uuid":"a1","parentUuid":null,"#,
        r#""message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","#,
        r#""id":"toolu_1","name":"Bash","input":{}}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"u1","parentUuid":"a1","#,
        r#""message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","#,
        r#""content":"a"}]},"toolUseResult":"a"}"#,
        "\n",
        r#"{"type":"user","uuid":"u2","parentUuid":"a1","#,
        r#""message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","#,
        r#""content":"b"}]},"toolUseResult":"b"}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "Keep the tool's own output and remove the other result.",
    sources: &["spec 5", "spec 6", "API error: each tool_use must have a single result"],
    judge: Judge::Transcript(single_result),
};

fn single_result(facts: &Facts, sink: Sink<'_>) {
    let results = KeyIndex::new(facts.results.len(), result_call(facts));
    for (at, result) in facts.results.iter().enumerate() {
        let first = results.get(result.call, result_call(facts)).filter(|&first| first < at);
        let Some(first) = first.map(|first| &facts.results[first]) else { continue };
        if !is_same_record_again(facts, first.node, result.node) {
            let line = facts.nodes[first.node as usize].line;
            sink(Violation::new(
                SINGLE_RESULT.id,
                facts.block_place(result.node, result.block),
                format!("a tool_result block on line {line} answers the same call"),
                "one result for each call",
            ));
        }
    }
}

const DUAL: Rule = Rule {
    id: "tool/dual",
    title: "a record with a tool result also keeps the tool's raw output",
    severity: Severity::Warning,
    doc: "\
A tool's result is stored twice: as text in the `tool_result` block, for the model, and raw in the record's \
`toolUseResult`, for the interface, which draws diffs, file lists and images from it.

Without the raw output a resumed session still works for the model, but shows plain text where it showed a \
diff. Files of old clients lack it everywhere. Subagents' records mostly do, and are not judged.",
    example: concat!(
        r#"{"type":"assistant","uuid":"a1","parentUuid":null,"#,
        r#""message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","#,
        r#""id":"toolu_1","name":"Bash","input":{}}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"u1","parentUuid":"a1","#,
        r#""message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","#,
        r#""content":"a"}]}}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "In a writer, store the tool's output as toolUseResult beside the message; in an old file, \
leave it.",
    sources: &["spec 5"],
    judge: Judge::Transcript(dual),
};

fn dual(facts: &Facts, sink: Sink<'_>) {
    for result in first_of_each_record(&facts.results, |result| result.node) {
        if !result.has_raw && !facts.nodes[result.node as usize].is_sidechain() {
            sink(Violation::new(
                DUAL.id,
                facts.block_place(result.node, result.block),
                "the record has a tool_result but no toolUseResult",
                "the tool's raw output, as toolUseResult",
            ));
        }
    }
}

/// Of neighbours in one record, the first.
fn first_of_each_record<T>(items: &[T], node: impl Fn(&T) -> u32) -> impl Iterator<Item = &T> {
    items.chunk_by(move |item, next| node(item) == node(next)).filter_map(|record| record.first())
}

const SOURCE: Rule = Rule {
    id: "tool/source",
    title: "the source that a tool result names is the record that holds its call",
    severity: Severity::Error,
    doc: "\
A record with a tool result names the assistant record that made the call in `sourceToolAssistantUUID`; the \
result is chained to that record, whatever was written in between. In real files the two agree always \
(17,664 of 17,664).

If the source is a record that does not hold the call, or none at all, the result hangs in the wrong place: \
a walk up the chain meets a result before its call, or misses one of several parallel calls, and the next \
request is refused.",
    example: concat!(
        r#"{"type":"assistant","uuid":"a1","parentUuid":null,"#,
        r#""message":{"id":"msg_1","role":"assistant","content":[{"type":"text","text":"a"}]}}"#,
        "\n",
        r#"{"type":"assistant","uuid":"a2","parentUuid":"a1","#,
        r#""message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","#,
        r#""id":"toolu_1","name":"Bash","input":{}}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"u1","parentUuid":"a2","sourceToolAssistantUUID":"a1","#,
        r#""message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","#,
        r#""content":"b"}]},"toolUseResult":"b"}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "Set sourceToolAssistantUUID to the uuid of the assistant record whose tool_use the result \
names, and the parentUuid too.",
    sources: &["spec 3.2", "spec 5", "anthropics/claude-code#31330", "anthropics/claude-code#37779"],
    judge: Judge::Transcript(source),
};

fn source(facts: &Facts, sink: Sink<'_>) {
    let wrong = results_with_wrong_source(facts);
    if wrong.is_empty() {
        return;
    }
    let calls = calls_by_id(facts);
    let uuids = Uuids::new(facts);
    for result in wrong {
        let call = calls.get(result.call, call_id(facts)).map(|call| &facts.calls[call]);
        let source = facts.source(result).and_then(|source| uuids.get(source));
        sink(Violation::new(
            SOURCE.id,
            facts.place(result.node as usize, "sourceToolAssistantUUID"),
            source_in_words(facts, source, call),
            "the uuid of the assistant record that holds the call",
        ));
    }
}

/// Of each record with a source, the first result whose call the source does not hold.
fn results_with_wrong_source(facts: &Facts) -> Vec<&ResultFact> {
    let held = |call: usize| {
        let call = &facts.calls[call];
        facts.nodes[call.node as usize].uuid().map(|uuid| call.id.with(uuid))
    };
    let index = KeyIndex::new(facts.calls.len(), held);
    let is_wrong = |result: &&ResultFact| {
        facts.source(result).is_some_and(|source| index.get(result.call.with(source), held).is_none())
    };
    let mut wrong: Vec<&ResultFact> = facts.results.iter().filter(is_wrong).collect();
    wrong.dedup_by_key(|result| result.node);
    wrong
}

/// What is wrong with a source.
fn source_in_words(facts: &Facts, source: Option<usize>, call: Option<&CallFact>) -> String {
    let named = match source {
        Some(source) => format!("the source, on line {}, does not hold the call", facts.nodes[source].line),
        None => "no record in this file has the uuid that is named as the source".to_owned(),
    };
    match call {
        Some(call) => format!("{named}; the call is on line {}", facts.nodes[call.node as usize].line),
        None => format!("{named}; the call is not in this file"),
    }
}

const PLACEHOLDER_MARKED: Rule = Rule {
    id: "tool/placeholder-marked",
    title: "no tool result is made up",
    severity: Severity::Warning,
    doc: "\
When a call has no result, a client fills the gap with a `tool_result` whose content is `[Tool result \
missing due to internal error]`, so that the API accepts the request. The tool may well have run; what it \
said is lost.

The session works, but the history now says something that did not happen: it must not be used as training \
data or as a record of what the tool did. The text is matched to the byte, and each such result is reported.",
    example: concat!(
        r#"{"type":"assistant","uuid":"a1","parentUuid":null,"#,
        r#""message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","#,
        r#""id":"toolu_1","name":"Bash","input":{}}]}}"#,
        "\n",
        r#"{"type":"user","uuid":"u1","parentUuid":"a1","#,
        r#""message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","#,
        r#""content":"[Tool result missing due to internal error]","is_error":true}]},"#,
        r#""toolUseResult":"a"}"#,
        "\n",
    )
    .as_bytes(),
    remedy: "Leave the session out of training data; run the tool again if its output matters.",
    sources: &["spec 2.2", "anthropics/claude-code CHANGELOG 2.1.80"],
    judge: Judge::Transcript(placeholder_marked),
};

fn placeholder_marked(facts: &Facts, sink: Sink<'_>) {
    for result in facts.results.iter().filter(|result| result.is_placeholder) {
        sink(Violation::new(
            PLACEHOLDER_MARKED.id,
            facts.block_place(result.node, result.block),
            "the result is the placeholder for one that was lost: this history holds a made-up result, and \
             is not to be used as training data",
            "what the tool really answered",
        ));
    }
}
