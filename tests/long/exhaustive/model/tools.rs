//! Step 9: how *tools* are paired.

use serde_json::{Value, json};

use crate::exhaustive::naive::{Turn, pair_tools};

use super::{call, placeholder, result, text};

fn calls(ids: &[&str]) -> Turn {
    Turn::assistant(ids.iter().map(|id| call(id)).collect())
}

fn results(pairs: &[(&str, &str)]) -> Turn {
    Turn::user(pairs.iter().map(|(id, content)| result(id, content)).collect())
}

fn says(words: &str) -> Turn {
    Turn::user(vec![text(words)])
}

fn replies(words: &str) -> Turn {
    Turn::assistant(vec![text(words)])
}

#[test]
fn a_call_that_is_said_again_goes_and_a_later_one_gets_another_id() {
    let turns =
        vec![calls(&["c", "c"]), results(&[("c", "1")]), calls(&["c", "d"]), results(&[("c", "2"), ("d", "3")])];
    let expected = [
        calls(&["c"]),
        results(&[("c", "1")]),
        calls(&["toolu_made_up_1", "d"]),
        results(&[("toolu_made_up_1", "2"), ("d", "3")]),
    ];
    assert_eq!(pair_tools(turns), expected);
}

#[test]
fn a_result_answers_the_last_call_with_its_id() {
    let turns = vec![calls(&["c"]), says("1"), calls(&["c"]), results(&[("c", "2")])];
    let expected = [
        calls(&["c"]),
        Turn::user(vec![placeholder("c"), text("1")]),
        calls(&["toolu_made_up_1"]),
        results(&[("toolu_made_up_1", "2")]),
    ];
    assert_eq!(pair_tools(turns), expected);
}

#[test]
fn results_come_first_in_the_order_of_the_calls() {
    let after = Turn::user(vec![text("1"), result("d", "2"), text("3"), result("c", "4")]);
    let expected = Turn::user(vec![result("c", "4"), result("d", "2"), text("1"), text("3")]);
    assert_eq!(pair_tools(vec![calls(&["c", "d"]), after]), [calls(&["c", "d"]), expected]);
}

#[test]
fn a_late_result_is_brought_back_and_the_first_counts() {
    let turns = vec![calls(&["c"]), says("1"), replies("2"), results(&[("c", "3"), ("c", "4")])];
    let expected = [calls(&["c"]), Turn::user(vec![result("c", "3"), text("1")]), replies("2"), Turn::user(vec![])];
    assert_eq!(pair_tools(turns), expected);
}

#[test]
fn results_without_a_call_before_them_go() {
    let turns = vec![results(&[("c", "1"), ("z", "2")]), calls(&["c"]), results(&[("z", "3")])];
    let expected = [Turn::user(vec![]), calls(&["c"]), Turn::user(vec![placeholder("c")])];
    assert_eq!(pair_tools(turns), expected);
}

#[test]
fn an_unanswered_call_gets_the_placeholder_and_a_turn_for_it() {
    assert_eq!(pair_tools(vec![calls(&["c"])]), [calls(&["c"]), Turn::user(vec![placeholder("c")])]);
    let after = Turn::user(vec![placeholder("c"), text("1")]);
    assert_eq!(pair_tools(vec![calls(&["c"]), says("1")]), [calls(&["c"]), after]);
}

#[test]
fn illegal_ids_are_replaced_in_call_and_result() {
    let turns = vec![calls(&["c:1", "c", ""]), results(&[("", "1"), ("c:1", "2"), ("c", "3")])];
    let (one, two) = ("toolu_made_up_1", "toolu_made_up_2");
    let expected = [calls(&[one, "c", two]), results(&[(one, "2"), ("c", "3"), (two, "1")])];
    assert_eq!(pair_tools(turns), expected);
}

#[test]
fn a_made_up_id_gives_way_to_a_call_that_has_it() {
    let (one, two) = ("toolu_made_up_1", "toolu_made_up_2");
    let turns = vec![calls(&["c:1"]), results(&[("c:1", "r")]), calls(&[one]), results(&[(one, "s")])];
    let expected = [calls(&[two]), results(&[(two, "r")]), calls(&[one]), results(&[(one, "s")])];
    assert_eq!(pair_tools(turns), expected);
}

fn server(type_name: &str, id: &str, name: &str) -> Value {
    json!({"type": type_name, "id": id, "name": name, "input": {}})
}

fn given(type_name: &str, id: &str) -> Value {
    json!({"type": type_name, "tool_use_id": id})
}

/// What is left of the blocks of one assistant turn.
fn paired(blocks: Vec<Value>) -> Vec<Value> {
    pair_tools(vec![Turn::assistant(blocks)]).remove(0).blocks
}

