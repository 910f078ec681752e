//! Messages that are withdrawn, compacted away or refused.

use crate::scenario::plan_builder::PlanBuilder;
use crate::scenario::pool::{
    ANCHOR_ID, AttachmentForm, BOUNDARY_ID, CallForm, Extra, Flag, HEAD_ID, NAMED_ID, PoolText, Refusal, SideKind,
    StrangeForm, Subtype, TAIL_ID, all_true,
};
use crate::scenario::{AssistantForm, BlockPlan, LineKind, Link, TombstoneForm};

impl PlanBuilder<'_> {
    pub(super) fn summary_at_a_boundary(&mut self) {
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Previous);
        self.hang(LineKind::USER, Link::To(boundary));
        self.last(|line| line.flags = all_true([Flag::IsCompactSummary]));
    }

    /// A boundary before the messages that it keeps: it names one of them among all, and not among those that come back.
    pub(super) fn boundary_before_what_it_keeps(&mut self) {
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.last(|line| line.extras = [Extra::PreservedFew].into());
        self.hang(LineKind::USER, Link::To(boundary));
        self.last(|line| line.flags = all_true([Flag::IsCompactSummary]));
        self.kept_pair();
    }

    /// A boundary keeps a reply with two calls, of which one result hangs beside the chain. The last kept record may be
    /// written again behind it.
    pub(super) fn boundary_that_keeps_parallel_calls(&mut self) {
        self.next_reply();
        self.hang(LineKind::USER, Link::Previous);
        self.last(|line| line.uuid = Some(HEAD_ID));
        let calls = [self.make_call(CallForm::Bash), self.make_call(CallForm::Bash)];
        let first = self.hang(LineKind::REPLY, Link::To(HEAD_ID));
        self.last(|line| (line.blocks, line.plain) = (vec![calls[0]], false));
        let second = self.hang(LineKind::REPLY, Link::To(first));
        self.last(|line| (line.blocks, line.plain) = (vec![calls[1]], false));
        let result = self.result();
        let result_of_second = self.hang(LineKind::USER, Link::To(second));
        self.last(|line| (line.blocks, line.plain) = (vec![result], false));
        let result = self.result();
        self.hang(LineKind::USER, Link::To(first));
        self.last(|line| (line.blocks, line.plain) = (vec![result], false));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(result_of_second));
        self.last(|line| line.uuid = Some(TAIL_ID));
        if self.source.once_in(4) {
            // A subagent's record has the same id.
            self.hang_named(LineKind::USER, Link::Null, TAIL_ID);
            self.last(|line| line.flags = all_true([Flag::IsSidechain]));
        }
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.last(|line| line.extras = [Extra::PreservedSegment].into());
        self.hang(LineKind::USER, Link::To(boundary));
        self.last(|line| (line.uuid, line.flags) = (Some(NAMED_ID), all_true([Flag::IsCompactSummary])));
        if self.source.once_in(2) {
            // Under its old parent, or behind the summary.
            let parent = self.either([result_of_second, NAMED_ID]);
            self.hang_named(LineKind::REPLY, Link::To(parent), TAIL_ID);
            self.hang(LineKind::USER, Link::To(TAIL_ID));
        }
    }

    /// The two messages that a compaction keeps.
    pub(super) fn kept_pair(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.last(|line| line.uuid = Some(HEAD_ID));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(HEAD_ID));
        self.last(|line| line.uuid = Some(TAIL_ID));
    }

    /// Behind what a compaction keeps is a reply with two calls, of which one result hangs beside the chain. A crash
    /// leaves the compaction without its summary, and the conversation goes on from there.
    pub(super) fn boundary_without_its_summary(&mut self) {
        self.kept_pair();
        let prompt = self.hang(LineKind::USER, Link::To(TAIL_ID));
        self.next_reply();
        let calls = [self.make_call(CallForm::Bash), self.make_call(CallForm::Bash)];
        let mut lines = [prompt; 2];
        for (at, call) in calls.into_iter().enumerate() {
            lines[at] = self.hang(LineKind::REPLY, Link::To(lines[0]));
            self.last(|line| (line.blocks, line.plain) = (vec![call], false));
        }
        let numbers = [self.open.pop(), self.open.pop()].map(Option::unwrap_or_default);
        let mut last = prompt;
        for (line, number) in lines.into_iter().rev().zip(numbers) {
            let result = BlockPlan::result(number);
            last = self.hang(LineKind::USER, Link::To(line));
            self.last(|line| (line.blocks, line.plain) = (vec![result], false));
        }
        self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.last(|line| (line.uuid, line.extras) = (Some(NAMED_ID), [Extra::PreservedSegment].into()));
        self.hang(LineKind::USER, Link::To(last));
    }

    /// A compaction keeps messages behind its summary, a later one keeps this summary, and somebody goes on from one of
    /// what they keep.
    pub(super) fn kept_by_two_boundaries(&mut self) {
        self.kept_pair();
        let kept = [Extra::PreservedSegment, Extra::PreservedFew, Extra::PreservedBoth, Extra::PreservedTurned];
        let first = kept[self.source.below(4) as usize];
        // Of the earlier one it keeps the summary, or the boundary too.
        let of_second = self.either([Extra::PreservedSummary, Extra::PreservedBoundary]);
        for (kept, id, of_boundary) in [(first, NAMED_ID, Some(BOUNDARY_ID)), (of_second, ANCHOR_ID, None)] {
            self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
            self.last(|line| (line.uuid, line.extras) = (of_boundary.or(line.uuid), [kept].into()));
            self.hang(LineKind::USER, Link::Previous);
            self.last(|line| (line.uuid, line.flags) = (Some(id), all_true([Flag::IsCompactSummary])));
        }
        let from = [NAMED_ID, NAMED_ID, HEAD_ID, TAIL_ID, ANCHOR_ID][self.source.below(5) as usize];
        self.hang(LineKind::USER, Link::To(from));
    }

    /// Behind a boundary, something that only the transcript shows, and that is no summary.
    pub(super) fn shown_after_a_boundary(&mut self) {
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.hang(LineKind::USER, Link::To(boundary));
        self.last(|line| {
            line.blocks = vec![BlockPlan::text(PoolText::Words)];
            line.flags = all_true([Flag::IsVisibleInTranscriptOnly]);
        });
    }

    /// A side record says that the conversation ended before its last message.
    pub(super) fn side_record_names_an_earlier_leaf(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.last(|line| line.uuid = Some(HEAD_ID));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(HEAD_ID));
        let line = self.put(LineKind::Side { side: SideKind::LAST_PROMPT }, Vec::new());
        (line.uuid, line.extras) = (None, [Extra::LeafAndSnapshot].into());
    }

    /// A prompt, the reply that extras name, and another prompt.
    pub(super) fn named_reply(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.next_reply();
        self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| line.uuid = Some(NAMED_ID));
        self.hang(LineKind::USER, Link::Previous);
    }

    /// A notice withdraws a reply that is written behind it, and is the last one of the file.
    pub(super) fn withdrawn_at_the_end(&mut self) {
        let prompt = self.hang(LineKind::USER, Link::Previous);
        self.hang(LineKind::system(Subtype::INFORMATIONAL), Link::To(prompt));
        self.last(|line| line.extras = [Extra::Retracted].into());
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(prompt));
        self.last(|line| line.uuid = Some(NAMED_ID));
    }

    /// A list of what is withdrawn holds something else, and so withdraws nothing. A prompt has no such list.
    pub(super) fn odd_withdrawal(&mut self) {
        self.named_reply();
        if !self.source.once_in(3) {
            self.hang(LineKind::system(Subtype::INFORMATIONAL), Link::Previous);
        }
        self.last(|line| line.extras = [Extra::RetractedOdd].into());
    }

    /// What a subagent says withdraws a record of the conversation, or would.
    pub(super) fn subagent_withdraws(&mut self) {
        self.named_reply();
        let line = self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]);
        line.extras = [Extra::Retracted].into();
        line.flags.insert(Flag::IsSidechain, true);
    }

    /// A later line, or a record without an id, withdraws a call that has a result.
    pub(super) fn call_is_withdrawn(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.next_reply();
        let call = self.make_call(CallForm::Bash);
        self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| (line.uuid, line.blocks) = (Some(NAMED_ID), vec![call]));
        if self.source.once_in(6) {
            // The line was written twice.
            self.lines.extend(self.lines.last().cloned());
        }
        let result = self.result();
        let (more, above) = match self.source.below(4) {
            // The message answers another call too, which nobody withdraws.
            3 => {
                self.next_reply();
                let call = self.make_call(CallForm::Bash);
                let above = self.hang(LineKind::REPLY, Link::To(NAMED_ID));
                self.last(|line| line.blocks = vec![call]);
                (Some(self.result()), above)
            }
            2 => (Some(BlockPlan::text(self.text())), NAMED_ID),
            // A string in the place of a block.
            1 if self.source.once_in(2) => (Some(BlockPlan::Strange { form: StrangeForm::TEXT }), NAMED_ID),
            _ => (None, NAMED_ID),
        };
        self.hang(LineKind::USER, Link::To(above));
        let mut blocks: Vec<BlockPlan> = [result].into_iter().chain(more).collect();
        if self.source.once_in(2) {
            blocks.reverse();
        }
        self.last(|line| (line.blocks, line.plain) = (blocks, false));
        self.next_reply();
        let has_id = self.source.once_in(2);
        self.hang(LineKind::REPLY, Link::Previous);
        self.last(|line| {
            line.extras = [Extra::Retracted].into();
            line.uuid = line.uuid.filter(|_| has_id);
        });
    }

    /// A tombstone withdraws a reply from before the last prompt: all of it, its last line, or two lines with one id.
    pub(super) fn late_tombstone(&mut self) {
        self.next_reply();
        let first = (!self.source.once_in(3)).then(|| self.hang(LineKind::REPLY, Link::Previous));
        let id = self.hang(LineKind::REPLY, Link::Previous);
        if let Some(first) = first.filter(|_| self.source.once_in(3)) {
            self.last(|line| line.uuid = Some(first));
        }
        let id = self.lines.last().and_then(|line| line.uuid).unwrap_or(id);
        let form = self.either([TombstoneForm::OfId, TombstoneForm::OfAReply]);
        let reply = self.reply;
        (0..1 + self.source.below(2)).for_each(|_| {
            self.hang(LineKind::USER, Link::Previous);
        });
        if self.source.once_in(2) {
            self.next_reply();
            self.hang(LineKind::REPLY, Link::Previous);
        }
        self.put(LineKind::Tombstone { form, id }, Vec::new()).reply = reply;
    }

    /// A file that the API refuses.
    pub(super) fn refused_file(&mut self) {
        let (form, words) = match self.source.below(5) {
            0 => (AttachmentForm::IMAGE_FILE, Refusal::ImageTooLarge),
            3 => (AttachmentForm::RENDERED_OF_AN_IMAGE, Refusal::ImageTooLarge),
            4 => (AttachmentForm::RENDERED_OF_A_DOCUMENT, Refusal::PdfNotValid),
            1 => (AttachmentForm::EDITED_IMAGE_FILE, Refusal::ImageNotProcessed),
            _ => (AttachmentForm::PDF_FILE, self.either([Refusal::PdfLocked, Refusal::PdfPages])),
        };
        self.put(LineKind::attachment(form, 0), Vec::new());
        self.refused(words);
    }

    /// A picture in a prompt that waited behind a reply, which the API refuses.
    pub(super) fn refused_while_it_waited(&mut self) {
        self.next_reply();
        self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]);
        let (form, words) = match self.source.below(4) {
            0 => (AttachmentForm::QUEUED_COMMAND_WITH_IMAGE, Refusal::ImageTooLarge),
            1 => (AttachmentForm::QUEUED_COMMAND_WITH_IMAGE, Refusal::ImageNotProcessed),
            2 => (AttachmentForm::QUEUED_COMMAND_WITH_DOCUMENT, Refusal::PdfNotValid),
            _ => (AttachmentForm::RENDERED_PROMPT_WITH_IMAGE, Refusal::ImageTooLarge),
        };
        self.put(LineKind::attachment(form, 0), Vec::new());
        self.refused(words);
    }

    /// An image and a document in one message, and an error about one of them.
    pub(super) fn refused_together(&mut self) {
        let line = self.put(LineKind::USER, vec![BlockPlan::Image, BlockPlan::Document]);
        (line.plain, line.flags) = (false, all_true([Flag::IsMeta]));
        let words = [Refusal::ImageTooLarge, Refusal::PdfLocked, Refusal::PdfPages, Refusal::PdfNotValid];
        let words = words[self.source.below(4) as usize];
        self.refused(words);
    }

    pub(super) fn refused(&mut self, words: Refusal) {
        let line = self.put(LineKind::Assistant { form: AssistantForm::Synthetic, words }, Vec::new());
        line.flags.insert(Flag::IsApiErrorMessage, true);
    }

    /// Media for the model alone, and an error that refuses them behind a prompt or a reply: too late to mark them.
    pub(super) fn late_refusal(&mut self) {
        self.put(LineKind::USER, vec![BlockPlan::Image]).plain = false;
        self.last(|line| line.flags = all_true([Flag::IsMeta]));
        let between = self.either([LineKind::USER, LineKind::REPLY]);
        self.next_reply();
        self.put(between, vec![BlockPlan::text(PoolText::Plain)]).flags.clear();
        self.next_reply();
        self.refused(Refusal::ImageTooLarge);
    }

    /// Media, mostly for the model alone, and at once an error that refuses them; or two such messages and two errors.
    pub(super) fn plain_refusal(&mut self) {
        let (media, words) = REFUSALS[self.source.below(REFUSALS.len() as u32) as usize];
        if self.source.once_in(6) {
            // A message for the model alone that holds no media.
            let text = BlockPlan::text(self.text());
            let line = self.put(LineKind::USER, vec![text]);
            (line.plain, line.flags) = (true, all_true([Flag::IsMeta]));
            return self.refused(words);
        }
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

/// What is refused, and with which words.
const REFUSALS: [(BlockPlan, Refusal); 7] = [
    (BlockPlan::Image, Refusal::ImageTooLarge),
    (BlockPlan::Image, Refusal::ImageNotProcessed),
    (BlockPlan::Image, Refusal::RequestTooLarge),
    (BlockPlan::Document, Refusal::RequestTooLarge),
    (BlockPlan::Document, Refusal::PdfLocked),
    (BlockPlan::Document, Refusal::PdfPages),
    (BlockPlan::Document, Refusal::PdfNotValid),
];
