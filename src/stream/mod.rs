//! A *stream* is how a model's reply arrives: events that say what to add to which block. This room
//! makes messages of it (spec section 4).
//!
//! # From bytes to events
//!
//! `SseDecoder` takes bytes in any cuts and gives server-sent events: fields `event`, `data` (several lines are joined with
//! LF), `id` and `retry` kept out, comments (`:`) skipped, lines ended by LF, CR or CRLF (also when the cut is between the two), a byte order
//! mark at the start skipped, bytes that are not UTF-8 shown as U+FFFD only after the line is whole. An empty line ends an event; what has no `data` is none; what
//! is unfinished at the end is dropped. `ModelEvent::read` reads the data; the name of the event is not needed, since
//! the data says its `type`; an event without `type` in its data has the name for its type.
//!
//! # From events to a message
//!
//! `Accumulator` builds one API message. `message_start` gives it (it may hold content already; those blocks count as
//! stopped). `content_block_start` appends the block as given: its index must be the number of blocks so far. Deltas change the open block
//! of their index: `text_delta` appends to `text`; `input_json_delta` is collected, and at the stop the whole is parsed as
//! `input` (nothing, or white space alone: the `input` of the start if that is an object with members, else `{}`);
//! `citations_delta` appends to `citations`; `thinking_delta` appends to `thinking`; `signature_delta` replaces `signature`;
//! `compaction_delta` replaces `content` (and `encrypted_content`, where it has one). A delta of a known type whose block is of another type,
//! and a delta of an unknown type, change nothing. `message_delta` sets `stop_reason`, `stop_sequence`, and of its other members
//! (`stop_details`, `container`, `context_management`, …) those that are not null; each member of its `usage` that is not null replaces the one in the message's `usage`:
//! the numbers are totals, never added. `message_stop` ends it; blocks still open are stopped first, by `message_delta` too (a reply cut at `max_tokens`).
//! A block of type `fallback` with `to.model` names the model of the message anew and is kept. `ping` and unknown events change nothing.
//!
//! Whatever comes in whatever order, there is a value or a named error (`StreamError`), never a panic (`stream/total`):
//!
//! | name | when | then |
//! |---|---|---|
//! | `before-message-start` | an event but `ping`, `error` or an unknown one comes before `message_start` | the event is ignored |
//! | `second-message-start` | `message_start` before `message_stop` | the message goes on as it was |
//! | `after-message-stop` | an event but `ping`, `error`, an unknown one or `message_start` after `message_stop` | ignored |
//! | `wrong-block-index` | a start whose index is not the number of blocks | ignored |
//! | `block-still-open` | a start while another block is open | that one is stopped, the new one is taken |
//! | `no-such-block` | a delta or stop of a block that was never started | ignored |
//! | `block-stopped` | a delta or stop of a block that is stopped | ignored |
//! | `bad-input-json` | the collected JSON of a call does not parse | the input is the collected text as a string |
//! | `bad-event` | an event that is no JSON object, or a known one without what it needs | ignored |
//! | `api-error` | an `error` event | the stream has ended; what was shown stays |
//! | `unfinished` | asked for the whole message before `message_stop` | – |
//!
//! In detail:
//!
//! * An index is a number, however it is written (`0`, `0.0`); one that is no whole number, or below zero, is that of no block.
//! * A block takes `input_json_delta` if its type is `tool_use` or ends so (`server_tool_use`, `mcp_tool_use`).
//! * `message_delta` sets members of its `delta`; `context_management` and `input_transformations` also where the API puts them, beside it. A `stop_reason` that is
//!   absent stays as it was. What the start and the blocks give (`id`, `type`, `role`, `model`, `content`) is never taken from it.
//! * An event or an input that is nested so deep that no reader of transcripts would take it back is refused, as `bad-event` or `bad-input-json`.
//! * After an `error` event the stream is as after `message_stop`, but the message is not whole.
//! * When one event is wrong twice (a start stops a call whose input is no JSON), the error is the one of the event itself.
//! * White space between the tokens of an event or an input goes if a line end is among it, so that a message always fits on a line.
//!
//! # One message a block
//!
//! `ReplyLines` yields an assistant message for each block, at once when it stops, with that block alone: all with the message's
//! `id`, `model`, `role` and the request's id, each with its own uuid and time from the [`Context`](crate::message::Context),
//! `stop_reason` and `stop_sequence` null and `usage` as `message_start` gave it. `message_delta` sets `stop_reason`, `stop_sequence` and `usage` of the last one
//! *in place* (if one was yielded); the others keep theirs. `message_start` with content yields those blocks at once.
//!
//! # The log
//!
//! `EventLog` is what the loop has yielded, in order, and is only ever appended to: events, and late fields of earlier ones. Its views
//! are computed. `live()` is the list of messages that remain: without what a tombstone withdrew, without results of calls that only withdrawn messages
//! hold, late fields set. `slots()` is the same list with a tombstone in the place of each message withdrawn, so that indexes never move.
//! A user message that holds nothing but results of withdrawn calls is withdrawn with them: in `slots()` it has a tombstone without id and time, since none was
//! yielded. A tombstone withdraws every assistant message before it that has the uuid of the message it holds.
//! Stream events, request starts, summaries and the tombstones themselves are in neither.
//!
//! # Fallback
//!
//! When a stream is abandoned for another model, a tombstone is yielded for exactly the messages that it has shown, in order, before the next
//! try's first (`ReplyLines::abandon`); for what was withdrawn already, or never shown, none.
//!
//! # Example
//!
//! ```
//! use turnproof::message::FixedContext;
//! use turnproof::stream::{ModelEvent, ReplyLines, SseDecoder};
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
//! # Ok::<(), turnproof::stream::StreamError>(())
//! ```

mod accumulator;
mod delta;
mod error;
mod event;
mod late;
mod lines;
mod log;
mod members;
mod open_block;
mod sse;

pub use accumulator::{Accumulator, Change};
pub use delta::Delta;
pub use error::StreamError;
pub use event::ModelEvent;
pub use late::LateFields;
pub use lines::{Amended, ReplyLines, Yielded};
pub use log::{EventLog, Slot};
pub use sse::{ServerEvent, SseDecoder};

/// How deep an event or an input may be nested: what it becomes is then read back from a transcript,
/// where it lies some objects deeper.
const DEEPEST: usize = crate::json::MAX_DEPTH - 8;
