//! The pipeline as turnproof asks it.

use serde_json::Value;
use toy_pipeline::Pipeline;
use turnproof::operation::{RequestOptions, RequestText};
use turnproof::subject::{Outcome, Subject};

/// The pipeline, judged. It does one operation; the others stay unsupported.
pub struct Judged(pub Pipeline);

impl Subject for Judged {
    fn name(&self) -> &str {
        "toy-pipeline"
    }

    fn normalize_api(&self, messages: &str, _options: &RequestOptions) -> Outcome<RequestText> {
        // Halves of surrogate pairs are more than serde_json reads: the pipeline says so.
        match serde_json::from_str::<Vec<Value>>(messages) {
            Ok(messages) => {
                let turns = Value::from(self.0.request(&messages)).to_string();
                Outcome::Output(RequestText { turns, messages_after: None })
            }
            Err(error) => Outcome::Rejected(error.to_string()),
        }
    }
}
