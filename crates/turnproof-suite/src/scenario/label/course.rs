//! Labels of a *course*: what an action meant when it was taken, as the engine reports it.

use std::collections::HashMap;

use crate::engine::{Failure, HookOutcome, Keep, MAX_RETRIES, Preserve};
use crate::json::Text;
use crate::message::{Event, Message};

use super::{CAUSAL, Labels, OFTEN, SELDOM, at, has, labels, put};

use crate::scenario::pool::{PoolText, Subtype};
use crate::scenario::{Action, BlockPlan, Case, Choice, Gives, HookTime, Meta, Phase, Standing, Stop, Taken, Written};
use Action::{
    Attach, Block, Break, Compact, Crash, Deny, Disk, End, Fail, Fallback, Fork, Hook, Interrupt, Microcompact,
    OtherWriter, Paste, Ping, Progress, Resume, Subagent, Summary, Type,
};
use Failure::{ImageTooLarge, PdfLocked, PdfTooLarge, RequestTooLarge};
use Phase::{Dead, Idle, Streaming, Tools};

// An action, and what the loop waited for. `seen` is what the case held before.
labels! { ACTIONS, fn meant(action: Action, taken: &Taken, before: &Standing, seen: &Labels)
    match (action, before.stage) => {
    CAUSAL OFTEN
    "prompt/typed" "a prompt": (Type(_) | Paste(_), Idle),
    "prompt/while-streaming" "a prompt that waits for the end of the reply": (Type(_) | Paste(_), Streaming),
    "prompt/while-tools-run" "a prompt that waits for tools": (Type(_) | Paste(_), Tools),
    "prompt/two-that-wait" "two prompts that wait": (Type(_) | Paste(_), Streaming | Tools) if taken.after.prompts > 1,
    "prompt/with-image" "a prompt with a pasted image": (Paste(count), _) if count % 4 > 0,
    "prompt/with-image-that-waits" "a prompt with a pasted image that waits":
        (Paste(count), Streaming | Tools) if count % 4 > 0,
    "prompt/of-several-texts" "a prompt of two texts": (Paste(4..), _),
    "prompt/in-a-row" "two user messages one after the other",
    "meta/text" "a text for the model alone": (Action::Meta(Meta::Text(_)), _),
    "meta/image" "an image for the model alone": (Action::Meta(Meta::Image | Meta::DocumentAndImage), _),
    "meta/document" "a document for the model alone": (Action::Meta(Meta::Document | Meta::DocumentAndImage), _),
    "reply/of-many-blocks" "a reply of three blocks or more": (Block(..), _) if before.blocks > 1,
    "reply/of-no-block" "a reply without a block": (End(_), _) if before.blocks == 0,
    "reply/of-one-delta" "a block in one delta": (Block(_, 0), _),
    "reply/of-many-deltas" "a block in several deltas": (Block(_, 2..), _),
    "reply/without-its-last-stop" "a reply that ends in the middle of a block": (End(_), _) if before.is_mid_block,
    "reply/ping" "a ping": (Ping, _),
    "stop/end-turn" "a reply that ends the turn": (End(Stop::Done), _) if before.calls == 0,
    "stop/tool-use" "a reply that ends with calls": (End(Stop::Done), _) if before.calls > 0,
    "stop/max-tokens" "a reply that reaches the limit and is made to go on":
        (End(Stop::MaxTokens), _) if before.calls == 0,
    "stop/max-tokens-in-a-call" "a reply whose last call is cut by the limit":
        (End(Stop::MaxTokens), _) if before.calls > 0,
    "stop/stop-sequence" "a reply that ends at a stop sequence": (End(Stop::StopSequence), _),
    "stop/refusal" "a reply that the model refuses to go on with": (End(Stop::Refusal), _),
    "fail/with-open-calls" "an error that leaves calls open": (Break | Fail(_), _) if before.calls > 0,
    "retry/nothing-shown" "a request that is sent again before a reply began"
        if is_retried(action, before) && before.blocks == 0,
    "retry/shown" "a reply that is withdrawn and asked for again" if is_retried(action, before) && before.blocks > 0,
    "retry/shown-on-disk" "a reply on disk that is withdrawn and asked for again",
    "retry/mid-block" "a connection that breaks in the middle of a block"
        if is_retried(action, before) && before.is_mid_block,
    "retry/then-a-reply" "a reply that hangs on the notice of a withdrawn one": (Block(..), _) if before.is_withdrawn,
    "retry/twice" "a request that is sent again twice" if is_retried(action, before) && before.retries > 0,
    "fallback/nothing-shown" "another model before a reply began": (Fallback, _) if before.blocks == 0,
    "fallback/shown" "another model after a reply was shown": (Fallback, _) if before.blocks > 0,
    "fallback/shown-on-disk" "another model after a reply was on disk",
    "fallback/mid-block" "another model in the middle of a block": (Fallback, _) if before.is_mid_block,
    "withdrawn/with-a-result" "a withdrawn call that had its result"
        if (action == Fallback || is_retried(action, before)) && before.results > 0,
    "withdrawn/with-a-result-on-disk" "a withdrawn call whose result is on disk",
    "late-fields/of-other-members" "a reply whose end says more than its reason and its cost":
        (End(Stop::MaxTokens | Stop::StopSequence | Stop::Refusal), _) if before.blocks > 0,
    "call-id/of-each-reply" "a call id that two replies use, since the model numbers the calls of each",
    "result/before-the-end" "a result before the end of the reply": (Action::Result { .. }, Streaming),
    "result/plain" "a result of text": (Action::Result { gives: Gives::Plain, .. }, _),
    "result/of-blocks" "a result of a list of blocks": (Action::Result { gives: Gives::Blocks, .. }, _),
    "result/failed" "the result of a tool that failed": (Action::Result { gives: Gives::Error, .. }, _),
    "result/empty" "an empty result": (Action::Result { gives: Gives::Nothing, .. }, _),
    "result/with-image" "a result with an image": (Action::Result { gives: Gives::Image, .. }, _),
    "result/of-any-text" "a result of any text":
        (Action::Result { gives: Gives::Text(_) | Gives::TextBlock(_), .. }, _),
    "result/of-an-object" "a result of an object, which is neither text nor a list":
        (Action::Result { gives: Gives::Object, .. }, _),
    "result/of-foreign-parts" "a result of parts with members of another vendor, and half an image":
        (Action::Result { gives: Gives::Foreign, .. }, _),
    "hook/success" "a hook that succeeds": (Hook { outcome: HookOutcome::Success, .. }, _),
    "hook/progress" "a hook that shows output": (Hook { outcome: HookOutcome::Progress, .. }, _),
    "hook/context" "a hook that gives context": (Hook { outcome: HookOutcome::Context, .. }, _),
    "hook/error" "a hook that fails": (Hook { outcome: HookOutcome::Error, .. }, _),
    "hook/result" "a hook with an outcome of its own kind": (Hook { outcome: HookOutcome::Result, .. }, _),
    "hook/stop-summary" "the summary of hooks at the end of a turn":
        (Hook { outcome: HookOutcome::StopSummary, .. }, _),
    "hook/before-use" "a hook before a call" if may_name_a_call(action, HookTime::Before) && before.calls > 0,
    "hook/after-use" "a hook after a call" if may_name_a_call(action, HookTime::After) && before.calls > 0,
    "hook/of-the-session" "a hook of no call":
        (Hook { outcome, .. }, _) if outcome != HookOutcome::StopSummary && before.calls == 0,
    "hook/while-streaming" "a hook while the reply streams": (Hook { .. }, Streaming),
    "progress/of-a-tool" "a tool shows output": (Progress(_), _),
    "summary/in-time" "a summary of tools before the next reply": (Summary(true), _),
    "summary/then-a-reply" "a summary of tools, and then the next reply",
    "subagent/one" "a subagent": (Subagent(_), _),
    "late-fields/while-queued" "the end of a reply whose lines wait for the disk":
        (End(_), _) if before.blocks > 0 && before.is_reply_queued,
    "interrupt/idle" "an interruption of nothing",
    "interrupt/while-waiting" "an interruption before the reply began": (Interrupt, Streaming) if before.blocks == 0,
    "interrupt/between-blocks" "an interruption between two blocks":
        (Interrupt, Streaming) if before.blocks > 0 && !before.is_mid_block,
    "interrupt/mid-block" "an interruption in the middle of a block": (Interrupt, Streaming) if before.is_mid_block,
    "interrupt/while-tools-run" "an interruption while tools run": (Interrupt, Tools),
    "interrupt/with-open-calls" "an interruption that leaves calls open": (Interrupt, _) if before.calls > 0,
    "interrupt/with-prompts-that-wait" "an interruption while prompts wait": (Interrupt, _) if before.prompts > 0,
    "compaction/manual" "a compaction by the user": (Compact { is_automatic: false, .. }, _),
    "compaction/automatic" "a compaction by the client": (Compact { is_automatic: true, .. }, _),
    "compaction/keeps-nothing" "a compaction that keeps nothing":
        (Compact { keep: Keep::Nothing | Keep::Last(0) | Keep::First(0), .. }, _),
    "compaction/keeps-the-last" "a compaction that keeps the last messages": (Compact { keep: Keep::Last(1..), .. }, _),
    "compaction/keeps-the-first" "a compaction that keeps the first messages":
        (Compact { keep: Keep::First(1..), .. }, _),
    "compaction/by-segment" "kept messages named by the first and the last"
        if preserves(action) == Some(Preserve::Segment),
    "compaction/by-messages" "kept messages named one by one" if preserves(action) == Some(Preserve::Messages),
    "compaction/both-ways" "kept messages named both ways" if preserves(action) == Some(Preserve::Both),
    "compaction/that-waits" "a compaction that waits for tools": (Compact { .. }, Streaming | Tools),
    "compaction/again" "a compaction after a compaction": (Compact { .. }, _) if was_compacted(seen),
    "compaction/then-resumed" "a compaction, and a resume": (Resume, _) if was_compacted(seen),
    "compaction/micro" "results that are cleared": (Microcompact(_), _),
    "crash/idle" "a crash between turns": (Crash(_), Idle | Dead),
    "crash/while-waiting" "a crash before the reply began": (Crash(_), Streaming) if before.blocks == 0,
    "crash/between-blocks" "a crash between two blocks":
        (Crash(_), Streaming) if before.blocks > 0 && !before.is_mid_block,
    "crash/mid-block" "a crash in the middle of a block": (Crash(_), Streaming) if before.is_mid_block,
    "crash/while-tools-run" "a crash while tools run": (Crash(_), Tools),
    "crash/with-loss" "a crash that takes bytes with it": (Crash(1..), _),
    "crash/without-loss" "a crash that leaves all bytes": (Crash(0), _),
    "crash/torn-end" "a crash that leaves a torn line": (Crash(_), _) if taken.is_torn,
    "resume/after-a-crash" "a resume after a crash": (Resume, Dead),
    "resume/in-good-order" "a resume after an orderly end": (Resume, Idle),
    "resume/then-a-prompt" "a prompt after a resume":
        (Type(_) | Paste(_), _) if has!(seen, "resume/after-a-crash") || has!(seen, "resume/in-good-order"),
    "disk/full" "a disk that becomes full": (Disk(Some(_)), _),
    "other-writer/whole-line" "another process writes a line": (OtherWriter(Written::Line), _),
    "other-writer/torn-line" "another process writes half a line": (OtherWriter(Written::TornLine), _),
    "other-writer/no-line-end" "another process writes a line without its end":
        (OtherWriter(Written::LineWithoutEnd), _),
    CAUSAL SELDOM
    "result/long" "a result of ten thousand characters":
        (Action::Result { gives: Gives::Text(PoolText::Long), .. }, _),
    "notice/of-any-text" "a notice with words of somebody": (Action::Tell(_), _),
    "speculation/between-turns" "a guess of what comes next, and its answer": (Action::Speculate, Idle),
    "speculation/then-a-prompt" "a prompt after a guess of what comes next":
        (Type(_) | Paste(_), Idle) if has!(seen, "speculation/between-turns"),
    "meta/refused" "an error that refuses media for the model alone":
        (Fail(ImageTooLarge | PdfTooLarge | PdfLocked | RequestTooLarge), _) if before.has_meta_media,
    "attachment/while-tools-run" "an attachment while tools run": (Attach { .. }, Tools),
    "fail/overloaded" "an error: too much to do",
    "fail/rate-limited" "an error: too many requests",
    "fail/server" "an error of the server",
    "fail/connection" "an error: no connection",
    "fail/prompt-too-long" "an error: the prompt is too long",
    "fail/image-too-large" "an error: an image is too large",
    "fail/pdf-too-large" "an error: a PDF is too large",
    "fail/pdf-locked" "an error: a PDF needs a password",
    "fail/request-too-large" "an error: the request is too large",
    "fail/invalid" "an error: the request is not valid",
    "fail/authentication" "an error: the key is not valid",
    "fail/given-up" "an error that has not passed after all tries"
        if failure(action).is_some_and(Failure::may_pass) && !is_retried(action, before),
    "deny/others-are-cancelled" "a rejection that cancels other calls":
        (Deny { denial, .. }, _) if denial.stops_the_turn() && before.calls > 1,
    "summary/failed" "a summary of tools that failed": (Summary(false), _),
    "subagent/two-turns" "a subagent that is told something twice": (Subagent(_), _) if has!(seen, "subagent/one"),
    "fork/whole" "a fork of a whole conversation": (Fork(before_last), _) if before_last % 8 == 0,
    "fork/shorter" "a fork of the beginning of a conversation": (Fork(before_last), _) if before_last % 8 > 0,
    "fork/of-a-fork" "a fork of a fork": (Fork(_), _) if has!(seen, "fork/whole") || has!(seen, "fork/shorter"),
    "fork/after-a-compaction" "a fork of a compacted conversation": (Fork(_), _) if was_compacted(seen),
    "disk/refuses-a-prompt" "a prompt that the disk does not take":
        (Type(_) | Paste(_), Idle) if taken.after.stage == Idle,
    "stop/max-tokens-to-the-end" "a reply that reaches the limit until the turn is given up",
    "compaction/micro-then-resumed" "results that are cleared, and a resume":
        (Resume, _) if has!(seen, "compaction/micro"),
    "prompt/queued-on-disk" "a prompt that waits, and a request after it":
        (Action::Result { .. } | Interrupt | End(_), _) if before.prompts > 0 && taken.after.prompts == 0,
    "disk/free-again" "a disk that takes everything again": (Disk(None), _),
} }

