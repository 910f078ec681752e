//! Which messages are written.

use serde_json::{Value, json};
use turnproof_reference::transcript::write::{Held, MemoryDisk, RecordError, Recorder, RecorderOptions};

use super::build::*;

/// One of each kind and flag that is never written.
fn ephemeral() -> Vec<Value> {
    let mut hidden = user("hidden");
    hidden["isVirtual"] = json!(true);
    vec![
        hidden,
        json!({"type": "progress", "uuid": "p1", "toolUseID": "toolu_1", "data": {"type": "bash_progress"}}),
        json!({"type": "progress", "data": {"type": "without a uuid"}}),
        json!({"type": "tombstone", "uuid": "t1", "message": {"uuid": "a1"}}),
        json!({"type": "tool_use_summary", "uuid": "s1", "summary": "Read a file", "precedingToolUseIds": []}),
        json!({"type": "grouped_tool_use", "uuid": "g1", "toolName": "Read", "messages": [], "results": []}),
        json!({"type": "stream_event", "uuid": "e1", "event": {"type": "ping"}}),
        json!({"type": "stream_request_start"}),
    ]
}

fn persisted() -> Vec<Value> {
    vec![
        user("u1"),
        assistant("a1"),
        json!({"type": "system", "subtype": "informational", "uuid": "y1", "content": "notice"}),
        json!({"type": "attachment", "uuid": "h1", "attachment": {"type": "file"}}),
        json!({"type": "hook_result", "uuid": "k1", "content": "ok"}),
    ]
}

#[test]
fn the_five_persisted_kinds_are_written_in_list_order() {
    let lines = written(&mut recorder(), &persisted());
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "y1<a1", "h1<y1", "k1<h1"]);
}

#[test]
fn what_passes_by_is_as_if_it_were_not_in_the_list() {
    let expected = {
        let mut recorder = recorder();
        let tip = record(&mut recorder, &persisted());
        recorder.flush().unwrap();
        (tip, recorder.into_disk().into_bytes())
    };
    let mut list = ephemeral();
    for message in persisted() {
        list.push(message);
        list.extend(ephemeral());
    }
    let mut recorder = recorder();
    let tip = record(&mut recorder, &list);
    recorder.flush().unwrap();
    assert_eq!((tip, recorder.into_disk().into_bytes()), expected);
}

#[test]
fn a_list_of_what_passes_by_has_no_tip_and_writes_nothing() {
    let mut recorder = recorder();
    assert_eq!(record(&mut recorder, &ephemeral()), None);
    assert_eq!(recorder.queued(), 0);
    recorder.flush().unwrap();
    assert_eq!(recorder.disk().bytes(), b"");
}

#[test]
fn a_message_without_a_uuid_is_an_error_that_names_its_place_and_nothing_is_queued() {
    for without in [
        json!({"type": "assistant", "message": {"role": "assistant", "content": []}}),
        json!({"type": "assistant", "uuid": null, "message": {"role": "assistant", "content": []}}),
    ] {
        let mut list = ephemeral();
        list.extend([user("u1"), without, user("u2")]);
        let mut recorder = recorder();
        let error = recorder.record(&events(&list)).unwrap_err();
        let place = ephemeral().len() + 1;
        assert!(matches!(error, RecordError::NoUuid { index, kind: "assistant" } if index == place), "{error}");
        assert!(error.to_string().contains(&format!("message {place} of the list")), "{error}");
        assert_eq!(recorder.queued(), 0);
        assert!(!recorder.is_recorded("u1"));
        assert_eq!(record(&mut recorder, &[user("u1")]).as_deref(), Some("u1"));
    }
}

#[test]
fn a_uuid_that_waits_or_is_written_is_not_written_again() {
    let mut recorder = recorder();
    let list = [user("u1"), assistant("a1")];
    record(&mut recorder, &list);
    record(&mut recorder, &list);
    assert_eq!(recorder.queued(), 2);
    assert_eq!(written(&mut recorder, &list).len(), 2);
    let file = recorder.disk().bytes().to_vec();
    assert_eq!(record(&mut recorder, &list).as_deref(), Some("a1"));
    assert_eq!(recorder.queued(), 0);
    recorder.flush().unwrap();
    assert_eq!(recorder.disk().bytes(), file);
}

#[test]
fn a_uuid_twice_in_one_list_is_written_once_in_its_last_form() {
    let mut last = user("u1");
    last["message"]["content"] = json!("last");
    let lines = written(&mut recorder(), &[user("u1"), assistant("a1"), last, assistant("a2")]);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1", "a2<a1"]);
    assert_eq!(lines[0]["message"]["content"], "last");
}

