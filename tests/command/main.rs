//! The *command* as people and pipes use it, and the checks and reports that it prints.

mod accumulate;
mod check;
mod chromium;
mod cli;
mod fuzz_all;
mod normalize;
mod report;
mod request;
mod resume;
