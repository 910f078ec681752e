//! A *talk* is a conversation as a server saw it: each request, what was said to it, and how that ended.
//!
//! Rules on it (`talk/*`) look at a [`TalkMoment`]: a request beside all that was before it, or the end of the talk.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Deserialize;

use super::history::{Piece, pieces, said as hash_of};
use super::{Reply, Request};
use crate::json::Value;
use crate::rules::value::{kind, list, text};

/// How an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TalkEnd {
    /// It was said to its end.
    #[default]
    Whole,
    /// The connection broke.
    Cut,
    /// The stream ended in order, without its end.
    Closed,
    /// An event `error` was the last.
    Error,
    /// Nothing more came.
    Stalled,
    /// An error came instead of a reply.
    Refused,
    /// Nobody knows what was understood: events came twice.
    Unknown,
}

impl TalkEnd {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Cut => "cut",
            Self::Closed => "closed",
            Self::Error => "error",
            Self::Stalled => "stalled",
            Self::Refused => "refused",
            Self::Unknown => "unknown",
        }
    }
}

/// A request, and what was said to it.
#[derive(Clone, Debug)]
pub struct TalkExchange {
    /// The request.
    pub request: Request,
    /// The blocks that were said to their end.
    pub said: Vec<Value>,
    /// The block that was not.
    pub open: Option<Value>,
    /// Why the model stopped; empty where that was not said.
    pub stop: String,
    /// How it ended.
    pub end: TalkEnd,
    /// The status of the answer.
    pub status: u16,
    /// The seconds that the client was asked to wait.
    pub retry_after: Option<u64>,
    /// When it was answered, in milliseconds.
    pub at: u64,
    /// Whether something was in the stream that nobody knows.
    pub is_odd: bool,
    /// What the request is the same by: turns, tools and system prompt.
    pub(crate) key: u64,
    pub(crate) tools: u64,
    pub(crate) system: u64,
    pub(crate) opening: Option<u64>,
    pub(crate) count: usize,
    /// What its last block says.
    pub(crate) last: Option<u64>,
    /// The call that its last block answers.
    last_result: Option<String>,
}

/// What is known of an answer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct TalkAnswer {
    /// The reply as it was sent: a message, or the text of a stream as far as it came.
    #[serde(alias = "stream")]
    pub reply: String,
    /// How it ended.
    pub end: TalkEnd,
    /// The status.
    pub status: u16,
    /// The seconds to wait.
    pub retry_after: Option<u64>,
    /// When, in milliseconds.
    pub at: u64,
    /// Whether something was in it that nobody knows.
    pub odd: bool,
}

/// How a talk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct TalkOver {
    /// Whether the program failed.
    pub failed: bool,
    /// When, in milliseconds.
    pub at: u64,
}

impl TalkExchange {
    /// An exchange. Linear in its size.
    pub fn new(request: Request, answer: &TalkAnswer) -> Self {
        let assembled = Reply::read(answer.reply.as_bytes()).map(|reply| reply.assembled).unwrap_or_default();
        let stop = assembled.stop_reason().and_then(|(_, reason)| reason.as_str()).unwrap_or_default().to_owned();
        let end = match answer.end {
            TalkEnd::Cut | TalkEnd::Closed if assembled.is_finished => TalkEnd::Whole,
            end => end,
        };
        let (mut said, mut open) = (Vec::new(), None);
        for block in assembled.blocks {
            match block.is_stopped || end == TalkEnd::Whole {
                true => said.push(block.value),
                false => open = Some(block.value),
            }
        }
        let pieces = pieces(&request);
        let hash = |name: &str| request.body.get(name).map_or(0, hash_of);
        let (tools, system) = (hash("tools"), hash("system"));
        let mut key = DefaultHasher::new();
        (tools, system).hash(&mut key);
        pieces.iter().for_each(|piece| piece.said.hash(&mut key));
        let spoken = |piece: &&Piece<'_>| !piece.is_reminder();
        let last_piece = pieces.iter().rev().find(spoken);
        let last = last_piece.map(|piece| piece.said);
        let last_result = last_piece.and_then(answered_call).map(str::to_owned);
        let (opening, count) = (pieces.first().map(|piece| piece.said), pieces.len());
        let TalkAnswer { status, retry_after, at, odd, .. } = *answer;
        Self {
            request,
            said,
            open,
            stop,
            end,
            status,
            retry_after,
            at,
            is_odd: odd,
            key: key.finish(),
            tools,
            system,
            opening,
            count,
            last,
            last_result,
        }
    }