/// The failure that an action reports.
fn failure(action: Action) -> Option<Failure> {
    match action {
        Break => Some(Failure::Connection),
        Fail(failure) => Some(failure),
        _ => None,
    }
}

/// Whether the action is a failure after which the request is sent again.
fn is_retried(action: Action, before: &Standing) -> bool {
    failure(action).is_some_and(Failure::may_pass) && before.retries < MAX_RETRIES
}

/// Whether the action is a hook at this time, of an outcome that names the call if one is open.
fn may_name_a_call(action: Action, time: HookTime) -> bool {
    matches!(action, Hook { when, outcome, .. } if when == time && outcome != HookOutcome::StopSummary)
}

/// How a compaction names what it keeps. `None` if it keeps nothing.
fn preserves(action: Action) -> Option<Preserve> {
    match action {
        Compact { keep: Keep::Last(1..) | Keep::First(1..), preserve, .. } => Some(preserve),
        _ => None,
    }
}

fn was_compacted(seen: &Labels) -> bool {
    has!(seen, "compaction/manual") || has!(seen, "compaction/automatic")
}

impl Labels {
    pub(super) fn course(&mut self, actions: &[Action], case: &Case<'_>) {
        for (action, taken) in actions.iter().zip(case.taken()) {
            if taken.happened {
                let seen = *self;
                self.meant(*action, taken, &taken.before, &seen);
                self.said(*action, &taken.before);
            } else {
                put!(self, "interrupt/idle", *action == Interrupt && taken.before.stage == Idle);
            }
        }
        self.yielded(case);
    }

