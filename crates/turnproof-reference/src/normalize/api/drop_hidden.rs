//! Stage *drop hidden*: messages that live in memory or in the transcript view alone are not sent (SPEC.md
//! section 6.2). The summary after a compact boundary is sent all the same.

use crate::message::{Envelope, Event, Message};

use super::listed::Listed;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "drop hidden",
    title: "virtual and transcript-only messages go",
    repairs: false,
    run: Run::Listed(drop_hidden),
};

fn drop_hidden<'a>(mut list: Vec<Listed<'a>>, pass: &mut Pass<'_>) -> Vec<Listed<'a>> {
    list.retain(|listed| pass.notes.stays(listed.at, why_hidden(listed.event)));
    list
}

/// Why a message is hidden; `None` when it is not.
pub(crate) fn why_hidden(event: &Event) -> Option<&'static str> {
    let Envelope { is_virtual, is_visible_in_transcript_only, .. } = event.envelope();
    if is_virtual.is_true() {
        Some("virtual")
    } else if is_visible_in_transcript_only.is_true() && !event.message().is_some_and(Message::is_compact_summary) {
        Some("for the transcript view only")
    } else {
        None
    }
}
