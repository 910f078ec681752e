//! The *ids* of the UI's messages: made from those of the messages, and the same at each drawing.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::parts::{has_blocks, head};
use super::plain::{NO_OUTPUT, is_spoken, output, shown, uuid};
use super::split::{NOT_PAIRED, paired};
use crate::rules::alike::{alike, difference};
use crate::rules::{Judge, Place, Rule, Severity, UiEvidence, Verdict, Violation};

pub(super) const DERIVED_AFTER_SPLIT: Rule = Rule {
    id: "ui/derived-after-split",
    title: "ids are kept until the first message of several blocks, and derived by block from then on",
    severity: Severity::Error,
    doc: "\
As long as every user and assistant message has one block, its id is kept. The first message with more than \
one block changes that for itself and for all after it: from then on each part's id is the first 24 characters \
of its message's own and the block's index in 12 hexadecimal digits, also for messages of a single block. \
System messages, attachments and the other kinds keep their ids always; a message without an id stays without.

The rule looks odd, and it is a contract: rows are found again by these ids when the list is drawn anew, and \
what comes earlier never depends on what comes later. An implementation that derives ids only for the parts of \
split messages, or for all messages as soon as one is split, gives other ids to rows that are on the screen.",
    example: concat!(
        r#"{"messages":[{"type":"user","uuid":"u1","message":{"role":"user","content":"#,
        r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]}},"#,
        r#"{"type":"user","uuid":"u2","message":{"role":"user","content":"c"}}],"output":{"Ok":["#,
        r#"{"type":"user","uuid":"u1000000000000","message":{"role":"user","content":[{"type":"text","text":"a"}]}},"#,
        r#"{"type":"user","uuid":"u1000000000001","message":{"role":"user","content":[{"type":"text","text":"b"}]}},"#,
        r#"{"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"text","text":"c"}]}}]}}"#,
    )
    .as_bytes(),
    remedy: "Remember, going through the list, whether a user or assistant message with more than one block \
has come; derive ids from then on, index 0 included.",
    sources: &["spec 7", "spec 2.3"],
    judge: Judge::NormalizeUi(derived_after_split),
};

fn derived_after_split(case: &UiEvidence<'_>) -> Verdict {
    let Some(pairs) = paired(case) else { return NOT_PAIRED };
    let mut violations = Vec::new();
    let mut judged = 0;
    for (index, (part, message)) in (0..).zip(pairs).filter(|(_, (part, _))| part.is_spoken) {
        judged += 1;
        let found = uuid(message);
        if found == part.uuid.as_deref() {
            continue;
        }
        let expected = match &part.uuid {
            Some(id) if part.is_kept => format!("{id:?}, which is the message's own"),
            Some(id) => format!("{id:?}, which is derived from the message's own"),
            None => "no id, as the message has none".to_owned(),
        };
        let place = Place::Message { index, block: None };
        violations.push(Violation::new(
            DERIVED_AFTER_SPLIT.id,
            place,
            format!("the id is {}", shown(message.get("uuid"))),
            expected,
        ));
    }
    match judged {
        0 => Verdict::NotApplicable("no message is split"),
        _ => Verdict::from_violations(violations),
    }
}

pub(super) const STABLE: Rule = Rule {
    id: "ui/stable",
    title: "the same messages give the same messages of the UI, ids included",
    severity: Severity::Error,
    doc: "\
A list of messages is made ready for the UI again and again: at every key that is pressed, at every piece of \
a streamed reply. The rows that did not change are recognised by their ids and are not drawn anew.

If the same list gives other ids the second time (a fresh random one for each part, a counter that goes on, a \
time), every row is new: the screen flickers, a selection jumps, folded output opens, and memory grows with \
each drawing. The rule asks a subject twice and compares the answers.",
    example: concat!(
        r#"{"messages":[{"type":"user","uuid":"u1","message":{"role":"user","content":"a"}}],"output":{"Ok":["#,
        r#"{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"text","text":"a"}]}}]},"#,
        r#""again":{"Ok":["#,
        r#"{"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"text","text":"a"}]}}]}}"#,
    )
    .as_bytes(),
    remedy: "Make ids from the message's own id and the block's index, never from chance, a clock or a counter \
that outlives the call.",
    sources: &["spec 7"],
    judge: Judge::NormalizeUi(stable),
};

fn stable(case: &UiEvidence<'_>) -> Verdict {
    let Some(again) = &case.again else { return Verdict::NotApplicable("the subject was asked once") };
    match (case.shown(), output(again)) {
        (Ok(first), Ok(second)) => match difference(first, second, alike) {
            None => Verdict::Holds,
            Some(at) => Verdict::Broken(vec![Violation::new(
                STABLE.id,
                Place::Message { index: at as u32, block: None },
                format!("asked again: {}", shown(second.get(at))),
                format!("as the first time: {}", shown(first.get(at))),
            )]),
        },
        (Err(first), Err(second)) if first == second => NO_OUTPUT,
        (first, second) => {
            let in_words = |given: Result<&[Value], String>| match given {
                Ok(messages) => format!("{} messages", messages.len()),
                Err(why) => why,
            };
            let (found, expected) = (in_words(second), in_words(first));
            Verdict::Broken(vec![Violation::new(STABLE.id, Place::Whole, found, expected)])
        }
    }
}

