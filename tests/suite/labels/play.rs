//! Labels of conversations: what happened, and what the loop was doing then.

use turnproof_reference::engine::{Keep, MAX_RETRIES};
use turnproof_suite::scenario::{Action, LoopState, Phase, Profile, Stop, Written};

use super::{Causal, Label, label};
use Action::{
    Break, Compact, Crash, Disk, End, Fail, Fallback, Fork, Interrupt, Microcompact, OtherWriter, Paste, Resume,
    Subagent, Type,
};
use Phase::{Dead, Idle, Streaming, Tools};

const PLAYED: &[Profile] = &[Causal];

pub(super) const LABELS: &[Label] = &[
    label("prompt/typed", PLAYED, 500, |it| it.action(|action, taken| is_prompt(action) && taken.before.stage == Idle)),
    label("prompt/while-streaming", PLAYED, 50, |it| {
        it.action(|action, taken| is_prompt(action) && taken.before.stage == Streaming)
    }),
    label("prompt/while-tools-run", PLAYED, 20, |it| {
        it.action(|action, taken| is_prompt(action) && taken.before.stage == Tools)
    }),
    label("prompt/two-that-wait", PLAYED, 20, |it| it.action(|_, taken| taken.after.prompts > 1)),
    label("reply/of-no-block", PLAYED, 100, |it| {
        it.action(|action, taken| matches!(action, End(_)) && taken.before.blocks == 0)
    }),
    label("stop/end-turn", PLAYED, 200, |it| {
        it.action(|action, taken| action == End(Stop::Done) && taken.before.calls == 0)
    }),
    label("stop/tool-use", PLAYED, 200, |it| {
        it.action(|action, taken| action == End(Stop::Done) && taken.before.calls > 0)
    }),
    label("stop/max-tokens", PLAYED, 10, |it| {
        it.action(|action, taken| action == End(Stop::MaxTokens) && taken.before.calls == 0)
    }),
    label("stop/sequence", PLAYED, 10, |it| it.action(|action, _| action == End(Stop::StopSequence))),
    label("stop/refusal", PLAYED, 10, |it| it.action(|action, _| action == End(Stop::Refusal))),
    label("fail/with-open-calls", PLAYED, 20, |it| {
        it.action(|action, taken| is_failure(action) && taken.before.calls > 0)
    }),
    label("fail/given-up", PLAYED, 5, |it| {
        it.action(|action, taken| is_failure(action) && taken.before.retries >= MAX_RETRIES)
    }),
    label("retry/nothing-shown", PLAYED, 50, |it| {
        it.action(|action, taken| is_retried(action, &taken.before) && taken.before.blocks == 0)
    }),
    label("retry/shown", PLAYED, 50, |it| {
        it.action(|action, taken| is_retried(action, &taken.before) && taken.before.blocks > 0)
    }),
    label("retry/mid-block", PLAYED, 5, |it| {
        it.action(|action, taken| is_retried(action, &taken.before) && taken.before.is_mid_block)
    }),
    label("retry/then-a-reply", PLAYED, 50, |it| {
        it.action(|action, taken| matches!(action, Action::Block(..)) && taken.before.is_withdrawn)
    }),
    label("fallback/shown", PLAYED, 50, |it| it.action(|action, taken| action == Fallback && taken.before.blocks > 0)),
    label("withdrawn/with-a-result", PLAYED, 20, |it| {
        it.action(|action, taken| (action == Fallback || is_failure(action)) && taken.before.results > 0)
    }),
    label("result/before-the-end", PLAYED, 50, |it| {
        it.action(|action, taken| matches!(action, Action::Result { .. }) && taken.before.stage == Streaming)
    }),
    label("late-fields/while-queued", PLAYED, 50, |it| {
        it.action(|action, taken| matches!(action, End(_)) && taken.before.blocks > 0 && taken.before.is_reply_queued)
    }),
    label("subagent/one", PLAYED, 5, |it| it.action(|action, _| matches!(action, Subagent(_)))),
    label("interrupt/while-waiting", PLAYED, 50, |it| {
        it.action(|action, taken| action == Interrupt && taken.before.stage == Streaming && taken.before.blocks == 0)
    }),
    label("interrupt/mid-block", PLAYED, 5, |it| {
        it.action(|action, taken| action == Interrupt && taken.before.is_mid_block)
    }),
    label("interrupt/while-tools-run", PLAYED, 20, |it| {
        it.action(|action, taken| action == Interrupt && taken.before.stage == Tools)
    }),
    label("interrupt/with-open-calls", PLAYED, 50, |it| {
        it.action(|action, taken| action == Interrupt && taken.before.calls > 0)
    }),
    label("compaction/manual", PLAYED, 50, |it| {
        it.action(|action, _| matches!(action, Compact { is_automatic: false, .. }))
    }),
    label("compaction/automatic", PLAYED, 50, |it| {
        it.action(|action, _| matches!(action, Compact { is_automatic: true, .. }))
    }),
    label("compaction/keeps-the-last", PLAYED, 50, |it| {
        it.action(|action, _| matches!(action, Compact { keep: Keep::Last(1..), .. }))
    }),
    label("compaction/keeps-the-first", PLAYED, 10, |it| {
        it.action(|action, _| matches!(action, Compact { keep: Keep::First(1..), .. }))
    }),
    label("compaction/again", PLAYED, 20, |it| it.then(is_compaction, is_compaction)),
    label("compaction/then-resumed", PLAYED, 50, |it| it.then(is_compaction, |action| action == Resume)),
    label("compaction/micro", PLAYED, 50, |it| it.action(|action, _| matches!(action, Microcompact(_)))),
    label("crash/idle", PLAYED, 50, |it| it.action(|action, taken| is_crash(action) && taken.before.stage == Idle)),
    label("crash/while-waiting", PLAYED, 50, |it| {
        it.action(|action, taken| is_crash(action) && taken.before.stage == Streaming && taken.before.blocks == 0)
    }),
    label("crash/mid-block", PLAYED, 10, |it| it.action(|action, taken| is_crash(action) && taken.before.is_mid_block)),
    label("crash/while-tools-run", PLAYED, 10, |it| {
        it.action(|action, taken| is_crash(action) && taken.before.stage == Tools)
    }),
    label("crash/torn-end", PLAYED, 50, |it| it.action(|action, taken| is_crash(action) && taken.is_torn)),
    label("resume/after-a-crash", PLAYED, 200, |it| {
        it.action(|action, taken| action == Resume && taken.before.stage == Dead)
    }),
    label("resume/in-good-order", PLAYED, 50, |it| {
        it.action(|action, taken| action == Resume && taken.before.stage == Idle)
    }),
    label("resume/then-a-prompt", PLAYED, 100, |it| it.then(|action| action == Resume, is_prompt)),
    label("fork/of-a-conversation", PLAYED, 20, |it| it.action(|action, _| matches!(action, Fork(_)))),
    label("fork/of-a-fork", PLAYED, 2, |it| {
        it.then(|action| matches!(action, Fork(_)), |action| matches!(action, Fork(_)))
    }),
    label("fork/after-a-compaction", PLAYED, 2, |it| it.then(is_compaction, |action| matches!(action, Fork(_)))),
    label("disk/full", PLAYED, 5, |it| it.action(|action, _| matches!(action, Disk(Some(_))))),
    label("disk/refuses-a-prompt", PLAYED, 2, |it| {
        it.action(|action, taken| is_prompt(action) && taken.before.stage == Idle && taken.after.stage == Idle)
    }),
    label("other-writer/torn-line", PLAYED, 20, |it| it.action(|action, _| action == OtherWriter(Written::TornLine))),
];

fn is_prompt(action: Action) -> bool {
    matches!(action, Type(_) | Paste(_))
}

fn is_failure(action: Action) -> bool {
    matches!(action, Break | Fail(_))
}

fn is_retried(action: Action, before: &LoopState) -> bool {
    let may_pass = action == Break || matches!(action, Fail(failure) if failure.may_pass());
    may_pass && before.retries < MAX_RETRIES
}

fn is_compaction(action: Action) -> bool {
    matches!(action, Compact { .. })
}

fn is_crash(action: Action) -> bool {
    matches!(action, Crash(_))
}
