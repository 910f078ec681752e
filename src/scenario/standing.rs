//! A *standing* is where the loop stood when an action was taken.

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

/// Where the loop stood before an action, whether the action could happen, and how it left the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What the loop waited for.
    pub stage: Stage,
    /// How many calls were open.
    pub calls: u8,
    /// How many blocks the reply had begun.
    pub blocks: u8,
    /// Whether the engine took the action.
    pub happened: bool,
    /// Whether the transcript then ended in the middle of a line.
    pub is_torn: bool,
}
