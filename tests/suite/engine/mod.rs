//! The *engine* plays conversations as a client holds them: nothing is lost, every call has one answer.

mod beside;
mod compactions;
mod errors;
mod generated;
mod lives;
mod moments;
mod talk;
mod turns;
