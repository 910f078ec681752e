//! The *suite* plays scenarios to a subject and judges what it does by the rules, each case
//! reproducible from its seed and number.
//!
//! Case *i* of a seed depends on the seed and *i* alone, so runs can be split over machines
//! ([`Shard`]) and threads with one and the same result. What breaks a rule is shrunk as a plan,
//! never to a case that breaks another rule instead, and stored as the plan itself
//! ([`Regression`]): seeds rot when a generator changes.
//!
//! For tests of your own there is [`conformance!`](crate::conformance): one `#[test]` a rule.

pub mod conformance;
mod distinct;
mod failure_text;
mod labels;
mod regression;
mod run;
mod shard;
mod shrink;

pub use distinct::kind;
pub use labels::LabelCount;
pub use regression::{Regression, RegressionError, load_regressions};
pub use run::{CaseLine, Failure, Options, Report, RuleCount, run};
pub use shard::Shard;
pub use shrink::{shrink, size};
pub use turnproof_rules::{Depth, Observed, Trial, judge};
