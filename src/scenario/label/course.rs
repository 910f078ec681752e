//! Labels of a *course*: what an action meant where the loop stood, as the engine says it.

use crate::engine::{Failure, HookOutcome, Keep, MAX_RETRIES, Preserve};
use crate::message::{Event, Message};
use crate::scenario::action::{Action, Gives, HookTime, Meta, Stop, Written};
use crate::scenario::line::BlockPlan;
use crate::scenario::standing::{Stage, Standing, Taken};

use super::super::Case;
use super::{Labels, at, has, put};

impl Labels {
    /// A conversation.
    pub(super) fn course(&mut self, actions: &[Action], case: &Case<'_>) {
        for (action, taken) in actions.iter().zip(case.taken()) {
            let is_idle = taken.before.stage == Stage::Idle;
            match taken.happened {
                true => self.action(*action, taken),
                false => put!(self, "interrupt/idle", *action == Action::Interrupt && is_idle),
            }
        }
        self.yielded(case);
    }

    /// What the loop yielded.
    fn yielded(&mut self, case: &Case<'_>) {
        let (mut was_prompt, mut was_summary) = (false, false);
        let mut results = Vec::new();
        for event in case.engine().log().events() {
            self.kind(event.kind());
            was_summary |= matches!(event, Event::ToolUseSummary(_));
            let Event::Message(message) = event else { continue };
            match message {
                Message::System(system) => {
                    let subtype = system.subtype.as_str().unwrap_or_default();
                    self.subtype_named(subtype);
                    let withdrawn = system.retracted_message_uuids.get();
                    put!(self, "retry/shown-on-disk", withdrawn.is_some() && subtype == "api_error");
                    put!(self, "fallback/shown-on-disk", withdrawn.is_some() && subtype == "informational");
                    let is_result = |uuid| results.contains(uuid);
                    let has_result = withdrawn.is_some_and(|uuids| uuids.iter().any(is_result));
                    put!(self, "withdrawn/with-a-result-on-disk", has_result);
                }
                Message::User(user) => {
                    was_summary = false;
                    if message.tool_results().next().is_some() {
                        results.extend(user.envelope.uuid.get().cloned());
                    }
                }
                Message::Assistant(reply) => {
                    let is_error = reply.error.get().is_some();
                    put!(self, "summary/then-a-reply", was_summary && !is_error);
                    was_summary = false;
                }
                _ => {}
            }
            let is_prompt = matches!(message, Message::User(_));
            put!(self, "prompt/in-a-row", is_prompt && was_prompt);
            was_prompt = is_prompt;
        }
    }

    fn action(&mut self, action: Action, taken: &Taken) {
        let before = &taken.before;
        match action {
            Action::Type(text) => {
                self.put(text.label());
                self.typed(taken, false);
            }
            Action::Paste(count) => self.typed(taken, count % 4 > 0),
            Action::Meta(form) => self.meta(form),
            Action::Attach { form, text } => {
                self.attachment(form, text);
                put!(self, "attachment/while-tools-run", before.stage == Stage::Tools);
            }
            Action::Command(text) => self.put(text.label()),
            Action::Notice(subtype) => self.put(subtype.label()),
            Action::Block(block, cuts) => self.streamed(block, cuts, before),
            Action::HalfBlock(_) => {}
            Action::Ping => put!(self, "reply/ping"),
            Action::End(stop) => self.ended(stop, before),
            Action::Break => self.failed(Failure::Connection, before),
            Action::Fail(failure) => self.failed(failure, before),
            Action::Fallback => self.fell_back(before),
            Action::Progress(_) => put!(self, "progress/of-a-tool"),
            Action::Hook { when, outcome, .. } => self.hook(when, outcome, before),
            Action::Result { call, gives } => self.result(call, gives, before),
            Action::Deny { denial, .. } => {
                put!(self, "block/tool-result");
                self.put(denial.label());
                put!(self, "deny/others-are-cancelled", denial.stops_the_turn() && before.calls > 1);
            }
            Action::Interrupt => self.interrupted(before),
            Action::Summary(came) => {
                put!(self, "summary/in-time", came);
                put!(self, "summary/failed", !came);
            }
            Action::Side(side) => self.side(side),
            Action::Wait(_) => {}
            other => self.session(other, taken),
        }
    }

