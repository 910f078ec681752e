//! The *usual answer*, where neither a script nor a seed says one: a short text that names the request, a call where one
//! is forced, JSON where it is wanted.

use crate::asked::{Asked, Forced};
use crate::compose::{of_blocks, tokens};
use crate::ids::Ids;
use crate::reply::{Block, Call, Reply, Stop, Whose};
use crate::schema::fitting;
use crate::token::Token;
use crate::tool::{MadeUp, Use, made_up, named};

/// The usual answer.
pub(crate) fn usual(asked: &Asked<'_>, ids: Ids) -> Reply {
    if let Some(call) = forced(asked) {
        let MadeUp { name, input } = call;
        let id = ids.call(asked.number, 0);
        let call = Call { whose: Whose::Client, id, name, input: input.to_string(), server: None };
        return of_blocks(vec![Block::Call(call)], asked);
    }
    let text = match asked.format() {
        Some(schema) => fitting(&serde_json::to_value(schema).unwrap_or_default()).to_string(),
        None => sentence(asked),
    };
    let mut blocks = Vec::new();
    if asked.always_thinks() {
        let thinking = Token::of(&format!("Request {} asks for a reply.", asked.number));
        blocks.push(Block::Thinking { thinking, signature: ids.signature(asked.number, 0) });
    }
    let room = asked.most().saturating_mul(4).try_into().unwrap_or(usize::MAX);
    let cut: String = text.chars().take(room).collect();
    let is_cut = cut.len() < text.len();
    blocks.push(Block::text(&cut));
    let mut reply = of_blocks(blocks, asked);
    if is_cut {
        reply.stop = Stop::because("max_tokens");
        reply.usage.output = asked.most().min(tokens(cut.len() as u64));
    }
    reply
}

/// The tool that must be called, where one is declared.
fn forced(asked: &Asked<'_>) -> Option<MadeUp> {
    match asked.forced()? {
        Forced::Named(name) => Some(named(asked, name)),
        Forced::Any => made_up(asked, Use::Any, "echo alpha"),
    }
}

/// How much of the prompt is repeated.
const SHOWN: usize = 60;

/// What names the request: its number, how many turns it has, and what was said last.
fn sentence(asked: &Asked<'_>) -> String {
    let (number, turns) = (asked.number, asked.request.messages.len());
    let prompt = asked.prompt();
    let first = prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let shown: String = first.chars().take(SHOWN).collect();
    let shown = if shown.len() < first.len() { format!("{shown}…") } else { shown };
    let turns = if turns == 1 { "1 turn".to_owned() } else { format!("{turns} turns") };
    match (shown.is_empty(), asked.brings_results()) {
        (false, false) => format!("Reply {number} to {turns}, the last: {shown}"),
        (false, true) => format!("Reply {number} to {turns} with results, after: {shown}"),
        (true, _) => format!("Reply {number} to {turns}."),
    }
}

/// What a script says to a side request, or the usual answer.
pub(crate) fn side(asked: &Asked<'_>, text: Option<&str>, ids: Ids) -> Reply {
    match text {
        Some(text) => of_blocks(vec![Block::text(text)], asked),
        None => usual(asked, ids),
    }
}
