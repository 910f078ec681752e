//! What was *sent*: the notes that a client leaves of its requests, and what the file holds of them. The facts come from
//! whoever rebuilt the requests.

use super::{Facts, Place, Report, RuleEntry};

pub(super) const RULES: &[RuleEntry] = &[
    rule!("sent/hash", Transcript(hash)),
    rule!("sent/base", Transcript(base)),
    rule!("sent/turn", Transcript(turn)),
    rule!("sent/complete", Transcript(complete)),
];

/// Something that is wrong with the notes of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentFact {
    /// The line, from 1.
    pub line: u64,
    /// The record's first byte.
    pub start: u64,
    /// What is wrong.
    pub flaw: SentFlaw,
}

/// What may be wrong with the notes of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentFlaw {
    /// The system prompt and tools have another hash.
    ChangedShape,
    /// A turn has another hash.
    ChangedTurn,
    /// The lines of the reply before have another hash than the turn that was sent.
    ChangedReply {
        /// The first line of the reply.
        line: u64,
    },
    /// The request whose turns are kept is not there.
    MissingBase {
        /// How many turns are kept.
        keep: u64,
    },
    /// The request whose turns are kept has fewer.
    ShortBase {
        /// How many turns are kept.
        keep: u64,
        /// How many it has.
        turns: u64,
    },
    /// System prompt and tools are not there.
    MissingShape,
    /// New turns are not there.
    MissingTurns {
        /// How many.
        count: u64,
        /// Of so many new ones.
        turns: u64,
    },
    /// A result that no request held.
    Unsent {
        /// The block, from 0.
        block: u32,
    },
}

fn place(fact: &SentFact, member: &'static str, block: Option<u32>) -> Place {
    Place::Record { line: fact.line, start: fact.start, member, block }
}

fn hash(facts: &Facts, report: &mut Report<'_>) {
    for fact in facts.sent() {
        match fact.flaw {
            SentFlaw::ChangedShape => {
                let found = "system prompt and tools have another hash: they were changed after they were written";
                report.add(place(fact, "shapeHash", None), "shape", found, "the hash of the shape in this record");
            }
            SentFlaw::ChangedTurn => {
                let found = "the turn has another hash: it was changed after it was written";
                report.add(place(fact, "hash", None), "turn", found, "the hash of the message in this record");
            }
            SentFlaw::ChangedReply { line } => {
                let found = sentence!("the reply on line {line} has another hash than the turn that was sent", line);
                report.add(place(fact, "tail", None), "reply", found, "the hash of that reply");
            }
            _ => {}
        }
    }
}

fn base(facts: &Facts, report: &mut Report<'_>) {
    for fact in facts.sent() {
        let (kind, found) = match fact.flaw {
            SentFlaw::MissingBase { keep } => (
                "no-base",
                sentence!("the request keeps {keep} turns of one that this file does not hold before", keep),
            ),
            SentFlaw::ShortBase { keep, turns } => {
                ("short-base", sentence!("the request keeps {keep} turns of one that has {turns}", keep, turns))
            }
            _ => continue,
        };
        report.add(place(fact, "base", None), kind, found, "the id of a request before, with so many turns");
    }
}

fn turn(facts: &Facts, report: &mut Report<'_>) {
    for fact in facts.sent() {
        match fact.flaw {
            SentFlaw::MissingTurns { count, turns } => {
                let found = sentence!("{count} of {turns} new turns are in no line of this file", count, turns);
                report.add(place(fact, "tail", None), "no-turn", found, "the hashes of turns that this file holds");
            }
            SentFlaw::MissingShape => {
                let found = "system prompt and tools of the request are in no line of this file";
                let expected = "the shapeHash of a record before";
                report.add(place(fact, "shapeHash", None), "no-shape", found, expected);
            }
            _ => {}
        }
    }
}

fn complete(facts: &Facts, report: &mut Report<'_>) {
    for fact in facts.sent() {
        let SentFlaw::Unsent { block } = fact.flaw else { continue };
        let found = "no request of this file holds the result, though some were sent after it";
        let expected = "a result that the model gets with the next request";
        report.add(place(fact, "message.content", Some(block)), "no-result", found, expected);
    }
}
