//! What a request holds beside its blocks, and how it is kept up to date.

use serde_json::{Value, json};
use turnproof_reference::message::Event;
use turnproof_reference::normalize::api::{
    Effect, Incremental, Options, Role, STAGES, Turn, normalize_for_api, normalize_traced,
};
use turnproof_rules::operation::Host;

pub(crate) fn events(messages: &[Value]) -> Vec<Event> {
    messages.iter().map(|message| serde_json::from_value(message.clone()).unwrap()).collect()
}

fn user(uuid: &str, content: Value) -> Value {
    json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": content}})
}

fn meta(uuid: &str, content: Value) -> Value {
    json!({"type": "user", "uuid": uuid, "isMeta": true, "message": {"role": "user", "content": content}})
}

fn line(uuid: &str, reply: &str, block: Value) -> Value {
    json!({"type": "assistant", "uuid": uuid, "message": {"id": reply, "role": "assistant", "content": [block]}})
}

fn text(words: &str) -> Value {
    json!({"type": "text", "text": words})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Bash", "input": {}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": id})
}

fn shown(turns: &[Turn<'_>]) -> Value {
    serde_json::to_value(turns).unwrap()
}

/// A turn of an ordinary session, eight messages.
fn ordinary(number: usize) -> Vec<Value> {
    let id = |what: &str| format!("{what}{number}");
    let (one, two) = (id("toolu_a"), id("toolu_b"));
    vec![
        user(&id("u"), json!(format!("prompt {number}"))),
        json!({"type": "attachment", "attachment": {"type": "date_change", "newDate": id("day ")}}),
        line(&id("a"), &id("msg_"), text("on it")),
        line(&id("b"), &id("msg_"), call(&one)),
        line(&id("c"), &id("msg_"), call(&two)),
        json!({"type": "progress", "toolUseID": one, "data": {}}),
        user(&id("r"), json!([result(&two)])),
        user(&id("s"), json!([result(&one)])),
    ]
}

pub(crate) fn session(turns: usize) -> Vec<Value> {
    (0..turns).flat_map(ordinary).collect()
}

/// Gives the messages one by one. After each, the request must be that of a fresh run. Returns how often everything was
/// normalized again.
fn rebuilds_of(messages: &[Value], settling: usize) -> u64 {
    let messages = events(messages);
    let mut incremental = Incremental::new(Options::default()).settling(settling);
    for (count, message) in messages.iter().enumerate() {
        incremental.push(message.clone());
        let fresh = normalize_for_api(&messages[..=count], &Options::default());
        assert_eq!(incremental.turns(), fresh, "after {} messages", count + 1);
    }
    assert_eq!(incremental.messages(), messages);
    incremental.rebuilds()
}

#[test]
fn an_ordinary_session_is_never_normalized_again() {
    for settling in [1, 2, 7, 16, 1000] {
        assert_eq!(rebuilds_of(&session(20), settling), 0);
    }
}

#[test]
fn all_but_the_last_few_messages_of_an_ordinary_session_are_settled() {
    for settling in [1, 7, 16, 40] {
        let mut incremental = Incremental::new(Options::default()).settling(settling);
        let mut settled = 0;
        for (count, message) in events(&session(50)).into_iter().enumerate() {
            incremental.push(message);
            incremental.turns();
            let now = incremental.settled();
            assert!(now == settled || now >= settled + settling, "{settled} to {now} at once");
            // Two turns of eight messages are open, and a few messages that are not settled yet.
            assert!(count < now + settling + 24, "{now} of {count} settled, {settling} at a time");
            settled = now;
        }
    }
}

#[test]
fn a_message_that_changes_settled_turns_normalizes_everything_again() {
    for (what, late) in [
        ("a line of an earlier reply", line("late", "msg_3", text("more"))),
        ("a tombstone", json!({"type": "tombstone", "message": {"uuid": "b2"}})),
        ("a late result", user("late", json!([result("toolu_open")]))),
        (
            "a late result in a queued prompt",
            json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": [result("toolu_open")]}}),
        ),
    ] {
        let mut messages = vec![user("u", json!("go")), line("o", "msg_open", call("toolu_open"))];
        messages.extend(session(10));
        messages.push(late);
        messages.extend(ordinary(10));
        assert_eq!(rebuilds_of(&messages, 1), 1, "{what}");
    }
}

#[test]
fn a_message_that_only_seems_to_change_settled_turns_does_not() {
    for (what, message) in [
        ("a second result", user("late", json!([result("toolu_a1")]))),
        ("a result without a call", user("late", json!([result("toolu_unknown")]))),
        ("a repeated call", line("late", "msg_late", call("toolu_a1"))),
        ("a tombstone of a prompt", json!({"type": "tombstone", "message": {"uuid": "u1"}})),
        ("a tombstone of nothing", json!({"type": "tombstone"})),
        ("a reply without an id", json!({"type": "assistant", "message": {"content": [text("a")]}})),
        ("a reply with an empty id", line("late", "", text("a"))),
    ] {
        let mut messages = vec![line("early", "", text("early"))];
        messages.extend(session(8));
        messages.push(message.clone());
        messages.extend(ordinary(8));
        messages.push(message);
        assert_eq!(rebuilds_of(&messages, 1), 0, "{what}");
    }
}

#[test]
fn a_reply_that_is_dropped_leaves_the_settled_turns_right() {
    // The first reply that is not settled is withdrawn, or was only thinking.
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "s"});
    for withdrawn in 0..10 {
        let mut messages = session(6);
        messages.push(line("t", "msg_t", thinking.clone()));
        messages.push(user("v", json!("well?")));
        for what in ["a", "b", "c"] {
            messages.push(json!({"type": "tombstone", "message": {"uuid": format!("{what}{withdrawn}")}}));
        }
        messages.extend(ordinary(7));
        rebuilds_of(&messages, 1);
    }
}

