//! The *envelope* holds the fields that every kind of message may carry.

use crate::json::{Raw, Text};

use super::Context;
use super::document::document;

document! {
    /// The fields that every kind may carry; all optional when read (SPEC.md section 2).
    pub part struct Envelope {
        /// The message's id, a UUID in files that clients write; any text is tolerated.
        uuid: Text = "uuid",
        /// The message before this one; null starts a segment.
        parent_uuid: Text = "parentUuid",
        /// Across a compact boundary: the message that came before it in the conversation.
        logical_parent_uuid: Text = "logicalParentUuid",
        /// When it was made: RFC 3339, milliseconds, `Z`.
        timestamp: Text = "timestamp",
        /// The older name of `timestamp`.
        created_at: Text = "createdAt",
        /// The session that wrote it.
        session_id: Text = "sessionId",
        /// Whether it belongs to a subagent's conversation.
        is_sidechain: bool = "isSidechain",
        /// The subagent.
        agent_id: Text = "agentId",
        /// The working directory.
        cwd: Text = "cwd",
        /// The git branch.
        git_branch: Text = "gitBranch",
        /// The client's version.
        version: Text = "version",
        /// Who uses the client: `external` outside its makers.
        user_type: Text = "userType",
        /// A readable name of the session.
        slug: Text = "slug",
        /// Whether it is for the model alone, not shown to people.
        is_meta: bool = "isMeta",
        /// Whether it exists in memory alone and is never written or sent.
        is_virtual: bool = "isVirtual",
        /// Whether it is shown in the transcript view alone.
        is_visible_in_transcript_only: bool = "isVisibleInTranscriptOnly",
        /// Whether it is the summary after a compact boundary.
        is_compact_summary: bool = "isCompactSummary",
        /// Where it came from, when not from the keyboard.
        origin: Raw = "origin",
    }
}

impl Envelope {
    /// The envelope of a new message: an id and the time now.
    pub fn fresh<C: Context + ?Sized>(context: &mut C) -> Self {
        let (uuid, timestamp) = (Text::from(context.uuid()), Text::from(context.now()));
        Self { uuid: uuid.into(), timestamp: timestamp.into(), ..Self::default() }
    }
}
