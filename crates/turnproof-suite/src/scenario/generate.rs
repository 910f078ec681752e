//! *Generation* of plans, by one generator for seeds and for fuzz bytes.

use super::causal::{actions, ending};
use super::damage::{
    FIRST_KEY_COUNT, FIRST_REPEATED_BELOW, FORKED_FROM, GARBAGE_COUNT, TOKEN_COUNT, UNDERSCORES, WRONG_BLOCK,
    WRONG_COUNT, WRONG_FIRST_COUNT, WRONG_ID, WRONG_LISTS, WRONG_THEN_RIGHT_COUNT,
};
use super::extra_stream::extra_streams;
use super::large::enlarge;
use super::make::makes;
use super::plain::dialogue;
use super::plan_builder::PlanBuilder;
use super::pool::{Extra, Flag, MOST_LINES, SideKind, own_id};
use super::{
    AssistantForm, BlockPlan, Choice, Damage, LineEnd, LineKind, LinePlan, Link, Plan, Profile, ProgressForm, Scenario,
    Sort, Source, StreamDamage, StreamSort, UserForm,
};

impl Scenario {
    /// Makes a plan by asking `source`.
    pub fn generate(source: &mut dyn Source, profile: Profile) -> Self {
        if profile == Profile::Causal {
            return Self::causal(source);
        }
        if profile == Profile::Plain {
            return Self { plan: Plan::Plain { turns: dialogue(source) }, ..Self::empty(profile) };
        }
        let is_orderly = source.once_in(2);
        // Short plans are more frequent, since they are easier to read. Scenes need some lines.
        let most = if source.once_in(38) { u32::from(MOST_LINES) } else { 9 };
        let least = if is_orderly { 4 } else { 1 };
        let bound = least + source.below(most + 1 - least);
        let fewest = if is_orderly { 2 } else { 1 };
        let count = (fewest + source.below(bound)).min(bound) as usize;
        let count = within(source, count);
        let mut lines = PlanBuilder::new(source, is_orderly, count).play();
        if profile == Profile::Hostile {
            spoil(source, &mut lines);
            spoil_what_fits(source, &mut lines);
        }
        damage_streams(source, profile, &mut lines);
        if source.once_in(40) {
            are_of_a_subagent(source, &mut lines);
        }
        // Rare, and in short plans, since what is large takes the time of several others. It is one in fifty of all.
        if lines.len() <= 14 && source.once_in(11) {
            enlarge(source, &mut lines);
        }
        let indexes = (0..1 + source.below(3)).map(|_| index(source)).collect();
        let context = source.once_in(7);
        let (makes, flows) = (makes(source), extra_streams(source));
        let plan = match profile {
            Profile::Hostile => Plan::Hostile { lines, piece: 1 + source.byte(LONGEST_PIECE) },
            _ => Plan::Shuffled { lines },
        };
        Self { plan, indexes, context, makes, flows }
    }

    /// A plan of nothing.
    pub const fn empty(profile: Profile) -> Self {
        Self { plan: Plan::empty(profile), indexes: Vec::new(), context: false, makes: Vec::new(), flows: Vec::new() }
    }

    fn causal(source: &mut dyn Source) -> Self {
        let most = if source.once_in(20) { 150 } else { 40 };
        let bound = 1 + source.below(most);
        let count = 1 + source.below(bound) as usize;
        let count = within(source, count);
        let mut actions = actions(source, count);
        let (indexes, context) = (vec![index(source)], source.once_in(8));
        actions.extend(ending(source));
        let (makes, flows) = (makes(source), extra_streams(source));
        Self { plan: Plan::Causal { actions }, indexes, context, makes, flows }
    }
}

/// As many lines or actions as the source has answers for, since each asks at least one question.
fn within(source: &dyn Source, count: usize) -> usize {
    source.left().map_or(count, |left| count.min(left.max(1)))
}

/// Damages lines: about half of them in most plans, one line in the others.
fn spoil(source: &mut dyn Source, lines: &mut [LinePlan]) {
    if lines.len() <= 4 && source.once_in(3) {
        // What is left alone is seen in a file that is whole but for its last byte.
        if let Some(line) = lines.last_mut() {
            let sort = if source.once_in(3) { Sort::BlankEnd } else { Sort::NoLineEnd };
            line.damage = vec![Damage::new(sort, 0)];
            if source.once_in(3) {
                // A crash left more behind the line, or less of it.
                line.damage = match source.below(4) {
                    0 => vec![Damage::new(Sort::NulAfter, source.byte(8)), Damage::new(Sort::NoLineEnd, 0)],
                    1 => vec![Damage::new(Sort::NulBlock, source.byte(8)), Damage::new(Sort::NoLineEnd, 0)],
                    2 => vec![Damage::new(Sort::Cut, 128 + source.byte(120)), Damage::new(Sort::BlankEnd, 0)],
                    _ => vec![Damage::new(Sort::NulInside, source.byte(255)), Damage::new(Sort::NoLineEnd, 0)],
                };
            }
        }
        return;
    }
    if source.once_in(3) {
        let at = source.below(lines.len().max(1) as u32) as usize;
        let is_lost = source.once_in(6);
        match source.below(16) {
            0..4 => return tear(source, lines, at),
            4 | 5 => return break_around_a_record(source, lines, at),
            6 => return reject_beside_something(source, lines, at),
            _ => {}
        }
        let line = match is_lost {
            // A call or a result that is lost leaves the other one alone.
            true => lines.iter_mut().skip(at).find(|line| has_call_or_result(line)),
            false => lines.get_mut(at),
        };
        if let Some(line) = line {
            line.damage = vec![if is_lost { Damage::new(Sort::Lost, 0) } else { damage(source) }];
        }
        return;
    }
    for line in lines {
        let count = [0, 0, 0, 0, 1, 1, 1, 2][source.below(8) as usize];
        line.damage = (0..count).map(|_| damage(source)).collect();
    }
}

