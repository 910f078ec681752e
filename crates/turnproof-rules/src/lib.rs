//! The *oracle* of turnproof: what must hold in an agent's message system, as data and functions that never call the
//! code they judge.
//!
//! - [`operation`]: what a subject can be asked to do, its input and output as plain data;
//! - [`subject`]: the trait of those who do it;
//! - [`rules`]: the catalogue of rules, each with its prose, an example that breaks it, and a function;
//! - [`errors`]: what hosts and clients say, and which page is about it.
//!
//! To judge requests, this crate is enough, without its features: with `default-features = false` it holds the rules on
//! requests, replies and talks alone, and builds in half the time. A test says [`assert_legal!`]; whoever wants the
//! violations asks the rules:
//!
//! ```
//! use turnproof_rules::operation::{Host, Request};
//! use turnproof_rules::rules::{Judge, matching};
//!
//! let request = Request::read(r#"[{"role":"user","content":"a"},{"role":"user","content":"b"}]"#)?;
//! let mut broken = Vec::new();
//! for rule in matching("api/*") {
//!     if let Judge::Request { judge, .. } = rule.judge {
//!         judge(&request, Host::Portable, &mut |violation| broken.push(violation.rule));
//!     }
//! }
//! assert_eq!(broken, ["api/alternation"]);
//! # Ok::<(), turnproof_rules::operation::RequestError>(())
//! ```

#![cfg_attr(not(feature = "pipelines"), allow(dead_code, unused_imports, reason = "rules on pipelines use it"))]

mod depth;
pub mod errors;
mod json;
mod legal;
mod material;
mod observed;
pub mod operation;
pub mod rules;
pub mod subject;
mod trial;

pub use legal::why_not_legal;

/// What rules look for, from the tables of the format.
mod vocabulary {
    pub(crate) use turnproof_format::texts::*;
    pub(crate) use turnproof_format::*;
}

pub use depth::Depth;
pub use material::{Material, Session};
pub use observed::{Answers, Evidence, NoAnswer, Observation, Observed, Shown, guarded};
pub use trial::{Judge, Trial, judge};
