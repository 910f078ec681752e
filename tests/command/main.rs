//! The *command* as people and pipes use it, and the checks and reports that it prints.

mod accumulate;
mod action;
mod baseline;
mod bounded;
mod call;
mod check;
mod chromium;
mod cli;
mod client;
mod explain;
mod find;
mod folders;
mod foreign;
#[cfg(all(feature = "cli", unix))]
mod fuzz;
mod history;
mod inputs;
mod known;
#[cfg(feature = "cli")]
mod markup;
#[cfg(all(feature = "cli", unix))]
mod mock;
mod narrow;
mod normalize;
mod overview;
mod packages;
#[cfg(all(feature = "cli", unix))]
mod pages;
mod places;
#[cfg(feature = "cli")]
mod recordings;
mod reduce;
mod repair;
mod report;
mod request;
#[cfg(feature = "cli")]
mod requests;
mod response;
mod resume;
mod sarif;
mod screenshots;
mod scrubbed;
mod selection;
#[cfg(feature = "cli")]
mod serve;
mod sessions;
mod shell;
#[cfg(all(feature = "cli", unix))]
mod snapshots;
mod stopped;
#[cfg(all(feature = "cli", unix))]
mod subject;
mod times;
#[path = "../common/transcripts.rs"]
mod transcripts;
mod usage;
mod verdict;
#[cfg(feature = "cli")]
mod view;
mod watch;
mod writers;

/// As in the command `turnproof`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
