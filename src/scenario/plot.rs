//! A *plot* is a plan while it is made: its lines so far, and what later lines may take up.

use crate::message::{SIDE_KINDS, SUBTYPES};

use super::body::{
    ASSISTANT_FORMS, HOOK_RESULT_FORMS, PROGRESS_FORMS, SYSTEM_FORMS, TOMBSTONE_FORMS, USER_FORMS,
};
use super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::pool::{
    ATTACHMENTS, CALL_COUNT, CLIENT_CALLS, CLIENT_RESULTS, EXTRAS, FLAGS, GOOD_CALLS, HUGE_NUMBER, ID_COUNT,
    MEDIA, MEGABYTE, PLAIN_ATTACHMENTS, SERVER_CALLS, SERVER_RESULTS, STRANGE, TEXTS, THINKING, own_id,
};
use super::source::Source;

/// A plan being made.
pub(super) struct Plot<'a, S> {
    pub(super) source: &'a mut S,
    /// Whether the lines are mostly such as a client writes.
    pub(super) is_orderly: bool,
    pub(super) lines: Vec<LinePlan>,
    /// How many lines there are to be.
    count: usize,
    /// The calls made, each time that they were.
    pub(super) calls: Vec<u8>,
    /// The calls that nothing has answered, the latest one last.
    pub(super) open: Vec<u8>,
    /// The server calls that nothing has answered: form and number.
    pub(super) open_server: Vec<(u8, u8)>,
    /// The reply being written.
    pub(super) reply: u8,
}

impl<'a, S: Source> Plot<'a, S> {
    /// A plan of `count` lines.
    pub(super) fn new(source: &'a mut S, is_orderly: bool, count: usize) -> Self {
        let lines = Vec::with_capacity(count);
        Self {
            source,
            is_orderly,
            lines,
            count,
            calls: Vec::new(),
            open: Vec::new(),
            open_server: Vec::new(),
            reply: 0,
        }
    }

    /// Makes the lines.
    pub(super) fn play(mut self) -> Vec<LinePlan> {
        while !self.is_full() {
            let is_loose = if self.is_orderly { self.source.once_in(6) } else { self.source.once_in(2) };
            if is_loose {
                self.loose_line();
            } else {
                self.scene();
            }
        }
        self.lines.truncate(self.count);
        self.lines
    }

    /// Whether there are lines enough.
    pub(super) fn is_full(&self) -> bool {
        self.lines.len() >= self.count
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: u8) -> u8 {
        self.source.byte(bound)
    }

    /// A text: mostly one of the plainest.
    pub(super) fn text(&mut self) -> u8 {
        if self.source.once_in(if self.is_orderly { 5 } else { 3 }) {
            self.below(MEGABYTE)
        } else {
            self.below(2)
        }
    }

    /// A call's number: seldom one whose id is illegal.
    pub(super) fn call(&mut self) -> u8 {
        let bound = if self.source.once_in(5) { CALL_COUNT } else { GOOD_CALLS };
        self.below(bound)
    }

    /// Writes a line of a kind, with its envelope; gives it, to be changed.
    pub(super) fn put(&mut self, kind: LineKind, blocks: Vec<BlockPlan>) -> &mut LinePlan {
        let number = self.lines.len();
        let line = LinePlan {
            kind,
            uuid: self.uuid(number),
            parent: self.link(),
            session: if self.source.once_in(if self.is_orderly { 24 } else { 6 }) {
                self.below(3)
            } else {
                0
            },
            flags: self.flags(),
            plain: self.is_plain(&blocks),
            blocks,
            reply: self.reply,
            extras: self.extras(kind),
            ..LinePlan::default()
        };
        self.lines.push(line);
        &mut self.lines[number]
    }

    /// Whether the content becomes a string; all blocks but texts are lost by that.
    fn is_plain(&mut self, blocks: &[BlockPlan]) -> bool {
        let is_text = blocks.iter().all(|block| matches!(block, BlockPlan::Text(_)));
        self.source.once_in(if is_text { 3 } else { 12 })
    }

    fn uuid(&mut self, number: usize) -> Option<u8> {
        let is_own = self.is_orderly && !self.source.once_in(12);
        if is_own { Some(own_id(number)) } else { (!self.source.once_in(12)).then(|| self.below(ID_COUNT)) }
    }

