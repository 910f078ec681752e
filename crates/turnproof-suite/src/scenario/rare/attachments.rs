//! Attachments, and what commands printed.

use crate::scenario::plan_builder::PlanBuilder;
use crate::scenario::pool::{AttachmentForm, Flag, PLAIN_ATTACHMENTS, PoolText, Subtype, all_true};
use crate::scenario::{BlockPlan, Choice, LineKind, Link, SystemForm};

impl PlanBuilder<'_> {
    pub(super) fn reminders(&mut self) {
        (0..2).for_each(|_| self.one_of([AttachmentForm::TODO_REMINDER, AttachmentForm::TASK_REMINDER]));
    }

    pub(super) fn plain_attachment(&mut self) {
        let form = AttachmentForm::at(self.below(PLAIN_ATTACHMENTS));
        self.one_of([form; 2]);
    }

    /// An attachment that says nothing between two replies, or behind the last one.
    pub(super) fn silent_attachment(&mut self) {
        self.next_reply();
        self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Plain)]).flags.clear();
        let form = SILENT_ATTACHMENTS[self.source.below(SILENT_ATTACHMENTS.len() as u32) as usize];
        self.one_of([form; 2]);
        if self.source.once_in(2) {
            self.next_reply();
            self.put(LineKind::REPLY, vec![BlockPlan::text(PoolText::Another)]).flags.clear();
        }
    }

    /// What the user typed meanwhile is moved up past the prompt.
    pub(super) fn queued_after_its_prompt(&mut self) {
        self.put(LineKind::USER, vec![BlockPlan::text(PoolText::Plain)]).flags.clear();
        self.one_of([AttachmentForm::QUEUED_COMMAND; 2]);
    }

    pub(super) fn command_that_begins_blank(&mut self) {
        let text = self.either([PoolText::BlankEnd, PoolText::BlankBeginning]);
        self.printed(SystemForm::Content, text);
    }

    pub(super) fn command_by_its_old_name(&mut self) {
        self.printed(SystemForm::OldName, PoolText::Words);
    }

    /// What a command of the user printed.
    pub(super) fn printed(&mut self, form: SystemForm, text: PoolText) {
        let kind = LineKind::System { subtype: Subtype::LOCAL_COMMAND, form, text };
        self.put(kind, Vec::new()).flags.clear();
    }

    /// What a command printed while the model speculated.
    pub(super) fn virtual_command(&mut self) {
        self.printed(SystemForm::Content, PoolText::Words);
        self.last(|line| line.flags = all_true([Flag::IsVirtual]));
    }

    /// A notice that does not say of which sort it is, in the chain.
    pub(super) fn notice_without_a_subtype(&mut self) {
        self.hang(LineKind::USER, Link::Previous);
        self.hang(LineKind::system(Subtype::NONE), Link::Previous);
        self.hang(LineKind::USER, Link::Previous);
    }

    pub(super) fn one_of(&mut self, forms: [AttachmentForm; 2]) {
        let form = self.either(forms);
        let kind = self.attached(form);
        self.put(kind, Vec::new());
    }

    /// An attachment of a kind that clients easily write wrong.
    pub(super) fn hard_attachment(&mut self) {
        let form = HARD_ATTACHMENTS[self.source.below(HARD_ATTACHMENTS.len() as u32) as usize];
        let kind = self.attached(form);
        self.put(kind, Vec::new());
    }
}

/// They say nothing.
const SILENT_ATTACHMENTS: [AttachmentForm; 7] = [
    AttachmentForm::EMPTY_LIST,
    AttachmentForm::RENDERED_AS_NOTHING,
    AttachmentForm::RENDERED_OF_NO_BLOCKS,
    AttachmentForm::QUEUED_COMMAND_EMPTY,
    AttachmentForm::QUEUED_COMMAND_OF_NO_BLOCKS,
    AttachmentForm::FILE_OF_A_TEXT_AS_MEDIUM,
    AttachmentForm::FILE_OF_AN_IMAGE_OF_BLANK_DATA,
];

/// What is said of them is easily lost, or taken for the user's words.
const HARD_ATTACHMENTS: [AttachmentForm; 21] = [
    AttachmentForm::RENDERED_OF_TOMORROW,
    AttachmentForm::TASK_STATUS_OF_A_LIST,
    AttachmentForm::QUEUED_NOTIFICATION_OF_BLANKS,
    AttachmentForm::ASYNC_HOOK_RESPONSE_OF_A_CALL,
    AttachmentForm::RENDERED_OF_AN_IMAGE,
    AttachmentForm::FILE_SAID_TWICE,
    AttachmentForm::PLAN_MODE_EXIT_BARE,
    AttachmentForm::SKILL_LISTING_OF_A_LIST,
    AttachmentForm::FILE_THAT_ENDS_ITS_WRAPPER,
    AttachmentForm::ASYNC_HOOK_RESPONSE,
    AttachmentForm::QUEUED_COMMAND_WITH_IMAGE,
    AttachmentForm::DATE_CHANGE,
    AttachmentForm::IMAGE_FILE,
    AttachmentForm::PDF_FILE,
    AttachmentForm::PLAN_MODE,
    AttachmentForm::NESTED_MEMORY,
    AttachmentForm::DIAGNOSTICS_OF_A_HINT,
    AttachmentForm::SELECTED_LINES_IN_IDE,
    AttachmentForm::RENDERED,
    AttachmentForm::RENDERED_AS_OTHER_WORDS,
    AttachmentForm::RENDERED_OF_TWO_PARTS,
];
