//! `parse_bare`: the law of `parse`, fed by libFuzzer's own mutations. Beside `yardstick_bare` it says what the law
//! costs, and beside `parse` what other mutations do.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
turnproof_fuzz::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    turnproof_fuzz::hold(&turnproof_suite::fuzzing::PARSE, &turnproof_fuzz::Reader, bytes);
});

#[cfg(not(fuzzing))]
fn main() {
    println!("parse_bare: only under cargo-fuzz; fuzz/rates starts it");
}
