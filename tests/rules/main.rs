//! The *rules*: each is broken by its example, holds for right answers, and convicts realistic mistakes.

mod engine;
mod facts;
mod families;
mod fold;
mod make;
mod normalize;
#[path = "../../crates/turnproof-rules/tests/rules/random.rs"]
mod random;
mod record;
mod resume;
mod specification;
mod streams;
mod ui;
mod usage;
mod wire;