    fn link(&mut self) -> Link {
        match self.source.below(8) {
            0 => Link::Absent,
            1 => Link::Null,
            2..6 => Link::Previous,
            _ => Link::To(self.below(ID_COUNT)),
        }
    }

    fn flags(&mut self) -> u16 {
        let any = self.source.once_in(if self.is_orderly { 16 } else { 2 });
        if any { self.source.below(1 << (2 * FLAGS.len())) as u16 } else { 0 }
    }

    fn extras(&mut self, kind: LineKind) -> u16 {
        if self.source.once_in(2) {
            return 0;
        }
        match self.source.below(EXTRAS.len() as u32) {
            HUGE_NUMBER if !matches!(kind, LineKind::Side(_) | LineKind::Unknown | LineKind::Untyped) => 0,
            extra => 1 << extra,
        }
    }

    /// One line of any kind, with anything in it.
    fn loose_line(&mut self) {
        let kind = self.kind();
        let block_count = match kind {
            LineKind::User | LineKind::Assistant => {
                let bound = 1 + self.below(4);
                self.below(bound + 1)
            }
            _ => 0,
        };
        let blocks = (0..block_count).map(|_| self.block(kind)).collect();
        let reply = self.below(3);
        let form = self.form(kind);
        let about = self.about(kind, form);
        let line = self.put(kind, blocks);
        (line.reply, line.form, line.about) = (reply, form, about);
    }

    fn kind(&mut self) -> LineKind {
        match self.source.below(24) {
            0..6 => LineKind::User,
            6..12 => LineKind::Assistant,
            12 => LineKind::System(self.below(4)),
            13..15 => LineKind::System(self.below(SUBTYPES.len() as u8 + 1)),
            15 => LineKind::Attachment,
            16 => LineKind::HookResult,
            17 => LineKind::Progress,
            18..20 => LineKind::Side(self.below(SIDE_KINDS.len() as u8)),
            20 if self.source.once_in(3) => LineKind::Untyped,
            20 => LineKind::Unknown,
            21 => LineKind::Tombstone,
            22 => match self.source.below(2) {
                0 => LineKind::ToolUseSummary,
                _ => LineKind::GroupedToolUse,
            },
            _ => match self.source.below(2) {
                0 => LineKind::StreamEvent,
                _ => LineKind::StreamRequestStart,
            },
        }
    }

    /// The form of a line; attachments have more forms than other kinds, and so no plain one.
    fn form(&mut self, kind: LineKind) -> u8 {
        let (forms, usual) = match kind {
            LineKind::User => (USER_FORMS, 4),
            LineKind::Assistant => (ASSISTANT_FORMS, 4),
            LineKind::System(_) => (SYSTEM_FORMS, 2),
            LineKind::Attachment => (ATTACHMENTS.len() as u8 + 2, 1),
            LineKind::HookResult => (HOOK_RESULT_FORMS, 1),
            LineKind::Progress => (PROGRESS_FORMS, 1),
            LineKind::Tombstone => (TOMBSTONE_FORMS, 1),
            _ => return 0,
        };
        if self.source.once_in(usual) { self.below(forms) } else { 0 }
    }

    /// What a line's form is about.
    pub(super) fn about(&mut self, kind: LineKind, form: u8) -> u8 {
        match (kind, form) {
            (_, 0) => 0,
            (LineKind::HookResult | LineKind::Progress, _) => self.known_call(),
            (LineKind::Attachment, _) if self.source.once_in(2) => self.known_call(),
            (LineKind::Tombstone, _) => self.withdrawn(),
            (LineKind::System(_) | LineKind::Attachment, _) => self.text(),
            (LineKind::Assistant, _) => self.below(16),
            _ => 0,
        }
    }

    /// A call that was made, half of the time.
    pub(super) fn known_call(&mut self) -> u8 {
        if self.calls.is_empty() || self.source.once_in(2) { self.call() } else { self.made_call() }
    }

    /// One of the calls made, if there are any.
    pub(super) fn made_call(&mut self) -> u8 {
        let at = self.source.below(self.calls.len().max(1) as u32) as usize;
        self.calls.get(at).copied().unwrap_or(0)
    }

    /// The id of an assistant message that may be withdrawn: half of the time of an earlier line.
    pub(super) fn withdrawn(&mut self) -> u8 {
        let replies = self.lines.iter().filter(|line| line.kind == LineKind::Assistant);
        let ids: Vec<u8> = replies.filter_map(|line| line.uuid).collect();
        if ids.is_empty() || self.source.once_in(2) {
            self.below(ID_COUNT)
        } else {
            ids[self.source.below(ids.len() as u32) as usize]
        }
    }

