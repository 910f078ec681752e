//! The *suite* plays scenarios to a subject and judges its answers by the rules.
//!
//! A case depends on its seed and number alone, so runs can be split over machines ([`Shard`]) and threads with the
//! same result. A case that breaks a rule is shrunk as a plan, and only to cases that break the same rule. The plan
//! itself is stored ([`Regression`]), because a seed means another case when a generator changes.
//!
//! For your own tests there is a [`conformance`](mod@conformance), a test for each rule.

mod broke;
pub mod conformance;
mod crashes;
pub mod every_client;
mod failure;
mod known;
mod nearness;
mod question;
mod regression;
mod run;
mod shard;
mod shrink;

pub use crashes::Ended;
pub use failure::Failure;
pub use known::{Deviation, DeviationFate, Known};
pub use nearness::nearness;
pub(crate) use question::is_json;
pub use regression::{Regression, RegressionError, load_regressions};
pub use run::{CaseLine, Options, Report, RuleCount, run};
pub use shard::Shard;
pub use shrink::{shrink, size};
pub use turnproof_rules::{Depth, NoAnswer, Observed, Trial, judge};
