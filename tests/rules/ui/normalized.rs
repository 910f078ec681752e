//! Right splits, and the mistakes that are made in splitting.

use serde_json::{Value, json};
use turnproof_rules::operation::{Given, UiNormalized};

use super::{broken_by_split, given};

/// Ids that look like those of clients.
const A: &str = "aaaaaaaa-0000-4000-8000-aaaaaaaaaaaa";
const B: &str = "bbbbbbbb-0000-4000-8000-bbbbbbbbbbbb";
const C: &str = "cccccccc-0000-4000-8000-cccccccccccc";

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn image(name: &str) -> Value {
    json!({"type": "image", "source": {"data": name}})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}})
}

fn message(kind: &str, uuid: &str, content: Value) -> Value {
    json!({"type": kind, "uuid": uuid, "sessionId": "s", "message": {"role": kind, "content": content}})
}

/// A message with one block.
fn one(kind: &str, uuid: &str, block: Value) -> Value {
    message(kind, uuid, json!([block]))
}

/// The message with another member.
fn with(mut message: Value, name: &str, value: Value) -> Value {
    message[name] = value;
    message
}

fn without(mut message: Value, name: &str) -> Value {
    message.as_object_mut().unwrap().remove(name);
    message
}

fn part(uuid: &str, index: &str) -> String {
    format!("{}{index:0>12}", uuid.chars().take(24).collect::<String>())
}

fn system(uuid: &str) -> Value {
    json!({"type": "system", "subtype": "informational", "uuid": uuid, "content": "a"})
}

/// Messages, and what they must become.
fn right() -> Vec<(Value, Value)> {
    let two = || json!([text("b"), text("c")]);
    let seventeen: Vec<Value> = (0..17).map(|n| text(&n.to_string())).collect();
    let parts: Vec<Value> = (0..17).map(|n| one("user", &part(A, &format!("{n:x}")), text(&n.to_string()))).collect();
    vec![
        (json!([message("user", A, json!("a"))]), json!([one("user", A, text("a"))])),
        (json!([message("user", A, json!(""))]), json!([one("user", A, text(""))])),
        (json!([one("assistant", A, call("toolu_1"))]), json!([one("assistant", A, call("toolu_1"))])),
        // From the first split on, and not before.
        (
            json!([message("user", A, json!("a")), message("assistant", B, two()), message("user", C, json!("d"))]),
            json!([
                one("user", A, text("a")),
                one("assistant", &part(B, "0"), text("b")),
                one("assistant", &part(B, "1"), text("c")),
                one("user", &part(C, "0"), text("d")),
            ]),
        ),
        // Others pass, with their ids, also after a split.
        (
            json!([message("user", A, two()), system(B), {"type": "progress", "uuid": C, "data": {"type": "x"}}]),
            json!([
                one("user", &part(A, "0"), text("b")),
                one("user", &part(A, "1"), text("c")),
                system(B),
                {"type": "progress", "uuid": C, "data": {"type": "x"}},
            ]),
        ),
        // Nothing to show.
        (json!([message("user", A, json!([])), system(B)]), json!([system(B)])),
        (json!([message("user", A, json!(null)), {"type": "user", "uuid": B}, system(C)]), json!([system(C)])),
        (
            json!([{"type": "assistant", "uuid": A, "message": {}}, message("user", B, json!("a"))]),
            json!([one("user", B, text("a"))]),
        ),
        // Events that pass by.
        (
            json!([
                {"type": "tombstone", "message": {"uuid": A}}, message("user", A, json!("a")),
                {"type": "stream_event", "event": {}}, {"type": "stream_request_start"},
                {"type": "tool_use_summary", "summary": "a"}, system(B),
            ]),
            json!([one("user", A, text("a")), system(B)]),
        ),
        // Ids that are missing, short, or not ASCII.
        (
            json!([without(message("user", A, two()), "uuid")]),
            json!([without(one("user", A, text("b")), "uuid"), without(one("user", A, text("c")), "uuid")]),
        ),
        (
            json!([message("user", "u1", two())]),
            json!([one("user", "u1000000000000", text("b")), one("user", "u1000000000001", text("c"))]),
        ),
        (
            json!([message("user", "ünïcödé-ünïcödé-ünïcödé-ünïcödé", two())]),
            json!([
                one("user", "ünïcödé-ünïcödé-ünïcödé-000000000000", text("b")),
                one("user", "ünïcödé-ünïcödé-ünïcödé-000000000001", text("c")),
            ]),
        ),
        (json!([message("user", A, json!(seventeen))]), json!(parts)),
        // Pasted images.
        (
            json!([with(
                message("user", A, json!([image("x"), text("b"), image("y"), image("z")])),
                "imagePasteIds",
                json!([7, 8])
            )]),
            json!([
                with(one("user", &part(A, "0"), image("x")), "imagePasteIds", json!([7])),
                one("user", &part(A, "1"), text("b")),
                with(one("user", &part(A, "2"), image("y")), "imagePasteIds", json!([8])),
                one("user", &part(A, "3"), image("z")),
            ]),
        ),
        (
            json!([with(one("user", A, image("x")), "imagePasteIds", json!([7, 8]))]),
            json!([with(one("user", A, image("x")), "imagePasteIds", json!([7]))]),
        ),
        (
            json!([with(message("user", A, json!("a")), "imagePasteIds", json!([7]))]),
            json!([one("user", A, text("a"))]),
        ),
        // All other fields, in each part.
        (
            json!([with(with(message("assistant", A, two()), "isVirtual", json!(true)), "of-tomorrow", json!([null]))]),
            json!([
                with(
                    with(one("assistant", &part(A, "0"), text("b")), "isVirtual", json!(true)),
                    "of-tomorrow",
                    json!([null])
                ),
                with(
                    with(one("assistant", &part(A, "1"), text("c")), "isVirtual", json!(true)),
                    "of-tomorrow",
                    json!([null])
                ),
            ]),
        ),
        // Two messages whose parts collide, through no fault of the subject.
        (
            json!([message("user", A, two()), message("user", &part(A, "5"), two())]),
            json!([
                one("user", &part(A, "0"), text("b")),
                one("user", &part(A, "1"), text("c")),
                one("user", &part(A, "0"), text("b")),
                one("user", &part(A, "1"), text("c")),
            ]),
        ),
        (
            json!([message("user", "u1", two()), system("u1000000000000")]),
            json!([
                one("user", "u1000000000000", text("b")),
                one("user", "u1000000000001", text("c")),
                system("u1000000000000"),
            ]),
        ),
    ]
}

