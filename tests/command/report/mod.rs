//! What is kept of a run: `report.jsonl`, `junit.xml` and `report.html`.

#![cfg(feature = "cli")]

mod command;
mod excerpt;
mod html;
mod jsonl;
mod junit;
mod runs;
mod texts;
mod tree;
