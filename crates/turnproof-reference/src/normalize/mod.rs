//! *Normalization* turns the messages that a client holds into what others take: a request for the
//! model, or one message a block for a UI.

pub mod api;
pub mod client;
mod estimate;
pub mod ui;

pub(crate) use estimate::estimate_content_tokens;
pub use estimate::{estimate_block_tokens, estimate_tokens};
