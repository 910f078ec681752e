//! The *material* of a case is all that a subject can be asked about it.

use crate::operation::{FactoryCall, List, RecordStep, StreamItem};

/// What a case can be asked about. A part that it does not have is empty.
pub trait Material {
    /// A transcript.
    fn transcript(&self) -> &[u8];

    /// Messages and events, each as JSON text.
    fn messages(&self) -> &[String];

    /// The same messages and events as one list. Whoever keeps it reads it once for all operations.
    fn list(&self) -> List {
        List::of(self.messages())
    }

    /// The project context of a request that is made of the messages, if any.
    fn project_context(&self) -> Option<String>;

    /// Ids to derive others from, and to shorten.
    fn ids(&self) -> Vec<&str>;

    /// Block indexes for which ids are derived.
    fn indexes(&self) -> &[u64];

    /// What a model's streams send: one list for each request.
    fn streams(&self) -> &[Vec<StreamItem>];

    /// What happens to the loop: a JSON array of inputs.
    fn inputs(&self) -> String;

    /// Whether the transcript is of a conversation as a recorder wrote it, so that a session can go on with it.
    fn is_conversation(&self) -> bool;

    /// The steps of a recorder; `None` when they are to be made of the messages.
    fn session(&self) -> Option<Session>;

    /// Calls of factories, each to be made on its own.
    fn factory_calls(&self) -> Vec<FactoryCall>;

    /// A conversation that comes back whole and in order once it is recorded: the messages, a JSON array, and the uuids
    /// that come back. `None` when there is none.
    fn whole_conversation(&self) -> Option<(String, Vec<String>)>;
}

/// A session that is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The file before the first step.
    pub before: Vec<u8>,
    /// The session's id, which each line carries.
    pub session: String,
    /// The steps.
    pub steps: Vec<RecordStep>,
}
