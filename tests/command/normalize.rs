//! `turnproof normalize` as people and pipes use it.

use std::fs;

use crate::call::{run, turnproof};
use crate::transcripts;
use serde_json::{Value, json};
use turnproof_reference::message::Message;
use turnproof_reference::normalize::ui::ungroup;

fn normalize(arguments: &[&str], input: &str) -> (i32, String, String) {
    run(turnproof(&["normalize"]).args(arguments).write_stdin(input))
}

const SESSION: &str = r#"{"type":"summary","summary":"a","leafUuid":"r1"}
{"type":"user","uuid":"u1","message":{"role":"user","content":"list the files"}}
{"type":"assistant","uuid":"a1","message":{"id":"msg_1","role":"assistant","content":[{"type":"text","text":"On it."}]}}
{"type":"assistant","uuid":"a2","message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}}
{"type":"progress","toolUseID":"toolu_1","data":{}}
{"type":"user","uuid":"r1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a b"}]}}
"#;

#[test]
fn a_transcript_becomes_a_request_with_a_turn_a_line() {
    let (code, out, error) = normalize(&["--for", "api", "-"], SESSION);
    assert_eq!((code, error.as_str()), (0, "turnproof: messages without a chain: 5 of 5, in file order\n"));
    let turns: Vec<Value> = serde_json::from_str(&out).unwrap();
    let roles: Vec<&str> = turns.iter().map(|turn| turn["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert_eq!(turns[1]["content"].as_array().unwrap().len(), 2);
    assert_eq!(out.lines().count(), 5);
}

#[test]
fn an_array_of_messages_gives_the_same_as_a_transcript() {
    let messages: Vec<&str> = SESSION.lines().skip(1).collect();
    let array = format!(" [{}]", messages.join(",\n"));
    let (code, out, error) = normalize(&["--for", "api", "-"], &array);
    assert_eq!((code, &out), (0, &normalize(&["--for", "api", "-"], SESSION).1));
    assert_eq!(error, "turnproof: an array: 5 of 5 elements are messages\n");
}

#[test]
fn a_field_of_a_wrong_type_costs_no_message_and_standard_error_names_it() {
    let odd = SESSION
        .replace(r#""uuid":"u1","#, r#""uuid":"u1","permissionMode":7,"#)
        .replace(r#""id":"msg_1","#, r#""id":"msg_1","usage":{"input_tokens":"12"},"#)
        .replace(r#""content":"a b"}"#, r#""content":"a b","is_error":"no"}"#);
    let (code, out, error) = normalize(&["--for", "api", "-"], &odd);
    assert_eq!((code, out), (0, normalize(&["--for", "api", "-"], SESSION).1));
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(
        lines,
        [
            "turnproof: line 2: `permissionMode` should be a string, not number: 7; it counts as missing",
            r#"turnproof: line 3: `message.usage.input_tokens` should be a number, not string: "12"; it counts as missing"#,
            r#"turnproof: line 4: `message.usage.input_tokens` should be a number, not string: "12"; it counts as missing"#,
            r#"turnproof: line 6: `message.content[0].is_error` should be true or false, not string: "no"; it counts as missing"#,
            "turnproof: messages without a chain: 5 of 5, in file order",
        ]
    );
    let shown =
        |input: &str| -> Vec<Value> { serde_json::from_str(&normalize(&["--for", "ui", "-"], input).1).unwrap() };
    let (odd, plain) = (shown(&odd), shown(SESSION));
    assert_eq!(odd.len(), plain.len());
    assert_eq!((&odd[0]["permissionMode"], &odd[1]["message"]["usage"]["input_tokens"]), (&7.into(), &"12".into()));
}

#[test]
fn the_trace_says_message_by_message_what_happened_and_leaves_the_request_alone() {
    let (_, plain, _) = normalize(&["--for", "api", "-"], SESSION);
    let (code, out, trace) = normalize(&["--for", "api", "--trace", "-"], SESSION);
    assert_eq!((code, out), (0, plain));
    let line = |number: &str| trace.lines().find(|line| line.trim_start().starts_with(number)).unwrap();
    assert!(line("2 ").contains("regroup replies: joined to 1"), "{trace}");
    assert!(line("3 ").contains("drop internal: dropped (progress)"), "{trace}");
    assert!(line("4 ").contains("tool_result toolu_1") && line("4 ").trim_end().ends_with('2'), "{trace}");
}

#[test]
fn the_trace_can_be_read_by_programs_a_stage_a_line() {
    let (_, _, trace) = normalize(&["--for", "api", "--trace", "--format", "json", "-"], SESSION);
    let mut steps: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let taken = steps.remove(0);
    assert_eq!(taken, json!({"taking": "lines", "messages": 5, "of": 5, "not_found": null}));
    assert_eq!(steps.len(), turnproof_reference::normalize::api::STAGES.len());
    let dropped = steps.iter().find(|step| step["stage"] == "drop internal").unwrap();
    assert_eq!((&dropped["before"], &dropped["after"]), (&5.into(), &4.into()));
    assert_eq!(dropped["notes"][0]["message"], 3);
}

#[test]
fn a_ui_gets_one_message_a_block_in_the_order_of_the_story() {
    let (code, out, _) = normalize(&["--for", "ui", "-"], SESSION);
    let messages: Vec<Value> = serde_json::from_str(&out).unwrap();
    let uuids: Vec<&str> = messages.iter().map(|message| message["uuid"].as_str().unwrap_or("-")).collect();
    assert_eq!((code, uuids), (0, vec!["u1", "a1", "a2", "r1", "-"]));
}

/// Three calls that read, in two replies, two calls of `Bash` in one reply, and a meta message.
const CALLS: &str = r#"{"type":"user","uuid":"u1","isMeta":true,"message":{"role":"user","content":"for the model"}}
{"type":"assistant","uuid":"a1","message":{"id":"msg_1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Grep","input":{}}]}}
{"type":"user","uuid":"r1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a"}]}}
{"type":"assistant","uuid":"a2","message":{"id":"msg_2","role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Read","input":{}}]}}
{"type":"assistant","uuid":"a3","message":{"id":"msg_3","role":"assistant","content":[{"type":"tool_use","id":"t3","name":"Bash","input":{}}]}}
{"type":"assistant","uuid":"a4","message":{"id":"msg_3","role":"assistant","content":[{"type":"tool_use","id":"t4","name":"Bash","input":{}}]}}
{"type":"user","uuid":"r4","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t4","content":"b"}]}}
"#;

