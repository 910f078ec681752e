//! How the events of an extra stream *travel*: one by one, or as server-sent events in bytes that are cut anywhere.

use crate::json::Fields;
use crate::operation::{SOURCE_OF_CALL, StreamItem};

use super::ExtraStreamWire;
use super::event::Happens;

/// The length of a piece of bytes: it tears characters, line ends and names.
const PIECE: usize = 11;

/// What happens, as items of a stream.
pub(super) fn sent(wire: ExtraStreamWire, happens: Vec<Happens>) -> Vec<StreamItem> {
    let mut items = Vec::new();
    let mut response = Response { wire, bytes: Vec::new(), has_begun: false };
    for happens in happens {
        match happens {
            Happens::Event(event) if wire == ExtraStreamWire::Events => items.push(StreamItem::Event(event.to_json())),
            Happens::Event(event) => response.send(event),
            Happens::Joins(message) => {
                response.drain(&mut items);
                items.push(StreamItem::Message(message.replace('$', SOURCE_OF_CALL)));
            }
            Happens::Abandon => {
                response.drain(&mut items);
                items.push(StreamItem::Abandon);
                response.has_begun = false;
            }
        }
    }
    if wire == ExtraStreamWire::UnfinishedEvent {
        response.bytes.extend(b"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\"}}\n");
    }
    response.drain(&mut items);
    items
}

/// The bytes that have not gone out yet.
struct Response {
    wire: ExtraStreamWire,
    bytes: Vec<u8>,
    has_begun: bool,
}

impl Response {
    fn drain(&mut self, items: &mut Vec<StreamItem>) {
        items.extend(self.bytes.chunks(PIECE).map(|piece| StreamItem::Bytes(piece.to_vec())));
        self.bytes.clear();
    }

    fn send(&mut self, mut event: Fields) {
        if !std::mem::replace(&mut self.has_begun, true) && self.wire == ExtraStreamWire::ByteOrderMark {
            self.bytes.extend("\u{FEFF}".bytes());
        }
        let name = event.text("type").unwrap_or_default().as_str().to_owned();
        if self.wire == ExtraStreamWire::NameAlone {
            event.take("type");
        }
        let data = event.to_json();
        event.take("type");
        let nameless = event.to_json();
        let sent = match self.wire {
            ExtraStreamWire::NamelessAgain => format!("event: {name}\ndata: {data}\n\ndata: {nameless}\n\n"),
            ExtraStreamWire::TwoSpaces => {
                format!("event: {name}\ndata: {data}\n\nevent:  {name}\ndata: {nameless}\n\n")
            }
            ExtraStreamWire::NoSpace => format!("event:{name}\ndata:{data}\n\n"),
            ExtraStreamWire::NoName | ExtraStreamWire::ByteOrderMark => format!("data: {data}\n\n"),
            ExtraStreamWire::Comments => {
                format!(": keep-alive\n:\ndata: {{\n:data: {{}}\n: \ndata: {}\n\n", &data[1..])
            }
            ExtraStreamWire::DataLines => format!("event: {name}\ndata: {{\ndata: {}\n\n", &data[1..]),
            ExtraStreamWire::ReturnsAndFeeds => {
                format!("event: {name}\r\ndata: {{\r\ndata: {}\r\n\r\n", &data[1..])
            }
            ExtraStreamWire::Returns => format!("event: {name}\rdata: {data}\r\r"),
            ExtraStreamWire::OtherFields => format!(
                "event: ping\n\nid: 7\nretry: 10\nevent: {name}\nsecond-data: {{}}\nDATA: {{}}\ndata: {data}\ndata-end\n\n"
            ),
            _ => format!("event: {name}\ndata: {data}\n\n"),
        };
        self.bytes.extend(sent.into_bytes());
    }
}
