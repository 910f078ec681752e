//! *Mistakes*: each right request is changed in every way below, and the rule named beside it must report that.

use serde_json::{Value, json};

use super::build::{PLACEHOLDER, Pair, attached, case, text, verdict};
use super::pairs;

/// A request with one mistake, and the rules that must report it.
struct Mistake {
    what: String,
    request: Value,
    rules: &'static [&'static str],
}

#[test]
fn each_mistake_in_a_right_request_is_reported_by_the_rule_that_it_breaks() {
    let mut count = 0;
    let mut missed = Vec::new();
    for pair in pairs() {
        for Mistake { what, request, rules } in mistakes(&pair) {
            let case = case(&pair.messages, pair.context, &request);
            let silent = rules.iter().filter(|rule| !verdict(rule, &case).is_broken());
            missed.extend(silent.map(|rule| format!("{}: {what}: {rule} holds: {request}", pair.name)));
            count += 1;
        }
    }
    assert!(missed.is_empty(), "{} missed\n{}", missed.len(), missed.join("\n"));
    assert!(count > 1000, "{count}");
}

#[test]
fn a_lost_block_is_reported_with_its_place_in_the_messages() {
    let pair = pairs()
        .into_iter()
        .find(|pair| pair.name == "a tombstone withdraws each earlier line with its uuid, not a later one");
    let mut pair = pair.expect("a pair");
    pair.request[1]["content"].as_array_mut().expect("blocks").pop();
    let verdict = verdict("normalize/conserves", &case(&pair.messages, None, &pair.request));
    let turnproof_rules::rules::Verdict::Broken(violations) = verdict else { panic!("{verdict:?}") };
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].place.to_string(), "messages.5.content.0");
}