/// Makes the file one of a subagent alone, where no line is odd in itself. Half of the time its first line names a
/// record of another file.
fn are_of_a_subagent(source: &mut dyn Source, lines: &mut [LinePlan]) {
    let is_odd = |line: &LinePlan| {
        let is_old = matches!(line.kind, LineKind::HookResult { .. });
        is_old || !line.flags.is_empty() || !line.extras.is_empty() || line.uuid.is_none()
    };
    if lines.iter().any(is_odd) {
        return;
    }
    let elsewhere = own_id(lines.len());
    if let Some(first) = lines.first_mut().filter(|_| source.once_in(2)) {
        first.parent = Link::To(elsewhere);
    }
    for line in lines {
        line.flags.insert(Flag::IsSidechain, true);
        line.extras.insert(Extra::Agent);
    }
}

/// Damages lines in a way that says something on such a line alone.
fn spoil_what_fits(source: &mut dyn Source, lines: &mut [LinePlan]) {
    for line in lines.iter_mut() {
        let damage = match line.kind {
            LineKind::System { .. } if source.once_in(12) => Damage::new(Sort::WrongType, WRONG_LISTS + source.byte(2)),
            LineKind::User { .. } if source.once_in(40) => Damage::new(Sort::WrongType, WRONG_ID),
            _ if line.extras.contains(&Extra::Forked) && source.once_in(2) => {
                Damage::new(Sort::EscapedKey, FORKED_FROM)
            }
            _ => continue,
        };
        line.damage = vec![damage];
    }
    // A wrong field in front of a message that says nothing.
    for at in 1..lines.len() {
        let is_unsaid = lines[at].kind == LineKind::User { form: UserForm::WithoutMessage }
            || matches!(lines[at].kind, LineKind::Assistant { form: AssistantForm::WithoutMessage, .. });
        let before = &mut lines[at - 1];
        if is_unsaid && (before.kind.is_user() || before.kind.is_reply()) && source.once_in(2) {
            before.damage = vec![Damage::new(Sort::WrongType, WRONG_BLOCK)];
        }
    }
}

/// The most bytes of a stream that come at once.
const LONGEST_PIECE: u8 = 61;

/// Damages the stream of one reply in eight. One in nine that are sent as bytes has other ends of lines.
fn damage_streams(source: &mut dyn Source, profile: Profile, lines: &mut [LinePlan]) {
    for line in lines.iter_mut().filter(|line| line.kind.is_reply()) {
        if source.once_in(8) {
            let sort = StreamSort::at(source.byte(StreamSort::count()));
            line.stream_damage = Some(StreamDamage { sort, at: source.byte(12) });
        }
        if profile == Profile::Hostile && source.once_in(6) {
            line.line_end = LineEnd::at(source.byte(LineEnd::count()));
        }
    }
}

/// A line is torn, and what comes behind its beginning is a record without a uuid: half of the time a side record that
/// names no session, only a leaf or a message.
fn tear(source: &mut dyn Source, lines: &mut [LinePlan], at: usize) {
    if let Some([torn, next]) = lines.get_mut(at..).and_then(<[_]>::first_chunk_mut) {
        torn.damage = vec![Damage::new(Sort::Splice, 128)];
        if source.once_in(2) {
            let names_a_message = source.once_in(2);
            let side = if names_a_message { SideKind::FILE_HISTORY_SNAPSHOT } else { SideKind::default() };
            *next = LinePlan { kind: LineKind::Side { side }, ..LinePlan::default() };
            next.damage = vec![Damage::new(Sort::Without, 0)];
            let leaf = [Extra::LeafAndSnapshot, Extra::Leaf][source.below(2) as usize];
            next.extras.extend((!names_a_message).then_some(leaf));
        }
        next.uuid = None;
        if !source.once_in(3) {
            next.damage.push(Damage::new(Sort::FirstKey, first_key(source)));
        }
    }
}

