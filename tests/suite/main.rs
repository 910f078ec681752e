//! The *suite* and what it plays: the engine, generated conversations, runs, and what becomes of a failure.

mod conformance;
mod engine;
mod reach;
mod runs;
mod shrink_quality;
