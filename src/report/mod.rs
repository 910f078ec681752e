//! A *report* is what people and programs read after a run, in one of several formats.

pub mod coverage;
mod excerpt;
mod github;
mod human;
mod jsonl;
pub mod normalization;
pub mod outline;
mod request;
pub mod run;
mod table;
pub mod tree;
mod usage;

pub use excerpt::Excerpt;
pub use github::GitHub;
pub use human::Human;
pub use jsonl::{JsonLines, json_line};
pub use request::{Format, RequestReport};
pub use run::write;
pub use table::{count, size, table};
pub use usage::usage_page;