    /// What happens to the session. What it has been through before is what labels say so far.
    fn session(&mut self, action: Action, taken: &Taken) {
        let was_compacted = has!(self, "compaction/manual") || has!(self, "compaction/automatic");
        match action {
            Action::Compact { keep, preserve, is_automatic } => {
                put!(self, "compaction/again", was_compacted);
                put!(self, "compaction/that-waits", taken.before.stage != Stage::Idle);
                put!(self, "compaction/automatic", is_automatic);
                put!(self, "compaction/manual", !is_automatic);
                self.kept(keep, preserve);
            }
            Action::Microcompact(_) => put!(self, "compaction/micro"),
            Action::Subagent(_) => {
                put!(self, "subagent/two-turns", has!(self, "subagent/one"));
                put!(self, "subagent/one");
            }
            Action::Disk(times) => {
                put!(self, "disk/full", times.is_some());
                put!(self, "disk/free-again", times.is_none());
            }
            Action::OtherWriter(Written::Line) => put!(self, "other-writer/whole-line"),
            Action::OtherWriter(Written::TornLine) => put!(self, "other-writer/torn-line"),
            Action::OtherWriter(Written::LineWithoutEnd) => put!(self, "other-writer/no-line-end"),
            Action::Crash(lost) => self.crashed(lost, taken),
            Action::Resume => {
                put!(self, "resume/after-a-crash", taken.before.stage == Stage::Dead);
                put!(self, "resume/in-good-order", taken.before.stage == Stage::Idle);
                put!(self, "compaction/then-resumed", was_compacted);
            }
            Action::Fork(before_last) => {
                put!(self, "fork/of-a-fork", has!(self, "fork/whole") || has!(self, "fork/shorter"));
                put!(self, "fork/whole", before_last % 8 == 0);
                put!(self, "fork/shorter", before_last % 8 > 0);
                put!(self, "fork/after-a-compaction", was_compacted);
            }
            _ => {}
        }
    }

    fn kept(&mut self, keep: Keep, preserve: Preserve) {
        match keep {
            Keep::Nothing | Keep::Last(0) | Keep::First(0) => return put!(self, "compaction/keeps-nothing"),
            Keep::Last(_) => put!(self, "compaction/keeps-the-last"),
            Keep::First(_) => put!(self, "compaction/keeps-the-first"),
        }
        match preserve {
            Preserve::Segment => put!(self, "compaction/by-segment"),
            Preserve::Messages => put!(self, "compaction/by-messages"),
            Preserve::Both => put!(self, "compaction/both-ways"),
        }
    }

    fn typed(&mut self, taken: &Taken, has_image: bool) {
        put!(self, "block/image", has_image);
        put!(self, "prompt/with-image", has_image);
        let is_resumed = has!(self, "resume/after-a-crash") || has!(self, "resume/in-good-order");
        put!(self, "resume/then-a-prompt", is_resumed);
        match taken.before.stage {
            Stage::Idle => {
                put!(self, "prompt/typed");
                put!(self, "disk/refuses-a-prompt", taken.after.stage == Stage::Idle);
            }
            stage => {
                put!(self, "prompt/while-streaming", stage == Stage::Streaming);
                put!(self, "prompt/while-tools-run", stage == Stage::Tools);
                put!(self, "prompt/with-image-that-waits", has_image);
                put!(self, "prompt/two-that-wait", taken.after.prompts > 1);
            }
        }
    }

    fn meta(&mut self, form: Meta) {
        match form {
            Meta::Text(text) => {
                put!(self, "meta/text");
                self.put(text.label());
            }
            _ => {
                put!(self, "meta/image", form != Meta::Document);
                put!(self, "meta/document", form != Meta::Image);
            }
        }
    }

    fn streamed(&mut self, block: BlockPlan, cuts: u8, before: &Standing) {
        self.block(block);
        put!(self, "reply/of-one-delta", cuts == 0);
        put!(self, "reply/of-many-deltas", cuts > 1);
        put!(self, "reply/of-many-blocks", before.blocks > 1);
        put!(self, "call/parallel", matches!(block, BlockPlan::ToolUse { .. }) && before.calls > 0);
        put!(self, "retry/then-a-reply", before.is_withdrawn);
    }

    fn ended(&mut self, stop: Stop, before: &Standing) {
        put!(self, "reply/of-no-block", before.blocks == 0);
        put!(self, "reply/without-its-last-stop", before.is_mid_block);
        match (stop, before.calls) {
            (Stop::Done, 0) => put!(self, "stop/end-turn"),
            (Stop::Done, _) => put!(self, "stop/tool-use"),
            (Stop::MaxTokens, 0) => put!(self, "stop/max-tokens"),
            (Stop::MaxTokens, _) => put!(self, "stop/max-tokens-in-a-call"),
            (Stop::StopSequence, _) => put!(self, "stop/stop-sequence"),
            (Stop::Refusal, _) => put!(self, "stop/refusal"),
        }
        put!(self, "late-fields/while-queued", before.blocks > 0 && before.is_reply_queued);
    }

