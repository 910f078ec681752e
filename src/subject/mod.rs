//! A *subject* is who is judged: anything that does some of the [operations](crate::operation).

mod reference;

pub use reference::Reference;
pub use turnproof_rules::subject::{Outcome, Output, Subject, Wrap, Wrapped};
