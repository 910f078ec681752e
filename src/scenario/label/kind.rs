//! Labels of the *kind* of a line or an event: kinds, subtypes of system messages, side records, flags.

use crate::message::{SIDE_KINDS, SUBTYPES};
use crate::scenario::line::LineKind;
use crate::scenario::pool::FLAGS;

use super::{Label, Labels, any, at, put, shuffled};

/// The kinds in the order of [`Kind::ALL`](crate::message::Kind::ALL), then what is no message; subtypes, side records and flags in the
/// order of their lists.
pub(super) const LABELS: &[Label] = &[
    any("kind/user", "a user message", 0.37),
    any("kind/assistant", "an assistant message", 0.36),
    any("kind/system", "a system message", 0.17),
    any("kind/attachment", "an attachment", 0.11),
    any("kind/hook-result", "a hook's outcome", 0.041),
    any("kind/progress", "progress of a tool", 0.089),
    any("kind/tool-use-summary", "a summary of tool uses", 0.015),
    any("kind/tombstone", "a tombstone", 0.063),
    shuffled("kind/grouped-tool-use", "a group of tool uses", 0.0098),
    any("kind/stream-event", "an event of a stream", 0.13),
    any("kind/stream-request-start", "the start of a request", 0.15),
    any("kind/side-record", "a side record", 0.042),
    shuffled("kind/of-tomorrow", "a type that nobody knows", 0.013),
    shuffled("kind/none", "a line without a type", 0.006),
    any("subtype/informational", "a notice", 0.045),
    any("subtype/local-command", "the output of a command of the client", 0.045),
    any("subtype/api-error", "an error of the API that is tried again", 0.049),
    any("subtype/compact-boundary", "a compact boundary", 0.046),
    any("subtype/microcompact-boundary", "the boundary of a microcompaction", 0.004),
    any("subtype/memory-saved", "a notice that memory was saved", 0.0036),
    any("subtype/stop-hook-summary", "the summary of hooks at the end of a turn", 0.013),
    any("subtype/turn-duration", "a notice of how long a turn took", 0.0034),
    any("subtype/api-metrics", "a notice of numbers of the API", 0.0022),
    any("subtype/permission-retry", "a notice that permission was given after all", 0.0025),
    any("subtype/bridge-status", "a notice of a bridge's status", 0.0025),
    any("subtype/away-summary", "a summary for who was away", 0.0026),
    any("subtype/agents-killed", "a notice that agents were ended", 0.0028),
    any("subtype/scheduled-task-fire", "a notice that a task fires", 0.002),
    any("subtype/thinking", "a notice that the model thinks", 0.003),
    any("subtype/file-snapshot", "a snapshot of files", 0.0021),
    shuffled("subtype/none", "a system message without a subtype", 0.0015),
    any("side/summary", "a side record: summary", 0.0029),
    any("side/custom-title", "a side record: custom-title", 0.0032),
    any("side/ai-title", "a side record: ai-title", 0.0034),
    any("side/last-prompt", "a side record: last-prompt", 0.003),
    any("side/file-history-snapshot", "a side record: file-history-snapshot", 0.0028),
    any("side/queue-operation", "a side record: queue-operation", 0.0016),
    any("side/permission-mode", "a side record: permission-mode", 0.0021),
    any("side/mode", "a side record: mode", 0.0022),
    any("side/pr-link", "a side record: pr-link", 0.0017),
    any("side/tag", "a side record: tag", 0.002),
    any("side/agent-name", "a side record: agent-name", 0.0019),
    any("side/content-replacement", "a side record: content-replacement", 0.0023),
    any("side/atis-latch", "a side record: atis-latch", 0.0018),
    any("side/bridge-session", "a side record: bridge-session", 0.0019),
    any("side/worktree-state", "a side record: worktree-state", 0.002),
    any("side/relocated", "a side record: relocated", 0.002),
    any("side/frame-link", "a side record: frame-link", 0.0018),
    any("side/started", "a side record: started", 0.0022),
    any("side/result", "a side record: result", 0.002),
    shuffled("flag/is-sidechain", "a line of a subagent", 0.11),
    shuffled("flag/is-meta", "a line for the model alone", 0.1),
    shuffled("flag/is-virtual", "a line that should be in memory alone", 0.091),
    shuffled("flag/is-visible-in-transcript-only", "a line that only the transcript shows", 0.11),
    shuffled("flag/is-compact-summary", "a line flagged as the summary of a compaction", 0.13),
    shuffled("flag/is-api-error-message", "a line flagged as an error of the API", 0.1),
    shuffled("flag/said-to-be-false", "a flag that is there and false", 0.2),
];

const KINDS: usize = at("kind/user");
const SUBTYPE: usize = at("subtype/informational");
const SIDE: usize = at("side/summary");
const FLAG: usize = at("flag/is-sidechain");

impl Labels {
    /// A kind, by its place among all.
    pub(super) fn kind(&mut self, place: usize) {
        self.put(KINDS + place);
    }

    /// A subtype of a system message, by its index; beyond them, none.
    pub(super) fn subtype(&mut self, index: usize) {
        self.put(SUBTYPE + index.min(SUBTYPES.len()));
    }

    /// A subtype of a system message, by its name.
    pub(super) fn subtype_named(&mut self, name: &str) {
        if let Some(index) = SUBTYPES.iter().position(|subtype| *subtype == name) {
            self.subtype(index);
        }
    }

    /// A side record, by the number of its kind.
    pub(super) fn side(&mut self, which: u8) {
        put!(self, "kind/side-record");
        self.put(SIDE + usize::from(which) % SIDE_KINDS.len());
    }

    /// The kind of a line.
    pub(super) fn line_kind(&mut self, kind: LineKind) {
        match kind {
            LineKind::User => put!(self, "kind/user"),
            LineKind::Assistant => put!(self, "kind/assistant"),
            LineKind::System(which) => {
                put!(self, "kind/system");
                self.subtype(usize::from(which));
            }
            LineKind::Attachment => put!(self, "kind/attachment"),
            LineKind::HookResult => put!(self, "kind/hook-result"),
            LineKind::Progress => put!(self, "kind/progress"),
            LineKind::ToolUseSummary => put!(self, "kind/tool-use-summary"),
            LineKind::Tombstone => put!(self, "kind/tombstone"),
            LineKind::GroupedToolUse => put!(self, "kind/grouped-tool-use"),
            LineKind::StreamEvent => put!(self, "kind/stream-event"),
            LineKind::StreamRequestStart => put!(self, "kind/stream-request-start"),
            LineKind::Side(which) => self.side(which),
            LineKind::Unknown => put!(self, "kind/of-tomorrow"),
            LineKind::Untyped => put!(self, "kind/none"),
        }
    }

    /// The flags of a line.
    pub(super) fn flags(&mut self, flags: u16) {
        for bit in (0..FLAGS.len()).filter(|bit| flags & 1 << bit != 0) {
            let is_true = flags & 1 << (bit + FLAGS.len()) != 0;
            self.put(if is_true { FLAG + bit } else { const { at("flag/said-to-be-false") } });
        }
    }
}
