//! What is asked of a repair beyond what is wrong.

use turnproof_reference::message::FixedContext;
use turnproof_reference::repair::{Asked, Repair, RepairError, RepairOptions, as_asked, repair_with};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{ResumeOptions, resume};

/// A line of a session with one id, in a folder.
fn line(kind: &str, uuid: &str, parent: Option<&str>, content: &str) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    format!(
        r#"{{"type":"{kind}","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","cwd":"/home/a/b","timestamp":"2026-01-01T00:00:00Z","message":{{"id":"{uuid}","role":"{kind}","content":{content}}}}}"#
    )
}

fn file(lines: &[String]) -> Transcript {
    Transcript::from_bytes(lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect())
}

/// What becomes of a file; a repair after it finds the same.
fn asked(transcript: &Transcript, asked: &[Asked]) -> (String, Repair) {
    let repair = as_asked(transcript, asked).unwrap();
    let whole = repair_with(transcript, &RepairOptions::default(), asked, &mut FixedContext::new(1)).unwrap();
    assert_eq!(String::from_utf8_lossy(&whole.bytes), String::from_utf8_lossy(&repair.bytes));
    let again = as_asked(&Transcript::from_bytes(repair.bytes.clone()), &asked[..0]).unwrap();
    assert!(again.is_unchanged());
    (String::from_utf8(repair.bytes.clone()).unwrap(), repair)
}

fn conversation(text: &str) -> Vec<u64> {
    let found = resume(&Transcript::from_bytes(text.as_bytes().to_vec()), &ResumeOptions::default()).unwrap();
    found.places.iter().map(|place| place.line).collect()
}