    fn failed(&mut self, failure: Failure, before: &Standing) {
        self.put(const { at("fail/overloaded") } + failure as usize);
        put!(self, "fail/with-open-calls", before.calls > 0);
        if !failure.may_pass() || before.retries == MAX_RETRIES {
            put!(self, "fail/given-up", failure.may_pass());
            use Failure::{ImageTooLarge, PdfLocked, PdfTooLarge, RequestTooLarge};
            let refuses = matches!(failure, ImageTooLarge | PdfTooLarge | PdfLocked | RequestTooLarge);
            put!(self, "meta/refused", refuses && before.has_meta_media);
            return;
        }
        put!(self, "retry/nothing-shown", before.blocks == 0);
        put!(self, "retry/shown", before.blocks > 0);
        put!(self, "retry/mid-block", before.is_mid_block);
        put!(self, "retry/twice", before.retries > 0);
        put!(self, "withdrawn/with-a-result", before.results > 0);
    }

    fn fell_back(&mut self, before: &Standing) {
        put!(self, "fallback/nothing-shown", before.blocks == 0);
        put!(self, "fallback/shown", before.blocks > 0);
        put!(self, "fallback/mid-block", before.is_mid_block);
        put!(self, "withdrawn/with-a-result", before.results > 0);
    }

    fn hook(&mut self, when: HookTime, outcome: HookOutcome, before: &Standing) {
        match outcome {
            HookOutcome::Success => put!(self, "hook/success"),
            HookOutcome::Progress => put!(self, "hook/progress"),
            HookOutcome::Context => put!(self, "hook/context"),
            HookOutcome::Error => put!(self, "hook/error"),
            HookOutcome::Result => put!(self, "hook/result"),
            HookOutcome::StopSummary => put!(self, "hook/stop-summary"),
        }
        put!(self, "hook/while-streaming", before.stage == Stage::Streaming);
        if outcome != HookOutcome::StopSummary {
            put!(self, "hook/before-use", before.calls > 0 && when == HookTime::Before);
            put!(self, "hook/after-use", before.calls > 0 && when == HookTime::After);
            put!(self, "hook/of-the-session", before.calls == 0);
        }
    }

    fn result(&mut self, call: u8, gives: Gives, before: &Standing) {
        put!(self, "block/tool-result");
        put!(self, "call/answered");
        let is_first = before.calls == 0 || usize::from(call).is_multiple_of(before.calls);
        put!(self, "result/out-of-order", !is_first);
        put!(self, "result/before-the-end", before.stage == Stage::Streaming);
        match gives {
            Gives::Plain => put!(self, "result/plain"),
            Gives::Blocks => put!(self, "result/of-blocks"),
            Gives::Error => put!(self, "result/failed"),
            Gives::Nothing => put!(self, "result/empty"),
            Gives::Image => {
                put!(self, "result/with-image");
                put!(self, "block/image");
            }
            Gives::Text(text) | Gives::TextBlock(text) => {
                put!(self, "result/of-any-text");
                self.put(text.label());
            }
        }
    }

    fn interrupted(&mut self, before: &Standing) {
        match (before.stage, before.is_mid_block, before.blocks) {
            (Stage::Tools, ..) => put!(self, "interrupt/while-tools-run"),
            (_, true, _) => put!(self, "interrupt/mid-block"),
            (_, false, 0) => put!(self, "interrupt/while-waiting"),
            _ => put!(self, "interrupt/between-blocks"),
        }
        put!(self, "interrupt/with-open-calls", before.calls > 0);
        put!(self, "interrupt/with-prompts-that-wait", before.prompts > 0);
    }

    fn crashed(&mut self, lost: u8, taken: &Taken) {
        match (taken.before.stage, taken.before.is_mid_block, taken.before.blocks) {
            (Stage::Idle | Stage::Dead, ..) => put!(self, "crash/idle"),
            (Stage::Tools, ..) => put!(self, "crash/while-tools-run"),
            (_, true, _) => put!(self, "crash/mid-block"),
            (_, false, 0) => put!(self, "crash/while-waiting"),
            _ => put!(self, "crash/between-blocks"),
        }
        put!(self, "crash/with-loss", lost > 0);
        put!(self, "crash/without-loss", lost == 0);
        put!(self, "crash/torn-end", taken.is_torn);
    }
}
