//! *Kinds* of lines as numbers: which kind, which form of it, and what that form is about.

use super::super::pool::{PoolText, SideKind, Subtype};
use super::lower;
use crate::scenario::{Choice, LineKind, UserForm};

/// The sort of a kind with its number, its form, and the numbers of its call and its text. The plainest of each is 0.
pub(super) fn kind_choices(kind: LineKind) -> [u64; 4] {
    let is_same = |other: &LineKind| std::mem::discriminant(other) == std::mem::discriminant(&kind);
    let sort = KINDS.iter().position(is_same).unwrap_or(KINDS.len()) as u64;
    let [number, form, which, text] = match kind {
        LineKind::User { form } => [0, form.place(), 0, 0],
        LineKind::Assistant { form, words } => [0, form.place(), words.place(), 0],
        LineKind::System { subtype, form, text } => [subtype.place(), form.place(), 0, text.place()],
        LineKind::HookResult { form, text, call } => [0, form.place(), call, text.place()],
        LineKind::Attachment { form, text, call } => [0, form.place(), call, text.place()],
        LineKind::Progress { form, call } => [0, form.place(), call, 0],
        LineKind::Tombstone { form, id } => [0, form.place(), id, 0],
        LineKind::Side { side } => [side.place(), 0, 0, 0],
        _ => [0; 4],
    }
    .map(u64::from);
    [sort << 8 | number, form, which, text]
}

/// The usual kind of each sort, the plainest first, without the last sort: lines without a type.
const KINDS: [LineKind; 13] = [
    LineKind::USER,
    LineKind::REPLY,
    LineKind::system(Subtype::Informational),
    LineKind::HOOK_RESULT,
    LineKind::ATTACHMENT,
    LineKind::PROGRESS,
    LineKind::TOMBSTONE,
    LineKind::ToolUseSummary,
    LineKind::GroupedToolUse,
    LineKind::StreamEvent,
    LineKind::StreamRequestStart,
    LineKind::Side { side: SideKind::Summary },
    LineKind::Unknown,
];

/// Kinds of a plainer sort, and of the same sort with a lower number.
pub(super) fn lower_kinds(kind: LineKind) -> impl Iterator<Item = LineKind> {
    let plainer = KINDS.into_iter().filter(move |plainer| kind_choices(*plainer)[0] < kind_choices(kind)[0]);
    let numbers = match kind {
        LineKind::System { subtype, form, text } => {
            let of = |subtype| LineKind::System { subtype: Subtype::at(subtype), form, text };
            lower(subtype.place()).map(of).collect()
        }
        LineKind::Side { side } => {
            lower(side.place()).map(|side| LineKind::Side { side: SideKind::at(side) }).collect()
        }
        _ => Vec::new(),
    };
    plainer.chain(numbers)
}

/// The form of a kind; 0 is the plainest.
pub(super) fn form_of(kind: LineKind) -> u8 {
    kind_choices(kind)[1] as u8
}

/// The number of the call, the text, the words or the id that a kind is about.
pub(super) fn about(kind: LineKind) -> u8 {
    let [.., which, text] = kind_choices(kind);
    which.max(text) as u8
}

/// The kind in another form, about the same.
pub(super) fn with_form(kind: LineKind, place: u8) -> LineKind {
    match kind {
        LineKind::User { .. } => LineKind::User { form: UserForm::at(place) },
        LineKind::Assistant { words, .. } => LineKind::Assistant { form: Choice::at(place), words },
        LineKind::System { subtype, text, .. } => LineKind::System { subtype, form: Choice::at(place), text },
        LineKind::HookResult { .. } => LineKind::hook_result(Choice::at(place), about(kind)),
        LineKind::Attachment { .. } => LineKind::attachment(Choice::at(place), about(kind)),
        LineKind::Progress { .. } => LineKind::progress(Choice::at(place), about(kind)),
        LineKind::Tombstone { id, .. } => LineKind::Tombstone { form: Choice::at(place), id },
        other => other,
    }
}

/// The kind in the same form, about something else.
pub(super) fn with_about(kind: LineKind, number: u8) -> LineKind {
    match kind {
        LineKind::Assistant { form, .. } => LineKind::Assistant { form, words: Choice::at(number) },
        LineKind::System { subtype, form, .. } => LineKind::System { subtype, form, text: PoolText::at(number) },
        LineKind::HookResult { form, .. } => LineKind::hook_result(form, number),
        LineKind::Attachment { form, .. } => LineKind::attachment(form, number),
        LineKind::Progress { form, .. } => LineKind::progress(form, number),
        LineKind::Tombstone { form, .. } => LineKind::Tombstone { form, id: number },
        other => other,
    }
}

/// Whether the number that a kind is about may be that of a call.
pub(super) fn is_of_a_call(kind: LineKind) -> bool {
    let names = matches!(kind, LineKind::HookResult { .. } | LineKind::Attachment { .. } | LineKind::Progress { .. });
    names && form_of(kind) != 0
}