/// The content of a line.
fn content(text: &str, uuid: &str) -> serde_json::Value {
    let line = text.lines().find(|line| line.contains(&format!(r#""uuid":"{uuid}""#))).unwrap();
    serde_json::from_str::<serde_json::Value>(line).unwrap()["message"]["content"].take()
}

const IMAGE: &str = r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}"#;

#[test]
fn a_text_stands_for_each_medium_of_the_conversation_also_in_results() {
    let transcript = file(&[
        line("user", "u1", None, &format!(r#"[{{"type":"text","text":"a"}},{IMAGE}]"#)),
        line("assistant", "a1", Some("u1"), r#"[{"type":"tool_use","id":"toolu_1","name":"Read","input":{}}]"#),
        line(
            "user",
            "u2",
            Some("a1"),
            &format!(r#"[{{"type":"tool_result","tool_use_id":"toolu_1","content":[{IMAGE}]}}]"#),
        ),
    ]);
    let (text, repair) = asked(&transcript, &[Asked::Drop("media".parse().unwrap())]);
    assert_eq!(content(&text, "u1")[1], serde_json::json!({"type": "text", "text": "[image dropped]"}));
    assert_eq!(content(&text, "u2")[0]["content"][0]["text"], "[image dropped]");
    let said: Vec<_> = repair.changes.iter().map(|change| (change.line, change.rule, &*change.before)).collect();
    assert_eq!(said, [(1, "--drop", IMAGE.as_bytes()), (3, "--drop", IMAGE.as_bytes())]);
}

#[test]
fn thinking_and_server_tools_become_texts_of_their_turn() {
    let blocks = r#"[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"server_tool_use","id":"srvtoolu_1","name":"advisor","input":{}},{"type":"advisor_tool_result","tool_use_id":"srvtoolu_1","content":[]},{"type":"server_tool_use","id":"srvtoolu_2","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_2","content":[]},{"type":"text","text":"b"}]"#;
    let transcript = file(&[line("user", "u1", None, "\"a\""), line("assistant", "a1", Some("u1"), blocks)]);
    let texts = |what: &str| {
        let text = as_asked(&transcript, &[Asked::Drop(what.parse().unwrap())]).unwrap().bytes;
        let content = content(&String::from_utf8(text).unwrap(), "a1");
        let texts = content.as_array().unwrap().iter().map(|block| block["text"].as_str().unwrap_or("-").to_owned());
        texts.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(texts("thinking"), "[thinking dropped] - - - - b");
    assert_eq!(texts("server-tools=advisor"), "- [call of advisor dropped] [result of advisor dropped] - - b");
    let all = "[call of advisor dropped] [result of advisor dropped] [call of web_search dropped] \
               [result of web_search dropped]";
    assert_eq!(texts("server-tools"), format!("- {all} b"));
    assert!("server".parse::<turnproof_reference::repair::Dropped>().is_err());
}

#[test]
fn references_to_one_tool_are_dropped_and_others_stay() {
    let references = r#"[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"tool_reference","tool_name":"Gone"},{"type":"tool_reference","tool_name":"Here"}]}]"#;
    let transcript = file(&[
        line("user", "u1", None, "\"a\""),
        line("assistant", "a1", Some("u1"), r#"[{"type":"tool_use","id":"toolu_1","name":"ToolSearch","input":{}}]"#),
        line("user", "u2", Some("a1"), references),
    ]);
    let (text, _) = asked(&transcript, &[Asked::Drop("references=Gone".parse().unwrap())]);
    let content = content(&text, "u2");
    assert_eq!(content[0]["content"][0]["text"], "[reference to the tool Gone dropped]");
    assert_eq!(content[0]["content"][1]["tool_name"], "Here");
}

#[test]
fn a_long_result_keeps_its_beginning_and_its_end() {
    let long = format!("begin{}end", "ü".repeat(4_000));
    let result = |content: &str| format!(r#"[{{"type":"tool_result","tool_use_id":"toolu_1","content":{content}}}]"#);
    for content_of in [format!("\"{long}\""), format!(r#"[{{"type":"text","text":"{long}"}}]"#)] {
        let transcript = file(&[
            line("user", "u1", None, "\"a\""),
            line("assistant", "a1", Some("u1"), r#"[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]"#),
            line("user", "u2", Some("a1"), &result(&content_of)),
        ]);
        let (text, _) = asked(&transcript, &[Asked::ShrinkResults(1_000)]);
        let content = &content(&text, "u2")[0]["content"];
        let short = content.as_str().or(content[0]["text"].as_str()).unwrap();
        assert!(short.len() <= 1_000 && short.starts_with("begin") && short.ends_with("end"), "{short}");
        assert!(short.contains("bytes left out]"), "{short}");
        let again = as_asked(&Transcript::from_bytes(text.into_bytes()), &[Asked::ShrinkResults(1_000)]).unwrap();
        assert!(again.is_unchanged());
    }
}

#[test]
fn the_branch_with_a_line_becomes_the_end() {
    let text = |text: &str| format!(r#"[{{"type":"text","text":"{text}"}}]"#);
    let transcript = file(&[
        line("user", "u1", None, "\"a\""),
        line("assistant", "a1", Some("u1"), &text("b")),
        line("user", "u2", Some("a1"), "\"c\""),
        line("assistant", "a2", Some("u2"), r#"[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]"#),
        line("user", "u3", Some("a2"), r#"[{"type":"tool_result","tool_use_id":"toolu_1","content":"d"}]"#),
        line("assistant", "a3", Some("u3"), &text("e")),
        line("user", "u4", Some("a1"), "\"f\""),
        line("assistant", "a4", Some("u4"), &text("g")),
    ]);
    assert_eq!(conversation(&String::from_utf8_lossy(transcript.bytes())), [1, 2, 7, 8]);
    for wanted in 3..=6 {
        let (text, repair) = asked(&transcript, &[Asked::Take(wanted)]);
        assert_eq!(conversation(&text), [1, 2, 5, 6, 7, 8]);
        assert!(text.lines().nth(7).unwrap().contains("\"a3\""));
        assert_eq!(repair.changes.iter().map(|change| change.line).collect::<Vec<_>>(), [3, 4, 5, 6]);
    }
    assert_eq!(as_asked(&transcript, &[Asked::Take(9)]), Err(RepairError::NoSuchMessage { line: 9 }));
}

#[test]
fn one_session_id_and_another_directory_are_given_to_all_records() {
    let mut lines =
        vec![line("user", "u1", None, "\"a\""), line("assistant", "a1", Some("u1"), r#"[{"type":"text","text":"b"}]"#)];
    lines[1] = lines[1].replace(r#""sessionId":"s""#, r#""sessionId":"t""#).replace("/home/a/b", "/home/a/b/c");
    lines.push(r#"{"type":"summary","summary":"a","leafUuid":"a1"}"#.to_owned());
    let (text, repair) = asked(&file(&lines), &[Asked::OneSessionId("s".to_owned()), Asked::MoveTo("/srv".to_owned())]);
    assert_eq!((text.matches(r#""sessionId":"s""#).count(), text.contains(r#""sessionId":"t""#)), (2, false));
    assert!(text.contains(r#""cwd":"/srv","#) && text.contains(r#""cwd":"/srv/c","#), "{text}");
    assert_eq!(repair.changes.len(), 3);
}
