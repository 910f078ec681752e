//! What *no rule objects to* stays: the words of messages, the texts of attachments, and the members of records.

use std::collections::HashMap;

use super::records::Records;
use crate::json::{self, Value};
use crate::rules::Sentence;
use crate::rules::value::{blocks, content, is_blank, kind, result_of, text, text_of, uuid};
use crate::rules::wire::fields::misfit_members;
use crate::vocabulary::Kind;

/// What is wrong about what a repaired file should only have copied: the kind, what is found, and what is expected.
pub(super) fn touched(kept: &[Kept<'_>]) -> Vec<(&'static str, Sentence, &'static str)> {
    let words = kept.iter().filter_map(|kept| Some(("lost-words", lost_words(kept)?, "the words as they were")));
    let texts = kept.iter().filter_map(|kept| Some(("lost-text", lost_texts(kept)?, "the text as it was")));
    let members = kept.iter().filter_map(|kept| Some(("other-member", other_member(kept)?, "the member as it was")));
    let new = kept.iter().filter_map(|kept| Some(("new-member", new_member(kept)?, "the members that it had")));
    let lists = kept.iter().filter_map(|kept| Some(("lost-list", lost_list(kept)?, "the list, which each host takes")));
    words.chain(texts).chain(members).chain(new).chain(lists).collect()
}

/// A record that is in both files.
pub(super) struct Kept<'a> {
    pub(super) uuid: &'a str,
    was: &'a Value,
    now: &'a Value,
}

/// The records that are in both files, and whose uuid no other one has.
pub(super) fn of_both<'a>(damaged: &'a Records<'_>, repaired: &'a Records<'_>) -> Vec<Kept<'a>> {
    let (there, left) = (&damaged.once, &repaired.once);
    let is_same = |was: &Value, now: &Value| {
        !damaged.has_nameless || ["type", "timestamp"].iter().all(|name| was.get(*name) == now.get(*name))
    };
    let in_order = damaged.iter().filter_map(|was| {
        let uuid = uuid(was).filter(|uuid| there.contains_key(uuid))?;
        let now = *left.get(uuid)?;
        is_same(was, now).then_some(Kept { uuid, was, now })
    });
    in_order.collect()
}

/// The words of a message that no rule objects to: a content that is a text, and blocks that are a text and nothing else.
/// Of a notice that is its content.
pub(super) fn words(record: &Value) -> Vec<&str> {
    let plain = |block| text_of(block).filter(|_| is_plain_text(block));
    let words: Vec<&str> = match Kind::of(kind(record)) {
        Some(Kind::User | Kind::Assistant) => {
            let whole = content(record).and_then(Value::as_str);
            whole.into_iter().chain(blocks(record).iter().filter_map(plain)).collect()
        }
        Some(Kind::System) => text(record, "content").into_iter().collect(),
        _ => Vec::new(),
    };
    words.into_iter().filter(|words| !is_blank(words)).collect()
}

/// Whether a block is a text without other members.
fn is_plain_text(block: &Value) -> bool {
    block.as_object().is_some_and(|members| members.len() == 2) && text_of(block).is_some()
}

fn lost_words(kept: &Kept<'_>) -> Option<Sentence> {
    let lost = *missing(&words(kept.was), &words(kept.now))?;
    Some(sentence!("the record `{uuid}` does not say `{lost}` any more", uuid = kept.uuid, lost))
}

/// The first thing that is there less often than it was.
fn missing<'w, 'a>(was: &'w [&'a str], now: &[&str]) -> Option<&'w &'a str> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    now.iter().for_each(|thing| *left.entry(thing).or_default() += 1);
    was.iter().find(|thing| match left.get_mut(**thing) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    })
}

/// The members of an attachment that say something to the model.
const SAYS: [&str; 2] = ["attachment", "rendered"];

/// A text block, anywhere in an attachment, that is no text of it any more.
fn lost_texts(kept: &Kept<'_>) -> Option<Sentence> {
    let texts = |record| SAYS.iter().filter_map(move |name| Value::get(record, *name)).flat_map(plain_texts);
    if kind(kept.was) != "attachment" {
        return None;
    }
    let lost = *missing(&texts(kept.was).collect::<Vec<_>>(), &texts(kept.now).collect::<Vec<_>>())?;
    Some(sentence!("the attachment `{uuid}` does not hold `{lost}` any more", uuid = kept.uuid, lost))
}

