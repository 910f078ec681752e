//! The *methods* of a program: what it is asked, and what its output means. A [`Program`] asks them, and whoever serves
//! a subject answers them.

use schemars::SchemaGenerator;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::operation::form::{Json, on_one_line};
use crate::operation::{
    Conversation, FactoryCall, Folding, Host, MadeMessage, Operation, Parsed, Played, RecordAnswer, RecordStep,
    Refusal, RepairedFile, RequestOptions, RequestText, ResponseRefusal, StreamItem, StreamText, UsageRow,
};

use super::super::{Outcome, Subject};
use super::schema::reference;
use super::wire::{
    AfterEach, Body, Derived, Errors, Events, File, FoldMessages, Found, Inputs, Made, Messages, Parent, Recorded,
    RequestOfMessages, Response, ResponseErrors, Rows, Session, ShortId, Transcripts, Uuid,
};
use super::{Crash, Program, read_output};

impl Subject for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        self.ask_of_bytes("parse", [bytes], &File::of(bytes))
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        self.ask_json("normalize_api", &of_messages(messages, options))
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        let answer = self.ask_json::<AfterEach>("normalize_api_incremental", &of_messages(messages, options));
        answer.map(|after| after.requests.iter().map(|turns| turns.text().to_owned()).collect())
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        self.ask("normalize_ui", &Messages::of(messages)).map(Messages::into_text)
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        self.ask("reorder_ui", &Messages::of(messages)).map(Messages::into_text)
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        self.ask("derive_uuid", &Parent { parent: parent.to_owned(), index }).map(|Derived { uuid }| uuid)
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        self.ask("short_id", &Uuid { uuid: uuid.to_owned() }).map(|ShortId { short_id }| short_id)
    }

    fn record(&self, file: &[u8], session: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        let input = Session { file: file.to_vec(), session: session.to_owned(), steps: steps.to_vec() };
        self.ask_of_bytes("record", [file], &input).map(|Recorded { answers }| answers)
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        self.ask_of_bytes("resume", [file], &File::of(file)).map(|Found { conversation }| conversation)
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        self.ask_of_bytes("accumulate", items.iter().map(bytes_of), &Events { items: items.to_vec() })
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        let answer = self.ask::<Played>("play", &Inputs { inputs: inputs.to_owned().into() });
        answer.map(|played| Played { inputs: None, again: None, ..played })
    }

    fn check_request(&self, request: &str, host: Host) -> Outcome<Vec<Refusal>> {
        self.ask("check_request", &Body { request: Json::of(request), host }).map(|Errors { errors }| errors)
    }

    fn check_response(&self, response: &str) -> Outcome<Vec<ResponseRefusal>> {
        let answer = self.ask("check_response", &Response { response: response.to_owned() });
        answer.map(|ResponseErrors { errors }| errors)
    }

    fn make(&self, call: &FactoryCall) -> Outcome<Vec<MadeMessage>> {
        self.ask("make", call).map(|Made { messages }| messages)
    }

    fn usage(&self, files: &[Vec<u8>]) -> Outcome<Vec<UsageRow>> {
        let input = Transcripts { files: files.iter().map(|file| File::of(file)).collect() };
        self.ask_of_bytes("usage", files.iter().map(Vec::as_slice), &input).map(|Rows { rows }| rows)
    }

    fn repair(&self, file: &[u8]) -> Outcome<RepairedFile> {
        self.ask_of_bytes("repair", [file], &File::of(file))
    }

    fn fold(&self, messages: &str, folding: Folding) -> Outcome<String> {
        let input = FoldMessages { messages: messages.to_owned().into(), folding };
        self.ask("fold", &input).map(Messages::into_text)
    }

    fn unfold(&self, messages: &str) -> Outcome<String> {
        self.ask("unfold", &Messages::of(messages)).map(Messages::into_text)
    }

    fn bridge(&self, messages: &str) -> Outcome<String> {
        self.ask("bridge", &Messages::of(messages)).map(Messages::into_text)
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
    format!(r#"{{"messages":{},"options":{}}}"#, on_one_line(messages), options.text())
}

/// A method, for whoever answers it.
pub(super) struct Method {
    pub(super) name: &'static str,
    /// The schemas of input and output.
    pub(super) schemas: fn(&mut SchemaGenerator) -> (Value, Value),
    /// Whether an output has the shape that the method wants.
    pub(super) check: fn(&Json) -> Result<(), Crash>,
    /// Asks a subject.
    pub(super) answer: fn(&dyn Subject, &Json) -> Outcome<Json>,
}

macro_rules! methods {
    ($($name:ident: $input:ty => $output:ty, |$subject:ident, $asked:ident| $answer:expr;)*) => {
        [$(Method {
            name: stringify!($name),
            schemas: |generator| (reference::<$input>(generator), reference::<$output>(generator)),
            check: |output| read_output::<$output>(output).map(drop),
            answer: |$subject, input| answer::<$input, $output>(input, |$asked| $answer),
        }),*]
    };
}

/// Every method.
pub(super) const METHODS: [Method; Operation::METHODS.len()] = methods! {
    parse: File => Parsed, |subject, file| subject.parse(&file.bytes);
    normalize_api: RequestOfMessages => RequestText, |subject, asked|
        subject.normalize_api(asked.messages.text(), &asked.options);
    normalize_api_incremental: RequestOfMessages => AfterEach, |subject, asked|
        subject.normalize_api_incremental(asked.messages.text(), &asked.options)
            .map(|requests| AfterEach { requests: requests.into_iter().map(Into::into).collect() });
    normalize_ui: Messages => Messages, |subject, asked| subject.normalize_ui(asked.messages.text()).map(messages);
    reorder_ui: Messages => Messages, |subject, asked| subject.reorder_ui(asked.messages.text()).map(messages);
    derive_uuid: Parent => Derived, |subject, asked|
        subject.derive_uuid(&asked.parent, asked.index).map(|uuid| Derived { uuid });
    short_id: Uuid => ShortId, |subject, asked| subject.short_id(&asked.uuid).map(|short_id| ShortId { short_id });
    record: Session => Recorded, |subject, asked|
        subject.record(&asked.file, &asked.session, &asked.steps).map(|answers| Recorded { answers });
    resume: File => Found, |subject, file| subject.resume(&file.bytes).map(|conversation| Found { conversation });
    accumulate: Events => StreamText, |subject, asked| subject.accumulate(&asked.items);
    play: Inputs => Played, |subject, asked| subject.play(asked.inputs.text());
    check_request: Body => Errors, |subject, asked|
        subject.check_request(asked.request.text(), asked.host).map(|errors| Errors { errors });
    check_response: Response => ResponseErrors, |subject, asked|
        subject.check_response(&asked.response).map(|errors| ResponseErrors { errors });
    make: FactoryCall => Made, |subject, call| subject.make(&call).map(|messages| Made { messages });
    usage: Transcripts => Rows, |subject, asked|
        subject.usage(&asked.files.into_iter().map(|file| file.bytes).collect::<Vec<_>>()).map(|rows| Rows { rows });
    repair: File => RepairedFile, |subject, file| subject.repair(&file.bytes);
    fold: FoldMessages => Messages, |subject, asked| subject.fold(asked.messages.text(), asked.folding).map(messages);
    unfold: Messages => Messages, |subject, asked| subject.unfold(asked.messages.text()).map(messages);
    bridge: Messages => Messages, |subject, asked| subject.bridge(asked.messages.text()).map(messages);
};

fn messages(messages: String) -> Messages {
    Messages { messages: messages.into() }
}

/// Reads an input, asks, and writes the output as the protocol has it.
fn answer<I: DeserializeOwned, O: Serialize>(input: &Json, ask: impl FnOnce(I) -> Outcome<O>) -> Outcome<Json> {
    match serde_json::from_str(input.text()) {
        Ok(read) => ask(read).map(|output| Json::value(&output)),
        Err(error) => Outcome::Rejected(format!("the input has another shape: {error}")),
    }
}
