//! A *night* of fuzzing, one command: see the module `night`.

#[cfg(not(fuzzing))]
#[path = "../night/mod.rs"]
mod night;

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    night::run()
}

// cargo-fuzz builds every program of this package, each with the hooks of libFuzzer. This one runs without them.
#[cfg(fuzzing)]
use turnproof_fuzz::libfuzzer_sys as _;

#[cfg(fuzzing)]
fn main() {}
