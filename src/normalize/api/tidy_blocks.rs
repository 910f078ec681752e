//! Stage *tidy blocks*: a block that the API would refuse wherever it stands goes, or is put right (SPEC.md
//! section 6.9).
//!
//! [`may_carry`] says what each role may say, [`lacks`] what a type requires, [`put_right`] what is mended.

use crate::json::{Fields, JsonType, Raw, Text};
use crate::message::{Block, Maybe, ToolResult, ToolUse, Typed};

use super::draft::{Draft, Part, Role};
use super::text::is_blank;
use super::trace::Effect;
use super::{Options, Pass, Run, Stage};

pub(super) const STAGE: Stage = Stage {
    name: "tidy blocks",
    title: "blocks that no request may carry go or are put right",
    run: Run::Drafts(tidy_blocks),
};

fn tidy_blocks<'a>(mut drafts: Vec<Draft<'a>>, pass: &mut Pass<'_>) -> Vec<Draft<'a>> {
    for draft in &mut drafts {
        let role = draft.role;
        draft.parts.retain_mut(|part| match reason_to_drop(role, part) {
            Some(reason) => {
                pass.notes.dropped(part.source, || match part.type_name() {
                    "" => reason.to_owned(),
                    name => format!("{name}: {reason}"),
                });
                false
            }
            None => {
                if let Some((block, how)) = part.block().and_then(|block| put_right(block, pass.options)) {
                    part.change(block);
                    pass.notes.add(part.source, Effect::Changed, || format!("{}: {how}", part.type_name()));
                }
                true
            }
        });
    }
    drafts
}

/// Why a part may not be sent.
fn reason_to_drop(role: Role, part: &Part<'_>) -> Option<&'static str> {
    let Some(block) = part.block() else {
        return part.text().is_none_or(|text| is_blank(text)).then_some("blank");
    };
    if !may_carry(role, block) {
        return Some(match role {
            Role::User => "users say no such block",
            Role::Assistant => "replies hold no such block",
        });
    }
    lacks(block)
}

/// Whether a turn of the role may have a block of this type.
fn may_carry(role: Role, block: &Block) -> bool {
    match block {
        Block::Text(_) | Block::Stray(_) => true,
        Block::Unknown(name, _) => role == Role::Assistant || name.as_str() != MCP_CALL,
        Block::ToolResult(_) | Block::Image(_) | Block::Document(_) => role == Role::User,
        Block::ToolUse(_)
        | Block::ServerToolUse(_)
        | Block::ServerToolResult(..)
        | Block::Thinking(_)
        | Block::RedactedThinking(_) => role == Role::Assistant,
    }
}

/// The type of a call of an MCP server's tool, made on the server.
pub(super) const MCP_CALL: &str = "mcp_tool_use";

/// What a block lacks that its type requires.
fn lacks(block: &Block) -> Option<&'static str> {
    let is_missing = |text: &Maybe<Text>| text.as_str().is_none_or(str::is_empty);
    match block {
        Block::Text(block) => block.text.as_str().is_none_or(is_blank).then_some("blank"),
        Block::ToolUse(call) | Block::ServerToolUse(call) => {
            (call.id.get().is_none() || is_missing(&call.name)).then_some("without id or name")
        }
        Block::ToolResult(result) => result.tool_use_id.get().is_none().then_some("without tool_use_id"),
        Block::ServerToolResult(_, result) => result.tool_use_id.get().is_none().then_some("without tool_use_id"),
        Block::Thinking(block) => {
            (block.thinking.get().is_none() || is_missing(&block.signature)).then_some("without signature")
        }
        Block::RedactedThinking(block) => is_missing(&block.data).then_some("without data"),
        Block::Image(media) => source_lacks(media.source.get(), IMAGES),
        Block::Document(media) => source_lacks(media.source.get(), DOCUMENTS),
        Block::Unknown(name, _) if name.is_empty() => Some("without type"),
        Block::Unknown(name, fields) if name.as_str() == MCP_CALL => {
            let has_name = fields.text("name").is_some_and(|name| !name.is_empty());
            (fields.text("id").is_none() || !has_name).then_some("without id or name")
        }
        Block::Stray(_) => Some("no object"),
        Block::Unknown(..) => None,
    }
}

/// The media types of images that the API takes as base64.
const IMAGES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// The media types of documents that the API takes as base64.
const DOCUMENTS: &[&str] = &["application/pdf"];

/// What the source of an image or a document lacks. A picture of a type that the API does not know
/// would have each further request refused.
fn source_lacks(source: Option<&Fields>, taken: &[&str]) -> Option<&'static str> {
    let Some(source) = source else { return Some("without source") };
    let is_base64 = source.text("type").is_some_and(|name| name.as_str() == "base64");
    let is_taken = || source.text("media_type").is_some_and(|name| taken.contains(&name.as_str()));
    (is_base64 && !is_taken()).then_some("of a media type that the API does not take")
}

