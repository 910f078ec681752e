//! What a fault does *wrong*: it changes what the reference is given, or what the reference gives.

use turnproof_rules::operation::{
    Conversation, FactoryCall, Host, MadeMessage, Moment, Parsed, Played, Refusal, RepairedFile, ResponseRefusal,
    StreamItem, StreamText, UsageRow, Value,
};
use turnproof_suite::scenario::Profile;
use turnproof_suite::subject::Outcome;

use super::Fault;
use super::loop_file::Slip as LoopSlip;
use super::output::StreamOutput;
use super::parse::ReadLine;
use super::part::Part;
use super::recorder::Slip;
use super::view::{Seen, View};

/// What a subject was asked with.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The messages, before anything was changed.
    pub messages: &'a [Value],
    /// The context of the request.
    pub context: Option<&'a str>,
}

/// How the reference makes a request of messages.
pub(super) type FromScratch<'a> = &'a dyn Fn(&[Value]) -> Vec<Value>;

/// Changes a list that the reference gives.
type Change = fn(&Asked<'_>, &mut Vec<Value>);

/// The one thing that is wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wrong {
    /// What was read of a file.
    Parsed(fn(&[u8], &mut Parsed)),
    /// Lines of a file that are rejected whole.
    Unread(fn(&ReadLine<'_>) -> bool),
    DerivedId(fn(&str, u64) -> Result<String, String>),
    ShortId(fn(&str) -> Result<String, String>),
    /// The messages that a request is made of.
    Messages(fn(&mut Vec<Value>)),
    /// Each of these messages of a kind.
    EachMessage(&'static str, fn(&mut Value)),
    /// What each attachment holds.
    EachAttachment(fn(&mut Value)),
    /// The list that comes out: the turns of a request, or the messages of a UI.
    List(Change),
    /// The list of blocks of each turn of a role.
    Blocks(&'static str, fn(&mut Vec<Value>)),
    /// Each block of a role's turns.
    EachBlock(&'static str, fn(&mut Value)),
    /// What is [hidden](super::hidden) from the reference and sent after all. So the fault passes over a stage.
    Hidden(fn(&mut Vec<Value>)),
    /// As [`Hidden`](Self::Hidden), for the blocks of a role's messages.
    HiddenBlocks(&'static str, fn(&mut Value)),
    /// As [`Hidden`](Self::Hidden), for all of the blocks for which this holds.
    HiddenWhere(&'static str, fn(&Value) -> bool),
    /// The messages of a request, and then its turns.
    MessagesAndTurns(fn(&mut Vec<Value>), Change),
    /// The JSON text of the turns, given that of the messages; or the request is refused.
    RequestText(fn(&str, String) -> Result<String, String>),
    /// The caller's own messages.
    MessagesAfter(Change),
    /// The turns of the last request, when one more message has come; given all messages so far.
    Incremental(fn(&mut Vec<Value>, &[Value], FromScratch<'_>)),
    /// Each message of a UI, given what it is a part of.
    UiPart(fn(&Part<'_>, &mut Value)),
    Record(Slip),
    /// The conversation that is found in a file.
    Resume(fn(&[u8]) -> Outcome<Option<Conversation>>),
    /// The records of a file, as a reader takes them.
    Records(fn(&mut View)),
    /// Each record of a file, as a reader takes it.
    EachRecord(fn(&mut Seen)),
    /// Some records of a file are not indexed.
    Unindexed(fn(&Seen) -> bool),
    Items(fn(Vec<StreamItem>) -> Vec<StreamItem>),
    /// What comes out of a stream, when its items were changed before.
    ItemsAndOutput(fn(Vec<StreamItem>) -> Vec<StreamItem>, fn(&mut StreamOutput)),
    EachEvent(fn(&mut Value)),
    EachPiece(fn(&mut Vec<u8>)),
    /// How the data lines of an event are joined.
    Data(fn(&[&str]) -> String),
    /// What comes out of a stream.
    Output(fn(&mut StreamOutput)),
    /// What comes out of a stream of these items.
    OutputOf(fn(&[StreamItem], &mut StreamOutput)),
    /// What comes out of a stream, as text.
    StreamText(fn(&mut StreamText)),
    /// The errors that a validator finds in these turns.
    Refusals(fn(&[Value], &mut Vec<Refusal>)),
    /// The errors that a validator finds in this reply.
    ResponseRefusals(fn(&str, &mut Vec<ResponseRefusal>)),
    /// The host that a validator checks for.
    Host(Host),
    /// How a factory is called.
    FactoryCall(fn(&mut FactoryCall)),
    /// Which calls of factories are refused.
    Refused(fn(&FactoryCall) -> bool),
    /// Each message that a factory makes.
    Made(fn(&FactoryCall, &mut Value)),
    /// All messages that a factory makes.
    AllMade(fn(&FactoryCall, &mut Vec<MadeMessage>)),
    /// What the predicate of this name says of a message.
    Predicate(&'static str, fn(&Value, bool) -> bool),
    /// What happens to the loop.
    Inputs(fn(&mut Vec<Value>)),
    /// All that a loop gives.
    Played(fn(&mut Played)),
    /// The log of the loop.
    Log(fn(&mut Vec<Moment>)),
    /// What the loop yields, and what its file holds.
    LoopSlip(LoopSlip),
    /// The messages and the turns of each request in the log.
    Requests(fn(&mut Vec<Value>, &mut Vec<Value>)),
    /// Each list in the log that a resume brings back.
    Resumed(fn(&mut Vec<Value>)),
    /// The sound lines of each file of which usage is counted.
    UsageLines(fn(&mut Vec<Value>)),
    /// The rows of usage.
    UsageRows(fn(&mut Vec<UsageRow>)),
    /// The file that a damaged one becomes.
    Repair(fn(&[u8]) -> Outcome<RepairedFile>),
    /// The file that the reference makes of a damaged one.
    Repaired(fn(&[u8], &mut RepairedFile)),
    /// The folded messages that are unfolded.
    ToUnfold(fn(&mut Vec<Value>)),
    /// The messages that are unfolded.
    Unfolded(fn(&mut Vec<Value>)),
    /// The messages that go over a bridge.
    ToBridge(fn(&mut Vec<Value>)),
    /// What a bridge carries.
    Bridged(Change),
    /// The records of each transcript in the log.
    Written(fn(&mut [Value])),
    /// Each record of each transcript in the log.
    WrittenEach(fn(&mut Value)),
}

/// Begins the entry of a fault with its id and the rule that must detect it; [`by`](Fault::by) ends it.
pub(super) const fn fault(id: &'static str, rule: &'static str) -> Fault {
    Fault { id, rule, title: "", source: None, profile: None, wrong: Wrong::EachBlock("", |_| {}) }
}

impl Fault {
    /// What it does wrong, one sentence without a full stop.
    pub(super) const fn that(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    pub(super) const fn seen_in(self, source: &'static str) -> Self {
        Self { source: Some(source), ..self }
    }

    /// It must be detected in cases of this profile, not in those of a usual run.
    pub(super) const fn in_profile(self, profile: Profile) -> Self {
        Self { profile: Some(profile), ..self }
    }

    pub(super) const fn by(self, wrong: Wrong) -> Self {
        Self { wrong, ..self }
    }
}