    /// Whether a whole reply was said.
    pub(crate) fn is_whole(&self) -> bool {
        self.end == TalkEnd::Whole && self.status < 400
    }

    /// Whether a reply broke off.
    pub(crate) fn is_broken_off(&self) -> bool {
        matches!(self.end, TalkEnd::Cut | TalkEnd::Closed | TalkEnd::Error | TalkEnd::Stalled)
    }

    /// The calls of the client's tools that were said.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Value> {
        self.said.iter().filter(|block| kind(block) == "tool_use")
    }

    /// Ids and signatures of all that was said.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.said.iter().chain(&self.open).filter_map(name_of)
    }
}

/// What a block is known by: its id or its signature.
pub(crate) fn name_of(block: &Value) -> Option<&str> {
    let name = match kind(block) {
        "thinking" => "signature",
        "redacted_thinking" => "data",
        _ => "id",
    };
    text(block, name).filter(|name| !name.is_empty())
}

/// A request beside all that was before it, or the end of a talk.
pub struct TalkMoment<'a> {
    /// What was before.
    pub before: &'a [&'a TalkExchange],
    /// The request; `None` at the end.
    pub now: Option<&'a TalkExchange>,
    /// How the talk ended.
    pub over: Option<TalkOver>,
    pub(crate) continued: Option<Answered<'a>>,
}

/// A request that continues an earlier one: what was said to that, and what comes back.
pub(crate) struct Answered<'a> {
    /// The tries of the request that is continued.
    pub(crate) tries: Vec<&'a TalkExchange>,
    /// The one whose whole reply was the last.
    pub(crate) whole: Option<&'a TalkExchange>,
    /// What the assistant says behind it.
    pub(crate) run: Vec<Piece<'a>>,
    /// What comes behind that.
    pub(crate) rest: Vec<Piece<'a>>,
}

impl<'a> TalkMoment<'a> {
    /// A request, which is not answered yet or is: only its turns are looked at.
    pub fn at(before: &'a [&'a TalkExchange], now: &'a TalkExchange) -> Self {
        let is_new = before.iter().all(|earlier| earlier.key != now.key);
        let continued = if is_new { Answered::of(before, now) } else { None };
        Self { before, now: Some(now), over: None, continued }
    }

    /// The end.
    pub fn end(before: &'a [&'a TalkExchange], over: TalkOver) -> Self {
        Self { before, now: None, over: Some(over), continued: None }
    }
}

impl<'a> Answered<'a> {
    /// Finds what is continued: the longest earlier request with the same tools and the same beginning, whose last words
    /// come again. A summary instead of these words continues nothing.
    fn of(before: &[&'a TalkExchange], now: &'a TalkExchange) -> Option<Self> {
        let all = pieces(&now.request);
        let begins_so = |earlier: &&&'a TalkExchange| {
            earlier.count < now.count && earlier.tools == now.tools && earlier.opening == now.opening
        };
        let names: HashSet<&str> = all.iter().filter_map(|piece| name_of(piece.value)).collect();
        let texts = squeezed(all.iter().filter(|piece| piece.is_assistant()).map(Piece::text));
        let comes_back = |earlier: &TalkExchange| {
            let said = squeezed(earlier.said.iter().filter_map(|block| text(block, "text")));
            earlier.names().any(|name| names.contains(name)) || !said.is_empty() && texts.contains(&said)
        };
        let candidates: Vec<(usize, &TalkExchange)> =
            before.iter().filter(begins_so).filter_map(|earlier| Some((anchor(earlier, &all)?, *earlier))).collect();
        let longest = candidates.iter().map(|(_, earlier)| earlier.count).max()?;
        // Only among the longest it matters what was said to them.
        let longest = candidates.into_iter().filter(|(_, earlier)| earlier.count == longest);
        let (at, base) = longest.max_by_key(|(_, earlier)| (comes_back(earlier), earlier.system == now.system))?;
        let tries: Vec<_> = before.iter().filter(|earlier| earlier.key == base.key).copied().collect();
        // What was understood of events that came twice is not known.
        if tries.iter().any(|one| one.end == TalkEnd::Unknown) {
            return None;
        }
        let whole = tries.iter().rev().find(|one| one.is_whole()).copied();
        let whole = if base.is_whole() { Some(base) } else { whole };
        let behind = all.get(at + 1..).unwrap_or_default();
        let behind: Vec<_> = behind.iter().skip_while(|piece| piece.is_reminder()).copied().collect();
        let end = behind.iter().position(|piece| !piece.is_assistant()).unwrap_or(behind.len());
        let (run, rest) = behind.split_at(end);
        Some(Self { tries, whole, run: run.to_vec(), rest: rest.to_vec() })
    }

