//! *Normalization*: from messages to a request, and to what a UI shows.

mod api;
mod as_client;
mod attachments;
mod blocks;
mod conversations;
mod repeated;
#[path = "../common/transcripts.rs"]
#[allow(dead_code, reason = "others ask for the older ones")]
mod transcripts;
mod ui;
