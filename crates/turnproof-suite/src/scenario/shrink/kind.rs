//! *Kinds* of lines, and blocks, as numbers; plainer kinds and blocks.

use super::super::pool::{PoolText, ServerCallForm, ServerResultForm, SideKind, Subtype, TextForm};
use super::lower;
use crate::scenario::{BlockPlan, Choice, LineKind, UserForm};

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
        LineKind::GroupedToolUse { form, call } => [0, form.place(), call, 0],
        LineKind::Tombstone { form, id } => [0, form.place(), id, 0],
        LineKind::Side { side } => [side.place(), 0, 0, 0],
        LineKind::Untyped { form } => [0, form.place(), 0, 0],
        _ => [0; 4],
    }
    .map(u64::from);
    [sort << 8 | number, form, which, text]
}

/// The usual kind of each sort, the plainest first, without the last sort: lines without a type.
const KINDS: [LineKind; 13] = [
    LineKind::USER,
    LineKind::REPLY,
    LineKind::system(Subtype::INFORMATIONAL),
    LineKind::HOOK_RESULT,
    LineKind::ATTACHMENT,
    LineKind::PROGRESS,
    LineKind::TOMBSTONE,
    LineKind::ToolUseSummary,
    LineKind::GROUP,
    LineKind::StreamEvent,
    LineKind::StreamRequestStart,
    LineKind::Side { side: SideKind::SUMMARY },
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
        LineKind::GroupedToolUse { .. } => LineKind::group(Choice::at(place), about(kind)),
        LineKind::Tombstone { id, .. } => LineKind::Tombstone { form: Choice::at(place), id },
        LineKind::Untyped { .. } => LineKind::Untyped { form: Choice::at(place) },
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

/// The sort of a block, its form, and the number of its text or call. The plainest of each is 0.
fn parts(block: BlockPlan) -> [u8; 3] {
    match block {
        BlockPlan::Text { form, text } => [0, form.place(), text.place()],
        BlockPlan::ToolUse { form, call } => [1, form.place(), call],
        BlockPlan::ToolResult { form, call } => [2, form.place(), call],
        BlockPlan::Thinking { form, text } => [3, form.place(), text.place()],
        BlockPlan::RedactedThinking => [4, 0, 0],
        BlockPlan::ServerToolUse { form, call } => [5, form.place(), call],
        BlockPlan::ServerToolResult { form, call } => [6, form.place(), call],
        BlockPlan::Image => [7, 0, 0],
        BlockPlan::Document => [8, 0, 0],
        BlockPlan::Unknown { text } => [9, 0, text.place()],
        BlockPlan::Compaction => [10, 0, 0],
        BlockPlan::Media { form } => [MEDIA, form.place(), 0],
        BlockPlan::Strange { form } => [STRANGE, form.place(), 0],
    }
}

/// The block of these numbers.
fn of_parts([sort, form, number]: [u8; 3]) -> BlockPlan {
    let text = PoolText::at(number);
    match sort {
        0 => BlockPlan::Text { form: TextForm::at(form), text },
        1 => BlockPlan::ToolUse { form: Choice::at(form), call: number },
        2 => BlockPlan::ToolResult { form: Choice::at(form), call: number },
        3 => BlockPlan::Thinking { form: Choice::at(form), text },
        4 => BlockPlan::RedactedThinking,
        5 => BlockPlan::ServerToolUse { form: ServerCallForm::at(form), call: number },
        6 => BlockPlan::ServerToolResult { form: ServerResultForm::at(form), call: number },
        7 => BlockPlan::Image,
        8 => BlockPlan::Document,
        9 => BlockPlan::Unknown { text },
        10 => BlockPlan::Compaction,
        MEDIA => BlockPlan::Media { form: Choice::at(form) },
        _ => BlockPlan::Strange { form: Choice::at(form) },
    }
}

/// How many sorts have a usual form. They are the first ones.
const USUAL: u8 = 11;

const MEDIA: u8 = 11;
const STRANGE: u8 = 12;

/// What orders blocks: the sort, the form, the number. Sorts in unusual forms come after all in usual ones.
pub(super) fn block_choices(block: BlockPlan) -> [u64; 3] {
    let [sort, form, number] = parts(block);
    let sort = if is_unusual(block) { USUAL + sort } else { sort };
    [sort, form, number].map(u64::from)
}

pub(super) fn is_unusual(block: BlockPlan) -> bool {
    let [sort, form, _] = parts(block);
    form != 0 || sort >= USUAL
}

/// The blocks one bold step simpler: the usual form, the first number.
pub(super) fn plain_blocks(block: BlockPlan) -> impl Iterator<Item = BlockPlan> {
    let first = with_number(block, 0);
    usual(block).into_iter().chain((first != block).then_some(first))
}

/// The usual block in place of one of an unusual form.
pub(super) fn usual(block: BlockPlan) -> Option<BlockPlan> {
    let [sort, _, number] = parts(block);
    is_unusual(block).then_some(match sort {
        MEDIA => BlockPlan::Image,
        STRANGE => BlockPlan::Unknown { text: PoolText::Plain },
        sort => of_parts([sort, 0, number]),
    })
}

/// The blocks one small step simpler: each plainer sort, each lower form, each lower number.
pub(super) fn lower_blocks(block: BlockPlan) -> impl Iterator<Item = BlockPlan> {
    let [sort, form, number] = parts(block);
    let plainer = (0..if is_unusual(block) { USUAL } else { sort }).map(|sort| of_parts([sort, 0, 0]));
    let same_text = text_of(block).filter(|_| block_choices(block)[0] > 0).map(BlockPlan::text);
    let forms = lower(form).map(move |form| of_parts([sort, form, number]));
    let numbers = lower(number).map(move |number| of_parts([sort, form, number]));
    // Thinking that is not the plainest may become redacted.
    let redacted = (sort == 3 && form == 0 && number != 0).then_some(BlockPlan::RedactedThinking);
    same_text.into_iter().chain(redacted).chain(plainer).chain(forms).chain(numbers)
}

pub(super) fn text_of(block: BlockPlan) -> Option<PoolText> {
    match block {
        BlockPlan::Text { text, .. } | BlockPlan::Thinking { text, .. } | BlockPlan::Unknown { text } => Some(text),
        _ => None,
    }
}

/// The number of the call that a block makes or answers, by a client or by a server.
pub(super) fn call_of(block: BlockPlan) -> Option<u8> {
    match block {
        BlockPlan::ToolUse { call, .. }
        | BlockPlan::ToolResult { call, .. }
        | BlockPlan::ServerToolUse { call, .. }
        | BlockPlan::ServerToolResult { call, .. } => Some(call),
        _ => None,
    }
}

/// The same block with another number, if it has one.
pub(super) fn with_number(block: BlockPlan, number: u8) -> BlockPlan {
    let [sort, form, _] = parts(block);
    of_parts([sort, form, number])
}
