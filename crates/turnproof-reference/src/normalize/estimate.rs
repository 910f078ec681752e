//! An *estimate* says about how many tokens a conversation costs, without asking anybody.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::json::Raw;
use crate::message::{Block, Content, Maybe, Media, Message, Typed};

/// Bytes of UTF-8 in a token.
const BYTES_A_TOKEN: usize = 4;

/// What a call costs beside its input, and a result beside its content.
const CALL: u64 = 20;
const RESULT: u64 = 10;

/// Pixels of an image in a token.
const PIXELS_A_TOKEN: u64 = 750;

/// What an image costs whose size is not known: about the most that the API makes of one.
const UNKNOWN_IMAGE: u64 = 1_600;

/// How many characters of an image's base64 are read to find its size: whole groups of four.
const IMAGE_HEAD: usize = 64 * 1024;

/// About how many tokens messages cost: the sum over what users and assistants say (SPEC.md section 8.2). Messages of
/// other kinds count nothing: normalize them first, and count the result.
///
/// ```
/// use turnproof_reference::message::{Factory, FixedContext};
/// use turnproof_reference::normalize::estimate_tokens;
///
/// let mut context = FixedContext::new(1);
/// let question = Factory::new(&mut context).user("Where is it?");
/// assert_eq!(estimate_tokens(&[question.into()]), 3);
/// ```
pub fn estimate_tokens(messages: &[Message]) -> u64 {
    sum(messages.iter().filter_map(Message::content).map(estimate_content_tokens))
}

/// About how many tokens a content block costs: from lengths alone, and the size of PNG, JPEG, GIF and WebP images
/// (SPEC.md section 8.2).
///
/// ```
/// use turnproof_reference::message::Block;
/// use turnproof_reference::normalize::estimate_block_tokens;
///
/// let call = r#"{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}"#;
/// assert_eq!(estimate_block_tokens(&serde_json::from_str::<Block>(call)?), 20 + 4);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn estimate_block_tokens(block: &Block) -> u64 {
    match block {
        Block::Text(block) => block.text.as_str().map_or(0, length),
        Block::Thinking(block) => block.thinking.as_str().map_or(0, length),
        Block::ToolUse(call) | Block::ServerToolUse(call) => CALL + json(&call.input),
        Block::ToolResult(result) => RESULT + result_tokens(&result.content),
        Block::ServerToolResult(_, result) => RESULT + json(&result.content),
        Block::Image(image) => image_tokens(image).unwrap_or(UNKNOWN_IMAGE),
        Block::RedactedThinking(_) | Block::Document(_) | Block::Unknown(..) | Block::Stray(_) => {
            length(&block.to_json())
        }
    }
}

/// About how many tokens the content of a message costs.
pub(crate) fn estimate_content_tokens(content: &Content) -> u64 {
    match content {
        Content::Text(text) => length(text),
        Content::Blocks(blocks) => sum(blocks.iter().map(estimate_block_tokens)),
    }
}

/// The tokens of what a tool of the client answered.
fn result_tokens(content: &Maybe<Raw>) -> u64 {
    match content.get().map(Content::read) {
        Some(Ok(Content::Text(text))) => length(&text),
        Some(Ok(Content::Blocks(blocks))) => sum(blocks.iter().map(inner_tokens)),
        Some(Err(_)) | None => json(content),
    }
}

/// The tokens of a block inside a result. Results have no results inside; one that has is not
/// followed down, so that its depth costs nothing.
fn inner_tokens(block: &Block) -> u64 {
    match block {
        Block::ToolResult(_) => length(&block.to_json()),
        block => estimate_block_tokens(block),
    }
}

/// The tokens of an image, if its data shows its size.
fn image_tokens(image: &Media) -> Option<u64> {
    let data = image.source.get()?.text("data")?;
    let head = data.as_bytes().chunks(IMAGE_HEAD).next()?;
    let size = imagesize::blob_size(&STANDARD.decode(head).ok()?).ok()?;
    let pixels = (size.width as u64).saturating_mul(size.height as u64);
    Some(pixels.div_ceil(PIXELS_A_TOKEN))
}

fn sum(tokens: impl Iterator<Item = u64>) -> u64 {
    tokens.fold(0, u64::saturating_add)
}

fn json(value: &Maybe<Raw>) -> u64 {
    value.get().map_or(0, |value| length(value.get()))
}

fn length(text: &str) -> u64 {
    text.len().div_ceil(BYTES_A_TOKEN) as u64
}