#[test]
fn the_uuids_of_all_records_of_a_resumed_file_are_recorded() {
    let file = b"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}\n\
        {\"type\":\"progress\",\"uuid\":\"p1\",\"parentUuid\":\"u1\"}\n\
        {\"type\":\"novelty\",\"uuid\":\"n1\"}\n\
        {\"type\":\"assistant\",\"uuid\":\"a1\",\"parentUuid\":\"p1\"}\n\
        {\"type\":\"user\",\"uuid\":\"x1\",\"isSidechain\":true}\n";
    let mut recorder = going_on(file);
    for uuid in ["u1", "p1", "n1", "a1", "x1"] {
        assert!(recorder.is_recorded(uuid), "{uuid}");
    }
    let tip = record(&mut recorder, &[user("u1"), assistant("a1"), user("u2"), user("n1"), user("x1")]);
    assert_eq!(tip.as_deref(), Some("u2"));
    recorder.flush().unwrap();
    let added = &recorder.disk().bytes()[file.len()..];
    assert_eq!(chain(&lines(added)), ["u2<a1"]);
    assert!(recorder.disk().bytes().starts_with(file));
}

#[test]
fn the_last_message_of_a_file_is_a_link_of_the_chain_and_a_subagents_only_if_there_is_no_other() {
    let last = |file: &str| Held::read(file.as_bytes()).unwrap().last.map(|uuid| uuid.as_str().to_owned());
    let own = "{\"type\":\"user\",\"uuid\":\"u1\"}\n";
    let subagents = "{\"type\":\"user\",\"uuid\":\"x1\",\"isSidechain\":true}\n";
    let others =
        "{\"type\":\"progress\",\"uuid\":\"p1\"}\n{\"type\":\"novelty\",\"uuid\":\"n1\"}\n{\"type\":\"user\"}\n";
    assert_eq!(last(&[own, subagents, others].concat()).as_deref(), Some("u1"));
    assert_eq!(last(&[subagents, others].concat()).as_deref(), Some("x1"));
    assert_eq!(last(others), None);
    assert_eq!(last(""), None);
}

#[test]
fn a_torn_record_of_a_resumed_file_is_not_recorded_but_a_whole_one_without_its_line_end_is() {
    let whole = b"{\"type\":\"user\",\"uuid\":\"u1\",\"parentUuid\":null}";
    assert!(going_on(whole).is_recorded("u1"));
    assert!(!going_on(&whole[..whole.len() - 1]).is_recorded("u1"));
}

#[test]
fn the_message_given_last_is_written_while_it_waits_and_not_after() {
    let mut recorder = recorder();
    let mut streamed = assistant("a1");
    streamed["message"]["stop_reason"] = json!(null);
    record(&mut recorder, &[user("u1"), streamed.clone()]);
    streamed["message"]["stop_reason"] = json!("end_turn");
    streamed["message"]["usage"] = json!({"output_tokens": 7});
    let lines = written(&mut recorder, &[user("u1"), streamed.clone()]);
    assert_eq!(chain(&lines), ["u1<-", "a1<u1"]);
    assert_eq!(lines[1]["message"]["stop_reason"], "end_turn");
    assert_eq!(lines[1]["message"]["usage"]["output_tokens"], 7);

    let file = recorder.disk().bytes().to_vec();
    streamed["message"]["stop_reason"] = json!("too late");
    written(&mut recorder, &[user("u1"), streamed]);
    assert_eq!(recorder.disk().bytes(), file);
}

#[test]
fn what_a_message_does_not_have_is_added_and_what_it_has_is_kept() {
    let options = RecorderOptions {
        cwd: Some("/work".into()),
        version: Some("9.9".into()),
        git_branch: Some("main".into()),
        user_type: Some("external".into()),
        is_sidechain: Some(false),
        agent_id: Some("agent-1".into()),
        ..RecorderOptions::new("s1")
    };
    let mut own = assistant("a1");
    for (name, value) in [
        ("sessionId", json!("other")),
        ("cwd", json!("/elsewhere")),
        ("version", json!("1.0")),
        ("gitBranch", json!("topic")),
        ("userType", json!("internal")),
        ("isSidechain", json!(true)),
        ("agentId", json!("agent-2")),
    ] {
        own[name] = value;
    }
    let mut with_null = user("u2");
    with_null["gitBranch"] = json!(null);
    let mut recorder = Recorder::new(MemoryDisk::default(), options);
    let lines = written(&mut recorder, &[user("u1"), own.clone(), with_null]);
    let added = json!({
        "sessionId": "s1", "cwd": "/work", "version": "9.9", "gitBranch": "main", "userType": "external",
        "isSidechain": false, "agentId": "agent-1", "parentUuid": null
    });
    let mut expected = user("u1");
    expected.as_object_mut().unwrap().extend(added.as_object().unwrap().clone());
    assert_eq!(lines[0], expected);
    own["parentUuid"] = json!("u1");
    assert_eq!(lines[1], own);
    assert_eq!(lines[2]["gitBranch"], "main");
}

#[test]
fn without_options_nothing_but_session_and_parent_is_added() {
    let lines = written(&mut recorder(), &[user("u1")]);
    let mut expected = user("u1");
    expected["sessionId"] = json!(SESSION);
    expected["parentUuid"] = json!(null);
    assert_eq!(lines, [expected]);
}
