//! *Clients* of the Messages API are judged as they are: each runs as a process, talks to a mock that plays generated
//! conversations, and every request is judged.
//!
//! - [`Client`] is a folder with a `client.toml`, which says how to install it and how to give it a prompt;
//! - [`Deck`] is a kind of cases: [`Talks`] are replies to prompts, [`Situations`] a fixed table of them, [`Sessions`] are files that are resumed;
//! - [`run`] plays a deck, finds the smallest case of each breach, and [`Kept`] is one in a file.

mod alone;
mod breach;
mod client;
mod deck;
mod install;
mod kept;
mod plan;
mod play;
mod process;
mod run;
mod session;
mod simpler;
mod situations;
mod talks;

pub use alone::{Alone, alone};
pub use breach::{Breach, Key, Outcome};
pub use client::{Client, ClientError, Manifest};
pub use deck::{Deck, PlayError};
pub use install::InstallError;
pub use kept::{Kept, KeptError};
pub use plan::plan;
pub use play::{Case, CaseOutcome, prompt};
pub use process::{Ended, Ending};
pub use run::{Found, Options, Played, Report, run};
pub use session::{SessionCase, Sessions, damages};
pub use situations::{Situation, Situations};
pub use talks::Talks;
