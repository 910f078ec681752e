//! turnproof tells whether an agent's message pipeline is right: the messages themselves, the
//! transcript that they are written to, and (in later versions) the requests made of them.

#[cfg(feature = "check")]
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod fuzzing;
pub mod json;
pub mod message;
pub mod operation;
#[cfg(feature = "report")]
pub mod report;
pub mod rules;
pub mod transcript;
