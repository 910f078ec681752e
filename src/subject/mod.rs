//! A *subject* is who is judged: anything that does some of the [operations](crate::operation).

#[cfg(feature = "program")]
pub mod program;
mod reference;

pub use reference::Reference;
pub use turnproof_rules::subject::{Crash, Outcome, Output, Subject, Wrap, Wrapped};
