//! Labels of *lines*: the forms that their members take, and what the file is made of.

use crate::scenario::body::{SYNTHETIC, WORDS_ALONE, clashes};
use crate::scenario::line::{BlockPlan, LineKind, LinePlan};
use crate::scenario::pool::{ATTACHMENTS, EXTRAS, FLAGS, PLAIN_ATTACHMENTS, call_id, id};

use super::{Label, Labels, any, at, put, shuffled};

/// Members beyond the usual ones in the order of their pool; forms; files.
pub(super) const LABELS: &[Label] = &[
    shuffled("member/of-the-client", "directory, branch, version", 0.05),
    shuffled("member/logical-parent", "the message before a boundary", 0.078),
    shuffled("member/agent", "a subagent and its team", 0.075),
    shuffled("member/huge-number", "a number that no double holds", 0.0019),
    shuffled("member/preserved-segment", "metadata of a compaction, with a segment", 0.055),
    shuffled("member/metadata-null", "metadata of a compaction that is null", 0.056),
    shuffled("member/request", "a request's id and error", 0.047),
    shuffled("member/tool-output", "what a tool gave", 0.048),
    shuffled("member/tool-error", "how a tool failed, and the line of its call", 0.047),
    shuffled("member/tool-ids", "the call that a line is about", 0.04),
    shuffled("member/leaf-and-snapshot", "the leaf and the message that side records name", 0.047),
    shuffled("member/numeric-keys", "a message spread into numeric keys", 0.063),
    shuffled("member/long-numbers", "numbers that lose digits as doubles", 0.05),
    shuffled("member/retracted", "messages that a notice withdraws", 0.067),
    shuffled("member/preserved-messages", "metadata of a compaction, with messages", 0.05),
    shuffled("member/superseded", "messages that a reply takes the place of", 0.048),
    shuffled("message/absent", "a line without its message", 0.0056),
    shuffled("message/without-content", "a message without content", 0.0093),
    shuffled("message/content-null", "a message whose content is null", 0.0048),
    shuffled("message/content-empty", "a message whose content is an empty list", 0.038),
    shuffled("message/content-a-string", "a user's message whose content is a string", 0.1),
    shuffled("message/reply-a-string", "a reply whose content is a string", 0.11),
    shuffled("message/several-blocks", "a message of several blocks", 0.2),
    shuffled("message/block-of-another-role", "a block that its role may not carry", 0.008),
    shuffled("message/paste-ids", "ids of pasted images", 0.049),
    shuffled("message/synthetic-error", "an error of the API as a message", 0.016),
    shuffled("message/error-flag-alone", "the flag of an error, on what a model said", 0.041),
    shuffled("message/synthetic-model-alone", "the model that is none, without the flag of an error", 0.0056),
    shuffled("refusal/of-images", "an error that refuses images", 0.0033),
    shuffled("refusal/of-documents", "an error that refuses documents", 0.0059),
    shuffled("refusal/of-both", "an error that refuses images and documents", 0.0027),
    shuffled("refusal/of-nothing", "an error that seems to refuse media", 0.006),
    shuffled("refusal/of-meta-media", "an error after media that only the model sees", 0.012),
    shuffled("system/text-of-the-pool", "a notice with any text", 0.031),
    shuffled("system/old-name", "a notice whose text has the older name", 0.016),
    shuffled("system/without-text", "a notice without text", 0.0082),
    shuffled("system/two-texts", "a notice with a text of both names", 0.0079),
    shuffled("boundary/without-metadata", "a boundary without metadata", 0.018),
    shuffled("boundary/metadata-null", "a boundary whose metadata are null", 0.0071),
    shuffled("boundary/preserves", "a boundary that preserves messages", 0.012),
    shuffled("tombstone/without-an-id", "a tombstone that names nothing", 0.013),
    shuffled("hook/result-of-an-event", "a hook's outcome that says when it ran", 0.05),
    shuffled("hook/progress-of-an-event", "progress of a hook", 0.047),
    shuffled("progress/old-name", "progress whose data have the older name", 0.0015),
    shuffled("file/one-line", "one line alone", 0.097),
    shuffled("file/many-lines", "more than twelve lines", 0.0086),
    any("file/no-conversation", "no user and no reply", 0.035),
    shuffled("file/side-records-alone", "side records alone", 0.0033),
    shuffled("file/side-record-first", "a side record before the first message", 0.0093),
    shuffled("file/pr-link-first", "a pull request's link on the first line", 0.00062),
    shuffled("file/reply-first", "a reply before the first prompt", 0.23),
    shuffled("file/result-first", "a result before all else", 0.016),
    shuffled("file/reply-last", "a reply at the end", 0.19),
    shuffled("file/thinking-last", "a reply at the end that ends with thinking", 0.01),
    shuffled("file/progress-last", "progress at the end", 0.03),
    shuffled("file/sessions", "lines of several sessions", 0.086),
    shuffled("file/live-only", "a line of a kind that should not be on disk", 0.082),
    shuffled("file/users-in-a-row", "two user messages one after the other", 0.094),
    shuffled("file/attachment-to-move", "an attachment that moves up past other messages", 0.051),
    any("request/with-context", "a request with project context", 0.061),
    any("index/of-letters", "an index from 10 to 15, whose digit is a letter", 0.08),
    any("index/the-last", "the last index for which an id can be derived", 0.025),
    any("index/too-large", "an index for which no id can be derived", 0.15),
];

