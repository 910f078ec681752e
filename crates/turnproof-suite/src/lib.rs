//! Generated conversations, and the suite that plays them to a subject, judges it by the rules and shrinks what it finds.
//!
//! The package `turnproof` shows this crate's modules as its own.
//!
//! - [`scenario`]: plans of transcripts from seeds, fuzz bytes, proptest or JSON, and how they are played;
//! - [`subject`]: who is judged: the reference, or a program in any language;
//! - [`suite`]: a run, known deviations, shrinking, a test for each rule;
//! - [`fuzzing`]: the laws of the fuzz targets, mutations, and campaigns against a program.

pub mod fuzzing;
pub mod printable;
pub mod scenario;
pub mod smallest;
pub mod subject;
pub mod suite;
pub mod table;

pub use suite::conformance::conformance;
use turnproof_reference::{engine, json, message, normalize, repair, stream, transcript, usage};
use turnproof_rules::{operation, rules};
