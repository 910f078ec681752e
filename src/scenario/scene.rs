//! A *scene* is a few lines that belong together: a reply and its results, hooks around a call, an
//! error and the media that it refuses.

use super::body::{HOOK_FORMS, SYNTHETIC, WORDS_ALONE};
use super::line::{BlockPlan, LineKind, Link};
use super::plot::Plot;
use super::pool::{
    BLANK_END, CLIENT_RESULTS, FLAGS, PLAIN_CALLS, PLAIN_RESULTS, PLAIN_SERVER_CALLS, REFUSALS, interruption,
    own_id,
};
use super::source::Source;

impl<S: Source> Plot<'_, S> {
    /// Writes the lines of one scene.
    pub(super) fn scene(&mut self) {
        match self.source.below(21) {
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
        if self.source.once_in(3) {
            blocks.rotate_left(1);
        }
        self.put(LineKind::User, blocks).form = form;
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
        match self.source.below(6) {
            0 => blocks.push(BlockPlan::Text(self.text())),
            1 => blocks.insert(0, BlockPlan::Text(self.text())),
            2 if !self.calls.is_empty() => blocks.push(BlockPlan::ToolResult(self.made_call())),
            _ => {}
        }
        if self.source.once_in(3) {
            self.put(LineKind::User, blocks).plain = false;
        } else {
            for block in blocks {
                self.put(LineKind::User, vec![block]).plain = false;
            }
        }
    }

    fn result(&mut self) -> BlockPlan {
        let call = if self.open.is_empty() { self.known_call() } else { self.take_open() };
        match self.source.below(8) {
            0 => BlockPlan::OddResult(self.below(CLIENT_RESULTS.len() as u8), call),
            1 => BlockPlan::OddResult(self.below(PLAIN_RESULTS), call),
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
        let call = self.known_call();
        let event = self.below(HOOK_FORMS);
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

    /// The summary of what was compacted, which is shown in the transcript alone.
    /// A notice takes the place of a reply in the chain: the next prompt hangs on the notice.
    fn pushed_off(&mut self) {
        self.reply = (self.reply + 1) % 8;
        let prompt = self.hang(LineKind::User, Link::Previous);
        let (first, second) = match self.source.once_in(2) {
            true => (LineKind::Assistant, LineKind::System(API_ERROR)),
            false => (LineKind::System(API_ERROR), LineKind::Assistant),
        };
        let ids = [first, second].map(|kind| (kind, self.hang(kind, Link::To(prompt))));
        let notice = ids.into_iter().find(|(kind, _)| *kind != LineKind::Assistant);
        self.hang(LineKind::User, Link::To(notice.map_or(prompt, |(_, id)| id)));
    }

    /// Writes a plain line with an id of its own that hangs where it is told to; gives the id.
    fn hang(&mut self, kind: LineKind, parent: Link) -> u8 {
        let uuid = own_id(self.lines.len());
        let line = self.put(kind, vec![BlockPlan::Text(0)]);
        (line.uuid, line.parent, line.session, line.flags, line.extras) = (Some(uuid), parent, 0, 0, 0);
        if matches!(kind, LineKind::System(_)) {
            line.blocks.clear();
        }
        uuid
    }

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

/// Sets a flag to true.
fn set(flags: &mut u16, name: &str) {
    if let Some(bit) = FLAGS.iter().position(|flag| *flag == name) {
        *flags |= 1 << bit | 1 << (bit + FLAGS.len());
    }
}
