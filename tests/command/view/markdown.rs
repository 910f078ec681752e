//! A session as *Markdown*: another reader finds the same structure, whatever the session holds.

use std::fs;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use serde_json::json;

use super::attached::{HOSTILE, chain, reply, user};
use crate::call::{run, turnproof};

fn markdown(path: &Path) -> String {
    let (code, out, error) = run(&mut turnproof(&["view", "--format", "md", path.to_str().unwrap()]));
    assert_eq!((code, error.as_str()), (0, ""), "{}", path.display());
    out
}

fn of(session: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    fs::write(&path, session).unwrap();
    markdown(&path)
}

/// The code and the headings of a document that holds no markup but that of folded parts, loads no picture, and leads
/// nowhere but to `http`.
fn harmless(document: &str) -> (Vec<String>, Vec<String>) {
    let is_plain = |character: char| !character.is_control() || matches!(character, '\n' | '\t');
    assert!(document.chars().all(is_plain));
    assert!(!document.contains(['\u{202e}', '\u{200f}', '\u{2028}', '\u{feff}']));
    let (mut codes, mut headings, mut depth, mut quotes) = (Vec::new(), Vec::new(), 0, 0);
    let (mut code, mut heading) = (None, None);
    for event in Parser::new_ext(document, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
        match event {
            Event::Html(markup) | Event::InlineHtml(markup) => {
                for line in markup.lines() {
                    match line {
                        "<details>" => depth += 1,
                        "</details>" => depth -= 1,
                        "" => {}
                        _ => {
                            let inner = line.strip_prefix("<summary>").and_then(|rest| rest.strip_suffix("</summary>"));
                            assert!(inner.is_some_and(|inner| !inner.contains(['<', '>'])), "{line}");
                        }
                    }
                }
                assert!((0..=1).contains(&depth));
            }
            Event::Start(Tag::Image { dest_url, .. }) => panic!("it loads {dest_url}"),
            Event::Start(Tag::Link { dest_url, .. }) => assert!(dest_url.starts_with("http"), "{dest_url}"),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => code = Some(String::new()),
            Event::End(TagEnd::CodeBlock) => codes.extend(code.take()),
            Event::Start(Tag::BlockQuote(_)) => quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => quotes -= 1,
            Event::Start(Tag::Heading { .. }) if quotes == 0 => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => headings.extend(heading.take()),
            Event::Text(text) | Event::Code(text) => {
                code.iter_mut().chain(&mut heading).for_each(|open| open.push_str(&text));
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    (codes, headings)
}

#[test]
fn turns_are_headings_and_calls_and_results_are_code() {
    let call = json!([{"type": "text", "text": "See:\n\n```rust\nlet a: Vec<u8>;\n```\n"},
        {"type": "tool_use", "id": "t1", "name": "Write", "input": {"path": "a.md", "content": "```\nx\n````\ny"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "`````\nwritten"}]);
    let reminder = json!({"type": "attachment", "attachment": {"type": "date"}, "rendered": [{"content": "Friday"}]});
    let document = of(&chain(&[user(json!("Write it.")), reminder, reply(call), user(result)]));
    let (codes, headings) = harmless(&document);
    let expected = ["Friday\n", "let a: Vec<u8>;\n", "path: a.md\n", "```\nx\n````\ny\n", "`````\nwritten\n"];
    assert_eq!(codes, expected, "{document}");
    let turns = ["user, line 1, 2026-01-01 00:00:00", "assistant, line 3, 2026-01-01 00:00:00"];
    assert!(headings.ends_with(&turns.map(str::to_owned)), "{headings:?}");
    assert!(document.contains("<summary>what the model was sent: date</summary>"));
    assert!(document.contains("**Result of `Write`** `t1`, line 4"), "{document}");
    assert!(document.contains("> Write it."));
}

#[test]
fn what_was_before_a_compaction_comes_first_and_is_marked() {
    let document = markdown(Path::new("tests/sessions/two-boundaries.jsonl"));
    let (_, headings) = harmless(&document);
    let at = |title: &str| headings.iter().position(|heading| heading.starts_with(title));
    assert!(at("Before the last compaction").unwrap() < at("compaction").unwrap(), "{headings:?}");
    assert!(at("compaction").unwrap() < at("The conversation").unwrap(), "{headings:?}");
}

#[test]
fn pictures_are_named_by_type_and_size() {
    let picture = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}});
    let document = of(&chain(&[user(json!([picture]))]));
    harmless(&document);
    assert!(document.contains("*image* `image/png` of about 3 bytes"), "{document}");
}

#[test]
fn hostile_texts_stay_in_their_place() {
    let links = "![x](http://evil/x.png) \\![y](//evil) [z](javascript:alert(1)) [a]: javascript:1\n\n[a]\n<b>`<i>`";
    let fences =
        "- ```js\n  <script>\n~~~ <x>\n<script>\n~~~~\n   ```` `\n<u>\n    ```\n<s>\n> ```\n<q>\n\t```\n`` <t> `";
    for evil in [HOSTILE, links, fences, "</summary></details>\n\n# x\n\n<details>", "a\n===\n`", "````````\n<script>"]
    {
        let hook = json!({"type": "attachment", "attachment": {"type": format!("hook_{evil}"), "hookName": evil,
            "toolUseID": evil, "x": evil}});
        let reminder = json!({"type": "attachment", "attachment": {"type": evil}, "rendered": [{"content": evil}]});
        let kind = json!({"type": "system", "subtype": evil, "content": evil, "timestamp": evil});
        let call = json!({"type": "tool_use", "id": evil, "name": evil, "input": {evil: evil, "n": {evil: evil}}});
        let picture = json!({"type": "image", "source": {"type": evil, "media_type": evil, "data": evil, "url": evil}});
        let result =
            json!({"type": "tool_result", "tool_use_id": evil, "content": [{"type": "text", "text": evil}, picture]});
        let mut denied = user(json!([result]));
        denied["toolDenialKind"] = json!(evil);
        let thought = json!({"type": "thinking", "thinking": evil});
        let said = reply(json!([{"type": "text", "text": evil}, thought, call, {"type": evil, "x": evil}]));
        let records = [user(json!(evil)), reminder, said, denied, hook, kind];
        let document = of(&(chain(&records) + &json!({"type": evil, "x": evil}).to_string() + "\n"));
        let (codes, headings) = harmless(&document);
        let is_own = |heading: &&String| heading.contains(", line ");
        assert_eq!(headings.iter().filter(is_own).count(), 3, "{headings:?}\n{document}");
        assert!(codes.len() >= 6, "{document}");
    }
}

#[test]
fn every_stored_session_gives_the_same_harmless_document_each_time() {
    for entry in walkdir::WalkDir::new("tests/sessions").sort_by_file_name() {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            let document = markdown(&path);
            harmless(&document);
            assert_eq!(document, markdown(&path), "{}", path.display());
        }
    }
}

#[test]
fn a_long_text_is_cut_and_says_so() {
    let document = of(&chain(&[user(json!("x".repeat(200_000)))]));
    assert!(document.contains("bytes left out") && document.len() < 70_000, "{}", document.len());
}
