//! A *subject* is who is judged: anything that does some of the [operations](crate::operation).
//!
//! `docs/samples/skeleton.rs` has every method, with a body that does next to nothing. Keep those that your pipeline does,
//! and leave out the others. [`conformance`](crate::conformance()) makes tests of it.

pub mod program;
mod reference;
mod stop;

pub use reference::Reference;
pub use stop::Stop;
pub use turnproof_rules::subject::{Crash, CrashKind, Outcome, Output, Panic, Subject, Wrap, Wrapped};
