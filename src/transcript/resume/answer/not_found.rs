//! *Not found* is why a file gives no conversation, and what to do about it.

/// Why a file holds no conversation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    /// There is no record at all.
    #[error(
        "the file holds no record; look whether it is a transcript, and with `turnproof check` whether it is damaged"
    )]
    Empty,
    /// There are side records alone: titles, queue operations, snapshots.
    #[error(
        "the file holds {records} side record(s) (titles, queue operations, snapshots) and no message; \
         the session ended before its first prompt was written, so start a new one"
    )]
    SideRecordsOnly {
        /// How many.
        records: u64,
    },
    /// All messages belong to subagents or teams.
    #[error("all messages of the file belong to subagents or teams; {}", ask_for(.agents))]
    SidechainOnly {
        /// The first subagents that are named, in file order.
        agents: Vec<String>,
    },
    /// There are messages, but none of a user or an assistant.
    #[error(
        "the file holds {participants} message(s), but none of a user or an assistant; \
         there is nothing to go on with, so start a new session"
    )]
    NoSpeaker {
        /// How many messages there are.
        participants: u64,
    },
    /// No record belongs to the subagent that was asked for.
    #[error("no record of the file belongs to the subagent {wanted}; {}", ask_for(.agents))]
    NoSuchAgent {
        /// Who was asked for.
        wanted: String,
        /// The first subagents that are named, in file order.
        agents: Vec<String>,
    },
    /// Everything that a user or an assistant said was withdrawn.
    #[error(
        "all {speakers} user and assistant message(s) are withdrawn by later records; \
         the records are in the file, and their withdrawal is in `supersedesUuids` or `retractedMessageUuids`"
    )]
    AllWithdrawn {
        /// How many.
        speakers: u64,
    },
}

/// What to ask for, where subagents are named.
fn ask_for(agents: &[String]) -> String {
    match agents {
        [] => "it names no subagent that could be asked for".to_owned(),
        agents => format!("ask for one of the subagents that it names: {}", agents.join(", ")),
    }
}
