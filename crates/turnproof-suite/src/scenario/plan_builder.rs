//! Builds a plan line by line: the lines so far, and what later lines may refer to.

use std::collections::{BTreeMap, BTreeSet};

use super::pool::{
    AttachmentForm, CALL_COUNT, CallForm, Extra, Flag, GOOD_CALLS, ID_COUNT, LOOSE_EXTRAS, PoolText, Refusal, SHORT_ID,
    SHORT_ID_COUNT, ServerCallForm, ServerResultForm, SideKind, Subtype, TextForm, own_id,
};
use super::{
    AssistantForm, BlockPlan, Choice, Form, GroupForm, HookResultForm, LineKind, LinePlan, Link, ProgressForm, Source,
    SystemForm, TombstoneForm, UsageForm,
};

/// How many lines a short plan has at most.
const SHORT: usize = 8;

/// How many lines a plan has at most when something rare is added.
const ROOMY: usize = 15;

/// How many lines such a plan has beside something rare.
const ROOM: usize = 3;

pub(super) struct PlanBuilder<'a> {
    pub(super) source: &'a mut dyn Source,
    /// Whether the lines are mostly such as a client writes.
    pub(super) is_orderly: bool,
    pub(super) lines: Vec<LinePlan>,
    /// One line of so many has an extra member.
    extra: u32,
    /// How many lines there are to be.
    pub(super) count: usize,
    /// The calls made, with repetitions.
    pub(super) calls: Vec<u8>,
    /// The calls that nothing has answered, the latest one last.
    pub(super) open: Vec<u8>,
    /// The server calls that nothing has answered: form and number.
    pub(super) open_server: Vec<(ServerCallForm, u8)>,
    pub(super) reply: u8,
}

impl<'a> PlanBuilder<'a> {
    pub(super) fn new(source: &'a mut dyn Source, is_orderly: bool, count: usize) -> Self {
        let (lines, calls, open, open_server) = (Vec::with_capacity(count), Vec::new(), Vec::new(), Vec::new());
        Self { source, is_orderly, extra: 2, lines, count, calls, open, open_server, reply: 0 }
    }

    pub(super) fn play(mut self) -> Vec<LinePlan> {
        // Short plans have room for something more; some stay a single line.
        let has_more = (2..=SHORT).contains(&self.count) && !self.source.once_in(4);
        if has_more {
            self.count = self.count.min(ROOM);
        }
        while self.lines.len() < self.count {
            let is_loose = self.source.once_in(if self.is_orderly { 6 } else { 2 });
            if is_loose { self.loose_line() } else { self.pattern() }
        }
        self.lines.truncate(self.count);
        if has_more {
            // What is rare says something when the lines around it are as a client writes them.
            (self.is_orderly, self.extra) = (true, 8);
            for _ in 0..5 + self.source.below(2) {
                if self.lines.len() < ROOMY {
                    self.rare();
                }
            }
            if self.source.once_in(8) {
                self.last_reply();
            }
        }
        self.lines
    }

    pub(super) fn below(&mut self, bound: u8) -> u8 {
        self.source.byte(bound)
    }

    pub(super) fn any<C: Choice>(&mut self) -> C {
        C::at(self.below(C::count()))
    }

    /// A choice: any once in so many times, else the plainest.
    fn seldom<C: Choice>(&mut self, times: u32) -> C {
        if self.source.once_in(times) { self.any() } else { C::at(0) }
    }

    /// A text: mostly one of the plainest, and sometimes one at which careless readers end a line.
    pub(super) fn text(&mut self) -> PoolText {
        let is_any = self.source.once_in(if self.is_orderly { 5 } else { 3 });
        if is_any && self.source.once_in(12) {
            return PoolText::LineSeparators;
        }
        PoolText::at(self.below(if is_any { PoolText::count() } else { 2 }))
    }

    /// A call's number: seldom one whose id is illegal.
    pub(super) fn call(&mut self) -> u8 {
        let bound = if self.source.once_in(5) { CALL_COUNT } else { GOOD_CALLS };
        self.below(bound)
    }

    /// Adds a line of a kind, with the members that all lines have, and returns it.
    pub(super) fn put(&mut self, kind: LineKind, blocks: Vec<BlockPlan>) -> &mut LinePlan {
        let number = self.lines.len();
        let line = LinePlan {
            kind,
            uuid: self.uuid(number),
            parent: self.link(),
            session: if self.source.once_in(if self.is_orderly { 24 } else { 6 }) { self.below(3) } else { 0 },
            flags: self.flags(),
            plain: self.is_plain(&blocks),
            blocks,
            reply: self.reply,
            usage: if kind.is_reply() { self.seldom(3) } else { UsageForm::default() },
            extras: self.extras(kind),
            ..LinePlan::default()
        };
        self.lines.push(line);
        &mut self.lines[number]
    }

