//! Simpler *lines*.

use std::collections::{BTreeMap, BTreeSet};

use super::super::UsageForm;
use super::super::pool::{Extra, Flag, ID_COUNT, PoolText};
use super::kind::{about, form_of, is_of_a_call, lower_blocks, lower_kinds, plain_blocks, with_about, with_form};
use super::measure::{link_choice, only_simpler_lines, uuid_choice};
use super::{lower, nearer};
use crate::scenario::{
    BlockPlan, Choice, Damage, HookResultForm, LineEnd, LineKind, LinePlan, Link, Sort, StreamDamage, StreamSort,
};

/// The lines one bold step simpler: the plainest line, then one with the content alone, then those without one thing.
pub(super) fn plain_lines(line: &LinePlan) -> Vec<LinePlan> {
    let plainest = LinePlan { damage: line.damage.clone(), uuid: line.uuid, ..LinePlan::default() };
    let content = LinePlan { kind: line.kind, blocks: line.blocks.clone(), ..plainest.clone() };
    let says_a = LinePlan { blocks: vec![BlockPlan::text(PoolText::Plain)], ..plainest.clone() };
    let without_id = LinePlan { uuid: Some(0), plain: line.plain, ..content.clone() };
    let large = line.large.is_some().then(|| LinePlan { large: line.large, ..plainest.clone() });
    let mut lines = vec![plainest, says_a, without_id, content];
    lines.extend(large);
    let mut step = |change: &dyn Fn(&mut LinePlan)| lines.push(changed(line, change));
    step(&|line| line.large = None);
    let smaller = |size: u32| nearer(size.into()).map(|size| size as u32).collect();
    for large in line.large.into_iter().flat_map(|large| large.resized(smaller)) {
        step(&|line| line.large = Some(large));
    }
    for index in 0..line.damage.len() {
        step(&|line| without(&mut line.damage, index));
    }
    for index in 0..line.blocks.len() {
        step(&|line| without(&mut line.blocks, index));
    }
    step(&|line| line.kind = LineKind::USER);
    step(&|line| line.kind = LineKind::REPLY);
    if line.session != 0 {
        step(&|line| (line.session, line.parent) = (0, Link::Null));
    }
    step(&|line| line.parent = Link::Absent);
    step(&|line| line.uuid = Some(0));
    step(&|line| line.session = 0);
    step(&|line| line.flags.clear());
    step(&|line| line.extras.clear());
    step(&|line| line.stream_damage = None);
    step(&|line| line.line_end = LineEnd::Lf);
    step(&|line| line.plain = false);
    if line.plain {
        step(&|line| (line.plain, line.blocks) = (false, vec![BlockPlan::text(line.first_text())]));
    }
    step(&|line| line.reply = 0);
    step(&|line| line.usage = UsageForm::Usual);
    step(&|line| line.kind = with_form(line.kind, 0));
    step(&|line| line.kind = with_about(line.kind, 0));
    for (index, block) in line.blocks.iter().enumerate() {
        for simpler in plain_blocks(*block) {
            step(&|line| line.blocks[index] = simpler);
        }
    }
    only_simpler_lines(lines, line)
}

