//! What an *attachment* says to the model (SPEC.md section 6.5.1): what was sent for it, where the session holds that;
//! else by its kind one wrapped text, and its media.

use std::borrow::Cow;

use turnproof_format::attachments::{self, EVERYTHING, Line};
use turnproof_format::is_blank;

use crate::json::{Fields, JsonType, Raw, Text};
use crate::message::{Attachment, Block, Content, Media, TextBlock, Typed};

use super::draft::Part;
use super::listed;

/// The parts that an attachment becomes, at least one; or why it becomes none. Media that the API refused are left out.
pub(super) fn parts(
    at: u32,
    attachment: &Attachment,
    without: listed::Media,
) -> Result<Vec<Part<'static>>, Cow<'static, str>> {
    if let Some(rendered) = rendered(attachment) {
        let says = |block: &Block| match block {
            Block::Stray(_) => false,
            block => !without.has(block) && block.text().is_none_or(|text| !is_blank(text)),
        };
        let blocks = rendered.into_iter().flat_map(Content::into_blocks).filter(says);
        let parts: Vec<Part<'static>> = blocks.map(|block| Part::made(Some(at), block)).collect();
        return if parts.is_empty() { Err("rendered as nothing".into()) } else { Ok(parts) };
    }
    let body = attachment.attachment.get().ok_or("without an attachment")?;
    let kind = body.attachment_type.as_str().ok_or("an attachment without a type")?;
    let Some(row) = row(kind, &body.extra) else { return Err(format!("nobody knows its kind `{kind}`").into()) };
    let mut blocks = match kind {
        _ if row.never == [EVERYTHING] => return Err("for the client and its user alone".into()),
        _ if row.free == [EVERYTHING] => return Err("the model needs nothing of it".into()),
        QUEUED => queued(&body.extra),
        _ => worded(row, &body.extra),
    };
    blocks.retain(|block| !without.has(block));
    match blocks.is_empty() {
        true => Err("says nothing to the model".into()),
        false => Ok(blocks.into_iter().map(|block| Part::made(Some(at), block)).collect()),
    }
}

/// What was sent for an attachment, as the session holds it; `None` where it does not.
pub(crate) fn rendered(attachment: &Attachment) -> Option<Vec<Content>> {
    let rendered = attachment.extra.get("rendered").filter(|list| list.json_type() == JsonType::Array)?;
    let parts = elements(rendered).into_iter().filter_map(|part| Fields::from_raw(&part).ok());
    Some(parts.filter_map(|part| Content::read(part.get("content")?).ok()).collect())
}

/// The blocks that an attachment becomes; `None` when it becomes none.
pub(crate) fn blocks(attachment: &Attachment) -> Option<Vec<Block>> {
    let parts = parts(0, attachment, listed::Media::NONE).ok()?;
    Some(parts.iter().map(Part::to_block).collect())
}

/// The type of a prompt that waited while the model worked. Its own words are sent.
const QUEUED: &str = "queued_command";

/// What the table says of an attachment.
fn row(kind: &str, body: &Fields) -> Option<&'static attachments::Attachment> {
    attachments::attachment(kind, body.text("hookEvent").as_deref().unwrap_or_default())
}

/// The media that an attachment brings, which the API may refuse. Those in a prompt that waited are the user's.
pub(super) fn brought_by(attachment: &Attachment) -> listed::Media {
    if attachment.attachment.get().is_some_and(|body| body.attachment_type.as_str() == Some(QUEUED)) {
        return listed::Media::NONE;
    }
    let blocks = match (rendered(attachment), attachment.attachment.get()) {
        (Some(rendered), _) => rendered.into_iter().flat_map(Content::into_blocks).collect(),
        (None, Some(body)) => {
            let row = row(body.attachment_type.as_str().unwrap_or_default(), &body.extra);
            row.map_or_else(Vec::new, |row| media_in(row, &body.extra))
        }
        (None, None) => Vec::new(),
    };
    listed::Media {
        images: blocks.iter().any(|block| matches!(block, Block::Image(_))),
        documents: blocks.iter().any(|block| matches!(block, Block::Document(_))),
    }
}

/// A prompt that waited while the model worked: a text, or blocks. It is wrapped unless the user typed it.
fn queued(body: &Fields) -> Vec<Block> {
    let Some(prompt) = body.get("prompt") else { return Vec::new() };
    let is_typed = is_typed(body);
    let text = |text: &str| TextBlock::new(if is_typed { text.to_owned() } else { wrapped(text) }).into();
    if prompt.json_type() != JsonType::Array {
        return texts(prompt).iter().map(|words| text(words)).collect();
    }
    let blocks = elements(prompt).into_iter().filter(|element| element.json_type() == JsonType::Object);
    let blocks = blocks.filter_map(|element| Block::read(&element).ok());
    let as_sent = |block: Block| match block.text() {
        Some(words) if !is_typed && !is_blank(words) => text(words),
        _ => block,
    };
    blocks.map(as_sent).collect()
}

/// Whether the user typed a prompt that waited.
fn is_typed(body: &Fields) -> bool {
    let is = |value: Option<Text>, usual: &str| value.is_none_or(|value| value.as_str() == usual);
    let origin = body.object("origin").and_then(|origin| origin.text("kind"));
    let is_meta = body.get("isMeta").is_some_and(|flag| flag.get() == "true");
    is(body.text("commandMode"), "prompt") && is(origin, "human") && !is_meta
}

