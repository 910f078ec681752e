//! Labels of a *course*: what an action meant where the loop stood.

use crate::message::{Event, Message, SUBTYPES};
use crate::scenario::action::Action;
use crate::scenario::line::BlockPlan;
use crate::scenario::pool::{ATTACHMENTS, PLAIN_ATTACHMENTS};
use crate::scenario::standing::{Stage, Standing};

use super::super::Case;
use super::{Labels, at, put};

/// The failures that pass, by their number.
const PASSING: u8 = 4;

/// How long a line waits for the disk, in steps of 25 milliseconds.
const DUE: u32 = 4;

/// What is remembered from one action to the next.
#[derive(Default)]
struct Memory {
    /// Whether a block has begun that has not ended.
    is_mid_block: bool,
    /// Prompts that wait.
    waiting: u8,
    /// Tries after failures, of one request.
    retries: u8,
    /// Whether what a try showed was withdrawn, and no block has come since.
    is_withdrawn: bool,
    /// Results in the reply that streams; whether they have waited for the disk.
    results: u8,
    results_waited: bool,
    /// Media for the model alone came with the request.
    has_meta_media: bool,
    has_summary: bool,
    compactions: u8,
    forks: u8,
    subagents: u8,
    is_resumed: bool,
    /// How long lines of the reply wait for the disk; none when none does.
    queued: Option<u32>,
    /// Whether late fields have come to lines that wait.
    is_late: bool,
}

impl Labels {
    /// A conversation.
    pub(super) fn course(&mut self, actions: &[Action], case: &Case<'_>) {
        let mut memory = Memory::default();
        let standings = case.standings();
        for (number, (action, standing)) in actions.iter().zip(standings).enumerate() {
            put!(
                self,
                "crash/torn-end",
                matches!(action, Action::Crash(_)) && standing.happened && standing.is_torn
            );
            let after = standings.get(number + 1).map_or(Stage::Dead, |next| next.stage);
            match standing.happened {
                true => self.action(*action, *standing, after, &mut memory),
                false => put!(
                    self,
                    "interrupt/idle",
                    *action == Action::Interrupt && standing.stage == Stage::Idle
                ),
            }
        }
        put!(self, "late-fields/while-queued", memory.is_late);
        self.yielded(case);
    }

    /// What the loop yielded, and what was left of the file.
    fn yielded(&mut self, case: &Case<'_>) {
        let mut was_prompt = false;
        for event in case.engine().log().events() {
            let kind = event.kind();
            self.kind(kind as usize);
            let Event::Message(message) = event else { continue };
            if let Message::System(system) = message {
                let subtype = system.subtype.as_str().unwrap_or_default();
                self.subtype_named(subtype);
                let names_lines = system.retracted_message_uuids.get().is_some();
                put!(self, "retry/shown-on-disk", names_lines && subtype == "api_error");
                put!(self, "fallback/shown-on-disk", names_lines && subtype == "informational");
            }
            let is_prompt = matches!(message, Message::User(_));
            put!(self, "prompt/in-a-row", is_prompt && was_prompt);
            was_prompt = is_prompt;
        }
    }

