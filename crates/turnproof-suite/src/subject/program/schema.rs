//! The *schema* of the protocol: a JSON Schema of each message, made of the types of the wire ([`super::wire`]).

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::wire::{self, IntoPlain, Json};
use super::{Crash, read_output};

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
    for Shapes { method, references, .. } in METHODS {
        let (input, output) = references(&mut generator);
        methods.insert(method.to_owned(), json!({"input": input, "output": output}));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The protocol of turnproof for subjects that are programs",
        "description": "`lines` has what turnproof writes, and the answers to `start` and `run`. `methods` has `input` \
                        and `output` of each method. `history` has the `messages` of a plain case. SPEC.md section \
                        10.4 says the rest.",
        "lines": lines,
        "methods": methods,
        "history": history,
        "$defs": generator.definitions(),
    })
}

/// Whether an output has the shape that a method wants.
pub(super) fn check_output(method: &str, output: &Json) -> Result<(), Crash> {
    METHODS.iter().find(|shapes| shapes.method == method).map_or(Ok(()), |shapes| (shapes.check)(output))
}

/// Input and output of a method.
struct Shapes {
    method: &'static str,
    /// The schemas.
    references: fn(&mut SchemaGenerator) -> (Value, Value),
    /// Reads an output.
    check: fn(&Json) -> Result<(), Crash>,
}

impl Shapes {
    const fn of<I: JsonSchema, O: JsonSchema + DeserializeOwned + IntoPlain>(method: &'static str) -> Self {
        Self {
            method,
            references: |generator| (reference::<I>(generator), reference::<O>(generator)),
            check: |output| read_output::<O>(output).map(drop),
        }
    }
}

const METHODS: [Shapes; super::METHODS.len()] = [
    Shapes::of::<wire::File, wire::Parsed>("parse"),
    Shapes::of::<wire::RequestOfMessages, wire::Turns>("normalize_api"),
    Shapes::of::<wire::RequestOfMessages, wire::AfterEach>("normalize_api_incremental"),
    Shapes::of::<wire::Messages, wire::Messages>("normalize_ui"),
    Shapes::of::<wire::Messages, wire::Messages>("reorder_ui"),
    Shapes::of::<wire::Parent, wire::Derived>("derive_uuid"),
    Shapes::of::<wire::Uuid, wire::ShortId>("short_id"),
    Shapes::of::<wire::Session, wire::Recorded>("record"),
    Shapes::of::<wire::File, wire::Found>("resume"),
    Shapes::of::<wire::Events, wire::Streamed>("accumulate"),
    Shapes::of::<wire::Inputs, wire::Played>("play"),
    Shapes::of::<wire::Body, wire::Errors>("check_request"),
    Shapes::of::<wire::FactoryCall, wire::Made>("make"),
    Shapes::of::<wire::Transcripts, wire::Rows>("usage"),
    Shapes::of::<wire::File, wire::Repaired>("repair"),
    Shapes::of::<wire::FoldMessages, wire::Messages>("fold"),
    Shapes::of::<wire::Messages, wire::Messages>("unfold"),
    Shapes::of::<wire::Messages, wire::Messages>("bridge"),
];

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}
