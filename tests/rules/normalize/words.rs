//! The *words* of a report say what is wrong, so that nobody has to compare two blocks by eye.

use serde_json::{Value, json};
use turnproof_rules::operation::{ApiNormalized, Plain};
use turnproof_rules::rules::Verdict;

use super::build::{at, call, case, reply, result, text, thought, user, ut, verdict, with};

/// What the first violation of a rule says was found.
#[track_caller]
fn found(id: &str, case: &ApiNormalized) -> String {
    match verdict(id, case) {
        Verdict::Broken(violations) => violations[0].found.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_block_that_is_sent_changed_is_named_with_the_member_that_differs() {
    let messages = json!([user("go"), reply(vec![call("t1")]), user(vec![result("t1", "done")])]);
    let changed = |block: Value| {
        let request = json!([ut(vec![text("go")]), at(vec![call("t1")]), ut(vec![block])]);
        found("normalize/conserves", &case(&messages, None, &request))
    };
    let other = changed(result("t1", "gone"));
    assert!(other.ends_with("with another content, in turn 2: it is \"gone\" and was \"done\""), "{other}");
    let less = changed(json!({"type": "tool_result", "tool_use_id": "t1"}));
    assert!(less.ends_with("without its content, in turn 2"), "{less}");
    let more = changed(with(result("t1", "done"), json!({"is_error": true})));
    assert!(more.ends_with("with is_error, in turn 2: true"), "{more}");
}

#[test]
fn blocks_that_are_sent_changed_are_of_one_kind_when_the_same_member_differs() {
    let failed =
        |content: Value| json!({"type": "tool_result", "tool_use_id": "t1", "content": content, "is_error": true});
    let kind_of = |given: &Value, sent: Value| {
        let messages = json!([user("go"), reply(vec![call("t1")]), user(vec![given.clone()])]);
        let request = json!([ut(vec![text("go")]), at(vec![call("t1")]), ut(vec![sent])]);
        match verdict("normalize/conserves", &case(&messages, None, &request)) {
            Verdict::Broken(violations) => violations[0].kind.to_owned(),
            other => panic!("{other:?}"),
        }
    };
    let image = json!([{"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}]);
    let as_text = kind_of(&result("t1", "done"), result("t1", "gone"));
    let image_as_text = kind_of(&with(result("t1", ""), json!({"content": image})), result("t1", &image.to_string()));
    let not_failed = kind_of(&failed(json!("no")), result("t1", "no"));
    assert_eq!(as_text, image_as_text);
    assert_ne!(as_text, not_failed);
    // What is lost comes before what is there in another form.
    assert_eq!(kind_of(&failed(image.clone()), result("t1", &image.to_string())), not_failed);
}

#[test]
fn a_text_is_sent_changed_only_where_one_is_a_part_of_the_other() {
    let sent = |words: &str| {
        let request = json!([ut(vec![text(words)])]);
        found("normalize/conserves", &case(&json!([user("one two")]), None, &request))
    };
    for part in ["one", "one two three"] {
        assert!(sent(part).contains("is sent changed, with another text, in turn 0"), "{}", sent(part));
    }
    for other in ["three", ""] {
        assert!(!sent(other).contains("is sent changed"), "{}", sent(other));
    }
}

#[test]
fn what_became_of_a_turn_is_reported_with_the_first_place_that_differs() {
    let request = json!([ut(vec![text("go")])]);
    let again = |request: Value| Plain::from(request);
    let mut case = case(&json!([user("go")]), None, &request);
    case.again = Some(Ok(again(json!([ut(vec![text("went")])]))));
    let path = found("normalize/deterministic", &case);
    assert!(path.ends_with(": `content.0.text` was \"go\", and is \"went\""), "{path}");
    case.messages_after = Some(again(json!([with(user("go"), json!({"seen": true}))])));
    let member = found("normalize/pure", &case);
    assert!(member.ends_with(": `seen` was missing, and is true"), "{member}");
    case.messages_after = Some(again(json!([7])));
    let whole = found("normalize/pure", &case);
    assert!(whole.contains(": it was {") && whole.ends_with(", and is 7"), "{whole}");
}

#[test]
fn halves_of_characters_in_other_places_are_another_answer() {
    let mut case = case(&json!([user("a\u{FFFD}")]), None, &json!([ut(vec![text("a\u{FFFD}")])]));
    assert_eq!(verdict("normalize/deterministic", &case), Verdict::Holds);
    let half = r#"[{"role":"user","content":[{"type":"text","text":"a\ud83d"}]}]"#;
    case.again = Some(Ok(Plain::read(half).expect("JSON")));
    assert_eq!(found("normalize/deterministic", &case), "other strings hold halves of characters");
}

#[test]
fn of_equal_thoughts_each_must_be_there() {
    let messages =
        json!([user("go"), reply(vec![thought("hm"), thought("hm"), call("t1")]), user(vec![result("t1", "done")])]);
    let sent = |thoughts: usize| {
        let blocks = [vec![thought("hm"); thoughts], vec![call("t1")]].concat();
        let request = json!([ut(vec![text("go")]), at(blocks), ut(vec![result("t1", "done")])]);
        verdict("thinking/unmodified", &case(&messages, None, &request))
    };
    assert_eq!(sent(2), Verdict::Holds);
    assert!(sent(1).is_broken());
    assert!(sent(0).is_broken());
}
