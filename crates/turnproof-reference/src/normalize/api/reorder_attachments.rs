//! Stage *reorder attachments*: an attachment moves up to where the user's turn begins (SPEC.md section 6.1).
//!
//! A *stop* ends a run: an assistant message, or a user message with the result of a tool.

use crate::message::{Kind, Message};

use super::listed::Listed;
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "reorder attachments",
    title: "attachments move up to where the user's turn begins",
    repairs: false,
    run: Run::Listed(reorder_attachments),
};

fn reorder_attachments<'a>(mut list: Vec<Listed<'a>>, pass: &mut Pass<'_>) -> Vec<Listed<'a>> {
    for run in list.chunk_by_mut(|before, _| !is_stop(*before)) {
        let mut passed = 0;
        for listed in run.iter() {
            match is_attachment(*listed) {
                false => passed += 1,
                true if passed > 0 => pass.notes.add(listed.at, Effect::Moved, || format!("up past {passed}")),
                true => {}
            }
        }
        // Two keys only, so a stable sort is linear, and the stop that ends the run stays last.
        run.sort_by_key(|listed| !is_attachment(*listed));
    }
    list
}

fn is_attachment(listed: Listed<'_>) -> bool {
    listed.kind() == Kind::Attachment
}

fn is_stop(listed: Listed<'_>) -> bool {
    match listed.message() {
        Some(Message::Assistant(_)) => true,
        Some(message) => message.is_tool_result(),
        None => false,
    }
}
