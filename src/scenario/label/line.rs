//! Labels of *lines*: the forms that their members take, and what the file is made of.

use crate::scenario::body::clashes;
use crate::scenario::line::{
    AssistantForm, BlockPlan, HookResultForm, LineKind, LinePlan, ProgressForm, SystemForm, TombstoneForm, UserForm,
};
use crate::scenario::pool::{
    AttachmentForm, Extra, Flag, PLAIN_ATTACHMENTS, PoolText, Refusal, SideKind, Subtype, ThinkingForm, call_id, id,
};

use super::{ANY, Group, Labels, OFTEN, SELDOM, SHUFFLED, group, put};

/// Members beyond the usual ones, attachments as clients write them and others, forms, files.
pub(super) const LABELS: &[Group] = &[
    group(SHUFFLED, SELDOM, Extra::LABELS),
    group(ANY, SELDOM, AttachmentForm::LABELS.split_at(PLAIN_ATTACHMENTS as usize).0),
    group(
        SHUFFLED,
        SELDOM,
        &[
            ("attachment/misshapen", "an attachment that lacks something, or has it otherwise"),
            ("attachment/absent", "an attachment line without attachment"),
        ],
    ),
    group(
        ANY,
        OFTEN,
        &[
            ("file/no-conversation", "no user and no reply"),
            ("request/with-context", "a request with project context"),
            ("index/of-letters", "an index from 10 to 15, whose digit is a letter"),
            ("index/the-last", "the last index for which an id can be derived"),
            ("index/too-large", "an index for which no id can be derived"),
        ],
    ),
    group(
        SHUFFLED,
        OFTEN,
        &[
            ("message/without-content", "a message without content"),
            ("message/content-empty", "a message whose content is an empty list"),
            ("message/content-a-string", "a user's message whose content is a string"),
            ("message/reply-a-string", "a reply whose content is a string"),
            ("message/several-blocks", "a message of several blocks"),
            ("message/block-of-another-role", "a block that its role may not carry"),
            ("message/paste-ids", "ids of pasted images"),
            ("message/synthetic-error", "an error of the API as a message"),
            ("message/error-flag-alone", "the flag of an error, on what a model said"),
            ("refusal/of-meta-media", "an error after media that only the model sees"),
            ("system/text-of-the-pool", "a notice with any text"),
            ("system/old-name", "a notice whose text has the older name"),
            ("boundary/without-metadata", "a boundary without metadata"),
            ("boundary/preserves", "a boundary that preserves messages"),
            ("tombstone/without-an-id", "a tombstone that names nothing"),
            ("hook/result-of-an-event", "a hook's outcome that says when it ran"),
            ("hook/progress-of-an-event", "progress of a hook"),
            ("file/one-line", "one line alone"),
            ("file/reply-first", "a reply before the first prompt"),
            ("file/result-first", "a result before all else"),
            ("file/reply-last", "a reply at the end"),
            ("file/thinking-last", "a reply at the end that ends with thinking"),
            ("file/progress-last", "progress at the end"),
            ("file/sessions", "lines of several sessions"),
            ("file/live-only", "a line of a kind that should not be on disk"),
            ("file/users-in-a-row", "two user messages one after the other"),
            ("file/attachment-to-move", "an attachment that moves up past other messages"),
        ],
    ),
    group(
        SHUFFLED,
        SELDOM,
        &[
            ("message/absent", "a line without its message"),
            ("message/content-null", "a message whose content is null"),
            ("message/synthetic-model-alone", "the model that is none, without the flag of an error"),
            ("refusal/of-images", "an error that refuses images"),
            ("refusal/of-documents", "an error that refuses documents"),
            ("refusal/of-both", "an error that refuses images and documents"),
            ("refusal/of-nothing", "an error that seems to refuse media"),
            ("system/without-text", "a notice without text"),
            ("system/two-texts", "a notice with a text of both names"),
            ("boundary/metadata-null", "a boundary whose metadata are null"),
            ("progress/old-name", "progress whose data have the older name"),
            ("file/many-lines", "more than twelve lines"),
            ("file/side-records-alone", "side records alone"),
            ("file/side-record-first", "a side record before the first message"),
            ("file/pr-link-first", "a pull request's link on the first line"),
        ],
    ),
];

/// The blocks of a line's content, where that is a list.
pub(super) fn blocks(line: &LinePlan) -> &[BlockPlan] {
    use AssistantForm::{EmptyId, NullId, Usual, WithoutId};
    let has_content = match line.kind {
        LineKind::User { form } => form.has_content(),
        LineKind::Assistant { form, .. } => matches!(form, Usual | WithoutId | EmptyId | NullId),
        _ => false,
    };
    if has_content && !line.plain { &line.blocks } else { &[] }
}

