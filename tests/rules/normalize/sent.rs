//! A block as it is *sent*: without the client's own members, and with a content and an input of the right form. Blocks
//! of messages and of requests are compared in this form.

use serde_json::{Value, json};

use super::build::{at, call, case, found, reply, result, text, user, ut, verdict};
use crate::ui::alike::values;

/// Whether a request with this block holds what messages with the other block say.
fn is_conserved(kind: &str, given: &Value, sent: &Value) -> bool {
    let answer = match kind {
        "server_tool_use" => Some(found("srvtoolu_1")),
        "mcp_tool_use" => {
            Some(json!({"type": "mcp_tool_result", "tool_use_id": "srvtoolu_1", "is_error": false, "content": []}))
        }
        _ => None,
    };
    let spoken = |block: &Value| [vec![block.clone()], Vec::from_iter(answer.clone())].concat();
    let (messages, request) = match kind {
        "tool_use" => {
            let answer = || vec![result("t1", "r")];
            (
                json!([user("a"), reply(spoken(given)), user(answer())]),
                json!([ut(vec![text("a")]), at(spoken(sent)), ut(answer())]),
            )
        }
        "server_tool_use" | "mcp_tool_use" => (
            json!([user("a"), reply(spoken(given)), user("b")]),
            json!([ut(vec![text("a")]), at(spoken(sent)), ut(vec![text("b")])]),
        ),
        _ => (
            json!([user("a"), reply(vec![call("t1")]), user(spoken(given))]),
            json!([ut(vec![text("a")]), at(vec![call("t1")]), ut(spoken(sent))]),
        ),
    };
    let case = case(&messages, None, &request);
    !verdict("normalize/conserves", &case).is_broken() && !verdict("normalize/no-invention", &case).is_broken()
}

/// Inputs of calls: as given, as sent in a call of the client's tools, as sent in other calls.
const INPUTS: [[&str; 3]; 5] = [
    ["", r#","input":{}"#, r#","input":{}"#],
    [r#","input":{}"#; 3],
    [r#","input":{"_a":1}"#; 3],
    [r#","input":null"#, r#","input":{"input":null}"#, r#","input":{}"#],
    [r#","input":"{}""#, r#","input":{"input":"{}"}"#, r#","input":{"input":"{}"}"#],
];

/// Contents of results: as given, as sent.
const CONTENTS: [[&str; 2]; 10] = [
    [""; 2],
    [r#","content":"a""#; 2],
    [r#","content":null"#, ""],
    [r#","content":[]"#, ""],
    [r#","content":[1]"#, ""],
    [r#","content":[{"type":"text","text":"a"}]"#; 2],
    [
        r#","content":[{"type":"text","text":" "},{"type":"text","text":"a"}]"#,
        r#","content":[{"type":"text","text":"a"}]"#,
    ],
    [r#","content":[{"type":"text","text":"a","isMeta":true}]"#, r#","content":[{"type":"text","text":"a"}]"#],
    [r#","content":[{"type":"image"}]"#, ""],
    [r#","content":[{"type":"image","source":{"type":"url"}}]"#, ""],
];

/// Members that each block may have.
const CACHES: [&str; 6] = [
    r#","cache_control":null"#,
    r#","cache_control":{"type":"ephemeral"}"#,
    r#","cache_control":{"type":"ephemeral","ttl":"5m"}"#,
    r#","cache_control":{"type":"ephemeral","ttl":"1h"}"#,
    r#","cache_control":{"type":"of_tomorrow"}"#,
    r#","cache_control":{"type":"of_tomorrow","a":1}"#,
];

/// Blocks of a kind with one more member, each as given and as sent.
fn blocks(kind: &str) -> Vec<[Value; 2]> {
    let needed = match kind {
        "text" => r#","text":"a""#,
        "tool_use" => r#","id":"t1","name":"n""#,
        "server_tool_use" => r#","id":"srvtoolu_1","name":"web_search""#,
        "mcp_tool_use" => r#","id":"srvtoolu_1","name":"n","server_name":"s""#,
        "tool_result" => r#","tool_use_id":"t1""#,
        _ => r#","source":{"type":"url","url":"a"}"#,
    };
    let inputs = INPUTS.map(|[given, of_client, of_server]| match kind {
        "tool_use" => [given, of_client].map(str::to_owned),
        "server_tool_use" | "mcp_tool_use" => [given, of_server].map(str::to_owned),
        _ => [given.to_owned(), String::new()],
    });
    let no_input = if kind.ends_with("tool_use") { r#","input":{}"# } else { "" };
    let contents = CONTENTS.map(|[given, sent]| {
        let sent = if kind == "tool_result" { sent } else { "" };
        [given.to_owned(), format!("{sent}{no_input}")]
    });
    let block = |more: &str| serde_json::from_str(&format!(r#"{{"type":"{kind}"{needed}{more}}}"#)).unwrap();
    let own = ["", r#","uuid":"u""#, r#","_a":1"#, r#","aB":1"#];
    let legal = CACHES.map(|cache| [format!("{no_input}{cache}"), format!("{no_input}{cache}")]);
    let all = inputs.into_iter().chain(contents).chain(legal);
    all.flat_map(|[given, sent]| own.map(|own| [block(&format!("{given}{own}")), block(&sent)])).collect()
}

/// A block with the text of its content, when that is a list of one text block.
fn by_meaning(block: &Value) -> Value {
    let mut block = block.clone();
    let only = match block["content"].as_array().map(Vec::as_slice) {
        Some([only]) if only["type"] == "text" && only.as_object().is_some_and(|it| it.len() == 2) => {
            Some(only["text"].clone())
        }
        _ => None,
    };
    if let Some(text) = only {
        block["content"] = text;
    }
    if block["is_error"] == false {
        block.as_object_mut().unwrap().remove("is_error");
    }
    block
}

#[test]
fn a_block_is_compared_in_the_form_in_which_it_is_sent() {
    let mut counts = [0, 0];
    for kind in ["text", "tool_use", "server_tool_use", "mcp_tool_use", "tool_result", "image", "document"] {
        let blocks = blocks(kind).into_iter().map(|[given, sent]| (by_meaning(&sent), given, sent));
        let blocks: Vec<_> = blocks.collect();
        for (means, given, sent) in &blocks {
            counts[usize::from(given == sent)] += 1;
            for (other_means, other, other_sent) in blocks.iter().step_by(4).chain(blocks.iter().skip(1).step_by(4)) {
                let is_same = means == other_means;
                assert_eq!(is_conserved(kind, given, other), is_same, "{given} and {other}");
                assert_eq!(is_conserved(kind, given, other_sent), is_same, "{given} and {other_sent}");
                assert_eq!(is_conserved(kind, other, given), is_same, "{other} and {given}");
            }
        }
    }
    assert!(counts.into_iter().all(|count| count > 50), "{counts:?}");
}

#[test]
fn inputs_are_the_same_when_their_texts_are() {
    let block = |value: &Value| json!({"type": "tool_use", "id": "t1", "name": "n", "input": {"value": value}});
    for one in &values() {
        for other in &values() {
            let texts = [one, other].map(ToString::to_string);
            assert_eq!(is_conserved("tool_use", &block(one), &block(other)), texts[0] == texts[1], "{one} and {other}");
        }
    }
}
