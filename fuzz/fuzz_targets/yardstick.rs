//! `yardstick`: the inputs of `parse`, each line read as a `serde_json::Value`, without a law; to compare speeds.

#![cfg_attr(any(fuzzing, feature = "engine"), no_main)]

use turnproof_suite::fuzzing::{Law, PARSE, Target};
use turnproof_suite::subject::Subject;
use turnproof_suite::suite::Depth;

const YARDSTICK: Target =
    Target { name: "yardstick", title: "each line is a value, or is not", law: Law::Bytes(read), shape: PARSE.shape };

fn read(_: &dyn Subject, bytes: &[u8], _: Depth) {
    for line in bytes.split(|&byte| byte == b'\n') {
        let _ = std::hint::black_box(serde_json::from_slice::<serde_json::Value>(line));
    }
}

turnproof_fuzz::target!(YARDSTICK, turnproof_fuzz::Reader);
