//! What is *expected*: each thing that the model says must be yielded.

use crate::json::Value;

/// What must be yielded once.
#[derive(Clone, Debug)]
pub(in crate::rules::engine) enum Expected<'a> {
    /// What somebody typed, as content.
    Prompt(&'a Value),
    /// What the client says for the model alone; without content, the loop chooses the words.
    Meta(Option<&'a Value>),
    /// What lives in memory only, as text, and who says it.
    Virtual(&'a str, &'static str),
    /// An attachment.
    Attachment(&'a Value),
    /// The output of a command.
    Command(&'a str),
    /// A notice of this subtype, with this text.
    Notice(&'a str, &'a str),
    /// An event of the stream.
    Event(&'a Value),
    /// A request starts.
    Start,
    /// A line of a reply.
    Line(ReplyLine<'a>),
    /// The line at this place among what is expected is withdrawn.
    Tombstone(usize),
    /// A tool or a hook shows output, for this call.
    Progress(&'a str),
    /// A hook has run; a message of this kind reports it.
    Hook(&'static str, Hook<'a>),
    /// The result of a call.
    Result(Answer<'a>),
    /// The user interrupted: the text of the notice.
    Interruption(&'static str),
    /// The request is sent again after an error, for the how manieth time.
    Retry(u64),
    /// An error of the API ends the turn.
    Error,
    /// A compaction; whether the client began it.
    Boundary(bool),
    /// Its summary.
    Summary,
}

/// A hook that has run: when, and for which call.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules::engine) struct Hook<'a> {
    pub(in crate::rules::engine) event: &'a str,
    pub(in crate::rules::engine) call: Option<&'a str>,
}

/// A line of a reply.
#[derive(Clone, Debug, Default)]
pub(in crate::rules::engine) struct ReplyLine<'a> {
    pub(in crate::rules::engine) reply: &'a str,
    /// The type of its block.
    pub(in crate::rules::engine) block: &'a str,
    /// The call that it holds, and its tool.
    pub(in crate::rules::engine) call: Option<(&'a str, &'a str)>,
    pub(in crate::rules::engine) late: Option<Late<'a>>,
}

/// What comes late to the last line of a reply.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::rules::engine) struct Late<'a> {
    pub(in crate::rules::engine) stop_reason: Option<&'a str>,
    pub(in crate::rules::engine) output_tokens: Option<&'a Value>,
    /// Whether the line cannot be on disk by then.
    pub(in crate::rules::engine) is_in_time: bool,
}

/// The result of a call.
#[derive(Clone, Debug)]
pub(in crate::rules::engine) struct Answer<'a> {
    pub(in crate::rules::engine) call: &'a str,
    /// The line of the call, among what is expected; unknown after a resume.
    pub(in crate::rules::engine) line: Option<usize>,
    pub(in crate::rules::engine) says: Says<'a>,
}

/// What a result says.
#[derive(Clone, Debug)]
pub(in crate::rules::engine) enum Says<'a> {
    /// What the tool gave: the members of the input.
    Tool(&'a Value),
    /// Who denied the use of the tool of this name.
    Denial(&'a Value, &'a str),
    /// This text.
    Words(&'static str),
    /// That something failed, in the loop's own words.
    Failure,
}
