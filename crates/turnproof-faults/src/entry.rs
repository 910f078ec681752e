//! An *entry* of the catalogue says of a fault which rule convicts it, what it does wrong, where that was
//! seen, and, last, how it goes wrong.

use serde_json::Value;
use turnproof::operation::{Moment, Parsed, StreamItem};

use super::Fault;
use super::log::{change_requests, change_resumed};
use super::part::Part;
use super::recorder::Slip;
use super::spoil::{Change, Right, Spoil};
use super::told::Told;
use super::view::{Reader, Seen, View};
use super::wire::Wire;

/// The one operation that is done wrong, and how.
#[derive(Clone, Copy)]
pub(super) enum Wrong {
    Parse(fn(&[u8], &mut Parsed)),
    DeriveUuid(fn(&str, u64) -> Result<String, String>),
    ShortId(fn(&str) -> Result<String, String>),
    /// Such a subject has no incremental way.
    Request(Spoil),
    /// Such a subject has no incremental way either.
    RequestText(fn(&str, String) -> Result<String, String>),
    MessagesAfter(Change),
    Incremental(fn(&[Value], Right<'_>) -> Vec<Vec<Value>>),
    Ui(Change),
    UiParts(fn(&Part<'_>, &mut Value)),
    Order(Change),
    Record(Slip),
    Resume(Reader),
    Stream(Wire),
    Told(fn(&mut Told)),
    Play(Log),
}

/// What of a loop's log is changed.
#[derive(Clone, Copy)]
pub(super) enum Log {
    All(fn(&mut Vec<Moment>)),
    Requests(fn(&mut Vec<Value>, &mut Vec<Value>)),
    Resumed(fn(&mut Vec<Value>)),
}

impl Log {
    pub(super) fn change(self, moments: &mut Vec<Moment>) {
        match self {
            Self::All(change) => change(moments),
            Self::Requests(change) => change_requests(moments, change),
            Self::Resumed(change) => change_resumed(moments, change),
        }
    }
}

/// A fault without what it does wrong.
pub(super) struct Entry {
    id: &'static str,
    rule: &'static str,
    title: &'static str,
    source: Option<&'static str>,
}

/// Begins the entry of a fault with its id and the rule that must convict it.
pub(super) const fn fault(id: &'static str, rule: &'static str) -> Entry {
    Entry { id, rule, title: "", source: None }
}

impl Entry {
    /// What the fault does wrong, one sentence without a full stop.
    pub(super) const fn that(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// The public report of the mistake.
    pub(super) const fn seen_in(self, source: &'static str) -> Self {
        Self { source: Some(source), ..self }
    }

    const fn wrong(self, wrong: Wrong) -> Fault {
        let Self { id, rule, title, source } = self;
        Fault { id, title, source, rule, wrong }
    }
}

/// Reading and ids.
impl Entry {
    /// Changes what was read of a file.
    pub(super) const fn in_parsed(self, change: fn(&[u8], &mut Parsed)) -> Fault {
        self.wrong(Wrong::Parse(change))
    }

    /// Derives ids in another way.
    pub(super) const fn in_derived(self, derive: fn(&str, u64) -> Result<String, String>) -> Fault {
        self.wrong(Wrong::DeriveUuid(derive))
    }

    /// Makes short ids in another way.
    pub(super) const fn in_short_id(self, shorten: fn(&str) -> Result<String, String>) -> Fault {
        self.wrong(Wrong::ShortId(shorten))
    }
}

/// Requests.
impl Entry {
    /// Makes the request of other messages.
    pub(super) const fn in_messages(self, change: fn(&mut Vec<Value>)) -> Fault {
        self.wrong(Wrong::Request(Spoil::Messages(change)))
    }

    /// Changes the turns.
    pub(super) const fn in_turns(self, change: Change) -> Fault {
        self.wrong(Wrong::Request(Spoil::Turns(change)))
    }

    /// Changes the list of blocks of each turn of a role.
    pub(super) const fn in_blocks(self, role: &'static str, change: fn(&mut Vec<Value>)) -> Fault {
        self.wrong(Wrong::Request(Spoil::Blocks(role, change)))
    }

    /// Changes each block of a role's turns.
    pub(super) const fn in_each_block(self, role: &'static str, change: fn(&mut Value)) -> Fault {
        self.wrong(Wrong::Request(Spoil::EachBlock(role, change)))
    }

    /// Sends what is [hidden](super::walk::hide) from the reference, which so passes over a stage.
    pub(super) const fn hiding(self, hide: fn(&mut Vec<Value>)) -> Fault {
        self.wrong(Wrong::Request(Spoil::Hidden(hide)))
    }

    /// As [`hiding`](Self::hiding), for the blocks of a role's messages.
    pub(super) const fn hiding_blocks(self, role: &'static str, hide: fn(&mut Value)) -> Fault {
        self.wrong(Wrong::Request(Spoil::HiddenBlocks(role, hide)))
    }

    /// Changes the messages, and the turns that are made of them.
    pub(super) const fn in_both(self, messages: fn(&mut Vec<Value>), turns: Change) -> Fault {
        self.wrong(Wrong::Request(Spoil::Both(messages, turns)))
    }

    /// Changes the JSON text of the turns, given that of the messages; or refuses.
    pub(super) const fn in_request_text(self, change: fn(&str, String) -> Result<String, String>) -> Fault {
        self.wrong(Wrong::RequestText(change))
    }

    /// Changes the caller's messages.
    pub(super) const fn in_messages_after(self, change: Change) -> Fault {
        self.wrong(Wrong::MessagesAfter(change))
    }

    /// Makes the request after each message in another way.
    pub(super) const fn in_states(self, states: fn(&[Value], Right<'_>) -> Vec<Vec<Value>>) -> Fault {
        self.wrong(Wrong::Incremental(states))
    }
}

/// A UI.
impl Entry {
    /// Changes the list of the UI's messages.
    pub(super) const fn in_ui(self, change: Change) -> Fault {
        self.wrong(Wrong::Ui(change))
    }

    /// Changes each of the UI's messages, given what it is a part of.
    pub(super) const fn in_parts(self, change: fn(&Part<'_>, &mut Value)) -> Fault {
        self.wrong(Wrong::UiParts(change))
    }

    /// Changes the order of messages.
    pub(super) const fn in_order(self, change: Change) -> Fault {
        self.wrong(Wrong::Order(change))
    }
}

/// Sessions.
impl Entry {
    /// Records with a slip.
    pub(super) const fn in_record(self, slip: Slip) -> Fault {
        self.wrong(Wrong::Record(slip))
    }

    /// Finds another conversation in a file.
    pub(super) const fn in_resume(self, resume: super::view::Resume) -> Fault {
        self.wrong(Wrong::Resume(Reader::File(resume)))
    }

    /// Takes the records of a file otherwise.
    pub(super) const fn seeing(self, change: fn(&mut View)) -> Fault {
        self.wrong(Wrong::Resume(Reader::View(change)))
    }

    /// Takes each record of a file otherwise.
    pub(super) const fn seeing_each(self, change: fn(&mut Seen)) -> Fault {
        self.wrong(Wrong::Resume(Reader::Each(change)))
    }

    /// Does not index some records.
    pub(super) const fn leaving_out(self, is_left_out: fn(&Seen) -> bool) -> Fault {
        self.wrong(Wrong::Resume(Reader::Without(is_left_out)))
    }

    /// Changes the log of the loop.
    pub(super) const fn in_log(self, change: fn(&mut Vec<Moment>)) -> Fault {
        self.wrong(Wrong::Play(Log::All(change)))
    }

    /// Changes the messages and the turns of each request in the log.
    pub(super) const fn in_requests(self, change: fn(&mut Vec<Value>, &mut Vec<Value>)) -> Fault {
        self.wrong(Wrong::Play(Log::Requests(change)))
    }

    /// Changes each list in the log that a resume brings back.
    pub(super) const fn in_resumed(self, change: fn(&mut Vec<Value>)) -> Fault {
        self.wrong(Wrong::Play(Log::Resumed(change)))
    }
}

/// Streams.
impl Entry {
    /// Takes the items of a stream otherwise.
    pub(super) const fn in_stream(self, change: fn(Vec<StreamItem>) -> Vec<StreamItem>) -> Fault {
        self.wrong(Wrong::Stream(Wire::Items(change)))
    }

    /// Takes each event otherwise.
    pub(super) const fn in_events(self, change: fn(&mut Value)) -> Fault {
        self.wrong(Wrong::Stream(Wire::Events(change)))
    }

    /// Takes each piece of bytes otherwise.
    pub(super) const fn in_pieces(self, change: fn(&mut Vec<u8>)) -> Fault {
        self.wrong(Wrong::Stream(Wire::Pieces(change)))
    }

    /// Joins the data lines of an event otherwise.
    pub(super) const fn joining_data(self, join: fn(&[String]) -> String) -> Fault {
        self.wrong(Wrong::Stream(Wire::Data(join)))
    }

    /// Changes what comes out of a stream.
    pub(super) const fn in_told(self, change: fn(&mut Told)) -> Fault {
        self.wrong(Wrong::Told(change))
    }
}
