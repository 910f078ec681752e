//! A *standing* is where the loop stood between two actions, as the engine says it.

/// What the loop waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// For somebody to type.
    Idle,
    /// For the model.
    Streaming,
    /// For tools.
    Tools,
    /// For a resume.
    Dead,
}

/// Where the loop stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What the loop waited for.
    pub stage: Stage,
    /// How many calls were open.
    pub calls: usize,
    /// How many calls of the reply that streams have a result.
    pub results: usize,
    /// How many blocks the reply had begun.
    pub blocks: u64,
    /// Whether the last of them had not ended.
    pub is_mid_block: bool,
    /// Whether an earlier try of the request began blocks, and this one none so far.
    pub is_withdrawn: bool,
    /// How often the request was sent again.
    pub retries: u64,
    /// How many prompts waited.
    pub prompts: usize,
    /// Whether the last line of a reply waited for the disk.
    pub is_reply_queued: bool,
    /// Whether media for the model alone came with the request.
    pub has_meta_media: bool,
}

/// An action that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Where the loop stood before.
    pub before: Standing,
    /// Where it stood then.
    pub after: Standing,
    /// Whether the engine took the action.
    pub happened: bool,
    /// Whether the transcript then ended in the middle of a line.
    pub is_torn: bool,
}
