//! A *subject* is who is judged: anything that does some of the [operations](crate::operation).
//!
//! # A skeleton
//!
//! Every method, with a body that does next to nothing (`docs/samples/skeleton.rs`). Keep those that your pipeline does,
//! and leave out the others. [`conformance`](crate::conformance()) makes tests of it.
//!
//! ```
#![doc = include_str!("../../docs/samples/skeleton.rs")]
//! # let supports_all = turnproof::operation::Operation::ALL.iter().all(|operation| Mine.supports(*operation));
//! # assert!(supports_all);
//! ```

#[cfg(feature = "program")]
pub mod program;
mod reference;
mod stop;

pub use reference::Reference;
pub use stop::Stop;
pub use turnproof_rules::subject::{Crash, CrashKind, Outcome, Output, Panic, Subject, Wrap, Wrapped};
