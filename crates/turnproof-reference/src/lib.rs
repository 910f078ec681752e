//! The message system of an agent as it should be: messages, streams, transcripts, requests, and the loop that ties them.
//!
//! The package `turnproof` shows this crate's modules as its own. The oracle, `turnproof-rules`, cannot see it: here its
//! plain data alone are used, and its rules where a repair verifies itself.
//!
//! - [`json`]: text that is kept as it was written, and its values;
//! - [`message`]: every kind of message and block;
//! - [`stream`]: messages of a model's stream;
//! - [`transcript`]: sessions on disk: reading, resuming, forking, writing;
//! - [`normalize`]: what is sent to the API, and what a UI shows;
//! - [`sent`]: the requests that a session proves;
//! - [`engine`]: the loop, step by step;
//! - [`repair`]: a damaged session made whole;
//! - [`usage`] and [`scrub`]: what sessions cost, and sessions without what was written in them.

pub mod engine;
pub mod json;
pub mod message;
pub mod normalize;
pub mod repair;
pub mod scrub;
pub mod sent;
pub mod stream;
pub mod transcript;
pub mod usage;

use turnproof_rules::{operation, rules};
