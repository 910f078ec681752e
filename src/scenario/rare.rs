//! A *rare* scene holds one thing that clients seldom write, and that normalization has to know: among all forms it would
//! come once in some thousand cases.

use super::plot::Plot;
use super::pool::{
    AttachmentForm, CallForm, Extra, Flag, HEAD_ID, NAMED_ID, PLAIN_ATTACHMENTS, PoolText, Refusal, ResultForm,
    ServerCallForm, ServerResultForm, SideKind, StrangeForm, Subtype, TextForm, ThinkingForm, all_true,
};
use super::{
    AssistantForm, BlockPlan, Choice, GroupForm, LineKind, Link, ProgressForm, Source, SystemForm, TombstoneForm,
    UserForm,
};

impl<S: Source> Plot<'_, S> {
    pub(super) fn rare(&mut self) {
        match self.source.below(109) {
            0 => self.said(BlockPlan::Text { form: TextForm::WithoutType, text: PoolText::Plain }),
            1 => self.said(BlockPlan::Strange { form: StrangeForm::Text }),
            2 => self.said(BlockPlan::Text { form: TextForm::LongCache, text: PoolText::Plain }),
            3 | 25 | 30 | 98 | 106 => self.thoughts_at_the_end(),
            4 => self.odd_call([CallForm::EmptyTextInput, CallForm::EmptyListInput], [ResultForm::Plain; 2]),
            5 => self.odd_call([CallForm::Bash; 2], [ResultForm::FalseContent, ResultForm::ZeroContent]),
            6 | 29 => self.call_beside_a_server_call(),
            7 => self.another_servers_result(),
            8 | 72..75 | 100 | 104 => self.late_tombstone(),
            9 | 26 => self.cut_off(),
            10 => self.told([AttachmentForm::DiagnosticsOfTwoFiles, AttachmentForm::QueuedMeta]),
            11 => {
                let blocks = vec![BlockPlan::text(self.text())];
                let line = self.put(LineKind::USER, blocks);
                line.flags.clear();
                line.extras = [Extra::WrongFlags].into();
            }
            12..15 | 24 => {
                let (call, result) = (self.any(), self.any());
                self.odd_call([CallForm::Bash, call], [result; 2]);
            }
            15 => {
                let form = self.any();
                self.said(BlockPlan::Text { form, text: PoolText::Another });
            }
            16 => {
                let form = self.any();
                self.said(BlockPlan::Strange { form });
            }
            17 => self.odd_call([CallForm::Bash; 2], [ResultForm::NullContent, ResultForm::BlankText]),
            18 => self.odd_call([CallForm::Bash; 2], [ResultForm::ToolReference, ResultForm::HalfMedia]),
            19 => {
                let text = self.either([PoolText::BlankEnd, PoolText::BlankBeginning]);
                let kind = LineKind::System { subtype: Subtype::LocalCommand, form: SystemForm::Content, text };
                self.put(kind, Vec::new()).flags.clear();
            }
            20 => (0..2).for_each(|_| self.told([AttachmentForm::TodoReminder, AttachmentForm::TaskReminder])),
            21 => {
                let forms =
                    [UserForm::OtherRole, UserForm::NullContent, UserForm::WithoutMessage, UserForm::NumberMode];
                let form = forms[self.source.below(4) as usize];
                let blocks = vec![BlockPlan::text(self.text())];
                self.put(LineKind::User { form }, blocks).flags.clear();
            }
            27 => {
                // What the user typed meanwhile goes up past the prompt.
                self.put(LineKind::USER, vec![BlockPlan::text(PoolText::Plain)]).flags.clear();
                self.told([AttachmentForm::QueuedCommand; 2]);
            }
            28 | 61 | 75 => self.reply_of_one_request(),
            31 => self.interruption(),
            32..37 => (0..2).for_each(|_| self.seldom_told()),
            37 | 38 => self.refused_file(),
            39 | 40 => {
                self.next_reply();
                let text = self.either([PoolText::BlankBeginning, PoolText::BlankEnd]);
                let blocks = vec![BlockPlan::thinking(PoolText::BlankEnd), BlockPlan::text(text)];
                self.put(LineKind::REPLY, blocks).plain = false;
            }
            41 => {
                self.next_reply();
                let thinking = BlockPlan::Thinking { form: ThinkingForm::WithoutText, text: PoolText::Plain };
                self.put(LineKind::REPLY, vec![thinking, BlockPlan::text(PoolText::Plain)]).plain = false;
            }
            42 | 43 | 101 => self.calls_in_a_row(),
            44 | 45 => {
                let kind = LineKind::group(GroupForm::WithMeta, self.known_call());
                self.put(kind, Vec::new()).flags.clear();
            }
            46 | 47 => {
                let kept = self.either([Extra::PreservedBoth, Extra::PreservedGone]);
                self.boundary_that_keeps_with(kept);
            }
            48 => self.media_again(),
            49 => self.calls_alike(),
            50 => self.odd_call([CallForm::ForeignMembers, CallForm::WithoutName], [ResultForm::Plain; 2]),
            51 => {
                self.next_reply();
                let line = self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]);
                line.extras = [Extra::Agent].into();
            }
            52 => {
                let text = self.either([PoolText::LineSeparators, PoolText::LineEnds]);
                self.put(LineKind::USER, vec![BlockPlan::text(text)]).flags.clear();
            }
            53 => self.result_before_its_call(),
            54 => self.long_ids(),
            55 | 71 => self.hooks_beside_a_result(),
            56 => {
                self.put(LineKind::User { form: UserForm::BlockContent }, Vec::new()).flags.clear();
            }
            57 => self.boundary_that_keeps_with(Extra::PreservedFew),
            102 | 103 => self.boundary_that_keeps_with(Extra::PreservedTurned),
            58 => self.told([AttachmentForm::QueuedByAProgram, AttachmentForm::AsyncHookWithoutMessage]),
            59 | 76 | 77 | 88 => self.side_record_names_an_earlier_leaf(),
            78 => self.progress_of_progress(),
            105 => self.progress_of_an_earlier_call(),
            107 | 108 => {
                self.next_reply();
                let form = self.odd();
                let call = self.make_server_call(form);
                self.put(LineKind::REPLY, vec![call]).plain = false;
            }
            79 | 80 => self.pasted(),
            81 | 82 => {
                let side = self.any();
                self.put(LineKind::Side { side }, Vec::new()).extras = [Extra::WrongTypes].into();
            }
            83 => self.odd_withdrawal(),
            84 | 85 => self.result_with_its_source(),
            86 | 87 => self.boundary_that_was_left(),
            94 => {
                let kind = LineKind::User { form: UserForm::OtherRole };
                self.put(kind, vec![BlockPlan::text(PoolText::Plain)]).flags.clear();
            }
            95 | 96 => self.told([AttachmentForm::HookSuccessAtPrompt; 2]),
            97 => {
                let (subtype, form) = (Subtype::LocalCommand, SystemForm::OldName);
                self.put(LineKind::System { subtype, form, text: PoolText::Words }, Vec::new()).flags.clear();
            }
            60 | 89 => self.calls_answered_in_reverse(),
            62 => {
                let boundary = self.hang(LineKind::system(Subtype::CompactBoundary), Link::Previous);
                self.hang(LineKind::USER, Link::To(boundary));
                self.last(|line| line.flags = all_true([Flag::IsCompactSummary]));
            }
            63 => self.subagent_withdraws(),
            64 | 65 => self.call_is_withdrawn(),
            66 | 67 => self.replies_without_ids(),
            68..71 => (0..4).for_each(|_| {
                let form = AttachmentForm::at(self.below(PLAIN_ATTACHMENTS));
                self.told([form; 2]);
            }),
            99 => {
                let words = self.any();
                let kind = LineKind::Assistant { form: AssistantForm::Synthetic, words };
                self.put(kind, Vec::new()).flags.clear();
            }
            _ => self.plain_refusal(),
        }
    }

    /// A side record says that the conversation ended before its last message.
    fn side_record_names_an_earlier_leaf(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.last(|line| line.uuid = Some(HEAD_ID));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(HEAD_ID));
        let line = self.put(LineKind::Side { side: SideKind::LastPrompt }, Vec::new());
        (line.uuid, line.extras) = (None, [Extra::LeafAndSnapshot].into());
    }

    /// Clients once hung progress on progress, and the conversation on that.
    fn progress_of_progress(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        for _ in 0..2 {
            self.hang(LineKind::PROGRESS, Link::Previous);
        }
        self.next_reply();
        self.hang(LineKind::REPLY, Link::Previous);
    }

    /// Progress of a tool that is no hook, not right behind its call.
    fn progress_of_an_earlier_call(&mut self) {
        self.next_reply();
        let call = self.make_call(CallForm::Bash);
        self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| (line.blocks, line.plain) = (vec![call], false));
        self.hang(LineKind::REPLY, Link::Previous);
        let of = self.calls.last().copied().unwrap_or_default();
        self.hang(LineKind::progress(ProgressForm::OldName, of), Link::Previous);
    }

    /// A prompt with more pictures than ids of pastes.
    fn pasted(&mut self) {
        let text = BlockPlan::text(self.text());
        let kind = LineKind::User { form: UserForm::OnePaste };
        let line = self.put(kind, vec![BlockPlan::Image, text, BlockPlan::Image]);
        line.plain = false;
        line.flags.clear();
    }

    /// A prompt, the reply that extras name, and another prompt.
    fn named_reply(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.next_reply();
        self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| line.uuid = Some(NAMED_ID));
        self.hang(LineKind::USER, Link::Previous);
    }

    /// A list of what is withdrawn holds something else, and so withdraws nothing.
    fn odd_withdrawal(&mut self) {
        self.named_reply();
        self.last(|line| line.extras = [Extra::RetractedOdd].into());
    }

    /// One of the lines of a reply names its request, the other does not; half of the time both hang on the prompt.
    fn reply_of_one_request(&mut self) {
        self.next_reply();
        let prompt = self.hang(LineKind::USER, Link::Previous);
        self.hang(LineKind::REPLY, Link::To(prompt));
        self.last(|line| line.extras = [Extra::Request].into());
        if self.source.once_in(2) {
            self.put(LineKind::USER, vec![BlockPlan::text(PoolText::Words)]).flags.clear();
        }
        let link = self.either([Link::Previous, Link::To(prompt)]);
        self.hang(LineKind::REPLY, link);
        self.last(|line| line.blocks = vec![BlockPlan::text(PoolText::Another)]);
    }

    /// What a subagent says withdraws a record of the conversation, or would.
    fn subagent_withdraws(&mut self) {
        self.named_reply();
        let line = self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]);
        line.extras = [Extra::Retracted].into();
        line.flags.insert(Flag::IsSidechain, true);
    }

    /// A later line, or a record without an id, withdraws a call that has a result.
    fn call_is_withdrawn(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.next_reply();
        let call = self.make_call(CallForm::Bash);
        self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| (line.uuid, line.blocks) = (Some(NAMED_ID), vec![call]));
        let result = self.result();
        let words = self.source.once_in(2).then(|| BlockPlan::text(self.text()));
        self.hang(LineKind::USER, Link::To(NAMED_ID));
        self.last(|line| (line.blocks, line.plain) = ([result].into_iter().chain(words).collect(), false));
        self.next_reply();
        let has_id = self.source.once_in(2);
        self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| {
            line.extras = [Extra::Retracted].into();
            line.uuid = line.uuid.filter(|_| has_id);
        });
    }

    /// Two calls of one tool in a reply, whose results come in the other order.
    fn calls_answered_in_reverse(&mut self) {
        self.next_reply();
        let form = self.either([CallForm::Bash, CallForm::Read]);
        let calls = [self.make_call(form), self.make_call(form)];
        for call in calls {
            self.put(LineKind::REPLY, vec![call]);
        }
        for _ in 0..2 {
            let result = self.result();
            self.put(LineKind::USER, vec![result]);
        }
    }

    /// One of two, by chance.
    fn either<T: Copy>(&mut self, two: [T; 2]) -> T {
        two[self.source.below(2) as usize]
    }

    /// A block beside a text, in a prompt or in a reply.
    fn said(&mut self, block: BlockPlan) {
        self.next_reply();
        let kind = self.either([LineKind::USER, LineKind::REPLY]);
        let text = BlockPlan::text(self.text());
        let blocks = if self.source.once_in(2) { vec![block, text] } else { vec![text, block] };
        self.put(kind, blocks).plain = false;
    }

    /// A reply that ends with more than one thought.
    fn thoughts_at_the_end(&mut self) {
        self.next_reply();
        let mut blocks = vec![BlockPlan::text(self.text()), BlockPlan::thinking(PoolText::Plain)];
        blocks.push(self.either([BlockPlan::thinking(PoolText::Another), BlockPlan::RedactedThinking]));
        if self.source.once_in(2) {
            self.put(LineKind::REPLY, blocks).plain = false;
        } else {
            blocks.into_iter().for_each(|block| self.put(LineKind::REPLY, vec![block]).plain = false);
        }
    }

    fn odd_call(&mut self, calls: [CallForm; 2], results: [ResultForm; 2]) {
        self.next_reply();
        let (form, of_result) = (self.either(calls), self.either(results));
        let call = self.call();
        self.calls.push(call);
        self.put(LineKind::REPLY, vec![BlockPlan::ToolUse { form, call }]).plain = false;
        self.put(LineKind::USER, vec![BlockPlan::ToolResult { form: of_result, call }]).plain = false;
    }

    /// A call before a server's call, or between it and its result.
    fn call_beside_a_server_call(&mut self) {
        self.next_reply();
        let forms = [ServerCallForm::WebSearch, ServerCallForm::CodeExecution, ServerCallForm::Mcp];
        let form = forms[self.source.below(3) as usize];
        let call = self.call();
        let server_call = BlockPlan::ServerToolUse { form, call };
        let result = BlockPlan::ServerToolResult { form: self.fitting(form), call };
        let mut blocks = vec![server_call, self.make_call(CallForm::Bash), result];
        if self.source.once_in(2) {
            blocks.swap(0, 1);
        }
        self.put(LineKind::REPLY, blocks).plain = false;
        self.results();
    }

    /// The result of a server's call has the type of another tool.
    fn another_servers_result(&mut self) {
        self.next_reply();
        let call = self.call();
        let form = self.either([ServerCallForm::WebSearch, ServerCallForm::CodeExecution]);
        let of_result = self.either([ServerResultForm::WebFetch, ServerResultForm::Advisor]);
        let text = BlockPlan::text(self.text());
        let result = BlockPlan::ServerToolResult { form: of_result, call };
        self.put(LineKind::REPLY, vec![BlockPlan::ServerToolUse { form, call }, result, text]).plain = false;
    }

    /// A tombstone withdraws a reply from before the last prompt: all of it, its last line, or two lines with one id.
    fn late_tombstone(&mut self) {
        self.next_reply();
        let first = (!self.source.once_in(3)).then(|| self.hang(LineKind::REPLY, Link::Previous));
        let id = self.hang(LineKind::REPLY, Link::Previous);
        if let Some(first) = first.filter(|_| self.source.once_in(3)) {
            self.last(|line| line.uuid = Some(first));
        }
        let id = self.lines.last().and_then(|line| line.uuid).unwrap_or(id);
        let reply = self.reply;
        (0..1 + self.source.below(2)).for_each(|_| {
            self.hang(LineKind::USER, Link::Previous);
        });
        if self.source.once_in(2) {
            self.next_reply();
            self.hang(LineKind::REPLY, Link::Previous);
        }
        self.put(LineKind::Tombstone { form: TombstoneForm::OfId, id }, Vec::new()).reply = reply;
    }

    /// A reply that ends at a limit or with a refusal.
    fn cut_off(&mut self) {
        self.next_reply();
        let form = self.either([AssistantForm::CutOff, AssistantForm::Refused]);
        let mut blocks = vec![BlockPlan::text(self.text())];
        if self.source.once_in(2) {
            blocks.push(self.make_call(CallForm::Bash));
        }
        self.put(LineKind::Assistant { form, words: Refusal::ServerError }, blocks).plain = false;
        self.results();
    }

    fn told(&mut self, forms: [AttachmentForm; 2]) {
        let form = self.either(forms);
        let kind = self.attached(form);
        self.put(kind, Vec::new());
    }

    /// An attachment of a kind that is easily told wrong.
    fn seldom_told(&mut self) {
        let form = SELDOM_TOLD[self.source.below(SELDOM_TOLD.len() as u32) as usize];
        let kind = self.attached(form);
        self.put(kind, Vec::new());
    }

    /// A file that the API refuses.
    fn refused_file(&mut self) {
        let (form, words) = match self.source.below(3) {
            0 => (AttachmentForm::ImageFile, Refusal::ImageTooLarge),
            1 => (AttachmentForm::EditedImageFile, Refusal::ImageNotProcessed),
            _ => (AttachmentForm::PdfFile, self.either([Refusal::PdfLocked, Refusal::PdfPages])),
        };
        self.put(LineKind::attachment(form, 0), Vec::new());
        self.refused(words);
    }

    fn refused(&mut self, words: Refusal) {
        let line = self.put(LineKind::Assistant { form: AssistantForm::Synthetic, words }, Vec::new());
        line.flags.insert(Flag::IsApiErrorMessage, true);
    }

    /// A picture or document, a reply, and another one.
    fn media_again(&mut self) {
        let media = self.either([BlockPlan::Image, BlockPlan::Document]);
        self.put(LineKind::USER, vec![media]).plain = false;
        self.next_reply();
        self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]);
        self.put(LineKind::USER, vec![media]).plain = false;
    }

    /// Media, mostly for the model alone, and at once an error that refuses them; or two such messages and two errors.
    fn plain_refusal(&mut self) {
        let (media, words) = match self.source.below(5) {
            0 => (BlockPlan::Image, Refusal::ImageTooLarge),
            1 => (BlockPlan::Image, self.either([Refusal::ImageNotProcessed, Refusal::RequestTooLarge])),
            2 => (BlockPlan::Document, Refusal::RequestTooLarge),
            3 => (BlockPlan::Document, Refusal::PdfLocked),
            _ => (BlockPlan::Document, self.either([Refusal::PdfPages, Refusal::PdfNotValid])),
        };
        let (is_twofold, is_typed) = (self.source.once_in(3), self.source.once_in(4));
        for _ in 0..1 + usize::from(is_twofold) {
            let text = if self.source.once_in(3) { Some(BlockPlan::text(self.text())) } else { None };
            let line = self.put(LineKind::USER, [media].into_iter().chain(text).collect());
            line.plain = false;
            line.flags.insert(Flag::IsMeta, !is_typed);
        }
        for _ in 0..1 + usize::from(is_twofold) {
            self.refused(words);
        }
    }
}

/// What is said of them is easily lost, or taken for the user's words.
const SELDOM_TOLD: [AttachmentForm; 10] = [
    AttachmentForm::FileThatEndsItsWrapper,
    AttachmentForm::AsyncHookResponse,
    AttachmentForm::QueuedCommandWithImage,
    AttachmentForm::DateChange,
    AttachmentForm::ImageFile,
    AttachmentForm::PdfFile,
    AttachmentForm::PlanMode,
    AttachmentForm::NestedMemory,
    AttachmentForm::DiagnosticsOfAHint,
    AttachmentForm::SelectedLinesInIde,
];