#[test]
fn server_calls_and_results_stay_in_pairs_alone() {
    let search = server("server_tool_use", "srvtoolu_1", "web_search");
    let found = given("web_search_tool_result", "srvtoolu_1");
    let none: [Value; 0] = [];
    assert_eq!(paired(vec![search.clone(), text("t"), found.clone()]), [search.clone(), text("t"), found.clone()]);
    assert_eq!(paired(vec![found.clone(), search.clone()]), none);
    assert_eq!(paired(vec![search.clone()]), none);
    let apart = vec![Turn::assistant(vec![search]), says("1"), Turn::assistant(vec![found])];
    assert_eq!(pair_tools(apart), [Turn::assistant(vec![]), says("1"), Turn::assistant(vec![])]);
}

#[test]
fn a_server_result_fits_the_name_of_its_call() {
    let fits = |type_name: &str, name: &str, result_type: &str| {
        paired(vec![server(type_name, "srvtoolu_1", name), given(result_type, "srvtoolu_1")]).len() == 2
    };
    for name in
        ["web_search", "web_fetch", "code_execution", "bash_code_execution", "text_editor_code_execution", "advisor"]
    {
        assert!(fits("server_tool_use", name, &format!("{name}_tool_result")), "{name}");
        assert!(!fits("server_tool_use", name, "tool_search_tool_result"), "{name}");
    }
    for name in ["tool_search_tool_regex", "tool_search_tool_bm25", "of_tomorrow"] {
        assert!(fits("server_tool_use", name, "tool_search_tool_result"), "{name}");
        assert!(!fits("server_tool_use", name, "mcp_tool_result"), "{name}");
    }
    assert!(fits("server_tool_use", "of_tomorrow", "advisor_tool_result"));
    assert!(fits("mcp_tool_use", "web_search", "mcp_tool_result"));
    assert!(!fits("mcp_tool_use", "web_search", "web_search_tool_result"));
}

#[test]
fn a_server_pair_that_is_said_again_goes_and_a_later_one_gets_another_id() {
    let search = server("server_tool_use", "srvtoolu_1", "web_search");
    let found = |number: u32| json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": number});
    let twice = vec![search.clone(), search.clone(), found(1), found(2)];
    assert_eq!(paired(twice), [search.clone(), found(1)]);
    let again = Turn::assistant(vec![search.clone(), found(3), text("t")]);
    let turns = vec![Turn::assistant(vec![search.clone(), found(1)]), says("1"), again];
    let (mut later, mut answer) = (search.clone(), found(3));
    later["id"] = json!("srvtoolu_made_up_1");
    answer["tool_use_id"] = json!("srvtoolu_made_up_1");
    let expected =
        [Turn::assistant(vec![search, found(1)]), says("1"), Turn::assistant(vec![later, answer, text("t")])];
    assert_eq!(pair_tools(turns), expected);
}

#[test]
fn an_unpaired_server_call_does_not_take_the_id() {
    let search = server("server_tool_use", "srvtoolu_1", "web_search");
    let found = given("web_search_tool_result", "srvtoolu_1");
    let whole = Turn::assistant(vec![search.clone(), found]);
    let turns = vec![Turn::assistant(vec![search, text("t")]), says("1"), whole.clone()];
    assert_eq!(pair_tools(turns), [replies("t"), says("1"), whole]);
}

#[test]
fn illegal_server_ids_are_replaced_each_in_its_form() {
    let blocks = vec![
        server("server_tool_use", "m-1", "web_search"),
        given("web_search_tool_result", "m-1"),
        server("mcp_tool_use", "m-2", "A"),
        given("mcp_tool_result", "m-2"),
        server("mcp_tool_use", "m:3", "A"),
        given("mcp_tool_result", "m:3"),
    ];
    let ids: Vec<Value> =
        paired(blocks).iter().map(|block| block.get("id").unwrap_or(&block["tool_use_id"]).clone()).collect();
    let (one, two) = ("srvtoolu_made_up_1", "srvtoolu_made_up_2");
    assert_eq!(ids, [one, one, "m-2", "m-2", two, two]);
}

#[test]
fn client_and_server_calls_may_share_an_id() {
    let (search, found) =
        (server("server_tool_use", "srvtoolu_1", "web_search"), given("web_search_tool_result", "srvtoolu_1"));
    let blocks = vec![search.clone(), found.clone(), call("srvtoolu_1")];
    assert_eq!(paired(blocks), [search, found, call("srvtoolu_1")]);
}

#[test]
fn calls_move_to_the_end_when_a_server_block_that_stays_follows_them() {
    let (search, found) =
        (server("server_tool_use", "srvtoolu_1", "web_search"), given("web_search_tool_result", "srvtoolu_1"));
    let blocks = vec![text("1"), call("c"), search.clone(), call("d"), found.clone(), text("2")];
    assert_eq!(paired(blocks), [text("1"), search.clone(), found.clone(), text("2"), call("c"), call("d")]);
    let between = vec![search.clone(), call("c"), found.clone()];
    assert_eq!(paired(between), [search.clone(), found, call("c")]);
    assert_eq!(paired(vec![call("c"), search, text("2")]), [call("c"), text("2")]);
}
