//! `yardstick_bare`: each line is read as a `serde_json::Value`, and libFuzzer's own mutations feed it. It says what a
//! target without a law, and without mutations that know the shape of inputs, would do.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
turnproof_fuzz::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for line in bytes.split(|&byte| byte == b'\n') {
        let _ = std::hint::black_box(serde_json::from_slice::<serde_json::Value>(line));
    }
});

#[cfg(not(fuzzing))]
fn main() {
    println!("yardstick_bare: only under cargo-fuzz; fuzz/rates starts it");
}