/// The text of a kind, then its media.
fn worded(row: &attachments::Attachment, body: &Fields) -> Vec<Block> {
    let without_words: Vec<Line> = row.texts().map(|path| Line::Say("", path)).collect();
    let lines = if row.lines.is_empty() { &without_words } else { row.lines };
    let said = |is_beside: bool| {
        let mut words = String::new();
        let lines = lines.iter().filter(|line| matches!(line, Line::Beside(..)) == is_beside);
        lines.for_each(|line| say(line, body, &mut words));
        words
    };
    let mut words = said(false);
    let media = media_in(row, body);
    if words.is_empty() && !row.is_news() {
        return media;
    }
    words.insert_str(0, &said(true));
    words.insert_str(0, row.head);
    let words = wrapped(words.strip_prefix('\n').unwrap_or(&words));
    [Block::from(TextBlock::new(words))].into_iter().chain(media).collect()
}

/// The images and documents that an attachment holds.
fn media_in(row: &attachments::Attachment, body: &Fields) -> Vec<Block> {
    row.media().flat_map(|path| values(body, path)).filter_map(medium).collect()
}

/// Adds what a line says of an object, each piece on a new line.
fn say(line: &Line, body: &Fields, words: &mut String) {
    match line {
        Line::Say(label, path) | Line::Beside(label, path) => {
            let texts: Vec<Text> = values(body, path).iter().flat_map(texts).collect();
            if !texts.is_empty() {
                let separator = if label.ends_with(' ') { ", " } else { "\n" };
                words.push('\n');
                words.push_str(label);
                words.push_str(&texts.iter().map(Text::as_str).collect::<Vec<_>>().join(separator));
            }
        }
        Line::Each(path, members, lines) => {
            for element in values(body, path).iter().filter_map(|element| Fields::from_raw(element).ok()) {
                let texts: Vec<Text> =
                    members.iter().flat_map(|path| values(&element, path)).flat_map(|v| texts(&v)).collect();
                if let [first, others @ ..] = texts.as_slice() {
                    words.push_str("\n- ");
                    words.push_str(first);
                    if !others.is_empty() {
                        let others: Vec<&str> = others.iter().map(Text::as_str).collect();
                        words.push_str(&format!(" ({})", others.join(", ")));
                    }
                }
                lines.iter().for_each(|line| say(line, &element, words));
            }
        }
    }
}

/// The values at a path; a step `name[]` leads into each element of a list.
fn values(body: &Fields, path: &str) -> Vec<Raw> {
    let (step, rest) = path.split_once('.').unwrap_or((path, ""));
    let name = step.strip_suffix("[]").unwrap_or(step);
    let Some(value) = body.get(name) else { return Vec::new() };
    let here = if name == step { vec![value.clone()] } else { elements(value) };
    match rest {
        "" => here,
        rest => here.iter().filter_map(|value| Fields::from_raw(value).ok()).flat_map(|v| values(&v, rest)).collect(),
    }
}

/// The elements of a list; none of what is no list.
fn elements(raw: &Raw) -> Vec<Raw> {
    raw.read().unwrap_or_default()
}

/// What a value says: a text that is not blank, a number, or those of a list.
fn texts(value: &Raw) -> Vec<Text> {
    let one = |value: &Raw| match value.json_type() {
        JsonType::Number => Some(Text::from(value.get())),
        _ => value.text().filter(|text| !is_blank(text)),
    };
    match value.json_type() {
        JsonType::Array => elements(value).iter().filter_map(one).collect(),
        _ => one(value).into_iter().collect(),
    }
}

/// The image or the document that an object holds as base64; `None` when its type or its data are not there.
fn medium(value: Raw) -> Option<Block> {
    let outer = Fields::from_raw(&value).ok()?;
    let inner = outer.object("file").unwrap_or_else(|| outer.clone());
    let text = |names: &[&str]| names.iter().find_map(|name| inner.text(name)).filter(|text| !is_blank(text));
    let data = text(&["base64", "blob", "image_data"])?;
    let is_pdf = outer.text("type").is_some_and(|name| name.as_str() == "pdf");
    let media_type = if is_pdf { Text::from("application/pdf") } else { text(&["type", "mimeType", "media_type"])? };
    let is_document = media_type.as_str() == "application/pdf";
    let source =
        Fields::from([("type", Raw::from("base64")), ("media_type", media_type.write()), ("data", data.write())]);
    let medium = Box::new(Media { source: source.into(), ..Media::default() });
    match is_document {
        true => Some(Block::Document(medium)),
        false => media_type.starts_with("image/").then_some(Block::Image(medium)),
    }
}

/// The name of the element around words that the user did not say.
const WRAPPER: &str = "system-reminder";

/// Words in an element, so that nobody takes them for the user's. No words inside can end it.
fn wrapped(words: &str) -> String {
    let name = match free_number(words) {
        1 => WRAPPER.to_owned(),
        number => format!("{WRAPPER}-{number}"),
    };
    format!("<{name}>\n{words}\n</{name}>")
}

/// The first number from 1 whose wrapper the words do not end.
fn free_number(words: &str) -> usize {
    let end = format!("</{WRAPPER}");
    let mut taken: Vec<usize> = words.split(&end).skip(1).map(number).filter(|number| *number > 0).collect();
    taken.sort_unstable();
    taken.dedup();
    let is_next = |(index, number): &(usize, &usize)| **number == index + 1;
    taken.iter().enumerate().take_while(is_next).count() + 1
}

/// The number of the wrapper that ends before these words.
fn number(rest: &str) -> usize {
    let digits = rest.strip_prefix('-').and_then(|rest| rest.split_once('>')).map(|(digits, _)| digits);
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(1)
}
