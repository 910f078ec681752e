//! From what is said to *turns* of roles.

use std::collections::{HashMap, HashSet};

use turnproof_format::SERVER_CALL;

use super::said::{Reminder, Said, references};
use super::turn::{ClientRole, ClientTurn};
use super::{is_blank, is_space, is_thinking};
use crate::json::{JsonType, Raw, Text};
use crate::message::{Block, Content, Maybe, TextBlock, ToolResult, Typed};

/// Makes turns. Newer models get reminders as turns of the system.
pub(super) fn turns(said: Vec<Said>, has_system_turns: bool) -> Vec<ClientTurn> {
    let mut turns = Turns { turns: Vec::new(), user: None, has_system_turns };
    for said in joined(reminders_first(said)) {
        match said {
            Said::User(content) => turns.say(content),
            Said::Reminder(reminder) => turns.remind(reminder),
            Said::Reply(blocks, _) => turns.reply(blocks),
            Said::Error => {}
        }
    }
    turns.end_of_user();
    turns.turns
}

/// Moves reminders up to the result, the reply or the error before them.
fn reminders_first(mut said: Vec<Said>) -> Vec<Said> {
    let is_stop = |said: &Said| match said {
        Said::User(content) => content.blocks().iter().any(is_result),
        Said::Reminder(_) => false,
        Said::Reply(..) | Said::Error => true,
    };
    for run in said.chunk_by_mut(|before, _| !is_stop(before)) {
        let end = run.len() - usize::from(run.last().is_some_and(is_stop));
        run[..end].sort_by_key(|said| !matches!(said, Said::Reminder(_)));
    }
    said
}

fn is_result(block: &Block) -> bool {
    matches!(block, Block::ToolResult(_))
}

fn is_call(block: &Block) -> bool {
    matches!(block, Block::ToolUse(_))
}

/// Joins the lines of each reply at its first line, and drops of it what the client does not send.
fn joined(said: Vec<Said>) -> Vec<Said> {
    let (mut list, mut replies): (Vec<Said>, HashMap<String, usize>) = (Vec::new(), HashMap::new());
    for said in said {
        let Said::Reply(blocks, id) = said else {
            list.push(said);
            continue;
        };
        match replies.get(&id).filter(|_| !id.is_empty()).map(|at| &mut list[*at]) {
            Some(Said::Reply(before, _)) => before.extend(blocks),
            _ => {
                replies.insert(id.clone(), list.len());
                list.push(Said::Reply(blocks, id));
            }
        }
    }
    for said in &mut list {
        let Said::Reply(blocks, _) = said else { continue };
        let tidy = tidy(std::mem::take(blocks));
        match tidy.iter().all(is_thinking) {
            true => *said = Said::Error,
            false => *blocks = tidy,
        }
    }
    list
}

/// The blocks of a reply that are sent: no blank text, no server call without result, calls last.
fn tidy(mut blocks: Vec<Block>) -> Vec<Block> {
    let results = blocks.iter().filter_map(|block| match block {
        Block::ServerToolResult(_, result) => Some(result.tool_use_id.as_str()?.to_owned()),
        _ => None,
    });
    let results: HashSet<String> = results.collect();
    blocks.retain(|block| match block {
        Block::Text(text) => !text.text.as_str().is_none_or(is_blank),
        Block::ServerToolUse(call) if block.type_name() == SERVER_CALL => {
            call.id.as_str().is_some_and(|id| results.contains(id))
        }
        _ => true,
    });
    blocks.sort_by_key(is_call);
    blocks
}

/// The turns so far, and the user's turn that is being made.
struct Turns {
    turns: Vec<ClientTurn>,
    user: Option<UserTurn>,
    has_system_turns: bool,
}

/// A turn of the user that is being made.
#[derive(Default)]
struct UserTurn {
    blocks: Vec<Block>,
    /// Its content, while it is a text of one message.
    plain: Option<Text>,
    /// How many results it begins with.
    results: usize,
    /// What a turn of the system says behind it.
    system: Vec<String>,
}

