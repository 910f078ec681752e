//! What the rules of this crate are made of: how much is asked, bytes and JSON as data, and the documents of the rules.

mod bytes;
mod depth;
mod deterministic;
mod documents;
mod globs;
mod history;
mod history_recorded;
mod pasted;
mod plain;
mod random;
mod replies;
mod requests;
mod responses;
mod talk;
mod value;
