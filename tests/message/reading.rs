//! *Reading* events from text and bytes: what is read, what is refused, and what it costs in memory.

use turnproof_reference::json::{JsonType, Raw};
use turnproof_reference::message::{Block, Entry, Event, Maybe, Message, Typed};

/// The member that nobody knows of an event.
fn unknown<'e>(event: &'e Event, name: &str) -> Option<&'e Raw> {
    match event {
        Event::Message(Message::User(user)) => user.extra.get(name),
        _ => None,
    }
}

fn user(members: &str) -> String {
    format!(r#"{{"type":"user",{members}}}"#)
}

#[test]
fn an_event_is_read_as_serde_json_reads_it_errors_and_all() {
    let texts = [
        "",
        "1",
        "{}",
        "[]",
        r#"{"type":"novelty"}"#,
        r#"{"type":7}"#,
        r#"{"type":"user""#,
        r#"{"type":"user"} x"#,
        r#"{"type":"user",}"#,
        r#"{"type":"user","n":-}"#,
        r#"{"type":"user","n":1e}"#,
        r#"{"type":"user","s":"\u12"#,
        r#"{"type":"user","s":"\ud83d"}"#,
        r#" { "type" : "user" , "uuid" : "u" } "#,
        r#"{"type":"system","type":"user","uuid":1,"uuid":"u","content":2}"#,
        r#"{"\u0074ype":"user","\u0075uid":"u","typf":1}"#,
        r#"{"type":"us\u0065r"}"#,
        r#"{"type":"assistant","message":{"content":[{"text":"a","type":"text"},{"type":"tool_use"},7,{}]}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"advisor_tool_result","tool_use_id":"t"}],"usage":7}}"#,
    ];
    for text in texts {
        let expected = serde_json::from_str::<Event>(text).map_err(|error| error.to_string());
        assert_eq!(Event::read(text).map_err(|error| error.to_string()), expected, "{text}");
        assert_eq!(Event::read_slice(text.as_bytes()).map_err(|error| error.to_string()), expected, "{text}");
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_no_event() {
    let bytes = b"{\"type\":\"user\",\"uuid\":\"\xFF\"}";
    let expected = serde_json::from_slice::<Event>(bytes).unwrap_err();
    assert_eq!(Event::read_slice(bytes).unwrap_err().to_string(), expected.to_string());
}

#[test]
fn a_quote_a_backslash_and_a_control_character_are_found_wherever_they_stand() {
    for length in 0..150 {
        // The letters are such as have the highest bit too.
        let text: String = "aé€".chars().cycle().take(length).collect();
        let plain = user(&format!(r#""a":"{text}","b":7"#));
        let event = Event::read(&plain).unwrap();
        assert_eq!(unknown(&event, "a").unwrap().get(), format!("\"{text}\""));
        assert_eq!(unknown(&event, "b").unwrap().json_type(), JsonType::Number);
        for (at, _) in text.char_indices() {
            let (before, after) = text.split_at(at);
            let escaped = user(&format!(r#""uuid":"{before}\n{after}""#));
            let uuid = Event::read(&escaped).unwrap().envelope().uuid.clone();
            assert_eq!(uuid.as_str(), Some(&*format!("{before}\n{after}")));
            assert!(Event::read(&user(&format!("\"uuid\":\"{before}\n{after}\""))).is_err(), "{length} {at}");
            assert!(Event::read(&user(&format!(r#""uuid":"{before}"{after}""#))).is_err(), "{length} {at}");
        }
    }
}

#[test]
fn a_name_that_shares_its_hash_with_type_is_not_taken_for_it() {
    // Made for the hash that names have: a collision that no session will bring.
    let other = r#""qzwehego@+;;^aHe":"system""#;
    for members in [
        format!(r#"{other},"type":"user""#),
        format!(r#""type":"user",{other}"#),
        format!(r#""type":"system",{other},"\u0074ype":"user",{other}"#),
    ] {
        let event = Event::read(&format!("{{{members}}}")).unwrap();
        assert!(matches!(event, Event::Message(Message::User(_))), "{members}: {event:?}");
        assert_eq!(unknown(&event, "qzwehego@+;;^aHe").unwrap().get(), r#""system""#);
    }
    let error = Event::read(&format!("{{{other}}}")).unwrap_err().to_string();
    assert!(error.contains("should be an object with the `type` of an event"), "{error}");
}

#[test]
fn an_event_is_written_as_it_was_read_however_long_it_is() {
    // Up to 4 KiB the texts of an event share its memory.
    for length in [0, 1, 22, 23, 24, 25, 100, 3_000, 3_960, 3_970, 3_980, 3_990, 4_000, 4_096, 5_000, 70_000] {
        let text = "é".repeat(length / 2) + "x".repeat(length % 2).as_str();
        let json = user(&format!(
            r#""uuid":"{text}","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{text}","content":["{text}"]}}]}},"novelty":"{text}""#
        ));
        for event in [Event::read(&json).unwrap(), Event::read_list(&format!(" [{json},{json}]")).unwrap().remove(1)] {
            assert_eq!(event.envelope().uuid.as_str(), Some(&*text));
            assert_eq!(event.to_json().len(), json.len());
            assert_eq!(Entry::Event(event.clone()), serde_json::from_str(&json).unwrap());
            assert_eq!(serde_json::from_str::<Event>(&event.to_json()).unwrap(), event);
        }
    }
}

#[test]
fn a_text_that_is_kept_does_not_keep_a_large_message() {
    let large =
        user(&format!(r#""uuid":"5b3f0a52-7d1e-4c1b-9f0a-0d8c6c1e2a77","toolUseResult":"{}""#, "a".repeat(1 << 20)));
    let list = format!("[{},{large}]", user(r#""uuid":"0d8c6c1e-7d1e-4c1b-9f0a-5b3f0a522a77""#));
    let mut kept = Vec::new();
    let memory = allocation_counter::measure(|| {
        kept.extend(Event::read(&large).unwrap().envelope().uuid.get().cloned());
        kept.extend(Event::read_list(&list).unwrap().iter().filter_map(|event| event.envelope().uuid.get().cloned()));
    });
    assert_eq!(kept.len(), 3);
    assert!(memory.bytes_current < 8_192, "{} bytes are kept", memory.bytes_current);
}

#[test]
fn reading_asks_for_memory_once_a_block_and_not_once_a_text() {
    let id = "5b3f0a52-7d1e-4c1b-9f0a-0d8c6c1e2a77";
    let reply = |blocks: usize, more: &str| {
        let block = format!(r#"{{"type":"tool_use","id":"toolu_{id}","name":"Bash","input":{{"command":"{id}"}}}}"#);
        let blocks = vec![block; blocks].join(",");
        format!(r#"{{"type":"assistant","message":{{"content":[{blocks}]}},"uuid":"{id}"{more}}}"#)
    };
    let count = |json: &str| {
        Event::read(json).unwrap();
        allocation_counter::measure(|| drop(Event::read(json).unwrap())).count_total
    };
    let more = format!(r#","sessionId":"{id}","parentUuid":"{id}","cwd":"{id}","requestId":"{id}""#);
    assert_eq!(count(&reply(1, "")), count(&reply(1, &more)));
    assert_eq!(count(&reply(1, "")) + 3, count(&reply(4, "")));
}

#[test]
fn elements_of_a_list_keep_their_own_types() {
    let list =
        Event::read_list(r#"[{"message":{"content":[{"type":"text","text":"a"}]},"type":"assistant"}]"#).unwrap();
    let [Event::Message(Message::Assistant(reply))] = &list[..] else { panic!("{list:?}") };
    let [Block::Text(text)] = reply.content().unwrap().blocks() else { panic!("{reply:?}") };
    assert_eq!(text.text.as_str(), Some("a"));
    assert_eq!(reply.envelope.uuid, Maybe::Absent);
}
