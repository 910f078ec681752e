//! Turns that are found in the *lines* of the file: a reply is all its lines, and results that were given together
//! are one turn.

use std::collections::VecDeque;

use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::Keep;
use super::canonical::{CachePoints, canonical, text_block};
use super::hash::Hash;

/// A line of a conversation.
#[derive(Debug)]
pub(super) struct MessageLine {
    pub(super) line: u64,
    pub(super) start: u64,
    /// Its blocks as they were written; none where only hashes are kept.
    pub(super) blocks: Vec<Block>,
    /// How many bytes its blocks have.
    pub(super) bytes: u64,
}

/// A block of a line.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) json: String,
    pub(super) is_call: bool,
}

/// Where a turn is.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// In a line of its own.
    Blob(usize),
    /// In lines of one reply: its calls come last.
    Reply(Box<[u32]>),
    /// In lines of the user, one behind the other.
    User { first: u32, last: u32 },
}

/// So many replies are followed at once: their lines may stand between each other.
const REPLIES: usize = 16;

/// So many lines of the user are tried together as one turn: from each of them on.
const TOGETHER: usize = 16;

/// The lines of a file, and the turns that they may be.
#[derive(Default)]
pub(super) struct Lines {
    pub(super) all: Vec<MessageLine>,
    /// Those of the user, as numbers into `all`.
    pub(super) of_user: Vec<u32>,
    replies: VecDeque<Reply>,
    /// What was given since the newest reply: from which line of the user on, and its hash so far.
    given: Vec<(u32, Sha256)>,
}

/// A reply whose lines are read.
struct Reply {
    id: String,
    lines: Vec<u32>,
    /// Its canonical blocks but calls, and its calls.
    said: String,
    calls: String,
}

impl Lines {
    /// Takes a line of a reply; gives the turn that it may be the end of.
    pub(super) fn reply(&mut self, message: &Message<'_>, at: (u64, u64), keep: Keep) -> Option<(Hash, Source)> {
        let number = self.all.len() as u32;
        let id = message.id.as_deref().unwrap_or_default();
        let at_reply = self.replies.iter().position(|reply| reply.id == id && !id.is_empty());
        let at_reply = at_reply.unwrap_or_else(|| {
            self.given.clear();
            let reply = Reply { id: id.to_owned(), lines: Vec::new(), said: String::new(), calls: String::new() };
            self.replies.push_back(reply);
            self.replies.drain(..self.replies.len().saturating_sub(REPLIES));
            self.replies.len() - 1
        });
        let reply = &mut self.replies[at_reply];
        let (mut kept, mut bytes) = (Vec::new(), 0);
        for (json, text) in blocks(message) {
            bytes += json.len() as u64;
            let Block { is_call, .. } = block(&json);
            let list = if is_call { &mut reply.calls } else { &mut reply.said };
            list.push_str(if list.is_empty() { "" } else { "," });
            list.push_str(&text);
            kept.extend((keep == Keep::Bodies).then_some(Block { json, is_call }));
        }
        reply.lines.push(number);
        self.all.push(MessageLine { line: at.0, start: at.1, blocks: kept, bytes });
        let comma = if reply.said.is_empty() || reply.calls.is_empty() { "" } else { "," };
        let turn = format!(r#"{{"content":[{}{comma}{}],"role":"assistant"}}"#, reply.said, reply.calls);
        Some((Hash::of(&turn), Source::Reply(reply.lines.clone().into())))
    }

    /// Takes a line of the user; gives each turn that it may be the end of.
    pub(super) fn user(&mut self, message: &Message<'_>, at: (u64, u64), keep: Keep) -> Vec<(Hash, Source)> {
        let number = self.of_user.len() as u32;
        self.of_user.push(self.all.len() as u32);
        let (mut kept, mut list, mut bytes) = (Vec::new(), String::new(), 0);
        for (json, text) in blocks(message) {
            bytes += json.len() as u64;
            list.push_str(if list.is_empty() { "" } else { "," });
            list.push_str(&text);
            kept.extend((keep == Keep::Bodies).then(|| block(&json)));
        }
        self.all.push(MessageLine { line: at.0, start: at.1, blocks: kept, bytes });
        if self.given.len() == TOGETHER {
            self.given.remove(1);
        }
        self.given.iter_mut().for_each(|(_, hasher)| hasher.update(format!(",{list}")));
        self.given.push((number, Sha256::new_with_prefix(format!(r#"{{"content":[{list}"#))));
        let turn = |(first, hasher): &(u32, Sha256)| {
            let hasher = hasher.clone().chain_update(r#"],"role":"user"}"#);
            (Hash::end(hasher), Source::User { first: *first, last: number })
        };
        self.given.iter().map(turn).collect()
    }
}

/// What a line says.
#[derive(serde::Deserialize)]
pub(super) struct Message<'a> {
    pub(super) id: Option<String>,
    #[serde(borrow)]
    pub(super) content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
}

/// The blocks of a message that are sent, as they were written, and canonical. A blank text of a reply is not sent.
fn blocks(message: &Message<'_>) -> Vec<(String, String)> {
    let content = message.content.map_or("null", RawValue::get);
    let written: Vec<String> = match content.as_bytes().first() {
        Some(b'"') => vec![text_block(content)],
        Some(b'[') => {
            let blocks: Vec<&RawValue> = serde_json::from_str(content).unwrap_or_default();
            blocks.into_iter().map(|block| block.get().to_owned()).collect()
        }
        _ => Vec::new(),
    };
    let with_text = |json: String| canonical(&json, CachePoints::Dropped).map(|text| (json, text));
    written.into_iter().filter(|json| !is_blank(json)).filter_map(with_text).collect()
}

fn is_blank(json: &str) -> bool {
    let value = || serde_json::from_str::<Value>(json).ok();
    // Few blocks are so short.
    json.len() < 128
        && value().is_some_and(|block| {
            block["type"] == "text" && block["text"].as_str().is_some_and(|text| text.trim().is_empty())
        })
}

/// A block, as it was written.
fn block(json: &str) -> Block {
    #[derive(serde::Deserialize)]
    struct Typed {
        r#type: Option<String>,
    }
    let kind = serde_json::from_str::<Typed>(json).ok().and_then(|block| block.r#type);
    Block { json: json.to_owned(), is_call: kind.as_deref() == Some("tool_use") }
}