#[test]
fn asking_late_gives_the_same_as_asking_often() {
    let messages = events(&session(30));
    let mut incremental = Incremental::new(Options::default());
    incremental.extend(messages.iter().cloned());
    assert_eq!(incremental.turns(), normalize_for_api(&messages, &Options::default()));
    assert_eq!(incremental.turns().len(), 61);
    incremental.push(events(&[user("u", json!("more"))]).remove(0));
    assert_eq!(incremental.turns().len(), 61);
    assert_eq!(Incremental::new(Options::default()).turns(), []);
}

#[test]
fn an_incremental_request_has_its_context_and_its_open_end() {
    let options = Options { context: Some("A crate.".into()), profile: Host::Anthropic, ..Options::default() };
    let open = json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}});
    let mut messages = session(5);
    messages.push(line("w", "msg_w", open));
    messages.push(line("x", "msg_x", text("and")));
    messages.extend(ordinary(5));
    let messages = events(&messages);
    let mut incremental = Incremental::new(options.clone()).settling(1);
    for (count, message) in messages.iter().enumerate() {
        incremental.push(message.clone());
        assert_eq!(incremental.turns(), normalize_for_api(&messages[..=count], &options));
    }
}

#[test]
fn a_server_call_may_stay_open_at_the_end_alone_and_for_one_host_alone() {
    let open = json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}});
    let blocks = |after: &[Value], profile: Host, tools: Option<&str>| {
        let mut messages = vec![
            user("u", json!("go")),
            line("a", "m", text("a")),
            line("b", "m", open.clone()),
            line("c", "m", call("toolu_1")),
        ];
        messages.extend(after.iter().cloned());
        let tools = tools.map(|tool| [tool.to_owned()].into());
        let messages = events(&messages);
        let turns = normalize_for_api(&messages, &Options { profile, tools, ..Options::default() });
        turns[1].content.iter().filter(|part| part.type_name() == "server_tool_use").count()
    };
    let results = [user("r", json!([result("toolu_1")]))];
    assert_eq!(blocks(&[], Host::Anthropic, None), 1);
    assert_eq!(blocks(&results, Host::Anthropic, None), 1);
    assert_eq!(blocks(&results, Host::Anthropic, Some("web_search")), 1);
    assert_eq!(blocks(&results, Host::Anthropic, Some("Bash")), 0);
    assert_eq!(blocks(&[user("v", json!("go on"))], Host::Anthropic, None), 0);
    assert_eq!(blocks(&[results[0].clone(), line("d", "n", text("b"))], Host::Anthropic, None), 0);
    for host in [Host::Portable, Host::BedrockConverse, Host::Vertex] {
        assert_eq!(blocks(&[], host, None), 0, "{host:?}");
    }
}