/// The text blocks without other members, anywhere in a value.
fn plain_texts(value: &Value) -> Vec<&str> {
    let (mut found, mut left) = (Vec::new(), vec![value]);
    while let Some(value) = left.pop() {
        found.extend(text_of(value).filter(|words| is_plain_text(value) && !is_blank(words)));
        match (value.as_array(), value.as_object()) {
            (Some(list), _) => left.extend(list),
            (_, Some(members)) => left.extend(members.values()),
            _ => {}
        }
    }
    found
}

/// The members of records in which a repair may have to put something right.
const EDITED: [&str; 12] = [
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "compactMetadata",
    "message",
    "content",
    "attachment",
    "rendered",
    "toolUseResult",
    "sourceToolAssistantUUID",
    "supersedesUuids",
    "retractedMessageUuids",
];

/// A member that is another, or is gone. Those that a repair may edit are left out, and those of a wrong type.
fn other_member(kept: &Kept<'_>) -> Option<Sentence> {
    let members = kept.was.as_object()?;
    // Nobody knows what the members of an unknown record mean, but for its links.
    let edited = if Kind::of(kind(kept.was)).is_some() { &EDITED[..] } else { &EDITED[..2] };
    let is_edited = |name: &str| edited.contains(&name);
    let mut others =
        members.iter().filter(|(name, value)| !is_edited(name) && kept.now.get(&***name) != Some(*value)).peekable();
    let of_body = other_member_of_body(kept.was, kept.now);
    others.peek().is_some().then_some(()).or(of_body.map(|_| ()))?;
    let written = kept.was.to_string();
    let misfits = json::read_all(written.as_bytes()).map(|tree| misfit_members(&tree)).unwrap_or_default();
    let other = others.map(|(name, _)| &**name).find(|name| !misfits.contains(name));
    let of_body = of_body.filter(|_| !misfits.contains(&"message")).map(|name| format!("message.{name}"));
    let name = other.map(str::to_owned).or(of_body)?;
    Some(sentence!("`{name}` of the record `{uuid}` is another", name, uuid = kept.uuid))
}

/// A member beside the content that a message and a reply had, and that is another.
fn other_member_of_body<'a>(was: &'a Value, now: &Value) -> Option<&'a str> {
    let is_said = matches!(Kind::of(kind(was)), Some(Kind::User | Kind::Assistant));
    let (was, now) = (was.get("message")?, now.get("message")?);
    let other = was.as_object()?.iter().find(|(name, value)| **name != *"content" && now.get(&***name) != Some(*value));
    other.map(|(name, _)| &**name).filter(|_| is_said)
}

/// A member that a record did not have.
fn new_member(kept: &Kept<'_>) -> Option<Sentence> {
    let members = kept.now.as_object()?;
    let new =
        members.keys().map(|name| &**name).find(|name| !EDITED.contains(name) && kept.was.get(*name).is_none())?;
    Some(sentence!("the record `{uuid}` has a member `{new}` now", uuid = kept.uuid, new))
}

/// A result whose content was an empty list, and is none any more. Of two results of a call one is dropped.
fn lost_list(kept: &Kept<'_>) -> Option<Sentence> {
    let is_empty = |block: &&Value| block.get("content").and_then(Value::as_array).is_some_and(Vec::is_empty);
    let mut empty = blocks(kept.was).iter().filter(is_empty).filter_map(result_of);
    let has_lost_it = |call: &&str| {
        let [was, now] = [kept.was, kept.now]
            .map(|record| blocks(record).iter().filter(|block| result_of(block) == Some(*call)).collect::<Vec<_>>());
        was.len() == 1 && !now.is_empty() && !now.iter().any(is_empty)
    };
    let call = empty.find(has_lost_it)?;
    Some(sentence!("the result of {call} in `{uuid}` has no list as its content", call, uuid = kept.uuid))
}
