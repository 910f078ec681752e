//! Stage *tidy blocks*: a block that the API would refuse in every place is dropped or put right (SPEC.md
//! section 6.7).
//!
//! [`fix`] says what is put right, [`fit`] what of a block its type has, [`may_carry`] what each role may say.

use std::collections::HashSet;

use turnproof_format::shapes::{self, Holder};
use turnproof_format::{MCP_CALL, MCP_RESULT, SERVER_CALL, is_blank, is_own_member, is_tool_name};

use crate::json::{Fields, JsonType, Raw};
use crate::message::{Block, Maybe, Typed};

use super::draft::{Draft, Part, Role};
use super::fit::{self, Fit};
use super::trace::Effect;
use super::{Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "tidy blocks",
    title: "blocks that no request may carry go or are put right",
    repairs: true,
    run: Run::Drafts(tidy_blocks),
};

fn tidy_blocks<'a>(mut drafts: Vec<Draft<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    for draft in &mut drafts {
        let role = draft.role;
        draft.parts.retain_mut(|part| match tidy(role, part, pass.options.tools.as_ref()) {
            Tidied::AsItIs => true,
            Tidied::Changed(block, how) => {
                pass.notes.add(part.source, Effect::Changed, || format!("{}: {}", part.type_name(), how.join(", ")));
                part.change(block);
                true
            }
            Tidied::Gone(reason) => {
                pass.notes.dropped(part.source, || match part.type_name() {
                    "" => reason,
                    name => format!("{name}: {reason}"),
                });
                false
            }
        });
    }
    drafts
}

/// What becomes of a block.
pub(super) enum Tidied {
    AsItIs,
    /// It is sent like this, and what was done to it.
    Changed(Block, Vec<&'static str>),
    /// It is not sent, and why.
    Gone(String),
}

pub(super) fn tidy(role: Role, part: &Part<'_>, tools: Option<&HashSet<String>>) -> Tidied {
    let gone = |why: &str| Tidied::Gone(why.to_owned());
    let Some(block) = part.block() else {
        return if part.text().is_none_or(|text| is_blank(text)) { gone("blank") } else { Tidied::AsItIs };
    };
    if !may_carry(role, block.type_name()) {
        return match role {
            Role::User => gone("users say no such block"),
            Role::Assistant => gone("replies hold no such block"),
        };
    }
    if let Some(why) = says_nothing(block) {
        return gone(why);
    }
    if is_plain(block) {
        return Tidied::AsItIs;
    }
    let Ok(mut fields) = Fields::from_raw(&block.write()) else { return gone("no object") };
    let Some(shape) = shapes::block(block.type_name()) else {
        return match without_own_members(&fields) {
            Some(kept) => changed(&kept.to_raw(), vec!["without the client's own members"]),
            None => Tidied::AsItIs,
        };
    };
    let mut how = fix(block.type_name(), &mut fields, tools);
    let fixed = fields.to_raw();
    match fit::object(fixed.get(), shape) {
        Fit::Whole if how.is_empty() => Tidied::AsItIs,
        Fit::Whole => changed(&fixed, how),
        Fit::Part(part) => {
            how.push("without what its type does not have");
            changed(&part, how)
        }
        Fit::Not(path) => Tidied::Gone(format!("without a fitting `{path}`")),
    }
}

fn changed(raw: &Raw, how: Vec<&'static str>) -> Tidied {
    match Block::read(raw) {
        Ok(block) => Tidied::Changed(block, how),
        Err(error) => Tidied::Gone(error.to_string()),
    }
}

/// Whether a turn of the role may have a block of this type. Types that are not known may stand everywhere.
fn may_carry(role: Role, type_name: &str) -> bool {
    match shapes::block(type_name).map(|shape| shape.holder) {
        Some(Holder::User) => role == Role::User,
        Some(Holder::Assistant) => role == Role::Assistant,
        Some(Holder::Speakers | Holder::Anyone | Holder::Nobody) | None => true,
    }
}

/// Why a block that has the members of its type says nothing that the API takes.
fn says_nothing(block: &Block) -> Option<&'static str> {
    match block {
        Block::Text(block) => block.text.as_str().is_none_or(is_blank).then_some("blank"),
        Block::Thinking(block) => block.signature.as_str().is_none_or(str::is_empty).then_some("without signature"),
        Block::RedactedThinking(block) => block.data.as_str().is_none_or(str::is_empty).then_some("without data"),
        Block::Unknown(name, _) => name.is_empty().then_some("without type"),
        _ => None,
    }
}

