//! The family `stream`: each rule is broken by its example, holds for right outputs, and detects each mistake in them.

mod accumulated;
mod cut;
mod fallback;
mod faults;
mod hostile;
mod rare;
mod stream;
mod types;

use crate::families;
use turnproof_rules::operation::{Accumulated, Streamed};

const RULES: [&str; 8] = [
    "stream/accumulates",
    "stream/chunking-invariant",
    "stream/one-message-per-block",
    "stream/late-fields",
    "stream/total",
    "stream/tombstones-exact",
    "stream/no-withdrawn-survivor",
    "stream/slots-stable",
];

#[test]
fn the_family_has_eight_rules_in_order() {
    families::assert_complete("stream", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    families::assert_examples::<Accumulated>("stream");
}

#[test]
fn what_is_not_there_is_not_applicable() {
    let empty = Streamed { events: serde_json::json!([]).into(), ..Streamed::default() };
    let empty = Streamed { live: serde_json::json!([]).into(), ..empty };
    let case = Accumulated { items: Vec::new(), output: Ok(empty), cut_otherwise: None, again: None };
    families::assert_untouched("stream", &case);
}
