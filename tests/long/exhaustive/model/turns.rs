//! Steps 8, 10 and 11, and all together: what happens to *turns*.

use serde_json::{Value, json};

use crate::exhaustive::naive::{Turn, merge, normalize, prepend_context, tidy_turns};

use super::{assistant, call, placeholder, result, text, user};

fn says(words: &str) -> Turn {
    Turn::user(vec![text(words)])
}

fn replies(words: &str) -> Turn {
    Turn::assistant(vec![text(words)])
}

fn thinking() -> Value {
    json!({"type": "thinking", "thinking": "t", "signature": "s"})
}

#[test]
fn neighbours_of_one_role_become_one_turn() {
    let turns = vec![says("1"), says("2"), replies("3"), replies("4"), says("5")];
    let both = |turn: fn(Vec<Value>) -> Turn, one: &str, two: &str| turn(vec![text(one), text(two)]);
    assert_eq!(merge(turns), [both(Turn::user, "1", "2"), both(Turn::assistant, "3", "4"), says("5")]);
}

#[test]
fn an_empty_message_keeps_its_neighbours_apart() {
    let turns = vec![replies("1"), Turn::user(vec![]), replies("2")];
    assert_eq!(merge(turns.clone()), turns);
    assert_eq!(merge(vec![says("1"), Turn::user(vec![])]), [says("1")]);
}

#[test]
fn thinking_at_the_end_of_a_turn_goes() {
    let redacted = json!({"type": "redacted_thinking", "data": "d"});
    let turn = Turn::assistant(vec![thinking(), text("a"), thinking(), redacted]);
    assert_eq!(tidy_turns(vec![says("1"), turn]), [says("1"), Turn::assistant(vec![thinking(), text("a")])]);
}

#[test]
fn an_assistant_turn_that_is_left_empty_goes_and_its_neighbours_merge() {
    let first = Turn::user(vec![result("c", "r"), text("1")]);
    let turns = vec![says("0"), Turn::assistant(vec![call("c")]), first, Turn::assistant(vec![thinking()]), says("2")];
    let expected =
        [says("0"), Turn::assistant(vec![call("c")]), Turn::user(vec![result("c", "r"), text("1"), text("2")])];
    assert_eq!(tidy_turns(turns), expected);
}

#[test]
fn empty_users_and_missing_ones_say_that_there_is_no_content() {
    let turns = vec![replies("1"), Turn::user(vec![]), replies("2")];
    let none = says("(no content)");
    assert_eq!(tidy_turns(turns), [none.clone(), replies("1"), none.clone(), replies("2")]);
    assert_eq!(tidy_turns(vec![Turn::user(vec![]), Turn::assistant(vec![]), Turn::user(vec![])]), [none]);
    assert_eq!(tidy_turns(vec![Turn::assistant(vec![thinking()])]), []);
}

#[test]
fn white_space_goes_from_the_end_of_the_list_alone() {
    let padded = "a \n\u{FEFF}\u{1C}";
    let turns = vec![says("1"), replies(padded)];
    assert_eq!(tidy_turns(turns), [says("1"), replies("a")]);
    for turns in [vec![says("1"), replies(padded), says(padded)], vec![says(padded)]] {
        assert_eq!(tidy_turns(turns.clone()), turns);
    }
}

#[test]
fn context_stands_in_front_of_the_first_user_turn() {
    let turns = vec![says("1"), replies("2")];
    let expected = [Turn::user(vec![text("context"), text("1")]), replies("2")];
    assert_eq!(prepend_context(turns, Some("context")), expected);
}

#[test]
fn no_context_or_a_blank_one_or_no_turn_changes_nothing() {
    let turns = vec![says("1"), replies("2")];
    assert_eq!(prepend_context(turns.clone(), None), turns);
    assert_eq!(prepend_context(turns.clone(), Some(" \n")), turns);
    assert_eq!(prepend_context(vec![], Some("context")), []);
}

#[test]
fn nothing_to_send_is_the_empty_list() {
    assert_eq!(normalize(&[], Some("context")), [] as [Value; 0]);
    assert_eq!(normalize(&[json!({"type": "progress"})], Some("context")), [] as [Value; 0]);
}

#[test]
fn a_whole_conversation_becomes_a_request() {
    let calls = json!({"type": "assistant", "message": {"content": [thinking(), call("c1"), call("c2")]}});
    let results = json!({"type": "user", "message": {"content": [text("more"), result("c2", "r")]}});
    let attachment = json!({"type": "attachment", "attachment": {"type": "date_change", "newDate": "d"}});
    let turns = normalize(&[user("go"), attachment, calls, results, assistant("done ")], Some("context"));
    let date = text("<system-reminder>\nThe day has changed.\nToday is d\n</system-reminder>");
    let expected = [
        json!({"role": "user", "content": [text("context"), date, text("go")]}),
        json!({"role": "assistant", "content": [thinking(), call("c1"), call("c2")]}),
        json!({"role": "user", "content": [placeholder("c1"), result("c2", "r"), text("more")]}),
        json!({"role": "assistant", "content": [text("done")]}),
    ];
    assert_eq!(turns, expected);
}