/// Whether a block surely has what its type requires and nothing else, as most have.
fn is_plain(block: &Block) -> bool {
    let is_absent = |member: &Maybe<Raw>| matches!(member, Maybe::Absent);
    let is_of = |member: &Maybe<Raw>, found| member.get().is_some_and(|raw| raw.json_type() == found);
    block.extra().is_empty()
        && match block {
            Block::Text(block) => is_absent(&block.citations) && is_absent(&block.cache_control),
            Block::ToolUse(call) => {
                let has_name = call.name.as_str().is_some_and(is_tool_name) && call.id.get().is_some();
                has_name
                    && is_of(&call.input, JsonType::Object)
                    && is_absent(&call.caller)
                    && is_absent(&call.cache_control)
            }
            Block::ToolResult(result) => {
                let is_flagged = matches!(result.is_error, Maybe::Absent | Maybe::Is(_));
                let has_text = is_absent(&result.content) || is_of(&result.content, JsonType::String);
                result.tool_use_id.get().is_some() && has_text && is_flagged && is_absent(&result.cache_control)
            }
            Block::Thinking(block) => block.thinking.get().is_some(),
            Block::RedactedThinking(_) => true,
            _ => false,
        }
}

/// Puts right what has a right form, and says what it was.
fn fix(type_name: &str, fields: &mut Fields, tools: Option<&HashSet<String>>) -> Vec<&'static str> {
    let mut how = Vec::new();
    match type_name {
        "tool_use" | SERVER_CALL | MCP_CALL => {
            if let Some(name) = fields.text("name").filter(|name| type_name == "tool_use" && !is_tool_name(name)) {
                fields.set("name", Raw::from(fit::legal_name(&name).as_str()));
                how.push("its name is legal now");
            }
            let input = fields.get("input").cloned();
            match input.as_ref().map(|input| (input, input.json_type())) {
                Some((_, JsonType::Object)) => {}
                Some((input, found)) if found != JsonType::Null || type_name == "tool_use" => {
                    fields.set("input", Fields::from([("input", input.clone())]).to_raw());
                    how.push("its input is an object now");
                }
                _ => {
                    fields.set("input", Fields::new().to_raw());
                    how.push("it has an input now");
                }
            }
        }
        "tool_result" | MCP_RESULT => {
            let content = fields.get("content").cloned();
            match content.as_ref().map(|content| (content, content.json_type())) {
                Some((content, JsonType::Array)) if type_name == "tool_result" => {
                    if let Some(list) = clean_list(content, tools) {
                        match list.is_empty() {
                            true => drop(fields.take("content")),
                            false => fields.set("content", list.write()),
                        }
                        how.push("without what no result may hold");
                    }
                }
                None | Some((_, JsonType::Null | JsonType::String | JsonType::Array)) => {}
                Some((content, _)) => {
                    fields.set("content", Raw::from(content.get()));
                    how.push("its content is JSON text now");
                }
            }
        }
        _ => {}
    }
    how
}

/// The elements of a result's content that may be sent; `None` when all may, as they are.
fn clean_list(content: &Raw, tools: Option<&HashSet<String>>) -> Option<Vec<Raw>> {
    let elements = fit::elements(content.get())?;
    let mut is_whole = !elements.is_empty();
    let mut cleaned = Vec::with_capacity(elements.len());
    for element in elements {
        match clean_element(element.get(), tools) {
            Fit::Whole => cleaned.push(Raw::from(element)),
            Fit::Part(part) => {
                is_whole = false;
                cleaned.push(part);
            }
            Fit::Not(_) => is_whole = false,
        }
    }
    (!is_whole).then_some(cleaned)
}

/// How much of an element of a result's content may be sent.
fn clean_element(element: &str, tools: Option<&HashSet<String>>) -> Fit {
    let fitting = fit::value(element, shapes::part());
    if matches!(fitting, Fit::Not(_)) {
        return fitting;
    }
    let type_name = fit::type_of(element);
    let text = |name: &str| {
        let members = fit::members(element)?;
        let value = members.into_iter().rfind(|(key, _)| key.as_str() == name).map(|(_, value)| Raw::from(value))?;
        value.text()
    };
    let is_dropped = match type_name.as_deref() {
        Some("text") => text("text").is_none_or(|text| is_blank(&text)),
        // A tool that the request does not offer, as far as is known.
        Some("tool_reference") => {
            tools.is_some_and(|tools| text("tool_name").is_none_or(|tool| !tools.contains(tool.as_str())))
        }
        _ => false,
    };
    match type_name {
        _ if is_dropped => Fit::Not(String::new()),
        Some(name) if shapes::part_of_result(&name).is_none() => {
            let members = Fields::from_raw(&Raw::written(element.to_owned())).ok();
            let kept = members.and_then(|fields| without_own_members(&fields));
            kept.map_or(Fit::Whole, |kept| Fit::Part(kept.to_raw()))
        }
        _ => fitting,
    }
}

/// The members without the client's own; `None` when there are none of those.
fn without_own_members(fields: &Fields) -> Option<Fields> {
    if !fields.iter().any(|(name, _)| is_own_member(name)) {
        return None;
    }
    Some(fields.clone().into_iter().filter(|(name, _)| !is_own_member(name)).collect())
}