impl Labels {
    /// Each line by itself, and the file that they make.
    pub(super) fn lines(&mut self, lines: &[LinePlan]) {
        for line in lines {
            self.line_kind(line.kind);
            self.flags(&line.flags);
            let extras = line.extras.iter().filter(|extra| !clashes(line.kind, extra.what()));
            extras.for_each(|extra| self.put(extra.label()));
            self.members(line);
            blocks(line).iter().for_each(|block| self.block(*block));
        }
        self.file(lines);
    }

    fn members(&mut self, line: &LinePlan) {
        match line.kind {
            LineKind::User { form } => self.user(line, form),
            LineKind::Assistant { form, words } => self.assistant(line, form, words),
            LineKind::System { subtype, form, text } => self.system(line, subtype, form, text),
            LineKind::Attachment { form, text, call } => {
                self.attachment(form, text);
                put!(self, "call-id/longer-than-64", form.has_call() && call_id(call).len() > 64);
            }
            LineKind::Tombstone { form, .. } => {
                put!(self, "tombstone/without-an-id", form >= TombstoneForm::WithoutId);
            }
            LineKind::HookResult { form, .. } => {
                let is_of_an_event = form.is_of_a_call() || form == HookResultForm::WithoutCall;
                put!(self, "hook/result-of-an-event", is_of_an_event);
            }
            LineKind::Progress { form, .. } => {
                let of_events = ProgressForm::PreToolUse..=ProgressForm::WithoutCall;
                put!(self, "hook/progress-of-an-event", of_events.contains(&form));
                put!(self, "progress/old-name", form == ProgressForm::OldName);
            }
            _ => {}
        }
    }

    fn user(&mut self, line: &LinePlan, form: UserForm) {
        match form {
            UserForm::WithoutContent | UserForm::EmptyMessage => put!(self, "message/without-content"),
            UserForm::NullContent => put!(self, "message/content-null"),
            UserForm::WithoutMessage => put!(self, "message/absent"),
            _ => {
                put!(self, "message/paste-ids", form.has_pastes());
                put!(self, "message/content-a-string", line.plain);
                self.content(line);
            }
        }
        let is_foreign = |block: &BlockPlan| {
            use BlockPlan::{RedactedThinking, ServerToolUse, Thinking, ToolUse};
            matches!(block, ToolUse { .. } | ServerToolUse { .. } | Thinking { .. } | RedactedThinking)
        };
        put!(self, "message/block-of-another-role", blocks(line).iter().any(is_foreign));
    }

    fn assistant(&mut self, line: &LinePlan, form: AssistantForm, words: Refusal) {
        let is_flagged = line.is(Flag::IsApiErrorMessage);
        put!(self, "message/error-flag-alone", is_flagged && form != AssistantForm::Synthetic);
        match form {
            AssistantForm::WithoutContent => put!(self, "message/without-content"),
            AssistantForm::NullContent => put!(self, "message/content-null"),
            AssistantForm::WithoutMessage => put!(self, "message/absent"),
            AssistantForm::Synthetic => {
                put!(self, "message/synthetic-error", is_flagged);
                put!(self, "message/synthetic-model-alone", !is_flagged);
                // These words refuse nothing when they are cut in two.
                let can_be_cut = matches!(words, Refusal::PdfNotRead | Refusal::RequestTooLarge);
                let is_cut = can_be_cut && !line.plain && !line.blocks.is_empty();
                if is_flagged && is_cut {
                    put!(self, "refusal/of-nothing");
                } else if is_flagged {
                    self.form(words);
                }
            }
            AssistantForm::WordsAlone => {}
            _ => {
                put!(self, "message/reply-a-string", line.plain);
                self.content(line);
            }
        }
        let is_foreign = |block: &BlockPlan| {
            use BlockPlan::{Document, Image, Media, ToolResult};
            matches!(block, ToolResult { .. } | Image | Document | Media { .. })
        };
        put!(self, "message/block-of-another-role", blocks(line).iter().any(is_foreign));
    }

    fn content(&mut self, line: &LinePlan) {
        if line.plain {
            return self.put(line.first_text().label());
        }
        put!(self, "message/content-empty", line.blocks.is_empty());
        put!(self, "message/several-blocks", line.blocks.len() > 1);
    }

