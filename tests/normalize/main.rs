//! *Normalization*: from messages to a request, and to what a UI shows.

mod api;
mod as_client;
mod attachments;
mod blocks;
mod conversations;
mod repeated;
mod ui;
