//! Damages of *content*: blocks that no request may carry, calls without results, results without calls.

use super::one_of;
use super::session::{Session, text_of};
use crate::json::{Fields, Raw};
use crate::scenario::{Seeded, Source};

fn block(json: &'static str) -> Fields {
    Fields::from_raw(&Raw::fixed(json)).unwrap_or_default()
}

/// A call of a server tool with this id, and its result.
fn server_pair(id: &'static str) -> [Fields; 2] {
    let mut call = block(r#"{"type":"server_tool_use","name":"web_search","input":{"query":"a"}}"#);
    let mut result = block(r#"{"type":"web_search_tool_result","content":[]}"#);
    call.set("id", Raw::from(id));
    result.set("tool_use_id", Raw::from(id));
    [call, result]
}

/// A reply that no call follows in its turn, so that what is added in front of its blocks is no damage alone.
fn reply(session: &Session, source: &mut Seeded) -> Option<(usize, Vec<Fields>)> {
    let line = one_of(source, &session.replies())?;
    Some((line, session.blocks(line)))
}

pub(super) fn blank_text(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let (line, mut blocks) = reply(session, source)?;
    blocks.insert(0, block(r#"{"type":"text","text":" \n"}"#));
    session.set_blocks(line, &blocks)
}

pub(super) fn half_written(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let (line, mut blocks) = reply(session, source)?;
    blocks.insert(0, block(r#"{"type":"text"}"#));
    session.set_blocks(line, &blocks)
}

pub(super) fn no_content(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let is_prompt = |line: &usize| {
        let has_result =
            session.blocks(*line).iter().any(|block| text_of(block, "type").as_deref() == Some("tool_result"));
        !has_result && session.record(*line).is_some_and(|record| record.get("isMeta").is_none())
    };
    let line = one_of(source, &session.of_kind("user").into_iter().filter(is_prompt).collect::<Vec<_>>())?;
    session.set_content(line, Raw::fixed("[]"))
}

pub(super) fn call_first(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let (line, _) = one_of(source, &session.with_block("tool_use"))?;
    let mut blocks = session.blocks(line);
    blocks.extend(server_pair("srvtoolu_injury1"));
    session.set_blocks(line, &blocks)
}

pub(super) fn server_id_twice(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let (line, mut blocks) = reply(session, source)?;
    let pairs = [server_pair("srvtoolu_injury1"), server_pair("srvtoolu_injury1")].concat();
    blocks.splice(0..0, pairs);
    session.set_blocks(line, &blocks)
}

pub(super) fn half_server_pair(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let (line, mut blocks) = reply(session, source)?;
    let [call, _] = server_pair("srvtoolu_injury1");
    blocks.insert(0, call);
    session.set_blocks(line, &blocks)
}

/// Behind a prompt, where an attachment may stand.
pub(super) fn odd_picture(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = one_of(source, &session.of_kind("user"))?;
    let mut record = session.record(line)?;
    let parent = record.text("uuid")?;
    for name in ["message", "toolUseResult", "sourceToolAssistantUUID", "isMeta", "origin", "permissionMode"] {
        record.take(name);
    }
    record.set("type", Raw::from("attachment"));
    record.set("uuid", Raw::from("a77acccc-0000-4000-8000-000000000001"));
    record.set("parentUuid", Raw::from(parent.as_str()));
    record.set("attachment", Raw::fixed(
        r#"{"type":"file","filename":"/a.bmp","displayPath":"a.bmp","content":{"type":"image","file":{"base64":"Qk0=","type":"image/bmp","originalSize":2}}}"#,
    ));
    session.insert(line, &record);
    Some(())
}

/// A result that is alone in its message, and the message's line.
fn lone_results(session: &Session) -> Vec<usize> {
    let is_alone = |line: &usize| session.blocks(*line).len() == 1;
    session.with_block("tool_result").into_iter().map(|(line, _)| line).filter(is_alone).collect()
}

pub(super) fn result_lost(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = one_of(source, &lone_results(session))?;
    session.cut(line);
    Some(())
}

pub(super) fn call_lost(session: &mut Session, source: &mut Seeded) -> Option<()> {
    // What several records follow would become a branch point.
    let children = |line: usize| {
        let uuid = session.text(line, "uuid");
        (0..session.lines.len()).filter(|&child| session.text(child, "parentUuid") == uuid).count()
    };
    let is_alone = |(line, _): &(usize, usize)| session.blocks(*line).len() == 1 && children(*line) == 1;
    let calls = session.with_block("tool_use").into_iter().filter(is_alone).collect::<Vec<_>>();
    let (line, _) = one_of(source, &calls)?;
    session.cut(line);
    Some(())
}

pub(super) fn result_twice(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = one_of(source, &lone_results(session))?;
    let mut record = session.record(line)?;
    let parent = record.text("uuid")?;
    record.set("uuid", Raw::from("2e50dddd-0000-4000-8000-000000000001"));
    record.set("parentUuid", Raw::from(parent.as_str()));
    session.insert(line, &record);
    Some(())
}

pub(super) fn late_result(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = one_of(source, &lone_results(session))?;
    let at = session.conversation.iter().position(|&other| other == line)?;
    let later: Vec<usize> = session.conversation[at + 1..].iter().copied().filter(|&other| other > line).collect();
    let target = one_of(source, later.get(1..)?)?;
    let mut record = session.record(line)?;
    let parent = session.text(target, "uuid")?;
    // Behind it first, so that the lines above keep their numbers.
    record.set("parentUuid", Raw::from(parent.as_str()));
    session.insert(target, &record);
    let uuid = record.text("uuid")?;
    let before = session.text(line, "parentUuid");
    for child in (line + 1..session.lines.len()).filter(|&child| child != target + 1) {
        if child <= target && session.text(child, "parentUuid").as_deref() == Some(uuid.as_str()) {
            session.name_parent(child, before.as_deref());
        }
    }
    session.lines.remove(line);
    Some(())
}

/// Gives a call and its results another id.
fn rename(session: &mut Session, old: &str, from: usize, new: &str) {
    for line in from..session.lines.len() {
        let mut blocks = session.blocks(line);
        let mut is_changed = false;
        for block in &mut blocks {
            let member = match text_of(block, "type").as_deref() {
                Some("tool_use") => "id",
                Some("tool_result") => "tool_use_id",
                _ => continue,
            };
            if text_of(block, member).as_deref() == Some(old) {
                block.set(member, Raw::from(new));
                is_changed = true;
            }
        }
        if is_changed {
            session.set_blocks(line, &blocks);
        }
    }
}

/// The ids of the calls of the conversation, each with its line.
fn calls(session: &Session) -> Vec<(usize, String)> {
    let id = |(line, at): (usize, usize)| Some((line, text_of(&session.blocks(line)[at], "id")?));
    session.with_block("tool_use").into_iter().filter_map(id).collect()
}

pub(super) fn call_id_twice(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let calls = calls(session);
    let later = 1 + source.below(u32::try_from(calls.len().checked_sub(1)?).ok().filter(|&count| count > 0)?) as usize;
    let (_, new) = &calls[source.below(later as u32) as usize];
    let (line, old) = &calls[later];
    rename(session, old, *line, new);
    Some(())
}

pub(super) fn odd_call_id(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let calls = calls(session);
    let (line, old) = &calls[source.below(u32::try_from(calls.len()).ok().filter(|&count| count > 0)?) as usize];
    rename(session, old, *line, "toolu.odd:1");
    Some(())
}

pub(super) fn thinking_last(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let ends_turn = |line: &usize| {
        let at = session.conversation.iter().position(|other| other == line);
        let next = at.and_then(|at| session.conversation.get(at + 1));
        let calls = session.blocks(*line).iter().any(|block| text_of(block, "type").as_deref() == Some("tool_use"));
        !calls && next.is_none_or(|&next| session.kind(next) == "user")
    };
    let line = one_of(source, &session.replies().into_iter().filter(ends_turn).collect::<Vec<_>>())?;
    let mut blocks = session.blocks(line);
    blocks.push(block(r#"{"type":"thinking","thinking":"a","signature":"c2lnbmF0dXJl"}"#));
    session.set_blocks(line, &blocks)
}

pub(super) fn reply_first(session: &mut Session, _: &mut Seeded) -> Option<()> {
    let first = session.conversation.iter().position(|&line| session.kind(line) == "assistant").filter(|&at| at > 0)?;
    let mut gone = session.conversation[..first].to_vec();
    gone.sort_unstable();
    for line in gone.into_iter().rev() {
        session.cut(line);
    }
    Some(())
}

pub(super) fn wrong_source(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let has_source = |line: &usize| session.text(*line, "sourceToolAssistantUUID").is_some();
    let lines: Vec<usize> = session.of_kind("user").into_iter().filter(has_source).collect();
    let line = one_of(source, &lines)?;
    let own = session.text(line, "sourceToolAssistantUUID");
    let prompts = session.of_kind("user").into_iter().filter_map(|prompt| session.text(prompt, "uuid"));
    let others: Vec<String> = prompts.filter(|uuid| Some(uuid) != own.as_ref()).collect();
    let other =
        others.get(source.below(u32::try_from(others.len()).ok().filter(|&count| count > 0)?) as usize)?.clone();
    let mut record = session.record(line)?;
    record.set("sourceToolAssistantUUID", Raw::from(other.as_str()));
    session.put(line, &record);
    Some(())
}
