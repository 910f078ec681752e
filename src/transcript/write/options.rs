//! *Options* of a recorder: what it adds to each line, and when it writes.

use crate::json::Text;
use crate::message::{Envelope, Maybe};

/// What a recorder adds to each message that does not have it, and when it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecorderOptions {
    /// The session's id, which each line carries.
    pub session_id: Text,
    /// The working directory.
    pub cwd: Option<Text>,
    /// The client's version.
    pub version: Option<Text>,
    /// The git branch.
    pub git_branch: Option<Text>,
    /// Who uses the client: `external` outside its makers.
    pub user_type: Option<Text>,
    /// Whether what is recorded is a subagent's conversation.
    pub is_sidechain: Option<bool>,
    /// The subagent.
    pub agent_id: Option<Text>,
    /// How long a message may wait in the queue, in milliseconds.
    pub period_ms: u64,
    /// Whether a request waits until the disk has confirmed what comes before it; a scripted mode does not.
    pub waits: bool,
}

impl RecorderOptions {
    /// How long a message waits in the queue unless options say otherwise, in milliseconds: long enough for
    /// the `usage` and `stop_reason` that end a stream (`record/late-fields`).
    pub const PERIOD_MS: u64 = 100;

    /// The options of a session: nothing but its id is added, and requests wait.
    pub fn new(session_id: impl Into<Text>) -> Self {
        Self { session_id: session_id.into(), ..Self::default() }
    }

    /// Adds to a message what it does not have; null counts as not having it.
    pub(super) fn stamp(&self, envelope: &mut Envelope) {
        add(&mut envelope.session_id, Some(&self.session_id));
        add(&mut envelope.is_sidechain, self.is_sidechain.as_ref());
        add(&mut envelope.agent_id, self.agent_id.as_ref());
        add(&mut envelope.cwd, self.cwd.as_ref());
        add(&mut envelope.git_branch, self.git_branch.as_ref());
        add(&mut envelope.version, self.version.as_ref());
        add(&mut envelope.user_type, self.user_type.as_ref());
    }
}

impl Default for RecorderOptions {
    fn default() -> Self {
        Self {
            session_id: Text::default(),
            cwd: None,
            version: None,
            git_branch: None,
            user_type: None,
            is_sidechain: None,
            agent_id: None,
            period_ms: Self::PERIOD_MS,
            waits: true,
        }
    }
}

fn add<T: Clone>(field: &mut Maybe<T>, value: Option<&T>) {
    if let (None, Some(value)) = (field.get(), value) {
        *field = Maybe::Is(value.clone());
    }
}
