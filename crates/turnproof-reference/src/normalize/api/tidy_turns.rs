//! Stage *tidy turns*: turns that no host accepts go, or get what they lack (SPEC.md section 6.10).
//!
//! A reply of thinking alone stopped a session from being resumed (issue 10199 of anthropics/claude-code). So did
//! halves of surrogate pairs, which no UTF-8 request can carry (issues 3277 and 65155).

use turnproof_format::trim_end;

use crate::json::{Raw, without_lone_surrogates};
use crate::message::constants::NO_CONTENT;
use crate::message::{Block, TextBlock, Typed};

use super::draft::{Draft, Part, Role};
use super::merge::merge;
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "tidy turns",
    title: "empty turns, loose ends and broken characters are put right",
    repairs: true,
    run: Run::Drafts(tidy_turns),
};

fn tidy_turns<'a>(mut drafts: Vec<Draft<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    let replies = drafts.iter_mut().filter(|draft| draft.role == Role::Assistant);
    let mut is_any_empty = false;
    for reply in replies {
        drop_last_thinking(reply, pass);
        is_any_empty |= reply.parts.is_empty();
    }
    if is_any_empty {
        drafts.retain(|draft| draft.role == Role::User || !draft.parts.is_empty());
        drafts = merge(drafts, pass);
    }
    let first_is_reply = drafts.first().is_some_and(|first| first.role == Role::Assistant);
    if first_is_reply && !pass.surroundings.continues {
        pass.notes.add(None, Effect::Made, || "a first user turn");
        drafts.insert(0, Draft::made_up(Role::User, Vec::new()));
    }
    for turn in &mut drafts {
        if turn.parts.is_empty() {
            pass.notes.add(turn.source, Effect::Made, || format!("`{NO_CONTENT}`, for want of anything else"));
            turn.parts.push(Part::made(turn.source, TextBlock::new(NO_CONTENT)));
        }
    }
    drop_last_space(&mut drafts, pass);
    for part in drafts.iter_mut().flat_map(|draft| &mut draft.parts) {
        if let Some(block) = fixed(part) {
            part.change(block);
            pass.notes.add(part.source, Effect::Changed, || "half a surrogate pair became U+FFFD");
        }
    }
    drafts
}

fn drop_last_thinking<'a>(reply: &mut Draft<'a>, pass: &mut Pass<'_>) {
    while let Some(last) = reply.parts.pop_if(|last| last.is_thinking()) {
        pass.notes.dropped(last.source, || "thinking that nothing follows");
    }
    if reply.parts.is_empty() {
        pass.notes.dropped(reply.source, || "a reply without content");
    }
}

/// Takes white space off the end of a reply that ends the request.
fn drop_last_space<'a>(drafts: &mut [Draft<'a>], pass: &mut Pass<'_>) {
    let Some(last) = drafts.last_mut().filter(|last| last.role == Role::Assistant) else { return };
    let Some(part) = last.parts.last_mut() else { return };
    let Some(text) = part.text().map(|text| text.as_str()) else { return };
    let trimmed = trim_end(text);
    if trimmed.len() < text.len()
        && let Block::Text(block) = part.to_block()
    {
        pass.notes.add(part.source, Effect::Changed, || "without white space at its end");
        part.change(TextBlock { text: trimmed.into(), ..*block });
    }
}

/// The part's block with U+FFFD for each lone surrogate; `None` when it has none.
fn fixed(part: &Part<'_>) -> Option<Block> {
    let Some(block) = part.block() else {
        let text = part.text().filter(|text| text.has_lone_surrogate())?;
        return Some(TextBlock::new(text.as_str()).into());
    };
    if block.is_whole() {
        return None;
    }
    let fixed = Raw::from_json(without_lone_surrogates(&block.to_json()).into_owned()).ok()?;
    Block::read(&fixed).ok()
}
