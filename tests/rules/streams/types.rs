//! Members of unexpected *types*: they count as missing and stay (SPEC 2.4), or the rules say nothing about them; the
//! reference breaks no rule.

use turnproof_suite::fuzzing::ACCUMULATE;
use turnproof_suite::fuzzing::mutate::words::EVENT_TYPES;

/// Values of each type, and some that are known to be read in more than one way.
const VALUES: &str =
    r#"null true 1 -0.5 1e400 "" "a" "\ud800" [] [{"type":"text","text":"b"}] {} {"model":"b","output_tokens":2}"#;

const START: &str = r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"a","content":[],"usage":{"output_tokens":1}}}"#;
const BLOCK: &str = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}"#;
const BLOCK_STOP: &str = r#"{"type":"content_block_stop","index":0}"#;
const STOP: &str = r#"{"type":"message_stop"}"#;

/// Holds the law of the target `accumulate`, which judges by all rules on streams.
fn holds(events: &[&str]) {
    let sent: String = events.iter().map(|json| format!("data: {json}\n\n")).collect();
    eprintln!("{sent}");
    ACCUMULATE.hold(sent.as_bytes());
}

#[test]
fn a_member_of_any_type_in_a_block_breaks_no_rule() {
    let types = ["text", "tool_use", "thinking", "image", "tool_result", "fallback", "compaction", "b"];
    let names = "type text citations id name input thinking signature data \
                 source title context tool_use_id is_error content to"
        .split(' ');
    for kind in types {
        for name in names.clone() {
            for value in VALUES.split(' ') {
                let block = format!(r#"{{"type":"{kind}","{name}":{value}}}"#);
                let given = START.replace(r#""content":[]"#, &format!(r#""content":[{block}]"#));
                holds(&[&given, STOP]);
                let begun = format!(r#"{{"type":"content_block_start","index":0,"content_block":{block}}}"#);
                holds(&[START, &begun, BLOCK_STOP, STOP]);
            }
        }
    }
}

#[test]
fn a_member_of_any_type_in_a_delta_breaks_no_rule() {
    let pairs = [
        ("text", "text_delta", "text"),
        ("tool_use", "input_json_delta", "partial_json"),
        ("text", "citations_delta", "citation"),
        ("thinking", "thinking_delta", "thinking"),
        ("thinking", "signature_delta", "signature"),
        ("compaction", "compaction_delta", "content"),
        ("compaction", "compaction_delta", "encrypted_content"),
        ("text", "text_delta", "type"),
        ("b", "b", "text"),
    ];
    for (block, kind, name) in pairs {
        for before in VALUES.split(' ') {
            for value in VALUES.split(' ') {
                let begun = format!(
                    r#"{{"type":"content_block_start","index":0,"content_block":{{"type":"{block}","{name}":{before}}}}}"#
                );
                let delta = format!(
                    r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"{kind}","{name}":{value}}}}}"#
                );
                holds(&[START, &begun, &delta, BLOCK_STOP, STOP]);
            }
        }
    }
}

#[test]
fn a_member_of_any_type_in_a_message_or_late_breaks_no_rule() {
    let names = "id type role model content stop_reason stop_sequence stop_details container \
                 context_management b"
        .split(' ');
    for name in names {
        for value in VALUES.split(' ') {
            let given = START.replace(r#""content":[]"#, &format!(r#""content":[],"{name}":{value}"#));
            let late = format!(r#"{{"type":"message_delta","delta":{{"{name}":{value}}}}}"#);
            let beside = format!(
                r#"{{"type":"message_delta","delta":{{"{name}":null}},"{name}":{value},"usage":{{"output_tokens":3}}}}"#
            );
            holds(&[&given, BLOCK, BLOCK_STOP, STOP]);
            holds(&[START, BLOCK, BLOCK_STOP, &late, STOP]);
            holds(&[&given, BLOCK, BLOCK_STOP, &beside, &late, STOP]);
        }
    }
}

#[test]
fn a_member_of_any_type_in_usage_breaks_no_rule() {
    let names = ["output_tokens", "server_tool_use", "service_tier", "cache_creation", "iterations", "b"];
    for name in names {
        for value in VALUES.split(' ') {
            let usage = format!(r#""usage":{{"{name}":{value}}}"#);
            let given = START.replace(r#""usage":{"output_tokens":1}"#, &usage);
            let late = format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},{usage}}}"#);
            holds(&[&given, BLOCK, BLOCK_STOP, STOP]);
            holds(&[START, BLOCK, BLOCK_STOP, &late, STOP]);
        }
    }
}

#[test]
fn a_member_of_any_type_in_an_event_breaks_no_rule_wherever_it_comes() {
    let names = ["type", "message", "index", "content_block", "delta", "usage", "error"];
    for kind in EVENT_TYPES.iter().chain(&["b"]) {
        for name in names {
            for value in VALUES.split(' ') {
                let odd = format!(r#"{{"type":"{kind}","index":0,"{name}":{value}}}"#);
                holds(&[&odd, START, BLOCK, &odd, BLOCK_STOP, &odd, STOP, &odd]);
                holds(&[&odd]);
                holds(&[START, &odd, STOP]);
                holds(&[START, BLOCK, &odd, BLOCK_STOP, STOP]);
            }
        }
    }
}

#[test]
fn an_input_of_any_depth_breaks_no_rule() {
    let call = BLOCK.replace(r#"{"type":"text","text":"a"}"#, r#"{"type":"tool_use","id":"t","name":"b"}"#);
    for depth in [1, 99, 100, 101, 119, 120, 121, 122, 123, 124, 126, 127, 128, 129, 200] {
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        let piece = format!(r#"{{"type":"input_json_delta","partial_json":"{open}{close}"}}"#);
        let delta = format!(r#"{{"type":"content_block_delta","index":0,"delta":{piece}}}"#);
        holds(&[START, &call, &delta, BLOCK_STOP, STOP]);
    }
}
