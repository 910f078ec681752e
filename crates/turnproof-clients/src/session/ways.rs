//! *Ways* in which sessions are not as a plain one: what clients, gateways and tools have written, beside the damages that
//! the suite knows.

#![allow(clippy::ptr_arg, reason = "all ways have one type, and some insert records")]

use serde_json::{Map, Value, json};
use turnproof_format::attachments::ATTACHMENTS;
use turnproof_suite::scenario::{Seeded, Source};

use super::plain::written;

/// Something that happens to a session.
pub(super) struct Way {
    /// Its name, in kebab case.
    pub(super) name: &'static str,
    change: Change,
}

/// Changes records; `None` where there is nothing to which this could happen.
type Change = fn(&mut Vec<Value>, &mut Seeded) -> Option<()>;

/// All of them.
pub(super) const WAYS: &[Way] = &[
    Way { name: "reply-beside-notice", change: reply_beside_notice },
    Way { name: "reply-beside-attachment", change: reply_beside_attachment },
    Way { name: "input-no-object", change: input_no_object },
    Way { name: "attachment-with-null", change: attachment_with_null },
    Way { name: "attachment-without-member", change: attachment_without_member },
    Way { name: "placeholder-before-result", change: placeholder_before_result },
    Way { name: "no-parent", change: no_parent },
    Way { name: "empty-part-in-result", change: empty_part_in_result },
    Way { name: "empty-prompt", change: empty_prompt },
    Way { name: "odd-tool-name", change: odd_tool_name },
    Way { name: "thinking-unsigned", change: thinking_unsigned },
];

impl Way {
    /// The session to which it has happened.
    pub(super) fn apply(&self, bytes: &[u8], seed: u64, case: u64) -> Option<Vec<u8>> {
        let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let mut records: Vec<Value> = lines.map(serde_json::from_slice).collect::<Result<_, _>>().ok()?;
        (self.change)(&mut records, &mut Seeded::new(seed ^ 0x5e55, case))?;
        Some(written(&records))
    }
}

/// A record of those that are so.
fn one(records: &[Value], source: &mut Seeded, is_so: impl Fn(&Value) -> bool) -> Option<usize> {
    let found: Vec<usize> = (0..records.len()).filter(|&at| is_so(&records[at])).collect();
    let count = u32::try_from(found.len()).ok().filter(|&count| count > 0)?;
    found.get(source.below(count) as usize).copied()
}

/// Whether its message begins with a block of this type.
fn begins_with(kind: &'static str) -> impl Fn(&Value) -> bool {
    move |record| record["message"]["content"][0]["type"] == kind
}

fn is_prompt(record: &Value) -> bool {
    record["type"] == "user" && record["message"]["content"].is_string()
}

/// A record of a session beside its messages.
fn beside(like: &Value, kind: &str, number: u64) -> Value {
    let mut record = like.clone();
    if let Some(members) = record.as_object_mut() {
        for name in ["message", "toolUseResult", "sourceToolAssistantUUID", "requestId"] {
            members.remove(name);
        }
    }
    record["type"] = kind.into();
    record["uuid"] = format!("b0000000-0000-4000-8000-{number:012x}").into();
    record
}

/// Whoever names the first as the parent names the second.
fn follow(records: &mut [Value], before: &Value, after: &Value) {
    for record in records.iter_mut().filter(|record| record["parentUuid"] == *before) {
        record["parentUuid"] = after.clone();
    }
}

/// A reply and another record follow the same one, and the session continues from the other.
fn fork(records: &mut Vec<Value>, source: &mut Seeded, other: impl Fn(&Value) -> Value) -> Option<()> {
    let last = records.len() - 1;
    let is_end = |record: &Value| begins_with("text")(record) && record["message"]["stop_reason"] == "end_turn";
    let at = one(&records[..last], source, is_end)?;
    let other = other(&records[at]);
    let (reply, fork) = (records[at]["uuid"].clone(), other["uuid"].clone());
    follow(records, &reply, &fork);
    records.insert(at + 1, other);
    Some(())
}

fn reply_beside_notice(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    fork(records, source, |reply| {
        let mut notice = beside(reply, "system", 1);
        notice["subtype"] = "stop_hook_summary".into();
        notice["hookCount"] = 1.into();
        notice["hookInfos"] = json!([{"command": "true"}]);
        notice["hookErrors"] = json!([]);
        notice["preventedContinuation"] = false.into();
        notice["stopReason"] = "".into();
        notice["hasOutput"] = false.into();
        notice["level"] = "suggestion".into();
        notice
    })
}