    fn action(&mut self, action: Action, standing: Standing, after: Stage, memory: &mut Memory) {
        match action {
            Action::Type(text) => {
                self.text(text);
                self.typed(standing, after, false, memory);
            }
            Action::Paste(count) => self.typed(standing, after, count % 4 > 0, memory),
            Action::Meta(which) => self.meta(which, memory),
            Action::Attach(which) => {
                let form = which % PLAIN_ATTACHMENTS;
                self.attachment(form);
                if ATTACHMENTS.get(usize::from(form)).is_some_and(|json| json.contains('$')) {
                    self.text(which / PLAIN_ATTACHMENTS);
                }
                put!(self, "attachment/while-tools-run", standing.stage == Stage::Tools);
            }
            Action::Command(text) => self.text(text),
            Action::Block(block, cuts) => self.streamed(block, cuts, standing, memory),
            Action::HalfBlock(_) => memory.is_mid_block = true,
            Action::Ping => put!(self, "reply/ping"),
            Action::End(reason) => self.ended(reason, standing, memory),
            Action::Break => self.failed(3, standing, memory),
            Action::Fail(which) => self.failed(which % 11, standing, memory),
            Action::Fallback => self.fell_back(standing, memory),
            Action::Progress(_) => put!(self, "progress/of-a-tool"),
            Action::Hook(_, form) => self.hook(form, standing),
            Action::Result(which, form) => self.result(which, form, standing, memory),
            Action::Deny(_, denial) => self.denied(denial % 9, standing),
            Action::Interrupt => self.interrupted(standing, memory),
            Action::Summary(came) => {
                put!(self, "summary/in-time", came);
                put!(self, "summary/failed", !came);
                memory.has_summary = came;
            }
            Action::Side(which) => {
                self.side(which);
                memory.note_list();
            }
            Action::Wait(times) => {
                put!(self, "late-fields/while-queued", memory.wait(u32::from(times)));
            }
            other => self.session(other, standing, memory),
        }
    }

    /// What happens to the session.
    fn session(&mut self, action: Action, standing: Standing, memory: &mut Memory) {
        match action {
            Action::Notice(which) => {
                let others = SUBTYPES.iter().filter(|name| !name.ends_with("boundary"));
                let index = usize::from(which) % others.clone().count();
                others.skip(index).take(1).for_each(|name| self.subtype_named(name));
            }
            Action::Compact(keep, form) => self.compacted(keep, form, standing, memory),
            Action::Microcompact(_) => put!(self, "compaction/micro"),
            Action::Subagent(_) => {
                put!(self, "subagent/one");
                put!(self, "subagent/two-turns", memory.subagents > 0);
                memory.subagents += 1;
            }
            Action::Disk(times) => {
                put!(self, "disk/full", times < 255);
                put!(self, "disk/free-again", times == 255);
            }
            Action::OtherWriter(which) => match which % 3 {
                0 => put!(self, "other-writer/whole-line"),
                1 => put!(self, "other-writer/torn-line"),
                _ => put!(self, "other-writer/no-line-end"),
            },
            Action::Crash(lost) => self.crashed(lost, standing, memory),
            Action::Resume => {
                put!(self, "resume/after-a-crash", standing.stage == Stage::Dead);
                put!(self, "resume/in-good-order", standing.stage == Stage::Idle);
                put!(self, "compaction/then-resumed", memory.compactions > 0);
                memory.is_resumed = true;
            }
            Action::Fork(before_last) => {
                put!(self, "fork/whole", before_last % 8 == 0);
                put!(self, "fork/shorter", before_last % 8 > 0);
                put!(self, "fork/of-a-fork", memory.forks > 0);
                put!(self, "fork/after-a-compaction", memory.compactions > 0);
                memory.forks += 1;
            }
            _ => {}
        }
    }

    fn typed(&mut self, standing: Standing, after: Stage, has_image: bool, memory: &mut Memory) {
        put!(self, "block/image", has_image);
        put!(self, "prompt/with-image", has_image);
        put!(self, "resume/then-a-prompt", memory.is_resumed);
        match standing.stage {
            Stage::Idle => {
                put!(self, "prompt/typed");
                put!(self, "disk/refuses-a-prompt", after == Stage::Idle);
                *memory = Memory { has_meta_media: memory.has_meta_media, ..memory.next_request() };
            }
            stage => {
                put!(self, "prompt/while-streaming", stage == Stage::Streaming);
                put!(self, "prompt/while-tools-run", stage == Stage::Tools);
                put!(self, "prompt/with-image-that-waits", has_image);
                memory.waiting = memory.waiting.saturating_add(1);
                put!(self, "prompt/two-that-wait", memory.waiting > 1);
            }
        }
    }

    fn meta(&mut self, which: u8, memory: &mut Memory) {
        let kind = which % 4;
        if kind == 0 {
            self.text(which / 4);
        }
        put!(self, "meta/text", kind == 0);
        put!(self, "meta/image", kind % 2 == 1);
        put!(self, "meta/document", kind > 1);
        memory.has_meta_media |= kind > 0;
    }

