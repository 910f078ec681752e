//! A request *as stored* is what a client sends that mends nothing: the stages that put wrong content right are left
//! out. When it is legal, the conversation is one that every host takes as it lies in its file.

use std::collections::HashMap;
use std::fmt;

use crate::message::{Block, Content, Event, Factory, FixedContext, Message, Typed};
use crate::operation::{Host, Request};
use crate::rules::{CATALOGUE, Judge, Rule, Violation};

use super::draft::{Draft, Part, Role, Turn, to_json};
use super::ids::Paired;
use super::listed::Media;
use super::text::is_blank;
use super::tidy_blocks::{self, Tidied};
use super::trace::Notes;
use super::{Options, Pass, STAGES, Stage, Surroundings};
use super::{merge, prepend_context, regroup_replies, run_stages, server_tools};

/// The request that a client without the stages that mend would send: legal for a host only if the messages are. Turns
/// may be without blocks.
pub fn as_stored(messages: &[Event]) -> Vec<Turn<'_>> {
    let stages = STAGES.iter().filter(|stage| !stage.mends);
    of_stages(messages, stages).into_iter().map(Turn::from).collect()
}

/// Why a host refuses a conversation as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The id of the rule on requests that is broken.
    pub rule: &'static str,
    /// The error that the host gives, word for word; what is wrong, where it is not known.
    pub error: String,
}

impl Refusal {
    pub(crate) fn of(rule: &Rule, violation: Violation) -> Self {
        Self { rule: rule.id, error: violation.error.unwrap_or_else(|| violation.found.to_string()) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.error, self.rule)
    }
}

/// The request when the user goes on with a conversation as it is stored, and the first violation of each rule that it
/// breaks under the strictest host. `None` when it cannot be written.
pub(crate) fn go_on(mut messages: Vec<Event>) -> Option<(Request, Vec<(&'static Rule, Violation)>)> {
    let prompt = Factory::new(&mut FixedContext::new(0)).user("Go on.");
    messages.push(Message::from(prompt).into());
    let request = Request::read(&to_json(&as_stored(&messages))).ok()?;
    let mut violations: Vec<(&'static Rule, Violation)> = Vec::new();
    for &rule in CATALOGUE.iter() {
        let Judge::Request { judge, .. } = rule.judge else { continue };
        let mut first = None;
        judge(&request, Host::Strict, &mut |violation| first = first.take().or(Some(violation)));
        violations.extend(first.map(|violation| (rule, violation)));
    }
    Some((request, violations))
}

/// The media of each message that are sent; `None` when nothing of it is sent.
pub(crate) fn sent(messages: &[Event]) -> Vec<Option<Media>> {
    let later = [regroup_replies::STAGE.name, merge::STAGE.name, prepend_context::STAGE.name];
    let stages = STAGES.iter().filter(|stage| !stage.mends && !later.contains(&stage.name));
    let mut sent = vec![None; messages.len()];
    for draft in of_stages(messages, stages) {
        let Some(source) = draft.source else { continue };
        let media = draft.parts.iter().filter_map(Part::block).map(Media::of).fold(Media::NONE, Media::or);
        let before = sent[source as usize].unwrap_or(Media::NONE);
        sent[source as usize] = Some(before.or(media));
    }
    sent
}

/// The messages that are sent and hold nothing: no content, a blank one, or an empty list.
pub(crate) fn without_content(messages: &[Event]) -> Vec<usize> {
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

/// Whether each message stands between two lines of one reply.
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

fn of_stages<'a, 's>(messages: &'a [Event], stages: impl Iterator<Item = &'s Stage>) -> Vec<Draft<'a>> {
    let (options, mut paired) = (Options::default(), Paired::default());
    run_stages(messages, stages, &mut pass(&options, &mut paired))
}

fn pass<'o>(options: &'o Options, paired: &'o mut Paired) -> Pass<'o> {
    Pass { options, paired, surroundings: Surroundings::default(), notes: Notes::new(false) }
}

/// What a block has to become before a request may carry it.
pub(crate) enum Mended {
    /// It may stay as it is.
    AsItIs,
    /// Its JSON, and what was done to it.
    Changed(String, String),
    /// It goes, and why.
    Gone(String),
}

/// What becomes of a block in a message of this role.
pub(crate) fn mended(role: Role, block: &Block) -> Mended {
    match tidy_blocks::tidy(role, &Part::of_block(0, block), None) {
        Tidied::AsItIs => Mended::AsItIs,
        Tidied::Changed(block, how) => Mended::Changed(block.to_json(), how.join(", ")),
        Tidied::Gone(why) => Mended::Gone(why),
    }
}

/// For each part of an assistant's turn, whether it stays when calls of server tools without result go, and results
/// without call.
pub(crate) fn without_halves_of_server_tools(turn: &Turn<'_>) -> Vec<bool> {
    let (options, mut paired) = (Options::default(), Paired::default());
    let mut draft = Draft::made_up(Role::Assistant, turn.content.clone());
    server_tools::pair(&mut draft, 0, false, &mut pass(&options, &mut paired));
    let mut left = draft.parts.iter().peekable();
    let is_left = |part: &Part<'_>| {
        left.next_if(|next| next.source == part.source && next.type_name() == part.type_name() && **next == *part)
            .is_some()
    };
    turn.content.iter().map(is_left).collect()
}
