//! *Usage* is how many tokens the replies of transcripts cost, by session and model (SPEC.md section 8.1).
//!
//! A reply has several lines, a resume or a fork repeats them in other files, and each line repeats what the reply cost.
//! A [`Tally`] counts each reply once, in one pass over any number of files.

mod line;
mod reply;
mod tally;

pub use tally::{Tally, usage_by_reply, usage_of_line};
