//! Patterns whose links and ids matter more than their texts.

use std::collections::BTreeSet;

use super::plan_builder::PlanBuilder;
use super::pool::{
    CALL_COUNT, CallForm, Extra, Flag, HEAD_ID, NAMED_ID, PoolText, Refusal, SideKind, Subtype, TAIL_ID, all_true,
    own_id,
};
use super::{AssistantForm, BlockPlan, LineKind, Link, TombstoneForm};

impl PlanBuilder<'_> {
    /// A notice takes the place of a reply in the chain: the next prompt names the notice as its parent. The
    /// reply may be an error of the API, which nobody has to see again.
    pub(super) fn pushed_off(&mut self) {
        match self.source.once_in(2) {
            true => self.on_top_of_few(|builder| builder.pushed_off_with(&[Flag::IsApiErrorMessage], false)),
            false => self.pushed_off_with(&[], false),
        }
    }

    /// The same, with flags of the reply. Two lines may follow it.
    pub(super) fn pushed_off_with(&mut self, flags: &[Flag], is_followed: bool) {
        self.next_reply();
        let prompt = self.hang(LineKind::USER, Link::Previous);
        let is_summary = self.source.once_in(3);
        let notice = LineKind::system(if is_summary { Subtype::STOP_HOOK_SUMMARY } else { Subtype::API_ERROR });
        let is_reply_first = self.source.once_in(2);
        let kinds = if is_reply_first { [LineKind::REPLY, notice] } else { [notice, LineKind::REPLY] };
        let ids = kinds.map(|kind| {
            let id = self.hang(kind, Link::To(prompt));
            let own = if kind.is_reply() { flags } else { &[] };
            self.last(|line| line.flags = all_true(own.iter().copied()));
            id
        });
        if is_followed {
            let reply = ids[usize::from(!is_reply_first)];
            let kinds = [LineKind::ATTACHMENT, LineKind::system(Subtype::INFORMATIONAL), LineKind::REPLY];
            for _ in 0..2 {
                let kind = kinds[self.source.byte(3) as usize];
                self.hang(kind, Link::To(reply));
            }
        }
        self.hang(LineKind::USER, Link::To(ids[usize::from(is_reply_first)]));
    }

    /// A notice takes the place of a reply, which is written behind the next prompt.
    pub(super) fn pushed_off_late(&mut self) {
        let prompt = self.hang(LineKind::USER, Link::Previous);
        let notice = self.hang(LineKind::system(Subtype::API_ERROR), Link::To(prompt));
        let next = self.hang(LineKind::USER, Link::To(notice));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(prompt));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(next));
    }

    /// A call is withdrawn when it has its result, mostly with words of the user beside that.
    fn withdrawn_with_its_result(&mut self) {
        self.next_reply();
        let call = (0..CALL_COUNT).find(|call| !self.calls.contains(call)).unwrap_or_default();
        self.calls.push(call);
        let prompt = self.hang(LineKind::USER, Link::Previous);
        self.hang(LineKind::REPLY, Link::To(prompt));
        self.last(|line| (line.uuid, line.blocks, line.plain) = (Some(NAMED_ID), vec![BlockPlan::call(call)], false));
        let result = self.hang(LineKind::USER, Link::To(NAMED_ID));
        let mut blocks = vec![BlockPlan::result(call), BlockPlan::text(PoolText::Plain)];
        blocks.truncate(2 - usize::from(self.source.once_in(4)));
        self.last(|line| (line.blocks, line.plain) = (blocks, false));
        self.hang(LineKind::system(Subtype::INFORMATIONAL), Link::To(result));
        self.last(|line| line.extras = [Extra::Retracted].into());
    }

    /// A reply is superseded by another, or withdrawn by a notice, but stays in the chain.
    pub(super) fn taken_over(&mut self) {
        if self.source.once_in(4) {
            return self.on_top_of_few(Self::withdrawn_with_its_result);
        }
        self.next_reply();
        let prompt = self.hang(LineKind::USER, Link::Previous);
        self.hang(LineKind::REPLY, Link::To(prompt));
        self.last(|line| line.uuid = Some(NAMED_ID));
        self.next_reply();
        let (kind, extra) = match self.source.below(5) {
            0 | 1 => (LineKind::REPLY, Extra::NumericKeys),
            2 | 3 => (LineKind::system(Subtype::INFORMATIONAL), Extra::Retracted),
            _ => (LineKind::system(Subtype::INFORMATIONAL), Extra::RetractedOdd),
        };
        let next = self.hang(kind, Link::To(NAMED_ID));
        let who = self.source.below(6);
        let (is_of_a_subagent, is_nameless) = (who < 2, matches!(who, 2 | 3));
        self.last(|line| {
            line.extras = [extra].into();
            line.flags.extend(is_of_a_subagent.then_some((Flag::IsSidechain, true)));
            line.uuid = line.uuid.filter(|_| !is_nameless);
        });
        if self.source.once_in(2) {
            self.hang(LineKind::USER, Link::To(if is_nameless { NAMED_ID } else { next }));
        }
    }

    /// Lines with one id, and its tombstone among them or behind them.
    pub(super) fn one_id(&mut self) {
        self.next_reply();
        let id = own_id(self.lines.len());
        let count = 2 + self.source.below(2);
        let before = 1 + self.source.below(count);
        for line in 0..=count {
            match line == before {
                true => drop(self.put(LineKind::Tombstone { form: TombstoneForm::OfId, id }, Vec::new())),
                false => {
                    let kind = match self.source.below(8) {
                        0..3 => LineKind::USER,
                        3 => LineKind::PROGRESS,
                        _ => LineKind::REPLY,
                    };
                    self.hang(kind, Link::Previous);
                    self.last(|line| line.uuid = Some(id));
                }
            }
        }
    }

    /// A compaction: a boundary with any metadata, and its summary.
    pub(super) fn boundary(&mut self) {
        if self.source.once_in(6) {
            return self.on_top_of_few(Self::boundary_that_was_left);
        }
        if !self.source.once_in(2) {
            return self.boundary_that_keeps();
        }
        let parent = if self.source.once_in(4) { Link::Previous } else { Link::Null };
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), parent);
        let metadata = match self.source.below(5) {
            0 | 1 => None,
            2 => Some(Extra::PreservedSegment),
            3 => Some(Extra::MetadataNull),
            _ => Some(Extra::PreservedMessages),
        };
        self.last(|line| line.extras = metadata.into_iter().chain([Extra::LogicalParent]).collect());
        self.hang(LineKind::USER, Link::To(boundary));
        self.last(|line| line.flags = all_true([Flag::IsCompactSummary]));
    }

    /// A compaction that keeps the two lines before it, behind its summary.
    pub(super) fn boundary_that_keeps(&mut self) {
        // The segment; or a list too, which counts before it, which names a message that is not there, or only one, or
        // both in another order.
        let kept = match self.source.below(12) {
            0 => Extra::PreservedSegment,
            1 | 2 => Extra::PreservedBoth,
            3 | 4 => Extra::PreservedFew,
            5..7 => Extra::PreservedTurned,
            _ => Extra::PreservedGone,
        };
        self.boundary_that_keeps_with(kept);
    }

    /// The same, with metadata that name what is kept.
    pub(super) fn boundary_that_keeps_with(&mut self, kept: Extra) {
        // Of a reply, one line may come back by its name, and the other because it is named among all.
        let is_one_reply = kept == Extra::PreservedFew && self.source.once_in(2);
        self.hang(if is_one_reply { LineKind::REPLY } else { LineKind::USER }, Link::Previous);
        self.last(|line| line.uuid = Some(HEAD_ID));
        self.hang(LineKind::REPLY, Link::To(HEAD_ID));
        self.last(|line| line.uuid = Some(TAIL_ID));
        match self.source.below(4) {
            // A hook says something before the compaction.
            0 => drop(self.hang(LineKind::system(Subtype::STOP_HOOK_SUMMARY), Link::To(TAIL_ID))),
            // What is kept ends with a call, and its result is not kept.
            1 if !is_one_reply => {
                let call = self.make_call(CallForm::Bash);
                self.last(|line| (line.blocks, line.plain) = (vec![call], false));
                let result = BlockPlan::result(self.open.pop().unwrap_or_default());
                self.hang(LineKind::USER, Link::To(TAIL_ID));
                self.last(|line| (line.blocks, line.plain) = (vec![result], false));
            }
            _ => {}
        }
        if self.source.once_in(8) {
            // More was said behind what is kept, and a crash leaves the boundary without its summary.
            self.hang(LineKind::USER, Link::To(TAIL_ID));
            self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
            return self.last(|line| (line.uuid, line.extras) = (Some(NAMED_ID), [kept].into()));
        }
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.last(|line| line.extras = [kept].into());
        self.hang(LineKind::USER, Link::To(boundary));
        self.last(|line| (line.uuid, line.flags) = (Some(NAMED_ID), all_true([Flag::IsCompactSummary])));
        if self.source.once_in(2) {
            self.hang(LineKind::USER, Link::To(NAMED_ID));
        }
    }

    /// A compaction that keeps lines, and a later one. Then the user returns to before the later one.
    pub(super) fn boundary_that_was_left(&mut self) {
        self.boundary_that_keeps();
        let before = self.hang(LineKind::USER, Link::To(NAMED_ID));
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.hang(LineKind::USER, Link::To(boundary));
        self.last(|line| line.flags = all_true([Flag::IsCompactSummary]));
        self.hang(LineKind::USER, Link::To(before));
    }

    /// Links that no client should write: a line to itself, two lines to each other, a line to a later one.
    pub(super) fn knot(&mut self) {
        let (own, next) = (own_id(self.lines.len()), own_id(self.lines.len() + 1));
        match self.source.below(3) {
            0 => drop(self.hang(LineKind::REPLY, Link::To(own))),
            1 => {
                self.hang(LineKind::USER, Link::To(next));
                self.hang(LineKind::REPLY, Link::To(own));
            }
            _ => {
                self.hang(LineKind::REPLY, Link::To(next));
                self.hang(LineKind::USER, Link::Null);
            }
        }
    }

    /// Progress in the chain, as old clients wrote it, or a kind of tomorrow: between a call and its result.
    pub(super) fn old_progress(&mut self) {
        let call = self.make_call(CallForm::Bash);
        let mut parent = self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| line.blocks = vec![call]);
        for _ in 0..1 + self.source.below(2) {
            let kind = if self.source.once_in(3) { LineKind::Unknown } else { LineKind::PROGRESS };
            parent = self.hang(kind, Link::To(parent));
        }
        let result = BlockPlan::result(self.answered());
        self.hang(LineKind::USER, Link::To(parent));
        self.last(|line| (line.blocks, line.plain) = (vec![result], false));
    }

    /// The lines of a subagent: a sidechain.
    pub(super) fn subagent(&mut self) {
        let link = if self.source.once_in(3) { Link::Previous } else { Link::Null };
        let first = self.hang(LineKind::USER, link);
        let kind = if self.source.once_in(2) { LineKind::ATTACHMENT } else { LineKind::PROGRESS };
        let beside = self.hang(kind, Link::To(first));
        self.hang(LineKind::REPLY, Link::To(beside));
        for line in self.lines.iter_mut().rev().take(3) {
            line.flags = all_true([Flag::IsSidechain]);
            line.extras = [Extra::Agent].into();
        }
    }

    /// A child of a call that is not usual, or that has the id of a message.
    pub(super) fn beside(&mut self) {
        match self.source.below(6) {
            0 | 1 => self.result_before_its_call(),
            2 | 3 => self.snapshot(),
            4 => self.replies_without_ids(),
            _ => self.hooks_beside_a_result(),
        }
    }

    /// Two calls of a reply, and the result of the first, which names the line of its call. The user may say something
    /// beside it, or the other result is beside it.
    pub(super) fn result_with_its_source(&mut self) {
        self.next_reply();
        let calls = [self.make_call(CallForm::Bash), self.make_call(CallForm::Bash)];
        for (call, id) in calls.into_iter().zip([Some(HEAD_ID), None]) {
            self.hang(LineKind::REPLY, Link::Previous);
            self.last(|line| (line.uuid, line.blocks, line.plain) = (id.or(line.uuid), vec![call], false));
        }
        let [first, second] = [self.calls.len() - 2, self.calls.len() - 1].map(|at| BlockPlan::result(self.calls[at]));
        let blocks = match self.source.below(6) {
            0 => vec![first],
            1 => vec![first, second],
            2 | 3 => vec![BlockPlan::text(self.text()), first],
            _ => vec![first, BlockPlan::text(self.text())],
        };
        self.hang(LineKind::USER, Link::To(HEAD_ID));
        self.last(|line| (line.blocks, line.plain, line.extras) = (blocks, false, [Extra::ToolError].into()));
    }

    /// Two replies with a call of one id. A result beside the chain names the line of the first as its source, and hangs
    /// on neither.
    pub(super) fn result_known_by_its_source(&mut self) {
        self.next_reply();
        let call = self.make_call(CallForm::Bash);
        let asked = self.hang(LineKind::USER, Link::Previous);
        self.hang(LineKind::REPLY, Link::To(asked));
        self.last(|line| (line.uuid, line.blocks, line.plain) = (Some(HEAD_ID), vec![call], false));
        let result = BlockPlan::result(self.answered());
        self.hang(LineKind::USER, Link::To(asked));
        self.last(|line| (line.blocks, line.plain, line.extras) = (vec![result], false, [Extra::ToolError].into()));
        self.next_reply();
        let again = self.hang(LineKind::REPLY, Link::To(HEAD_ID));
        self.last(|line| (line.blocks, line.plain) = (vec![call], false));
        self.hang(LineKind::USER, Link::To(again));
    }

    /// Several hooks that hang on one call, as its result does.
    pub(super) fn hooks_beside_a_result(&mut self) {
        self.next_reply();
        let call = self.make_call(CallForm::Bash);
        let of = self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| line.blocks = vec![call]);
        let result = BlockPlan::result(self.answered());
        for _ in 0..2 + self.source.below(2) {
            self.hang(LineKind::ATTACHMENT, Link::To(of));
        }
        let answer = self.hang(LineKind::USER, Link::To(of));
        self.last(|line| (line.blocks, line.plain) = (vec![result], false));
        if self.source.once_in(2) {
            self.hang(LineKind::REPLY, Link::To(answer));
        }
    }

    /// The user returns to a prompt and asks again; neither reply has an id.
    pub(super) fn replies_without_ids(&mut self) {
        let asked = self.hang(LineKind::USER, Link::Previous);
        let form = if self.source.once_in(2) { AssistantForm::EmptyId } else { AssistantForm::WithoutId };
        let nameless = LineKind::Assistant { form, words: Refusal::default() };
        self.hang(nameless, Link::To(asked));
        let again = self.hang(LineKind::USER, Link::To(asked));
        self.hang(nameless, Link::To(again));
        // Two calls in a row, on lines that have no ids either: of two ids, or of one, each with its result.
        let is_one_id = self.source.once_in(3);
        for call in if is_one_id { [0, 0] } else { [0, 1] } {
            self.hang(nameless, Link::Previous);
            self.last(|line| (line.uuid, line.blocks, line.plain) = (None, vec![BlockPlan::call(call)], false));
            if is_one_id {
                self.hang(LineKind::USER, Link::Previous);
                self.last(|line| (line.blocks, line.plain) = (vec![BlockPlan::result(call)], false));
            }
        }
    }

    /// Two calls of a reply, the second of which is behind its own result, and what comes after them.
    pub(super) fn result_before_its_call(&mut self) {
        self.next_reply();
        let (early, late) = (0, 1);
        let prompt = self.hang(LineKind::USER, Link::Previous);
        let first = self.hang(LineKind::REPLY, Link::To(prompt));
        self.last(|line| line.blocks = vec![BlockPlan::call(early)]);
        let second = own_id(self.lines.len() + 1);
        self.hang(LineKind::USER, Link::To(second));
        self.last(|line| (line.blocks, line.plain) = (vec![BlockPlan::result(late)], false));
        self.hang(LineKind::REPLY, Link::To(first));
        self.last(|line| line.blocks = vec![BlockPlan::call(late)]);
        let answer = self.hang(LineKind::USER, Link::To(first));
        self.last(|line| (line.blocks, line.plain) = (vec![BlockPlan::result(early)], false));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(answer));
    }

    /// A message, and the snapshot of the files that it found, which names it.
    fn snapshot(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.last(|line| line.uuid = Some(NAMED_ID));
        self.put(LineKind::Side { side: SideKind::FILE_HISTORY_SNAPSHOT }, Vec::new());
        self.last(|line| (line.uuid, line.extras) = (None, BTreeSet::new()));
        self.hang(LineKind::REPLY, Link::To(NAMED_ID));
    }
}
