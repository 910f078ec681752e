//! The pipeline as it is: one test a rule that it claims to hold.

mod judged;

use judged::Judged;
use toy_pipeline::Pipeline;
use turnproof::operation::Operation;

/// The next rules to claim.
const LEFT_OUT: [&str; 3] = ["!pairing/id-form", "!pairing/input-object", "!pairing/server-tools"];

fn main() {
    turnproof::conformance(&Judged(Pipeline::default()))
        .operations([Operation::NormalizeApi])
        .rules(["api/first-user", "api/alternation", "pairing/*"].into_iter().chain(LEFT_OUT))
        .run()
}
