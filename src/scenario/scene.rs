//! A *scene* is a few lines that belong together: a reply and its results, hooks around a call, an
//! error and the media that it refuses.

use super::body::{HOOK_FORMS, SYNTHETIC, WORDS_ALONE};
use super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::plot::Plot;
use super::pool::extra::{
    AGENT, KEEPS_MESSAGES, KEEPS_SEGMENT, LOGICAL_PARENT, NAMED_ID, NULL_METADATA, RETRACTS, SOURCE,
    SUPERSEDES,
};
use super::pool::{
    ALIKE_CALLS, BLANK_END, CLIENT_RESULTS, PLAIN_CALLS, PLAIN_RESULTS, PLAIN_SERVER_CALLS, REFUSALS,
    interruption, own_id, true_flags,
};
use super::source::Source;

impl<S: Source> Plot<'_, S> {
    /// Writes the lines of one scene.
    pub(super) fn scene(&mut self) {
        match self.source.below(28) {
            0..2 => self.prompt(),
            2..8 => self.reply(),
            8..11 if !self.open.is_empty() => self.results(),
            8..11 => self.reply(),
            11..13 => self.hooks(),
            13..15 => self.attachments(),
            15 => self.refusal(),
            16 => self.withdrawal(),
            17 => self.command(),
            18 => self.interruption(),
            19 => self.pushed_off(),
            20 | 21 => self.taken_over(),
            22 => self.boundary(),
            23 => self.knot(),
            24 => self.old_progress(),
            25 => self.subagent(),
            26 if self.source.once_in(2) => self.calls_alike(),
            26 => self.long_ids(),
            _ => self.summary(),
        }
    }

    /// Somebody says something, perhaps with pasted images.
    fn prompt(&mut self) {
        let mut blocks = vec![BlockPlan::Text(self.text())];
        for _ in 0..self.source.below(3) {
            blocks.push(self.media());
        }
        let form = if blocks.len() > 1 { 5 + self.below(2) } else { 0 };
        if self.source.once_in(12) {
            blocks.push(self.not_for_prompts());
        }
        if self.source.once_in(3) {
            blocks.rotate_left(1);
        }
        self.put(LineKind::User, blocks).form = form;
    }

    /// A block that stands in replies alone.
    fn not_for_prompts(&mut self) -> BlockPlan {
        match self.source.below(3) {
            0 => BlockPlan::RedactedThinking,
            1 => BlockPlan::Thinking(self.text()),
            _ => BlockPlan::ToolUse(self.call()),
        }
    }

    fn media(&mut self) -> BlockPlan {
        if self.source.once_in(3) { BlockPlan::Document } else { BlockPlan::Image }
    }

    /// A reply: mostly a line for each block, sometimes with other lines between them.
    fn reply(&mut self) {
        self.reply = (self.reply + 1) % 8;
        for _ in 0..1 + self.source.below(4) {
            let mut blocks = vec![self.reply_block()];
            if matches!(blocks[0], BlockPlan::OddServerCall(..)) {
                blocks.push(self.server_result());
            }
            if self.source.once_in(6) {
                blocks.push(self.reply_block());
            }
            if self.source.once_in(24) {
                // As a client writes turns that hold nothing but calls.
                blocks.insert(0, BlockPlan::Text(EMPTY + self.below(2)));
            }
            self.put(LineKind::Assistant, blocks);
            if self.source.once_in(4) {
                self.between();
            }
        }
        if !self.open.is_empty() && !self.source.once_in(3) {
            self.results();
        }
    }

    /// A block as a model gives it.
    fn reply_block(&mut self) -> BlockPlan {
        match self.source.below(14) {
            0..2 => BlockPlan::Text(self.text()),
            2 if self.source.once_in(4) => BlockPlan::Text(BLANK_END),
            2 => BlockPlan::Text(self.text()),
            3..8 | 12 => {
                let form = if self.source.once_in(4) { self.below(PLAIN_CALLS) } else { 0 };
                self.make_call(form)
            }
            8 => BlockPlan::Thinking(self.text()),
            9 => BlockPlan::RedactedThinking,
            10 => {
                let form = self.below(PLAIN_SERVER_CALLS);
                self.make_server_call(form)
            }
            _ => self.odd_block(LineKind::Assistant),
        }
    }

    /// What comes between the lines of a reply.
    fn between(&mut self) {
        match self.source.below(4) {
            0 => self.results(),
            1 => self.hook(),
            2 => self.attachment(),
            _ => {
                self.put(LineKind::Progress, Vec::new());
            }
        }
    }

    /// Some of the calls are answered: in any order, together or each on a line of its own.
    fn results(&mut self) {
        let count = self.source.below(self.open.len() as u32 + 1).max(1);
        let mut blocks: Vec<BlockPlan> = (0..count).map(|_| self.result()).collect();
        match self.source.below(7) {
            6 => blocks.push(self.media()),
            0 => blocks.push(BlockPlan::Text(self.text())),
            1 => blocks.insert(0, BlockPlan::Text(self.text())),
            2 if !self.calls.is_empty() => blocks.push(BlockPlan::ToolResult(self.made_call())),
            _ => {}
        }
        let named = if self.source.once_in(6) { SOURCE } else { 0 };
        let lines = if self.source.once_in(3) {
            vec![blocks]
        } else {
            blocks.into_iter().map(|block| vec![block]).collect()
        };
        for blocks in lines {
            let line = self.put(LineKind::User, blocks);
            line.plain = false;
            line.extras |= named;
        }
        if self.source.once_in(4) {
            self.attachment();
        }
    }

    fn result(&mut self) -> BlockPlan {
        let call = if self.open.is_empty() { self.known_call() } else { self.take_open() };
        match self.source.below(9) {
            0..2 => BlockPlan::OddResult(self.below(CLIENT_RESULTS.len() as u8), call),
            2 => BlockPlan::OddResult(self.below(PLAIN_RESULTS), call),
            _ => BlockPlan::ToolResult(call),
        }
    }

    /// Hooks run before and after a call.
    fn hooks(&mut self) {
        for _ in 0..1 + self.source.below(3) {
            self.hook();
        }
    }

    /// One hook of a call that was made: an attachment, a hook result or progress.
    fn hook(&mut self) {
        let is_made = !self.calls.is_empty() && !self.source.once_in(4);
        let call = if is_made { self.made_call() } else { self.call() };
        // Now and then of an event that is not the call's, though it names one.
        let event = if self.source.once_in(3) { HOOK_FORMS } else { self.below(HOOK_FORMS) };
        let (kind, form) = match self.source.below(3) {
            0 => (LineKind::Attachment, 22 + event),
            1 => (LineKind::HookResult, 1 + event),
            _ => (LineKind::Progress, 1 + event),
        };
        let line = self.put(kind, Vec::new());
        (line.form, line.about) = (form, call);
    }

    fn attachments(&mut self) {
        for _ in 0..1 + self.source.below(2) {
            self.attachment();
        }
    }

    /// Context beside the conversation.
    fn attachment(&mut self) {
        let form = self.attachment_form();
        let about = self.about(LineKind::Attachment, form);
        let line = self.put(LineKind::Attachment, Vec::new());
        (line.form, line.about) = (form, about);
    }

    /// Media that only the model sees, and an error that refuses them: or nearly.
    fn refusal(&mut self) {
        if !self.source.once_in(8) {
            let mut blocks = vec![self.media()];
            if self.source.once_in(2) {
                let at = self.source.below(2) as usize;
                let other = if self.source.once_in(2) { self.media() } else { BlockPlan::Text(self.text()) };
                blocks.insert(at, other);
            }
            let is_meta = !self.source.once_in(8);
            let line = self.put(LineKind::User, blocks);
            line.plain = false;
            if is_meta {
                set(&mut line.flags, "isMeta");
            }
        }
        for _ in 0..self.source.below(3) {
            match self.source.below(4) {
                0 => drop(self.put(LineKind::System(API_ERROR), Vec::new())),
                1 => drop(self.put(LineKind::Progress, Vec::new())),
                2 => self.error(),
                _ if self.source.once_in(3) => self.attachment(),
                _ => drop(self.put(LineKind::StreamRequestStart, Vec::new())),
            }
        }
        self.error();
    }

    /// A synthetic error of the API, or a line that lacks half of what makes one.
    fn error(&mut self) {
        let (form, is_flagged) = match self.source.below(8) {
            0 => (WORDS_ALONE, true),
            1 => (SYNTHETIC, false),
            _ => (SYNTHETIC, true),
        };
        let words = self.below(REFUSALS.len() as u8);
        let blocks = if self.source.once_in(3) { vec![BlockPlan::Text(0)] } else { Vec::new() };
        let line = self.put(LineKind::Assistant, blocks);
        (line.form, line.about) = (form, words);
        if is_flagged {
            set(&mut line.flags, "isApiErrorMessage");
        }
    }

    /// A reply is taken back.
    fn withdrawal(&mut self) {
        let about = self.withdrawn();
        let line = self.put(LineKind::Tombstone, Vec::new());
        (line.form, line.about) = (1, about);
    }

    /// Somebody runs a command of the client.
    fn command(&mut self) {
        let form = self.below(7);
        let about = self.text();
        let line = self.put(LineKind::System(LOCAL_COMMAND), Vec::new());
        (line.form, line.about) = (form, about);
    }

    /// Somebody interrupts.
    fn interruption(&mut self) {
        let text = interruption(self.open.is_empty());
        self.put(LineKind::User, vec![BlockPlan::Text(text)]);
    }

    /// A notice takes the place of a reply in the chain: the next prompt hangs on the notice.
    fn pushed_off(&mut self) {
        self.reply = (self.reply + 1) % 8;
        let prompt = self.hang(LineKind::User, Link::Previous);
        let notice = LineKind::System(if self.source.once_in(3) { STOP_HOOK_SUMMARY } else { API_ERROR });
        let (first, second) = match self.source.once_in(2) {
            true => (LineKind::Assistant, notice),
            false => (notice, LineKind::Assistant),
        };
        let ids = [first, second].map(|kind| (kind, self.hang(kind, Link::To(prompt))));
        let notice = ids.into_iter().find(|(kind, _)| *kind != LineKind::Assistant);
        self.hang(LineKind::User, Link::To(notice.map_or(prompt, |(_, id)| id)));
    }

    /// A reply is taken over by another one, or taken back by a notice; it stays in the chain.
    fn taken_over(&mut self) {
        self.reply = (self.reply + 1) % 8;
        let prompt = self.hang(LineKind::User, Link::Previous);
        self.hang(LineKind::Assistant, Link::To(prompt));
        let old = NAMED_ID;
        self.last(|line| line.uuid = Some(old));
        self.reply = (self.reply + 1) % 8;
        let (kind, extra) = match self.source.once_in(2) {
            true => (LineKind::Assistant, SUPERSEDES),
            false => (LineKind::System(INFORMATIONAL), RETRACTS),
        };
        let next = self.hang(kind, Link::To(old));
        self.last(|line| line.extras = extra);
        if self.source.once_in(2) {
            self.hang(LineKind::User, Link::To(next));
        }
    }

    /// What came before is compacted: a boundary with any metadata, and its summary.
    fn boundary(&mut self) {
        let boundary = self.hang(LineKind::System(COMPACT_BOUNDARY), Link::Null);
        let metadata = [0, 0, KEEPS_SEGMENT, NULL_METADATA, KEEPS_MESSAGES][self.source.below(5) as usize];
        self.last(|line| line.extras = metadata | LOGICAL_PARENT);
        self.hang(LineKind::User, Link::To(boundary));
        self.last(|line| set(&mut line.flags, "isCompactSummary"));
    }

    /// Links that no client should write: to itself, in a circle, to a later line.
    fn knot(&mut self) {
        let (own, next) = (own_id(self.lines.len()), own_id(self.lines.len() + 1));
        match self.source.below(3) {
            0 => drop(self.hang(LineKind::Assistant, Link::To(own))),
            1 => {
                self.hang(LineKind::User, Link::To(next));
                self.hang(LineKind::Assistant, Link::To(own));
            }
            _ => {
                self.hang(LineKind::Assistant, Link::To(next));
                self.hang(LineKind::User, Link::Null);
            }
        }
    }

    /// Progress in the chain, as old clients wrote it: between a call and its result.
    fn old_progress(&mut self) {
        let call = self.make_call(0);
        let mut parent = self.hang(LineKind::Assistant, Link::Previous);
        self.last(|line| line.blocks = vec![call]);
        for _ in 0..1 + self.source.below(2) {
            parent = self.hang(LineKind::Progress, Link::To(parent));
        }
        let result = BlockPlan::ToolResult(self.answered());
        self.hang(LineKind::User, Link::To(parent));
        self.last(|line| (line.blocks, line.plain) = (vec![result], false));
    }

    /// Calls whose long ids are alike for long, and their results.
    fn long_ids(&mut self) {
        self.reply = (self.reply + 1) % 8;
        let calls = LONG_CALLS.map(BlockPlan::ToolUse).to_vec();
        self.put(LineKind::Assistant, calls).plain = false;
        self.calls.extend(LONG_CALLS);
        let results = LONG_CALLS.map(BlockPlan::ToolResult).to_vec();
        self.put(LineKind::User, results).plain = false;
    }

    /// Two calls whose ids become the same when what is illegal in one is replaced letter by letter.
    fn calls_alike(&mut self) {
        self.reply = (self.reply + 1) % 8;
        let (legal, others) = ALIKE_CALLS;
        let calls = [legal, others[self.source.below(others.len() as u32) as usize]];
        self.put(LineKind::Assistant, calls.map(BlockPlan::ToolUse).to_vec()).plain = false;
        self.calls.extend(calls);
        self.open.extend(calls);
    }

    /// A subagent's lines beside the conversation, late ones at its end.
    fn subagent(&mut self) {
        let link = if self.source.once_in(3) { Link::Previous } else { Link::Null };
        let first = self.hang(LineKind::User, link);
        let kind = if self.source.once_in(2) { LineKind::Attachment } else { LineKind::Progress };
        let beside = self.hang(kind, Link::To(first));
        self.hang(LineKind::Assistant, Link::To(beside));
        for line in self.lines.iter_mut().rev().take(3) {
            set(&mut line.flags, "isSidechain");
            line.extras = AGENT;
        }
    }

    /// Changes the line written last.
    fn last(&mut self, change: impl FnOnce(&mut LinePlan)) {
        if let Some(line) = self.lines.last_mut() {
            change(line);
        }
    }

    /// Writes a plain line with an id of its own that hangs where it is told to; gives the id.
    fn hang(&mut self, kind: LineKind, parent: Link) -> u8 {
        let uuid = own_id(self.lines.len());
        let line = self.put(kind, vec![BlockPlan::Text(0)]);
        (line.uuid, line.parent, line.session, line.flags, line.extras) = (Some(uuid), parent, 0, 0, 0);
        if !matches!(kind, LineKind::User | LineKind::Assistant) {
            line.blocks.clear();
        }
        uuid
    }

    /// The summary of what was compacted, which is shown in the transcript alone.
    fn summary(&mut self) {
        let text = self.text();
        let line = self.put(LineKind::User, vec![BlockPlan::Text(text)]);
        set(&mut line.flags, "isCompactSummary");
        set(&mut line.flags, "isVisibleInTranscriptOnly");
    }
}

/// The subtype `local_command`, by its index.
const LOCAL_COMMAND: u8 = 1;

/// The subtype `api_error`, by its index.
const API_ERROR: u8 = 2;

/// The empty text; a blank one comes after it.
const EMPTY: u8 = 3;

/// Two calls with long ids.
const LONG_CALLS: [u8; 2] = [10, 11];

/// The subtype `informational`, by its index.
const INFORMATIONAL: u8 = 0;

/// The subtype `compact_boundary`, by its index.
const COMPACT_BOUNDARY: u8 = 3;

/// The subtype `stop_hook_summary`, by its index.
const STOP_HOOK_SUMMARY: u8 = 6;

/// Sets a flag to true.
fn set(flags: &mut u16, name: &str) {
    *flags |= true_flags(&[name]);
}