fn reply_beside_attachment(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    fork(records, source, |reply| {
        let mut attachment = beside(reply, "attachment", 1);
        attachment["attachment"] = json!({"type": "hook_additional_context", "content": ["It is late."],
            "hookName": "Stop", "hookEvent": "Stop", "toolUseID": "toolu_hook"});
        attachment
    })
}

fn input_no_object(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    let at = one(records, source, begins_with("tool_use"))?;
    let inputs = [json!("echo a"), json!(["echo", "a"]), json!(7), Value::Null];
    records[at]["message"]["content"][0]["input"] = inputs[source.below(4) as usize].clone();
    Some(())
}

/// How many attachments are put into a session: a crash by one hides what others do.
const ATTACHED: usize = 40;

/// Attachments behind a prompt, each of another kind or with another member changed.
fn attach(records: &mut Vec<Value>, source: &mut Seeded, change: impl Fn(&mut Value, &str)) -> Option<()> {
    let all = changed(&change);
    let first = source.below(u32::try_from(all.len()).ok()?) as usize;
    let mut at = one(records, source, is_prompt)?;
    for (number, value) in (0..).zip(all.iter().cycle().skip(first).take(ATTACHED)) {
        let mut attachment = beside(&records[at], "attachment", number);
        attachment["attachment"] = value.clone();
        let (before, uuid) = (records[at]["uuid"].clone(), attachment["uuid"].clone());
        follow(records, &before, &uuid);
        attachment["parentUuid"] = before;
        at += 1;
        records.insert(at, attachment);
    }
    Some(())
}

/// Attachments of all kinds, each with one of its members changed.
fn changed(change: impl Fn(&mut Value, &str)) -> Vec<Value> {
    let examples = ATTACHMENTS.iter().flat_map(|row| row.examples);
    let read = |json: &str| serde_json::from_str(&json.replace('$', "\"a text\"").replace('@', "\"toolu_1\"")).ok();
    let mut all = Vec::new();
    for value in examples.filter_map(|(_, json)| read(json)) {
        let value: Value = value;
        let names = value.as_object().into_iter().flat_map(Map::keys);
        for name in names.filter(|name| !matches!(&***name, "type" | "hookEvent")) {
            let mut changed = value.clone();
            change(&mut changed, name);
            all.push(changed);
        }
    }
    all
}

fn attachment_with_null(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    attach(records, source, |value, name| value[name] = Value::Null)
}

fn attachment_without_member(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    attach(records, source, |value, name| drop(value.as_object_mut().and_then(|members| members.remove(name))))
}

/// Another process has given a running call up; its result comes beside.
fn placeholder_before_result(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    let at = one(records, source, begins_with("tool_result"))?;
    let mut placeholder = records[at].clone();
    let block = &mut placeholder["message"]["content"][0];
    block["content"] = "[Tool call interrupted: the session ended before it was done]".into();
    block["is_error"] = true.into();
    placeholder["toolUseResult"] = "Error: interrupted".into();
    placeholder["toolDenialKind"] = "interrupted".into();
    placeholder["uuid"] = format!("b0000000-0000-4000-8000-{:012x}", 1).into();
    let (result, uuid) = (records[at]["uuid"].clone(), placeholder["uuid"].clone());
    follow(records, &result, &uuid);
    records.insert(at, placeholder);
    Some(())
}

fn no_parent(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    let at = 1 + one(&records[1..], source, is_prompt)?;
    records[at]["parentUuid"] = Value::Null;
    Some(())
}

fn empty_part_in_result(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    let at = one(records, source, begins_with("tool_result"))?;
    let block = &mut records[at]["message"]["content"][0];
    let text = block["content"].take();
    block["content"] = json!([{"type": "text", "text": text}, {"type": "text", "text": ""}]);
    Some(())
}

fn empty_prompt(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    let at = one(records, source, is_prompt)?;
    records[at]["message"]["content"] = "".into();
    Some(())
}

fn odd_tool_name(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    let at = one(records, source, begins_with("tool_use"))?;
    let name = ["functions.Bash", ""][source.below(2) as usize];
    records[at]["message"]["content"][0]["name"] = name.into();
    Some(())
}

fn thinking_unsigned(records: &mut Vec<Value>, source: &mut Seeded) -> Option<()> {
    let at = one(records, source, begins_with("thinking"))?;
    records[at]["message"]["content"][0].as_object_mut()?.remove("signature");
    Some(())
}