    /// Whether the content becomes a string, which keeps only a text.
    fn is_plain(&mut self, blocks: &[BlockPlan]) -> bool {
        let is_text = blocks.iter().all(|block| matches!(block, BlockPlan::Text { form: TextForm::Plain, .. }));
        self.source.once_in(if is_text { 3 } else { 12 })
    }

    fn uuid(&mut self, number: usize) -> Option<u8> {
        let is_own = self.is_orderly && !self.source.once_in(12);
        if is_own {
            return Some(own_id(number));
        }
        match self.source.below(24) {
            0..2 => None,
            2 => Some(SHORT_ID + self.below(SHORT_ID_COUNT)),
            _ => Some(self.below(ID_COUNT)),
        }
    }

    fn link(&mut self) -> Link {
        match self.source.below(8) {
            0 => Link::Absent,
            1 => Link::Null,
            2..6 => Link::Previous,
            _ => Link::To(self.below(ID_COUNT)),
        }
    }

    fn flags(&mut self) -> BTreeMap<Flag, bool> {
        let count = Flag::count();
        let any = self.source.once_in(if self.is_orderly { 16 } else { 2 });
        let bits = if any { self.source.below(1 << (2 * count)) } else { 0 };
        let has = |bit: u8| bits & 1 << bit != 0;
        let flags = Flag::ALL.iter().filter(|flag| has(flag.place()));
        flags.map(|flag| (*flag, has(flag.place() + count))).collect()
    }

    fn extras(&mut self, kind: LineKind) -> BTreeSet<Extra> {
        if !self.source.once_in(self.extra) {
            return BTreeSet::new();
        }
        let is_event = !matches!(kind, LineKind::Side { .. } | LineKind::Unknown | LineKind::Untyped { .. });
        let extra = Extra::at(self.below(LOOSE_EXTRAS));
        (!is_event || extra != Extra::HugeNumber).then_some(extra).into_iter().collect()
    }

    /// One line of any kind, with anything in it.
    fn loose_line(&mut self) {
        let kind = self.kind();
        let block_count = match kind {
            LineKind::User { .. } | LineKind::Assistant { .. } => {
                let most = 1 + self.below(4);
                self.below(most + 1)
            }
            _ => 0,
        };
        let blocks = (0..block_count).map(|_| self.block(kind)).collect();
        let reply = self.below(3);
        let kind = self.formed(kind);
        self.put(kind, blocks).reply = reply;
    }

    fn kind(&mut self) -> LineKind {
        match self.source.below(26) {
            0..6 => LineKind::USER,
            6..12 => LineKind::REPLY,
            12 => LineKind::system(Subtype::at(self.below(4))),
            13..15 => LineKind::system(self.any()),
            15 => LineKind::ATTACHMENT,
            16 => LineKind::HOOK_RESULT,
            17 => LineKind::PROGRESS,
            18..20 => LineKind::Side { side: self.any::<SideKind>() },
            20 if self.source.once_in(2) => LineKind::UNTYPED,
            20 => LineKind::Unknown,
            21 => LineKind::TOMBSTONE,
            22 if self.source.once_in(3) => LineKind::GROUP,
            22 => LineKind::ToolUseSummary,
            24 => LineKind::GROUP,
            25 => LineKind::UNTYPED,
            _ if self.source.once_in(3) => LineKind::StreamRequestStart,
            _ => LineKind::StreamEvent,
        }
    }

    fn formed(&mut self, kind: LineKind) -> LineKind {
        match kind {
            LineKind::User { .. } => LineKind::User { form: self.seldom(3) },
            LineKind::Assistant { .. } => {
                let form: AssistantForm = self.seldom(4);
                let words = if form.is_plainest() { Refusal::default() } else { self.any() };
                LineKind::Assistant { form, words: if form.says_words() { words } else { Refusal::default() } }
            }
            LineKind::System { subtype, .. } => {
                let form: SystemForm = self.seldom(2);
                let text = if form.is_plainest() { PoolText::Plain } else { self.text() };
                LineKind::System { subtype, form, text: if form.is_filled() { text } else { PoolText::Plain } }
            }
            LineKind::Attachment { .. } => {
                let form = self.seldom(1);
                self.attached(form)
            }
            LineKind::HookResult { .. } => {
                let form: HookResultForm = self.seldom(1);
                let call = if form.is_plainest() { 0 } else { self.known_call() };
                LineKind::hook_result(form, call)
            }
            LineKind::Progress { .. } => {
                let form: ProgressForm = self.seldom(1);
                let call = if form.is_plainest() { 0 } else { self.known_call() };
                LineKind::progress(form, call)
            }
            LineKind::GroupedToolUse { .. } => {
                let form: GroupForm = self.seldom(1);
                LineKind::group(form, self.known_call())
            }
            LineKind::Tombstone { .. } => {
                let form: TombstoneForm = self.seldom(1);
                let id = if form.is_plainest() { 0 } else { self.withdrawn() };
                let names_one = matches!(form, TombstoneForm::OfId | TombstoneForm::OfAReply);
                LineKind::Tombstone { form, id: if names_one { id } else { 0 } }
            }
            LineKind::Untyped { .. } => LineKind::Untyped { form: self.any() },
            other => other,
        }
    }

