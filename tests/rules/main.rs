//! The *rules*: each is broken by its example, holds for right answers, and convicts realistic mistakes.

mod deterministic;
mod engine;
mod facts;
mod families;
mod normalize;
mod record;
mod requests;
mod resume;
mod specification;
mod streams;
mod ui;
mod wire;
