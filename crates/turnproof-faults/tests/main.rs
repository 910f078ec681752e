//! The suite is tested by subjects that are wrong on purpose and by programs that misbehave.

mod faults;
mod programs;

/// As in the command `turnproof`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
