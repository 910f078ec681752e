//! rig's `rig-core`: what a `Model` of Anthropic's `Messages` sends for a `CompletionRequest`.

#[path = "../../common/subject.rs"]
mod subject;

use std::sync::{Arc, Mutex};

use rig_core::completion::{CompletionRequest, ToolDefinition};
use rig_core::driver::{Exchange, Model, Opening, Transport};
use rig_core::error::ProviderError;
use rig_core::message::{
    AssistantContent, AssistantMessage, CallId, Document, DocumentMediaType, DocumentSourceKind, Image, ImageMediaType,
    Message, MimeType, Origin, ProviderCallId, Reasoning, ToolName, ToolResult, ToolResultContent, UserContent,
};
use rig_core::providers::anthropic::{AnthropicConfig, Messages, PROVIDER_NAME, ToolInputStreaming};
use rig_core::wire::{Body, Encoded, WireFrame};
use serde_json::{Value, json};
use subject::{No, Turn, blocks, schema, text, tool_names, unsupported};

const MODEL: &str = "claude-sonnet-4-5";

/// The name of the tool at a result whose call is missing.
const TOOL: &str = "run";

/// A transport that sends nothing and keeps the body of the request.
#[derive(Clone, Default)]
struct Caught(Arc<Mutex<Option<Vec<u8>>>>);

