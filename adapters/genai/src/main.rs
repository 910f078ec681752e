//! `genai`: what `Client::exec_chat` sends for a `ChatRequest` to a model of Anthropic.

#[path = "../../common/subject.rs"]
mod subject;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use genai::chat::{ChatMessage, ChatRequest, ChatRole, ContentPart, MessageContent, Tool, ToolCall, ToolResponse};
use genai::resolver::{AuthData, Endpoint, ServiceTargetResolver};
use genai::{Client, ServiceTarget};
use serde_json::Value;
use subject::{No, Turn, blocks, schema, text, tool_names, unsupported};

const MODEL: &str = "claude-sonnet-4-5";

fn main() {
    let (port, bodies) = listen();
    let client = client(port);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime of one thread");
    let lock = include_str!("../Cargo.lock");
    subject::serve("genai", "genai", lock, |turns| runtime.block_on(body(&client, &bodies, turns)));
}

/// A client that asks this machine, whatever the model.
fn client(port: u16) -> Client {
    let resolver = ServiceTargetResolver::from_resolver_fn(
        move |mut target: ServiceTarget| -> Result<ServiceTarget, genai::resolver::Error> {
            target.endpoint = Endpoint::from_owned(format!("http://127.0.0.1:{port}/v1/"));
            target.auth = AuthData::from_single("sk-ant-none");
            Ok(target)
        },
    );
    Client::builder().with_service_target_resolver(resolver).build().expect("a client")
}

async fn body(client: &Client, bodies: &Receiver<Vec<u8>>, turns: &[Turn]) -> Result<Vec<u8>, No> {
    let outcome = client.exec_chat(MODEL, request(turns)?, None).await;
    bodies.try_recv().map_err(|_| {
        let why = outcome.err().map_or_else(|| "it returned without a request".into(), |error| error.to_string());
        No::Rejected("genai::Error", why)
    })
}

fn request(turns: &[Turn]) -> Result<ChatRequest, No> {
    let mut messages = Vec::new();
    for turn in turns {
        match turn.is_reply {
            true => messages.push(reply(turn)?),
            false => messages.extend(prompts(turn)?),
        }
    }
    let tools = tool_names(turns).into_iter().map(|name| Tool::new(name).with_schema(schema()));
    Ok(ChatRequest::new(messages).with_tools(tools.collect::<Vec<_>>()))
}

fn reply(turn: &Turn) -> Result<ChatMessage, No> {
    let mut parts = Vec::new();
    for block in &turn.blocks {
        match text(block, "type") {
            "text" => parts.push(ContentPart::from_text(text(block, "text"))),
            "tool_use" => parts.push(ContentPart::ToolCall(ToolCall {
                call_id: text(block, "id").to_owned(),
                fn_name: text(block, "name").to_owned(),
                fn_arguments: block["input"].clone(),
                thought_signatures: None,
            })),
            // A reply that the library read has them so, the signature first.
            "thinking" => {
                if let Some(signature) = block["signature"].as_str() {
                    parts.push(ContentPart::ThoughtSignature(signature.to_owned()));
                }
                parts.push(ContentPart::ReasoningContent(text(block, "thinking").to_owned()));
            }
            // So it keeps this kind of a reply, too.
            "redacted_thinking" => parts.push(ContentPart::from_custom(block.clone(), None)),
            _ => return Err(unsupported(block, "a reply")),
        }
    }
    Ok(ChatMessage::new(ChatRole::Assistant, MessageContent::from_parts(parts)))
}

/// A message of the role tool for results, and one of the user for the rest, in their order.
fn prompts(turn: &Turn) -> Result<Vec<ChatMessage>, No> {
    let mut groups: Vec<(ChatRole, Vec<ContentPart>)> = Vec::new();
    for block in &turn.blocks {
        let (role, part) = match text(block, "type") {
            "tool_result" => (ChatRole::Tool, ContentPart::ToolResponse(result(block)?)),
            _ => (ChatRole::User, prompt_part(block)?),
        };
        match groups.last_mut() {
            Some((last, parts)) if *last == role => parts.push(part),
            _ => groups.push((role, vec![part])),
        }
    }
    if groups.is_empty() {
        groups.push((ChatRole::User, Vec::new()));
    }
    let message = |(role, parts)| ChatMessage::new(role, MessageContent::from_parts(parts));
    Ok(groups.into_iter().map(message).collect())
}

fn prompt_part(block: &Value) -> Result<ContentPart, No> {
    let source = &block["source"];
    if block.get("title").or(block.get("context")).is_some() {
        return Err(No::Unsupported("a document with a title or a context: the type of files has neither".into()));
    }
    match (text(block, "type"), text(source, "type")) {
        ("text", _) => Ok(ContentPart::from_text(text(block, "text"))),
        ("image" | "document", "base64") => {
            Ok(ContentPart::from_binary_base64(text(source, "media_type"), text(source, "data"), None))
        }
        ("image", "url") => Ok(ContentPart::from_binary_url("image/png", text(source, "url"), None)),
        ("document", "url") => Ok(ContentPart::from_binary_url("application/pdf", text(source, "url"), None)),
        _ => Err(unsupported(block, "a prompt")),
    }
}

fn result(block: &Value) -> Result<ToolResponse, No> {
    if block["is_error"] == true {
        return Err(No::Unsupported("a result that is an error: the type of results has no such mark".into()));
    }
    let [part] = &blocks(&block["content"])[..] else {
        return Err(No::Unsupported("a result that is more or less than one text: its type is a text".into()));
    };
    match text(part, "type") {
        "text" => Ok(ToolResponse::new(text(block, "tool_use_id"), text(part, "text"))),
        _ => Err(unsupported(part, "a result")),
    }
}

/// A server on this machine: its port, and the bodies of the requests that it was sent. Its answer is always the same.
fn listen() -> (u16, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
    let port = listener.local_addr().expect("its address").port();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let sender = sender.clone();
            thread::spawn(move || stream.and_then(|stream| serve(&stream, &sender)));
        }
    });
    (port, receiver)
}

/// Answers the requests of one connection.
fn serve(stream: &TcpStream, bodies: &Sender<Vec<u8>>) -> io::Result<()> {
    const REPLY: &str = concat!(
        r#"{"id":"msg_reply","type":"message","role":"assistant","model":"claude-sonnet-4-5","#,
        r#""content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","stop_sequence":null,"#,
        r#""usage":{"input_tokens":1,"output_tokens":1}}"#,
    );
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    while let Some(length) = head(&mut reader)? {
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        // It is there before the library has its answer.
        let _ = bodies.send(body);
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", REPLY.len());
        writer.write_all(format!("{head}{REPLY}").as_bytes())?;
    }
    Ok(())
}

/// Reads the head of a request: the length of its body, or `None` at the end of the connection.
fn head(reader: &mut impl BufRead) -> io::Result<Option<usize>> {
    let mut length = 0;
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if line.trim().is_empty() {
            return Ok(Some(length));
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
    }
}