fn case(messages: &Value, output: Value) -> UiNormalized {
    UiNormalized {
        messages: messages.clone().into(),
        again: Some(given(output.clone())),
        shorter: vec![Some(given(json!([])))],
        output: given(output),
    }
}

#[test]
fn right_splits_break_nothing() {
    let right = right();
    assert!(right.len() >= 15);
    for (messages, output) in right {
        assert_eq!(broken_by_split(&case(&messages, output.clone())), [""; 0], "{messages}\n{output}");
    }
}

/// A mistake by its name, and the rule that must detect it. `None` when it cannot be made in the output.
type Mistake = (&'static str, &'static str, fn(&mut Vec<Value>) -> Option<()>);

fn first(output: &mut [Value], is: fn(&Value) -> bool) -> Option<&mut Value> {
    output.iter_mut().find(|message| is(message))
}

fn is_spoken(message: &Value) -> bool {
    message["type"] == "user" || message["type"] == "assistant"
}

const MISTAKES: &[Mistake] = &[
    ("loses the first message", "ui/conserves", |output| (!output.is_empty()).then(|| drop(output.remove(0)))),
    ("loses the last message", "ui/conserves", |output| output.pop().map(drop)),
    ("gives the first message twice", "ui/conserves", |output| {
        let first = output.first()?.clone();
        output.insert(0, first);
        Some(())
    }),
    ("adds a message", "ui/conserves", |output| {
        output.push(json!({"type": "system", "content": "invented"}));
        Some(())
    }),
    ("adds an empty message", "ui/one-block", |output| {
        output.push(json!({"type": "user", "message": {"role": "user", "content": []}}));
        Some(())
    }),
    ("swaps the first two", "ui/conserves", |output| {
        let differ = output.len() > 1 && output[0]["message"] != output[1]["message"];
        differ.then(|| output.swap(0, 1))
    }),
    ("loses a field", "ui/conserves", |output| {
        let message = first(output, |message| message.get("sessionId").is_some())?;
        message.as_object_mut()?.remove("sessionId").map(drop)
    }),
    ("loses the role", "ui/conserves", |output| {
        first(output, is_spoken)?["message"].as_object_mut()?.remove("role").map(drop)
    }),
    ("adds a field", "ui/conserves", |output| {
        first(output, is_spoken)?["isMeta"] = json!(true);
        Some(())
    }),
    ("changes a block", "ui/conserves", |output| {
        first(output, is_spoken)?["message"]["content"][0]["text"] = json!("other");
        Some(())
    }),
    ("changes another message", "ui/conserves", |output| {
        first(output, |message| message["type"] == "system")?["uuid"] = json!("u9");
        Some(())
    }),
    ("leaves two parts together", "ui/one-block", |output| {
        let is_part = |pair: &[Value]| {
            let rest = |message: &Value| {
                let mut message = message.clone();
                (message["uuid"], message["imagePasteIds"]) = (json!(0), json!(0));
                message["message"]["content"] = json!(0);
                message
            };
            is_spoken(&pair[0]) && rest(&pair[0]) == rest(&pair[1])
        };
        let at = output.windows(2).position(is_part)?;
        let second = output.remove(at + 1)["message"]["content"][0].clone();
        output[at]["message"]["content"].as_array_mut()?.push(second);
        Some(())
    }),
    ("keeps a string", "ui/one-block", |output| {
        let content =
            &mut first(output, |message| message["message"]["content"][0]["type"] == "text")?["message"]["content"];
        *content = content[0]["text"].clone();
        Some(())
    }),
    ("gives another id", "ui/derived-after-split", |output| {
        first(output, is_spoken)?["uuid"] = json!("u9");
        Some(())
    }),
    ("forgets the id", "ui/derived-after-split", |output| {
        let message = first(output, |message| is_spoken(message) && message["uuid"].is_string())?;
        message.as_object_mut()?.remove("uuid").map(drop)
    }),
    ("counts blocks in capitals", "ui/derived-after-split", |output| {
        let message = first(output, |message| message["uuid"].as_str().is_some_and(|id| id.ends_with("00000a")))?;
        message["uuid"] = json!(part(A, "A"));
        Some(())
    }),
    ("counts blocks in decimal", "ui/derived-after-split", |output| {
        let message = first(output, |message| message["uuid"].as_str().is_some_and(|id| id.ends_with("00000a")))?;
        message["uuid"] = json!(part(A, "10"));
        Some(())
    }),
    ("loses the ids of pasted images", "ui/paste-ids", |output| {
        let message = first(output, |message| message.get("imagePasteIds").is_some())?;
        message.as_object_mut()?.remove("imagePasteIds").map(drop)
    }),
    ("gives a pasted image two ids", "ui/paste-ids", |output| {
        let message = first(output, |message| message.get("imagePasteIds").is_some())?;
        message["imagePasteIds"] = json!([7, 8]);
        Some(())
    }),
    ("gives a pasted image the wrong id", "ui/paste-ids", |output| {
        let message = first(output, |message| message.get("imagePasteIds").is_some())?;
        message["imagePasteIds"] = json!([9]);
        Some(())
    }),
    ("gives a text the id of an image", "ui/paste-ids", |output| {
        let is_text = |message: &Value| message["type"] == "user" && message["message"]["content"][0]["type"] == "text";
        first(output, is_text)?["imagePasteIds"] = json!([7]);
        Some(())
    }),
];

