//! The *questions* that `turnproof serve` answers beside the operations of a subject (SPEC 10.4.4): what the packages for
//! Python and TypeScript ask.

use schemars::SchemaGenerator;
use serde_json::Value;

use super::schema::reference;
use super::wire::{Drawn, JudgeRequest, JudgeResponse, JudgeSession, Judged, JudgedSession, ToDraw};

/// A question, with the schemas of its input and its output.
pub(super) type Question = (&'static str, fn(&mut SchemaGenerator) -> (Value, Value));

/// Every question with its schemas.
pub(super) const SCHEMAS: [Question; 4] = [
    ("judge_request", |generator| (reference::<JudgeRequest>(generator), reference::<Judged>(generator))),
    ("judge_response", |generator| (reference::<JudgeResponse>(generator), reference::<Judged>(generator))),
    ("judge_session", |generator| (reference::<JudgeSession>(generator), reference::<JudgedSession>(generator))),
    ("draw", |generator| (reference::<ToDraw>(generator), reference::<Drawn>(generator))),
];

/// The names of the questions.
pub const QUESTIONS: [&str; SCHEMAS.len()] = [SCHEMAS[0].0, SCHEMAS[1].0, SCHEMAS[2].0, SCHEMAS[3].0];