#[test]
fn folding_makes_groups_and_loses_nothing() {
    let list = |arguments: &[&str], input: &str| -> Vec<Message> {
        let (code, out, error) = normalize(arguments, input);
        assert_eq!((code, error.as_str()), (0, ""));
        serde_json::from_str(&out).unwrap()
    };
    let plain = list(&["--for", "ui", "-q", "-"], CALLS);
    let folded = list(&["--for", "ui", "-q", "--fold", "-"], CALLS);
    let kinds: Vec<&str> = folded.iter().map(|message| message.kind().name()).collect();
    assert_eq!(kinds, ["user", "grouped_tool_use", "grouped_tool_use"]);
    assert_eq!(ungroup(ungroup(folded)), plain);
}

#[test]
fn a_bridge_gets_no_meta_message_and_no_group() {
    let uuids = |arguments: &[&str], input: &str| -> Vec<String> {
        let (code, out, _) = normalize(arguments, input);
        let list: Vec<Value> = serde_json::from_str(&out).unwrap();
        assert_eq!(code, 0);
        list.iter().map(|message| message["uuid"].as_str().unwrap().to_owned()).collect()
    };
    let expected = ["a1", "r1", "a2", "a3", "a4", "r4"];
    assert_eq!(uuids(&["--for", "bridge", "-"], CALLS), expected);
    let (_, folded, _) = normalize(&["--for", "ui", "--fold", "-"], CALLS);
    assert_eq!(uuids(&["--for", "bridge", "-"], &folded), expected);
}

#[test]
fn an_estimate_counts_what_the_request_sends_and_leaves_it_alone() {
    let (_, plain, _) = normalize(&["--for", "api", "-"], SESSION);
    let (code, out, error) = normalize(&["--for", "api", "-q", "--estimate", "-"], SESSION);
    assert_eq!((code, out), (0, plain));
    // "list the files" 4, "On it." 2, the call 20 + 1, the result 10 + 1.
    assert_eq!(error, "turnproof: the request has about 38 tokens\n");
    let (_, _, error) = normalize(&["--for", "api", "-q", "--estimate", "--context", "A crate.", "-"], SESSION);
    assert_eq!(error, "turnproof: the request has about 40 tokens\n");
}

