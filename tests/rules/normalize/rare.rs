//! What is *rare* in messages: each case distinguishes a branch of a rule from its absence.

use serde_json::{Value, json};

use super::build::{at, attached, attachment, call, case, image, reply, text, user, ut, verdict, with};

#[test]
fn an_attachment_says_whole_numbers_and_no_others() {
    let is_lost = |said: Value, blocks: Vec<Value>| {
        let note = attachment(json!({"type": "date_change", "newDate": said}));
        let request = json!([ut([blocks, vec![text("go")]].concat())]);
        verdict("normalize/conserves", &case(&json!([note, user("go")]), None, &request)).is_broken()
    };
    for whole in [json!(7), json!(-7), json!(u64::MAX)] {
        assert!(!is_lost(whole.clone(), vec![attached(&whole.to_string())]), "{whole}");
        assert!(is_lost(whole.clone(), Vec::new()), "{whole}");
    }
    for other in [json!(1.5), json!(true), json!(null), json!(" ")] {
        assert!(!is_lost(other.clone(), Vec::new()), "{other}");
    }
}

#[test]
fn a_part_of_a_result_is_sent_without_what_the_api_does_not_take() {
    let is_right = |given: Value, sent: Value| {
        let answer = |part: Value| json!({"type": "tool_result", "tool_use_id": "t1", "content": [part]});
        let messages = json!([user("go"), reply(vec![call("t1")]), user(vec![answer(given)])]);
        let request = json!([ut(vec![text("go")]), at(vec![call("t1")]), ut(vec![answer(sent)])]);
        !verdict("normalize/conserves", &case(&messages, None, &request)).is_broken()
    };
    assert!(is_right(with(image(), json!({"title": "a"})), image()));
    assert!(!is_right(image(), json!({"type": "image"})));
    let unknown = json!({"type": "of_tomorrow", "words": "a"});
    let own = with(unknown.clone(), json!({"isMeta": true}));
    assert!(is_right(own, unknown.clone()));
    assert!(!is_right(unknown, json!({"type": "of_tomorrow", "words": "b"})));
}