/// A first key: half of the time one that begins with an underscore.
fn first_key(source: &mut dyn Source) -> u8 {
    let bound = if source.once_in(2) { UNDERSCORES } else { FIRST_KEY_COUNT };
    source.byte(bound)
}

/// A record that holds another one is damaged in front of that. A comma follows the inner one: it is no record of its own.
fn break_around_a_record(source: &mut dyn Source, lines: &mut [LinePlan], at: usize) {
    if let Some(line) = lines.iter_mut().skip(at).find(|line| !line.kind.is_reply()) {
        if source.once_in(2) {
            line.kind = LineKind::progress(ProgressForm::OfASubagent, 0);
        } else {
            line.extras.insert(Extra::Forked);
        }
        let sorts = [Sort::LineFeedInside, Sort::BadByte, Sort::NulInside];
        line.damage = vec![Damage::new(sorts[source.below(3) as usize], source.byte(24))];
    }
}

/// A line is rejected that ends with CR LF, or on which a record follows.
fn reject_beside_something(source: &mut dyn Source, lines: &mut [LinePlan], at: usize) {
    if let Some(line) = lines.get_mut(at) {
        let end = if source.once_in(2) { Sort::CarriageReturn } else { Sort::NoLineEnd };
        let rejected = match source.below(3) {
            0 => Damage::new(Sort::Garbage, source.byte(GARBAGE_COUNT)),
            1 => Damage::new(Sort::Cut, source.byte(255)),
            _ => Damage::new(Sort::Nested, 127 + source.byte(3)),
        };
        line.damage = vec![rejected, Damage::new(end, 0)];
    }
}

fn has_call_or_result(line: &LinePlan) -> bool {
    line.blocks.iter().any(|block| matches!(block, BlockPlan::ToolUse { .. } | BlockPlan::ToolResult { .. }))
}

fn damage(source: &mut dyn Source) -> Damage {
    let sort = match source.below(8) {
        // These are the most frequent in real files.
        0 => Sort::NoLineEnd,
        1 => Sort::Splice,
        2 if source.once_in(3) => Sort::EscapedKey,
        3 if source.once_in(2) => [Sort::Blanks, Sort::ByteOrderMark, Sort::CarriageReturn][source.below(3) as usize],
        4 if source.once_in(4) => Sort::Nested,
        4 if source.once_in(2) => Sort::WrongTypeFirst,
        5 if source.once_in(3) => {
            [Sort::WrongThenRight, Sort::CutBehindBlock, Sort::InsideTorn, Sort::CutInToken][source.below(4) as usize]
        }
        6 if source.once_in(4) => Sort::RepeatedKey,
        _ => Sort::at(source.byte(Sort::count())),
    };
    let number = match sort {
        // Around the limit of 128 levels, half of them right beside it. The record itself is one.
        Sort::Nested if source.once_in(2) => 126 + source.byte(3),
        Sort::Nested => 120 + source.byte(16),
        Sort::NulBefore | Sort::NulAfter | Sort::NulBlock => source.byte(8),
        Sort::Cut | Sort::Splice | Sort::Overwrite => {
            // Half of the cuts are near the end of the line.
            if source.once_in(2) { 255 - source.byte(24) } else { source.byte(255) }
        }
        Sort::NulInside | Sort::BadByte | Sort::LineFeedInside => source.byte(255),
        // Mostly a member that nobody knows.
        Sort::RepeatedKey => {
            [0, 1, 2, 3, 3, 3, FIRST_REPEATED_BELOW, FIRST_REPEATED_BELOW + 1][source.byte(8) as usize]
        }
        Sort::WrongType => source.byte(WRONG_COUNT),
        // Mostly a message, as prompts and replies have one.
        Sort::WrongTypeFirst if source.once_in(2) => source.byte(2),
        Sort::WrongTypeFirst => source.byte(WRONG_FIRST_COUNT),
        Sort::FirstKey => first_key(source),
        Sort::Garbage => source.byte(GARBAGE_COUNT),
        // Mostly those of the members that every reader wants.
        Sort::EscapedKey => [0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 10, 11][source.byte(14) as usize],
        Sort::WrongThenRight => source.byte(WRONG_THEN_RIGHT_COUNT),
        Sort::InsideTorn => source.byte(16),
        Sort::CutInToken => source.byte(TOKEN_COUNT),
        _ => source.byte(6),
    };
    Damage::new(sort, number)
}

/// The first block index for which no id can be derived.
pub(super) const INDEX_LIMIT: u64 = 1 << 48;

/// A block index: small, at the edges of the hexadecimal digits, at the limit, or anything.
fn index(source: &mut dyn Source) -> u64 {
    match source.below(8) {
        0..3 => u64::from(source.below(4)),
        3 => u64::from(9 + source.below(3)),
        4 => [15, 16, 17, 255, 256, 4095, 65_535][source.below(7) as usize],
        5 => INDEX_LIMIT - 2 + u64::from(source.below(4)),
        6 => source.number() >> source.below(64),
        _ => source.number(),
    }
}
