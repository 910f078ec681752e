//! Labels of *damage*: what happens to lines on disk, and to streams on their way.

use crate::scenario::Profile;
use crate::scenario::damage::{Damage, SORTS};
use crate::scenario::line::{LineKind, LinePlan, Link};

use super::line::{blocks, has_result};
use super::{Label, Labels, at, hostile, put, shuffled};

/// The sorts of damage in their order, then what several make together; then streams.
pub(super) const LABELS: &[Label] = &[
    hostile("damage/no-line-end", "a line without its end", 0.12),
    hostile("damage/cut", "a line cut short", 0.028),
    hostile("damage/splice", "a line cut short with the next one right after", 0.12),
    hostile("damage/overwrite", "a line in the middle of another", 0.028),
    hostile("damage/nul-before", "NUL bytes before a line", 0.03),
    hostile("damage/nul-after", "NUL bytes after a line", 0.029),
    hostile("damage/nul-inside", "NUL bytes in place of others", 0.028),
    hostile("damage/bad-byte", "a byte that is not UTF-8", 0.029),
    hostile("damage/bad-byte-in-string", "a torn character in a string", 0.029),
    hostile("damage/repeated-key", "a key twice", 0.028),
    hostile("damage/nested", "deep nesting", 0.028),
    hostile("damage/lone-surrogate", "a lone surrogate", 0.028),
    hostile("damage/wrong-type", "a known field of another type", 0.029),
    hostile("damage/not-object", "JSON that is no object", 0.027),
    hostile("damage/garbage", "no JSON at all", 0.027),
    hostile("damage/carriage-return", "a line that ends with CR LF", 0.027),
    hostile("damage/byte-order-mark", "a byte order mark before a line", 0.028),
    hostile("damage/blanks", "white space and an empty line", 0.028),
    hostile("damage/spaced", "white space between members", 0.027),
    hostile("damage/nul-block", "a block of the disk full of NUL bytes", 0.028),
    hostile("damage/lost", "a line that was never written", 0.039),
    hostile("damage/twice", "a line that was written twice", 0.028),
    hostile("damage/other-time", "a time out of order, or none", 0.027),
    hostile("damage/odd-parent", "a parent that is no text", 0.028),
    hostile("damage/without", "a line without its session or its time", 0.03),
    hostile("damage/bad-escape", "a backslash that begins no escape", 0.028),
    hostile("damage/none", "a file without damage", 0.07),
    hostile("damage/one-line", "one damaged line among whole ones", 0.18),
    hostile("damage/glued", "two whole records on a line", 0.045),
    hostile("damage/end-without-line-end", "a last line that is whole and has no line end", 0.026),
    hostile("damage/torn-end", "the file ends in the middle of a record", 0.04),
    hostile("damage/nul-end", "the file ends with NUL bytes", 0.014),
    hostile("damage/too-deep", "nesting deeper than readers go", 0.015),
    hostile("damage/two-on-a-line", "two damages of one line", 0.12),
    hostile("damage/call-lost", "a call that was never written, but its result", 0.004),
    hostile("damage/result-lost", "a result that was never written", 0.0051),
    shuffled("stream/event-twice", "an event of a stream twice", 0.028),
    shuffled("stream/event-lost", "an event of a stream missing", 0.042),
    shuffled("stream/events-swapped", "two events of a stream swapped", 0.025),
    shuffled("stream/other-index", "an event of a block that is not there", 0.025),
    shuffled("stream/odd-index", "an index that is no whole number", 0.023),
    shuffled("stream/second-start", "a message that begins in the middle of another", 0.021),
    shuffled("stream/malformed-event", "an event that is none", 0.047),
    shuffled("stream/cut-short", "a stream that ends too early", 0.038),
    shuffled("stream/error", "an error in a stream", 0.026),
    shuffled("stream/odd-delta", "a delta of another sort", 0.02),
    shuffled("stream/in-order", "a reply that streams as it should", 0.28),
    shuffled("stream/unknown-event", "an event of a type that nobody knows", 0.0088),
    shuffled("stream/given-up", "a stream that is given up", 0.071),
    shuffled("stream/result-between", "a result while the stream goes on", 0.12),
    hostile("stream/damaged-bytes", "bytes of a stream lost or spoilt", 0.095),
    hostile("stream/other-line-ends", "a stream of bytes with CR LF or CR", 0.04),
    hostile("stream/data-on-two-lines", "an event whose data stand on two lines", 0.046),
    hostile("stream/comments", "comments and ids in a stream of bytes", 0.009),
];