    /// What an action says: its texts, blocks and kinds.
    fn said(&mut self, action: Action, before: &Standing) {
        match action {
            Type(text) | Action::Command(text) | Action::Meta(Meta::Text(text)) => self.put(text.label()),
            Paste(count) => put!(self, "block/image", count % 4 > 0),
            Attach { form, text } => self.attachment(form, text),
            Action::Notice(subtype) => self.put(subtype.label()),
            Action::Misfit(what) => self.put(what.label()),
            Block(block, _) => {
                self.block(block);
                put!(self, "call/parallel", matches!(block, BlockPlan::ToolUse { .. }) && before.calls > 0);
            }
            Deny { denial, .. } => {
                put!(self, "block/tool-result");
                self.put(denial.label());
            }
            Action::Side(side) => self.side(side),
            Action::Result { call, gives } => {
                put!(self, "block/tool-result");
                put!(self, "call/answered");
                let is_first = before.calls == 0 || usize::from(call).is_multiple_of(before.calls);
                put!(self, "result/out-of-order", !is_first);
                put!(self, "block/image", gives == Gives::Image);
                if let Gives::Text(text) | Gives::TextBlock(text) = gives {
                    self.put(text.label());
                }
            }
            _ => {}
        }
        if let Some(failure) = failure(action) {
            self.put(const { at("fail/overloaded") } + failure as usize);
        }
    }

