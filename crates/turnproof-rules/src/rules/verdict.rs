//! A *verdict* is what a rule says of one case; a *violation* names its kind, the place and what was expected.

use super::front::Severity;
use super::sentence::{Sentence, SentenceValue};
use crate::observed::NoAnswer;
use crate::subject::{Crash, CrashKind};

/// What a rule says of one case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The rule was tested and held.
    Holds,
    /// The rule is broken, in these places.
    Broken(Vec<Violation>),
    /// The case does not touch the rule, and why; counted apart, never as held.
    NotApplicable(&'static str),
}

impl Verdict {
    /// `Holds`, or `Broken` when there are violations.
    pub fn from_violations(violations: Vec<Violation>) -> Self {
        if violations.is_empty() { Self::Holds } else { Self::Broken(violations) }
    }

    /// Whether the rule is broken.
    pub fn is_broken(&self) -> bool {
        matches!(self, Self::Broken(_))
    }
}

/// What the function of a rule returns: `Err` with the reason when the case does not touch the rule.
pub(crate) type Applies = Result<(), &'static str>;

/// What is found when a subject refuses an input that it must take.
pub(crate) fn refusal(why: &str) -> Sentence {
    sentence!("it refuses what it must not: {why}", why)
}

/// The kind of a violation that is a broken rule in what was made: the rule's name, without its family.
pub(crate) fn name_of(rule: &'static str) -> &'static str {
    rule.split_once('/').map_or(rule, |(_, name)| name)
}

/// `Err` with the reason unless the case touches the rule.
pub(crate) fn applies(is_touched: bool, why_not: &'static str) -> Applies {
    if is_touched { Ok(()) } else { Err(why_not) }
}

/// A *report* takes what a rule finds wrong, and adds the id of the rule.
pub(crate) struct Report<'a> {
    pub(crate) rule: &'static str,
    sink: &'a mut dyn FnMut(Violation),
}

impl<'a> Report<'a> {
    pub(crate) fn new(rule: &'static str, sink: &'a mut dyn FnMut(Violation)) -> Self {
        Self { rule, sink }
    }

    /// The verdict of a rule's function: what it reports breaks the rule, whatever it returns.
    pub(crate) fn verdict(rule: &'static str, judge: impl FnOnce(&mut Report<'_>) -> Applies) -> Verdict {
        let mut violations = Vec::new();
        match judge(&mut Report::new(rule, &mut |violation| violations.push(violation))) {
            Err(why) if violations.is_empty() => Verdict::NotApplicable(why),
            _ => Verdict::from_violations(violations),
        }
    }

    /// Reports a violation of a kind.
    pub(crate) fn add(
        &mut self,
        place: Place,
        kind: &'static str,
        found: impl Into<Sentence>,
        expected: impl Into<Sentence>,
    ) {
        self.give(place, kind, (found.into(), expected.into()), None, None);
    }

    /// Reports a violation of the case as a whole.
    pub(crate) fn whole(&mut self, kind: &'static str, found: impl Into<Sentence>, expected: impl Into<Sentence>) {
        self.add(Place::Whole, kind, found, expected);
    }

    /// Reports a violation with the error that the API would give.
    pub(crate) fn predict(
        &mut self,
        place: Place,
        kind: &'static str,
        found: impl Into<Sentence>,
        expected: impl Into<Sentence>,
        error: impl Into<String>,
    ) {
        self.give(place, kind, (found.into(), expected.into()), Some(error.into()), None);
    }

    /// Reports a violation as [`predict`](Self::predict) does, where the host may take it all the same.
    pub(crate) fn warn(
        &mut self,
        place: Place,
        kind: &'static str,
        found: impl Into<Sentence>,
        expected: impl Into<Sentence>,
        error: impl Into<String>,
    ) {
        self.rate_predicted(place, kind, found, expected, error, Severity::Warning);
    }

    /// Reports a violation that is as bad as this, whatever the rule's page says.
    pub(crate) fn rate(
        &mut self,
        place: Place,
        kind: &'static str,
        found: impl Into<Sentence>,
        expected: impl Into<Sentence>,
        severity: Severity,
    ) {
        self.give(place, kind, (found.into(), expected.into()), None, Some(severity));
    }

    /// Reports what is worth knowing, and not wrong.
    pub(crate) fn note(
        &mut self,
        place: Place,
        kind: &'static str,
        found: impl Into<Sentence>,
        expected: impl Into<Sentence>,
    ) {
        self.rate(place, kind, found, expected, Severity::Info);
    }

    /// Reports a violation as [`rate`](Self::rate) does, with the error that the API would give.
    pub(crate) fn rate_predicted(
        &mut self,
        place: Place,
        kind: &'static str,
        found: impl Into<Sentence>,
        expected: impl Into<Sentence>,
        error: impl Into<String>,
        severity: Severity,
    ) {
        self.give(place, kind, (found.into(), expected.into()), Some(error.into()), Some(severity));
    }

    fn give(
        &mut self,
        place: Place,
        kind: &'static str,
        (found, expected): (Sentence, Sentence),
        error: Option<String>,
        severity: Option<Severity>,
    ) {
        (self.sink)(Violation { rule: self.rule, kind, place, found, expected, error, at: None, severity });
    }

    /// Reports that there is nothing to judge.
    pub(crate) fn no_answer(&mut self, why: &NoAnswer) {
        (self.sink)(Violation::of_no_answer(self.rule, why));
    }
}

