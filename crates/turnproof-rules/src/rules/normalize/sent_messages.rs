//! The messages of a list that are sent, each with its role and blocks, in order; and the blocks that are not sent.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::attachment::{AttachmentText, Piece, Stance, pieces};
use super::block::{Role, text_block};
use super::media;
use crate::rules::value::{blocks, content, is_true, kind, reply_id, text, uuid, withdrawn_by};
use crate::vocabulary::LOCAL_COMMAND;

/// An event and its place in the input.
pub(super) type Placed<'a> = (usize, &'a Value);

/// A block of the input, and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Source<'a> {
    /// Which event, from 0.
    pub message: usize,
    /// Which block of its content, from 0; `None` when the content is not a list.
    pub block: Option<usize>,
    /// The block as it is there; for a text in the subject's words, what it must say.
    pub value: Cow<'a, Value>,
    /// Which of the [texts of attachments](SentMessages::attachment_texts) it is.
    pub attachment_text: Option<usize>,
}

impl Source<'_> {
    /// A text that is no block of a list.
    fn text(message: usize, text: &str) -> Self {
        Self::made(message, text_block(text))
    }

    /// A block that is not in a list.
    fn made(message: usize, value: Value) -> Self {
        Self { message, block: None, value: Cow::Owned(value), attachment_text: None }
    }
}

/// A message that is sent; several lines, if they are of one reply.
#[derive(Clone, Debug)]
pub(super) struct Message<'a> {
    pub role: Role,
    pub blocks: Vec<Source<'a>>,
}

/// The messages that are sent, and the blocks of the other messages, each with the reason why it is not sent.
#[derive(Clone, Debug, Default)]
pub(super) struct SentMessages<'a> {
    /// In the order of the request.
    pub messages: Vec<Message<'a>>,
    /// In no particular order.
    pub gone: Vec<(Source<'a>, &'static str)>,
    /// What the texts of attachments say, in the order of the request; also of those that need not be there.
    pub attachment_texts: Vec<AttachmentText>,
}

/// Which texts of free attachments the subject has sent, by their places among the texts of attachments.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sent<'s> {
    /// Perhaps all; that is to be found out.
    Any,
    These(&'s HashSet<usize>),
}

impl Sent<'_> {
    fn has(self, stance: Stance, place: usize) -> bool {
        match (stance, self) {
            (Stance::Asked, _) | (Stance::Free, Self::Any) => true,
            (Stance::Free, Self::These(places)) => places.contains(&place),
            (Stance::Never, _) => false,
        }
    }
}

/// What is sent of events.
pub(super) fn sent_messages<'a>(events: &'a [Value], sent: Sent<'_>) -> SentMessages<'a> {
    let mut sent_messages = SentMessages::default();
    let (shown, hidden): (Vec<_>, Vec<_>) =
        attachments_first(events).into_iter().partition(|(_, event)| !is_hidden(event));
    for event in hidden {
        sent_messages.drop_event(event, "its message is hidden");
    }
    let refused = media::refused(&shown);
    let withdrawals = withdrawals(&shown);
    let mut replies = HashMap::new();
    for (position, &(index, event)) in shown.iter().enumerate() {
        let is_withdrawn = || {
            let until = uuid(event).and_then(|uuid| withdrawals.get(uuid));
            until.is_some_and(|&until| position < until)
        };
        match kind(event) {
            "assistant" if media::is_api_error(event) => {
                sent_messages.drop_event((index, event), "its message is an error of the API");
            }
            "assistant" if is_withdrawn() => {
                sent_messages.drop_event((index, event), "its message was withdrawn");
            }
            "assistant" => sent_messages.add_line((index, event), &mut replies),
            "user" => {
                let mark = refused.get(&index).copied().unwrap_or_default();
                let (taken, left): (Vec<_>, Vec<_>) =
                    sources((index, event)).into_iter().partition(|source| mark.takes(&source.value));
                let is_emptied = left.is_empty() && !taken.is_empty();
                sent_messages.gone.extend(taken.into_iter().map(|source| (source, REFUSED)));
                if !is_emptied {
                    sent_messages.messages.push(Message { role: Role::User, blocks: left });
                }
            }
            "system" if text(event, "subtype") != Some(LOCAL_COMMAND) => {
                sent_messages.drop_event((index, event), "its message is for people alone");
            }
            "system" => sent_messages.add_command((index, event)),
            "attachment" => {
                let mark = refused.get(&index).copied().unwrap_or_default();
                sent_messages.add_attachment((index, event), mark, sent);
            }
            _ => sent_messages.drop_event((index, event), "its message is never sent"),
        }
    }
    sent_messages
}

