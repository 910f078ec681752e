//! The *account* of a repair: how many blocks it dropped, moved, changed and added, and which messages had lost what they
//! said before.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::report::count;
use turnproof_reference::repair::{Change, Repair};

/// The rule that asks for a content.
const NOT_EMPTY: &str = "message/content-not-empty";

/// What a repair did to blocks.
#[derive(Default)]
pub(super) struct Account {
    dropped: u64,
    moved: u64,
    changed: u64,
    added: u64,
    /// Changes of links, ids, lines and members.
    others: u64,
    removed: u64,
    /// The lines of messages that say nothing now, though the repair dropped nothing of them: it was not in the file.
    pub(super) lost: BTreeSet<u64>,
    /// The lines of messages that say nothing now, and whose blocks the repair dropped.
    pub(super) emptied: BTreeSet<u64>,
}

impl Account {
    pub(super) fn of(repair: &Repair) -> Self {
        let mut account = Self { removed: repair.removed.len() as u64, ..Self::default() };
        let mut dropped: Vec<(u64, Option<String>)> = Vec::new();
        let mut added: BTreeMap<String, u64> = BTreeMap::new();
        for change in &repair.changes {
            let (before, after) = (object(&change.before), object(&change.after));
            match (before.filter(is_block), after) {
                (Some(_), Some(after)) if is_block(&after) => account.changed += 1,
                (Some(before), _) if change.after.is_empty() => dropped.push((change.line, name(&before))),
                (None, Some(after)) if change.before.is_empty() => {
                    let blocks = blocks(after);
                    account.others += u64::from(blocks.is_empty());
                    for block in blocks {
                        account.added += 1;
                        name(&block).into_iter().for_each(|name| *added.entry(name).or_default() += 1);
                    }
                }
                _ if empties(change) => {}
                _ => account.others += 1,
            }
        }
        let lines: BTreeSet<u64> = dropped.iter().map(|(line, _)| *line).collect();
        let mut lost_by_line: BTreeSet<u64> = BTreeSet::new();
        for (line, name) in dropped {
            match name.and_then(|name| added.get_mut(&name).filter(|left| **left > 0)) {
                Some(left) => {
                    *left -= 1;
                    account.added -= 1;
                    account.moved += 1;
                }
                None => {
                    account.dropped += 1;
                    lost_by_line.insert(line);
                }
            }
        }
        for line in repair.changes.iter().filter(|change| empties(change)).map(|change| change.line) {
            if lost_by_line.contains(&line) {
                account.emptied.insert(line);
            } else if !lines.contains(&line) {
                account.lost.insert(line);
            }
        }
        account
    }

    /// How many of what, for people.
    pub(super) fn in_words(&self) -> String {
        let many =
            |number: u64, one: &str, many: &str| format!("{} {}", count(number), if number == 1 { one } else { many });
        let blocks =
            [(self.dropped, "dropped"), (self.moved, "moved"), (self.changed, "changed"), (self.added, "added")];
        let blocks = blocks.into_iter().filter(|(number, _)| *number > 0);
        let mut parts: Vec<String> =
            blocks.map(|(number, what)| format!("{} {what}", many(number, "block", "blocks"))).collect();
        let empty = (self.lost.len() + self.emptied.len()) as u64;
        parts.extend((empty > 0).then(|| format!("{} without content", many(empty, "message", "messages"))));
        let other = if parts.is_empty() { ("change", "changes") } else { ("other change", "other changes") };
        parts.extend((self.others > 0).then(|| many(self.others, other.0, other.1)));
        parts.extend((self.removed > 0).then(|| format!("{} removed", many(self.removed, "piece", "pieces"))));
        parts.join(", ")
    }

    /// What is lost for good, a sentence each without a full stop.
    pub(super) fn lost_in_words(&self) -> Vec<String> {
        let lines = |lines: &BTreeSet<u64>| {
            let shown: Vec<String> = lines.iter().take(SHOWN).map(u64::to_string).collect();
            let more = if lines.len() > SHOWN { ", …" } else { "" };
            format!("line{} {}{more}", if lines.len() == 1 { "" } else { "s" }, shown.join(", "))
        };
        let messages = |lines: &BTreeSet<u64>| match lines.len() {
            1 => "1 message".to_owned(),
            number => format!("{} messages", count(number as u64)),
        };
        let mut said = Vec::new();
        if !self.lost.is_empty() {
            let (messages, lines) = (messages(&self.lost), lines(&self.lost));
            said.push(format!("lost for good: what {messages} said ({lines}); the file does not hold it"));
        }
        if !self.emptied.is_empty() {
            let (messages, lines) = (messages(&self.emptied), lines(&self.emptied));
            said.push(format!("emptied: {messages} ({lines}); what was dropped is among what was removed"));
        }
        said
    }

    pub(super) fn is_without_loss(&self) -> bool {
        self.lost.is_empty() && self.emptied.is_empty()
    }

    pub(super) fn as_value(&self) -> Value {
        let Self { dropped, moved, changed, added, .. } = self;
        json!({
            "blocks": { "dropped": dropped, "moved": moved, "changed": changed, "added": added },
            "lost_for_good": self.lost,
            "emptied": self.emptied,
        })
    }
}

/// So many lines are shown to people.
const SHOWN: usize = 8;

/// Whether a change gives a message a content that says that there is none.
fn empties(change: &Change) -> bool {
    change.rule == NOT_EMPTY && String::from_utf8_lossy(&change.after).contains("(no content)")
}

/// An object with the commas around it.
fn object(bytes: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(bytes).ok()?.trim_matches([',', ' ', '\n', '\t']);
    serde_json::from_str(text).ok().filter(Value::is_object)
}

/// Whether an object is a block, and no record.
fn is_block(object: &Value) -> bool {
    object["type"].is_string() && object.get("uuid").is_none() && object.get("message").is_none()
}

/// The blocks of what was added: a block, or those of a record.
fn blocks(added: Value) -> Vec<Value> {
    match added["message"]["content"].as_array() {
        Some(blocks) => blocks.clone(),
        None if is_block(&added) => vec![added],
        None => Vec::new(),
    }
}

/// What is the same of a block in its old place and its new one: its type, and the call that it answers.
fn name(block: &Value) -> Option<String> {
    Some(format!("{} {}", block["type"].as_str()?, block["tool_use_id"].as_str()?))
}
