//! The *order* in which things are yielded: what any reader has to see first.
//!
//! The model says in which order the inputs lead to things. Of this order only what a reader needs is asked.

use std::collections::HashMap;

use super::model::{Answer, Expected, Hook, ReplyLine, Says};
use super::reported::{UNKNOWN, named};
use crate::rules::value::kind;
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};

pub(super) fn yields_in_order(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    let pairs = &case.reported().pairs;
    let mut order = Order::default();
    pairs.iter().enumerate().for_each(|(at, (expected, _))| order.take(at, expected));
    for Before { earlier, later, why: (kind, why) } in &order.before {
        let (Some((first, Some(before))), Some((second, Some(after)))) = (pairs.get(*earlier), pairs.get(*later))
        else {
            continue;
        };
        if before > after {
            let found = sentence!("{second} is yielded before {first}", second = named(second), first = named(first));
            report.add(Place::message(*after), kind, found, *why);
        }
    }
    applies(!order.before.is_empty(), "nothing is yielded that has to follow something")
}

/// Two things that are expected, and why one comes first.
struct Before {
    earlier: usize,
    later: usize,
    why: Why,
}

/// The kind of a violation, and what is expected.
type Why = (&'static str, &'static str);

const IN_THE_STREAM: Why = ("stream", "the start of a request, and then the events of its stream in order");
const OF_ITS_BLOCK: Why = ("block", "a message of a block, when its events have come and before the next event");
const OF_ITS_CALL: Why = ("call", "the message with the call first");
const OF_A_TRY: Why = ("try", "the try that failed, then the notice of it, then the next try");
const OF_PROMPTS: Why = ("prompts", "prompts in the order in which they were typed");
const OF_META: Why = ("meta", "the prompt, and behind it what is for the model alone");
const OF_A_GUESS: Why = ("guess", "the guess, and then its answer");
const OF_A_TOMBSTONE: Why = ("tombstone", "a message, and then the tombstone that withdraws it");
const OF_TOMBSTONES: Why = ("tombstones", "tombstones in the order of their messages");
const OF_OPEN_CALLS: Why = ("open-calls", "the results of the open calls first");
const OF_AN_INTERRUPTION: Why = ("interruption", "what was interrupted, and then the notice");
const OF_A_SUMMARY: Why = ("summary", "the boundary, and then its summary");
const OF_A_START: Why = ("start", "a request starts when all that it says was yielded");
const OF_A_REPLY: Why = ("reply", "the messages of a reply in the order of its blocks");
const OF_THE_NEXT_TRY: Why = ("next-try", "tombstones before the next try");
const OF_A_TOOL: Why = ("tool", "what a tool shows while it runs, then its result");

/// What has come, as far as something else has to follow it.
#[derive(Default)]
struct Order<'a> {
    before: Vec<Before>,
    /// What comes before the next request starts.
    sent: Vec<usize>,
    /// What was given since the last prompt and is sent with the next one.
    given: Vec<usize>,
    prompt: Option<usize>,
    start: Option<usize>,
    /// The last event of the stream, and the one before.
    events: [Option<usize>; 2],
    /// Whether the last event ends the stream, and with it all blocks.
    is_over: bool,
    /// The messages of the last event.
    lines: Vec<usize>,
    last_line: Option<usize>,
    /// The tombstones since the last message of a reply.
    tombstones: Vec<usize>,
    /// Of each call its message, and what was shown while its tool ran.
    calls: HashMap<&'a str, (usize, Vec<usize>)>,
    /// The results that the loop made since the last message of a reply.
    made: Vec<usize>,
    boundary: Option<usize>,
    guess: Option<usize>,
}