/// Attachments as clients write them, in the order of their pool, and others.
pub(super) const ATTACHMENT_LABELS: &[Label] = &[
    any("attachment/empty-list", "an empty list of tasks", 0.01),
    any("attachment/queued-command", "a prompt that waited", 0.0028),
    any("attachment/file", "a file", 0.0026),
    any("attachment/edited-text-file", "an edited file", 0.0024),
    any("attachment/nested-memory", "a memory file", 0.0025),
    any("attachment/compact-file-reference", "a file that is named alone", 0.0026),
    any("attachment/hook-additional-context", "context of a hook", 0.0029),
    any("attachment/hook-blocking-error", "a hook that blocks", 0.0028),
    any("attachment/todo-reminder", "a list of tasks", 0.0024),
    any("attachment/task-reminder", "a list of tasks of the newer form", 0.0023),
    any("attachment/skill-listing", "a list of skills", 0.0029),
    any("attachment/invoked-skills", "skills in use", 0.0023),
    any("attachment/date-change", "a new date", 0.0021),
    any("attachment/total-tokens-reminder", "a reminder of tokens", 0.0028),
    any("attachment/silent-turn-reminder", "a reminder of silence", 0.0026),
    any("attachment/batching-reminder-sent", "a reminder of batches", 0.003),
    any("attachment/read-truncation-notice", "a notice of a file cut short", 0.0027),
    any("attachment/deferred-tools-delta", "tools that changed", 0.0028),
    any("attachment/agent-listing-delta", "agents that changed", 0.0026),
    any("attachment/mcp-instructions-delta", "instructions that changed", 0.0021),
    any("attachment/task-status", "the status of a task", 0.0021),
    any("attachment/queued-command-with-image", "a prompt that waited, with an image", 0.0025),
    any("attachment/hook-success-before-use", "a hook's success before a call", 0.011),
    any("attachment/hook-success-after-use", "a hook's success after a call", 0.011),
    any("attachment/hook-success-after-failure", "a hook's success after a call failed", 0.011),
    any("attachment/hook-success-at-stop", "a hook's success at the end of a turn", 0.0026),
    any("attachment/hook-non-blocking-error", "a hook's error that stops nothing", 0.0029),
    any("attachment/hook-cancelled", "a hook that was cancelled", 0.0026),
    any("attachment/hook-context-after-use", "context of a hook after a call", 0.0028),
    any("attachment/command-permissions", "permissions of a command", 0.0025),
    any("attachment/auto-mode", "the automatic mode", 0.0028),
    any("attachment/plan-mode", "the planning mode", 0.0028),
    any("attachment/opened-file-in-ide", "a file that is open", 0.0028),
    any("attachment/of-tomorrow", "an attachment of a type that nobody knows", 0.0023),
    any("attachment/image-file", "a file that is an image", 0.0028),
    any("attachment/no-tasks", "an empty list of tasks that counts them", 0.0029),
    shuffled("attachment/misshapen", "an attachment that lacks something, or has it otherwise", 0.017),
    shuffled("attachment/absent", "an attachment line without attachment", 0.001),
];