    /// An attachment about a call that was made, or any text.
    pub(super) fn attached(&mut self, form: AttachmentForm) -> LineKind {
        let number = match form.is_plainest() {
            true => 0,
            false if self.source.once_in(2) => self.known_call(),
            false => self.text().place(),
        };
        LineKind::attachment(form, number)
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

    /// An id to withdraw: half of the time that of an earlier reply.
    pub(super) fn withdrawn(&mut self) -> u8 {
        let replies = self.lines.iter().filter(|line| line.kind.is_reply());
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
        let sort = match (any, kind.is_reply()) {
            (true, _) => self.source.below(11),
            (false, true) => [0, 1, 1, 3, 4, 5, 6, 10, 10, 10][self.source.below(10) as usize],
            (false, false) => [0, 2, 2, 7, 8, 10, 10][self.source.below(7) as usize],
        };
        match sort {
            0 => BlockPlan::text(self.text()),
            1 => self.make_call(CallForm::Bash),
            2 => BlockPlan::result(self.answered()),
            3 => BlockPlan::thinking(self.text()),
            4 => BlockPlan::RedactedThinking,
            5 => self.make_server_call(ServerCallForm::Plain),
            6 => self.server_result(),
            7 => BlockPlan::Image,
            8 => BlockPlan::Document,
            9 if self.source.once_in(2) => BlockPlan::Compaction,
            9 => BlockPlan::Unknown { text: self.text() },
            _ => self.odd_block(kind),
        }
    }

    pub(super) fn odd_block(&mut self, kind: LineKind) -> BlockPlan {
        let sort = match kind.is_reply() {
            true => [0, 1, 1, 1, 1, 3, 3, 3, 4, 4, 5, 7, 7][self.source.below(13) as usize],
            false => [0, 2, 2, 2, 6, 6, 6, 7, 7][self.source.below(9) as usize],
        };
        match sort {
            0 => BlockPlan::Text { form: self.odd(), text: self.text() },
            1 => {
                // Forms that come in rows alone are the last ones.
                let form = CallForm::at(self.below(CallForm::Glob.place()));
                self.make_call(form)
            }
            2 => BlockPlan::ToolResult { form: self.any(), call: self.answered() },
            3 => BlockPlan::Thinking { form: self.odd(), text: self.text() },
            4 => {
                let form = self.odd();
                self.make_server_call(form)
            }
            5 => BlockPlan::ServerToolResult { form: self.odd(), call: self.call() },
            6 => BlockPlan::Media { form: self.any() },
            _ => BlockPlan::Strange { form: self.any() },
        }
    }

    /// A choice, except the plainest.
    pub(super) fn odd<C: Choice>(&mut self) -> C {
        C::at(1 + self.below(C::count() - 1))
    }

    /// A new call, which waits for its result.
    pub(super) fn make_call(&mut self, form: CallForm) -> BlockPlan {
        let call = self.call();
        self.calls.push(call);
        self.open.push(call);
        BlockPlan::ToolUse { form, call }
    }

    /// A new call of a server tool, which waits for its result.
    pub(super) fn make_server_call(&mut self, form: ServerCallForm) -> BlockPlan {
        let call = self.call();
        self.open_server.push((form, call));
        BlockPlan::ServerToolUse { form, call }
    }

    /// The call that a result answers: half of the time one that waits.
    pub(super) fn answered(&mut self) -> u8 {
        if self.open.is_empty() || self.source.once_in(2) { self.known_call() } else { self.take_open() }
    }

    /// Takes a call that waits for its result, if there are any.
    pub(super) fn take_open(&mut self) -> u8 {
        let at = self.source.below(self.open.len().max(1) as u32) as usize;
        if at < self.open.len() { self.open.remove(at) } else { 0 }
    }

    /// A result that fits a call of a server tool; sometimes the tool failed.
    pub(super) fn fitting(&mut self, form: ServerCallForm) -> ServerResultForm {
        let form = form.fitting();
        if self.source.once_in(4) { form.failed() } else { form }
    }

    /// The result of a server tool: mostly one that fits the latest call that waits.
    pub(super) fn server_result(&mut self) -> BlockPlan {
        match self.open_server.pop() {
            Some((form, call)) if !self.source.once_in(4) => {
                let form = self.fitting(form);
                BlockPlan::ServerToolResult { form, call }
            }
            _ => BlockPlan::ServerToolResult { form: ServerResultForm::OfNumber, call: self.call() },
        }
    }
}