    /// A block: mostly of the sort that the kind may hold.
    fn block(&mut self, kind: LineKind) -> BlockPlan {
        let any = self.source.once_in(8);
        let sort = match (any, kind) {
            (true, _) => self.source.below(11),
            (false, LineKind::Assistant) => [0, 1, 1, 3, 4, 5, 6, 10, 10][self.source.below(9) as usize],
            (false, _) => [0, 2, 2, 7, 8, 10][self.source.below(6) as usize],
        };
        match sort {
            0 => BlockPlan::Text(self.text()),
            1 => self.make_call(0),
            2 => BlockPlan::ToolResult(self.answered()),
            3 => BlockPlan::Thinking(self.text()),
            4 => BlockPlan::RedactedThinking,
            5 => {
                let call = self.call();
                self.open_server.push((0, call));
                BlockPlan::ServerToolUse(call)
            }
            6 => self.server_result(),
            7 => BlockPlan::Image,
            8 => BlockPlan::Document,
            9 => BlockPlan::Unknown(self.text()),
            _ => self.odd_block(kind),
        }
    }

    /// A block of an unusual form.
    pub(super) fn odd_block(&mut self, kind: LineKind) -> BlockPlan {
        let sort = match kind {
            LineKind::Assistant => [0, 1, 1, 1, 3, 3, 4, 4, 5, 7][self.source.below(10) as usize],
            _ => [0, 2, 2, 2, 6, 6, 7][self.source.below(7) as usize],
        };
        match sort {
            0 => BlockPlan::OddText(self.below(TEXTS.len() as u8), self.text()),
            1 => {
                let form = self.below(CLIENT_CALLS.len() as u8);
                self.make_call(form)
            }
            2 => BlockPlan::OddResult(self.below(CLIENT_RESULTS.len() as u8), self.answered()),
            3 => BlockPlan::OddThinking(self.below(THINKING.len() as u8), self.text()),
            4 => {
                let form = self.below(SERVER_CALLS.len() as u8);
                self.make_server_call(form)
            }
            5 => BlockPlan::OddServerResult(self.below(SERVER_RESULTS.len() as u8), self.call()),
            6 => BlockPlan::OddMedia(self.below(MEDIA.len() as u8)),
            _ => BlockPlan::Strange(self.below(STRANGE.len() as u8)),
        }
    }

    /// A call; it waits for its result from now on.
    pub(super) fn make_call(&mut self, form: u8) -> BlockPlan {
        let call = self.call();
        self.calls.push(call);
        self.open.push(call);
        if form == 0 { BlockPlan::ToolUse(call) } else { BlockPlan::OddCall(form, call) }
    }

    /// A server call; it waits for its result from now on.
    pub(super) fn make_server_call(&mut self, form: u8) -> BlockPlan {
        let call = self.call();
        self.open_server.push((form, call));
        BlockPlan::OddServerCall(form, call)
    }

    /// The call that a result answers: half of the time one that waits.
    pub(super) fn answered(&mut self) -> u8 {
        if self.open.is_empty() || self.source.once_in(2) { self.known_call() } else { self.take_open() }
    }

    /// A call that waits, if there are any; it waits no more.
    pub(super) fn take_open(&mut self) -> u8 {
        let at = self.source.below(self.open.len().max(1) as u32) as usize;
        if at < self.open.len() { self.open.remove(at) } else { 0 }
    }

    /// The result of a server call: mostly one that fits the latest call that waits.
    pub(super) fn server_result(&mut self) -> BlockPlan {
        match self.open_server.pop() {
            Some((form, call)) if !self.source.once_in(4) => BlockPlan::OddServerResult(fitting(form), call),
            _ => BlockPlan::ServerToolResult(self.call()),
        }
    }

    /// Any attachment: mostly one as clients write it.
    pub(super) fn attachment_form(&mut self) -> u8 {
        let bound = if self.source.once_in(4) { ATTACHMENTS.len() as u8 + 2 } else { PLAIN_ATTACHMENTS };
        self.below(bound)
    }
}

/// The form of a server's result that fits the call of a form.
fn fitting(call: u8) -> u8 {
    match call {
        0..8 => call,
        8 => 5,
        10 | 15 | 16 => 7,
        _ => 0,
    }
}
