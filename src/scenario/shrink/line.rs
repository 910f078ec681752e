//! Simpler *lines*.

use super::super::damage::{Damage, SORTS};
use super::super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::super::pool::{EXTRAS, FLAGS, HUGE_NUMBER, ID_COUNT};
use super::block::{lower_blocks, plain_blocks};
use super::measure::{kind_choice, link_choice, only_simpler_lines, uuid_choice};
use super::number::{lower, nearer};

/// A kind of each sort, the plainest first.
const KINDS: [LineKind; 13] = [
    LineKind::User,
    LineKind::Assistant,
    LineKind::System(0),
    LineKind::HookResult,
    LineKind::Attachment,
    LineKind::Progress,
    LineKind::Tombstone,
    LineKind::ToolUseSummary,
    LineKind::GroupedToolUse,
    LineKind::StreamEvent,
    LineKind::StreamRequestStart,
    LineKind::Side(0),
    LineKind::Unknown,
];

/// The lines one bold step simpler: the plainest line, then one without all that is beside the content, then
/// those that lack one thing.
pub(super) fn plain_lines(line: &LinePlan) -> Vec<LinePlan> {
    let (damage, blocks) = (line.damage.clone(), line.blocks.clone());
    let plainest = LinePlan { damage: damage.clone(), uuid: line.uuid, ..LinePlan::default() };
    let content =
        LinePlan { kind: line.kind, form: line.form, about: line.about, blocks, ..plainest.clone() };
    let says_a = LinePlan { blocks: vec![BlockPlan::Text(0)], ..plainest.clone() };
    let mut lines = vec![plainest, says_a];
    lines.push(LinePlan { uuid: Some(0), plain: line.plain, ..content.clone() });
    lines.push(content);
    let mut step = |change: &dyn Fn(&mut LinePlan)| lines.push(changed(line, change));
    for index in 0..line.damage.len() {
        step(&|line| without(&mut line.damage, index));
    }
    for index in 0..line.blocks.len() {
        step(&|line| without(&mut line.blocks, index));
    }
    step(&|line| line.kind = LineKind::User);
    step(&|line| line.kind = LineKind::Assistant);
    if line.session != 0 {
        step(&|line| (line.session, line.parent) = (0, Link::Null));
    }
    step(&|line| line.parent = Link::Absent);
    step(&|line| line.uuid = Some(0));
    step(&|line| line.session = 0);
    step(&|line| line.flags = 0);
    step(&|line| line.extras = 0);
    step(&|line| line.plain = false);
    if line.plain {
        step(&|line| (line.plain, line.blocks) = (false, vec![first_text(line)]));
    }
    step(&|line| line.reply = 0);
    step(&|line| line.form = 0);
    step(&|line| line.about = 0);
    for (index, block) in line.blocks.iter().enumerate() {
        for simpler in plain_blocks(*block) {
            step(&|line| line.blocks[index] = simpler);
        }
    }
    only_simpler_lines(lines, line)
}

/// The lines one small step simpler: each plainer kind, each lower number, each sort of damage and of block
/// before the one that there is.
pub(super) fn lower_lines(line: &LinePlan) -> Vec<LinePlan> {
    let mut lines = Vec::new();
    let mut step = |change: &dyn Fn(&mut LinePlan)| lines.push(changed(line, change));
    lower_kinds(line.kind).for_each(|kind| step(&|line| line.kind = kind));
    lower_links(line.parent).for_each(|parent| step(&|line| line.parent = parent));
    lower_ids(line.uuid).for_each(|uuid| step(&|line| line.uuid = uuid));
    lower(line.session).for_each(|session| step(&|line| line.session = session));
    lower_flags(line.flags).into_iter().for_each(|flags| step(&|line| line.flags = flags));
    lower_extras(line.extras).into_iter().for_each(|extras| step(&|line| line.extras = extras));
    lower(line.reply).for_each(|reply| step(&|line| line.reply = reply));
    lower(line.form).for_each(|form| step(&|line| line.form = form));
    lower(line.about).for_each(|about| step(&|line| line.about = about));
    if line.about != 0 {
        // Another form may do without it.
        (1..FEW).for_each(|form| step(&|line| (line.form, line.about) = (form, 0)));
    }
    stand_ins(line).into_iter().for_each(|stand_in| step(&|line| *line = stand_in.clone()));
    for (index, damage) in line.damage.iter().enumerate() {
        lower_damages(*damage).for_each(|simpler| step(&|line| line.damage[index] = simpler));
    }
    for (index, block) in line.blocks.iter().enumerate() {
        lower_blocks(*block).for_each(|simpler| step(&|line| line.blocks[index] = simpler));
    }
    only_simpler_lines(lines, line)
}

