//! `yardstick`: each line read as a `serde_json::Value`, and no law: what a reader of JSON alone costs.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
turnproof_fuzz::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for line in bytes.split(|&byte| byte == b'\n') {
        let _ = std::hint::black_box(serde_json::from_slice::<serde_json::Value>(line));
    }
});

#[cfg(not(fuzzing))]
fn main() {}
