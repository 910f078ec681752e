//! The requests that a session *proves*: each is rebuilt, judged for the Messages API, and held against the one that it
//! continues.

use std::collections::HashMap;
use std::io;

use turnproof_reference::sent::{Body, Keep, Refused, Sent, SentRequest};
use turnproof_rules::operation::{Host, Request, RequestPair};
use turnproof_rules::rules::Rule;

use super::input::TranscriptFile;
use super::request::{RequestTally, judge_request};

/// A request of a session, judged.
#[derive(Clone, Debug)]
pub struct SentVerdict {
    /// Its number, from 1.
    pub number: u32,
    /// Its note in the file.
    pub note: SentRequest,
    /// Its body, and what the rules on requests say of it; or why it cannot be rebuilt.
    pub judged: Result<SentBody, String>,
}

/// The body of a request, judged.
#[derive(Clone, Debug)]
pub struct SentBody {
    /// The body; its text is empty where only the page is asked for.
    pub body: Body,
    /// How many bytes it has.
    pub bytes: u64,
    /// What the Messages API would say of it.
    pub tally: RequestTally,
    /// The request that it continues; `None` for the first one.
    pub before: Option<SharedPrefix>,
}

/// How a request begins as the one that it continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPrefix {
    /// The number of that request, from 1.
    pub number: u32,
    /// How many bytes of tools, system prompt and messages are the same.
    pub same: u64,
    /// How many the earlier request has.
    pub of: u64,
    /// The path of what first differs.
    pub differs_at: Option<String>,
}

impl SentVerdict {
    /// Whether it could be rebuilt, and the API takes it.
    pub fn is_legal(&self) -> bool {
        self.judged.as_ref().is_ok_and(|judged| judged.tally.errors() == 0)
    }

    /// What the API answered instead of a reply.
    pub fn refused(&self) -> Option<&Refused> {
        self.note.refused.as_ref()
    }
}

/// Reads the requests that a session proves. Fails when the file cannot be read.
pub fn read_sent(input: &TranscriptFile) -> io::Result<Sent> {
    Sent::read(input.open()?, Keep::Bodies)
}

/// Judges each request by those of `rules` that judge requests, and gives it to `sink`, in the order of the file.
/// At most three bodies are in memory at once for each agent. Fails when the sink does.
pub fn judge_sent<E>(
    sent: &Sent,
    rules: &[&'static Rule],
    sink: &mut dyn FnMut(SentVerdict) -> Result<(), E>,
) -> Result<(), E> {
    let mut newest: HashMap<Option<String>, (usize, Request)> = HashMap::new();
    for (index, note) in sent.requests().iter().enumerate() {
        let judged = sent.body(index).map_err(|error| error.to_string());
        let judged = judged.and_then(|body| {
            let request = Request::read(&body.json).map_err(|error| error.to_string())?;
            Ok((body, request))
        });
        let judged = judged.map(|(body, request)| {
            let last = newest.get(&note.agent);
            let before = prefix(sent, note, last, &request);
            let tally = judge_request(&request, Host::Anthropic, rules, &mut |_| {});
            newest.insert(note.agent.clone(), (index, request));
            SentBody { bytes: body.json.len() as u64, body, tally, before }
        });
        sink(SentVerdict { number: index as u32 + 1, note: note.clone(), judged })?;
    }
    Ok(())
}

/// How a request begins as the one that it names, or else as the newest of the same agent.
fn prefix(sent: &Sent, note: &SentRequest, last: Option<&(usize, Request)>, request: &Request) -> Option<SharedPrefix> {
    let named = note.base_index().filter(|named| last.is_none_or(|(index, _)| index != named));
    let rebuilt = named.and_then(|named| Some((named, Request::read(&sent.body(named).ok()?.json).ok()?)));
    let (index, before) = rebuilt.as_ref().or(last)?;
    let pair = RequestPair::new(before, request);
    let (same, of) = pair.same_bytes();
    let differs_at = pair.differs_at().map(str::to_owned);
    Some(SharedPrefix { number: *index as u32 + 1, same: same as u64, of: of as u64, differs_at })
}
