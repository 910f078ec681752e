//! The *engine* is the loop of a conversation: prompts, replies, tools side by side, interrupts, errors,
//! compaction, crash and resume, played step by step (spec section 5).
//!
//! It asks no model and runs no tool. Whoever steps it says what happens, one [`Input`] at a time: somebody
//! types, an event of the model's stream arrives, a tool has a result, the disk is full, the process
//! dies. The engine answers with what a client would do: it yields [`Event`](crate::message::Event)s, sends requests,
//! writes the transcript. Times and ids come from its [`Context`](crate::message::Context), so the same inputs always give
//! the same conversation, byte for byte. An input that cannot happen now (the result of a tool that does not
//! run, a stream while nobody asked) is refused with a word and changes nothing, so any list of inputs plays.
//!
//! ```
//! use turnproof::engine::{Engine, Input};
//! use turnproof::message::FixedContext;
//!
//! let mut engine = Engine::new(FixedContext::new(1));
//! let step = engine.step(&Input::Type("Where is the test?".into()));
//! assert!(step.request.is_some());
//! assert!(engine.step(&Input::Type("And the bench?".into())).request.is_none(), "it waits for its turn");
//! ```
//!
//! # How a turn goes
//!
//! A prompt becomes a user message; a request is sent once the message is durable. The reply streams in and is
//! yielded a message a block. When it ends with calls, the loop waits for each to be answered, in any
//! order, also while the reply still streams; then what was typed meanwhile joins, first in, first out, and the next
//! request goes out. A reply without calls ends the turn; what was typed meanwhile begins the next one.
//!
//! # What goes wrong
//!
//! * An *interruption* answers every open call with the placeholder, adds the notice, and ends the turn.
//! * A *rejection* is the call's result. One without a reason, by the user, stops the turn: calls that are still open are
//!   cancelled, then the notice is added.
//! * An API error that may pass is shown as a notice, and the request is sent again, up to
//!   [`MAX_RETRIES`] times; any other becomes an assistant message that stands for the error. When a stream breaks off, what it
//!   has shown is withdrawn before the next try; when there is none, it stays, and its open calls get the placeholder.
//! * A *fallback* withdraws what the stream has shown and asks another model. The first line of the new reply names the lines withdrawn
//!   that are on disk already in `supersedesUuids`, and so does the notice before it in `retractedMessageUuids`.
//! * A reply that ends at the limit of its output without a call goes on by a meta prompt, up to [`MAX_CONTINUATIONS`] times; a call that was
//!   cut there is answered with an error.
//! * When the disk does not take a prompt, the request is not sent, and a notice says so; the next prompt tries again.
//! * After a crash, everything that waited for the disk is gone; nothing but a resume is possible.

mod calls;
mod compact;
mod error;
mod input;
mod play;
mod request;
mod session;
mod state;
mod streaming;
mod subagent;

pub use error::{MAX_CONTINUATIONS, MAX_RETRIES};
pub use input::{Compaction, Denial, Failure, Hook, HookEvent, HookOutcome, Input, Keep, Preserve};
pub use play::play;
pub use state::{Engine, Options, Refused, Step};
