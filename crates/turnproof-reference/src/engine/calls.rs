//! *Calls* of tools: progress, results, denials, interruptions, summaries and hooks (SPEC 5.3, 5.5).

use serde_json::json;

use crate::json::{Fields, Raw, Text};
use crate::message::constants::{
    CANCEL, INTERRUPTION_FOR_TOOL_USE, PLAN_REJECTION_PREFIX, REJECT, REJECT_WITH_REASON_PREFIX, SUBAGENT_REJECT,
    SUBAGENT_REJECT_WITH_REASON_PREFIX, automatic_denial, classifier_denial, dont_ask_denial,
};
use crate::message::{AttachmentBody, Context, Message, ToolResult, Typed};
use crate::operation::Moment;

use super::input::{Denial, Hook, HookOutcome};
use super::state::{Engine, OpenCall, Phase, Refused};

impl<C: Context> Engine<C> {
    /// Opens the calls of a line that has just been yielded, except those whose id is known already.
    pub(super) fn open(&mut self, line: &Message) {
        let uuid = line.envelope().uuid.get().cloned().unwrap_or_default();
        for call in line.tool_uses() {
            let Some(id) = call.id.get() else { continue };
            if !self.is_known(id) {
                let tool = call.name.get().cloned().unwrap_or_default();
                self.turn.calls.push(OpenCall { id: id.clone(), tool, line: uuid.clone() });
            }
        }
    }

    /// Whether a call has this id already: open, or answered in the conversation.
    fn is_known(&self, id: &Text) -> bool {
        self.turn.calls.iter().any(|open| open.id == *id) || self.turn.answered.contains(id)
    }

    fn find(&self, call: &str) -> Result<usize, Refused> {
        self.turn.calls.iter().position(|open| open.id == call).ok_or(Refused::NoSuchCall)
    }

    /// Answers the open call at an index.
    fn answer(&mut self, at: usize, result: ToolResult, output: Raw) {
        let call = self.turn.calls.remove(at);
        let user = self.factory().tool_result(result, output, call.line);
        self.turn.answered.push(call.id);
        self.say(user);
    }

    pub(super) fn answer_with_error(&mut self, at: usize, text: &str) {
        let result = ToolResult::new(self.turn.calls[at].id.clone(), text, true);
        self.answer(at, result, Raw::from(format!("Error: {text}").as_str()));
    }

    pub(super) fn progress(&mut self, call: &str, data: &Raw) -> Result<(), Refused> {
        self.find(call)?;
        let progress = self.factory().progress(format!("{call}-progress"), call, data.clone());
        self.say(progress);
        Ok(())
    }

    pub(super) fn result(&mut self, call: &str, content: &Raw, output: &Raw, is_error: bool) -> Result<(), Refused> {
        let at = self.find(call)?;
        let mut result = ToolResult::new(call, "", is_error);
        result.content = content.clone().into();
        self.answer(at, result, output.clone());
        self.go_on_after_calls();
        Ok(())
    }

    pub(super) fn deny(&mut self, call: &str, denial: &Denial) -> Result<(), Refused> {
        let at = self.find(call)?;
        let text = match denial {
            Denial::User => REJECT.to_owned(),
            Denial::UserWithReason(reason) => format!("{REJECT_WITH_REASON_PREFIX}{reason}"),
            Denial::Subagent => SUBAGENT_REJECT.to_owned(),
            Denial::SubagentWithReason(reason) => format!("{SUBAGENT_REJECT_WITH_REASON_PREFIX}{reason}"),
            Denial::Plan(plan) => format!("{PLAN_REJECTION_PREFIX}{plan}"),
            Denial::Rule => automatic_denial(&self.turn.calls[at].tool),
            Denial::DontAsk => dont_ask_denial(&self.turn.calls[at].tool),
            Denial::Classifier(reason) => classifier_denial(reason),
            Denial::Cancel => CANCEL.to_owned(),
        };
        self.answer_with_error(at, &text);
        if matches!(denial, Denial::User | Denial::Cancel) {
            self.turn.is_stopped = true;
        }
        self.go_on_after_calls();
        Ok(())
    }