pub(super) const PREFIX_STABLE: Rule = Rule {
    id: "ui/prefix-stable",
    title: "messages that are appended never change what was made of the earlier ones, ids included",
    severity: Severity::Error,
    doc: "\
A conversation grows at its end, and what is on the screen already must stay: for every shorter list of the \
first messages the output is the beginning of the longer list's output, the same messages with the same ids.

It breaks when something looks ahead: ids that are derived everywhere as soon as any message of the list has \
several blocks, results that are joined to their calls, a reply's lines that are put together when the next \
one arrives. The user sees rows above the fold change, and a terminal UI that has written them to the \
scrollback cannot take them back: it prints them twice.",
    example: concat!(
        r#"{"messages":[{"type":"user","uuid":"u1","message":{"role":"user","content":"a"}},"#,
        r#"{"type":"system","uuid":"u2","content":"b"}],"output":{"Ok":["#,
        r#"{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"text","text":"a"}]}},"#,
        r#"{"type":"system","uuid":"u2","content":"b"}]},"shorter":[{"Ok":[]},{"Ok":["#,
        r#"{"type":"user","uuid":"u1000000000000","message":{"role":"user","content":"#,
        r#"[{"type":"text","text":"a"}]}}]}]}"#,
    )
    .as_bytes(),
    remedy: "Go through the list once, from its start, and let what is made of a message depend on it and on \
those before it alone.",
    sources: &["spec 7"],
    judge: Judge::NormalizeUi(prefix_stable),
};

fn prefix_stable(case: &UiEvidence<'_>) -> Verdict {
    let Ok(whole) = case.shown() else { return NO_OUTPUT };
    if case.shorter.is_empty() {
        return Verdict::NotApplicable("no shorter list was asked for");
    }
    let mut violations = Vec::new();
    let asked = case.shorter.iter().enumerate().filter_map(|(count, given)| Some((count, given.as_ref()?)));
    for (count, shorter) in asked {
        match output(shorter) {
            Err(why) => {
                let found = format!("for the first {count} messages: {why}");
                violations.push(Violation::new(PREFIX_STABLE.id, Place::Whole, found, "a list of messages"));
            }
            Ok(shorter) => {
                let same = shorter.iter().zip(whole).take_while(|(a, b)| alike(a, b)).count();
                if same < shorter.len() {
                    violations.push(Violation::new(
                        PREFIX_STABLE.id,
                        Place::Message { index: same as u32, block: None },
                        format!("for the first {count} messages: {}", shown(shorter.get(same))),
                        format!("as for the whole list: {}", shown(whole.get(same))),
                    ));
                }
            }
        }
    }
    Verdict::from_violations(violations)
}

pub(super) const UNIQUE_IDS: Rule = Rule {
    id: "ui/unique-ids",
    title: "no two messages of the UI share an id",
    severity: Severity::Error,
    doc: "\
A UI keeps its rows by their ids; two rows with the same one are drawn as one, or one of them is drawn twice \
and the other never. Frameworks warn of repeated keys and then do either.

Ids derived for parts differ by the block's index and by the first 24 characters of their message's id. So the \
rule is put only where the messages' ids differ in these characters, and where none is the same as an id \
derived from another; where they do not, two parts may well collide, and it is the ids of the input that are \
to blame. Each collision is named, with both messages.",
    example: concat!(
        r#"{"messages":[{"type":"user","uuid":"u1","message":{"role":"user","content":"#,
        r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}],"output":{"Ok":["#,
        r#"{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"text","text":"a"}]}},"#,
        r#"{"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"text","text":"b"}]}}]}}"#,
    )
    .as_bytes(),
    remedy: "Give each part the id derived from its message's by the block's index; do not copy the message's \
own id into several parts.",
    sources: &["spec 7", "spec 2.3"],
    judge: Judge::NormalizeUi(unique_ids),
};

fn unique_ids(case: &UiEvidence<'_>) -> Verdict {
    let Ok(output) = case.shown() else { return NO_OUTPUT };
    if case.parts().is_empty() {
        return Verdict::NotApplicable("the messages have no blocks");
    }
    let shown = case.input().iter().filter(|message| !is_spoken(message) || has_blocks(message));
    let Some(ids) = shown.map(|message| uuid(message)).collect::<Option<Vec<_>>>() else {
        return Verdict::NotApplicable("a message has no id");
    };
    if may_collide(&ids) {
        return Verdict::NotApplicable("two messages have ids from which the same id may be derived");
    }
    let mut first_with: HashMap<&str, usize> = HashMap::new();
    let mut violations = Vec::new();
    for (index, message) in output.iter().enumerate() {
        let Some(id) = uuid(message) else { continue };
        let first = *first_with.entry(id).or_insert(index);
        if first != index {
            let found = format!("the id {id:?} is that of messages.{first} too");
            let place = Place::Message { index: index as u32, block: None };
            violations.push(Violation::new(UNIQUE_IDS.id, place, found, "an id that no other message has"));
        }
    }
    Verdict::from_violations(violations)
}

/// Whether two messages with these ids can have parts with the same id, even if all is right.
fn may_collide(ids: &[&str]) -> bool {
    let heads: HashSet<&str> = ids.iter().map(|id| head(id)).collect();
    heads.len() < ids.len() || ids.iter().any(|id| parent(id).is_some_and(|parent| heads.contains(parent)))
}

/// What stands before the index, if the id has the form of a derived one and that is not its own head.
fn parent(id: &str) -> Option<&str> {
    let (parent, index) = id.split_at_checked(id.len().checked_sub(12)?)?;
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (index.bytes().all(is_digit) && parent.chars().count() < 24).then_some(parent)
}