#[test]
fn each_block_that_must_go_and_stays_is_reported() {
    let mut count = 0;
    for pair in pairs() {
        let sent = pair.request.to_string();
        for (message, event) in pair.messages.as_array().expect("messages").iter().enumerate() {
            for block in event["message"]["content"].as_array().into_iter().flatten() {
                let role = event["type"].as_str().expect("a type");
                // Blocks whose id or input is changed on the way would look like new ones.
                let is_plain = block["type"] == "text" || block["type"] == "image" || block["type"] == "document";
                let is_sent = sent.contains(block["text"].as_str().unwrap_or("\u{0}").trim_end());
                if !is_plain || is_sent || sent.contains(&block.to_string()) {
                    continue;
                }
                let mut request = pair.request.clone();
                request.as_array_mut().expect("turns").push(json!({"role": role, "content": [block]}));
                let verdict = verdict("normalize/conserves", &case(&pair.messages, pair.context, &request));
                assert!(verdict.is_broken(), "{}: message {message}: {block}", pair.name);
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

/// Every mistake that can be made in the pair's request.
fn mistakes(pair: &Pair) -> Vec<Mistake> {
    let mut mistakes = Vec::new();
    let mut add = |what: String, request: Value, rules| mistakes.push(Mistake { what, request, rules });
    for (turn, block, value) in blocks(&pair.request) {
        let at = |what| format!("{what} {turn}.{block}");
        let is_context = (turn, block) == (0, 0) && pair.context.is_some_and(|context| value["text"] == context);
        let rule: Option<&[&str]> = match value["type"].as_str().expect("a type") {
            _ if is_context => Some(&["normalize/context"]),
            "thinking" | "redacted_thinking" => None,
            _ if is_made(&value) => None,
            _ => Some(&["normalize/conserves"]),
        };
        if let Some(rules) = rule {
            add(at("drop"), edit(&pair.request, turn, |blocks| drop(blocks.remove(block))), rules);
        }
        let doubled = edit(&pair.request, turn, |blocks| blocks.insert(block, value.clone()));
        add(
            at("double"),
            doubled,
            match value["type"].as_str().expect("a type") {
                _ if is_context => &["normalize/context"],
                "thinking" | "redacted_thinking" => &["thinking/unmodified"],
                // When the messages have such a text too, a made one looks the same.
                _ if is_said(pair, &value) => &["normalize/conserves"],
                _ if is_made(&value) => &["normalize/no-invention"],
                _ => &["normalize/conserves"],
            },
        );
        for (what, changed, rules) in changes(&value) {
            if is_context || is_made(&value) {
                continue;
            }
            add(at(what), edit(&pair.request, turn, |blocks| blocks[block] = changed), rules);
        }
        for other in 0..block {
            if let Some(rules) = swap_breaks(pair, turn, other, block) {
                add(at("swap"), edit(&pair.request, turn, |blocks| blocks.swap(other, block)), rules);
            }
        }
        let invented = edit(&pair.request, turn, |blocks| blocks.insert(block, text("Continue.")));
        add(at("invent before"), invented, &["normalize/no-invention"]);
    }
    add("swap turns".to_owned(), swap_turns(&pair.request), &["normalize/keeps-order"]);
    mistakes.retain(|mistake| mistake.request != pair.request);
    mistakes
}

/// A block with something changed in it, and the rules that must report it.
fn changes(block: &Value) -> Vec<(&'static str, Value, &'static [&'static str])> {
    const BOTH: &[&str] = &["normalize/conserves", "normalize/no-invention"];
    let change = |name: &str, value: Value| {
        let mut block = block.clone();
        block[name] = value;
        block
    };
    match block["type"].as_str().expect("a type") {
        "text" if inside(block).is_some() => vec![
            ("unwrap the text", text(inside(block).unwrap_or_default()), &["normalize/wraps-attachments"]),
            ("leave the wrapper open", text("<system-reminder>\nof it"), BOTH),
            ("say something else", attached("of it"), BOTH),
        ],
        "text" => {
            let text = format!("{}.", block["text"].as_str().expect("text"));
            vec![("change the text", change("text", text.into()), BOTH)]
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => vec![
            ("change the input", change("input", json!({"other": 1})), BOTH),
            ("change the name", change("name", "Other".into()), BOTH),
        ],
        "tool_result" => vec![
            ("change the content", change("content", "other".into()), BOTH),
            ("rename the result", change("tool_use_id", "toolu_other".into()), BOTH),
        ],
        "thinking" => {
            vec![("change the thinking", change("thinking", "other".into()), &["thinking/unmodified"])]
        }
        "image" | "document" => vec![("change the source", change("source", json!({})), BOTH)],
        "redacted_thinking" => {
            vec![("change the data", change("data", "x".into()), &["thinking/unmodified"])]
        }
        _ => {
            let name = if block.get("tool_use_id").is_some() { "tool_use_id" } else { "file_id" };
            vec![("change what it is about", change(name, "other".into()), BOTH)]
        }
    }
}

/// What the tags of a text enclose.
fn inside(block: &Value) -> Option<&str> {
    block["text"].as_str()?.strip_prefix("<system-reminder>\n")?.strip_suffix("\n</system-reminder>")
}

/// The rule that two blocks of a turn in each other's place break, if they do.
fn swap_breaks(pair: &Pair, turn: usize, one: usize, other: usize) -> Option<&'static [&'static str]> {
    let [one, other] = [one, other].map(|block| pair.request[turn]["content"][block].clone());
    let is_result = |block: &Value| block["type"] == "tool_result";
    let count = |block: &Value| blocks(&pair.request).iter().filter(|(_, _, other)| other == block).count();
    let is_refused_form = pair.name.contains("refuse");
    let is_plain = count(&one) == 1 && count(&other) == 1 && !is_made(&one) && !is_made(&other);
    // Results before other blocks are for `pairing/results-first`; the white space at the end of
    // the last words is removed by their place.
    let is_asked = is_result(&one) == is_result(&other) && pair.context.is_none() && !is_refused_form;
    let is_trimmed = pair.name.starts_with("the last words");
    // Where in its reply a call is, is free.
    let is_call = |block: &Value| block["type"] == "tool_use";
    let is_asked = is_asked && is_call(&one) == is_call(&other);
    (is_plain && is_asked && !is_trimmed).then_some(&["normalize/keeps-order"])
}

/// The request with the first texts of two turns in each other's place.
fn swap_turns(request: &Value) -> Value {
    let texts: Vec<_> = blocks(request)
        .into_iter()
        .filter(|(_, _, block)| block["type"] == "text" && block["text"] != "(no content)" && block["text"] != "ctx")
        .collect();
    let user = |turn: usize| request[turn]["role"] == "user";
    let mut swapped = request.clone();
    let Some((turn, block, value)) = texts.iter().find(|(turn, _, _)| user(*turn)) else { return swapped };
    if let Some((later, at, other)) =
        texts.iter().find(|(later, _, other)| user(*later) && later > turn && other != value)
    {
        swapped[*turn]["content"][*block] = other.clone();
        swapped[*later]["content"][*at] = value.clone();
    }
    swapped
}

/// Whether this is a text that is made, and the messages have it too.
fn is_said(pair: &Pair, block: &Value) -> bool {
    let is_in_messages = |text: &str| pair.messages.to_string().contains(text);
    is_made(block) && block["text"].as_str().is_some_and(is_in_messages)
}

/// Whether normalization made the block itself, or might have.
fn is_made(block: &Value) -> bool {
    block["content"] == PLACEHOLDER || block["text"] == "(no content)" || block["text"] == "ctx"
}

fn blocks(request: &Value) -> Vec<(usize, usize, Value)> {
    let turns = request.as_array().expect("turns").iter().enumerate();
    turns
        .flat_map(|(turn, value)| {
            let blocks = value["content"].as_array().expect("blocks").iter().enumerate();
            blocks.map(move |(block, value)| (turn, block, value.clone()))
        })
        .collect()
}

fn edit(request: &Value, turn: usize, change: impl FnOnce(&mut Vec<Value>)) -> Value {
    let mut request = request.clone();
    change(request[turn]["content"].as_array_mut().expect("blocks"));
    request
}
