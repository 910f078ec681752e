//! Stage *convert*: every message that is left becomes what a user or the model says.
//!
//! A local command becomes a user message with the same uuid. An attachment becomes meta text and media by its kind, or
//! nothing (`turnproof_format::attachments`). Media that were marked as refused stay behind.

use crate::json::Text;
use crate::message::{Content, Kind, Message};

use super::attachment;
use super::draft::{Draft, Part, Role};
use super::listed::Listed;
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "convert",
    title: "local commands and attachments become user messages",
    repairs: false,
    run: Run::Convert(convert),
};

fn convert<'a>(list: Vec<Listed<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    list.into_iter().filter_map(|listed| draft(listed, pass)).collect()
}

fn draft<'a>(listed: Listed<'a>, pass: &mut Pass<'_>) -> Option<Draft<'a>> {
    let message = listed.message()?;
    let (role, reply, parts) = match message {
        Message::User(user) => (Role::User, None, parts(listed, user.content())),
        Message::Assistant(assistant) => {
            let reply = assistant.reply_id().filter(|id| !id.is_empty());
            (Role::Assistant, reply, parts(listed, assistant.content()))
        }
        Message::System(system) => {
            pass.notes.add(listed.at, Effect::Changed, || "into a user message");
            (Role::User, None, system.text().map(|text| Part::of_plain(listed.at, text)).into_iter().collect())
        }
        Message::Attachment(attached) => match attachment::parts(listed.at, attached, listed.without) {
            Err(why) => {
                pass.notes.dropped(listed.at, || why);
                return None;
            }
            Ok(parts) => {
                pass.notes.add(listed.at, Effect::Changed, || "into what the model is told");
                (Role::User, None, parts)
            }
        },
        Message::HookResult(_) | Message::Progress(_) | Message::GroupedToolUse(_) => return None,
    };
    let is_meta = message.is_meta() || message.kind() == Kind::Attachment;
    let uuid: Option<&'a Text> = message.envelope().uuid.get();
    Some(Draft { role, source: Some(listed.at), reply, uuid, is_meta, parts })
}

/// The parts of a message's content, without the media that were refused.
fn parts<'a>(listed: Listed<'a>, content: Option<&'a Content>) -> Vec<Part<'a>> {
    match content {
        None => Vec::new(),
        Some(Content::Text(text)) => vec![Part::of_plain(listed.at, text)],
        Some(Content::Blocks(blocks)) => {
            let kept = blocks.iter().filter(|block| !listed.without.has(block));
            kept.map(|block| Part::of_block(listed.at, block)).collect()
        }
    }
}
