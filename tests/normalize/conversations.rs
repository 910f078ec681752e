//! Small conversations, each with a name that says what is interesting, and a reviewed page of how
//! they are normalized.
//!
//! `tests/conversations/api/NAME.jsonl` gives `snapshots/normalize-api/NAME.snap`, likewise for `ui`.
//! A first line of type `options` says what the request is made for. After a change of behaviour,
//! `cargo insta review` shows what became of them.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use turnproof::report::{normalization, outline, snapshots};
use turnproof_reference::message::{Entry, Event, Message};
use turnproof_reference::normalize::api::{Options, normalize_traced};
use turnproof_reference::normalize::ui::{
    bridge_view, collapse_read_search, group_tool_uses, normalize_for_ui, reorder_for_ui, ungroup,
};
use turnproof_rules::operation::Host;

#[derive(Default, Deserialize)]
struct OptionsLine {
    context: Option<String>,
    tools: Option<Vec<String>>,
    profile: Option<Host>,
}

/// A conversation: its name, its options and its messages.
struct Conversation {
    name: String,
    options: Options,
    messages: Vec<Event>,
}

fn conversations(topic: &str) -> Vec<Conversation> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("tests/conversations").join(topic);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| conversation(path)).collect()
}

fn conversation(path: &Path) -> Conversation {
    let text = fs::read_to_string(path).unwrap();
    let (mut options, mut messages) = (OptionsLine::default(), Vec::new());
    for line in text.lines() {
        match serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}: {line}", path.display())) {
            Entry::Event(event) => messages.push(event),
            Entry::Side(_) | Entry::Unknown(_) => options = serde_json::from_str(line).unwrap(),
        }
    }
    let OptionsLine { context, tools, profile } = options;
    let tools = tools.map(|tools| tools.into_iter().collect());
    Conversation {
        name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
        options: Options { tools, profile: profile.unwrap_or_default(), context },
        messages,
    }
}

/// Compares a page with the reviewed one.
fn review(topic: &str, name: &str, page: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("../../snapshots/normalize-{topic}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name.to_owned(), page));
}

#[test]
fn the_conversations_that_are_built_in_are_these() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut paths: Vec<PathBuf> =
        fs::read_dir(root.join("tests/conversations/api")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let one = |path: &PathBuf| {
        format!("# {}\n{}", path.file_stem().unwrap().to_str().unwrap(), fs::read_to_string(path).unwrap())
    };
    let text: String = paths.iter().map(one).collect();
    let built_in = root.join("src/report/snapshots/conversations.txt");
    if std::env::var_os("TURNPROOF_WRITE_PAGES").is_some() {
        fs::write(&built_in, &text).unwrap();
    }
    assert!(fs::read_to_string(built_in).unwrap() == text, "TURNPROOF_WRITE_PAGES=1 writes it");
    assert_eq!(snapshots::conversations().len(), paths.len());
    let of_folder = snapshots::conversations_of(&root.join("tests/conversations/api")).unwrap();
    let said = |all: &[snapshots::Conversation]| -> Vec<_> {
        all.iter().map(|one| (one.name.clone(), one.messages.clone(), one.options.clone())).collect()
    };
    assert_eq!(said(&of_folder), said(&snapshots::conversations()));
}

#[test]
fn requests_are_as_reviewed() {
    for Conversation { name, options, messages } in conversations("api") {
        let (turns, trace) = normalize_traced(&messages, &options);
        review("api", &name, &normalization::page(&messages, &turns, &trace));
    }
}

#[test]
fn what_a_ui_shows_is_as_reviewed() {
    for Conversation { name, messages, .. } in conversations("ui") {
        let listed: Vec<Message> = messages
            .iter()
            .filter_map(|event| match event {
                Event::Message(message) => Some(message.clone()),
                _ => None,
            })
            .collect();
        let split = normalize_for_ui(listed.clone());
        let ordered = reorder_for_ui(split.clone());
        let grouped = group_tool_uses(ordered.clone());
        let collapsed = collapse_read_search(ordered.clone());
        let mut page = String::from("messages\n");
        messages.iter().enumerate().for_each(|(at, event)| page += &format!("  {at}  {}\n", outline::message(event)));
        page += &section("a message a block", &listed, &split);
        page += &section("in the order of the calls' stories", &split, &ordered);
        page += &section("grouped", &ordered, &grouped);
        page += &section("reading and searching collapsed", &ordered, &collapsed);
        page += &section("bridge view", &grouped, &bridge_view(grouped.clone()));
        assert_eq!((ungroup(grouped), ungroup(collapsed)), (ordered.clone(), ordered));
        review("ui", &name, &page);
    }
}

/// What a step made of the messages, unless it changed nothing.
fn section(title: &str, before: &[Message], after: &[Message]) -> String {
    if before == after {
        return format!("\n{title}: the same\n");
    }
    let lines = after.iter().map(|message| {
        let paste_ids = match message {
            Message::User(user) => user.image_paste_ids.get().map(|ids| format!(" paste ids {ids:?}")),
            _ => None,
        };
        let group = match message {
            Message::GroupedToolUse(group) => Some(format!(
                " of {}: {} calls, {} results",
                group.tool_name.as_str().unwrap_or_default(),
                group.messages.get().map_or(0, Vec::len),
                group.results.get().map_or(0, Vec::len)
            )),
            _ => None,
        };
        let outline = outline::message(&message.clone().into());
        format!("  {outline}{}{}\n", paste_ids.unwrap_or_default(), group.unwrap_or_default())
    });
    format!("\n{title}\n{}", lines.collect::<String>())
}