/// Why media are not sent.
const REFUSED: &str = "an error behind its message says that the API refused it";

impl<'a> SentMessages<'a> {
    /// Notes the blocks of a message that is not sent.
    fn drop_event(&mut self, event: Placed<'a>, why: &'static str) {
        let texts = ["content", "message", "summary"].iter().filter_map(|name| text(event.1, name));
        let texts = texts.map(|text| Source::text(event.0, text));
        self.gone.extend(texts.chain(sources(event)).map(|source| (source, why)));
    }

    /// Adds a line of a reply at the place of the reply's first one.
    fn add_line(&mut self, event: Placed<'a>, replies: &mut HashMap<&'a str, usize>) {
        let blocks = sources(event);
        let next = self.messages.len();
        let place = reply_id(event.1).map_or(next, |id| *replies.entry(id).or_insert(next));
        match self.messages.get_mut(place) {
            Some(reply) => reply.blocks.extend(blocks),
            None => self.messages.push(Message { role: Role::Assistant, blocks }),
        }
    }

    /// Adds what a command says to the model.
    fn add_command(&mut self, (message, event): Placed<'a>) {
        let text = text(event, "content").or_else(|| text(event, "message"));
        let blocks = text.map(|text| Source::text(message, text)).into_iter().collect();
        self.messages.push(Message { role: Role::User, blocks });
    }

    /// Adds what an attachment says, without the media that the API refused.
    fn add_attachment(&mut self, (message, event): Placed<'a>, mark: media::Refused, sent: Sent<'_>) {
        let mut blocks = Vec::new();
        for piece in pieces(message, event) {
            match piece {
                Piece::Block(value) if mark.takes(&value) => {
                    self.gone.push((Source::made(message, value), REFUSED));
                }
                Piece::Block(value) => blocks.push(Source::made(message, value)),
                Piece::Text(attachment_text) => {
                    let place = self.attachment_texts.len();
                    if sent.has(attachment_text.stance, place) {
                        let value =
                            text_block(&format!("of a {}: {}", attachment_text.kind, attachment_text.said.join(", ")));
                        blocks.push(Source { attachment_text: Some(place), ..Source::made(message, value) });
                    }
                    self.attachment_texts.push(attachment_text);
                }
            }
        }
        // What says nothing is not there, and separates nothing.
        if !blocks.is_empty() {
            self.messages.push(Message { role: Role::User, blocks });
        }
    }
}

/// The blocks of a user or assistant message; a string is one text.
fn sources((message, event): Placed<'_>) -> Vec<Source<'_>> {
    match content(event) {
        Some(Value::String(text)) => vec![Source::text(message, text)],
        _ => {
            let blocks = blocks(event).iter().enumerate();
            let source = |(block, value)| Source {
                message,
                block: Some(block),
                value: Cow::Borrowed(value),
                attachment_text: None,
            };
            blocks.map(source).collect()
        }
    }
}

/// The events, with the attachments of each run at its front. A run ends with a reply's line or a message with results.
fn attachments_first(events: &[Value]) -> Vec<Placed<'_>> {
    let mut order = Vec::with_capacity(events.len());
    let mut others = Vec::new();
    for (index, event) in events.iter().enumerate() {
        if kind(event) == "attachment" {
            order.push((index, event));
        } else {
            others.push((index, event));
            if ends_run(event) {
                order.append(&mut others);
            }
        }
    }
    order.append(&mut others);
    order
}

fn ends_run(event: &Value) -> bool {
    match kind(event) {
        "assistant" => true,
        "user" => blocks(event).iter().any(|block| kind(block) == "tool_result"),
        _ => false,
    }
}

fn is_hidden(event: &Value) -> bool {
    let is_summary = kind(event) == "user" && is_true(event, "isCompactSummary");
    is_true(event, "isVirtual") || (is_true(event, "isVisibleInTranscriptOnly") && !is_summary)
}

/// For each withdrawn uuid, the position of its last withdrawal.
fn withdrawals<'a>(shown: &[Placed<'a>]) -> HashMap<&'a str, usize> {
    let tombstones = shown.iter().enumerate().filter(|(_, (_, event))| kind(event) == "tombstone");
    tombstones.filter_map(|(position, (_, event))| Some((withdrawn_by(event)?, position))).collect()
}