const MEMBER: usize = at("member/of-the-client");
const ATTACHMENT: usize = at("attachment/empty-list");

/// The flag of an error, by its bit, and the flag of a meta message: true.
const API_ERROR_FLAG: u16 = true_flag("isApiErrorMessage");
const META_FLAG: u16 = true_flag("isMeta");

/// The bits that say that a flag is there and true.
const fn true_flag(name: &str) -> u16 {
    let mut bit = 0;
    while bit < FLAGS.len() {
        if super::is_same(FLAGS[bit].as_bytes(), name.as_bytes()) {
            return 1 << bit | 1 << (bit + FLAGS.len());
        }
        bit += 1;
    }
    panic!("no such flag")
}

/// The subtype `compact_boundary`, by its index.
pub(super) const BOUNDARY: u8 = 3;

/// The blocks of a line's content, where that is a list.
pub(super) fn blocks(line: &LinePlan) -> &[BlockPlan] {
    let has_content = match line.kind {
        LineKind::User => matches!(line.form, 0 | 5..),
        LineKind::Assistant => matches!(line.form, 0 | 4..=6 | WORDS_ALONE..) && line.form != WORDS_ALONE,
        _ => false,
    };
    if has_content && !line.plain { &line.blocks } else { &[] }
}

impl Labels {
    /// Each line by itself, and the file that they make.
    pub(super) fn lines(&mut self, lines: &[LinePlan]) {
        for line in lines {
            self.line_kind(line.kind);
            self.flags(line.flags);
            for bit in (0..EXTRAS.len()).filter(|bit| line.extras & 1 << bit != 0) {
                if EXTRAS.get(bit).is_some_and(|extra| !clashes(line, extra)) {
                    self.put(MEMBER + bit);
                }
            }
            self.form(line);
            blocks(line).iter().for_each(|block| self.block(*block));
        }
        self.file(lines);
    }

    fn form(&mut self, line: &LinePlan) {
        match (line.kind, line.form) {
            (LineKind::User, form) => self.user(line, form),
            (LineKind::Assistant, form) => self.assistant(line, form),
            (LineKind::System(which), form) => self.system(line, which, form),
            (LineKind::Attachment, form) => self.attachment_line(form, line.about),
            (LineKind::Tombstone, form) => put!(self, "tombstone/without-an-id", form > 1),
            (LineKind::HookResult, form) => put!(self, "hook/result-of-an-event", (1..7).contains(&form)),
            (LineKind::Progress, form) => {
                put!(self, "hook/progress-of-an-event", (1..7).contains(&form));
                put!(self, "progress/old-name", form == 8);
            }
            _ => {}
        }
    }

    fn user(&mut self, line: &LinePlan, form: u8) {
        match form {
            1 | 4 => put!(self, "message/without-content"),
            2 => put!(self, "message/content-null"),
            3 => put!(self, "message/absent"),
            _ => {
                put!(self, "message/paste-ids", form >= 5);
                put!(self, "message/content-a-string", line.plain);
                self.content(line);
            }
        }
        let is_foreign = |block: &BlockPlan| {
            use BlockPlan::{OddCall, OddServerCall, OddThinking, RedactedThinking, ServerToolUse, Thinking};
            matches!(
                block,
                OddCall(..) | OddServerCall(..) | OddThinking(..) | RedactedThinking | ServerToolUse(_)
            ) || matches!(block, Thinking(_) | BlockPlan::ToolUse(_))
        };
        put!(self, "message/block-of-another-role", blocks(line).iter().any(is_foreign));
    }