const DAMAGE: usize = at("damage/no-line-end");
const DISTURBED: usize = at("stream/event-twice");

impl Labels {
    /// What happens to the lines on disk.
    pub(super) fn damages(&mut self, lines: &[LinePlan]) {
        let mut damaged = 0;
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.damage.is_empty()) {
            damaged += 1;
            for damage in &line.damage {
                let is_same = |sort: &Damage| std::mem::discriminant(sort) == std::mem::discriminant(damage);
                if let Some(sort) = SORTS.iter().position(is_same) {
                    self.put(DAMAGE + sort);
                }
                put!(self, "damage/too-deep", matches!(damage, Damage::Nested(128..)));
            }
            put!(self, "damage/two-on-a-line", line.damage.len() > 1);
            self.end(line, lines.get(at + 1));
            if line.damage.contains(&Damage::Lost) {
                put!(self, "damage/result-lost", has_result(line));
                let calls = line.kind == LineKind::Assistant && blocks(line).iter().any(is_call);
                let has_later_result = lines.iter().skip(at + 1).any(has_result);
                put!(self, "damage/call-lost", calls && has_later_result);
            }
        }
        put!(self, "damage/none", damaged == 0);
        put!(self, "damage/one-line", damaged == 1 && lines.len() > 1);
    }

    /// How a damaged line ends.
    fn end(&mut self, line: &LinePlan, next: Option<&LinePlan>) {
        let has = |wanted: fn(&Damage) -> bool| line.damage.iter().any(wanted);
        let is_alone = line.damage.len() == 1;
        let no_end = line.damage.contains(&Damage::NoLineEnd);
        match next {
            Some(next) => put!(self, "damage/glued", no_end && is_alone && next.damage.is_empty()),
            None => {
                let is_torn = has(|damage| matches!(damage, Damage::Splice(1..)))
                    || no_end && has(|damage| matches!(damage, Damage::Cut(1..)));
                put!(self, "damage/end-without-line-end", no_end && is_alone);
                put!(self, "damage/torn-end", is_torn);
                put!(self, "damage/nul-end", has(|d| matches!(d, Damage::NulAfter(_) | Damage::NulBlock(_))));
            }
        }
    }

    /// What happens to the stream that is made of the lines.
    pub(super) fn disorder(&mut self, lines: &[LinePlan], profile: Profile) {
        for (number, line) in lines.iter().enumerate() {
            match (line.kind, line.parent) {
                (LineKind::Assistant, Link::To(which)) => {
                    // The fifth is an odd index, the tenth an odd delta.
                    self.put(DISTURBED + usize::from(which % 10));
                    put!(self, "stream/given-up", which % 10 == 8);
                }
                (LineKind::Assistant, _) => put!(self, "stream/in-order"),
                (LineKind::StreamEvent, _) => put!(self, "stream/unknown-event"),
                (LineKind::Tombstone, _) => put!(self, "stream/given-up"),
                (LineKind::User, _) => put!(self, "stream/result-between", number > 0 && has_result(line)),
                _ => {}
            }
            if profile == Profile::Hostile && line.kind == LineKind::Assistant {
                self.stream_bytes(line);
            }
        }
    }

    fn stream_bytes(&mut self, line: &LinePlan) {
        let is_spoilt = |damage: &Damage| {
            use Damage::{BadByte, Cut, Garbage, NulInside, Overwrite, Splice};
            matches!(damage, Cut(_) | Splice(_) | BadByte(_) | NulInside(_) | Overwrite(_) | Garbage(_))
        };
        put!(self, "stream/damaged-bytes", line.damage.iter().any(is_spoilt));
        put!(self, "stream/other-line-ends", !line.session.is_multiple_of(3));
        put!(self, "stream/data-on-two-lines", line.damage.first() == Some(&Damage::NoLineEnd));
        put!(self, "stream/comments", line.damage.first() == Some(&Damage::Blanks));
    }
}

fn is_call(block: &crate::scenario::BlockPlan) -> bool {
    use crate::scenario::BlockPlan;
    matches!(block, BlockPlan::ToolUse(_) | BlockPlan::OddCall(..))
}
