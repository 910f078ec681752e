//! The *methods* of a program: what it is asked, and what its output means.

use crate::operation::{
    Conversation, FactoryCall, Folding, Host, MadeMessage, Operation, Parsed, Played, RecordAnswer, RecordStep,
    Refusal, RepairedFile, RequestOptions, RequestText, StreamItem, StreamText, UsageRow,
};

use super::super::{Outcome, Subject};
use super::Program;
use super::wire::{self, File, Json, List, Messages};

impl Subject for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        self.ask_of_bytes::<wire::Parsed>("parse", [bytes], &File::of(bytes))
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        self.ask_json::<wire::Turns>("normalize_api", &of_messages(messages, options))
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        self.ask_json::<wire::AfterEach>("normalize_api_incremental", &of_messages(messages, options))
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        self.ask::<Messages>("normalize_ui", &Messages::of(messages))
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        self.ask::<Messages>("reorder_ui", &Messages::of(messages))
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        self.ask::<wire::Derived>("derive_uuid", &wire::Parent { parent: parent.to_owned(), index })
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        self.ask::<wire::ShortId>("short_id", &wire::Uuid { uuid: uuid.to_owned() })
    }

    fn record(&self, file: &[u8], session: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        let steps = steps.iter().map(wire::RecordStep::from).collect();
        let input = wire::Session { jsonl_b64: wire::Bytes(file.to_vec()), session: session.to_owned(), steps };
        self.ask_of_bytes::<wire::Recorded>("record", [file], &input)
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        self.ask_of_bytes::<wire::Found>("resume", [file], &File::of(file))
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        let input = wire::Events { items: items.iter().map(wire::StreamItem::from).collect() };
        self.ask_of_bytes::<wire::Streamed>("accumulate", items.iter().map(bytes_of), &input)
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        self.ask::<wire::Played>("play", &wire::Inputs { inputs: List::of(inputs) })
    }

    fn check_request(&self, request: &str, host: Host) -> Outcome<Vec<Refusal>> {
        self.ask::<wire::Errors>("check_request", &wire::Body { request: Json::of(request), host })
    }

    fn make(&self, call: &FactoryCall) -> Outcome<Vec<MadeMessage>> {
        self.ask::<wire::Made>("make", &wire::FactoryCall::from(call))
    }

    fn usage(&self, files: &[Vec<u8>]) -> Outcome<Vec<UsageRow>> {
        let input = wire::Transcripts { files: files.iter().map(|file| File::of(file)).collect() };
        self.ask_of_bytes::<wire::Rows>("usage", files.iter().map(Vec::as_slice), &input)
    }

    fn repair(&self, file: &[u8]) -> Outcome<RepairedFile> {
        self.ask_of_bytes::<wire::Repaired>("repair", [file], &File::of(file))
    }

    fn fold(&self, messages: &str, folding: Folding) -> Outcome<String> {
        let input = wire::FoldMessages { messages: List::of(messages), folding };
        self.ask::<Messages>("fold", &input)
    }

    fn unfold(&self, messages: &str) -> Outcome<String> {
        self.ask::<Messages>("unfold", &Messages::of(messages))
    }

    fn bridge(&self, messages: &str) -> Outcome<String> {
        self.ask::<Messages>("bridge", &Messages::of(messages))
    }

    /// What it announced counts: it is not asked.
    fn supports(&self, operation: Operation) -> bool {
        self.announces(operation.name())
    }
}

/// The bytes of a response that stand in an item: none in others.
fn bytes_of(item: &StreamItem) -> &[u8] {
    match item {
        StreamItem::Bytes(bytes) => bytes,
        _ => &[],
    }
}

/// The input of a request of messages. It is joined as text: the messages are JSON already, and may be long.
fn of_messages(messages: &str, options: &RequestOptions) -> String {
    let options = Json::value(options);
    format!(r#"{{"messages":{},"options":{}}}"#, wire::on_one_line(messages), options.text())
}