#[test]
fn every_mistake_is_detected_by_its_rule() {
    for (name, rule, mistake) in MISTAKES {
        let mut made = 0;
        for (messages, output) in right() {
            let mut wrong = output.as_array().unwrap().clone();
            if mistake(&mut wrong).is_some() {
                made += 1;
                let broken = broken_by_split(&case(&messages, json!(wrong)));
                assert!(broken.contains(rule), "{name}: {broken:?}\n{messages}\n{wrong:#?}");
            }
        }
        assert!(made > 0, "{name} was never made");
    }
}

#[test]
fn a_split_that_derives_too_few_or_too_many_ids_is_detected() {
    let (messages, output) = right().swap_remove(3);
    let messages_json = &messages;
    let deriving_only_parts = with(output[3].clone(), "uuid", json!(C));
    let wrong = json!([output[0], output[1], output[2], deriving_only_parts]);
    assert_eq!(broken_by_split(&case(messages_json, wrong)), ["ui/derived-after-split"]);
    let deriving_all = with(output[0].clone(), "uuid", json!(part(A, "0")));
    let wrong = json!([deriving_all, output[1], output[2], output[3]]);
    let shorter = vec![Some(given(json!([]))), Some(given(json!([output[0]])))];
    let wrong = UiNormalized { shorter, ..case(messages_json, wrong) };
    assert_eq!(broken_by_split(&wrong), ["ui/derived-after-split", "ui/prefix-stable"]);
}

