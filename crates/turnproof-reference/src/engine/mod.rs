//! The *engine* is the loop of a conversation, played step by step: prompts, replies, parallel tools, interrupts,
//! errors, compaction, crash and resume (SPEC 5).
//!
//! It asks no model and runs no tool. The caller says what happens, one [`Input`] at a time. The engine does what a
//! client would do: it yields [`Event`](crate::message::Event)s, sends requests and writes the transcript. Times and
//! ids come from its [`Context`](crate::message::Context), so the same inputs always give the same bytes. An input that
//! cannot happen now is [`Refused`] and changes nothing, so any list of inputs can be played.
//!
//! ```
//! use turnproof_reference::engine::{Engine, Input};
//! use turnproof_reference::message::FixedContext;
//!
//! let mut engine = Engine::new(FixedContext::new(1));
//! let step = engine.step(&Input::Type("Where is the test?".into()));
//! assert!(step.request.is_some());
//! assert!(engine.step(&Input::Type("And the bench?".into())).request.is_none(), "it waits for its turn");
//! ```
//!
//! ```text
//!            type                  stop with calls                 last result
//! Idle ───────────────> Streaming ─────────────────> Tools ──────────────────> Streaming
//!   <───────────────────────┴── stop without calls, interruption, error ──┘        crash: Dead ── resume ──> Idle
//! ```

mod calls;
mod compact;
mod error;
mod input;
mod recording;
mod request;
mod session;
mod state;
mod streaming;

pub use error::{CLEARED, MAX_CONTINUATIONS, MAX_RETRIES};
pub use input::{Compaction, Denial, Failure, Hook, HookEvent, HookOutcome, Input, Keep, Preserve};
pub use state::{Engine, Options, Refused, Step, play};