/// The block as it may be sent, and what was done to it; `None` when it may be sent as it is.
fn put_right(block: &Block, options: &Options) -> Option<(Block, &'static str)> {
    let fitting = block.without_misfits();
    let block = fitting.as_ref().unwrap_or(block);
    let bare = without_own_members(block);
    let with_content = match bare.as_ref().unwrap_or(block) {
        Block::ToolUse(call) => with_input(call, true).map(|call| (call.into(), "its input is an object now")),
        Block::ServerToolUse(call) => {
            with_input(call, false).map(|call| (Block::ServerToolUse(Box::new(call)), "it has an input now"))
        }
        Block::ToolResult(result) => {
            with_clean_content(result, options).map(|result| (result.into(), "without what no result may hold"))
        }
        Block::Unknown(name, fields) if name.as_str() == MCP_CALL && !has(fields, "input") => {
            let mut fields = fields.clone();
            fields.set("input", Fields::new().to_raw());
            Some((Block::Unknown(name.clone(), fields), "it has an input now"))
        }
        _ => None,
    };
    let bare = bare.map(|bare| (bare, "without the client's own members"));
    with_content.or(bare).or_else(|| fitting.map(|fitting| (fitting, "without members of another type")))
}

/// Whether a member is there, and not null.
fn has(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some_and(|raw| raw.json_type() != JsonType::Null)
}

/// The call with an input that the API takes; `None` when it has one.
fn with_input(call: &ToolUse, must_be_object: bool) -> Option<ToolUse> {
    let input = match &call.input {
        Maybe::Is(raw) if !must_be_object || raw.json_type() == JsonType::Object => return None,
        Maybe::Is(raw) => Fields::from([("input", raw.clone())]),
        Maybe::Null if must_be_object => Fields::from([("input", Raw::null())]),
        Maybe::Null | Maybe::Absent | Maybe::Misfit(_) => Fields::new(),
    };
    Some(ToolUse { input: input.to_raw().into(), ..call.clone() })
}

/// The result with content that the API takes; `None` when it has.
fn with_clean_content(result: &ToolResult, options: &Options) -> Option<ToolResult> {
    let content = match &result.content {
        Maybe::Null => Maybe::Absent,
        Maybe::Is(raw) if raw.json_type() == JsonType::Array => match clean_list(raw, options)? {
            list if list.is_empty() => Maybe::Absent,
            list => Maybe::Is(list.write()),
        },
        Maybe::Absent | Maybe::Is(_) | Maybe::Misfit(_) => return None,
    };
    Some(ToolResult { content, ..result.clone() })
}

/// The elements of a result's content that may be sent; `None` when all may, as they are.
fn clean_list(raw: &Raw, options: &Options) -> Option<Vec<Raw>> {
    let elements: Vec<Raw> = raw.read().ok()?;
    let cleaned: Vec<Raw> = elements.iter().filter_map(|element| clean_element(element, options)).collect();
    (cleaned.is_empty() || cleaned != elements).then_some(cleaned)
}

/// An element of a result's content as it may be sent; `None` when it may not.
fn clean_element(element: &Raw, options: &Options) -> Option<Raw> {
    let Ok(fields) = Fields::from_raw(element) else { return Some(element.clone()) };
    match fields.text("type").as_deref() {
        Some("text") if fields.text("text").is_none_or(|text| is_blank(&text)) => return None,
        Some("image") if has_no_taken_source(&fields, IMAGES) => return None,
        Some("document") if has_no_taken_source(&fields, DOCUMENTS) => return None,
        Some("tool_reference") if !is_offered(fields.text("tool_name").as_deref(), options) => return None,
        _ => {}
    }
    if fields.iter().any(|(name, _)| is_own(name)) {
        let kept = fields.into_iter().filter(|(name, _)| !is_own(name));
        return Some(kept.collect::<Fields>().to_raw());
    }
    Some(element.clone())
}

/// Whether an image or a document in a result cannot be sent.
fn has_no_taken_source(media: &Fields, taken: &[&str]) -> bool {
    source_lacks(media.object("source").as_ref(), taken).is_some()
}

/// Whether the request offers the tool, as far as is known.
fn is_offered(tool: Option<&str>, options: &Options) -> bool {
    options.tools.as_ref().is_none_or(|tools| tool.is_some_and(|tool| tools.contains(tool)))
}

/// Whether a member is the client's own: the API's names are in lower-case snake case.
fn is_own(name: &str) -> bool {
    name.starts_with('_')
        || name.bytes().any(|byte| byte.is_ascii_uppercase())
        || matches!(name, "uuid" | "timestamp" | "cwd" | "slug" | "origin")
}

/// The block without the client's own members; `None` when it has none.
fn without_own_members(block: &Block) -> Option<Block> {
    if !block.extra().iter().any(|(name, _)| is_own(name)) {
        return None;
    }
    let mut block = block.clone();
    let extra = block.extra_mut()?;
    *extra = std::mem::take(extra).into_iter().filter(|(name, _)| !is_own(name)).collect();
    Some(block)
}
