//! A *stream* is how a model's reply arrives: events that say what to add to which block. This room makes
//! messages of it. SPEC.md section 4 says what each event changes, and which errors there are.
//!
//! ```text
//! bytes ── SseDecoder ──> server-sent events ── ModelEvent ──> events ── Accumulator ──> one API message
//!                                                                └────── ReplyLines ───> a message a block
//! what the loop yields ── EventLog ──> live messages, and slots that never move
//! ```
//!
//! Whatever comes in whatever order, there is a value or a named [`StreamError`], never a panic.
//!
//! ```
//! use turnproof_reference::message::FixedContext;
//! use turnproof_reference::stream::{ModelEvent, ReplyLines, SseDecoder};
//!
//! let response = br#"
//! event: message_start
//! data: {"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[],"usage":{}}}
//!
//! event: content_block_start
//! data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
//!
//! event: content_block_delta
//! data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello."}}
//!
//! event: content_block_stop
//! data: {"type":"content_block_stop","index":0}
//!
//! "#;
//! let (mut decoder, mut lines) = (SseDecoder::new(), ReplyLines::new(None));
//! let mut context = FixedContext::new(1);
//! for event in decoder.push(response) {
//!     let event = ModelEvent::of_server_event(&event)?;
//!     for message in lines.apply(&event, &mut context).messages {
//!         assert_eq!(message.reply_id(), Some("msg_1"));
//!     }
//! }
//! // Another model takes over: what was shown is withdrawn.
//! assert_eq!(lines.abandon(&mut context).len(), 1);
//! # Ok::<(), turnproof_reference::stream::StreamError>(())
//! ```

mod accumulator;
mod delta;
mod error;
mod event;
mod lines;
mod log;
mod open_block;
mod sse;

pub use accumulator::{Accumulator, Change};
pub use delta::Delta;
pub use error::StreamError;
pub use event::ModelEvent;
pub use lines::{Amended, LateFields, ReplyLines, Yielded};
pub use log::{EventLog, Slot};
pub use sse::{ServerEvent, SseDecoder};

/// How deep an event or an input may be nested: what it becomes is then read back from a transcript,
/// where it lies some objects deeper.
const DEEPEST: usize = crate::json::MAX_DEPTH - 8;
