//! Stage *pair tools*: each call has exactly one result, in the turn after it (SPEC.md section 6.9).
//!
//! The API refuses any other request. It would refuse the session for ever, since the history does not change
//! (issues 1237, 8484, 14173 and 20508 of anthropics/claude-code). Calls of the server's tools pair inside
//! their reply ([`server_tools`]); illegal ids are replaced ([`ids`](super::ids)).

use std::borrow::Cow;

use turnproof_format::is_call_id;

use crate::json::Text;
use crate::message::constants::MISSING_TOOL_RESULT;
use crate::message::{Block, ToolResult};
use crate::operation::Host;

use super::draft::{Draft, Part, Role};
use super::ids::Caller;
use super::repeated::repeated;
use super::server_tools;
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "pair tools",
    title: "each call has one result, in the turn after it",
    repairs: true,
    run: Run::Drafts(pair_tools),
};

/// A call of the list, and what answers it.
struct Slot<'a> {
    /// The index of its turn.
    turn: usize,
    /// The id that is sent.
    id: Cow<'a, Text>,
    source: Option<u32>,
    answer: Option<Answer<'a>>,
}

/// The result of a call.
struct Answer<'a> {
    part: Part<'a>,
    /// The index of the turn in which it stood, and its index there.
    from: (usize, usize),
}

fn pair_tools<'a>(mut drafts: Vec<Draft<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    let mut slots: Vec<Slot<'a>> = Vec::new();
    let last_reply = drafts.iter().rposition(|draft| draft.role == Role::Assistant);
    for turn in 0..drafts.len() {
        let (before, after) = drafts.split_at_mut(turn + 1);
        let draft = &mut before[turn];
        match draft.role {
            Role::Assistant => {
                keep_calls(draft, turn, &mut slots, pass);
                let may_stay_open = pass.options.profile == Host::Anthropic
                    && !pass.surroundings.is_followed
                    && Some(turn) == last_reply
                    && is_open_end(draft, after);
                server_tools::pair(draft, turn, may_stay_open, pass);
                move_calls_to_end(draft, pass);
            }
            Role::User if draft.parts.iter().any(is_result) => take_results(draft, turn, &mut slots, pass),
            Role::User => {}
        }
    }
    answer_calls(drafts, slots, pass)
}

/// Whether only results of a reply's calls follow it. A turn that answers none of them will not stay empty.
fn is_open_end(reply: &Draft<'_>, after: &[Draft<'_>]) -> bool {
    let is_answered = reply.parts.iter().any(is_call);
    after.is_empty() || is_answered && after.iter().flat_map(|draft| &draft.parts).all(is_result)
}

fn is_result(part: &Part<'_>) -> bool {
    matches!(part.block(), Some(Block::ToolResult(_)))
}

fn is_call(part: &Part<'_>) -> bool {
    matches!(part.block(), Some(Block::ToolUse(_)))
}

/// Keeps the calls that do not repeat one of their turn, and gives each a slot and an id of its own.
fn keep_calls<'a>(draft: &mut Draft<'a>, turn: usize, slots: &mut Vec<Slot<'a>>, pass: &mut Pass<'_>) {
    let mut is_repeated = repeated(&draft.parts).into_iter();
    draft.parts.retain_mut(|part| {
        let is_repeated = is_repeated.next().unwrap_or_default();
        let Some(id) = call_id(part) else { return true };
        if is_repeated {
            pass.notes.dropped(part.source, || format!("the call {id}: a line of the same reply holds it"));
            return false;
        }
        let sent = pass.paired.client.add(&id, (turn, slots.len()), is_call_id(&id), "toolu_").map(Text::from);
        let sent = sent.map(|sent| {
            pass.notes.add(part.source, Effect::Changed, || format!("the call {:?} is now {sent}", id.as_str()));
            part.rename(&sent);
            Cow::Owned(sent)
        });
        slots.push(Slot { turn, id: sent.unwrap_or(id), source: part.source, answer: None });
        true
    });
}

/// The id of a call; nothing for other blocks.
fn call_id<'a>(part: &Part<'a>) -> Option<Cow<'a, Text>> {
    match (part.borrowed(), part.block()) {
        (Some(Block::ToolUse(call)), _) => call.id.get().map(Cow::Borrowed),
        (None, Some(Block::ToolUse(call))) => call.id.get().cloned().map(Cow::Owned),
        _ => None,
    }
}

/// Takes the results out of a user turn: the first one of each call into its slot.
fn take_results<'a>(draft: &mut Draft<'a>, turn: usize, slots: &mut [Slot<'a>], pass: &mut Pass<'_>) {
    let parts = std::mem::take(&mut draft.parts);
    for (index, mut part) in parts.into_iter().enumerate() {
        let Some(Block::ToolResult(result)) = part.block() else {
            draft.parts.push(part);
            continue;
        };
        let id = result.tool_use_id.as_str().unwrap_or_default();
        let slot = match pass.paired.client.caller(id) {
            Caller::Slot(slot) => slots.get_mut(slot),
            Caller::Nobody => {
                pass.notes.dropped(part.source, || format!("the result of {id}: no call before it has that id"));
                continue;
            }
            caller @ (Caller::Answered | Caller::Before) => {
                pass.paired.reached_back |= matches!(caller, Caller::Before);
                pass.notes.dropped(part.source, || format!("a second result of {id}"));
                continue;
            }
        };
        let Some(slot) = slot else { continue };
        if *slot.id != *id {
            part.rename(&slot.id);
        }
        slot.answer = Some(Answer { part, from: (turn, index) });
    }
}

/// The client's calls come last in a reply, so that their results follow at once.
fn move_calls_to_end(draft: &mut Draft<'_>, pass: &mut Pass<'_>) {
    if !draft.parts.is_sorted_by_key(is_call) {
        pass.notes.add(draft.source, Effect::Moved, || "calls to the end of the reply");
        // Two keys only, so a stable sort is linear.
        draft.parts.sort_by_key(is_call);
    }
}

/// Puts the results, or placeholders, in front of the turns after the calls.
fn answer_calls<'a>(drafts: Vec<Draft<'a>>, slots: Vec<Slot<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    let mut answered: Vec<Draft<'a>> = Vec::with_capacity(drafts.len() + 1);
    let mut slots = slots.into_iter().peekable();
    let mut results: Vec<Part<'a>> = Vec::new();
    for (turn, mut draft) in drafts.into_iter().enumerate() {
        if !results.is_empty() {
            results.append(&mut draft.parts);
            draft.parts = std::mem::take(&mut results);
        }
        answered.push(draft);
        while let Some(slot) = slots.next_if(|slot| slot.turn == turn) {
            let part = result_of(slot, results.len(), pass);
            results.push(part);
        }
    }
    if !results.is_empty() {
        answered.push(Draft::made_up(Role::User, results));
    }
    answered
}

/// The result of a call, which is to stand at `index` of the turn after it.
fn result_of<'a>(slot: Slot<'a>, index: usize, pass: &mut Pass<'_>) -> Part<'a> {
    let Some(Answer { part, from }) = slot.answer else {
        pass.notes.add(slot.source, Effect::Made, || format!("a placeholder for the result of {}", slot.id));
        return Part::made(slot.source, ToolResult::new(slot.id.into_owned(), MISSING_TOOL_RESULT, true));
    };
    if from.0 != slot.turn + 1 {
        pass.notes.add(part.source, Effect::Moved, || format!("the result of {} back to its call", slot.id));
    } else if from.1 != index {
        pass.notes.add(part.source, Effect::Moved, || format!("the result of {} to its place in front", slot.id));
    }
    part
}
