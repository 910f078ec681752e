//! The *suite* and what it plays: the engine, generated conversations, runs, and what becomes of a failure.

mod counted;
mod engine;
mod known;
mod labels;
mod large;
mod legal_forms;
mod lists;
mod plain;
mod plans;
mod replies;
mod rows;
mod runs;
mod shards;
mod shrink_quality;
mod skeleton;
mod vacuous;

/// As in the command `turnproof`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
