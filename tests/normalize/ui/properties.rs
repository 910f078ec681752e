//! Laws that hold for every list.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;
use turnproof_reference::message::{Block, Content, Maybe, Message, TextBlock};
use turnproof_reference::normalize::ui::{
    bridge_view, collapse_read_search, group_tool_uses, normalize_for_ui, reorder_for_ui, ungroup,
};

use super::generated::{CASES, scenarios, stories};
use super::shown;

fn config() -> ProptestConfig {
    ProptestConfig { cases: CASES as u32, failure_persistence: None, ..ProptestConfig::default() }
}

/// The list's messages as text, each with how often it is there.
fn counted(messages: &[Message]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for message in messages {
        *counts.entry(serde_json::to_string(message).unwrap()).or_default() += 1;
    }
    counts
}

fn is_split(message: &Message) -> bool {
    matches!(message, Message::User(_) | Message::Assistant(_))
}

/// All blocks that a message says, a string as one.
fn blocks(message: &Message) -> Vec<Block> {
    match message.content() {
        Some(Content::Text(text)) => vec![TextBlock::new(text.clone()).into()],
        Some(Content::Blocks(blocks)) => blocks.clone(),
        None => Vec::new(),
    }
}

/// The message without what splitting changes.
fn stripped(mut message: Message) -> Message {
    message.envelope_mut().uuid = Maybe::Absent;
    match &mut message {
        Message::User(user) => {
            let user = Arc::make_mut(user);
            user.message.get_mut().unwrap().content = Maybe::Absent;
            user.image_paste_ids = Maybe::Absent;
        }
        Message::Assistant(assistant) => {
            Arc::make_mut(assistant).message.get_mut().unwrap().content = Maybe::Absent;
        }
        _ => {}
    }
    message
}

#[test]
fn splitting_gives_one_block_each_and_loses_nothing() {
    let mut split = 0;
    for messages in scenarios() {
        let parts = normalize_for_ui(messages.clone());
        assert!(parts.iter().all(|part| !is_split(part) || part.blocks().len() == 1));
        let others = |list: &[Message]| list.iter().filter(|one| !is_split(one)).cloned().collect::<Vec<_>>();
        assert_eq!(others(&parts), others(&messages));
        let said = |list: &[Message]| list.iter().flat_map(blocks).collect::<Vec<_>>();
        assert_eq!(said(&parts), said(&messages));
        split += usize::from(parts.len() > messages.len());
    }
    assert!(split > 50, "only {split} lists with several blocks");
}

#[test]
fn splitting_keeps_every_other_field() {
    for messages in scenarios() {
        let expected = messages.iter().flat_map(|message| {
            let count = if is_split(message) { blocks(message).len() } else { 1 };
            (0..count).map(|_| stripped(message.clone()))
        });
        assert!(normalize_for_ui(messages.clone()).into_iter().map(stripped).eq(expected));
    }
}

#[test]
fn appending_messages_never_changes_earlier_ones() {
    for messages in scenarios() {
        let whole = normalize_for_ui(messages.clone());
        for count in 0..messages.len() {
            let shorter = normalize_for_ui(messages[..count].to_vec());
            assert_eq!(whole[..shorter.len()], shorter);
        }
    }
}

#[test]
fn scenarios_are_reordered_without_loss_and_fold_and_unfold() {
    for messages in scenarios() {
        for list in [messages.clone(), normalize_for_ui(messages)] {
            let order = reorder_for_ui(list.clone());
            assert_eq!(counted(&order), counted(&list));
            assert_eq!(reorder_for_ui(order.clone()), order);
            assert_eq!(ungroup(group_tool_uses(list.clone())), list);
            assert_eq!(ungroup(collapse_read_search(list.clone())), list);
        }
    }
}

/// What a message of [`stories`] is, read from its JSON: rank in the story, and the story's id.
fn rank(message: &Value) -> Option<(u8, String)> {
    let block = &message["message"]["content"][0];
    let body = &message["attachment"];
    let (rank, id) = match (message["type"].as_str()?, body["hookEvent"].as_str()) {
        ("assistant", _) => (0, &block["id"]),
        ("attachment", Some("PreToolUse")) => (1, &body["toolUseID"]),
        ("user", _) if block["type"] == "tool_result" => (2, &block["tool_use_id"]),
        ("attachment", Some("PostToolUse" | "PostToolUseFailure")) => (3, &body["toolUseID"]),
        _ => return None,
    };
    Some((rank, id.as_str()?.to_owned()))
}

/// The order by its definition: each message gets a key, and a stable sort does the rest.
fn sorted(messages: &Value) -> Vec<Value> {
    let messages = messages.as_array().unwrap();
    // Of each id the calls, but for those that their reply has made before.
    let mut begin: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, message) in messages.iter().enumerate() {
        let Some((0, id)) = rank(message) else { continue };
        let own = begin.entry(id).or_default();
        let reply = &message["message"]["id"];
        if reply == "" || own.iter().all(|&earlier| messages[earlier]["message"]["id"] != *reply) {
            own.push(index);
        }
    }
    let caller = |index: usize, id: &str| {
        let calls = begin.get(id)?;
        calls.iter().rev().find(|call| **call < index).or(calls.first()).copied()
    };
    let key = |index: usize| match rank(&messages[index]) {
        Some((rank, id)) if rank > 0 => caller(index, &id).map_or((index, 0), |call| (call, rank)),
        _ => (index, 0),
    };
    let mut order: Vec<usize> = (0..messages.len()).collect();
    order.sort_by_key(|&index| key(index));
    order.into_iter().map(|index| messages[index].clone()).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn stories_stay_in_one_piece(messages in stories()) {
        let order = reorder_for_ui(messages.clone());
        prop_assert_eq!(shown(&order), Value::Array(sorted(&shown(&messages))));
        prop_assert_eq!(reorder_for_ui(order.clone()), order);
    }

    #[test]
    fn stories_fold_and_unfold(messages in stories()) {
        for fold in [group_tool_uses, collapse_read_search] {
            prop_assert_eq!(ungroup(fold(messages.clone())), messages.clone());
        }
        let both = group_tool_uses(collapse_read_search(messages.clone()));
        prop_assert_eq!(ungroup(ungroup(both)), messages);
    }

    #[test]
    fn a_bridge_shows_a_folded_list_as_it_shows_the_list(messages in stories()) {
        let view = bridge_view(messages.clone());
        prop_assert_eq!(bridge_view(view.clone()), view.clone());
        prop_assert_eq!(bridge_view(collapse_read_search(group_tool_uses(messages))), view);
    }

    #[test]
    fn groups_are_the_longest_runs(messages in stories()) {
        let folded = group_tool_uses(messages.clone());
        prop_assert!(folded.len() <= messages.len());
        // Folding a second time changes nothing but the shields.
        prop_assert_eq!(group_tool_uses(folded.clone()).len(), folded.len());
    }
}
