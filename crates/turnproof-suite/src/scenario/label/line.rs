//! Labels of *lines*: the forms that their members take, and what the file is made of.

use crate::scenario::pool::{AttachmentForm, Extra, Flag, PoolText, Refusal, SideKind, Subtype, ThinkingForm, call_id};
use crate::scenario::record::clashes;
use crate::scenario::{AssistantForm, BlockPlan, Form, LineKind, LinePlan, ProgressForm};

use super::{Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

use AssistantForm::Synthetic;
use LineKind::{
    Assistant, Attachment, GroupedToolUse, HookResult, Progress, Side, StreamEvent, StreamRequestStart, System,
    Tombstone, ToolUseSummary, Untyped, User,
};
use Subtype::CompactBoundary;

labels! { FORMS {
    SHUFFLED SELDOM
    "attachment/misshapen" "an attachment that lacks something, or has it otherwise",
    "attachment/absent" "an attachment line without attachment",
} }

labels! { LINES, fn line(line: &LinePlan) match line.kind => {
    SHUFFLED OFTEN
    "message/without-content" "a message without content",
    "message/content-empty" "a message whose content is an empty list"
        if content(line).is_some_and(<[BlockPlan]>::is_empty),
    "message/content-a-string" "a user's message whose content is a string":
        User { form } if line.plain && form.is_filled(),
    "message/reply-a-string" "a reply whose content is a string":
        Assistant { form, .. } if line.plain && form.is_filled() && !form.says_words(),
    "message/several-blocks" "a message of several blocks" if blocks(line).len() > 1,
    "message/block-of-another-role" "a block that its role may not carry"
        if blocks(line).iter().any(|block| block.is_foreign(line.kind)),
    "message/paste-ids" "ids of pasted images",
    "message/synthetic-error" "an error of the API as a message": Assistant { form: Synthetic, .. } if is_flagged(line),
    "message/error-flag-alone" "the flag of an error, on what a model said":
        Assistant { form, .. } if form != Synthetic && is_flagged(line),
    "refusal/of-meta-media" "an error after media that only the model sees",
    "system/text-of-the-pool" "a notice with any text",
    "system/old-name" "a notice whose text has the older name",
    "boundary/without-metadata" "a boundary without metadata":
        System { subtype: CompactBoundary, .. } if !line.extras.contains(&Extra::MetadataNull) && !preserves(line),
    "boundary/preserves" "a boundary that preserves messages":
        System { subtype: CompactBoundary, .. } if preserves(line),
    "tombstone/without-an-id" "a tombstone that names nothing",
    "hook/result-of-an-event" "a hook's outcome that says when it ran",
    "hook/progress-of-an-event" "progress of a hook",
} }

labels! { FILES, fn file(lines: &[LinePlan]) match lines => {
    SHUFFLED OFTEN
    "file/one-line" "one line alone": [_],
    "file/reply-first" "a reply before the first prompt"
        if first_speaker(lines).is_some_and(|first| first.kind.is_reply()),
    "file/result-first" "a result before all else"
        if first_speaker(lines).is_some_and(|first| first.kind.is_user() && has_result(first)),
    "file/reply-last" "a reply at the end": [.., last] if last.kind.is_reply(),
    "file/thinking-last" "a reply at the end that ends with thinking":
        [.., last] if last.kind.is_reply() && blocks(last).last().is_some_and(is_thinking),
    "file/progress-last" "progress at the end": [.., LinePlan { kind: Progress { .. }, .. }],
    "file/sessions" "lines of several sessions" if lines.windows(2).any(|two| two[0].session != two[1].session),
    "file/live-only" "a line of a kind that should not be on disk" if lines.iter().any(is_live_only),
    "file/users-in-a-row" "two user messages one after the other"
        if lines.windows(2).any(|two| two.iter().all(|line| line.kind.is_user())),
    "file/attachment-to-move" "an attachment that moves up past other messages",
    "refusal/of-attached-media" "an error after an attachment with media",
} }

labels! { RARE_LINES, fn rare_line(line: &LinePlan) match line.kind => {
    SHUFFLED SELDOM
    "message/absent" "a line without its message",
    "message/content-null" "a message whose content is null",
    "message/content-of-another-type" "a message whose content is neither a text nor a list",
    "message/of-another-type" "a message that is no object",
    "message/misfit" "a message with a known field of a wrong type, beside its content",
    "message/of-another-role" "a user's message that says it is a reply",
    "message/cut-off" "a reply that ended at the limit of its tokens",
    "message/refused" "a reply that ended with a refusal",
    "system/misfit" "a notice with a known field of a wrong type",
    "hook/misfit" "a hook's outcome or progress with a known field of a wrong type",
    "message/synthetic-model-alone" "the model that is none, without the flag of an error":
        Assistant { form: Synthetic, .. } if !is_flagged(line),
    "refusal/of-images" "an error that refuses images",
    "refusal/of-documents" "an error that refuses documents",
    "refusal/of-both" "an error that refuses images and documents",
    "refusal/of-nothing" "an error that seems to refuse media",
    "system/without-text" "a notice without text",
    "system/two-texts" "a notice with a text of both names",
    "boundary/metadata-null" "a boundary whose metadata are null":
        System { subtype: CompactBoundary, .. } if line.extras.contains(&Extra::MetadataNull),
    "progress/old-name" "progress whose data have the older name": Progress { form: ProgressForm::OldName, .. },
} }

labels! { RARE_FILES, fn rare_file(lines: &[LinePlan]) match lines => {
    SHUFFLED SELDOM
    "file/many-lines" "more than twelve lines" if lines.len() > 12,
    "file/side-records-alone" "side records alone": [_, ..] if lines.iter().all(is_side),
    "file/side-record-first" "a side record before the first message":
        [first, ..] if is_side(first) && first_speaker(lines).is_some(),
    "file/line-feed-last" "a reply at the end that ends with a line feed": [.., last]
        if last.kind.is_reply() && last_text(last) == Some(PoolText::LineFeedEnd),
    "file/pr-link-first" "a pull request's link on the first line":
        [LinePlan { kind: Side { side: SideKind::PrLink }, .. }, ..],
} }

/// The blocks of a line's content. `None` when the content is no list, or the words of an error.
fn content(line: &LinePlan) -> Option<&[BlockPlan]> {
    let has_content = match line.kind {
        User { form } => form.is_filled(),
        Assistant { form, .. } => form.is_filled() && !form.says_words(),
        _ => false,
    };
    (has_content && !line.plain).then_some(&line.blocks)
}

/// The blocks of a line's content. Empty when the content is no list.
pub(super) fn blocks(line: &LinePlan) -> &[BlockPlan] {
    content(line).unwrap_or_default()
}

/// The text with which a line ends.
fn last_text(line: &LinePlan) -> Option<PoolText> {
    match blocks(line).last() {
        Some(BlockPlan::Text { text, .. }) => Some(*text),
        _ => None,
    }
}

pub(super) fn has_result(line: &LinePlan) -> bool {
    blocks(line).iter().any(|block| matches!(block, BlockPlan::ToolResult { .. }))
}

/// Whether it has a result, and something beside it.
pub(super) fn is_mixed(line: &LinePlan) -> bool {
    has_result(line) && blocks(line).iter().any(|block| !matches!(block, BlockPlan::ToolResult { .. }))
}

fn is_thinking(block: &BlockPlan) -> bool {
    matches!(block, BlockPlan::Thinking { form, .. } if *form < ThinkingForm::RedactedWithoutData)
}

fn is_flagged(line: &LinePlan) -> bool {
    line.is(Flag::IsApiErrorMessage)
}

pub(super) fn preserves(line: &LinePlan) -> bool {
    line.extras.iter().any(|extra| extra.preserves())
}

fn is_live_only(line: &LinePlan) -> bool {
    matches!(line.kind, GroupedToolUse { .. } | StreamEvent | StreamRequestStart | Tombstone { .. } | ToolUseSummary)
}

pub(super) fn is_side(line: &LinePlan) -> bool {
    matches!(line.kind, Side { .. })
}

fn first_speaker(lines: &[LinePlan]) -> Option<&LinePlan> {
    lines.iter().find(|line| line.kind.is_user() || line.kind.is_reply())
}

impl Labels {
    /// Each line by itself, and the file that they make.
    pub(super) fn lines(&mut self, lines: &[LinePlan]) {
        for line in lines {
            self.line_kind(line.kind);
            line.flags.iter().filter(|(_, is_true)| **is_true).for_each(|(flag, _)| self.put(flag.label()));
            put!(self, "flag/said-to-be-false", line.flags.values().any(|is_true| !is_true));
            let extras = line.extras.iter().filter(|extra| !clashes(line.kind, extra.what()));
            extras.for_each(|extra| self.put(extra.label()));
            self.line(line);
            self.rare_line(line);
            self.members(line);
            blocks(line).iter().for_each(|block| self.block(*block));
        }
        self.file(lines);
        self.rare_file(lines);
        put!(self, "file/no-conversation", first_speaker(lines).is_none());
        self.neighbours(lines);
    }

    /// The form of a line, and its text.
    fn members(&mut self, line: &LinePlan) {
        match line.kind {
            User { form } => {
                self.form(form);
                self.put_if(line.plain && form.is_filled(), line.first_text().label());
            }
            Assistant { form, words } => {
                self.form(form);
                self.put_if(line.plain && form.is_filled() && !form.says_words(), line.first_text().label());
                // Some words refuse nothing when they are cut in two.
                let can_be_cut = matches!(words, Refusal::PdfNotRead | Refusal::RequestTooLarge);
                let is_cut = can_be_cut && !line.plain && !line.blocks.is_empty();
                match form == Synthetic && is_flagged(line) {
                    true if is_cut => put!(self, "refusal/of-nothing"),
                    true => self.form(words),
                    false => {}
                }
            }
            System { form, text, .. } => self.saying(form, text),
            Attachment { form, text, call } => {
                self.attachment(form, text);
                put!(self, "call-id/longer-than-64", form.has_call() && call_id(call).len() > 64);
            }
            Tombstone { form, .. } => self.form(form),
            HookResult { form, .. } => self.form(form),
            Progress { form, .. } => self.form(form),
            GroupedToolUse { form, .. } => self.form(form),
            Untyped { form } => self.form(form),
            _ => {}
        }
    }

    pub(super) fn attachment(&mut self, form: AttachmentForm, text: PoolText) {
        match form {
            AttachmentForm::Null | AttachmentForm::Absent => put!(self, "attachment/absent"),
            plain if plain.is_plain() => self.put(plain.label()),
            _ => put!(self, "attachment/misshapen"),
        }
        self.put_if(form.has_text(), text.label());
    }

    /// Attachments that move, and media that an error refuses.
    fn neighbours(&mut self, lines: &[LinePlan]) {
        let mut passed = 0;
        let (mut meta_media, mut attached_media) = (false, false);
        for line in lines {
            let is_error = matches!(line.kind, Assistant { form: Synthetic, .. });
            put!(self, "refusal/of-attached-media", is_error && attached_media);
            match line.kind {
                Assistant { .. } => (passed, attached_media) = (0, attached_media && is_error),
                User { .. } if has_result(line) => passed = 0,
                Attachment { form, .. } => {
                    put!(self, "file/attachment-to-move", passed > 0);
                    attached_media |= form.has_media();
                }
                _ => passed += 1,
            }
            put!(self, "refusal/of-meta-media", is_error && meta_media);
            let is_media = |block: &BlockPlan| matches!(block, BlockPlan::Image | BlockPlan::Document);
            meta_media = match line.kind {
                User { .. } => line.is(Flag::IsMeta) && blocks(line).iter().any(is_media),
                Assistant { .. } => meta_media && is_error,
                System { .. } | Progress { .. } | StreamRequestStart => meta_media,
                _ => false,
            };
        }
    }
}
