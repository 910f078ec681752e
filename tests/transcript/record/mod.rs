//! The *recorder*: each sentence of its module's page is a test, and a naive model agrees with it.

mod appending;
mod background;
mod boundary;
mod build;
mod lines;
mod messages;
mod model;
mod parents;
mod queue;
mod subject;
