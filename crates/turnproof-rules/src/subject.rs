//! A *subject* is who is judged: anything that does some of the [operations](crate::operation).
//!
//! Implement [`Subject`] for your own pipeline and give it to [`suite`](crate::suite). A method
//! that is left out answers [`Outcome::Unsupported`], which is reported as such and never counted
//! as passed.

use crate::operation::{
    Conversation, Operation, Parsed, Played, RecordAnswer, RecordStep, RequestOptions, RequestText,
    StreamItem, StreamText,
};

/// What a subject answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// The operation's output.
    Output(T),
    /// The subject refuses this input, and says why: a legal answer where the rule allows it.
    Rejected(String),
    /// The subject does not do this operation.
    Unsupported,
}

impl<T> Outcome<T> {
    /// The output, or why there is none; nothing when the operation is not supported.
    pub fn into_answer(self) -> Option<Result<T, String>> {
        match self {
            Self::Output(output) => Some(Ok(output)),
            Self::Rejected(why) => Some(Err(why)),
            Self::Unsupported => None,
        }
    }
}

/// Who is judged.
///
/// ```
/// use turnproof_rules::subject::{Outcome, Subject};
///
/// /// Derives ids by appending the index: shorter than the definition, and wrong.
/// struct Appending;
///
/// impl Subject for Appending {
///     fn name(&self) -> &str {
///         "appending"
///     }
///
///     fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
///         Outcome::Output(format!("{parent}-{index}"))
///     }
/// }
///
/// assert_eq!(Appending.parse(b""), Outcome::Unsupported);
/// ```
pub trait Subject: Sync {
    /// The subject's name in reports.
    fn name(&self) -> &str;

    /// Reads a transcript.
    fn parse(&self, _bytes: &[u8]) -> Outcome<Parsed> {
        Outcome::Unsupported
    }

    /// Makes a request of messages: a JSON array of messages in, the turns out.
    fn normalize_api(&self, _messages: &str, _options: &RequestOptions) -> Outcome<RequestText> {
        Outcome::Unsupported
    }

    /// Makes requests with a kept state: gives the turns (JSON arrays) after each of the messages.
    fn normalize_api_incremental(&self, _messages: &str, _options: &RequestOptions) -> Outcome<Vec<String>> {
        Outcome::Unsupported
    }

    /// Makes of messages what a UI shows: a JSON array of messages in, another one out.
    fn normalize_ui(&self, _messages: &str) -> Outcome<String> {
        Outcome::Unsupported
    }

    /// Orders messages as a UI shows them: a JSON array of messages in, the same ones out.
    fn reorder_ui(&self, _messages: &str) -> Outcome<String> {
        Outcome::Unsupported
    }

    /// Derives the id of the block at `index` of the message `parent`.
    fn derive_uuid(&self, _parent: &str, _index: u64) -> Outcome<String> {
        Outcome::Unsupported
    }

    /// Shortens an id.
    fn short_id(&self, _uuid: &str) -> Outcome<String> {
        Outcome::Unsupported
    }

    /// Records a session: goes on with a file, step by step, and tells the file after each step.
    fn record(&self, _file: &[u8], _session: &str, _steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        Outcome::Unsupported
    }

    /// Finds the conversation that a user gets back from a transcript; none when it holds none.
    fn resume(&self, _file: &[u8]) -> Outcome<Option<Conversation>> {
        Outcome::Unsupported
    }

    /// Makes messages of a model's stream.
    fn accumulate(&self, _items: &[StreamItem]) -> Outcome<StreamText> {
        Outcome::Unsupported
    }

    /// Plays a conversation: a JSON array of inputs (what people, model, tools and disk do) to the log
    /// of the loop.
    fn play(&self, _inputs: &str) -> Outcome<Played> {
        Outcome::Unsupported
    }

    /// Whether the subject does an operation, as far as an empty input shows.
    fn supports(&self, operation: Operation) -> bool {
        match operation {
            Operation::Parse => self.parse(b"") != Outcome::Unsupported,
            Operation::NormalizeApi => {
                self.normalize_api("[]", &RequestOptions::default()) != Outcome::Unsupported
            }
            Operation::NormalizeUi => self.normalize_ui("[]") != Outcome::Unsupported,
            Operation::ReorderUi => self.reorder_ui("[]") != Outcome::Unsupported,
            Operation::DeriveUuid => self.derive_uuid("", 0) != Outcome::Unsupported,
            Operation::ShortId => self.short_id("") != Outcome::Unsupported,
            Operation::Record => self.record(b"", "", &[]) != Outcome::Unsupported,
            Operation::Resume => self.resume(b"") != Outcome::Unsupported,
            Operation::Accumulate => self.accumulate(&[]) != Outcome::Unsupported,
            Operation::Play => self.play("[]") != Outcome::Unsupported,
            Operation::Transcript => false,
        }
    }
}
