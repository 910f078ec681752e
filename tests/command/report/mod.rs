//! What is kept of a run: `report.jsonl`, `junit.xml` and `report.html`.

#![cfg(feature = "cli")]

mod command;
mod html;
mod jsonl;
mod junit;
mod runs;