impl Transport<Messages> for Caught {
    fn send(&self, payload: Encoded, _: Exchange) -> Opening<WireFrame> {
        if let Body::Bytes(body) = payload.request.body() {
            *self.0.lock().expect("nobody panicked with it") = Some(body.to_vec());
        }
        Opening::failed(ProviderError::request("there is no network here"))
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime of one thread");
    let lock = include_str!("../Cargo.lock");
    subject::serve("rig-core", "rig-core", lock, |turns| runtime.block_on(body(turns)));
}

async fn body(turns: &[Turn]) -> Result<Vec<u8>, No> {
    let caught = Caught::default();
    let outcome = Model::new(wire(), caught.clone()).call(request(turns)?).await;
    let body = caught.0.lock().expect("nobody panicked with it").take();
    body.ok_or_else(|| {
        let why = outcome.err().map_or_else(|| "it returned without a request".into(), |error| error.to_string());
        No::Rejected("ProviderError", why)
    })
}

/// Anthropic's own wire, as `Anthropic::completion` makes it for a client.
fn wire() -> Messages {
    Messages {
        provider: AnthropicConfig::new("sk-ant-none"),
        model: MODEL.to_owned(),
        default_max_tokens: Some(100),
        prompt_caching: false,
        static_prefix_cache_ttl: None,
        strict_tools: false,
        tool_input_streaming: ToolInputStreaming::default(),
    }
}

fn request(turns: &[Turn]) -> Result<CompletionRequest, No> {
    let mut request = CompletionRequest::new("");
    request.chat_history = turns
        .iter()
        .map(|turn| if turn.is_reply { reply(turn) } else { user(turn, turns) })
        .collect::<Result<_, _>>()?;
    for tool in tool_names(turns) {
        let parameters = schema();
        request = request.tool(ToolDefinition { name: name(&tool)?, description: String::new(), parameters });
    }
    Ok(request)
}

/// A reply of this model. What only the host can read, such as a signature, is the block's native item.
fn reply(turn: &Turn) -> Result<Message, No> {
    let content = turn.blocks.iter().map(reply_block).collect::<Result<_, _>>()?;
    let origin = Origin::new("anthropic.messages", PROVIDER_NAME, MODEL);
    Ok(Message::Assistant(AssistantMessage::new(content).with_origin(origin)))
}

fn reply_block(block: &Value) -> Result<AssistantContent, No> {
    Ok(match text(block, "type") {
        "text" => AssistantContent::text(text(block, "text")),
        "tool_use" => {
            id(text(block, "id"))?;
            AssistantContent::tool_call(text(block, "id"), name(text(block, "name"))?, block["input"].clone())
        }
        "thinking" if block["signature"].is_string() => {
            AssistantContent::reasoning(text(block, "thinking")).with_native(block.clone())
        }
        "thinking" => AssistantContent::reasoning(text(block, "thinking")),
        "redacted_thinking" => {
            let mut reasoning = Reasoning::new("");
            reasoning.redacted = true;
            AssistantContent::Reasoning(reasoning).with_native(block.clone())
        }
        _ => return Err(unsupported(block, "a reply")),
    })
}

fn user(turn: &Turn, turns: &[Turn]) -> Result<Message, No> {
    let content = turn.blocks.iter().map(|block| user_block(block, turns)).collect::<Result<_, _>>()?;
    Ok(Message::User { content })
}

fn user_block(block: &Value, turns: &[Turn]) -> Result<UserContent, No> {
    Ok(match text(block, "type") {
        "text" => UserContent::text(text(block, "text")),
        "image" => UserContent::Image(image(block)?),
        "document" => UserContent::Document(document(block)?),
        "tool_result" => {
            let call = text(block, "tool_use_id");
            let parts = blocks(&block["content"]);
            UserContent::ToolResult(ToolResult {
                call: id(call)?,
                name: name(called(call, turns))?,
                content: parts.iter().map(result_part).collect::<Result<_, _>>()?,
                is_error: block["is_error"] == true,
            })
        }
        _ => return Err(unsupported(block, "a prompt")),
    })
}

fn result_part(block: &Value) -> Result<ToolResultContent, No> {
    match text(block, "type") {
        "text" => Ok(ToolResultContent::text(text(block, "text"))),
        "image" => Ok(ToolResultContent::Image(image(block)?)),
        _ => Err(unsupported(block, "a result")),
    }
}

fn image(block: &Value) -> Result<Image, No> {
    let media = text(&block["source"], "media_type");
    Ok(Image { data: data(block)?, media_type: ImageMediaType::from_mime_type(media), ..Image::default() })
}

fn document(block: &Value) -> Result<Document, No> {
    let source = &block["source"];
    let media_type = match text(source, "type") {
        "url" => Some(DocumentMediaType::PDF),
        _ => DocumentMediaType::from_mime_type(text(source, "media_type")),
    };
    let mut given = serde_json::Map::new();
    for member in ["title", "context"] {
        if let Some(value) = block.get(member) {
            given.insert(member.to_owned(), value.clone());
        }
    }
    let additional_params = (!given.is_empty()).then(|| json!(given));
    Ok(Document { data: data(block)?, media_type, additional_params })
}

fn data(block: &Value) -> Result<DocumentSourceKind, No> {
    let source = &block["source"];
    match text(source, "type") {
        "base64" => Ok(DocumentSourceKind::base64(text(source, "data"))),
        "text" => Ok(DocumentSourceKind::string(text(source, "data"))),
        "url" => Ok(DocumentSourceKind::url(text(source, "url"))),
        _ => Err(unsupported(block, "a prompt")),
    }
}

/// The name of the tool that a call with this id called.
fn called<'a>(id: &str, turns: &'a [Turn]) -> &'a str {
    let mut calls = turns.iter().flat_map(|turn| &turn.blocks).filter(|block| block["type"] == "tool_use");
    calls.find(|call| text(call, "id") == id).map_or(TOOL, |call| text(call, "name"))
}

/// An id as the host gave it. For an empty one the library would make up ids of its own.
fn id(id: &str) -> Result<CallId, No> {
    let given = ProviderCallId::new(id).map(CallId::from);
    given.ok_or_else(|| No::Unsupported("an empty id: the type of ids has none".into()))
}

fn name(name: &str) -> Result<ToolName, No> {
    ToolName::new(name).map_err(|_| No::Unsupported("an empty name of a tool: the type of names has none".into()))
}
