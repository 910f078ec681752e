//! *Splitting* gives each content block a message of its own, so that a UI can show it by itself.

use std::mem;
use std::sync::Arc;
use std::vec;

use crate::json::{Raw, Text};
use crate::message::id::derive_uuid;
use crate::message::{Block, Content, Maybe, Message, TextBlock};

/// One message for each content block of user and assistant messages; other kinds pass unchanged. SPEC.md sections 7.1
/// to 7.4 say which ids the parts have, and where pasted images go.
///
/// ```
/// use turnproof_reference::message::{Block, Factory, FixedContext, TextBlock};
/// use turnproof_reference::normalize::ui::normalize_for_ui;
///
/// let mut context = FixedContext::new(1);
/// let mut factory = Factory::new(&mut context);
/// let parent = "6f1c1de6-9b1b-4a5f-8c3d-2e7f5a9b0c1d";
/// let blocks: Vec<Block> = vec![TextBlock::new("one").into(), TextBlock::new("two").into()];
/// let shown = normalize_for_ui(vec![factory.with_uuid(parent).user(blocks).into()]);
/// let ids: Vec<_> = shown.iter().filter_map(|message| message.uuid()).collect();
/// assert_eq!(ids, ["6f1c1de6-9b1b-4a5f-8c3d-000000000000", "6f1c1de6-9b1b-4a5f-8c3d-000000000001"]);
/// ```
pub fn normalize_for_ui(messages: Vec<Message>) -> Vec<Message> {
    let mut shown = Vec::with_capacity(messages.len());
    let mut derives = false;
    for mut message in messages {
        if !matches!(message, Message::User(_) | Message::Assistant(_)) {
            shown.push(message);
            continue;
        }
        let mut blocks = take_blocks(&mut message);
        derives |= blocks.len() > 1;
        let Some(last) = blocks.pop() else { continue };
        let mut parts = Parts { derives, paste_ids: take_paste_ids(&mut message), index: 0 };
        for block in blocks {
            shown.push(parts.next(message.clone(), block));
        }
        shown.push(parts.next(message, last));
    }
    shown
}

/// Makes the parts of one message, in order.
struct Parts {
    derives: bool,
    /// The ids of pasted images that are not given out yet.
    paste_ids: vec::IntoIter<Raw>,
    /// The index of the next block.
    index: u64,
}

impl Parts {
    /// The part with this block; `message` is the whole, its blocks taken out.
    fn next(&mut self, mut message: Message, block: Block) -> Message {
        if self.derives {
            let uuid = &mut message.envelope_mut().uuid;
            *uuid = part_uuid(mem::take(uuid), self.index);
        }
        self.index += 1;
        if let (Message::User(user), Block::Image(_)) = (&mut message, &block)
            && let Some(id) = self.paste_ids.next()
        {
            Arc::make_mut(user).image_paste_ids = vec![id].into();
        }
        if let Some(content) = content_mut(&mut message) {
            *content = Content::Blocks(vec![block]).into();
        }
        message
    }
}

/// The id of part `index` of the message with this id. A part beyond what a derived id can count has none: no id is
/// better than one that another message has.
pub fn part_uuid(uuid: Maybe<Text>, index: u64) -> Maybe<Text> {
    match uuid {
        Maybe::Is(uuid) => derive_uuid(&uuid, index).ok().map(Text::from).into(),
        none => none,
    }
}

fn content_mut(message: &mut Message) -> Option<&mut Maybe<Content>> {
    match message {
        Message::User(message) => Some(&mut Arc::make_mut(message).message.get_mut()?.content),
        Message::Assistant(message) => Some(&mut Arc::make_mut(message).message.get_mut()?.content),
        _ => None,
    }
}

/// Takes out what a message says, a string as one text block.
fn take_blocks(message: &mut Message) -> Vec<Block> {
    match content_mut(message).map(mem::take) {
        Some(Maybe::Is(Content::Text(text))) => vec![TextBlock::new(text).into()],
        Some(Maybe::Is(Content::Blocks(blocks))) => blocks,
        Some(Maybe::Absent | Maybe::Null | Maybe::Misfit(_)) | None => Vec::new(),
    }
}

/// Takes out the ids of pasted images; a null stays.
fn take_paste_ids(message: &mut Message) -> vec::IntoIter<Raw> {
    let ids = match message {
        Message::User(user) if user.image_paste_ids.get().is_some() => {
            mem::take(&mut Arc::make_mut(user).image_paste_ids)
        }
        _ => Maybe::Absent,
    };
    if let Maybe::Is(ids) = ids { ids.into_iter() } else { vec::IntoIter::default() }
}