#[test]
fn a_server_call_does_not_stay_open_before_a_turn_that_answers_none_of_its_reply() {
    let open = json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}});
    for after in [json!([]), json!([result("toolu_9")])] {
        let messages = events(&[
            user("u", json!("go")),
            line("a", "m", text("a")),
            line("b", "m", open.clone()),
            user("r", after.clone()),
        ]);
        let options = Options { profile: Host::Anthropic, ..Options::default() };
        let turns = serde_json::to_string(&normalize_for_api(&messages, &options)).unwrap();
        assert!(!turns.contains("srvtoolu_1"), "before {after}: {turns}");
    }
}

#[test]
fn a_turn_has_the_uuid_of_its_first_message_that_is_not_meta() {
    let messages = events(&[
        meta("m1", json!("one")),
        json!({"type": "attachment", "uuid": "t1", "attachment": {"type": "date_change", "newDate": "today"}}),
        user("u1", json!("two")),
        user("u2", json!("three")),
        line("a1", "m", text("four")),
        line("a2", "m", call("toolu_1")),
    ]);
    let turns = normalize_for_api(&messages, &Options::default());
    let uuids: Vec<_> = turns.iter().map(|turn| turn.uuid.as_deref().map(|uuid| uuid.as_str())).collect();
    assert_eq!(uuids, [Some("u1"), Some("a1"), None]);
    let all_meta = events(&[meta("m1", json!("one")), meta("m2", json!("two"))]);
    let turns = normalize_for_api(&all_meta, &Options::default());
    assert_eq!(turns[0].uuid.as_deref().map(|uuid| uuid.as_str()), Some("m1"));
}

#[test]
fn a_turn_and_its_parts_say_where_they_come_from() {
    let messages = events(&[
        json!({"type": "progress", "toolUseID": "t"}),
        line("a1", "m", call("toolu_1")),
        user("u1", json!("wait")),
        line("b1", "n", text("waiting")),
        user("r1", json!([result("toolu_1")])),
        line("c1", "o", call("toolu_2")),
    ]);
    let turns = normalize_for_api(&messages, &Options::default());
    let sources: Vec<_> = turns.iter().map(|turn| (turn.role, turn.source)).collect();
    let (user, assistant) = (Role::User, Role::Assistant);
    assert_eq!(
        sources,
        [
            (user, None),
            (assistant, Some(1)),
            (user, Some(2)),
            (assistant, Some(3)),
            (user, Some(4)),
            (assistant, Some(5)),
            (user, None),
        ]
    );
    let parts = |turn: usize| turns[turn].content.iter().map(|part| part.source).collect::<Vec<_>>();
    // The late result is moved to its call. A placeholder's source is its call.
    assert_eq!(
        (parts(0), parts(2), parts(4), parts(6)),
        (vec![None], vec![Some(4), Some(2)], vec![Some(4)], vec![Some(5)])
    );
}

#[test]
fn a_request_as_messages_is_the_same_request() {
    let messages = events(&session(3));
    let turns = normalize_for_api(&messages, &Options::default());
    let again: Vec<Event> = turns.iter().map(Turn::to_message).collect();
    assert_eq!(shown(&normalize_for_api(&again, &Options::default())), shown(&turns));
    let owned: Vec<Turn<'static>> = turns.iter().cloned().map(Turn::into_owned).collect();
    assert_eq!(shown(&owned), shown(&turns));
    assert_eq!(owned[0].uuid, turns[0].uuid);
}

#[test]
fn turns_are_equal_when_they_say_the_same_and_come_from_the_same_messages() {
    let turns = |first: &str, second: &str| {
        let messages = events(&[user("u", json!(first)), user("u", json!([text(second)]))]);
        normalize_for_api(&messages, &Options::default()).into_iter().map(Turn::into_owned).collect::<Vec<_>>()
    };
    assert_eq!(turns("a", "b"), turns("a", "b"));
    assert_ne!(turns("a", "b"), turns("a", "c"));
    assert_ne!(turns("a", "b"), turns("c", "b"));
    let mut moved = turns("a", "b");
    moved[0].content[0].source = Some(1);
    assert_ne!(moved, turns("a", "b"));
}

