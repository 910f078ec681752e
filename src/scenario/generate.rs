//! *Generation* of plans: one generator for seeds and for fuzz bytes.

use crate::message::{SIDE_KINDS, SUBTYPES};

use super::damage::{Damage, SORTS};
use super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::pool::{EXTRAS, FLAGS, ID_COUNT, TEXT_COUNT};
use super::source::Source;
use super::{Profile, Scenario};

/// The most lines that a plan has.
const MOST_LINES: u32 = 12;

impl Scenario {
    /// Makes a plan by asking `source`.
    pub fn generate(source: &mut impl Source, profile: Profile) -> Self {
        // Short plans are more frequent: what they show is plainer.
        let bound = 1 + source.below(MOST_LINES);
        let count = 1 + source.below(bound);
        let lines = (0..count).map(|_| line(source, profile)).collect();
        let indexes = (0..1 + source.below(3)).map(|_| index(source)).collect();
        Self { profile, lines, indexes, context: source.once_in(8) }
    }
}

fn byte(source: &mut impl Source, bound: u8) -> u8 {
    source.below(u32::from(bound)) as u8
}

fn line(source: &mut impl Source, profile: Profile) -> LinePlan {
    let kind = kind(source);
    let block_count = match kind {
        LineKind::User | LineKind::Assistant => {
            let bound = 1 + source.below(4);
            source.below(bound + 1)
        }
        _ => 0,
    };
    LinePlan {
        kind,
        uuid: (!source.once_in(12)).then(|| byte(source, ID_COUNT)),
        parent: link(source),
        session: if source.once_in(6) { byte(source, 3) } else { 0 },
        flags: if source.once_in(2) { source.below(1 << (2 * FLAGS.len())) as u16 } else { 0 },
        blocks: (0..block_count).map(|_| block(source, kind)).collect(),
        plain: source.once_in(3),
        reply: byte(source, 3),
        extras: if source.once_in(2) { 1 << source.below(EXTRAS.len() as u32) } else { 0 },
        damage: match profile {
            Profile::Shuffled => Vec::new(),
            Profile::Hostile => damages(source),
        },
    }
}

fn kind(source: &mut impl Source) -> LineKind {
    match source.below(24) {
        0..6 => LineKind::User,
        6..12 => LineKind::Assistant,
        12..15 => LineKind::System(byte(source, SUBTYPES.len() as u8 + 1)),
        15 => LineKind::Attachment,
        16 => LineKind::HookResult,
        17 => LineKind::Progress,
        18..20 => LineKind::Side(byte(source, SIDE_KINDS.len() as u8)),
        20 if source.once_in(3) => LineKind::Untyped,
        20 => LineKind::Unknown,
        21 => LineKind::Tombstone,
        22 => match source.below(2) {
            0 => LineKind::ToolUseSummary,
            _ => LineKind::GroupedToolUse,
        },
        _ => match source.below(2) {
            0 => LineKind::StreamEvent,
            _ => LineKind::StreamRequestStart,
        },
    }
}

fn link(source: &mut impl Source) -> Link {
    match source.below(8) {
        0 => Link::Absent,
        1 => Link::Null,
        2..6 => Link::Previous,
        _ => Link::To(byte(source, ID_COUNT)),
    }
}

/// A block: mostly of the sort that the kind may hold.
fn block(source: &mut impl Source, kind: LineKind) -> BlockPlan {
    let text = if source.once_in(3) { byte(source, TEXT_COUNT) } else { byte(source, 2) };
    let call = byte(source, 4);
    let any = source.once_in(8);
    let sort = match (any, kind) {
        (true, _) => source.below(10),
        (false, LineKind::Assistant) => [0, 1, 3, 4, 5, 6][source.below(6) as usize],
        (false, _) => [0, 2, 7, 8][source.below(4) as usize],
    };
    match sort {
        0 => BlockPlan::Text(text),
        1 => BlockPlan::ToolUse(call),
        2 => BlockPlan::ToolResult(call),
        3 => BlockPlan::Thinking(text),
        4 => BlockPlan::RedactedThinking,
        5 => BlockPlan::ServerToolUse(call),
        6 => BlockPlan::ServerToolResult(call),
        7 => BlockPlan::Image,
        8 => BlockPlan::Document,
        _ => BlockPlan::Unknown(text),
    }
}

fn damages(source: &mut impl Source) -> Vec<Damage> {
    let count = match source.below(8) {
        0..4 => 0,
        4..7 => 1,
        _ => 2,
    };
    (0..count).map(|_| damage(source)).collect()
}

fn damage(source: &mut impl Source) -> Damage {
    let sort = SORTS[source.below(SORTS.len() as u32) as usize];
    let number = match sort {
        // Around the limit of 128, the record itself being one level.
        Damage::Nested(_) => 120 + byte(source, 16),
        Damage::NulBefore(_) | Damage::NulAfter(_) => byte(source, 8),
        Damage::Cut(_) | Damage::Splice(_) | Damage::Overwrite(_) => {
            // Half of the cuts fall near the end, where the line is nearly whole.
            if source.once_in(2) { 255 - byte(source, 24) } else { byte(source, 255) }
        }
        Damage::NulInside(_) | Damage::BadByte(_) => byte(source, 255),
        _ => byte(source, 6),
    };
    sort.with(number)
}

/// A block index: small, at the edges of the hexadecimal digits, at the limit, or anything.
fn index(source: &mut impl Source) -> u64 {
    const LIMIT: u64 = 1 << 48;
    match source.below(8) {
        0..3 => u64::from(source.below(4)),
        3 => u64::from(9 + source.below(3)),
        4 => [15, 16, 17, 255, 256, 4095, 65_535][source.below(7) as usize],
        5 => LIMIT - 2 + u64::from(source.below(4)),
        6 => source.number() >> source.below(64),
        _ => source.number(),
    }
}
