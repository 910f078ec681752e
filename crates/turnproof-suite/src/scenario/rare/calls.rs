//! *Calls*, their results and their children, as clients seldom write them.

use crate::scenario::plan_builder::PlanBuilder;
use crate::scenario::pool::{
    AttachmentForm, CALL_COUNT, CallForm, EMPTY_CALL, Extra, Flag, MADE_CALL, REFUSED_CALL, ResultForm, ServerCallForm,
    ServerResultForm, StrangeForm, Subtype, all_true,
};
use crate::scenario::{BlockPlan, GroupForm, LineKind, Link, ProgressForm, UserForm};

impl PlanBuilder<'_> {
    pub(super) fn any_call_and_result(&mut self) {
        let (call, result) = (self.any(), self.any());
        self.odd_call([CallForm::Bash, call], [result; 2]);
    }

    pub(super) fn odd_server_call(&mut self) {
        self.next_reply();
        let form = self.odd();
        let call = self.make_server_call(form);
        self.put(LineKind::REPLY, vec![call]).plain = false;
    }

    pub(super) fn grouped(&mut self, form: GroupForm) {
        let kind = LineKind::group(form, self.known_call());
        self.put(kind, Vec::new()).flags.clear();
    }

    /// A call, its result, and hooks of it that did not end with success.
    pub(super) fn hooks_without_success(&mut self) {
        self.next_reply();
        let call = self.make_call(CallForm::Bash);
        self.put(LineKind::REPLY, vec![call]).plain = false;
        let result = self.result();
        self.put(LineKind::USER, vec![result]).plain = false;
        let forms = [
            AttachmentForm::HOOK_NON_BLOCKING_ERROR,
            AttachmentForm::HOOK_CANCELLED,
            AttachmentForm::HOOK_CONTEXT_AFTER_USE,
        ];
        for _ in 0..2 {
            let form = forms[self.source.below(3) as usize];
            let of = self.made_call();
            self.put(LineKind::attachment(form, of), Vec::new());
        }
    }

    /// A client resumes a session while the tool of another client runs. It writes a placeholder for the result, and
    /// goes on behind that. The true result comes, before that turn or after it, and the first client goes on behind it,
    /// or does not.
    pub(super) fn two_clients(&mut self) {
        self.next_reply();
        let call = self.make_call(CallForm::Bash);
        let of = self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| (line.blocks, line.plain) = (vec![call], false));
        let number = self.open.pop().unwrap_or_default();
        let forms = [ResultForm::Placeholder, ResultForm::Unknown, ResultForm::UnknownText, ResultForm::Plain];
        let form =
            if self.source.once_in(2) { self.like_a_placeholder() } else { forms[self.source.below(4) as usize] };
        let placeholder = self.hang(LineKind::USER, Link::To(of));
        self.last(|line| {
            (line.blocks, line.plain) = (vec![BlockPlan::ToolResult { form, call: number }], false);
            // Of a placeholder in other words its member alone says what it is.
            line.extras.extend((form == ResultForm::Plain).then_some(Extra::DeniedByAnInterrupt));
        });
        let goes_on = !self.source.once_in(3);
        if self.source.once_in(2) {
            self.turn_behind(placeholder);
            self.true_result(of, number, goes_on);
        } else {
            self.true_result(of, number, goes_on);
            self.turn_behind(placeholder);
        }
    }

    /// The form of a result that is nearly a placeholder, or one that is spelt with an escape.
    fn like_a_placeholder(&mut self) -> ResultForm {
        let forms = [
            ResultForm::UnknownEscaped,
            ResultForm::NearlyUnknown,
            ResultForm::NearlyEscaped,
            ResultForm::Long,
            ResultForm::OfBlocks,
            ResultForm::OneImage,
        ];
        forms[self.source.below(6) as usize]
    }

    /// Two calls of a reply have their placeholders in one message. The true result of one comes, or those of both.
    pub(super) fn two_placeholders(&mut self) {
        self.next_reply();
        let calls = [self.make_call(CallForm::Bash), self.make_call(CallForm::Bash)];
        let of = self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| (line.blocks, line.plain) = (calls.to_vec(), false));
        let numbers = [self.take_open(), self.take_open()];
        let (comes_before, true_results) = (self.source.once_in(3), usize::from(!self.source.once_in(3)));
        if comes_before {
            numbers[true_results..].iter().for_each(|&call| self.true_result(of, call, true));
        }
        let placeholder = self.hang(LineKind::USER, Link::To(of));
        let form = self.either([ResultForm::Placeholder, ResultForm::UnknownText]);
        let both = numbers.map(|call| BlockPlan::ToolResult { form, call });
        self.last(|line| (line.blocks, line.plain) = (both.to_vec(), false));
        self.turn_behind(placeholder);
        if !comes_before {
            numbers[true_results..].iter().for_each(|&call| self.true_result(of, call, false));
        }
        if self.source.once_in(2) {
            self.turn_behind(placeholder);
        }
    }

    /// A subagent has a placeholder for the result of a call, and the true result before it or behind it.
    pub(super) fn placeholder_of_a_subagent(&mut self) {
        self.next_reply();
        let prompt = self.hang(LineKind::USER, Link::Null);
        let call = self.make_call(CallForm::Bash);
        let of = self.hang(LineKind::REPLY, Link::To(prompt));
        self.last(|line| (line.blocks, line.plain) = (vec![call], false));
        let number = self.open.pop().unwrap_or_default();
        let mut forms = [ResultForm::Placeholder, ResultForm::Plain];
        if self.source.once_in(4) {
            forms.reverse();
        }
        for form in forms {
            self.hang(LineKind::USER, Link::To(of));
            self.last(|line| {
                (line.blocks, line.plain) = (vec![BlockPlan::ToolResult { form, call: number }], false);
            });
        }
        self.are_of_a_subagent(4, Extra::Agent);
    }

    /// A subagent goes on from a record of another one.
    pub(super) fn subagent_behind_another(&mut self) {
        for (agent, link) in [(Extra::Agent, Link::Null), (Extra::OtherAgent, Link::Previous)] {
            self.next_reply();
            let prompt = self.hang(LineKind::USER, link);
            self.hang(LineKind::REPLY, Link::To(prompt));
            self.are_of_a_subagent(2, agent);
        }
    }

    /// Makes the last lines those of a subagent.
    fn are_of_a_subagent(&mut self, count: usize, agent: Extra) {
        for line in self.lines.iter_mut().rev().take(count) {
            line.flags = all_true([Flag::IsSidechain]);
            line.extras = [agent].into();
        }
    }

    /// A client crashes while a tool runs, and the session is resumed beside the call, which nothing answers. The call
    /// hangs on a notice behind a prompt, or it is the second one of its reply.
    pub(super) fn dead_call(&mut self) {
        let prompt = self.hang(LineKind::USER, Link::Previous);
        self.next_reply();
        let goes_on_behind = if self.source.once_in(2) {
            let notice = self.hang(LineKind::system(Subtype::STOP_HOOK_SUMMARY), Link::To(prompt));
            let dead = self.make_call(CallForm::Bash);
            self.hang(LineKind::REPLY, Link::To(notice));
            self.last(|line| (line.blocks, line.plain) = (vec![dead], false));
            notice
        } else {
            let [answered, dead] = [self.make_call(CallForm::Bash), self.make_call(CallForm::Bash)];
            let first = self.hang(LineKind::REPLY, Link::To(prompt));
            self.last(|line| (line.blocks, line.plain) = (vec![answered], false));
            self.hang(LineKind::REPLY, Link::To(first));
            self.last(|line| (line.blocks, line.plain) = (vec![dead], false));
            self.open.pop();
            let number = self.open.pop().unwrap_or_default();
            let result = self.hang(LineKind::USER, Link::To(first));
            self.last(|line| (line.blocks, line.plain) = (vec![BlockPlan::result(number)], false));
            result
        };
        self.turn_behind(goes_on_behind);
    }

    /// A prompt and its reply behind a record.
    pub(super) fn turn_behind(&mut self, record: u8) {
        let prompt = self.hang(LineKind::USER, Link::To(record));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(prompt));
    }

    /// The result of a call, and a reply behind it where its client goes on. A few are shown in the transcript alone.
    fn true_result(&mut self, of: u8, call: u8, goes_on: bool) {
        let result = self.hang(LineKind::USER, Link::To(of));
        self.last(|line| (line.blocks, line.plain) = (vec![BlockPlan::result(call)], false));
        if self.source.once_in(5) {
            self.last(|line| line.flags = all_true([Flag::IsVisibleInTranscriptOnly]));
        }
        if goes_on {
            self.next_reply();
            self.hang(LineKind::REPLY, Link::To(result));
        }
    }

    /// A message for the model alone has the same parent as progress behind it, and nothing follows either.
    pub(super) fn progress_beside_a_meta_message(&mut self) {
        self.next_reply();
        let prompt = self.hang(LineKind::USER, Link::Previous);
        let reply = self.hang(LineKind::REPLY, Link::To(prompt));
        self.hang(LineKind::USER, Link::To(reply));
        self.last(|line| line.flags = all_true([Flag::IsMeta]));
        self.hang(LineKind::PROGRESS, Link::To(reply));
    }

    /// Clients once hung progress on progress, and the conversation on that.
    pub(super) fn progress_of_progress(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        for _ in 0..2 {
            self.hang(LineKind::PROGRESS, Link::Previous);
        }
        self.next_reply();
        self.hang(LineKind::REPLY, Link::Previous);
    }

    /// Progress under its older name, of a tool or of its hook, not right behind its call.
    pub(super) fn progress_of_an_earlier_call(&mut self, forms: [ProgressForm; 2]) {
        self.next_reply();
        let call = self.make_call(CallForm::Bash);
        self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| (line.blocks, line.plain) = (vec![call], false));
        self.hang(LineKind::REPLY, Link::Previous);
        let of = self.calls.last().copied().unwrap_or_default();
        let form = self.either(forms);
        self.hang(LineKind::progress(form, of), Link::Previous);
    }

    /// Five calls of a reply or more, and their results in one turn.
    pub(super) fn many_results(&mut self) {
        self.next_reply();
        let count = 5 + self.below(3);
        let calls: Vec<u8> = (0..CALL_COUNT).filter(|call| !self.calls.contains(call)).take(count.into()).collect();
        self.calls.extend(&calls);
        self.put(LineKind::REPLY, calls.iter().map(|&call| BlockPlan::call(call)).collect()).plain = false;
        let results = calls.into_iter().map(BlockPlan::result).collect();
        self.put(LineKind::USER, results).plain = false;
    }

    /// A result whose output some languages take for none.
    pub(super) fn output_that_says_nothing(&mut self) {
        self.odd_call([CallForm::Bash; 2], [ResultForm::Plain; 2]);
        let outputs = [Extra::EmptyOutput, Extra::FalseOutput, Extra::ZeroOutput];
        let output = outputs[self.source.below(3) as usize];
        self.last(|line| line.extras = [output].into());
    }

    /// A result with an image, and a pasted image behind it.
    pub(super) fn pasted_beside_a_result(&mut self) {
        self.odd_call([CallForm::Bash; 2], [ResultForm::WithImage; 2]);
        self.last(|line| {
            line.kind = LineKind::User { form: UserForm::ThreePastes };
            line.blocks.push(BlockPlan::Image);
        });
    }

    /// Two calls of one tool in a reply, whose results come in the other order.
    pub(super) fn calls_answered_in_reverse(&mut self) {
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

    pub(super) fn odd_call(&mut self, calls: [CallForm; 2], results: [ResultForm; 2]) {
        self.next_reply();
        let (form, of_result) = (self.either(calls), self.either(results));
        let call = self.call();
        self.calls.push(call);
        self.put(LineKind::REPLY, vec![BlockPlan::ToolUse { form, call }]).plain = false;
        self.put(LineKind::USER, vec![BlockPlan::ToolResult { form: of_result, call }]).plain = false;
    }

    /// Two lines of a reply call one tool with one id, and ask for different things, or for one thing in two orders. One
    /// has a result.
    pub(super) fn another_call_of_one_id(&mut self) {
        self.next_reply();
        let call = self.call();
        self.calls.push(call);
        let forms =
            self.either([[CallForm::Bash, CallForm::OtherInput], [CallForm::TwoMembers, CallForm::TwoMembersTurned]]);
        let mut lines = [0; 2];
        for (line, form) in lines.iter_mut().zip(forms) {
            *line = self.hang(LineKind::REPLY, Link::Previous);
            self.last(|line| (line.blocks, line.plain) = (vec![BlockPlan::ToolUse { form, call }], false));
        }
        let of = self.either(lines);
        self.hang(LineKind::USER, Link::To(of));
        self.last(|line| (line.blocks, line.plain) = (vec![BlockPlan::result(call)], false));
    }

    /// A call before a server's call, or between it and its result.
    pub(super) fn call_beside_a_server_call(&mut self) {
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
        if self.source.once_in(3) {
            let form = self.either([StrangeForm::CALL_OF_TOMORROW, StrangeForm::RESULT_OF_TOMORROW]);
            blocks.insert(0, BlockPlan::Strange { form });
        }
        self.put(LineKind::REPLY, blocks).plain = false;
        self.results();
    }

    /// Lines of a reply say a server's call and its result twice, or another call of the same id.
    pub(super) fn server_call_said_again(&mut self) {
        self.next_reply();
        let (form, other) = self.either([
            (ServerCallForm::Mcp, ServerCallForm::McpOddName),
            (ServerCallForm::WebSearch, ServerCallForm::Plain),
        ]);
        let call = if self.source.once_in(2) { self.below(CALL_COUNT) } else { self.call() };
        let again = if self.source.once_in(3) { other } else { form };
        for form in [form, again] {
            let result = BlockPlan::ServerToolResult { form: form.fitting(), call };
            self.put(LineKind::REPLY, vec![BlockPlan::ServerToolUse { form, call }, result]).plain = false;
        }
    }

    /// Calls whose ids the API refuses, and one that has the id that another gets.
    pub(super) fn made_id_is_in_use(&mut self) {
        let mut calls = [REFUSED_CALL, MADE_CALL];
        if self.source.once_in(2) {
            calls.reverse();
        }
        self.next_reply();
        let is_one_reply = self.source.once_in(2);
        for (call, form) in calls.into_iter().zip([CallForm::Bash, CallForm::OtherInput]) {
            self.put(LineKind::REPLY, vec![BlockPlan::ToolUse { form, call }]).plain = false;
            if !is_one_reply {
                self.put(LineKind::USER, vec![BlockPlan::result(call)]).plain = false;
                self.next_reply();
            }
        }
        let results = calls.into_iter().map(BlockPlan::result).skip(if is_one_reply { 0 } else { 2 }).collect();
        self.put(LineKind::USER, results).plain = false;
    }

    /// A call with the empty id, and a result that names none.
    pub(super) fn result_of_no_call(&mut self) {
        self.next_reply();
        let call = BlockPlan::ToolUse { form: CallForm::Bash, call: EMPTY_CALL };
        self.put(LineKind::REPLY, vec![call]).plain = false;
        let form = self.either([ResultForm::WithoutId, ResultForm::NumberId]);
        self.put(LineKind::USER, vec![BlockPlan::ToolResult { form, call: EMPTY_CALL }]).plain = false;
    }

    /// The result of a server's call has the type of another tool.
    pub(super) fn another_servers_result(&mut self) {
        self.next_reply();
        let call = self.call();
        let forms = [ServerCallForm::WebSearch, ServerCallForm::CodeExecution, ServerCallForm::OfTomorrow];
        let results = [ServerResultForm::WebFetch, ServerResultForm::Advisor, ServerResultForm::Mcp];
        let [form, of_result] = [self.source.below(3) as usize, self.source.below(3) as usize];
        let (form, of_result) = (forms[form], results[of_result]);
        let text = BlockPlan::text(self.text());
        let result = BlockPlan::ServerToolResult { form: of_result, call };
        self.put(LineKind::REPLY, vec![BlockPlan::ServerToolUse { form, call }, result, text]).plain = false;
    }
}
