//! Rare patterns, each with one thing that clients seldom write, and that normalization has to know.
//! Among all forms it would come once in some thousand cases.

mod attachments;
mod beside;
mod calls;
mod kept;
mod withdrawn;

use crate::scenario::plan_builder::PlanBuilder;
use crate::scenario::pool::{
    AttachmentForm, CallForm, Extra, Flag, MediaForm, PoolText, Refusal, ResultForm, StrangeForm, TextForm,
    ThinkingForm, all_true,
};
use crate::scenario::{AssistantForm, BlockPlan, GroupForm, LineKind, Link, ProgressForm, UserForm};

/// What adds lines to a plan.
type Pattern<P> = fn(&mut P);

impl PlanBuilder<'_> {
    /// One rare pattern.
    pub(in crate::scenario) fn rare(&mut self) {
        let mut at = self.source.below(Self::PATTERNS.iter().map(|(weight, _)| weight).sum());
        for (weight, pattern) in Self::PATTERNS {
            if at < weight {
                return pattern(self);
            }
            at -= weight;
        }
    }

    /// What is rare, and its weight: how often it comes beside the others.
    const PATTERNS: [(u32, Pattern<Self>); 138] = [
        // Blocks of prompts and replies.
        (1, |builder| builder.said(BlockPlan::Text { form: TextForm::WithoutType, text: PoolText::Plain })),
        (1, |builder| builder.said(BlockPlan::Strange { form: StrangeForm::TEXT })),
        (2, |builder| builder.said(BlockPlan::Strange { form: StrangeForm::OF_TOMORROW_WITH_OWN_MEMBERS })),
        (2, Self::odd_members_of_texts),
        (1, |builder| builder.said(BlockPlan::Text { form: TextForm::LongCache, text: PoolText::Plain })),
        (1, Self::odd_text),
        (1, Self::odd_block_beside_a_text),
        (5, Self::thoughts_at_the_end),
        (3, Self::blank_ends),
        (2, |builder| builder.said(BlockPlan::Unknown { text: PoolText::Words })),
        (2, Self::nearly_nothing),
        (3, Self::thinking_without_text),
        (1, Self::odd_ends_of_lines),
        (1, Self::blank_prompt_before_a_lost_reply),
        (2, Self::pasted),
        (1, Self::media_again),
        (4, Self::rare_picture),
        // Calls and their results.
        (1, |builder| builder.odd_call([CallForm::EmptyTextInput, CallForm::EmptyListInput], [ResultForm::Plain; 2])),
        (1, |builder| builder.odd_call([CallForm::ForeignMembers, CallForm::WithoutName], [ResultForm::Plain; 2])),
        (1, |builder| builder.odd_call([CallForm::Bash; 2], [ResultForm::FalseContent, ResultForm::ZeroContent])),
        (1, |builder| builder.odd_call([CallForm::Bash; 2], [ResultForm::NullContent, ResultForm::BlankText])),
        (1, |builder| builder.odd_call([CallForm::Bash; 2], [ResultForm::ToolReference, ResultForm::HalfMedia])),
        (6, Self::any_call_and_result),
        (1, |builder| builder.odd_call([CallForm::HalfAPairInput; 2], [ResultForm::Plain; 2])),
        (2, |builder| builder.odd_call([CallForm::DirectCaller; 2], [ResultForm::ObjectContent, ResultForm::Plain])),
        (2, |builder| builder.odd_call([CallForm::Bash; 2], [ResultForm::TwoTexts; 2])),
        (2, Self::many_results),
        (3, Self::output_that_says_nothing),
        (2, Self::pasted_beside_a_result),
        (2, Self::call_beside_a_server_call),
        (2, Self::server_call_said_again),
        (2, Self::made_id_is_in_use),
        (1, Self::result_of_no_call),
        (1, Self::another_servers_result),
        (2, Self::odd_server_call),
        (3, Self::calls_in_a_row),
        (1, Self::calls_alike),
        (6, Self::another_call_of_one_id),
        (2, Self::result_before_its_call),
        (1, Self::long_ids),
        (3, Self::result_with_its_source),
        (3, Self::result_known_by_its_source),
        (8, Self::two_clients),
        (3, Self::two_placeholders),
        (3, Self::dead_call),
        (2, Self::placeholder_of_a_subagent),
        (4, Self::calls_answered_in_reverse),
        (2, |builder| builder.grouped(GroupForm::WithMeta)),
        (2, |builder| builder.grouped(GroupForm::WithNoMessage)),
        // Replies.
        (2, |builder| builder.cut_off(AssistantForm::CutOff)),
        (2, |builder| builder.cut_off(AssistantForm::Refused)),
        (5, |builder| {
            let is_followed = builder.source.once_in(2);
            builder.pushed_off_with(&[], is_followed);
        }),
        (2, Self::pushed_off_late),
        (3, Self::reply_of_one_request),
        (2, Self::replies_without_ids),
        (1, Self::reply_of_an_agent),
        (1, Self::interruption),
        (2, |builder| builder.says(PoolText::InterruptionThenMore)),
        (8, |builder| builder.says(PoolText::Context)),
        (1, Self::words_of_the_client),
        // What is withdrawn, compacted or refused.
        (6, Self::late_tombstone),
        (3, Self::odd_withdrawal),
        (2, Self::withdrawn_at_the_end),
        (1, Self::subagent_withdraws),
        (6, Self::call_is_withdrawn),
        (2, |builder| builder.boundary_that_keeps_with(Extra::PreservedBoth)),
        (2, |builder| builder.boundary_that_keeps_with(Extra::PreservedGone)),
        (2, |builder| builder.boundary_that_keeps_with(Extra::PreservedFew)),
        (3, |builder| builder.boundary_that_keeps_with(Extra::PreservedTurned)),
        (2, |builder| builder.boundary_that_keeps_with(Extra::PreservedTwice)),
        (2, |builder| builder.boundary_that_keeps_with(Extra::PreservedNowhere)),
        (2, |builder| builder.boundary_that_keeps_with(Extra::SegmentNowhere)),
        (2, |builder| builder.boundary_that_keeps_with(Extra::PreservedAllGone)),
        (4, |builder| builder.boundary_that_keeps_with(Extra::SegmentWithoutTail)),
        (3, Self::boundary_before_what_it_keeps),
        (2, Self::boundary_that_keeps_parallel_calls),
        (2, Self::boundary_without_its_summary),
        (3, Self::kept_by_two_boundaries),
        (3, Self::shown_after_a_boundary),
        (2, Self::boundary_that_was_left),
        (3, Self::boundary_behind_other_records),
        (1, Self::summary_at_a_boundary),
        (2, Self::refused_file),
        (2, Self::refused_while_it_waited),
        (3, Self::refused_together),
        (12, Self::plain_refusal),
        (3, Self::late_refusal),
        // Attachments and notices.
        (1, |builder| builder.one_of([AttachmentForm::DIAGNOSTICS_OF_TWO_FILES, AttachmentForm::QUEUED_META])),
        (2, |builder| builder.one_of([AttachmentForm::QUEUED_BY_A_PROGRAM; 2])),
        (2, |builder| builder.one_of([AttachmentForm::ASYNC_HOOK_WITHOUT_MESSAGE; 2])),
        (2, |builder| builder.one_of([AttachmentForm::HOOK_SUCCESS_AT_PROMPT; 2])),
        (3, |builder| builder.one_of([AttachmentForm::WEBP_FILE, AttachmentForm::GIF_FILE])),
        (2, |builder| {
            builder.one_of([AttachmentForm::BITMAP_RESOURCE, AttachmentForm::FILE_OF_AN_IMAGE_WITHOUT_DATA]);
        }),
        (1, Self::reminders),
        (7, |builder| (0..3).for_each(|_| builder.hard_attachment())),
        (4, |builder| (0..8).for_each(|_| builder.plain_attachment())),
        (3, Self::silent_attachment),
        (1, Self::queued_after_its_prompt),
        (2, Self::hooks_beside_a_result),
        (2, |builder| builder.one_of([AttachmentForm::SELECTED_LINES_FROM_ZERO; 2])),
        (2, |builder| builder.one_of([AttachmentForm::FILE_OF_TEXT, AttachmentForm::ABSENT])),
        (2, Self::notice_without_a_subtype),
        (1, Self::command_that_begins_blank),
        (1, Self::command_by_its_old_name),
        (2, Self::virtual_command),
        (2, Self::speculation),
        (2, Self::hooks_without_success),
        // Records that have odd members, and records beside the conversation.
        (1, Self::wrong_flags),
        (4, Self::odd_user),
        (1, |builder| builder.unsaid(UserForm::BlockContent)),
        (1, |builder| builder.unsaid(UserForm::OtherRole)),
        (2, |builder| builder.unsaid(UserForm::EmptyContent)),
        (2, Self::side_record_of_wrong_types),
        (4, Self::side_record_names_an_earlier_leaf),
        (2, Self::of_prototypes),
        (2, Self::subagent_behind_another),
        (1, Self::progress_of_progress),
        (1, |builder| builder.progress_of_an_earlier_call([ProgressForm::OldName, ProgressForm::OfAToolAtAnEvent])),
        (2, |builder| {
            builder.progress_of_an_earlier_call([ProgressForm::OldPreToolUse, ProgressForm::OldPostToolUse]);
        }),
        (4, Self::progress_beside_a_meta_message),
        // What is beside the path, and what a compaction says that it keeps.
        (2, Self::line_pushed_off),
        (5, Self::pushed_off_oddly),
        (1, Self::one_record_answers_two_replies),
        (2, Self::result_beside_a_withdrawn_line),
        (2, Self::result_of_a_subagent),
        (1, Self::reply_around_notices),
        (1, Self::reply_turned),
        (9, Self::two_clients_oddly),
        (4, Self::dead_call_with_something),
        (8, Self::right_in_a_file_to_repair),
        (2, Self::server_pairs_of_one_id),
        (10, Self::second_result_beside),
        (8, Self::odd_claim),
        (1, Self::notices_beside_turned_lines),
        (2, Self::result_beside_a_string),
        (2, Self::copied),
        (1, Self::replies_of_alike_names),
        (1, Self::nothing_behind_a_message),
    ];

    fn odd_text(&mut self) {
        let form = self.any();
        self.said(BlockPlan::Text { form, text: PoolText::Another });
    }

    /// A text with one optional member of which the API does not take the value.
    fn odd_members_of_texts(&mut self) {
        let forms = [TextForm::OddCache, TextForm::HalfCited, TextForm::OddIndexes];
        let form = forms[self.source.below(3) as usize];
        self.said(BlockPlan::Text { form, text: PoolText::Another });
    }

    fn odd_block_beside_a_text(&mut self) {
        let form = self.any();
        self.said(BlockPlan::Strange { form });
    }

    /// Thinking and text that begin or end with white space.
    fn blank_ends(&mut self) {
        self.next_reply();
        let text = self.either([PoolText::BlankBeginning, PoolText::BlankEnd]);
        let blocks = vec![BlockPlan::thinking(PoolText::BlankEnd), BlockPlan::text(text)];
        self.put(LineKind::REPLY, blocks).plain = false;
    }

    /// A text of white space that is not everywhere taken for white space.
    fn nearly_nothing(&mut self) {
        let texts = [PoolText::ByteOrderMark, PoolText::BlankControls, PoolText::BlankWide, PoolText::ZeroWidth];
        let text = texts[self.source.below(4) as usize];
        self.said(BlockPlan::text(text));
    }

    /// A reply that ends the conversation: nothing, or what may not stand at the end of a request.
    pub(in crate::scenario) fn last_reply(&mut self) {
        self.next_reply();
        let blocks = match self.source.below(8) {
            0..3 => Vec::new(),
            3 => vec![BlockPlan::text(PoolText::Plain), BlockPlan::thinking(PoolText::Plain)],
            4 => vec![BlockPlan::text(PoolText::BlankEnd)],
            _ => vec![BlockPlan::text(PoolText::LineFeedEnd)],
        };
        let line = self.put(LineKind::REPLY, blocks);
        line.plain = false;
        line.flags.clear();
    }

    fn thinking_without_text(&mut self) {
        self.next_reply();
        let without = BlockPlan::Thinking { form: ThinkingForm::WithoutText, text: PoolText::Plain };
        let thinking = self.either([without, BlockPlan::thinking(PoolText::Empty)]);
        self.put(LineKind::REPLY, vec![thinking, BlockPlan::text(PoolText::Plain)]).plain = false;
    }

    /// A prompt of nothing between two replies, and at the end a reply that is thought alone.
    fn blank_prompt_before_a_lost_reply(&mut self) {
        for text in [PoolText::Blank, PoolText::Another] {
            self.next_reply();
            self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]).flags.clear();
            self.put(LineKind::USER, vec![BlockPlan::text(text)]).flags.clear();
        }
        self.next_reply();
        self.put(LineKind::REPLY, vec![BlockPlan::thinking(PoolText::Plain)]).flags.clear();
    }

    fn odd_ends_of_lines(&mut self) {
        let text = self.either([PoolText::LineSeparators, PoolText::LineEnds]);
        self.put(LineKind::USER, vec![BlockPlan::text(text)]).flags.clear();
    }

    /// Somebody says this, and nothing else.
    fn says(&mut self, text: PoolText) {
        self.put(LineKind::USER, vec![BlockPlan::text(text)]).flags.clear();
    }

    /// A message with members whose names objects of JavaScript have anyway.
    fn of_prototypes(&mut self) {
        let blocks = vec![BlockPlan::text(self.text())];
        self.put(LineKind::USER, blocks).extras = [Extra::OfPrototypes].into();
    }

    fn reply_of_an_agent(&mut self) {
        self.next_reply();
        let line = self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]);
        line.extras = [Extra::Agent].into();
    }

    /// A reply that the client wrote itself.
    fn words_of_the_client(&mut self) {
        let words = self.any();
        let kind = LineKind::Assistant { form: AssistantForm::Synthetic, words };
        self.put(kind, Vec::new()).flags.clear();
    }

    fn wrong_flags(&mut self) {
        let blocks = vec![BlockPlan::text(self.text())];
        let line = self.put(LineKind::USER, blocks);
        line.flags.clear();
        line.extras = [Extra::WrongFlags].into();
    }

    fn odd_user(&mut self) {
        let forms = [UserForm::OtherRole, UserForm::NullContent, UserForm::WithoutMessage, UserForm::NumberMode];
        let form = forms[self.source.below(4) as usize];
        self.unsaid(form);
    }

    /// A user's message of a form that says little.
    fn unsaid(&mut self, form: UserForm) {
        let blocks = vec![BlockPlan::text(self.text())];
        self.put(LineKind::User { form }, blocks).flags.clear();
    }

    fn side_record_of_wrong_types(&mut self) {
        let side = self.any();
        self.put(LineKind::Side { side }, Vec::new()).extras = [Extra::WrongTypes].into();
    }

    /// The client guesses what comes next; then somebody types.
    fn speculation(&mut self) {
        for kind in [LineKind::USER, LineKind::REPLY] {
            self.next_reply();
            self.hang(kind, Link::Previous);
            self.last(|line| line.flags = all_true([Flag::IsVirtual]));
        }
        self.hang(LineKind::USER, Link::Previous);
    }

    /// A prompt with more pictures than ids of pastes.
    fn pasted(&mut self) {
        let text = BlockPlan::text(self.text());
        let kind = LineKind::User { form: UserForm::OnePaste };
        let line = self.put(kind, vec![BlockPlan::Image, text, BlockPlan::Image]);
        line.plain = false;
        line.flags.clear();
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

    /// One of two, at random.
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

    /// A reply that ends at a limit or with a refusal, mostly with a call in it.
    fn cut_off(&mut self, form: AssistantForm) {
        self.next_reply();
        let mut blocks = vec![BlockPlan::text(self.text())];
        if !self.source.once_in(4) {
            blocks.push(self.make_call(CallForm::Bash));
        }
        self.put(LineKind::Assistant { form, words: Refusal::ServerError }, blocks).plain = false;
        self.results();
    }

    /// A picture of a type that is rarer than PNG.
    fn rare_picture(&mut self) {
        let form = self.either([MediaForm::Webp, MediaForm::Gif]);
        self.put(LineKind::USER, vec![BlockPlan::Media { form }]).plain = false;
    }

    /// A picture or document, a reply, and another one.
    fn media_again(&mut self) {
        let media = self.either([BlockPlan::Image, BlockPlan::Document]);
        self.put(LineKind::USER, vec![media]).plain = false;
        self.next_reply();
        self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]);
        self.put(LineKind::USER, vec![media]).plain = false;
    }
}