    fn streamed(&mut self, block: BlockPlan, cuts: u8, standing: Standing, memory: &mut Memory) {
        self.block(block);
        put!(self, "reply/of-one-delta", cuts == 0);
        put!(self, "reply/of-many-deltas", cuts > 1);
        put!(self, "reply/of-many-blocks", standing.blocks > 1);
        put!(self, "call/parallel", matches!(block, BlockPlan::ToolUse(_)) && standing.calls > 0);
        put!(self, "retry/then-a-reply", memory.is_withdrawn);
        put!(self, "summary/then-a-reply", memory.has_summary);
        (memory.is_withdrawn, memory.has_summary) = (false, false);
    }

    fn ended(&mut self, reason: u8, standing: Standing, memory: &mut Memory) {
        put!(self, "reply/of-no-block", standing.blocks == 0);
        put!(self, "reply/without-its-last-stop", memory.is_mid_block);
        match (reason % 4, standing.calls) {
            (0, 0) => put!(self, "stop/end-turn"),
            (0, _) => put!(self, "stop/tool-use"),
            (1, 0) => put!(self, "stop/max-tokens"),
            (1, _) => put!(self, "stop/max-tokens-in-a-call"),
            (2, _) => put!(self, "stop/stop-sequence"),
            _ => put!(self, "stop/refusal"),
        }
        let goes_on = standing.calls == 0 && (reason % 4 == 1 || memory.waiting > 0);
        let queued = memory.queued.filter(|_| !goes_on && standing.blocks > 0);
        let waiting = if standing.calls == 0 { 0 } else { memory.waiting };
        *memory = Memory { waiting, queued, is_late: queued.is_some(), ..memory.next_request() };
    }

    fn failed(&mut self, which: u8, standing: Standing, memory: &mut Memory) {
        self.put(const { at("fail/overloaded") } + usize::from(which));
        put!(self, "fail/with-open-calls", standing.calls > 0);
        if which >= PASSING || memory.retries == 3 {
            put!(self, "fail/given-up", which < PASSING);
            put!(self, "meta/refused", memory.has_meta_media && matches!(which, 5..=8));
            *memory = memory.next_request();
            return;
        }
        put!(self, "retry/nothing-shown", standing.blocks == 0);
        put!(self, "retry/shown", standing.blocks > 0);
        put!(self, "retry/mid-block", memory.is_mid_block);
        put!(self, "retry/twice", memory.retries > 0);
        let retries = memory.retries + 1;
        self.withdrawn(standing, memory);
        memory.retries = retries;
    }

    fn fell_back(&mut self, standing: Standing, memory: &mut Memory) {
        put!(self, "fallback/nothing-shown", standing.blocks == 0);
        put!(self, "fallback/shown", standing.blocks > 0);
        put!(self, "fallback/mid-block", memory.is_mid_block);
        self.withdrawn(standing, memory);
    }

    /// What the stream showed is withdrawn, and asked for again.
    fn withdrawn(&mut self, standing: Standing, memory: &mut Memory) {
        put!(self, "withdrawn/with-a-result", memory.results > 0);
        put!(self, "withdrawn/with-a-result-on-disk", memory.results_waited);
        let is_withdrawn = memory.is_withdrawn || standing.blocks > 0;
        let (waiting, has_meta_media) = (memory.waiting, memory.has_meta_media);
        *memory = Memory { is_withdrawn, waiting, has_meta_media, ..memory.next_request() };
    }

    fn hook(&mut self, form: u8, standing: Standing) {
        self.put(const { at("hook/success") } + usize::from(form % 6));
        let is_stop = form % 6 == 5;
        let is_of_call = standing.calls > 0 && !is_stop;
        put!(self, "hook/before-use", is_of_call && (form / 6).is_multiple_of(2));
        put!(self, "hook/after-use", is_of_call && !(form / 6).is_multiple_of(2));
        put!(self, "hook/of-the-session", standing.calls == 0 && !is_stop);
        put!(self, "hook/while-streaming", standing.stage == Stage::Streaming);
    }

