//! What the *boundaries* of a repaired file say: what they followed, where a segment ends that they preserve, and that
//! all they name is there.

use std::collections::{HashMap, HashSet};

use super::records::{PARENT, Records, is_message, is_of_one};
use crate::json::Value;
use crate::rules::Sentence;
use crate::rules::value::{blocks, is_true, kind, list, result_of, text, uuid};
use crate::vocabulary::COMPACT_BOUNDARY;

const LOGICAL: &str = "logicalParentUuid";

/// What is wrong about the boundaries of a repaired file: the kind, what is found, and what is expected.
pub(super) fn wrong_boundaries(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
) -> Vec<(&'static str, Sentence, &'static str)> {
    let places = [Places::of(damaged), Places::of(repaired)];
    let logical = other_logical_parents(damaged, repaired);
    let logical = logical.map(|found| ("other-logical-parent", found, "a message before the boundary"));
    let tails = other_tails(damaged, repaired, &places);
    let tails = tails.map(|found| ("other-tail", found, "the last descendant of the segment's head"));
    let names = names_of_nobody(damaged, repaired);
    let names = names.map(|found| ("preserves-nobody", found, "uuids of records in the file"));
    let lists = odd_lists(damaged, repaired);
    let lists = lists.map(|found| ("odd-list", found, "other messages of the conversation, each once"));
    let anchors = early_anchors(damaged, repaired, &places[1]);
    let anchors = anchors.map(|found| ("early-anchor", found, "the boundary, or a message behind it"));
    let segments = other_segments(damaged, repaired, &places);
    let segments = segments.map(|found| ("other-segment", found, "the same claim: all of it is there"));
    logical.chain(tails).chain(names).chain(lists).chain(anchors).chain(segments).collect()
}

fn is_boundary(record: &Value) -> bool {
    kind(record) == "system" && text(record, "subtype") == Some(COMPACT_BOUNDARY)
}

/// Whether a record is a message of the main conversation.
fn is_of_conversation(record: &Value) -> bool {
    is_message(record) && !["isSidechain", "isVirtual"].iter().any(|name| is_true(record, name))
}

/// What a boundary says that it preserves, in one of two forms.
fn claim<'a>(boundary: &'a Value, form: &str) -> Option<&'a Value> {
    boundary.get("compactMetadata")?.get(form)
}

/// The boundaries that did not say what they followed, and do not name a message before them now. In both files a message
/// is before them that is there once.
fn other_logical_parents(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let there = &damaged.once;
    let is_mute = |record: &Value| is_boundary(record) && record.get(LOGICAL).is_none();
    let mute = damaged.iter().enumerate().filter(|(_, record)| is_mute(record));
    let mute: Vec<(usize, &str)> = mute.filter_map(|(at, record)| Some((at, uuid(record)?))).collect();
    mute.into_iter().filter_map(move |(place, boundary)| {
        let at = repaired.iter().position(|record| uuid(record) == Some(boundary) && there.contains_key(boundary))?;
        let before: HashSet<&str> = repaired[..at].iter().filter_map(uuid).collect();
        let is_one = |other: &Value| is_message(other) && is_of_one(other, &damaged[place]);
        let stays = |uuid: &str| there.contains_key(uuid) && before.contains(uuid);
        damaged[..place].iter().find(|other| is_one(other) && uuid(other).is_some_and(stays))?;
        let named = text(&repaired[at], LOGICAL);
        let was_before = |named: &str| damaged[..place].iter().any(|other| uuid(other) == Some(named));
        let is_right = named.is_some_and(|named| before.contains(named) || was_before(named));
        let named = named.unwrap_or("nothing").to_owned();
        (!is_right).then(|| sentence!("the boundary `{boundary}` names {named} as what it followed", boundary, named))
    })
}

