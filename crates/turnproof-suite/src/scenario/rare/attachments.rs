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

/// What is said of them is easily lost, or taken for the user's words.
const HARD_ATTACHMENTS: [AttachmentForm; 16] = [
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
