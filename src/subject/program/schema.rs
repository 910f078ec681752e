//! The *schema* of the protocol: a JSON Schema of each message, made of the types of the [wire](super::wire).

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::wire;

/// The schema: the lines under `line`, and input and output of each method under `methods`.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let lines = json!({
        "turnproof": reference::<wire::Command>(&mut generator),
        "start": reference::<wire::Announcement>(&mut generator),
        "run": reference::<wire::Answer>(&mut generator),
    });
    let mut methods = Map::new();
    for (method, of) in METHODS {
        let (input, output) = of(&mut generator);
        methods.insert(method.to_owned(), json!({"input": input, "output": output}));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of turnproof for subjects that are programs",
        "description": "`lines` has what turnproof writes, and the answers to `start` and `run`. `methods` has `input` \
                        and `output` of each method. SPEC.md section 10.4 says the rest.",
        "lines": lines,
        "methods": methods,
        "$defs": generator.definitions(),
    })
}

/// Input and output of a method.
type Shapes = fn(&mut SchemaGenerator) -> (Value, Value);

const METHODS: [(&str, Shapes); super::METHODS.len()] = [
    ("parse", shapes::<wire::File, wire::Parsed>),
    ("normalize_api", shapes::<wire::RequestOfMessages, wire::Turns>),
    ("normalize_api_incremental", shapes::<wire::RequestOfMessages, wire::AfterEach>),
    ("normalize_ui", shapes::<wire::Messages, wire::Messages>),
    ("reorder_ui", shapes::<wire::Messages, wire::Messages>),
    ("derive_uuid", shapes::<wire::Parent, wire::Derived>),
    ("short_id", shapes::<wire::Uuid, wire::ShortId>),
    ("record", shapes::<wire::Session, wire::Recorded>),
    ("resume", shapes::<wire::File, wire::Found>),
    ("accumulate", shapes::<wire::Events, wire::Streamed>),
    ("play", shapes::<wire::Inputs, wire::Played>),
    ("check_request", shapes::<wire::Body, wire::Errors>),
    ("make", shapes::<wire::FactoryCall, wire::Made>),
    ("usage", shapes::<wire::Transcripts, wire::Rows>),
    ("fold", shapes::<wire::FoldMessages, wire::Messages>),
    ("unfold", shapes::<wire::Messages, wire::Messages>),
    ("bridge", shapes::<wire::Messages, wire::Messages>),
];

fn shapes<I: JsonSchema, O: JsonSchema>(generator: &mut SchemaGenerator) -> (Value, Value) {
    (reference::<I>(generator), reference::<O>(generator))
}

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}