    /// What the loop yielded.
    fn yielded(&mut self, case: &Case<'_>) {
        let (mut was_prompt, mut was_summary) = (false, false);
        let mut results = Vec::new();
        let mut callers: HashMap<Text, Option<Text>> = HashMap::new();
        for event in case.engine().log().events() {
            self.kind(event.kind());
            was_summary |= matches!(event, Event::ToolUseSummary(_));
            let Event::Message(message) = event else { continue };
            match message {
                Message::System(system) => {
                    let subtype = system.subtype.as_str().unwrap_or_default();
                    let known = Subtype::ALL.iter().find(|known| *known.what() == subtype && !subtype.is_empty());
                    known.into_iter().for_each(|known| self.put(known.label()));
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
                    let its_id = reply.reply_id().map(Text::from);
                    for call in message.tool_uses().filter_map(|call| call.id.get()) {
                        let earlier = callers.insert(call.clone(), its_id.clone());
                        put!(self, "call-id/of-each-reply", earlier.is_some_and(|earlier| earlier != its_id));
                    }
                    let is_error = reply.error.get().is_some();
                    let kind = reply.api_error.get().and_then(|kind| kind.read::<&str>().ok());
                    put!(self, "stop/max-tokens-to-the-end", kind == Some("max_output_tokens"));
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
}
