//! The reference as a *conformance*: a test for each rule, with few cases; other tests judge it with more.

use turnproof_suite::subject::Reference;

/// As in the command `turnproof`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    turnproof_suite::conformance(&Reference).cases(600).run()
}
