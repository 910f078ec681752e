//! Stage *strip rejected media*: what the API refused once is not sent again (SPEC.md section 6.3).
//!
//! The same media would go out with each further request, which would fail for ever (issues 13480, 16173 and
//! 29259 of anthropics/claude-code). What a message held at first decides which media an error marks, so that a
//! second error in a row marks the same message. Attachments move up, so all of them since the last reply are marked.

use crate::json::Text;
use crate::message::{Block, Content, Message};

use super::attachment::brought_by;
use super::listed::{Listed, Media};
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "strip rejected media",
    title: "media that the API refused leave the message that carried them",
    repairs: false,
    run: Run::Listed(strip_rejected_media),
};

fn strip_rejected_media<'a>(mut list: Vec<Listed<'a>>, pass: &mut Pass<'_>) -> Vec<Listed<'a>> {
    if !list.iter().any(|listed| listed.is_synthetic_api_error()) {
        return list;
    }
    // The last message that errors do not look past, and the media that it carries.
    let mut candidate: Option<(usize, Media)> = None;
    let mut attached = Attached::default();
    for index in 0..list.len() {
        let listed = list[index];
        if listed.is_synthetic_api_error() {
            let refused = listed.message().map_or(Media::NONE, refused_by);
            if let Some((carrier, carried)) = candidate {
                list[carrier].without = list[carrier].without.or(refused.and(carried));
            }
            attached.mark(refused, &mut list);
        } else if !is_looked_past(listed) {
            candidate = Some((index, carried_by(listed)));
            attached.take(index, listed);
        }
    }
    list.retain(|listed| stays(*listed, pass));
    list
}

/// The attachments since the last reply that no error has marked, by the media that they bring.
#[derive(Default)]
struct Attached {
    images: Vec<usize>,
    documents: Vec<usize>,
}

impl Attached {
    fn take(&mut self, index: usize, listed: Listed<'_>) {
        match listed.message() {
            Some(Message::Assistant(_)) => *self = Self::default(),
            Some(Message::Attachment(attachment)) => {
                let brought = brought_by(attachment);
                self.images.extend(brought.images.then_some(index));
                self.documents.extend(brought.documents.then_some(index));
            }
            _ => {}
        }
    }

    fn mark(&mut self, refused: Media, list: &mut [Listed<'_>]) {
        if refused.images {
            self.images.drain(..).for_each(|index| list[index].without.images = true);
        }
        if refused.documents {
            self.documents.drain(..).for_each(|index| list[index].without.documents = true);
        }
    }
}

/// Whether an error looks past a message: other errors, and kinds outside the chain.
fn is_looked_past(listed: Listed<'_>) -> bool {
    !listed.kind().is_chain_participant() || listed.message().is_some_and(|message| message.is_system("api_error"))
}

/// The media in a meta user message; nothing in other messages.
fn carried_by(listed: Listed<'_>) -> Media {
    match listed.message() {
        Some(message @ Message::User(_)) if message.is_meta() => Media {
            images: message.blocks().iter().any(|block| matches!(block, Block::Image(_))),
            documents: message.blocks().iter().any(|block| matches!(block, Block::Document(_))),
        },
        _ => Media::NONE,
    }
}

/// The media that an error says were refused.
fn refused_by(error: &Message) -> Media {
    let words = words_of(error);
    let says = |word: &str| words.contains(word);
    let whole = ["request too large", "request_too_large", "request was too large"].into_iter().any(says);
    let images = says("image") && ["too large", "exceed", "could not process"].into_iter().any(says);
    let documents = says("pdf")
        && ["too large", "exceed", "maximum of", "password", "not valid", "invalid", "could not"].into_iter().any(says);
    Media { images: whole || images, documents: whole || documents }
}

/// What an error says, in lower case.
fn words_of(error: &Message) -> String {
    let words = match error.content() {
        Some(Content::Text(text)) => text.as_str().to_owned(),
        _ => error.blocks().iter().filter_map(Block::text).map(Text::as_str).collect::<Vec<_>>().join("\n"),
    };
    words.to_ascii_lowercase()
}

/// Whether anything is left of a message without its marked media.
fn stays(listed: Listed<'_>, pass: &mut Pass<'_>) -> bool {
    if listed.without == Media::NONE {
        return true;
    }
    let blocks = listed.message().map_or(&[][..], Message::blocks);
    let is_spoken = matches!(listed.message(), Some(Message::User(_)));
    let is_empty = is_spoken && blocks.iter().all(|block| listed.without.has(block));
    let refused = match listed.without {
        Media { images: true, documents: true } => "images and documents",
        Media { images: true, .. } => "images",
        _ => "documents",
    };
    match is_empty {
        true => pass.notes.dropped(listed.at, || format!("held only {refused} that the API refused")),
        false => pass.notes.add(listed.at, Effect::Changed, || format!("without the {refused} that the API refused")),
    }
    !is_empty
}
