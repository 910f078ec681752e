//! What the *client* of 2.1.332 sends of a session (SPEC.md section 6.19): to compare with what is sent by [`api`].
//!
//! Recorded of that client on 2026-11-26. It loses content here and there, and it may send what the API refuses; so this
//! is no normalization to copy. [`api`] keeps what is lost here.
//!
//! ```text
//! messages ── said ──> prompts, reminders, replies ── turns ──> turns of roles ── pairs ──> the request
//! ```
//!
//! [`api`]: super::api

mod ending;
mod pairs;
mod said;
mod turn;
mod turns;

use std::collections::HashSet;

use turnproof_format::takes_system_turns;

use crate::message::{Block, Content, Event, Message, constants};

use said::Said;

pub use turn::{ClientRole, ClientTurn};

/// What a request of the client is made for, beside the messages.
#[derive(Clone, Debug, Default)]
pub struct ClientOptions {
    /// The model that is asked. It decides where reminders are placed; without it, the model of the last reply.
    pub model: Option<String>,
    /// The names of the tools that the request offers. If given, references to other tools are replaced.
    pub tools: Option<HashSet<String>>,
    /// The prompt with which the session is resumed. Before it the client puts right how the session ends.
    pub prompt: Option<String>,
}

/// Makes the messages of a request as the client does: of a conversation that a resume found.
///
/// ```
/// use turnproof_reference::message::{Event, Factory, FixedContext, Message};
/// use turnproof_reference::normalize::client::{ClientOptions, normalize_as_client};
///
/// let mut context = FixedContext::new(1);
/// let mut factory = Factory::new(&mut context);
/// let messages: Vec<Event> = vec![Message::from(factory.user("hello")).into()];
/// let options = ClientOptions { prompt: Some("go on".to_owned()), ..ClientOptions::default() };
/// let turns = normalize_as_client(&messages, &options);
/// assert_eq!(
///     turns.iter().map(|turn| turn.to_json()).collect::<Vec<_>>(),
///     [
///         r#"{"role":"user","content":"hello"}"#,
///         r#"{"role":"assistant","content":[{"type":"text","text":"No response requested."}]}"#,
///         r#"{"role":"user","content":"go on"}"#,
///     ]
/// );
/// ```
pub fn normalize_as_client(messages: &[Event], options: &ClientOptions) -> Vec<ClientTurn> {
    let model = options.model.as_deref().or_else(|| last_model(messages));
    let mut said = said::said(messages, model, options.tools.as_ref());
    if let Some(prompt) = &options.prompt {
        let commands = said::said(ending::commands(messages), model, options.tools.as_ref()).len();
        ending::end(messages, &mut said, commands);
        said.push(Said::User(Content::Text(prompt.as_str().into())));
    }
    let turns = turns::turns(said, model.is_some_and(takes_system_turns));
    let searches = options.tools.as_ref().is_none_or(|tools| tools.contains("ToolSearch"));
    pairs::paired(turns).into_iter().map(|turn| ending::as_written(turn, searches)).collect()
}

/// The model of the last reply that a model made.
fn last_model(messages: &[Event]) -> Option<&str> {
    messages.iter().rev().find_map(|event| model_of(event.message()?))
}

/// The model that made a reply.
fn model_of(message: &Message) -> Option<&str> {
    let Message::Assistant(assistant) = message else { return None };
    let model = assistant.message.get()?.model.as_str()?;
    (model != constants::SYNTHETIC_MODEL).then_some(model)
}

/// Whether a block is thinking, readable or not.
fn is_thinking(block: &Block) -> bool {
    matches!(block, Block::Thinking(_) | Block::RedactedThinking(_))
}

/// Whether a text is blank to the client, in whose language U+FEFF is a space, and U+0085 and U+001C to U+001F are none.
fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// Whether a letter is a space to the client.
fn is_space(letter: char) -> bool {
    letter == '\u{feff}' || letter.is_whitespace() && letter != '\u{85}'
}
