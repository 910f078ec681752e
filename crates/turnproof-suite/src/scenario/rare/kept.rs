//! What compactions keep, as clients seldom write it: odd claims, and copies of what is kept.

use crate::scenario::plan_builder::PlanBuilder;
use crate::scenario::pool::{ANCHOR_ID, Extra, Flag, HEAD_ID, NAMED_ID, SideKind, Subtype, TAIL_ID, all_true, own_id};
use crate::scenario::{LineKind, Link};

impl PlanBuilder<'_> {
    /// A line of this id.
    pub(super) fn hang_named(&mut self, kind: LineKind, parent: Link, id: u8) {
        self.hang(kind, parent);
        self.last(|line| line.uuid = Some(id));
    }

    /// A boundary with metadata, and its summary behind it.
    pub(super) fn compaction(&mut self, claim: Extra) {
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.last(|line| line.extras = [claim].into());
        self.summary_of(boundary);
    }

    /// The summary behind a record.
    fn summary_of(&mut self, boundary: u8) {
        self.hang_named(LineKind::USER, Link::To(boundary), NAMED_ID);
        self.last(|line| line.flags = all_true([Flag::IsCompactSummary]));
    }

    /// A boundary does not say which message it follows. Right before it stands no message of its conversation.
    pub(super) fn boundary_behind_other_records(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        if self.source.once_in(2) {
            self.put(LineKind::Side { side: SideKind::LAST_PROMPT }, Vec::new()).uuid = None;
        } else {
            self.hang(LineKind::USER, Link::Null);
            self.last(|line| (line.flags, line.extras) = (all_true([Flag::IsSidechain]), [Extra::Agent].into()));
        }
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.summary_of(boundary);
    }

    /// A claim about what is kept that leads to something odd. Somebody goes on behind the summary.
    pub(super) fn odd_claim(&mut self) {
        match self.source.below(13) {
            0 => self.keeps_progress([LineKind::PROGRESS; 2], Extra::PreservedSegment),
            1 => self.keeps_progress([LineKind::USER, LineKind::PROGRESS], Extra::PreservedTurned),
            2 => self.keeps_a_pair(Extra::PreservedNone),
            3 => self.keeps_a_pair(Extra::PreservedAnchor),
            4 => self.keeps_its_boundary(Extra::PreservedItself, ANCHOR_ID),
            5 => self.keeps_its_boundary(Extra::PreservedSegment, TAIL_ID),
            6 => self.keeps_behind_progress(),
            7 => self.keeps_its_summary(),
            8 => self.keeps_a_circle(),
            9 | 11 => self.keeps_turned_copies(),
            10 => self.kept_by_a_subagent(),
            _ => self.keeps_a_prompt_without_its_reply(),
        }
        self.hang(LineKind::USER, Link::Previous);
    }

    fn keeps_a_pair(&mut self, claim: Extra) {
        self.kept_pair();
        self.compaction(claim);
    }

    /// Progress is no message: it cannot be kept.
    fn keeps_progress(&mut self, [head, tail]: [LineKind; 2], claim: Extra) {
        self.hang(LineKind::USER, Link::Previous);
        self.hang_named(head, Link::Previous, HEAD_ID);
        self.hang_named(tail, Link::To(HEAD_ID), TAIL_ID);
        self.compaction(claim);
    }

    /// The boundary is among what it keeps.
    fn keeps_its_boundary(&mut self, claim: Extra, id: u8) {
        self.kept_pair();
        self.hang_named(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null, id);
        self.last(|line| line.extras = [claim].into());
        self.summary_of(id);
    }

    /// What is kept belongs behind progress.
    fn keeps_behind_progress(&mut self) {
        self.kept_pair();
        let boundary = self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.last(|line| line.extras = [Extra::PreservedBoth].into());
        self.hang_named(LineKind::PROGRESS, Link::To(boundary), NAMED_ID);
        self.hang(LineKind::USER, Link::Previous);
        self.last(|line| line.flags = all_true([Flag::IsCompactSummary]));
    }

    /// The summary is written once more, in the middle of what is kept.
    fn keeps_its_summary(&mut self) {
        self.hang_named(LineKind::USER, Link::Previous, HEAD_ID);
        self.hang_named(LineKind::USER, Link::To(HEAD_ID), NAMED_ID);
        self.next_reply();
        self.hang_named(LineKind::REPLY, Link::To(NAMED_ID), TAIL_ID);
        self.compaction(Extra::PreservedSegment);
    }

    /// The last message of what is kept and another one name each other as parent.
    fn keeps_a_circle(&mut self) {
        self.hang_named(LineKind::USER, Link::Previous, HEAD_ID);
        self.next_reply();
        let other = self.hang(LineKind::REPLY, Link::To(TAIL_ID));
        self.hang_named(LineKind::USER, Link::To(other), TAIL_ID);
        self.compaction(Extra::PreservedSegment);
    }

    /// What was kept is written again behind the boundary, in another order.
    fn keeps_turned_copies(&mut self) {
        self.hang_named(LineKind::USER, Link::Previous, HEAD_ID);
        let between = self.hang(LineKind::USER, Link::To(HEAD_ID));
        self.next_reply();
        self.hang_named(LineKind::REPLY, Link::To(between), TAIL_ID);
        let is_left_out = self.source.once_in(2);
        if is_left_out {
            // The claim names a message that stands only behind it.
            self.lines.pop();
        }
        self.compaction(Extra::PreservedSegment);
        if is_left_out {
            self.hang_named(LineKind::USER, Link::To(NAMED_ID), between);
            return self.hang_named(LineKind::REPLY, Link::To(between), TAIL_ID);
        }
        self.hang_named(LineKind::REPLY, Link::To(NAMED_ID), TAIL_ID);
        self.hang_named(LineKind::USER, Link::To(TAIL_ID), between);
        self.hang_named(LineKind::USER, Link::To(between), HEAD_ID);
    }

    /// A subagent's boundary, which keeps nothing of the main conversation.
    fn kept_by_a_subagent(&mut self) {
        self.kept_pair();
        self.hang(LineKind::system(Subtype::COMPACT_BOUNDARY), Link::Null);
        self.last(|line| {
            line.extras = [Extra::PreservedTurned, Extra::Agent].into();
            line.flags = all_true([Flag::IsSidechain]);
        });
        self.hang_named(LineKind::USER, Link::To(TAIL_ID), NAMED_ID);
    }

    /// A prompt is kept and its reply is not. A notice hangs on the summary.
    fn keeps_a_prompt_without_its_reply(&mut self) {
        self.hang_named(LineKind::USER, Link::Previous, TAIL_ID);
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(TAIL_ID));
        self.compaction(Extra::PreservedBoth);
        self.hang(LineKind::system(Subtype::STOP_HOOK_SUMMARY), Link::To(NAMED_ID));
    }

    /// Two lines name each other's successors in another order than the file, and each has a notice beside it.
    pub(super) fn notices_beside_turned_lines(&mut self) {
        let prompt = self.hang(LineKind::USER, Link::Previous);
        let late = own_id(self.lines.len() + 3);
        let early = self.hang(LineKind::USER, Link::To(late));
        for of in [early, prompt] {
            self.hang(LineKind::ATTACHMENT, Link::To(of));
        }
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(prompt));
        self.next_reply();
        self.hang(LineKind::REPLY, Link::To(early));
    }
}