impl Turns {
    fn reply(&mut self, blocks: Vec<Block>) {
        self.end_of_user();
        self.turns.push(ClientTurn::new(ClientRole::Assistant, blocks));
    }

    fn end_of_user(&mut self) {
        let Some(UserTurn { mut blocks, plain, system, .. }) = self.user.take() else { return };
        blocks.retain(|block| block.text().is_none_or(|text| !is_blank(text)));
        match plain {
            Some(text) => self.turns.push(ClientTurn::plain(ClientRole::User, text)),
            None if blocks.is_empty() && !system.is_empty() => {}
            None => self.turns.push(ClientTurn::new(ClientRole::User, blocks)),
        }
        if !system.is_empty() {
            self.turns.push(ClientTurn::plain(ClientRole::System, system.join("\n\n")));
        }
    }

    /// The user says something more: at its seam with a text before it that text gets a line feed. Results come first.
    fn say(&mut self, content: Content) {
        let turn = self.user.get_or_insert_default();
        turn.plain = match &content {
            Content::Text(text) if turn.blocks.is_empty() => Some(text.clone()),
            _ => None,
        };
        let blocks = content.into_blocks();
        if blocks.first().is_some_and(|block| block.text().is_some()) {
            with_line_feed(turn.blocks.last_mut());
        }
        let (results, others): (Vec<Block>, Vec<Block>) = blocks.into_iter().partition(is_result);
        let at = turn.results;
        turn.results += results.len();
        turn.blocks.splice(at..at, results);
        turn.blocks.extend(others);
    }

    fn remind(&mut self, reminder: Reminder) {
        let is_alone = reminder.parts.len() > 1 && self.user.as_ref().is_none_or(|turn| turn.blocks.is_empty());
        let mut parts = reminder.parts.into_iter();
        if is_alone && let Some(first) = parts.next() {
            // The first part of an attachment that begins a turn is a turn of its own.
            self.turns.push(ClientTurn { role: ClientRole::User, content: first });
        }
        let turn = self.user.get_or_insert_default();
        for content in parts {
            let mut blocks = content.into_blocks();
            if self.has_system_turns && reminder.is_of_system {
                let texts = blocks.iter().filter_map(Block::text);
                turn.system.extend(texts.map(|text| unwrapped(text.as_str()).to_owned()));
                blocks.retain(|block| block.text().is_none());
            }
            turn.plain = turn.plain.take().filter(|_| blocks.is_empty());
            let is_text = blocks.iter().all(|block| block.text().is_some());
            match turn.blocks.last_mut() {
                Some(Block::ToolResult(result)) if is_text && references(result).is_none() => {
                    blocks.iter().filter_map(Block::text).for_each(|text| fold(result, text.as_str()));
                }
                _ => turn.blocks.extend(blocks),
            }
        }
    }
}

/// Appends a line feed to a text.
fn with_line_feed(block: Option<&mut Block>) {
    let Some(Block::Text(text)) = block else { return };
    let Some(words) = text.text.as_str().map(|words| format!("{words}\n")) else { return };
    text.text = Maybe::Is(words.into());
}

/// Appends a reminder to what a result says. Spaces around a text go.
fn fold(result: &mut ToolResult, reminder: &str) {
    let content = result.content.get().cloned().unwrap_or_else(|| Raw::written("[]".to_owned()));
    if let Some(text) = content.text() {
        let folded = match text.as_str().trim_matches(is_space) {
            "" => reminder.to_owned(),
            words => format!("{words}\n\n{reminder}"),
        };
        result.content = Maybe::Is(Text::from(folded).write());
        return;
    }
    if content.json_type() != JsonType::Array {
        return;
    }
    let Ok(Content::Blocks(mut parts)) = Content::read(&content) else { return };
    with_line_feed(parts.last_mut());
    parts.push(TextBlock::new(reminder).into());
    result.content = Maybe::Is(Content::Blocks(parts).write());
}

/// What a wrapper holds.
fn unwrapped(text: &str) -> &str {
    let inner =
        text.trim().strip_prefix("<system-reminder>\n").and_then(|text| text.strip_suffix("\n</system-reminder>"));
    inner.unwrap_or(text)
}
