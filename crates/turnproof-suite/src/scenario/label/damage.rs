//! Labels of *damage*: what happens to lines on disk, and to streams on their way.

use crate::scenario::disorder::{Disturbance, disturbance};
use crate::scenario::{BlockPlan, LineKind, LinePlan, Link, Profile, Sort};

use super::line::{blocks, has_result};
use super::{HOSTILE, Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

use LineKind::{Assistant, StreamEvent, Tombstone, User};

labels! { STREAMS, fn streamed(line: &LinePlan, number: usize) match (line.kind, line.parent) => {
    SHUFFLED OFTEN
    "stream/in-order" "a reply that streams as it should":
        (Assistant { .. }, Link::Absent | Link::Null | Link::Previous),
    "stream/given-up" "a stream that is given up": (Tombstone { .. }, _),
    "stream/result-between" "a result while the stream goes on": (User { .. }, _) if number > 0 && has_result(line),
    SHUFFLED SELDOM
    "stream/unknown-event" "an event of a type that nobody knows": (StreamEvent, _),
} }

labels! { DAMAGES, fn damaged(line: &LinePlan, later: &[LinePlan], profile: Profile) match later => {
    HOSTILE OFTEN
    "damage/none" "a file without damage",
    "damage/one-line" "one damaged line among whole ones",
    "damage/glued" "two whole records on a line": [next, ..] if is_endless(line) && next.damage.is_empty(),
    "damage/end-without-line-end" "a last line that is whole and has no line end": [] if is_endless(line),
    "damage/torn-end" "the file ends in the middle of a record":
        [] if cuts(line, Sort::Splice) || has(line, Sort::NoLineEnd) && cuts(line, Sort::Cut),
    "damage/nul-end" "the file ends with NUL bytes": [] if has(line, Sort::NulAfter) || has(line, Sort::NulBlock),
    "damage/too-deep" "nesting deeper than readers go"
        if line.damage.iter().any(|damage| damage.sort == Sort::Nested && damage.number >= 128),
    "damage/two-on-a-line" "two damages of one line" if line.damage.len() > 1,
    "stream/damaged-bytes" "bytes of a stream lost or spoilt"
        if line.kind.is_reply() && line.damage.iter().any(|damage| SPOILT.contains(&damage.sort)),
    "stream/other-line-ends" "a stream of bytes with CR LF or CR"
        if profile == Profile::Hostile && line.kind.is_reply() && !line.session.is_multiple_of(3),
    "stream/data-on-two-lines" "an event whose data stand on two lines"
        if line.kind.is_reply() && begins_with(line, Sort::NoLineEnd),
    "stream/comments" "comments and ids in a stream of bytes"
        if line.kind.is_reply() && begins_with(line, Sort::Blanks),
    HOSTILE SELDOM
    "damage/call-lost" "a call that was never written, but its result"
        if has(line, Sort::Lost) && makes_a_call(line) && later.iter().any(has_result),
    "damage/result-lost" "a result that was never written" if has(line, Sort::Lost) && has_result(line),
} }

/// The damages that take bytes of a stream away, or spoil them.
const SPOILT: [Sort; 6] = [Sort::Cut, Sort::Splice, Sort::BadByte, Sort::NulInside, Sort::Overwrite, Sort::Garbage];

fn has(line: &LinePlan, wanted: Sort) -> bool {
    line.damage.iter().any(|damage| damage.sort == wanted)
}

/// Whether the damage leaves some bytes of the line.
fn cuts(line: &LinePlan, wanted: Sort) -> bool {
    line.damage.iter().any(|damage| damage.sort == wanted && damage.number > 0)
}

/// Whether the line is whole but for its end.
fn is_endless(line: &LinePlan) -> bool {
    line.damage.len() == 1 && has(line, Sort::NoLineEnd)
}

fn begins_with(line: &LinePlan, wanted: Sort) -> bool {
    line.damage.first().is_some_and(|damage| damage.sort == wanted)
}

fn makes_a_call(line: &LinePlan) -> bool {
    line.kind.is_reply() && blocks(line).iter().any(|block| matches!(block, BlockPlan::ToolUse { .. }))
}

impl Labels {
    /// What happens to the lines on disk, and to the stream that is made of them.
    pub(super) fn damages(&mut self, lines: &[LinePlan], profile: Profile) {
        for (number, line) in lines.iter().enumerate() {
            self.streamed(line, number);
            if let (Assistant { .. }, Link::To(which)) = (line.kind, line.parent) {
                self.put(disturbance(which).label());
                put!(self, "stream/given-up", disturbance(which) == Disturbance::Error);
            }
            line.damage.iter().for_each(|damage| self.put(damage.sort.label()));
            self.damaged(line, &lines[number + 1..], profile);
        }
        let damaged = lines.iter().filter(|line| !line.damage.is_empty()).count();
        put!(self, "damage/none", damaged == 0);
        put!(self, "damage/one-line", damaged == 1 && lines.len() > 1);
    }
}
