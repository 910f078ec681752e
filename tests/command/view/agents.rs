//! *Subagents* on the page of a session: those in files of their own are folded on it, and their calls lead there.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::attached::{HOSTILE, chain, reply, user};
use super::{harmless, page_of, section};
use crate::markup::Element;

/// A session with a subagent in a file of its own; gives its path.
fn session(folder: &Path, description: &str, said: &str) -> std::path::PathBuf {
    let call = json!([{"type": "tool_use", "id": "t1", "name": "Agent", "input": {"prompt": "look"}}]);
    let mut result = user(json!([{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]));
    result["toolUseResult"] = json!({"agentId": "abc"});
    let path = folder.join("s.jsonl");
    fs::write(&path, chain(&[user(json!("hi")), reply(call), result])).unwrap();
    let below = folder.join("s/subagents");
    fs::create_dir_all(&below).unwrap();
    let of_agent = |mut record: Value| {
        record["agentId"] = json!("abc");
        record["isSidechain"] = json!(true);
        record
    };
    let records = [of_agent(user(json!("look"))), of_agent(reply(json!([{"type": "text", "text": said}])))];
    fs::write(below.join("agent-abc.jsonl"), chain(&records)).unwrap();
    let note = json!({"agentType": "Explore", "description": description, "toolUseId": "t1"});
    fs::write(below.join("agent-abc.meta.json"), note.to_string()).unwrap();
    path
}

fn links(elements: &[Element]) -> Vec<&str> {
    elements.iter().filter_map(|element| Some(element.attributes.get("href")?.as_str())).collect()
}

#[test]
fn a_subagent_in_a_file_of_its_own_is_folded_on_the_page_and_its_call_leads_there() {
    let folder = tempfile::tempdir().unwrap();
    let text = page_of(&session(folder.path(), HOSTILE, HOSTILE));
    let elements = harmless(&text);
    let part = section(&elements, "agent-file-1");
    for said in ["Subagent </details>", "Explore", "called at line 2", "agent-abc.jsonl", "</div><script>"] {
        assert!(part.text.contains(said), "{said}: {}", part.text);
    }
    assert!(elements.iter().any(|it| it.name == "details" && it.section.as_deref() == Some("agent-file-1")));
    // From the contents, and from the call.
    assert_eq!(links(&elements).iter().filter(|link| **link == "#agent-file-1").count(), 2);
    assert!(elements.iter().any(|it| it.attributes.get("id").is_some_and(|id| id == "agent-file-1-L2")));
}

#[test]
fn a_note_that_cannot_be_read_takes_nothing_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = session(folder.path(), "x", "found it");
    fs::write(folder.path().join("s/subagents/agent-abc.meta.json"), "{").unwrap();
    let elements = harmless(&page_of(&path));
    assert!(section(&elements, "agent-file-1").text.contains("Subagent abc"));
    // The result of the call names it, too.
    assert_eq!(links(&elements).iter().filter(|link| **link == "#agent-file-1").count(), 2);
}

#[test]
fn a_result_leads_to_a_subagent_in_the_same_file() {
    let mut result = user(json!([{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]));
    result["toolUseResult"] = json!({"agentId": "abc"});
    let call = reply(json!([{"type": "tool_use", "id": "t1", "name": "Agent", "input": {}}]));
    let side = json!({"type": "user", "uuid": "x", "parentUuid": null, "sessionId": "s", "isSidechain": true,
        "agentId": "abc", "message": {"role": "user", "content": "look"}});
    let records = chain(&[user(json!("hi")), call, result]) + &side.to_string() + "\n";
    let elements = harmless(&super::page("s.jsonl", records));
    assert_eq!(links(&elements).iter().filter(|link| **link == "#agent-1").count(), 2);
}