    fn assistant(&mut self, line: &LinePlan, form: u8) {
        let is_flagged = line.flags & API_ERROR_FLAG == API_ERROR_FLAG;
        put!(self, "message/error-flag-alone", is_flagged && form != SYNTHETIC);
        match form {
            1 => put!(self, "message/without-content"),
            2 => put!(self, "message/content-null"),
            3 => put!(self, "message/absent"),
            SYNTHETIC => {
                put!(self, "message/synthetic-error", is_flagged);
                put!(self, "message/synthetic-model-alone", !is_flagged);
                // These words refuse nothing when they are cut in two.
                let is_cut = matches!(line.about % 16, 8 | 9) && !line.plain && !line.blocks.is_empty();
                if is_flagged {
                    self.refusal(if is_cut { 0 } else { line.about % 16 });
                }
            }
            WORDS_ALONE => {}
            _ => {
                put!(self, "message/reply-a-string", line.plain);
                self.content(line);
            }
        }
        let is_foreign = |block: &BlockPlan| {
            use BlockPlan::{Document, Image, OddMedia, OddResult, ToolResult};
            matches!(block, ToolResult(_) | OddResult(..) | Image | Document | OddMedia(_))
        };
        put!(self, "message/block-of-another-role", blocks(line).iter().any(is_foreign));
    }

    /// What an error refuses, by the number of its words.
    fn refusal(&mut self, words: u8) {
        match words {
            1..=3 => put!(self, "refusal/of-images"),
            4..=8 => put!(self, "refusal/of-documents"),
            9..=11 => put!(self, "refusal/of-both"),
            _ => put!(self, "refusal/of-nothing"),
        }
    }

    fn content(&mut self, line: &LinePlan) {
        if line.plain {
            let first = line.blocks.iter().find_map(|block| match block {
                BlockPlan::Text(which) => Some(*which),
                _ => None,
            });
            return self.text(first.unwrap_or(0));
        }
        put!(self, "message/content-empty", line.blocks.is_empty());
        put!(self, "message/several-blocks", line.blocks.len() > 1);
    }

    fn system(&mut self, line: &LinePlan, which: u8, form: u8) {
        put!(self, "system/text-of-the-pool", matches!(form, 1 | 2 | 4 | 5));
        put!(self, "system/old-name", matches!(form, 2 | 5));
        put!(self, "system/without-text", form == 3);
        put!(self, "system/two-texts", form == 4);
        if matches!(form, 1 | 2 | 4 | 5) {
            self.text(line.about);
        }
        if which == BOUNDARY {
            let metadata = [4, 5, 14].map(|extra| line.extras & 1 << extra != 0);
            put!(self, "boundary/without-metadata", metadata == [false; 3]);
            put!(self, "boundary/metadata-null", metadata[1]);
            put!(self, "boundary/preserves", metadata[0] || metadata[2]);
        }
    }

    fn attachment_line(&mut self, form: u8, about: u8) {
        match ATTACHMENTS.get(usize::from(form)) {
            Some(json) => {
                self.attachment(form);
                if json.contains('$') {
                    self.text(about);
                }
                put!(self, "call-id/longer-than-64", json.contains('@') && call_id(about).len() > 64);
            }
            None => put!(self, "attachment/absent"),
        }
    }

    /// An attachment of the pool.
    pub(super) fn attachment(&mut self, form: u8) {
        match form < PLAIN_ATTACHMENTS {
            true => self.put(ATTACHMENT + usize::from(form)),
            false => put!(self, "attachment/misshapen"),
        }
    }