/// Lines that may do for a line of a form: a text, for one that tells of a call its result, or what a hook says.
fn stand_ins(line: &LinePlan) -> Vec<LinePlan> {
    if line.kind == LineKind::Assistant && line.form != 0 {
        let blocks = line.blocks.iter().copied().chain([BlockPlan::Text(0)]).collect();
        return vec![LinePlan { blocks, form: 0, about: 0, ..line.clone() }];
    }
    if !matches!(line.kind, LineKind::HookResult | LineKind::Attachment | LineKind::Progress)
        || line.form == 0
    {
        return Vec::new();
    }
    let says = LinePlan {
        kind: LineKind::User,
        blocks: vec![BlockPlan::Text(line.about)],
        form: 0,
        about: 0,
        ..line.clone()
    };
    let blocks = vec![BlockPlan::ToolResult(line.about)];
    let mut lines = vec![LinePlan { blocks, ..says.clone() }, says];
    let hooks = (1..=HOOK_EVENTS).map(|form| LinePlan { kind: LineKind::HookResult, form, ..line.clone() });
    lines.extend(hooks);
    lines
}

/// How many of the first forms of hook results are hooks of a call and an event each.
const HOOK_EVENTS: u8 = 4;

fn changed(line: &LinePlan, change: &dyn Fn(&mut LinePlan)) -> LinePlan {
    let mut changed = line.clone();
    change(&mut changed);
    changed
}

fn without<T>(parts: &mut Vec<T>, index: usize) {
    parts.remove(index);
}

/// The block of the text that a string content says.
fn first_text(line: &LinePlan) -> BlockPlan {
    let is_text = |block: &&BlockPlan| matches!(block, BlockPlan::Text(_));
    line.blocks.iter().find(is_text).copied().unwrap_or(BlockPlan::Text(0))
}

fn lower_kinds(kind: LineKind) -> impl Iterator<Item = LineKind> {
    let plainer = KINDS.into_iter().filter(move |plainer| kind_choice(*plainer) < kind_choice(kind));
    let numbers = match kind {
        LineKind::System(which) => lower(which).map(LineKind::System).collect(),
        LineKind::Side(which) => lower(which).map(LineKind::Side).collect(),
        _ => Vec::new(),
    };
    plainer.chain(numbers)
}

fn lower_links(link: Link) -> impl Iterator<Item = Link> {
    let plainer = [Link::Absent, Link::Null, Link::Previous].into_iter();
    let numbers = match link {
        Link::To(which) => lower(which).map(Link::To).collect(),
        _ => Vec::new(),
    };
    plainer.filter(move |plainer| link_choice(*plainer) < link_choice(link)).chain(numbers)
}

/// Lower ids: none, and those of the pool; of the ids that belong to one line each the first.
fn lower_ids(uuid: Option<u8>) -> impl Iterator<Item = Option<u8>> {
    let none = (uuid_choice(uuid) > uuid_choice(None)).then_some(None);
    let which = uuid.unwrap_or_default();
    let own = (which > ID_COUNT).then_some(Some(ID_COUNT));
    none.into_iter().chain(lower(which.min(ID_COUNT)).map(Some)).chain(own)
}

/// Flags with fewer bits: without values of flags that are not there, with one flag alone, without one flag,
/// with one flag false.
fn lower_flags(flags: u16) -> Vec<u16> {
    let all = (1 << FLAGS.len()) - 1;
    let of = |mask: u16| flags & (mask | mask << FLAGS.len());
    let bits = || (0..FLAGS.len()).map(|bit| 1 << bit).filter(|bit| flags & bit != 0);
    let mut lower = vec![of(flags & all)];
    lower.extend(bits().map(of));
    lower.extend(bits().map(|bit| of(all & !bit)));
    lower.extend(bits().map(|bit| flags & !(bit << FLAGS.len())));
    lower
}

/// Extras with fewer members, or with an earlier member: with one alone, without one, with one before it.
fn lower_extras(extras: u16) -> Vec<u16> {
    let bits = || (0..EXTRAS.len()).map(|bit| 1 << bit).filter(|bit| extras & bit != 0);
    let mut lower: Vec<u16> = bits().collect();
    lower.extend(bits().map(|bit| extras & !bit));
    if extras.is_power_of_two() {
        let earlier = (0..extras.trailing_zeros()).filter(|bit| *bit != HUGE_NUMBER);
        lower.extend(earlier.map(|bit| 1 << bit));
    }
    lower
}

fn lower_damages(damage: Damage) -> impl Iterator<Item = Damage> {
    let sorts = SORTS.into_iter().take_while(move |sort| *sort != damage.with(0));
    // A cut may have to leave some bytes.
    let sorts = sorts.flat_map(|sort| [Some(sort), is_cut(sort).then(|| sort.with(2))]).flatten();
    let number = damage.number();
    let numbers: Vec<u8> = match damage {
        Damage::Nested(_) => nearer(number.into()).map(|number| number as u8).collect(),
        _ if number < FEW => lower(number).collect(),
        _ => (0..FEW).chain(nearer(number.into()).map(|number| number as u8)).collect(),
    };
    sorts.chain(numbers.into_iter().map(move |number| damage.with(number)))
}

fn is_cut(sort: Damage) -> bool {
    matches!(sort, Damage::Splice(_) | Damage::Overwrite(_))
}

/// So many numbers of a damage are tried one by one.
const FEW: u8 = 8;
