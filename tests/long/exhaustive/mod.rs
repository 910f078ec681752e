//! *Exhaustive* tests of normalization for the API: all short conversations and many generated ones, compared with a
//! naive model and judged by the rules.

mod alphabet;
mod ask;
mod compare;
mod exhaust;
mod generated;
#[path = "../../message/naive.rs"]
mod json;
mod laws;
mod legal;
mod naive;
mod short;