    fn file(&mut self, lines: &[LinePlan]) {
        let is_speaker = |line: &LinePlan| matches!(line.kind, LineKind::User | LineKind::Assistant);
        let is_side = |line: &LinePlan| matches!(line.kind, LineKind::Side(_));
        put!(self, "file/one-line", lines.len() == 1);
        put!(self, "file/many-lines", lines.len() > 12);
        put!(self, "file/no-conversation", !lines.iter().any(is_speaker));
        put!(self, "file/side-records-alone", !lines.is_empty() && lines.iter().all(is_side));
        put!(self, "file/sessions", lines.windows(2).any(|two| two[0].session != two[1].session));
        let is_live_only = |line: &LinePlan| {
            use LineKind::{GroupedToolUse, StreamEvent, StreamRequestStart, Tombstone, ToolUseSummary};
            let kind = line.kind;
            matches!(kind, GroupedToolUse | StreamEvent | StreamRequestStart | Tombstone | ToolUseSummary)
        };
        put!(self, "file/live-only", lines.iter().any(is_live_only));
        let is_user = |line: &LinePlan| line.kind == LineKind::User;
        put!(self, "file/users-in-a-row", lines.windows(2).any(|two| is_user(&two[0]) && is_user(&two[1])));
        if let [first, rest @ ..] = lines {
            put!(self, "file/side-record-first", is_side(first) && rest.iter().any(is_speaker));
            put!(self, "file/pr-link-first", first.kind == LineKind::Side(PR_LINK));
        }
        if let Some(first) = lines.iter().find(|line| is_speaker(line)) {
            put!(self, "file/reply-first", !is_user(first));
            put!(self, "file/result-first", is_user(first) && has_result(first));
        }
        if let Some(last) = lines.last() {
            let ends_with_thinking =
                matches!(blocks(last).last(), Some(BlockPlan::Thinking(_) | BlockPlan::OddThinking(..=5, _)));
            put!(self, "file/reply-last", last.kind == LineKind::Assistant);
            put!(self, "file/thinking-last", last.kind == LineKind::Assistant && ends_with_thinking);
            put!(self, "file/progress-last", last.kind == LineKind::Progress);
        }
        self.neighbours(lines);
    }

    /// Attachments that move, and media that an error refuses.
    fn neighbours(&mut self, lines: &[LinePlan]) {
        let mut passed = 0;
        let mut meta_media = false;
        for line in lines {
            match line.kind {
                LineKind::Assistant => passed = 0,
                LineKind::User if has_result(line) => passed = 0,
                LineKind::Attachment => put!(self, "file/attachment-to-move", passed > 0),
                _ => passed += 1,
            }
            let is_error = line.kind == LineKind::Assistant && line.form == SYNTHETIC;
            put!(self, "refusal/of-meta-media", is_error && meta_media);
            let is_media = |block: &BlockPlan| matches!(block, BlockPlan::Image | BlockPlan::Document);
            meta_media = match line.kind {
                LineKind::User => line.flags & META_FLAG == META_FLAG && blocks(line).iter().any(is_media),
                LineKind::Assistant => meta_media && is_error,
                LineKind::System(_) | LineKind::Progress | LineKind::StreamRequestStart => meta_media,
                _ => false,
            };
        }
    }
}

/// The side record `pr-link`, by its index.
const PR_LINK: u8 = 8;

/// Whether a line holds a result of a client's tool.
pub(super) fn has_result(line: &LinePlan) -> bool {
    let is_result = |block: &BlockPlan| matches!(block, BlockPlan::ToolResult(_) | BlockPlan::OddResult(..));
    blocks(line).iter().any(is_result)
}

/// The id of a line, by its place in the pool.
pub(super) fn line_id(line: &LinePlan) -> Option<&'static str> {
    line.uuid.map(id)
}
