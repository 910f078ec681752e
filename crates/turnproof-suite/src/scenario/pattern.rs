//! Patterns: short sequences of lines that belong together, such as a reply and its results.

use super::plan_builder::PlanBuilder;
use super::pool::{
    ALIKE_CALLS, AttachmentForm, CALL_COUNT, CALLS_IN_A_ROW, CallForm, Extra, Flag, MENDED_CALLS, MENDED_RESULTS,
    MediaForm, PLAIN_ATTACHMENTS, PLAIN_CALLS, PLAIN_RESULTS, PLAIN_SERVER_CALLS, PoolText, ResultForm, ServerCallForm,
    Subtype, ThinkingForm, all_true, own_id,
};
use super::{
    AssistantForm, BlockPlan, Choice, Form, GroupForm, HookResultForm, LineKind, LinePlan, Link, ProgressForm,
    SystemForm, TombstoneForm, UserForm,
};

/// How long a plan becomes at most by lines on top.
const MOST_LINES: usize = 40;

/// How long it becomes by those that are only needed together.
const FEW_LINES: usize = 12;

impl PlanBuilder<'_> {
    pub(super) fn pattern(&mut self) {
        match self.source.below(54) {
            0..2 => self.prompt(),
            2..8 => self.reply(),
            8..11 if !self.open.is_empty() => self.results(),
            8..11 => self.reply(),
            11..13 | 42 => (0..1 + self.source.below(3)).for_each(|_| self.hook()),
            13..15 => self.attachments(),
            15 | 33 | 40 => self.refusal(),
            16 if self.source.once_in(2) => self.half_withdrawn(),
            16 => {
                let kind = LineKind::Tombstone { form: TombstoneForm::OfId, id: self.withdrawn() };
                self.put(kind, Vec::new());
            }
            17 | 39 => self.command(),
            18 => self.interruption(),
            19 | 46 => self.pushed_off(),
            20 | 21 => self.taken_over(),
            22 | 29 => self.boundary(),
            43 => self.boundary_that_keeps(),
            23 => self.knot(),
            24 => self.old_progress(),
            25 => self.subagent(),
            26 => match self.source.below(4) {
                0 => self.calls_alike(),
                1 => self.long_ids(),
                _ => self.numbered_calls(),
            },
            27 => self.summary(),
            34..37 | 45 => self.beside(),
            44 => self.on_top_of_few(Self::result_with_its_source),
            30 => self.group(),
            31 | 32 | 41 => self.call_to_repair(),
            37 => self.half_written(),
            47..52 => self.on_top_of_few(Self::rare),
            38 => self.one_id(),
            _ => self.calls_in_a_row(),
        }
    }

    /// Somebody says something, perhaps with pasted images.
    fn prompt(&mut self) {
        let mut blocks = vec![BlockPlan::text(self.text())];
        for _ in 0..self.source.below(3) {
            blocks.push(self.media());
        }
        if self.source.once_in(5) {
            let odd = self.odd_block(LineKind::USER);
            blocks.push(odd);
        }
        let pastes = [UserForm::OnePaste, UserForm::ThreePastes];
        let form = match blocks.len() {
            2.. => pastes[self.source.below(2) as usize],
            _ if self.source.once_in(8) => UserForm::NumberMode,
            _ => UserForm::Usual,
        };
        if self.source.once_in(12) {
            blocks.push(match self.source.below(3) {
                // Blocks that only replies may hold.
                0 => BlockPlan::RedactedThinking,
                1 => BlockPlan::thinking(self.text()),
                _ => BlockPlan::call(self.call()),
            });
        }
        if self.source.once_in(3) {
            blocks.rotate_left(1);
        }
        self.put(LineKind::User { form }, blocks);
    }

    /// Somebody stops the model, or a call.
    pub(super) fn interruption(&mut self) {
        let text = PoolText::interruption(!self.open.is_empty());
        self.put(LineKind::USER, vec![BlockPlan::text(text)]);
    }

    /// Somebody sends a picture that lacks its data, and perhaps a text that not everybody calls blank.
    fn half_written(&mut self) {
        let forms = [MediaForm::EmptySource, MediaForm::ImageWithoutData];
        let form = forms[self.source.below(2) as usize];
        let text = if self.source.once_in(3) { PoolText::ByteOrderMark } else { self.text() };
        let blocks = vec![BlockPlan::text(text), BlockPlan::Media { form }];
        self.put(LineKind::USER, blocks).plain = false;
    }

    fn media(&mut self) -> BlockPlan {
        match self.source.below(6) {
            0..2 => BlockPlan::Document,
            2 => {
                let usual = [MediaForm::Jpeg, MediaForm::Jpg, MediaForm::SourceSaysTwice, MediaForm::HalfAPairData];
                let form = usual.get(self.source.below(6) as usize).copied();
                BlockPlan::Media { form: form.unwrap_or_else(|| self.any()) }
            }
            _ => BlockPlan::Image,
        }
    }

    /// A reply: mostly a line for each block, sometimes with other lines between them.
    fn reply(&mut self) {
        self.next_reply();
        for _ in 0..1 + self.source.below(4) {
            let mut blocks = vec![self.reply_block()];
            if matches!(blocks[0], BlockPlan::ServerToolUse { .. }) {
                blocks.push(self.server_result());
            }
            if self.source.once_in(6) {
                blocks.push(self.reply_block());
            }
            if self.source.once_in(16) {
                // A block that only prompts may hold.
                blocks.push(BlockPlan::result(self.known_call()));
            }
            if self.source.once_in(24) {
                // Clients write this in turns that hold only calls.
                let text = [PoolText::Empty, PoolText::Blank][self.source.below(2) as usize];
                blocks.insert(0, BlockPlan::text(text));
            }
            self.put(LineKind::REPLY, blocks);
            if self.source.once_in(4) {
                self.between();
            }
        }
        if !self.open.is_empty() && !self.source.once_in(3) {
            self.results();
        }
    }

    /// Calls of one tool, or of tools that read, one after the other; perhaps with a new reply, a result or
    /// a hook between them.
    pub(super) fn calls_in_a_row(&mut self) {
        self.next_reply();
        let forms = CALLS_IN_A_ROW[self.source.below(CALLS_IN_A_ROW.len() as u32) as usize];
        for number in 0..2 + self.source.below(3) {
            let call = self.make_call(forms[number as usize % 2]);
            self.put(LineKind::REPLY, vec![call]);
            match self.source.below(9) {
                0 => self.next_reply(),
                1 | 2 => {
                    let result = self.result();
                    self.put(LineKind::USER, vec![result]);
                }
                3..6 => self.hook(),
                _ => {}
            }
        }
        if self.source.once_in(2) {
            self.results();
        }
        if self.source.once_in(2) {
            // Another's result right behind them.
            let call = (0..CALL_COUNT).find(|call| !self.calls.contains(call)).unwrap_or_default();
            self.put(LineKind::USER, vec![BlockPlan::result(call)]).plain = false;
        }
    }

    /// A call that the API takes only when a client repairs it or its result, or that is often repaired in vain.
    fn call_to_repair(&mut self) {
        self.next_reply();
        if self.source.once_in(4) {
            if self.source.once_in(2) {
                let call = self.make_call(CallForm::Bash);
                self.put(LineKind::REPLY, vec![call]).plain = false;
            }
            let (form, call) = (ServerCallForm::at(self.below(PLAIN_SERVER_CALLS)), self.below(CALL_COUNT));
            let result = BlockPlan::ServerToolResult { form: self.fitting(form), call };
            self.put(LineKind::REPLY, vec![BlockPlan::ServerToolUse { form, call }, result]).plain = false;
            return;
        }
        let of_call = usize::from(self.below(MENDED_CALLS.len() as u8));
        let of_result = usize::from(self.below(MENDED_RESULTS.len() as u8));
        let call = self.call();
        self.calls.push(call);
        self.put(LineKind::REPLY, vec![BlockPlan::ToolUse { form: MENDED_CALLS[of_call], call }]).plain = false;
        self.put(LineKind::USER, vec![BlockPlan::ToolResult { form: MENDED_RESULTS[of_result], call }]).plain = false;
    }

    /// A group that others made.
    fn group(&mut self) {
        let form = if self.source.once_in(4) { GroupForm::WithNoMessage } else { self.any() };
        let kind = LineKind::group(form, self.known_call());
        self.put(kind, Vec::new()).flags.clear();
    }

    fn reply_block(&mut self) -> BlockPlan {
        match self.source.below(15) {
            0..2 => BlockPlan::text(self.text()),
            2 => {
                let blank = [PoolText::BlankEnd, PoolText::LineFeedEnd, PoolText::BlankBeginning, self.text()];
                BlockPlan::text(blank[self.below(4) as usize])
            }
            3..8 | 12 => {
                let form = if self.source.once_in(4) { self.below(PLAIN_CALLS) } else { 0 };
                self.make_call(CallForm::at(form))
            }
            8 if self.source.once_in(3) => BlockPlan::thinking(PoolText::BlankEnd),
            8 if self.source.once_in(4) => BlockPlan::Thinking { form: ThinkingForm::EmptyText, text: PoolText::Plain },
            8 => BlockPlan::thinking(self.text()),
            9 => BlockPlan::RedactedThinking,
            10 => {
                let form = 1 + self.below(PLAIN_SERVER_CALLS);
                self.make_server_call(ServerCallForm::at(form))
            }
            _ if self.source.once_in(4) => BlockPlan::Thinking { form: self.any(), text: self.text() },
            _ => self.odd_block(LineKind::REPLY),
        }
    }

    /// What comes between the lines of a reply.
    fn between(&mut self) {
        match self.source.below(4) {
            0 => self.results(),
            1 => self.hook(),
            2 => self.attachment(),
            _ => drop(self.put(LineKind::PROGRESS, Vec::new())),
        }
    }

    /// Some of the calls get results: in any order, on one line or on a line each.
    pub(super) fn results(&mut self) {
        let count = self.source.below(self.open.len() as u32 + 1).max(1);
        let mut blocks: Vec<BlockPlan> = (0..count).map(|_| self.result()).collect();
        match self.source.below(7) {
            6 => blocks.push(self.media()),
            0 => blocks.push(BlockPlan::text(self.text())),
            1 => blocks.insert(0, BlockPlan::text(self.text())),
            2 if !self.calls.is_empty() => blocks.push(BlockPlan::result(self.made_call())),
            _ => {}
        }
        let named = self.source.once_in(6).then_some(Extra::ToolError);
        if self.source.once_in(6) {
            // Somebody typed while the tools ran.
            let text = BlockPlan::text(self.text());
            self.put(LineKind::USER, vec![text]);
        }
        let lines =
            if self.source.once_in(3) { vec![blocks] } else { blocks.into_iter().map(|block| vec![block]).collect() };
        for blocks in lines {
            let line = self.put(LineKind::USER, blocks);
            line.plain = false;
            line.extras.extend(named);
        }
        if self.source.once_in(4) {
            self.attachment();
        }
    }

    pub(super) fn result(&mut self) -> BlockPlan {
        let call = if self.open.is_empty() { self.known_call() } else { self.take_open() };
        match self.source.below(9) {
            0..4 => BlockPlan::ToolResult { form: self.any(), call },
            4 => BlockPlan::ToolResult { form: ResultForm::at(self.below(PLAIN_RESULTS)), call },
            _ => BlockPlan::result(call),
        }
    }

    /// One hook of a call that was made: an attachment, a hook result or progress.
    fn hook(&mut self) {
        let is_made = !self.calls.is_empty() && !self.source.once_in(4);
        let call = if is_made { self.made_call() } else { self.call() };
        // Sometimes of an event that is not about calls, although the hook names one.
        let event = if self.source.once_in(3) { OF_CALLS } else { self.below(OF_CALLS) };
        let kind = match self.source.below(3) {
            0 => {
                let first = AttachmentForm::HOOK_SUCCESS_BEFORE_USE.place();
                LineKind::attachment(AttachmentForm::at(first + event), call)
            }
            1 => LineKind::hook_result(HookResultForm::at(1 + event), call),
            _ if self.source.once_in(4) => {
                let forms = [ProgressForm::OldPreToolUse, ProgressForm::OldPostToolUse];
                LineKind::progress(forms[self.source.below(2) as usize], call)
            }
            _ => LineKind::progress(ProgressForm::at(1 + event), call),
        };
        self.put(kind, Vec::new());
    }

    /// Several attachments, as clients add them to one prompt, and sometimes a refusal of their media.
    fn attachments(&mut self) {
        self.attachment();
        self.on_top(|builder| {
            (0..builder.source.below(7)).for_each(|_| builder.attachment());
            if builder.source.once_in(5) {
                builder.refusal();
            }
        });
    }

    /// Lines that come on top of the others, so that there are no fewer of those.
    fn on_top(&mut self, add: impl FnOnce(&mut Self)) {
        self.on_top_up_to(MOST_LINES, add);
    }

    /// The same, while the plan fits on a page.
    pub(super) fn on_top_of_few(&mut self, add: impl FnOnce(&mut Self)) {
        self.on_top_up_to(FEW_LINES, add);
    }

    fn on_top_up_to(&mut self, most: usize, add: impl FnOnce(&mut Self)) {
        let before = self.lines.len();
        add(self);
        let more = self.lines.len() - before;
        self.count = self.count.max(most.min(self.count + more));
    }

    /// Context beside the conversation.
    fn attachment(&mut self) {
        let is_any = self.source.once_in(3);
        let form = self.below(if is_any { AttachmentForm::count() } else { PLAIN_ATTACHMENTS });
        let kind = self.attached(AttachmentForm::at(form));
        self.put(kind, Vec::new());
    }

    /// Media for the model alone, and an error that refuses them or seems to.
    fn refusal(&mut self) {
        if self.source.once_in(2) {
            let forms = AttachmentForm::WITH_MEDIA;
            let form = forms[self.source.below(forms.len() as u32) as usize];
            self.on_top(|builder| {
                builder.put(LineKind::attachment(form, 0), Vec::new());
            });
            if self.source.once_in(2) {
                self.put(LineKind::USER, vec![BlockPlan::text(PoolText::Plain)]);
            }
        }
        if !self.source.once_in(8) {
            let mut blocks = vec![self.media()];
            if self.source.once_in(2) {
                let at = self.source.below(2) as usize;
                let other = if self.source.once_in(2) { self.media() } else { BlockPlan::text(self.text()) };
                blocks.insert(at, other);
            }
            let is_meta = !self.source.once_in(4);
            let line = self.put(LineKind::USER, blocks);
            line.plain = false;
            line.flags.extend(is_meta.then_some((Flag::IsMeta, true)));
        }
        for _ in 0..self.source.below(3) {
            match self.source.below(4) {
                0 => drop(self.put(LineKind::system(Subtype::API_ERROR), Vec::new())),
                1 => drop(self.put(LineKind::PROGRESS, Vec::new())),
                2 => self.error(),
                _ if self.source.once_in(3) => self.attachment(),
                _ => drop(self.put(LineKind::StreamRequestStart, Vec::new())),
            }
        }
        self.error();
    }

    /// A synthetic error of the API. Sometimes its flag or its model is missing.
    fn error(&mut self) {
        let (form, is_flagged) = match self.source.below(8) {
            0 => (AssistantForm::WordsAlone, true),
            1 => (AssistantForm::Synthetic, false),
            _ => (AssistantForm::Synthetic, true),
        };
        let words = self.any();
        let blocks = if self.source.once_in(3) { vec![BlockPlan::text(PoolText::Plain)] } else { Vec::new() };
        let line = self.put(LineKind::Assistant { form, words }, blocks);
        line.flags.extend(is_flagged.then_some((Flag::IsApiErrorMessage, true)));
    }

    /// Somebody runs a command of the client.
    fn command(&mut self) {
        let form: SystemForm = self.any();
        let blank = [PoolText::BlankEnd, PoolText::LineFeedEnd, PoolText::BlankBeginning];
        let text = if self.source.once_in(3) { blank[self.source.below(3) as usize] } else { self.text() };
        let text = if form.is_filled() { text } else { PoolText::Plain };
        let is_virtual = self.source.once_in(6);
        let line = self.put(LineKind::System { subtype: Subtype::LOCAL_COMMAND, form, text }, Vec::new());
        line.flags.extend(is_virtual.then_some((Flag::IsVirtual, true)));
    }

    /// A tombstone withdraws one line of a reply, sometimes before it comes.
    fn half_withdrawn(&mut self) {
        self.next_reply();
        let is_early = self.source.once_in(4);
        let early = LineKind::Tombstone { form: TombstoneForm::OfId, id: own_id(self.lines.len() + 1) };
        if is_early {
            self.put(early, Vec::new());
        }
        let count = 2 + self.source.below(2);
        let lines: Vec<u8> = (0..count).map(|_| self.hang(LineKind::REPLY, Link::Previous)).collect();
        if !is_early {
            let id = lines[self.source.below(count) as usize];
            self.put(LineKind::Tombstone { form: TombstoneForm::OfId, id }, Vec::new());
        }
    }

    /// Calls whose ids differ only after 64 characters, and their results.
    pub(super) fn long_ids(&mut self) {
        self.next_reply();
        let calls = LONG_CALLS.map(BlockPlan::call).to_vec();
        self.put(LineKind::REPLY, calls).plain = false;
        self.calls.extend(LONG_CALLS);
        let results = LONG_CALLS.map(BlockPlan::result).to_vec();
        self.put(LineKind::USER, results).plain = false;
    }

    /// Two calls whose ids become the same when illegal characters are replaced one by one.
    pub(super) fn calls_alike(&mut self) {
        self.next_reply();
        let (legal, others) = ALIKE_CALLS;
        let calls = [legal, others[self.source.below(others.len() as u32) as usize]];
        self.put(LineKind::REPLY, calls.map(BlockPlan::call).to_vec()).plain = false;
        self.calls.extend(calls);
        self.open.extend(calls);
    }

    /// Replies of a model that numbers the calls of each from 0. Most calls have a result of their own.
    fn numbered_calls(&mut self) {
        for _ in 0..2 + self.source.below(2) {
            self.next_reply();
            let count = 1 + self.below(2);
            for call in 0..count {
                let block = BlockPlan::ToolUse { form: CallForm::at(self.below(PLAIN_CALLS)), call };
                self.put(LineKind::REPLY, vec![block]).plain = false;
            }
            for call in 0..count {
                self.calls.push(call);
                if self.source.once_in(6) {
                    self.open.push(call);
                    continue;
                }
                let block = BlockPlan::ToolResult { form: ResultForm::at(self.below(PLAIN_RESULTS)), call };
                self.put(LineKind::USER, vec![block]).plain = false;
            }
            if self.source.once_in(3) {
                self.prompt();
            }
        }
    }

    pub(super) fn next_reply(&mut self) {
        self.reply = (self.reply + 1) % 8;
    }

    pub(super) fn last(&mut self, change: impl FnOnce(&mut LinePlan)) {
        if let Some(line) = self.lines.last_mut() {
            change(line);
        }
    }

    /// Adds a plain line with an id of its own and this link, and returns the id.
    pub(super) fn hang(&mut self, kind: LineKind, parent: Link) -> u8 {
        let uuid = own_id(self.lines.len());
        let line = self.put(kind, vec![BlockPlan::text(PoolText::Plain)]);
        (line.uuid, line.parent, line.session) = (Some(uuid), parent, 0);
        line.flags.clear();
        line.extras.clear();
        if !kind.is_user() && !kind.is_reply() {
            line.blocks.clear();
        }
        uuid
    }

    /// The summary of a compaction, which only the transcript shows.
    fn summary(&mut self) {
        let text = self.text();
        let line = self.put(LineKind::USER, vec![BlockPlan::text(text)]);
        line.flags.extend(all_true([Flag::IsCompactSummary, Flag::IsVisibleInTranscriptOnly]));
    }
}

/// How many events of hooks are about calls: the first ones.
const OF_CALLS: u8 = 3;

const LONG_CALLS: [u8; 2] = [10, 11];