    fn result(&mut self, which: u8, form: u8, standing: Standing, memory: &mut Memory) {
        put!(self, "block/tool-result");
        put!(self, "call/answered");
        put!(self, "result/out-of-order", standing.calls > 0 && !which.is_multiple_of(standing.calls));
        put!(self, "result/before-the-end", standing.stage == Stage::Streaming);
        self.put(const { at("result/plain") } + usize::from(form % 6));
        put!(self, "block/image", form % 6 == 4);
        if form % 6 == 5 {
            self.text(form / 12);
        }
        match (standing.stage, standing.calls) {
            (Stage::Streaming, _) => memory.results = memory.results.saturating_add(1),
            // The last one: the next request goes out.
            (_, 0 | 1) => *memory = memory.next_request(),
            _ => {}
        }
    }

    fn denied(&mut self, denial: u8, standing: Standing) {
        put!(self, "block/tool-result");
        self.put(const { at("deny/user") } + usize::from(denial));
        put!(self, "deny/others-are-cancelled", matches!(denial, 0 | 8) && standing.calls > 1);
    }

    fn interrupted(&mut self, standing: Standing, memory: &mut Memory) {
        match (standing.stage, memory.is_mid_block, standing.blocks) {
            (Stage::Tools, ..) => put!(self, "interrupt/while-tools-run"),
            (_, true, _) => put!(self, "interrupt/mid-block"),
            (_, false, 0) => put!(self, "interrupt/while-waiting"),
            _ => put!(self, "interrupt/between-blocks"),
        }
        put!(self, "interrupt/with-open-calls", standing.calls > 0);
        put!(self, "interrupt/with-prompts-that-wait", memory.waiting > 0);
        *memory = memory.next_request();
    }

    fn compacted(&mut self, keep: u8, form: u8, standing: Standing, memory: &mut Memory) {
        put!(self, "compaction/automatic", !(form / 3).is_multiple_of(2));
        put!(self, "compaction/manual", (form / 3).is_multiple_of(2));
        let keeps = !keep.is_multiple_of(8);
        put!(self, "compaction/keeps-nothing", !keeps);
        put!(self, "compaction/keeps-the-last", keeps && keep < 128);
        put!(self, "compaction/keeps-the-first", keeps && keep >= 128);
        if keeps {
            self.put(const { at("compaction/by-segment") } + usize::from(form % 3));
        }
        put!(self, "compaction/that-waits", standing.stage != Stage::Idle);
        put!(self, "compaction/again", memory.compactions > 0);
        memory.compactions = memory.compactions.saturating_add(1);
    }

    fn crashed(&mut self, lost: u8, standing: Standing, memory: &mut Memory) {
        match (standing.stage, memory.is_mid_block, standing.blocks) {
            (Stage::Idle | Stage::Dead, ..) => put!(self, "crash/idle"),
            (Stage::Tools, ..) => put!(self, "crash/while-tools-run"),
            (_, true, _) => put!(self, "crash/mid-block"),
            (_, false, 0) => put!(self, "crash/while-waiting"),
            _ => put!(self, "crash/between-blocks"),
        }
        put!(self, "crash/with-loss", lost > 0);
        put!(self, "crash/without-loss", lost == 0);
        *memory = memory.next_request();
    }
}

impl Memory {
    /// What is still remembered when a request goes out, or a turn has ended.
    fn next_request(&self) -> Self {
        let Self { compactions, forks, subagents, is_resumed, .. } = *self;
        Self { compactions, forks, subagents, is_resumed, ..Self::default() }
    }

    /// The recorder is given the list: what was shown waits for the disk from now on.
    fn note_list(&mut self) {
        self.queued = self.queued.or(Some(0));
    }

    /// Time passes; gives whether lines are written that got late fields while they waited.
    fn wait(&mut self, times: u32) -> bool {
        self.note_list();
        let waited = self.queued.unwrap_or(0) + times;
        let is_due = waited >= DUE;
        let is_late = is_due && self.is_late;
        self.queued = (!is_due).then_some(waited);
        self.results_waited |= is_due && self.results > 0;
        self.is_late &= !is_due;
        is_late
    }
}