    fn system(&mut self, line: &LinePlan, subtype: Subtype, form: SystemForm, text: PoolText) {
        put!(self, "system/text-of-the-pool", form.has_text());
        put!(self, "system/old-name", matches!(form, SystemForm::OldName | SystemForm::NullContent));
        put!(self, "system/without-text", form == SystemForm::WithoutText);
        put!(self, "system/two-texts", form == SystemForm::BlankContent);
        self.put_if(form.has_text(), text.label());
        if subtype == Subtype::CompactBoundary {
            let (is_null, preserves) =
                (line.extras.contains(&Extra::MetadataNull), line.extras.iter().any(|it| it.preserves()));
            put!(self, "boundary/without-metadata", !is_null && !preserves);
            put!(self, "boundary/metadata-null", is_null);
            put!(self, "boundary/preserves", preserves);
        }
    }

    /// An attachment with its text.
    pub(super) fn attachment(&mut self, form: AttachmentForm, text: PoolText) {
        match form {
            AttachmentForm::Null | AttachmentForm::Absent => put!(self, "attachment/absent"),
            plain if plain.is_plain() => self.put(plain.label()),
            _ => put!(self, "attachment/misshapen"),
        }
        self.put_if(form.has_text(), text.label());
    }

    fn file(&mut self, lines: &[LinePlan]) {
        let is_speaker = |line: &LinePlan| line.kind.is_user() || line.kind.is_reply();
        let is_side = |line: &LinePlan| matches!(line.kind, LineKind::Side { .. });
        put!(self, "file/one-line", lines.len() == 1);
        put!(self, "file/many-lines", lines.len() > 12);
        put!(self, "file/no-conversation", !lines.iter().any(is_speaker));
        put!(self, "file/side-records-alone", !lines.is_empty() && lines.iter().all(is_side));
        put!(self, "file/sessions", lines.windows(2).any(|two| two[0].session != two[1].session));
        let is_live_only = |line: &LinePlan| {
            use LineKind::{GroupedToolUse, StreamEvent, StreamRequestStart, Tombstone, ToolUseSummary};
            matches!(line.kind, GroupedToolUse | StreamEvent | StreamRequestStart | Tombstone { .. } | ToolUseSummary)
        };
        put!(self, "file/live-only", lines.iter().any(is_live_only));
        let is_user = |line: &LinePlan| line.kind.is_user();
        put!(self, "file/users-in-a-row", lines.windows(2).any(|two| is_user(&two[0]) && is_user(&two[1])));
        if let [first, rest @ ..] = lines {
            put!(self, "file/side-record-first", is_side(first) && rest.iter().any(is_speaker));
            put!(self, "file/pr-link-first", first.kind == LineKind::Side { side: SideKind::PrLink });
        }
        if let Some(first) = lines.iter().find(|line| is_speaker(line)) {
            put!(self, "file/reply-first", !is_user(first));
            put!(self, "file/result-first", is_user(first) && has_result(first));
        }
        if let Some(last) = lines.last() {
            let is_thinking = |block: &BlockPlan| matches!(block, BlockPlan::Thinking { form, .. } if *form < ThinkingForm::RedactedWithoutData);
            let ends_with_thinking = blocks(last).last().is_some_and(is_thinking);
            put!(self, "file/reply-last", last.kind.is_reply());
            put!(self, "file/thinking-last", last.kind.is_reply() && ends_with_thinking);
            put!(self, "file/progress-last", matches!(last.kind, LineKind::Progress { .. }));
        }
        self.neighbours(lines);
    }

    /// Attachments that move, and media that an error refuses.
    fn neighbours(&mut self, lines: &[LinePlan]) {
        let mut passed = 0;
        let mut meta_media = false;
        for line in lines {
            match line.kind {
                LineKind::Assistant { .. } => passed = 0,
                LineKind::User { .. } if has_result(line) => passed = 0,
                LineKind::Attachment { .. } => put!(self, "file/attachment-to-move", passed > 0),
                _ => passed += 1,
            }
            let is_error = matches!(line.kind, LineKind::Assistant { form: AssistantForm::Synthetic, .. });
            put!(self, "refusal/of-meta-media", is_error && meta_media);
            let is_media = |block: &BlockPlan| matches!(block, BlockPlan::Image | BlockPlan::Document);
            meta_media = match line.kind {
                LineKind::User { .. } => line.is(Flag::IsMeta) && blocks(line).iter().any(is_media),
                LineKind::Assistant { .. } => meta_media && is_error,
                LineKind::System { .. } | LineKind::Progress { .. } | LineKind::StreamRequestStart => meta_media,
                _ => false,
            };
        }
    }
}

/// Whether a line holds a result of a client's tool.
pub(super) fn has_result(line: &LinePlan) -> bool {
    let is_result = |block: &BlockPlan| matches!(block, BlockPlan::ToolResult { .. });
    blocks(line).iter().any(is_result)
}

/// The id of a line, by its place in the pool.
pub(super) fn line_id(line: &LinePlan) -> Option<&'static str> {
    line.uuid.map(id)
}
