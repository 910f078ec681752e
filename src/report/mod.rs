//! A *report* is what people and programs read after a run, in one of several formats.

#[cfg(feature = "cli")]
mod client;
pub mod coverage;
mod drawn;
mod excerpt;
mod finds;
mod github;
mod history;
#[doc(hidden)]
pub mod html;
mod human;
mod jsonl;
#[cfg(feature = "cli")]
mod mock;
pub mod normalization;
pub mod outline;
mod overview;
mod printer;
mod recordings;
mod reply;
mod request;
mod rule_counts;
pub mod run;
mod sarif;
mod screen;
mod sent;
mod sizes;
pub mod snapshots;
mod statistics;
mod table;
pub mod tree;
mod usage;
mod verdicts;
pub mod view;
mod watch;

#[cfg(feature = "cli")]
pub use client::{ClientReport, client_junit};
pub use excerpt::Excerpt;
pub use finds::FindsPage;
pub use github::GitHub;
pub use history::HistoryReport;
pub use human::Human;
#[doc(hidden)]
pub use jsonl::JsonLine;
pub use jsonl::{JsonLines, json_line};
#[cfg(feature = "cli")]
pub use mock::{MockReport, MockTally, mock_junit};
pub use overview::{Overview, ROOM};
pub use printer::Format;
pub use recordings::RecordingReport;
pub use reply::ReplyReport;
pub use request::RequestReport;
pub use rule_counts::{families_table, rules_table};
pub use run::write;
pub use sarif::Sarif;
pub use screen::Screen;
pub use sent::{sent_counts, sent_line, sent_page, sent_summary};
pub use statistics::Statistics;
pub use table::table_within;
pub use turnproof_suite::table::{count, size, table};
pub use usage::usage_page;
pub use verdicts::{note_lines, verdict_json, verdict_line, verdict_page};
pub use watch::{HumanWatch, watch_line};