/// The boundaries whose segment had no tail in the file, and ends now before a message that is behind its head. In both
/// files that message comes after the tail and before the boundary, and parents lead from it to the head.
fn other_tails(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
    [old, new]: &[Places<'_>; 2],
) -> impl Iterator<Item = Sentence> {
    let boundaries: Vec<&Value> = damaged.iter().filter(|record| is_boundary(record)).collect();
    boundaries.into_iter().filter_map(move |record| {
        let boundary = uuid(record).filter(|_| !is_true(record, "isSidechain"))?;
        let segment = claim(record, SEGMENT)?;
        let head = text(segment, "headUuid").filter(|head| old.before(boundary, head))?;
        text(segment, "tailUuid").filter(|tail| damaged.iter().all(|other| uuid(other) != Some(tail)))?;
        let now = claim(&repaired[*new.by_uuid.get(boundary)?], SEGMENT)?;
        let tail = text(now, "tailUuid").filter(|_| text(now, "headUuid") == Some(head))?;
        let is_behind = |places: &Places<'_>, uuid: &str| places.before(boundary, uuid) && places.before(uuid, tail);
        let is_later = |other: &&Value| {
            let is_one = is_message(other) && is_of_one(other, record) && !is_true(other, "isVirtual");
            is_one
                && uuid(other).is_some_and(|uuid| {
                    [old, new].iter().all(|places| is_behind(places, uuid) && places.leads(uuid, head))
                })
        };
        let later = uuid(damaged.iter().rev().find(is_later)?)?;
        Some(sentence!("the segment of `{boundary}` ends with `{tail}`, and not with `{later}`", boundary, tail, later))
    })
}

const SEGMENT: &str = "preservedSegment";

/// The records of a file by uuid, without those whose uuid another one has.
struct Places<'a> {
    records: &'a [Value],
    by_uuid: HashMap<&'a str, usize>,
}

impl<'a> Places<'a> {
    fn of(records: &'a Records<'_>) -> Self {
        let once = &records.once;
        let places = records.iter().enumerate().filter_map(|(at, record)| Some((uuid(record)?, at)));
        Self { records, by_uuid: places.filter(|(uuid, _)| once.contains_key(uuid)).collect() }
    }

    /// Whether one record is before another.
    fn before(&self, later: &str, earlier: &str) -> bool {
        self.by_uuid.get(earlier).zip(self.by_uuid.get(later)).is_some_and(|(earlier, later)| earlier < later)
    }

    /// Whether a record names one that is behind it.
    fn names_ahead(&self) -> bool {
        let parent = |record: &Value| text(record, PARENT).and_then(|parent| self.by_uuid.get(parent));
        self.records.iter().zip(0..).any(|(record, at)| parent(record).is_some_and(|parent| *parent > at))
    }

    /// Whether parents lead from one record to another, each to one that is earlier. A tombstone is no record of a chain.
    fn leads(&self, from: &str, to: &str) -> bool {
        let mut at = self.by_uuid.get(from).copied();
        while let Some(place) = at {
            let record = &self.records[place];
            if uuid(record) == Some(to) {
                return true;
            }
            let parent = text(record, PARENT)
                .filter(|_| kind(record) != "tombstone")
                .and_then(|parent| self.by_uuid.get(parent));
            at = parent.copied().filter(|parent| *parent < place);
        }
        false
    }
}

/// The boundaries that name a message as kept that is not in the file.
fn names_of_nobody(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let there = &damaged.once;
    let left: HashSet<&str> = repaired.iter().filter_map(uuid).collect();
    let boundaries: Vec<&Value> = repaired.iter().filter(|record| is_boundary(record)).collect();
    let old = boundaries.into_iter().filter(move |record| uuid(record).is_some_and(|uuid| there.contains_key(uuid)));
    old.filter_map(move |record| {
        let boundary = uuid(record)?;
        let all = list(claim(record, "preservedMessages")?, "allUuids");
        // A list that holds anything else names nothing.
        let named: Vec<&str> = all.iter().map(Value::as_str).collect::<Option<_>>()?;
        let missing = named.into_iter().find(|named| !left.contains(named))?;
        Some(sentence!("the boundary `{boundary}` preserves {missing}, which is not in the file", boundary, missing))
    })
}

/// The boundaries of the main conversation that were there, as they are now; without those that share a uuid.
fn boundaries<'a>(damaged: &Records<'_>, repaired: &'a Records<'_>) -> Vec<(&'a str, &'a Value)> {
    let (there, left) = (&damaged.once, &repaired.once);
    let of_main = repaired.iter().filter(|record| is_boundary(record) && !is_true(record, "isSidechain"));
    let named = of_main.filter_map(|record| Some((uuid(record)?, record)));
    named.filter(|(uuid, _)| there.contains_key(uuid) && left.contains_key(uuid)).collect()
}

