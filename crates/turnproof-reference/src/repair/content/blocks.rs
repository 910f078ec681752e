//! Single *blocks*: what no request may carry is dropped or put right.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::silent::without_content;
use super::{BlockEdit, apply, media, say_nothing};
use crate::json::{Fields, Raw};
use crate::message::constants::NO_CONTENT;
use crate::message::{Block, Content, Event, Message, Typed};
use crate::normalize::api::{Fixed, Media, Role, as_stored, fixed, is_blank, sent};
use crate::repair::edit;
use crate::repair::file::File;
use crate::repair::quoted;
use crate::repair::stored::Stored;
use crate::transcript::Link;

pub(super) fn fix(file: &mut File) {
    let stored = file.rows.stored();
    let mut edits = Vec::new();
    let without_content = without_content(&stored.messages);
    let mut silent: Vec<usize> = without_content.iter().map(|&at| stored.rows[at]).collect();
    put_on_path(file, &stored, &without_content);
    for (at, media) in sent(&stored.messages).into_iter().enumerate() {
        let row = stored.rows[at];
        let Some((message, media)) = Event::message(&stored.messages[at]).zip(media) else { continue };
        let is_left_out = |block: &Block| !is_within(Media::of(block), media);
        let (role, content) = match message {
            Message::User(user) => (Role::User, user.content()),
            Message::Assistant(assistant) => (Role::Assistant, assistant.content()),
            Message::System(system) => {
                if system.text().is_some_and(|text| is_blank(text.as_str())) {
                    silent_notice(file, row);
                }
                continue;
            }
            Message::Attachment(_) => {
                sent_as_they_are(file, row, is_left_out);
                if media != Media::NONE {
                    media::fix(file, row);
                }
                continue;
            }
            _ => continue,
        };
        if let Some(Content::Blocks(blocks)) = content {
            let sent = blocks.iter().enumerate().filter(|(_, block)| !is_left_out(block));
            edits.extend(sent.filter_map(|(element, block)| edit_of(role, block, row, element)));
        }
    }
    if edits.is_empty() && silent.is_empty() {
        // A message inside of a reply may be all of a turn after it. The next prompt joins the last turn of the user.
        let turns = as_stored(&stored.messages);
        for source in turns[..turns.len().saturating_sub(1)]
            .iter()
            .filter(|turn| turn.content.is_empty())
            .filter_map(|turn| turn.source)
        {
            let row = stored.rows[source as usize];
            match stored.messages[source as usize].message() {
                Some(Message::User(_)) => silent.push(row),
                Some(Message::System(_)) => silent_notice(file, row),
                _ => {}
            }
        }
    }
    silent.into_iter().for_each(|row| say_nothing(file, row));
    apply(file, edits);
}

/// Whether a medium is one of those that are sent; what is no medium is.
fn is_within(medium: Media, sent: Media) -> bool {
    medium.and(sent) == medium
}

/// Links the user's messages without content that hang beside the path to those around them. Readers take results from
/// beside the path, and nothing else of a user.
fn put_on_path(file: &mut File, stored: &Stored, silent: &[usize]) {
    let is_user = |at: &&usize| matches!(stored.messages[**at].message(), Some(Message::User(_)));
    let silent: Vec<usize> = silent.iter().filter(is_user).copied().collect();
    if silent.is_empty() {
        return;
    }
    let transcript = file.rows.transcript();
    let uuid = |at: usize| transcript.record(stored.rows[at]).uuid().map(|uuid| uuid.into_owned());
    let places: HashMap<String, usize> = (0..stored.rows.len()).filter_map(|at| Some((uuid(at)?, at))).collect();
    let parent = |at: &usize| match transcript.record(stored.rows[*at]).parent() {
        Link::To(parent) => places.get(&*parent).copied().filter(|before| before < at),
        _ => None,
    };
    let path: HashSet<usize> = std::iter::successors(stored.rows.len().checked_sub(1), parent).collect();
    for at in silent.into_iter().filter(|at| !path.contains(at) && *at > 0) {
        for (child, parent) in [(at, at - 1), (at + 1, at)] {
            let Some(uuid) = uuid(parent).filter(|_| !transcript.record(stored.rows[child]).is_compact_boundary())
            else {
                continue;
            };
            let what = "its parent is the message before it now".to_owned();
            file.set(stored.rows[child], "parentUuid", quoted(&uuid).as_bytes(), "message/content-not-empty", what);
        }
    }
}

