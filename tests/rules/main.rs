//! The *rules*: each is broken by its example, holds for right answers, and detects realistic mistakes.

mod check;
mod engine;
mod facts;
mod families;
mod fold;
mod kinds;
mod make;
mod normalize;
#[path = "../../crates/turnproof-rules/tests/rules/random.rs"]
mod random;
mod record;
mod repair;
mod repair_kept;
mod resume;
#[path = "../common/shapes.rs"]
#[allow(dead_code, reason = "the programs need different parts of it")]
mod shapes;
mod specification;
mod streams;
mod ui;
mod usage;
mod wire;

/// As in the command `turnproof`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