impl<'a> Order<'a> {
    fn take(&mut self, at: usize, expected: &Expected<'a>) {
        match expected {
            Expected::Start => self.starts(at),
            Expected::Event(event) => {
                self.put(self.events[0].or(self.start), at, IN_THE_STREAM);
                self.put_all(|order| std::mem::take(&mut order.lines), at, OF_ITS_BLOCK);
                self.events = [Some(at), self.events[0]];
                self.is_over = kind(event) == "message_stop";
            }
            Expected::Line(line) => self.line(at, line),
            Expected::Prompt(_) => {
                let before = self.prompt.replace(at);
                self.put(before, at, OF_PROMPTS);
                self.sent.append(&mut self.given);
                self.sent.push(at);
            }
            Expected::Meta(given) => {
                self.put(given.and(self.prompt), at, OF_META);
                self.sent.push(at);
            }
            Expected::Attachment(_) | Expected::Command(_) => self.given.push(at),
            Expected::Virtual(_, "user") => self.guess = Some(at),
            Expected::Virtual(..) => self.put(self.guess, at, OF_A_GUESS),
            Expected::Tombstone(line) => {
                self.put(Some(*line), at, OF_A_TOMBSTONE);
                self.put(self.tombstones.last().copied(), at, OF_TOMBSTONES);
                self.tombstones.push(at);
            }
            Expected::Progress(call) => {
                if let Some((line, shown)) = self.calls.get_mut(call) {
                    let line = *line;
                    shown.push(at);
                    self.put(Some(line), at, OF_ITS_CALL);
                }
            }
            Expected::Hook(_, Hook { call, .. }) => {
                let line = call.and_then(|call| self.calls.get(call)).map(|(line, _)| *line);
                self.put(line, at, OF_ITS_CALL);
            }
            Expected::Result(answer) => self.result(at, answer),
            Expected::Interruption(_) => {
                self.put_all(|order| std::mem::take(&mut order.made), at, OF_OPEN_CALLS);
                self.put(self.last_line, at, OF_AN_INTERRUPTION);
                self.sent.push(at);
            }
            Expected::Retry(_) | Expected::Error => {
                self.put(self.events[0].or(self.start), at, OF_A_TRY);
                self.sent.push(at);
            }
            Expected::Boundary(_) => {
                self.boundary = Some(at);
                self.sent.push(at);
            }
            Expected::Summary => {
                self.put(self.boundary, at, OF_A_SUMMARY);
                self.sent.push(at);
            }
            Expected::Notice(..) => {}
        }
    }

    fn put(&mut self, earlier: Option<usize>, later: usize, why: Why) {
        self.before.extend(earlier.map(|earlier| Before { earlier, later, why }));
    }

    fn put_all(&mut self, earlier: impl FnOnce(&mut Self) -> Vec<usize>, later: usize, why: Why) {
        earlier(self).into_iter().for_each(|earlier| self.put(Some(earlier), later, why));
    }

    fn starts(&mut self, at: usize) {
        self.put_all(|order| std::mem::take(&mut order.sent), at, OF_A_START);
        self.start = Some(at);
        self.events = [None; 2];
        self.is_over = false;
        self.lines.clear();
        self.last_line = None;
        self.made.clear();
    }

    fn line(&mut self, at: usize, line: &ReplyLine<'a>) {
        // The event that ends the block may stand on either side.
        let event = self.events[1].filter(|_| !self.is_over);
        self.put(event.or(self.start), at, OF_ITS_BLOCK);
        let before = self.last_line.replace(at);
        self.put(before, at, OF_A_REPLY);
        self.put_all(|order| std::mem::take(&mut order.tombstones), at, OF_THE_NEXT_TRY);
        self.calls.extend(line.call.map(|(call, _)| (call, (at, Vec::new()))));
        self.lines.push(at);
        self.sent.push(at);
    }

    fn result(&mut self, at: usize, answer: &Answer<'a>) {
        self.put(answer.line, at, OF_ITS_CALL);
        let shown = |order: &mut Self| order.calls.get_mut(answer.call).map(|(_, shown)| std::mem::take(shown));
        self.put_all(|order| shown(order).unwrap_or_default(), at, OF_A_TOOL);
        if matches!(answer.says, Says::Words(_)) {
            self.made.push(at);
        }
        self.sent.push(at);
    }
}
