//! The chain as a *graph*: every small one, and a long one.

use serde_json::{Value, json};

use super::{boundary, broken_lines, prompt, with};

/// A record of the graph.
fn node(number: usize, parent: Option<usize>) -> Value {
    prompt(&format!("c{number}"), &parent.map_or(String::new(), |parent| format!("c{parent}")))
}

/// A boundary that says that walking parents from `low` comes to `high`.
fn leads(low: usize, high: usize) -> Value {
    let [head, tail] = [high, low].map(|node| format!("c{node}"));
    let segment = json!({"headUuid": head, "anchorUuid": "c0", "tailUuid": tail});
    with(boundary(json!({ "preservedSegment": segment })), "uuid", json!(format!("b {low} {high}")))
}

/// Walks in at most as many steps as there are records.
fn walk(parents: &[Option<usize>], low: usize, high: usize) -> bool {
    let mut node = Some(low);
    for _ in 0..=parents.len() {
        if node == Some(high) {
            return true;
        }
        node = node.and_then(|node| parents[node]);
    }
    false
}

#[test]
fn every_graph_of_five_records_is_walked_as_by_hand() {
    let pairs = || (0..25).map(|pair| (pair / 5, pair % 5));
    let boundaries: Vec<Value> = pairs().map(|(low, high)| leads(low, high)).collect();
    for number in 0..6_usize.pow(5) {
        let parent = |node: u32| Some(number / 6_usize.pow(node) % 6).filter(|&parent| parent < 5);
        let parents: Vec<Option<usize>> = (0..5).map(parent).collect();
        let records = parents.iter().enumerate().map(|(number, parent)| node(number, *parent));
        let records: Vec<Value> = records.chain(boundaries.iter().cloned()).collect();
        // Lines count from 1; the boundaries stand behind the five records.
        let missed = |(at, (low, high)): (u64, (usize, usize))| (!walk(&parents, low, high)).then_some(at);
        let missed: Vec<u64> = (6..).zip(pairs()).filter_map(missed).collect();
        assert_eq!(broken_lines("chain/preserved-segment", &records), missed, "{parents:?}");
        let on_cycle = |node: usize| parents[node].is_some_and(|parent| walk(&parents, parent, node));
        let is_first = |&node: &usize| on_cycle(node) && !(0..node).any(|earlier| walk(&parents, node, earlier));
        let firsts: Vec<u64> = (0..5).filter(is_first).map(|node| node as u64 + 1).collect();
        assert_eq!(broken_lines("chain/acyclic", &records), firsts, "{parents:?}");
    }
}

#[test]
fn long_chains_are_walked_without_recursion() {
    let count = 200_000;
    let chain = (0..count).map(|number: usize| node(number, number.checked_sub(1)));
    let records: Vec<Value> = chain.chain([leads(count - 1, 77), leads(77, 78)]).collect();
    assert_eq!(broken_lines("chain/preserved-segment", &records), [count as u64 + 2]);
    assert_eq!(broken_lines("chain/acyclic", &records), [] as [u64; 0]);
}