/// The boundaries whose list is empty, or names one message twice, the boundary, the anchor, or what is no message of the
/// conversation (SPEC 3.3.4).
fn odd_lists(damaged: &Records<'_>, repaired: &Records<'_>) -> impl Iterator<Item = Sentence> {
    let left = &repaired.once;
    let odd = boundaries(damaged, repaired).into_iter().filter_map(|(boundary, record)| {
        let claim = claim(record, "preservedMessages")?;
        let listed: Vec<&str> = claim.get("uuids")?.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
        if listed.is_empty() {
            return Some(sentence!("the boundary `{boundary}` preserves an empty list", boundary));
        }
        let mut seen = HashSet::from([boundary]);
        seen.extend(text(claim, "anchorUuid"));
        let mut in_order = listed.into_iter();
        let named = in_order
            .find(|&uuid| !seen.insert(uuid) || !left.get(uuid).is_some_and(|record| is_of_conversation(record)))?;
        Some(sentence!("the list of the boundary `{boundary}` names {named}", boundary, named))
    });
    odd.collect::<Vec<_>>().into_iter()
}

/// The boundaries whose anchor is before them, for a list or for a segment from before them.
fn early_anchors(damaged: &Records<'_>, repaired: &Records<'_>, places: &Places<'_>) -> impl Iterator<Item = Sentence> {
    let early = boundaries(damaged, repaired).into_iter().filter_map(|(boundary, record)| {
        let is_before = |name: &str| places.before(boundary, name);
        let segment = claim(record, SEGMENT).filter(|segment| text(segment, "headUuid").is_some_and(is_before));
        let claims = [claim(record, "preservedMessages"), segment].into_iter().flatten();
        let anchor = claims.filter_map(|claim| text(claim, "anchorUuid")).find(|anchor| is_before(anchor))?;
        Some(sentence!("what `{boundary}` preserves hangs on `{anchor}`, which is before it", boundary, anchor))
    });
    early.collect::<Vec<_>>().into_iter()
}

/// The boundaries that claimed a segment whole, and claim another or none now. Whole is one whose tail leads to its head
/// through records that are there once in both files; it is before the boundary, or behind it, as a fork writes it.
fn other_segments(
    damaged: &Records<'_>,
    repaired: &Records<'_>,
    [old, new]: &[Places<'_>; 2],
) -> impl Iterator<Item = Sentence> {
    let there = &damaged.once;
    // What one boundary keeps another may keep, and what names a record behind it may come to stand in another place.
    let is_alone = damaged.iter().filter(|record| is_boundary(record)).count() == 1;
    // Into what a boundary preserves no result can be put.
    let results = |record: &Value| blocks(record).iter().filter(|block| result_of(block).is_some()).count();
    let gains = |now: &Value| results(now) > uuid(now).and_then(|uuid| there.get(uuid)).map_or(0, |was| results(was));
    let is_sure = is_alone && damaged.has_one_root && !old.names_ahead() && !repaired.iter().any(gains);
    let boundaries = boundaries(damaged, repaired).into_iter().filter(|_| is_sure);
    let others = boundaries.filter_map(|(boundary, now)| {
        let was = claim(there[boundary], SEGMENT).filter(|_| claim(there[boundary], "preservedMessages").is_none())?;
        let ends = |segment| ["headUuid", "tailUuid", "anchorUuid"].map(|name| text(segment, name));
        let [Some(head), Some(tail), Some(anchor)] = ends(was) else { return None };
        let is_one = |uuid: &str| uuid != boundary && there.get(uuid).is_some_and(|record| is_of_conversation(record));
        let parent = |uuid: &str| there.get(uuid).and_then(|record| record.get(PARENT));
        let is_linked = parent(head).is_some() && parent(anchor).and_then(Value::as_str) == Some(boundary);
        let is_on_one_side = old.before(boundary, head) == old.before(boundary, tail) && old.before(anchor, boundary);
        let is_whole = [head, tail, anchor].into_iter().all(is_one) && is_linked && is_on_one_side;
        let leads = || [old, new].iter().all(|places| places.leads(tail, head));
        let is_same = claim(now, SEGMENT).is_some_and(|now| ends(now) == ends(was));
        (!is_same && is_whole && leads()).then(|| {
            sentence!("the boundary `{boundary}` does not preserve `{head}` to `{tail}`", boundary, head, tail)
        })
    });
    others.collect::<Vec<_>>().into_iter()
}