#[test]
fn options_change_the_request() {
    let (_, out, _) = normalize(&["--for", "api", "--context", "A crate.", "-"], SESSION);
    let turns: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!(turns[0]["content"][0]["text"], "A crate.");

    let search = r#"[{"type":"assistant","message":{"role":"assistant","content":[
        {"type":"text","text":"a"},
        {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},
        {"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}}]"#;
    let blocks = |arguments: &[&str], input: &str| {
        let (_, out, _) = normalize(arguments, input);
        serde_json::from_str::<Value>(&out).unwrap()[1]["content"].as_array().unwrap().len()
    };
    assert_eq!(blocks(&["--for", "api", "-"], search), 3);
    assert_eq!(blocks(&["--for", "api", "--tool", "web_search", "-"], search), 3);
    assert_eq!(blocks(&["--for", "api", "--tool", "Bash", "-"], search), 1);
    let open = search
        .replace(",\n        {\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\",\"content\":[]}", "");
    assert_eq!(blocks(&["--for", "api", "-"], &open), 1);
    assert_eq!(blocks(&["--for", "api", "--profile", "anthropic", "-"], &open), 2);
}

#[test]
fn what_is_left_out_is_reported_and_the_rest_is_normalized() {
    let input = format!("garbage\n{{\"type\":\"user\",\"message\":7}}\n{SESSION}");
    let (code, out, error) = normalize(&["--for", "api", "-"], &input);
    assert_eq!(code, 0);
    assert!(error.contains("bytes 0..7") && error.contains("line 2: `message` should be an object"), "{error}");
    assert_eq!(serde_json::from_str::<Vec<Value>>(&out).unwrap().len(), 3);

    let (_, out, error) =
        normalize(&["--for", "ui", "-"], r#"[{"type":"summary"},7,{"type":"user","message":{"content":"a"}}]"#);
    assert!(error.contains("element 0 is no message") && error.contains("element 1"), "{error}");
    assert_eq!(serde_json::from_str::<Vec<Value>>(&out).unwrap().len(), 1);
}

#[test]
fn nothing_gives_an_empty_list() {
    let (code, out, error) = normalize(&["--for", "api", "-"], "");
    assert_eq!((code, out.as_str()), (0, "[]\n"));
    assert!(error.contains("no message"), "{error}");
}

#[test]
fn a_wrong_call_is_exit_code_2() {
    for arguments in [
        &["-"][..],
        &["--for", "mars", "-"],
        &["--for", "api"],
        &["--for", "api", "/no/such/file"],
        &["--for", "api", "--fold", "-"],
        &["--for", "ui", "--estimate", "-"],
    ] {
        let (code, out, error) = normalize(arguments, SESSION);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!error.is_empty());
    }
    let (code, _, error) = normalize(&["--for", "api", "-"], "[1,");
    assert_eq!(code, 2);
    assert!(error.contains("JSON array"), "{error}");
}

#[test]
fn real_transcripts_give_requests_that_every_host_takes() {
    let mut files = transcripts::files();
    files.sort_by_key(|path| std::cmp::Reverse(fs::metadata(path).unwrap().len()));
    for path in files.iter().take(10) {
        let (code, request, _) = normalize(&["--for", "api", "--trace", path.to_str().unwrap()], "");
        assert_eq!(code, 0);
        for profile in ["portable", "anthropic", "bedrock-converse", "bedrock-invoke", "vertex"] {
            let mut check = turnproof(&["check", "--request", "--profile", profile, "-"]);
            let (code, output, _) = run(check.write_stdin(request.clone()));
            assert_eq!(code, 0, "{} under {profile}: {output}", path.display());
        }
    }
}

/// A prompt that was taken back, a branch beside it, a subagent, and a record of another session at the end.
const BRANCHED: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"One."}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Two."}]}}
{"type":"user","uuid":"x1","parentUuid":null,"isSidechain":true,"agentId":"x","sessionId":"s1","message":{"role":"user","content":"Look."}}
{"type":"assistant","uuid":"y1","parentUuid":"x1","isSidechain":true,"agentId":"x","sessionId":"s1","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Seen."}]}}
{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"s1","message":{"role":"user","content":"Never mind."}}
{"type":"summary","summary":"a","leafUuid":"a1"}
{"type":"user","uuid":"u3","parentUuid":"a1","sessionId":"s2","message":{"role":"user","content":"Three."}}
"#;

