//! Messages that are sent and hold nothing.

use std::collections::HashMap;

use crate::message::{Content, Event, Message};
use crate::normalize::api::{is_blank, sent};

/// The messages that are sent and hold nothing: no content, a blank one, or an empty list.
pub fn without_content(messages: &[Event]) -> Vec<usize> {
    let sent = sent(messages).into_iter().enumerate().filter(|(_, media)| media.is_some());
    let mut silent: Vec<usize> = sent.map(|(at, _)| at).filter(|&at| is_without_content(&messages[at])).collect();
    if !silent.is_empty() {
        // A text between the results of a reply would push the later ones from the front.
        let inside = inside_replies(messages);
        silent.retain(|&at| {
            let content = messages[at].message().and_then(|message| match message {
                Message::User(user) => user.content(),
                _ => None,
            });
            !(inside[at] && matches!(content, Some(Content::Blocks(_))))
        });
    }
    silent
}

fn is_without_content(event: &Event) -> bool {
    let content = match event.message() {
        Some(Message::User(user)) => user.content(),
        Some(Message::Assistant(assistant)) => assistant.content(),
        _ => return false,
    };
    content.is_none_or(|content| match content {
        Content::Text(text) => is_blank(text.as_str()),
        Content::Blocks(blocks) => blocks.is_empty(),
    })
}

/// Whether each message is between two lines of one reply.
fn inside_replies(messages: &[Event]) -> Vec<bool> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut starts = vec![0_i64; messages.len() + 1];
    for (at, event) in messages.iter().enumerate() {
        let Some(Message::Assistant(assistant)) = Event::message(event) else { continue };
        let Some(id) = assistant.reply_id().filter(|id| !id.is_empty()) else { continue };
        let before = first.insert(id, at);
        if let Some(before) = before {
            starts[before] += 1;
            starts[at] -= 1;
        }
    }
    let depths = starts.iter().scan(0, |depth, change| {
        *depth += change;
        Some(*depth > 0)
    });
    depths.take(messages.len()).collect()
}