/// One place in which a rule is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule's id.
    pub rule: &'static str,
    /// In which way the rule is broken: a short word of the rule, the same whatever the case (`missing`, `wrong-order`).
    pub kind: &'static str,
    /// Where.
    pub place: Place,
    /// What was found, one sentence without a full stop.
    pub found: Sentence,
    /// What was expected, one sentence without a full stop.
    pub expected: Sentence,
    /// The error that the API would give, word for word, its path in front.
    pub error: Option<String>,
    /// Of a panic or a crash: what distinguishes it from others of its kind, such as where it happened.
    pub at: Option<String>,
    /// How bad it is, where that is not what the rule's page says.
    pub severity: Option<Severity>,
}

impl Violation {
    /// The kind of a refusal of what must not be refused; the value `why` has the subject's reason.
    pub const REFUSED: &str = "refused";

    /// The kind of a panic.
    pub const PANICKED: &str = "panicked";

    /// That there is no answer for a rule to judge.
    pub(crate) fn of_no_answer(rule: &'static str, why: &NoAnswer) -> Self {
        let (kind, at) = (why.kind(), why.at().map(str::to_owned));
        let (found, expected) = (why.found(), "an answer".into());
        Self { rule, kind, place: Place::Whole, found, expected, error: None, at, severity: None }
    }

    /// That the subject crashed. The rule is one on the operation: a crash breaks none.
    pub fn of_crash(rule: &'static str, crash: &Crash) -> Self {
        Self::of_no_answer(rule, &NoAnswer::Crashed(crash.clone()))
    }

    /// Whether the subject refuses what it must not.
    pub fn is_refusal(&self) -> bool {
        self.kind == Self::REFUSED
    }

    /// Whether it says that the subject crashed.
    pub fn is_crash(&self) -> bool {
        CrashKind::is_name(self.kind)
    }

    /// Whether it says that there is no answer: the subject crashed or panicked.
    pub fn has_no_answer(&self) -> bool {
        self.is_crash() || self.kind == Self::PANICKED
    }

    /// The mistake that it shows: those of one rule and mistake count as one.
    pub fn mistake(&self) -> Mistake {
        Mistake { kind: self.kind, at: self.at.clone() }
    }

    /// A value of its sentences.
    pub fn value(&self, name: &str) -> Option<&SentenceValue> {
        self.values().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The values of which its sentences are made, by name: those of what was found first.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &SentenceValue)> {
        self.found.values().iter().chain(self.expected.values()).map(|(name, value)| (*name, value))
    }
}

/// A way to break a rule: a kind, and of a panic or a crash what distinguishes it from others of the kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mistake {
    /// The kind.
    pub kind: &'static str,
    /// Where a panic happened, or how a process ended.
    pub at: Option<String>,
}