/// The lines one small step simpler: each plainer kind, lower number, plainer damage and plainer block.
pub(super) fn lower_lines(line: &LinePlan) -> Vec<LinePlan> {
    let mut lines = Vec::new();
    let mut step = |change: &dyn Fn(&mut LinePlan)| lines.push(changed(line, change));
    lower_kinds(line.kind).for_each(|kind| step(&|line| line.kind = kind));
    lower_links(line.parent).for_each(|parent| step(&|line| line.parent = parent));
    lower_ids(line.uuid).for_each(|uuid| step(&|line| line.uuid = uuid));
    lower(line.session).for_each(|session| step(&|line| line.session = session));
    lower_flags(&line.flags).iter().for_each(|flags| step(&|line| line.flags = flags.clone()));
    lower_extras(&line.extras).iter().for_each(|extras| step(&|line| line.extras = extras.clone()));
    lower(line.reply).for_each(|reply| step(&|line| line.reply = reply));
    lower_stream_damages(line.stream_damage).for_each(|damage| step(&|line| line.stream_damage = Some(damage)));
    lower(line.line_end.place()).for_each(|end| step(&|line| line.line_end = LineEnd::at(end)));
    lower(line.usage.place()).for_each(|usage| step(&|line| line.usage = UsageForm::at(usage)));
    lower(form_of(line.kind)).for_each(|form| step(&|line| line.kind = with_form(line.kind, form)));
    lower(about(line.kind)).for_each(|about| step(&|line| line.kind = with_about(line.kind, about)));
    if about(line.kind) != 0 {
        // Another form may not need what the kind is about.
        (1..FEW).for_each(|form| step(&|line| line.kind = with_form(with_about(line.kind, 0), form)));
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

/// Lines that may replace a line of an unusual form. A line about a call may become the call's result, a text or a
/// hook's outcome.
fn stand_ins(line: &LinePlan) -> Vec<LinePlan> {
    if line.kind.is_reply() && form_of(line.kind) != 0 {
        let blocks = line.blocks.iter().copied().chain([BlockPlan::text(PoolText::Plain)]).collect();
        return vec![LinePlan { blocks, kind: LineKind::REPLY, ..line.clone() }];
    }
    if !is_of_a_call(line.kind) {
        return Vec::new();
    }
    let number = about(line.kind);
    let user = |block| LinePlan { kind: LineKind::USER, blocks: vec![block], ..line.clone() };
    let mut lines = vec![user(BlockPlan::result(number)), user(BlockPlan::text(PoolText::at(number)))];
    let hooks = (1..=4).map(|form| LineKind::hook_result(HookResultForm::at(form), number));
    lines.extend(hooks.map(|kind| LinePlan { kind, ..line.clone() }));
    lines
}

fn changed(line: &LinePlan, change: &dyn Fn(&mut LinePlan)) -> LinePlan {
    let mut changed = line.clone();
    change(&mut changed);
    changed
}

fn without<T>(parts: &mut Vec<T>, index: usize) {
    parts.remove(index);
}

fn lower_links(link: Link) -> impl Iterator<Item = Link> {
    let plainer = [Link::Absent, Link::Null, Link::Previous].into_iter();
    let numbers = match link {
        Link::To(which) => lower(which).map(Link::To).collect(),
        _ => Vec::new(),
    };
    plainer.filter(move |plainer| link_choice(*plainer) < link_choice(link)).chain(numbers)
}

/// Lower ids: none, those of the pool, and the first of those that belong to one line.
fn lower_ids(uuid: Option<u8>) -> impl Iterator<Item = Option<u8>> {
    let none = (uuid_choice(uuid) > uuid_choice(None)).then_some(None);
    let which = uuid.unwrap_or_default();
    let own = (which > ID_COUNT).then_some(Some(ID_COUNT));
    none.into_iter().chain(lower(which.min(ID_COUNT)).map(Some)).chain(own)
}

/// Fewer flags: one alone, all but one, one made false.
fn lower_flags(flags: &BTreeMap<Flag, bool>) -> Vec<BTreeMap<Flag, bool>> {
    let alone = flags.iter().map(|(flag, is_true)| BTreeMap::from([(*flag, *is_true)]));
    let others = |gone: Flag| flags.clone().into_iter().filter(move |(flag, _)| *flag != gone);
    let without = flags.keys().map(|gone| others(*gone).collect());
    let one_false = flags.keys().map(|flag| others(*flag).chain([(*flag, false)]).collect());
    alone.chain(without).chain(one_false).collect()
}

/// Fewer extras, or an earlier one: one alone, all but one, an earlier one for a single one.
fn lower_extras(extras: &BTreeSet<Extra>) -> Vec<BTreeSet<Extra>> {
    let mut lower: Vec<BTreeSet<Extra>> = extras.iter().map(|extra| [*extra].into()).collect();
    lower.extend(extras.iter().map(|gone| extras.iter().copied().filter(|extra| extra != gone).collect()));
    if let (Some(only), 1) = (extras.first(), extras.len()) {
        let earlier = Extra::ALL.iter().filter(|extra| *extra < only && **extra != Extra::HugeNumber);
        lower.extend(earlier.map(|extra| BTreeSet::from([*extra])));
    }
    lower
}

fn lower_damages(Damage { sort, number }: Damage) -> impl Iterator<Item = Damage> {
    let sorts = Sort::ALL.iter().take_while(move |plainer| **plainer != sort);
    // Some failures need a cut that leaves a few bytes.
    let is_cut = |sort: Sort| matches!(sort, Sort::Splice | Sort::Overwrite);
    let sorts = sorts.flat_map(move |sort| {
        let left = is_cut(*sort).then(|| Damage::new(*sort, 2));
        [Some(Damage::new(*sort, 0)), left].into_iter().flatten()
    });
    let numbers: Vec<u8> = match sort {
        Sort::Nested => nearer(number.into()).map(|number| number as u8).collect(),
        _ if number < FEW => lower(number).collect(),
        _ => (0..FEW).chain(nearer(number.into()).map(|number| number as u8)).collect(),
    };
    // A line inside a torn one may be too deep as it may be alone.
    let deep = (sort == Sort::InsideTorn).then(|| Damage::new(Sort::Nested, 128));
    sorts.chain(deep).chain(numbers.into_iter().map(move |number| Damage::new(sort, number)))
}

/// The same at an earlier event, and what is plainer at the same event.
fn lower_stream_damages(damage: Option<StreamDamage>) -> impl Iterator<Item = StreamDamage> {
    damage.into_iter().flat_map(|StreamDamage { sort, at }| {
        let sorts = lower(sort.place()).map(move |sort| StreamDamage { sort: StreamSort::at(sort), at });
        sorts.chain(lower(at).map(move |at| StreamDamage { sort, at }))
    })
}

/// So many numbers of a damage, or forms of a kind, are tried one by one.
const FEW: u8 = 8;
