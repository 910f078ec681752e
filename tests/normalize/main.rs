//! *Normalization*: from messages to a request, and to what a UI shows.

mod api;
mod blocks;
mod conversations;
mod shapes;
mod ui;
