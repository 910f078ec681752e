//! The other reading of *split replies*: a client joins lines of one reply across results, but not across what a user
//! or the client itself says between them. Then a result of a server tool has lost its call.

use turnproof_reference::message::{Assistant, Content, Event, Message};
use turnproof_rules::rules::{Rule, Violation};

/// The conversation in which the lines of a reply behind such a message are another reply; `None` where there are none.
pub(super) fn split_replies(events: &[Event]) -> Option<Vec<Event>> {
    let mut split: Option<Vec<Event>> = None;
    let (mut is_between, mut open): (bool, Option<String>) = (false, None);
    for (index, event) in events.iter().enumerate() {
        match event.message() {
            Some(Message::Assistant(reply)) => {
                let id = reply.reply_id().map(str::to_owned);
                if is_between && id.is_some() && id == open && has_server_result(reply) {
                    let events = split.get_or_insert_with(|| events.to_vec());
                    rename(&mut events[index]);
                } else {
                    (open, is_between) = (id, false);
                }
            }
            Some(Message::User(user)) => is_between |= user.content().is_some_and(says_more_than_results),
            _ => {}
        }
    }
    split
}

/// Whether a line has what may need a call in front of it: no other split of a reply hurts.
fn has_server_result(reply: &Assistant) -> bool {
    let Some(Content::Blocks(blocks)) = reply.content() else { return false };
    blocks.iter().any(|block| block.type_name().ends_with("_tool_result"))
}

fn says_more_than_results(content: &Content) -> bool {
    match content {
        Content::Text(_) => true,
        Content::Blocks(blocks) => blocks.iter().any(|block| block.type_name() != "tool_result"),
    }
}

fn rename(event: &mut Event) {
    let Event::Message(Message::Assistant(reply)) = event else { return };
    if let Some(body) = std::sync::Arc::make_mut(reply).message.get_mut() {
        let id = format!("{} (behind)", body.id.as_str().unwrap_or_default());
        body.id = (&*id).into();
    }
}

/// Whether this can come of the split: the client fixes all but a result of a server tool without its call.
pub(super) fn is_of_split((rule, violation): &(&'static Rule, Violation)) -> bool {
    rule.id == "pairing/server-tools" && violation.kind == "no-call"
}
