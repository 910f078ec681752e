//! The *wire format* as tables: what may stand in messages, transcripts, streams and requests. It is data and no
//! judgement, so the oracle, the reference, the generators and the tables of SPEC.md all read it.
//!
//! To add a kind, a subtype, a side record or a text is to add a row to the table of its module. The documentation of
//! a table says how a row is read.
//!
//! ```
//! use turnproof_format::{Home, Kind, texts};
//!
//! assert_eq!(Kind::of("progress").map(Kind::home), Some(Home::OldTranscripts));
//! assert_eq!(texts::NO_CONTENT, "(no content)");
//! ```

pub mod attachments;
mod blank;
mod example;
mod ids;
mod kinds;
mod models;
mod server_tools;
pub mod shapes;
mod stream;
pub mod texts;
pub mod words;

pub use blank::{is_blank, is_space, trim_end};
pub use ids::*;
pub use kinds::*;
pub use models::takes_system_turns;
pub use server_tools::*;
pub use stream::*;