/// The texts of a request.
fn texts(request: &str) -> Vec<String> {
    let turns: Vec<Value> = serde_json::from_str(request).unwrap();
    let blocks = turns.iter().flat_map(|turn| turn["content"].as_array().unwrap());
    blocks.map(|block| block["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn of_a_transcript_the_conversation_is_taken_and_standard_error_says_how_much_that_is() {
    let (code, out, error) = normalize(&["--for", "api", "-"], BRANCHED);
    assert_eq!((code, texts(&out)), (0, ["One.", "Two.", "Three."].map(str::to_owned).to_vec()));
    assert!(error.starts_with("turnproof: a transcript: 3 of 6 messages come back"), "{error}");
    assert!(error.contains("--in-file-order") && error.contains("resume --explain"), "{error}");
    assert_eq!(error.lines().count(), 1);

    let (_, resumed, _) = run(turnproof(&["resume", "-q", "-"]).write_stdin(BRANCHED));
    let (_, again, error) = normalize(&["--for", "api", "-"], &resumed);
    assert_eq!(
        (again, error.as_str()),
        (out, "turnproof: a transcript: 3 of 3 messages come back in its conversation\n")
    );
}

#[test]
fn all_messages_of_a_transcript_are_taken_in_file_order_when_that_is_asked() {
    let (code, out, error) = normalize(&["--for", "api", "--in-file-order", "-"], BRANCHED);
    let all = ["One.", "Two.", "Look.", "Seen.", "Never mind.", "Three."];
    assert_eq!((code, texts(&out)), (0, all.map(str::to_owned).to_vec()));
    assert_eq!(error, "turnproof: a transcript: 6 of 6 messages, in file order\n");
}

#[test]
fn a_file_a_stream_a_ui_and_a_bridge_take_the_same_messages() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    fs::write(&file, BRANCHED).unwrap();
    for whom in ["api", "ui", "bridge"] {
        let of_stream = normalize(&["--for", whom, "-"], BRANCHED);
        assert_eq!(normalize(&["--for", whom, file.to_str().unwrap()], ""), of_stream);
        assert!(of_stream.2.contains("3 of 6"), "{}", of_stream.2);
        assert!(!of_stream.1.contains("Never mind."), "{}", of_stream.1);
    }
}

#[test]
fn a_long_session_gives_the_same_request_with_a_trace_and_without() {
    let said = |number: usize| {
        let prompt = json!({"type": "user", "uuid": format!("u{number}"), "message": {"content": number.to_string()}});
        let reply = json!({"id": format!("msg_{number}"), "content": [{"type": "text", "text": "Yes."}]});
        let reply = json!({"type": "assistant", "uuid": format!("a{number}"), "message": reply});
        format!("{prompt}\n{reply}\n")
    };
    let mut session: String = (0..4000).map(said).collect();
    session += &json!({"type": "tombstone", "message": {"uuid": "a3000"}}).to_string();
    session = session.replace("Yes.", "Yes, halves: \\ud83d");
    let (code, out, error) = normalize(&["--for", "api", "--estimate", "-"], &session);
    let turns: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!((code, turns.len()), (0, 7998));
    let (_, whole, traced) = normalize(&["--for", "api", "--estimate", "--trace", "--format", "json", "-"], &session);
    assert!(out == whole);
    assert_eq!(error.lines().last(), traced.lines().last());
}

#[test]
fn programs_are_told_what_was_taken_and_nobody_is_when_it_shall_be_quiet() {
    let taken = |arguments: &[&str], input: &str| -> Value {
        let (_, _, error) = normalize(arguments, input);
        serde_json::from_str(&error).unwrap()
    };
    let arguments = ["--for", "api", "--format", "json", "-"];
    let conversation = json!({"taking": "conversation", "messages": 3, "of": 6, "not_found": null});
    assert_eq!(taken(&arguments, BRANCHED), conversation);
    let all = json!({"taking": "file-order", "messages": 6, "of": 6, "not_found": null});
    assert_eq!(taken(&["--for", "api", "--format", "json", "--in-file-order", "-"], BRANCHED), all);
    let array = json!({"taking": "array", "messages": 0, "of": 0, "not_found": null});
    assert_eq!(taken(&arguments, "[]"), array);
    for input in [BRANCHED, SESSION, "[]", ""] {
        assert_eq!(normalize(&["--for", "api", "-q", "-"], input).2, "");
    }
}

#[test]
fn where_there_is_no_conversation_all_messages_are_taken_and_standard_error_says_why() {
    let subagent: String =
        BRANCHED.lines().filter(|line| line.contains("agentId")).map(|line| format!("{line}\n")).collect();
    let (code, out, error) = normalize(&["--for", "api", "-"], &subagent);
    assert_eq!((code, texts(&out)), (0, ["Look.", "Seen."].map(str::to_owned).to_vec()));
    assert!(error.starts_with("turnproof: there is no conversation to resume: all messages of the file"), "{error}");
    assert!(error.ends_with("turnproof: a transcript: 2 of 2 messages, in file order\n"), "{error}");
}

#[test]
fn messages_that_name_no_other_are_taken_as_they_stand() {
    let list: String = BRANCHED
        .lines()
        .map(|line| line.replace(r#""parentUuid":"u1""#, r#""parentUuid":null"#))
        .map(|line| line.replace(r#""parentUuid":"a1""#, r#""parentUuid":null"#))
        .map(|line| line.replace(r#""parentUuid":"x1""#, r#""parentUuid":null"#) + "\n")
        .collect();
    let (code, out, error) = normalize(&["--for", "api", "-"], &list);
    assert_eq!((code, texts(&out).len()), (0, 6));
    assert_eq!(error, "turnproof: messages without a chain: 6 of 6, in file order\n");
}

#[test]
fn of_real_transcripts_the_same_is_taken_as_a_resume_gives_back() {
    for path in transcripts::files() {
        let path = path.to_str().unwrap();
        let (code, out, error) = normalize(&["--for", "api", "--format", "json", path], "");
        let taken = error.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok()).unwrap_or_default();
        if code == 0 && taken["taking"] == "conversation" {
            let (_, resumed, _) = run(&mut turnproof(&["resume", "-q", path]));
            let (_, again, _) = normalize(&["--for", "api", "-q", "--in-file-order", "-"], &resumed);
            assert_eq!(again, out, "{path}");
        }
    }
}

/// A session that notes its requests.
const NOTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/samples/sent.jsonl");

#[test]
fn the_request_of_the_client_ends_with_the_prompt_that_resumes_it() {
    let (code, out, _) = normalize(&["--for", "api", "--as-client", "--prompt", "go on", NOTED], "");
    let turns: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!((code, turns.last()), (0, Some(&json!({"role": "user", "content": "go on"}))));
    let unfinished = SESSION.replace("list the files", "please");
    let (_, out, _) = normalize(&["--for", "api", "--as-client", "--prompt", "go on", "-"], &unfinished);
    let turns: Vec<Value> = serde_json::from_str(&out).unwrap();
    assert_eq!(turns[3]["content"][0]["text"], "No response requested.");
}

#[test]
fn a_whole_body_has_the_system_prompt_and_the_tools_of_the_last_request() {
    for more in [&[][..], &["--as-client"]] {
        let (code, out, _) = run(turnproof(&["normalize", "--for", "api", "--whole", NOTED]).args(more));
        let body: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, body["tools"][0]["name"].is_string(), body["model"].is_string()), (0, true, true), "{out}");
        assert_eq!(body["messages"].as_array().map(Vec::len), Some(4), "{out}");
    }
    let (code, _, error) = normalize(&["--for", "api", "--whole", "-"], SESSION);
    assert!(code == 2 && error.contains("notes no request"), "{error}");
    let (code, _, error) = normalize(&["--for", "ui", "--whole", "-"], SESSION);
    assert!(code == 2 && error.contains("--for api"), "{error}");
}