    /// The texts of the run, without blanks.
    pub(crate) fn text(&self) -> String {
        squeezed(self.run.iter().filter(|piece| piece.kind == "text").map(Piece::text))
    }
}

/// Where the last words of an earlier request are in a later one: where they were, or in the one place that has them.
fn anchor(earlier: &TalkExchange, pieces: &[Piece<'_>]) -> Option<usize> {
    let last = earlier.last?;
    // A result may come back changed.
    let is_last = |piece: &Piece<'_>| {
        let of_call = answered_call(piece);
        piece.said == last || of_call.is_some() && of_call == earlier.last_result.as_deref()
    };
    let is_there = |at: &usize| pieces.get(*at).is_some_and(is_last);
    let usual = earlier.count.checked_sub(1).filter(is_there);
    let mut found = (0..pieces.len()).filter(is_there);
    usual.or_else(|| found.next().filter(|_| found.next().is_none()))
}

/// The call that a result is of.
fn answered_call<'a>(piece: &Piece<'a>) -> Option<&'a str> {
    text(piece.value, "tool_use_id").filter(|_| piece.kind == "tool_result")
}

/// Texts without blanks, joined: what clients trim and join is the same.
pub(crate) fn squeezed<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.flat_map(str::chars).filter(|one| !one.is_whitespace()).collect()
}

/// A line of a talk as JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Over {
        over: TalkOver,
    },
    Exchange {
        request: Value,
        #[serde(flatten)]
        answer: TalkAnswerLine,
    },
}

/// An answer as JSON: `said` is the content of a whole message.
#[derive(Deserialize)]
struct TalkAnswerLine {
    #[serde(default)]
    said: Option<Value>,
    /// The whole message, where none was streamed.
    #[serde(default)]
    response: Option<Value>,
    #[serde(flatten)]
    answer: TalkAnswer,
}

/// Reads a talk: JSON objects one behind the other, an exchange each, and how it was over. Fails at the first that is
/// neither.
pub fn read_talk(text: &str) -> serde_json::Result<(Vec<TalkExchange>, Option<TalkOver>)> {
    let (mut exchanges, mut over) = (Vec::new(), None);
    for line in serde_json::Deserializer::from_str(text).into_iter::<Line>() {
        match line? {
            Line::Over { over: end } => over = Some(end),
            Line::Exchange { request, answer: TalkAnswerLine { said, response, mut answer } } => {
                let request = Request::read(&request.to_string()).map_err(serde::de::Error::custom)?;
                if let Some(response) = response {
                    answer.reply = response.to_string();
                }
                if let Some(said) = said {
                    answer.reply = format!(r#"{{"type":"message","role":"assistant","content":{said}}}"#);
                }
                exchanges.push(TalkExchange::new(request, &answer));
            }
        }
    }
    Ok((exchanges, over))
}

/// The results of a request: turn, block, the id of the call, and the result.
pub(crate) fn results(request: &Request) -> impl Iterator<Item = (usize, usize, &str, &Value)> {
    let of_turn = |(turn, message)| {
        let results = list(message, "content").iter().enumerate().filter(|(_, value)| kind(value) == "tool_result");
        results.map(move |(block, value)| (turn, block, text(value, "tool_use_id").unwrap_or_default(), value))
    };
    request.messages.iter().enumerate().flat_map(of_turn)
}