#[test]
fn a_turn_as_a_message_names_its_role() {
    let messages = events(&[user("u", json!("a")), line("a", "m", text("b"))]);
    let turns = normalize_for_api(&messages, &Options::default());
    for turn in &turns {
        let message = serde_json::to_value(turn.to_message()).unwrap();
        assert_eq!(message, json!({"type": turn.role.name(), "message": shown(std::slice::from_ref(turn))[0]}));
    }
}

#[test]
fn text_that_was_changed_loses_its_last_white_space_too() {
    let changed = json!({"type": "text", "text": "b \n", "_note": "mine"});
    let messages = events(&[user("u", json!("a")), line("a", "m", changed)]);
    let turns = normalize_for_api(&messages, &Options::default());
    assert_eq!(shown(&turns)[1]["content"], json!([text("b")]));
}

#[test]
fn a_trace_counts_what_enters_each_stage_and_comes_out() {
    let messages = events(&session(2));
    let (turns, trace) = normalize_traced(&messages, &Options::default());
    assert_eq!(turns, normalize_for_api(&messages, &Options::default()));
    let names: Vec<&str> = trace.steps.iter().map(|step| step.stage).collect();
    assert_eq!(names, STAGES.iter().map(|stage| stage.name).collect::<Vec<_>>());
    assert_eq!((trace.steps[0].before, trace.steps.last().unwrap().after), (16, turns.len()));
    assert!(trace.steps.windows(2).all(|pair| pair[0].after == pair[1].before));
    let moved = trace.steps[0].notes.iter().filter(|note| note.effect == Effect::Moved);
    assert_eq!(moved.map(|note| note.message).collect::<Vec<_>>(), [Some(1), Some(9)]);
}

#[test]
fn every_stage_says_in_one_sentence_what_it_does() {
    let mut names = std::collections::BTreeSet::new();
    for stage in STAGES {
        assert!(names.insert(stage.name) && !stage.title.is_empty() && !stage.title.ends_with('.'));
    }
}

#[test]
fn a_run_forgets_what_the_last_one_added_unless_it_stays() {
    let calls = |number: usize, ids: &[&str]| {
        let reply = format!("msg_call{number}");
        let uuid = |what: &str, at: usize| format!("{what}{number}_{at}");
        let lines = ids.iter().enumerate().map(|(at, id)| line(&uuid("call", at), &reply, call(id)));
        let results = ids.iter().enumerate().map(|(at, id)| user(&uuid("result", at), json!([result(id)])));
        lines.chain(results).collect::<Vec<_>>()
    };
    let made_of = |id: &str| {
        let messages = events(&calls(0, &[id]));
        shown(&normalize_for_api(&messages, &Options::default()))[1]["content"][0]["id"].as_str().unwrap().to_owned()
    };
    let (made, other) = (made_of("st ays"), made_of("go es"));
    let mut messages = [vec![user("u", json!("go"))], calls(1, &["stays", "st ays"]), session(3)].concat();
    let mut incremental = Incremental::new(Options::default()).settling(1);
    incremental.extend(events(&messages));
    incremental.turns();
    assert!(incremental.settled() > 5, "the first calls are settled: {}", incremental.settled());
    // The last two runs learn these calls again each time they are asked.
    messages.extend(calls(2, &["goes", "go es"]));
    messages.push(line("says", "msg_says", text("done")));
    // What was used, or made, stays so for good.
    messages.extend(calls(3, &["stays", "st ays", &made, &other, "goes", "go es", "new"]));
    assert_eq!(rebuilds_of(&messages, 1), 0);
    // An id that would be made for a later call is free as long as that call has not come.
    let mut early = [vec![user("u", json!("go"))], session(3), calls(4, &[&other])].concat();
    early.extend(calls(5, &["go es"]));
    assert_eq!(rebuilds_of(&early, 1), 0);
}
