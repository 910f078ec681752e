//! The pipeline as it is: one test a rule that it claims to hold.

mod judged;

use judged::Judged;
use toy_pipeline::Pipeline;

turnproof::conformance!(
    Judged(Pipeline::default()): normalize_api,
    // The next ones to claim: "pairing/id-form", "pairing/input-object", "pairing/server-tools".
    rules = [
        "api/first-user",
        "api/alternation",
        "pairing/result-follows-use",
        "pairing/no-orphan-result",
        "pairing/unique-use-id",
        "pairing/single-result",
        "pairing/results-first",
    ],
);
