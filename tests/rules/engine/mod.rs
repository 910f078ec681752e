//! The family `engine`: each rule is broken by its example, holds for right logs, and detects each mistake in them.

mod answered;
mod disk;
mod hostile;
mod log;
mod names;
mod queue;
mod rare;
mod reported;
mod requests;
mod resume;
mod sound;
mod summary;
mod whole;
mod yielded;

use crate::families;
use turnproof_rules::operation::Played;

const RULES: [&str; 36] = [
    "engine/every-use-answered",
    "engine/queue-order",
    "engine/summary-late",
    "engine/durable-before-request",
    "engine/request-of-live",
    "engine/no-withdrawn-survivor",
    "engine/no-compacted-survivor",
    "engine/resume-complete",
    "engine/sound-messages",
    "engine/deterministic",
    "engine/interrupted-not-lost",
    "engine/queue-recorded",
    "engine/error-kind",
    "engine/cleared-stays-cleared",
    "engine/log-of-inputs",
    "engine/request-of-inputs",
    "engine/request-when-due",
    "engine/legal-request",
    "engine/request-holds-live",
    "engine/sound-lines",
    "engine/sound-chain",
    "engine/sound-calls",
    "engine/tells-all",
    "engine/result-as-given",
    "engine/result-source",
    "engine/denial-words",
    "engine/meta-stays-meta",
    "engine/notice-whole",
    "engine/error-of-no-model",
    "engine/late-fields",
    "engine/file-as-yielded",
    "engine/fork-renamed",
    "engine/virtual-stays-out",
    "engine/yields-in-order",
    "engine/attachment-as-given",
    "engine/retries-end",
];

#[test]
fn the_family_is_complete_and_in_order() {
    families::assert_complete("engine", &RULES);
}

#[test]
fn every_example_breaks_its_rule_and_no_other() {
    families::assert_examples::<Played>("engine");
}

#[test]
fn what_is_not_there_is_not_applicable() {
    for whole in [false, true] {
        families::assert_untouched("engine", &Played { whole, ..Played::default() });
    }
}
