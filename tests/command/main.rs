//! The *command* as people and pipes use it, and the checks and reports that it prints.

mod accumulate;
mod call;
mod check;
mod chromium;
mod cli;
mod normalize;
mod report;
mod request;
mod resume;
#[path = "../common/transcripts.rs"]
mod transcripts;