#[test]
fn outputs_of_shorter_lists_must_be_prefixes() {
    for (messages, output) in right() {
        let messages_of = output.as_array().unwrap();
        let right = |shorter: Vec<Given>| {
            let shorter = shorter.into_iter().map(Some).collect();
            UiNormalized { shorter, ..case(&messages, output.clone()) }
        };
        let prefixes: Vec<_> = (0..messages_of.len()).map(|end| given(json!(messages_of[..end]))).collect();
        assert_eq!(broken_by_split(&right(prefixes)), [""; 0]);
        for end in 1..messages_of.len() {
            let later = vec![given(json!(messages_of[1..=end]))];
            let differs = messages_of[..end] != messages_of[1..=end];
            assert_eq!(broken_by_split(&right(later)).contains(&"ui/prefix-stable"), differs);
        }
        let longer = json!([messages_of.as_slice(), &[json!({"type": "system"})]].concat());
        assert_eq!(broken_by_split(&right(vec![given(longer)])), ["ui/prefix-stable"]);
        assert_eq!(broken_by_split(&right(vec![Err("no".into())])), ["ui/prefix-stable"]);
    }
}

#[test]
fn another_answer_to_the_same_question_is_detected() {
    for (messages, output) in right() {
        let right = case(&messages, output.clone());
        let mut ids = output.clone();
        ids[0]["uuid"] = json!("fresh");
        let shorter = json!(output.as_array().unwrap()[1..]);
        for again in [given(ids), given(shorter), Err("not again".into()), given(json!({}))] {
            let wrong = UiNormalized { again: Some(again), ..right.clone() };
            assert_eq!(broken_by_split(&wrong), ["ui/stable"], "{messages}");
        }
        let both = UiNormalized { output: Err("no".into()), again: Some(Err("no".into())), ..right };
        assert_eq!(broken_by_split(&both), ["ui/conserves"]);
    }
}

#[test]
fn a_collision_of_ids_is_named_where_the_subject_made_it() {
    let mut made = 0;
    for (messages, output) in right() {
        let parts = output.as_array().unwrap();
        let heads: Vec<String> =
            messages.as_array().unwrap().iter().map(|m| m["uuid"].to_string().chars().take(25).collect()).collect();
        let mut distinct = heads.clone();
        distinct.sort();
        distinct.dedup();
        let is_clear = distinct.len() == heads.len() && !messages.to_string().contains("u1");
        if parts.len() < 2 || !is_clear || parts.iter().any(|part| part["uuid"].is_null()) {
            continue;
        }
        let mut wrong = output.clone();
        wrong[1]["uuid"] = wrong[0]["uuid"].clone();
        assert!(broken_by_split(&case(&messages, wrong)).contains(&"ui/unique-ids"), "{messages}");
        made += 1;
    }
    assert!(made >= 4, "{made}");
}

#[test]
fn a_report_says_whose_id_a_part_should_have() {
    let expected = |right: &Value, at: usize| {
        let mut wrong = right.clone();
        wrong[at]["uuid"] = json!(C);
        let message = match right.as_array().map(Vec::len) {
            Some(1) => one("user", A, text("b")),
            _ => message("user", A, json!([text("b"), text("c")])),
        };
        match crate::families::judge("ui/derived-after-split", &case(&json!([message]), wrong)) {
            turnproof_rules::rules::Verdict::Broken(violations) => violations[0].expected.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let own = json!([one("user", A, text("b"))]);
    assert_eq!(expected(&own, 0), format!("{A:?}, which is the message's own"));
    let parts = json!([one("user", &part(A, "0"), text("b")), one("user", &part(A, "1"), text("c"))]);
    let derived = expected(&parts, 1);
    assert_eq!(derived, format!("{:?}, which is derived from the message's own", part(A, "1")));
}
