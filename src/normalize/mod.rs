//! *Normalization* turns the messages that a client holds into what others take: a request for the
//! model, or one message a block for a UI.

pub mod api;
pub mod ui;