    /// Sends the next request when the reply has ended and no call is open. After a rejection without a reason the
    /// turn ends instead.
    pub(super) fn go_on_after_calls(&mut self) {
        if !matches!(self.phase, Phase::Tools) {
            return;
        }
        if self.turn.is_stopped {
            while !self.turn.calls.is_empty() {
                self.answer_with_error(0, CANCEL);
            }
            let notice = self.factory().user_interruption_for_tool_use();
            self.say(notice);
            return self.end_turn();
        }
        if self.turn.calls.is_empty() {
            if self.options.orders_summaries && !self.turn.answered.is_empty() {
                let calls = self.turn.answered.clone();
                self.note(|| Moment::SummaryOrdered(names(&calls)));
                self.turn.summary = Some(calls);
            }
            self.join_queue();
            self.request();
        }
    }

    /// The summary that was ordered is not waited for any longer.
    pub(super) fn forget_summary(&mut self) {
        if let Some(calls) = self.turn.summary.take() {
            self.note(|| Moment::SummaryFailed(names(&calls)));
        }
    }

    pub(super) fn summarized(&mut self, summary: Option<&str>) -> Result<(), Refused> {
        let calls = self.turn.summary.take().ok_or(Refused::Nothing)?;
        match summary {
            Some(text) => {
                let event = self.factory().tool_use_summary(text, calls);
                self.pass(event.into());
            }
            None => self.note(|| Moment::SummaryFailed(names(&calls))),
        }
        Ok(())
    }

    /// Answers every open call with a text that says why it has no result of its own.
    pub(super) fn give_up_calls(&mut self, why: &str) {
        while let Some(call) = self.turn.calls.first() {
            let result = ToolResult::new(call.id.clone(), why, true);
            self.answer(0, result, Raw::from(why));
        }
    }

    pub(super) fn interrupt(&mut self) -> Result<(), Refused> {
        if self.is_idle() {
            return Err(Refused::Idle);
        }
        let held_by_tool = !self.turn.calls.is_empty();
        self.give_up_calls(INTERRUPTION_FOR_TOOL_USE);
        let notice = match held_by_tool {
            true => self.factory().user_interruption_for_tool_use(),
            false => self.factory().user_interruption(),
        };
        self.say(notice);
        self.end_turn();
        Ok(())
    }

    pub(super) fn hook(&mut self, hook: &Hook) -> Result<(), Refused> {
        if let Some(call) = &hook.call {
            // A hook may run after the tool has its result, too.
            if !self.is_known(&Text::from(call.as_str())) {
                return Err(Refused::NoSuchCall);
            }
        }
        let call = hook.call.clone().unwrap_or_default();
        let name = format!("{}:tool", hook.event.name());
        let attached = |kind: &str, call: String| {
            let members = json!({"hookName": name, "toolUseID": call, "hookEvent": hook.event.name(),
                "content": ["checked"]});
            AttachmentBody::new(kind, Fields::read(&Raw::from(&members)).unwrap_or_default())
        };
        let mut factory = self.factory();
        let message: Message = match hook.outcome {
            HookOutcome::Progress => {
                let data = json!({"type": "hook_progress", "hookEvent": hook.event.name(), "hookName": name,
                    "command": "check"});
                factory.progress(call.clone(), call, Raw::from(&data)).into()
            }
            HookOutcome::Result => {
                let said = format!("{name} said so");
                factory.hook_result(hook.event.name(), Some(&name), hook.call.as_deref(), said).into()
            }
            HookOutcome::StopSummary => {
                let infos = vec![Raw::from(&json!({"command": "check"}))];
                let mut summary = factory.stop_hook_summary(infos, Vec::new(), false, None);
                summary.tool_use_id = Text::from(call).into();
                summary.into()
            }
            HookOutcome::Success => factory.attachment(attached("hook_success", call)).into(),
            HookOutcome::Context => factory.attachment(attached("hook_additional_context", call)).into(),
            HookOutcome::Error => factory.attachment(attached("hook_non_blocking_error", call)).into(),
        };
        self.say(message);
        Ok(())
    }
}

fn names(calls: &[Text]) -> Vec<String> {
    calls.iter().map(|call| call.as_str().to_owned()).collect()
}
