//! Stage *prepend context*: what the model should know of the project comes before what the user says first.
//!
//! Only if context is given, and there is something to send. The first turn is the user's, and has no
//! results, since no call comes before it; so the context is the request's first block.

use turnproof_format::is_blank;

use crate::message::TextBlock;

use super::draft::{Draft, Part};
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "prepend context",
    title: "project context goes in front of the first user turn",
    repairs: false,
    run: Run::Drafts(prepend_context),
};

fn prepend_context<'a>(mut drafts: Vec<Draft<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    let context = pass.options.context.as_deref().filter(|context| !pass.surroundings.continues && !is_blank(context));
    if let (Some(context), Some(first)) = (context, drafts.first_mut()) {
        first.parts.insert(0, Part::made(None, TextBlock::new(context)));
        pass.notes.add(first.source, Effect::Made, || "the project's context");
    }
    drafts
}
