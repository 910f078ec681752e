//! *Framing*: how events are put into bytes, as server-sent events or in the event streams of AWS.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use crate::error::ApiError;
use crate::stream::Event;

/// How events travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// As server-sent events, with lines that end so.
    ServerEvents {
        /// Whether lines end with CR LF.
        crlf: bool,
    },
    /// As messages of AWS, each with its checksums.
    Aws,
}

impl Framing {
    /// The content type of the response.
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::ServerEvents { .. } => "text/event-stream; charset=utf-8",
            Self::Aws => "application/vnd.amazon.eventstream",
        }
    }

    /// The bytes of an event.
    pub(crate) fn bytes(self, event: &Event) -> Vec<u8> {
        let Event { name, data } = event;
        match self {
            Self::ServerEvents { crlf: false } => format!("event: {name}\ndata: {data}\n\n").into_bytes(),
            Self::ServerEvents { crlf: true } => format!("event: {name}\r\ndata: {data}\r\n\r\n").into_bytes(),
            Self::Aws => {
                let payload = json!({"bytes": BASE64_STANDARD.encode(data)}).to_string();
                let headers =
                    [(":event-type", "chunk"), (":content-type", "application/json"), (":message-type", "event")];
                aws_message(&headers, payload.as_bytes())
            }
        }
    }

    /// The bytes of an error that ends a stream.
    pub(crate) fn error(self, error: &ApiError, request: &str) -> Vec<u8> {
        match self {
            Self::ServerEvents { .. } => self.bytes(&Event::new("error", error.event(request))),
            Self::Aws => {
                let payload = json!({"message": error.message}).to_string();
                // In streams the first letter is small.
                let name = error.exception();
                let name = format!("{}{}", name[..1].to_lowercase(), &name[1..]);
                let headers = [
                    (":exception-type", name.as_str()),
                    (":content-type", "application/json"),
                    (":message-type", "exception"),
                ];
                aws_message(&headers, payload.as_bytes())
            }
        }
    }
}

/// The type of a header's value that is a string.
const STRING: u8 = 7;

/// A message of an event stream: lengths and their checksum, headers, payload, and the checksum of all.
fn aws_message(headers: &[(&str, &str)], payload: &[u8]) -> Vec<u8> {
    let mut head = Vec::new();
    for (name, value) in headers {
        head.push(name.len() as u8);
        head.extend(name.as_bytes());
        head.push(STRING);
        head.extend((value.len() as u16).to_be_bytes());
        head.extend(value.as_bytes());
    }
    // Two lengths and their checksum before, a checksum behind.
    let total = 12 + head.len() + payload.len() + 4;
    let mut message = Vec::with_capacity(total);
    message.extend((total as u32).to_be_bytes());
    message.extend((head.len() as u32).to_be_bytes());
    message.extend(checksum(&message).to_be_bytes());
    message.extend(head);
    message.extend(payload);
    message.extend(checksum(&message).to_be_bytes());
    message
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}