/// Where a rule is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// These bytes of the file, from `start` to before `end`.
    Bytes {
        /// The first byte.
        start: u64,
        /// The byte after the last one.
        end: u64,
    },
    /// A member of a record: the record's line (from 1), its first byte, and the member's path in it
    /// (`message.content[2].id`; empty for the record itself). The path's array indexes may be left out when the member
    /// is to be found by its `id`.
    Record {
        /// The line, from 1.
        line: u64,
        /// The record's first byte.
        start: u64,
        /// The member.
        member: &'static str,
        /// For a member inside content: which block, from 0.
        block: Option<u32>,
    },
    /// A turn of a request or a message of a list, and a block in it.
    Message {
        /// Which one, from 0.
        index: u32,
        /// Which block of its content, from 0.
        block: Option<u32>,
    },
    /// A message of what was made of a stream.
    Streamed {
        /// What is counted.
        list: StreamList,
        /// Which one, from 0; as many as there are where one is missing.
        index: u32,
    },
    /// An event of a reply that is a stream.
    Event {
        /// Which one, from 1.
        number: u32,
        /// The line on which it begins, from 1.
        line: u32,
    },
    /// A reply that is no stream: a block, a member of it or of the message, or the whole.
    Reply {
        /// Which block of its content, from 0.
        block: Option<u32>,
        /// The member; empty for the block or the message itself.
        member: &'static str,
    },
    /// The case as a whole.
    Whole,
}

/// The list of messages in which a place of a stream is counted. Messages that stand for an error of the API do not
/// count in what was yielded, nor in [`Places`](Self::Places).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamList {
    /// The model's messages that were yielded.
    Lines,
    /// The users' messages that were yielded.
    Users,
    /// The messages of both that were yielded.
    Messages,
    /// The model's messages and the tombstones that were yielded.
    LinesAndTombstones,
    /// All messages and tombstones that were yielded.
    Yielded,
    /// All that remains.
    Live,
    /// All that remains, with the places of what was withdrawn.
    Slots,
    /// The messages and tombstones among the slots.
    Places,
    /// The whole messages of the replies.
    Wholes,
}

impl StreamList {
    /// The list's name in reports for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Users => "users",
            Self::Messages => "messages",
            Self::LinesAndTombstones => "lines-and-tombstones",
            Self::Yielded => "yielded",
            Self::Live => "live",
            Self::Slots => "slots",
            Self::Places => "places",
            Self::Wholes => "wholes",
        }
    }
}

impl Place {
    /// A message of a list, a turn of a request, or a moment of a log.
    pub(crate) fn message(index: usize) -> Self {
        Self::block(index, None)
    }

    /// A block of a message or turn; `None` means the message itself.
    pub(crate) fn block(message: usize, block: Option<usize>) -> Self {
        Self::Message { index: narrow(message), block: block.map(narrow) }
    }

    pub(crate) fn streamed(list: StreamList, index: usize) -> Self {
        Self::Streamed { list, index: narrow(index) }
    }

    /// A member of what is there, in a reply that is no stream; of a stream, the event tells enough.
    pub(crate) fn member(self, member: &'static str) -> Self {
        match self {
            Self::Reply { block, .. } => Self::Reply { block, member },
            place => place,
        }
    }

    pub(crate) fn bytes(start: usize, end: usize) -> Self {
        Self::Bytes { start: start as u64, end: end as u64 }
    }
}

fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl std::fmt::Display for Place {
    /// Writes the place as the API does: `messages.3.content.0`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bytes { start, end } => write!(f, "bytes {start}..{end}"),
            Self::Record { line, member: "", .. } => write!(f, "line {line}"),
            Self::Record { line, member, .. } => write!(f, "line {line}, {member}"),
            Self::Message { index, block: None } | Self::Streamed { index, .. } => {
                write!(f, "messages.{index}")
            }
            Self::Message { index, block: Some(block) } => write!(f, "messages.{index}.content.{block}"),
            Self::Event { number, line } => write!(f, "event {number} (line {line})"),
            Self::Reply { block: None, member: "" } => f.write_str("message"),
            Self::Reply { block: None, member } => f.write_str(member),
            Self::Reply { block: Some(block), member: "" } => write!(f, "content.{block}"),
            Self::Reply { block: Some(block), member } => write!(f, "content.{block}.{member}"),
            Self::Whole => f.write_str("messages"),
        }
    }
}
