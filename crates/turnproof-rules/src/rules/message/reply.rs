//! The lines of a *reply* name one request, and a request gives one reply.

use crate::rules::facts::{Facts, IdKey, ReplyFact};
use crate::rules::index::KeyIndex;
use crate::rules::{Place, Report};

pub(super) fn agrees(facts: &Facts, report: &mut Report<'_>) {
    let replies = &facts.replies;
    let by_reply = First::new(replies, ReplyFact::reply);
    let by_request = First::new(replies, ReplyFact::request);
    for (at, fact) in replies.iter().enumerate() {
        let line = |first: &ReplyFact| facts.line(first.node);
        let place = |member| -> Place { facts.place(fact.node as usize, member) };
        if let Some(first) = by_reply.before(at).filter(|first| first.request() != fact.request()) {
            let line = line(first);
            let found = sentence!("another requestId than on line {line}, which has the same message.id", line);
            report.add(place("requestId"), "other-request", found, "one requestId for all lines of a reply");
        } else if let Some(first) = by_request.before(at).filter(|first| first.reply() != fact.reply()) {
            let line = line(first);
            let found = sentence!("another message.id than on line {line}, which has the same requestId", line);
            report.add(place("message.id"), "other-reply", found, "one reply for each requestId");
        }
    }
}

/// The first fact of each key.
struct First<'a> {
    replies: &'a [ReplyFact],
    key: fn(&ReplyFact) -> IdKey,
    index: KeyIndex,
}

impl<'a> First<'a> {
    fn new(replies: &'a [ReplyFact], key: fn(&ReplyFact) -> IdKey) -> Self {
        Self { replies, key, index: KeyIndex::new(replies.len(), |at| Some(key(&replies[at]))) }
    }

    /// The first fact with the key of the one at this place, if it comes before.
    fn before(&self, at: usize) -> Option<&'a ReplyFact> {
        let first = self.index.get((self.key)(&self.replies[at]), |at| Some((self.key)(&self.replies[at])))?;
        (first < at).then(|| &self.replies[first])
    }
}
