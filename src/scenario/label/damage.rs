//! Labels of *damage*: what happens to lines on disk, and to streams on their way.

use crate::scenario::Profile;
use crate::scenario::damage::{Damage, Sort};
use crate::scenario::disorder::{Disturbance, disturbance};
use crate::scenario::line::{BlockPlan, LineKind, LinePlan, Link};

use super::line::{blocks, has_result};
use super::{Group, HOSTILE, Labels, OFTEN, SELDOM, SHUFFLED, group, put};

pub(super) const LABELS: &[Group] = &[
    group(HOSTILE, OFTEN, Sort::LABELS),
    group(SHUFFLED, OFTEN, Disturbance::LABELS),
    group(
        SHUFFLED,
        OFTEN,
        &[
            ("stream/in-order", "a reply that streams as it should"),
            ("stream/given-up", "a stream that is given up"),
            ("stream/result-between", "a result while the stream goes on"),
        ],
    ),
    group(SHUFFLED, SELDOM, &[("stream/unknown-event", "an event of a type that nobody knows")]),
    group(
        HOSTILE,
        OFTEN,
        &[
            ("damage/none", "a file without damage"),
            ("damage/one-line", "one damaged line among whole ones"),
            ("damage/glued", "two whole records on a line"),
            ("damage/end-without-line-end", "a last line that is whole and has no line end"),
            ("damage/torn-end", "the file ends in the middle of a record"),
            ("damage/nul-end", "the file ends with NUL bytes"),
            ("damage/too-deep", "nesting deeper than readers go"),
            ("damage/two-on-a-line", "two damages of one line"),
            ("stream/damaged-bytes", "bytes of a stream lost or spoilt"),
            ("stream/other-line-ends", "a stream of bytes with CR LF or CR"),
            ("stream/data-on-two-lines", "an event whose data stand on two lines"),
            ("stream/comments", "comments and ids in a stream of bytes"),
        ],
    ),
    group(
        HOSTILE,
        SELDOM,
        &[
            ("damage/call-lost", "a call that was never written, but its result"),
            ("damage/result-lost", "a result that was never written"),
        ],
    ),
];

impl Labels {
    /// What happens to the lines on disk.
    pub(super) fn damages(&mut self, lines: &[LinePlan]) {
        let mut damaged = 0;
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.damage.is_empty()) {
            damaged += 1;
            for damage in &line.damage {
                self.put(damage.sort.label());
                put!(self, "damage/too-deep", damage.sort == Sort::Nested && damage.number >= 128);
            }
            put!(self, "damage/two-on-a-line", line.damage.len() > 1);
            self.end(line, lines.get(at + 1));
            if line.damage.iter().any(|damage| damage.sort == Sort::Lost) {
                put!(self, "damage/result-lost", has_result(line));
                let calls = line.kind.is_reply() && blocks(line).iter().any(is_call);
                let has_later_result = lines.iter().skip(at + 1).any(has_result);
                put!(self, "damage/call-lost", calls && has_later_result);
            }
        }
        put!(self, "damage/none", damaged == 0);
        put!(self, "damage/one-line", damaged == 1 && lines.len() > 1);
    }

    /// How a damaged line ends.
    fn end(&mut self, line: &LinePlan, next: Option<&LinePlan>) {
        let has = |wanted: Sort| line.damage.iter().any(|damage| damage.sort == wanted);
        let cuts = |wanted: Sort| line.damage.iter().any(|it| it.sort == wanted && it.number > 0);
        let is_alone = line.damage.len() == 1;
        let no_end = has(Sort::NoLineEnd);
        match next {
            Some(next) => put!(self, "damage/glued", no_end && is_alone && next.damage.is_empty()),
            None => {
                let is_torn = cuts(Sort::Splice) || no_end && cuts(Sort::Cut);
                put!(self, "damage/end-without-line-end", no_end && is_alone);
                put!(self, "damage/torn-end", is_torn);
                put!(self, "damage/nul-end", has(Sort::NulAfter) || has(Sort::NulBlock));
            }
        }
    }

    /// What happens to the stream that is made of the lines.
    pub(super) fn disorder(&mut self, lines: &[LinePlan], profile: Profile) {
        for (number, line) in lines.iter().enumerate() {
            match (line.kind, line.parent) {
                (LineKind::Assistant { .. }, Link::To(which)) => {
                    self.put(disturbance(which).label());
                    put!(self, "stream/given-up", disturbance(which) == Disturbance::Error);
                }
                (LineKind::Assistant { .. }, _) => put!(self, "stream/in-order"),
                (LineKind::StreamEvent, _) => put!(self, "stream/unknown-event"),
                (LineKind::Tombstone { .. }, _) => put!(self, "stream/given-up"),
                (LineKind::User { .. }, _) => {
                    put!(self, "stream/result-between", number > 0 && has_result(line));
                }
                _ => {}
            }
            if profile == Profile::Hostile && line.kind.is_reply() {
                self.stream_bytes(line);
            }
        }
    }

    fn stream_bytes(&mut self, line: &LinePlan) {
        let is_spoilt = |damage: &Damage| {
            use Sort::{BadByte, Cut, Garbage, NulInside, Overwrite, Splice};
            matches!(damage.sort, Cut | Splice | BadByte | NulInside | Overwrite | Garbage)
        };
        put!(self, "stream/damaged-bytes", line.damage.iter().any(is_spoilt));
        put!(self, "stream/other-line-ends", !line.session.is_multiple_of(3));
        let first = line.damage.first().map(|damage| damage.sort);
        put!(self, "stream/data-on-two-lines", first == Some(Sort::NoLineEnd));
        put!(self, "stream/comments", first == Some(Sort::Blanks));
    }
}

fn is_call(block: &BlockPlan) -> bool {
    matches!(block, BlockPlan::ToolUse { .. })
}
