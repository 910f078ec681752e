//! What is beside the path of a conversation, and how a resume knows it: pushed-off lines, results of lines that do not
//! come back, turns of two clients, calls that nothing answers.

use crate::scenario::plan_builder::PlanBuilder;
use crate::scenario::pool::{
    CALL_COUNT, Extra, Flag, HEAD_ID, MOST_LINES, NAMED_ID, PoolText, Refusal, ResultForm, ServerCallForm,
    ServerResultForm, StrangeForm, Subtype, TAIL_ID, all_true, own_id,
};
use crate::scenario::{AssistantForm, BlockPlan, LineKind, Link, UserForm};

/// A notice that is no boundary.
const NOTICE: LineKind = LineKind::system(Subtype::INFORMATIONAL);

impl PlanBuilder<'_> {
    /// Adds a line of these blocks, and returns its id.
    fn hang_blocks(&mut self, kind: LineKind, parent: Link, blocks: Vec<BlockPlan>) -> u8 {
        let id = self.hang(kind, parent);
        self.last(|line| (line.blocks, line.plain) = (blocks, false));
        id
    }

    /// A reply of its own with a call, and the numbers of the line and of the call.
    fn calls_behind(&mut self, parent: Link) -> (u8, u8) {
        self.next_reply();
        let call = self.new_call();
        (self.hang_blocks(LineKind::REPLY, parent, vec![BlockPlan::call(call)]), call)
    }

    /// The number of a call that no line has made yet, if there is one.
    fn new_call(&mut self) -> u8 {
        let call = (0..CALL_COUNT).find(|call| !self.calls.contains(call)).unwrap_or_default();
        self.calls.push(call);
        call
    }

    /// The last line gets another id.
    fn named(&mut self, id: u8) -> u8 {
        self.last(|line| line.uuid = Some(id));
        id
    }

    /// The last line withdraws what has [`NAMED_ID`].
    fn withdraws(&mut self) {
        self.last(|line| line.extras = [Extra::Retracted].into());
    }

    fn is_of_a_subagent(&mut self) {
        self.last(|line| {
            (line.flags, line.extras) = (all_true([Flag::IsSidechain]), [Extra::Agent].into());
        });
    }

    fn placeholder(&mut self, parent: Link, call: u8) -> u8 {
        let form = self.either([ResultForm::Placeholder, ResultForm::UnknownText]);
        self.hang_blocks(LineKind::USER, parent, vec![BlockPlan::ToolResult { form, call }])
    }

    fn result_of(&mut self, parent: Link, call: u8) -> u8 {
        self.hang_blocks(LineKind::USER, parent, vec![BlockPlan::result(call)])
    }

    /// The result of a call, and words of the user.
    fn result_and_words(&mut self, parent: Link, call: u8) -> u8 {
        self.hang_blocks(LineKind::USER, parent, vec![BlockPlan::result(call), BlockPlan::text(PoolText::Plain)])
    }

    /// A reply of its own.
    fn replies(&mut self, parent: Link) -> u8 {
        self.next_reply();
        self.hang(LineKind::REPLY, parent)
    }

    /// A notice hangs on the first line of a reply, and the next prompt on the notice. Another line of the reply is beside.
    pub(super) fn line_pushed_off(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let first = self.replies(Link::Previous);
        let notice = self.hang(LineKind::system(Subtype::STOP_HOOK_SUMMARY), Link::To(first));
        self.hang(LineKind::REPLY, Link::To(first));
        if self.source.once_in(2) {
            self.hang(LineKind::USER, Link::Previous);
        }
        self.hang(LineKind::USER, Link::To(notice));
    }

    /// A reply beside a notice, where something else decides whether it comes back.
    pub(super) fn pushed_off_oddly(&mut self) {
        let notice = LineKind::system(Subtype::API_ERROR);
        match self.source.below(7) {
            0..3 => {
                // The request was sent again: its reply hangs on the notice.
                let prompt = self.hang(LineKind::USER, Link::Previous);
                let notice = self.hang(notice, Link::To(prompt));
                self.replies(Link::To(prompt));
                let again = self.replies(Link::To(notice));
                self.hang(LineKind::USER, Link::To(again));
            }
            3 => {
                // The conversation begins with a notice.
                let first = self.hang(NOTICE, Link::Null);
                let notice = self.hang(notice, Link::To(first));
                self.replies(Link::To(first));
                self.hang(LineKind::USER, Link::To(notice));
            }
            4 => {
                // The reply is withdrawn, and another one hangs on it.
                let prompt = self.hang(LineKind::USER, Link::Previous);
                self.replies(Link::To(prompt));
                let withdrawn = self.named(NAMED_ID);
                self.replies(Link::To(withdrawn));
                let notice = self.hang(notice, Link::To(prompt));
                self.hang(LineKind::USER, Link::To(notice));
                self.withdraws();
            }
            5 => (0..2).for_each(|_| self.pushed_off_with(&[], false)),
            _ => {
                // Two replies: the first one hangs on the notice, the later one on the prompt.
                let prompt = self.hang(LineKind::USER, Link::Previous);
                let notice = self.hang(notice, Link::To(prompt));
                self.replies(Link::To(notice));
                self.replies(Link::To(prompt));
                self.hang(LineKind::USER, Link::To(notice));
            }
        }
    }

    /// One message answers the calls of two replies.
    pub(super) fn one_record_answers_two_replies(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (first, early) = self.calls_behind(Link::Previous);
        let between = self.hang(NOTICE, Link::To(first));
        let (second, late) = self.calls_behind(Link::To(between));
        let mut blocks = vec![BlockPlan::result(late), BlockPlan::result(early)];
        blocks.extend(self.source.once_in(2).then_some(BlockPlan::text(PoolText::Plain)));
        self.hang_blocks(LineKind::USER, Link::To(first), blocks);
        self.hang(LineKind::USER, Link::To(second));
    }

    /// One line of a reply holds a call and is withdrawn, another line of it stays.
    pub(super) fn result_beside_a_withdrawn_line(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let first = self.replies(Link::Previous);
        let call = self.new_call();
        self.hang_blocks(LineKind::REPLY, Link::To(first), vec![BlockPlan::call(call)]);
        self.named(NAMED_ID);
        self.result_and_words(Link::To(NAMED_ID), call);
        self.hang(NOTICE, Link::To(first));
        self.withdraws();
        self.hang(LineKind::USER, Link::Previous);
    }

    /// A call is withdrawn. Its result is beside a string, which is no block.
    pub(super) fn result_beside_a_string(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (_, call) = self.calls_behind(Link::Previous);
        self.named(NAMED_ID);
        let mut blocks = vec![BlockPlan::result(call), BlockPlan::Strange { form: StrangeForm::TEXT }];
        if self.source.once_in(2) {
            blocks.reverse();
        }
        self.hang_blocks(LineKind::USER, Link::To(NAMED_ID), blocks);
        self.replies(Link::Previous);
        self.withdraws();
    }

    /// A subagent's record holds the result of a call of the main conversation, which nothing else answers.
    pub(super) fn result_of_a_subagent(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (of, call) = self.calls_behind(Link::Previous);
        match self.source.once_in(2) {
            true => self.result_and_words(Link::To(of), call),
            false => self.result_of(Link::To(of), call),
        };
        self.is_of_a_subagent();
        self.hang(LineKind::USER, Link::To(of));
    }

    /// Lines of a reply and a result of it beside a chain of notices.
    pub(super) fn reply_around_notices(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (first, call) = self.calls_behind(Link::Previous);
        let mut notice = self.hang(NOTICE, Link::To(first));
        self.result_of(Link::To(first), call);
        notice = self.hang(NOTICE, Link::To(notice));
        self.hang(LineKind::REPLY, Link::To(first));
        notice = self.hang(NOTICE, Link::To(notice));
        self.hang(LineKind::REPLY, Link::To(notice));
    }

    /// The lines of a reply in another order than the file.
    pub(super) fn reply_turned(&mut self) {
        let (prompt, first) = (own_id(self.lines.len() + 2), own_id(self.lines.len() + 3));
        let second = self.replies(Link::To(first));
        self.hang(LineKind::REPLY, Link::To(prompt));
        self.hang(LineKind::USER, Link::Null);
        self.hang(LineKind::REPLY, Link::To(prompt));
        self.hang(LineKind::REPLY, Link::To(second));
    }

    /// A placeholder and a true result of one call, where something else decides what counts.
    pub(super) fn two_clients_oddly(&mut self) {
        match self.source.below(12) {
            0 => self.placeholder_is_withdrawn(),
            1 | 6 => self.true_result_does_not_count(),
            2 => self.true_result_in_the_turn_of_its_placeholder(),
            3 => self.two_calls_finished_in_reverse(),
            4 => self.meta_message_behind_a_true_result(),
            5 => self.placeholder_with_another_source(),
            7 => self.placeholder_beside_a_true_result(),
            _ => self.two_clients_and_a_compaction(),
        }
    }

    fn placeholder_is_withdrawn(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (of, call) = self.calls_behind(Link::Previous);
        self.placeholder(Link::To(of), call);
        self.named(NAMED_ID);
        self.turn_behind(NAMED_ID);
        let result = self.result_of(Link::To(of), call);
        self.replies(Link::To(result));
        self.withdraws();
    }

    /// It is withdrawn, or a subagent's: the placeholder counts.
    fn true_result_does_not_count(&mut self) {
        let is_withdrawn = self.source.once_in(2);
        self.hang(LineKind::USER, Link::Previous);
        let (of, call) = self.calls_behind(Link::Previous);
        self.result_of(Link::To(of), call);
        if is_withdrawn {
            self.named(NAMED_ID);
        } else {
            self.is_of_a_subagent();
        }
        let placeholder = self.placeholder(Link::To(of), call);
        self.hang(LineKind::USER, Link::To(placeholder));
        if is_withdrawn {
            self.hang(NOTICE, Link::Previous);
            self.withdraws();
        }
        self.replies(Link::Previous);
    }

    fn true_result_in_the_turn_of_its_placeholder(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (_, call) = self.calls_behind(Link::Previous);
        self.named(HEAD_ID);
        let placeholder = self.placeholder(Link::To(HEAD_ID), call);
        self.hang(LineKind::USER, Link::To(placeholder));
        self.result_of(Link::Previous, call);
        self.last(|line| line.extras = [Extra::ToolError].into());
        self.replies(Link::Previous);
        self.turn_behind(HEAD_ID);
    }

    /// Two calls one after the other, each with a placeholder and, in reverse, a true result.
    fn two_calls_finished_in_reverse(&mut self) {
        let (first, early) = self.calls_behind(Link::Previous);
        let placeholder = self.placeholder(Link::To(first), early);
        self.hang(LineKind::USER, Link::To(placeholder));
        let (second, late) = self.calls_behind(Link::Previous);
        let placeholder = self.placeholder(Link::To(second), late);
        self.replies(Link::To(placeholder));
        let result = self.result_of(Link::To(second), late);
        let last = self.replies(Link::To(result));
        let result = self.result_of(Link::To(first), early);
        self.replies(Link::To(result));
        self.hang(LineKind::USER, Link::To(last));
    }

    /// A message for the model alone hangs on the true result, beside the reply to that.
    fn meta_message_behind_a_true_result(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (of, call) = self.calls_behind(Link::Previous);
        self.placeholder(Link::To(of), call);
        let result = self.result_of(Link::To(of), call);
        let reply = self.replies(Link::To(result));
        self.hang(LineKind::USER, Link::To(result));
        self.last(|line| line.flags = all_true([Flag::IsMeta]));
        self.hang(LineKind::USER, Link::To(reply));
    }

    /// The placeholder names another record as its source than as its parent.
    fn placeholder_with_another_source(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (of, call) = self.calls_behind(Link::Previous);
        let placeholder = self.placeholder(Link::To(of), call);
        self.last(|line| line.extras = [Extra::ToolError].into());
        self.turn_behind(placeholder);
        let result = self.result_of(Link::To(of), call);
        self.replies(Link::To(result));
    }

    /// A compaction keeps the call, and mostly its placeholder. It does not name the true result.
    fn two_clients_and_a_compaction(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let keeps_it = !self.source.once_in(3);
        let [of_prompt, of_call] = if keeps_it { [None, Some(HEAD_ID)] } else { [Some(HEAD_ID), Some(TAIL_ID)] };
        self.last(|line| line.uuid = of_prompt.or(line.uuid));
        let (_, call) = self.calls_behind(Link::Previous);
        self.last(|line| line.uuid = of_call);
        let of = if keeps_it { HEAD_ID } else { TAIL_ID };
        let mut placeholder = self.placeholder(Link::To(of), call);
        if keeps_it {
            placeholder = self.named(TAIL_ID);
        }
        self.result_of(Link::To(of), call);
        self.replies(Link::To(placeholder));
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.last(|line| {
            let claim = if keeps_it { Extra::PreservedSegment } else { Extra::PreservedBoth };
            line.extras = [claim].into();
        });
        self.hang(LineKind::USER, Link::To(boundary));
        self.last(|line| (line.uuid, line.flags) = (Some(NAMED_ID), all_true([Flag::IsCompactSummary])));
        self.hang(LineKind::USER, Link::To(NAMED_ID));
    }

    /// The last call of a reply is beside the path, and nothing answers it. Something hangs on it that says little.
    pub(super) fn dead_call_with_something(&mut self) {
        let asked = self.hang(LineKind::USER, Link::Previous);
        let first = self.replies(Link::To(asked));
        let notice = self.hang(NOTICE, Link::To(first));
        let call = self.new_call();
        let dead = self.hang_blocks(LineKind::REPLY, Link::To(first), vec![BlockPlan::call(call)]);
        let sort = self.source.below(6);
        match sort {
            0 => drop(self.hang(LineKind::PROGRESS, Link::To(dead))),
            1 => {
                let progress = self.hang(LineKind::PROGRESS, Link::To(dead));
                self.hang(NOTICE, Link::To(progress));
            }
            2 => {
                self.hang(LineKind::USER, Link::To(dead));
                self.named(NAMED_ID);
            }
            3 => {
                self.result_of(Link::To(dead), call);
                self.is_of_a_subagent();
            }
            4 => {
                self.result_and_words(Link::To(asked), call);
                self.named(NAMED_ID);
            }
            _ => {}
        }
        let mut prompt = self.hang(LineKind::USER, Link::To(notice));
        match sort {
            2 | 4 => self.withdraws(),
            5 => {
                self.named(NAMED_ID);
                prompt = self.hang(NOTICE, Link::To(NAMED_ID));
                self.withdraws();
            }
            _ => {}
        }
        self.replies(Link::To(prompt));
    }

    /// Something that a repair has to put right, so that all else in the file is judged too.
    fn needs_repair(&mut self) {
        self.hang(LineKind::USER, Link::To(own_id(usize::from(MOST_LINES) - 1)));
    }

    /// What is right in itself, in a file that is repaired for something else.
    pub(super) fn right_in_a_file_to_repair(&mut self) {
        match self.source.below(4) {
            0 => {
                // A segment leads through progress.
                self.hang(LineKind::USER, Link::Previous);
                self.named(HEAD_ID);
                let progress = self.hang(LineKind::PROGRESS, Link::To(HEAD_ID));
                self.replies(Link::To(progress));
                self.named(TAIL_ID);
                self.compaction(Extra::PreservedSegment);
            }
            1 => {
                // A claim on what is behind its boundary, as a fork writes it.
                self.compaction(Extra::PreservedSegment);
                self.hang(LineKind::USER, Link::To(NAMED_ID));
                self.named(HEAD_ID);
                self.replies(Link::To(HEAD_ID));
                self.named(TAIL_ID);
            }
            2 => {
                let (of, call) = self.calls_behind(Link::Previous);
                let result = BlockPlan::ToolResult { form: ResultForm::EmptyList, call };
                self.hang_blocks(LineKind::USER, Link::To(of), vec![result]);
            }
            _ => {
                // Two calls of a reply have no result.
                let (of, _) = self.calls_behind(Link::Previous);
                let other = self.new_call();
                self.hang_blocks(LineKind::REPLY, Link::To(of), vec![BlockPlan::call(other)]);
            }
        }
        self.needs_repair();
    }

    /// Two replies whose pairs of a server tool have one id.
    pub(super) fn server_pairs_of_one_id(&mut self) {
        let call = self.source.byte(CALL_COUNT);
        let result = ServerResultForm::OfNumber;
        for form in [ServerCallForm::WebSearch, ServerCallForm::Plain] {
            self.hang(LineKind::USER, Link::Previous);
            self.next_reply();
            let pair =
                vec![BlockPlan::ServerToolUse { form, call }, BlockPlan::ServerToolResult { form: result, call }];
            self.hang_blocks(LineKind::REPLY, Link::Previous, pair);
        }
    }

    /// A second result of a call hangs beside the conversation. Another call of its id may be on a branch that was left.
    pub(super) fn second_result_beside(&mut self) {
        let prompt = self.hang(LineKind::USER, Link::Previous);
        let (of, call) = self.calls_behind(Link::To(prompt));
        let result = self.result_of(Link::To(of), call);
        if self.source.once_in(2) {
            self.next_reply();
            self.hang_blocks(LineKind::REPLY, Link::To(prompt), vec![BlockPlan::call(call)]);
        }
        self.result_of(Link::To(of), call);
        self.hang(LineKind::USER, Link::To(result));
        if self.source.once_in(2) {
            self.needs_repair();
        }
    }

    /// A message holds the true result of one call and the placeholder of another. Another client had both results.
    fn placeholder_beside_a_true_result(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        let (of, call) = self.calls_behind(Link::Previous);
        let other = self.new_call();
        let of = self.hang_blocks(LineKind::REPLY, Link::To(of), vec![BlockPlan::call(other)]);
        let placeholder = BlockPlan::ToolResult { form: ResultForm::Placeholder, call: other };
        let half = self.hang_blocks(LineKind::USER, Link::To(of), vec![BlockPlan::result(call), placeholder]);
        self.turn_behind(half);
        let both = vec![BlockPlan::result(call), BlockPlan::result(other)];
        let result = self.hang_blocks(LineKind::USER, Link::To(of), both);
        self.replies(Link::To(result));
    }

    /// Replies that are copied from another session, or only seem to be.
    pub(super) fn copied(&mut self) {
        for forked in [Extra::Forked, Extra::ForkedNull, Extra::ForkedText] {
            if !self.source.once_in(3) {
                self.replies(Link::Previous);
                self.last(|line| line.extras = [forked].into());
            }
        }
    }

    /// Two replies whose ids and requests are the same text, one behind the other.
    pub(super) fn replies_of_alike_names(&mut self) {
        for (reply, request) in [(1, Extra::RequestOfDigits), (11, Extra::RequestOfALetter)] {
            self.hang(LineKind::USER, Link::Previous);
            self.hang(LineKind::REPLY, Link::Previous);
            self.last(|line| (line.reply, line.extras) = (reply, [request].into()));
        }
    }

    /// A message that says nothing, behind a prompt or a reply.
    pub(super) fn nothing_behind_a_message(&mut self) {
        self.next_reply();
        let kind = self.either([LineKind::USER, LineKind::REPLY]);
        self.hang(kind, Link::Previous);
        let reply = LineKind::Assistant { form: AssistantForm::WithoutMessage, words: Refusal::default() };
        let nothing = self.either([LineKind::User { form: UserForm::WithoutMessage }, reply]);
        self.hang(nothing, Link::Previous);
    }
}