fn edit_of(role: Role, block: &Block, row: usize, element: usize) -> Option<BlockEdit> {
    let name = block.type_name();
    let (new, rule, what) = match fixed(role, block) {
        Fixed::AsItIs => return None,
        // Normalization leaves an empty list out, but every host takes it.
        Fixed::Changed(json, _) if is_without_its_empty_list(block, &json) => return None,
        Fixed::Changed(json, how) => (Some(json), "api/known-members", format!("{name}: {how}")),
        Fixed::Gone(why) if why == "blank" => {
            (None, "message/no-blank-text", format!("without the block {name}: {why}"))
        }
        Fixed::Gone(why) => (None, rule(&why), format!("without the block {name}: {why}")),
    };
    Some(BlockEdit { row, element, new, rule, what })
}

/// Whether a result has become what it is without its content, an empty list.
fn is_without_its_empty_list(block: &Block, json: &str) -> bool {
    let written = block.to_json();
    let Ok(mut fields) = serde_json::from_str::<Fields>(&written) else { return false };
    let is_empty = fields
        .get("content")
        .is_some_and(|content| edit::elements(content.get().as_bytes()).is_some_and(|elements| elements.is_empty()));
    fields.take("content");
    is_empty && matches!(block, Block::ToolResult(_)) && fields.to_raw().get() == json
}

fn rule(why: &str) -> &'static str {
    match why {
        "blank" => "api/no-blank-text",
        "without signature" | "without data" => "thinking/signed",
        "users say no such block" | "replies hold no such block" => "api/blocks-by-role",
        _ => "api/required-fields",
    }
}

/// A notice that is sent says something.
fn silent_notice(file: &mut File, row: usize) {
    let content = format!("\"{NO_CONTENT}\"");
    let what = format!("it says `{NO_CONTENT}`, for want of anything else");
    file.set(row, "content", content.as_bytes(), "api/no-blank-text", what);
}

/// The blocks of a prompt that waited, and of what was sent for an attachment, are sent as they are.
fn sent_as_they_are(file: &mut File, row: usize, is_left_out: impl Fn(&Block) -> bool) {
    for (place, is_rendered) in blocks_sent(&file.rows[row].bytes).into_iter().rev() {
        let block = Raw::from_bytes(&file.rows[row].bytes[place.clone()]).ok();
        let Some(block) = block.and_then(|raw| Block::read(&raw).ok()) else { continue };
        let says_nothing = matches!(block, Block::Stray(_)) || block.text().is_some_and(|text| is_blank(text.as_str()));
        if is_rendered && says_nothing {
            continue;
        }
        if matches!(block, Block::ToolResult(_)) {
            let what = "without a result in an attachment, which answers no call".to_owned();
            file.take(row, place, "pairing/no-orphan-result", what);
            continue;
        }
        match fixed(Role::User, &block) {
            _ if is_left_out(&block) => {}
            Fixed::AsItIs => {}
            Fixed::Changed(json, how) => file.edit(row, place, json.as_bytes(), "api/known-members", how),
            Fixed::Gone(why) => file.take(row, place, rule(&why), format!("without a block of the attachment: {why}")),
        }
    }
}

/// Where the blocks are that are sent for an attachment, in the order of the record; and whether they are what was sent
/// for it, of which readers leave out what says nothing.
fn blocks_sent(record: &[u8]) -> Vec<(Range<usize>, bool)> {
    let within = |place: &Range<usize>, inner: Range<usize>| place.start + inner.start..place.start + inner.end;
    let member =
        |place: Range<usize>, name: &str| edit::member(&record[place.clone()], name).map(|inner| within(&place, inner));
    let elements = |place: Range<usize>| {
        let elements = edit::elements(&record[place.clone()]).unwrap_or_default();
        elements.into_iter().map(move |inner| within(&place, inner))
    };
    let whole = || 0..record.len();
    let prompt = member(whole(), "attachment").and_then(|attachment| member(attachment, "prompt"));
    let rendered =
        member(whole(), "rendered").into_iter().flat_map(elements).filter_map(|part| member(part, "content"));
    let prompt = prompt.into_iter().flat_map(elements).map(|place| (place, false));
    let mut blocks: Vec<_> = prompt.chain(rendered.flat_map(elements).map(|place| (place, true))).collect();
    blocks.sort_by_key(|(place, _)| place.start);
    blocks
}
