//! The *schema* of the protocol: a JSON Schema of each message, made of the types that speak it ([`super::wire`]).

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::operation::form::Json;

use super::methods::METHODS;
use super::questions::SCHEMAS;
use super::{Crash, wire};

/// The schema: the lines under `line`, input and output of each method under `methods`, and the messages of a plain case
/// under `history`.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let lines = json!({
        "turnproof": reference::<wire::Command>(&mut generator),
        "start": reference::<wire::Announcement>(&mut generator),
        "run": reference::<wire::Answer>(&mut generator),
    });
    let history = reference::<Vec<wire::HistoryMessage>>(&mut generator);
    let mut methods = Map::new();
    for method in METHODS {
        let (input, output) = (method.schemas)(&mut generator);
        methods.insert(method.name.to_owned(), json!({"input": input, "output": output}));
    }
    let questions: Map<String, Value> = SCHEMAS
        .iter()
        .map(|(name, schemas)| {
            let (input, output) = schemas(&mut generator);
            ((*name).to_owned(), json!({"input": input, "output": output}))
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of turnproof for subjects that are programs",
        "description": "`lines` has what turnproof writes, and the answers to `start` and `run`. `methods` has `input` \
                        and `output` of each method. `questions` has those that `turnproof serve` answers beside \
                        them. `history` has the `messages` of a plain case. SPEC.md section 10.4 says the rest.",
        "lines": lines,
        "methods": methods,
        "questions": questions,
        "history": history,
        "$defs": generator.definitions(),
    })
}

/// Whether an output has the shape that a method wants.
pub(super) fn check_output(name: &str, output: &Json) -> Result<(), Crash> {
    METHODS.iter().find(|method| method.name == name).map_or(Ok(()), |method| (method.check)(output))
}

pub(super) fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}
