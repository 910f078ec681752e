//! A request is *due* when a prompt has joined, or when the last call of a reply is answered. Then one is sent. None is
//! sent when the turn is over.

use std::collections::HashSet;

use crate::json::Value;

use super::super::live::{answered, calls};
use super::super::reported::is_notice_of_interruption;
use super::applies_to_whole;
use crate::operation::Moment;
use crate::rules::value::{is_true, kind, text};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};
use crate::vocabulary::SYNTHETIC_MODEL;

/// The state of a loop.
#[derive(Default)]
struct Turn<'a> {
    due: Option<Due>,
    over: Option<Over>,
    reply: Reply<'a>,
    /// What was typed and has not joined: the input, and whether it had to wait.
    typed: Vec<(u64, bool)>,
}

/// Why a request is due.
#[derive(Clone, Copy)]
enum Due {
    /// This input has joined.
    Joined(u64),
    /// All calls of the reply are answered.
    Answered,
}

impl Due {
    fn in_words(self) -> Sentence {
        match self {
            Self::Joined(input) => sentence!("input {input} has joined", input),
            Self::Answered => "all calls of the reply are answered".into(),
        }
    }
}

/// Why a turn is over.
#[derive(Clone, Copy)]
enum Over {
    Error,
    Interruption,
    Reply,
}

/// The reply to the last request.
#[derive(Default)]
struct Reply<'a> {
    calls: HashSet<&'a str>,
    answered: HashSet<&'a str>,
    stop_reason: Option<&'a str>,
    has_ended: bool,
}

pub(in crate::rules::engine) fn request_when_due(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies_to_whole(case)?;
    let mut turn = Turn::default();
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let mut add = |(kind, found, expected): Wrong| report.add(Place::message(index), kind, found, expected);
        match moment {
            Moment::Typed { input, queued, .. } => {
                if !queued {
                    turn.rest(case.whole).into_iter().for_each(&mut add);
                }
                turn.typed.push((*input, *queued));
            }
            Moment::Joined { input, .. } => {
                turn.typed.retain(|(typed, _)| typed != input);
                turn.due = Some(Due::Joined(*input));
            }
            Moment::Requested { .. } => {
                judged += 1;
                turn.requested().into_iter().for_each(add);
            }
            Moment::Yielded(event) => turn.yielded(&event.value, case.whole).into_iter().for_each(add),
            Moment::Crashed { .. } => turn = Turn::default(),
            Moment::Resumed(_) | Moment::Forked(_) => {
                turn.rest(case.whole).into_iter().for_each(add);
                turn = Turn::default();
            }
            _ => {}
        }
    }
    let last = case.moments.len().saturating_sub(1);
    let rest = turn.rest(case.whole);
    judged += rest.len();
    rest.into_iter().for_each(|(kind, found, expected)| report.add(Place::message(last), kind, found, expected));
    applies(judged > 0, "no request is sent, and none is due")
}

/// The kind, what was found, and what was expected.
type Wrong = (&'static str, Sentence, &'static str);

impl<'a> Turn<'a> {
    /// A request is sent.
    fn requested(&mut self) -> Option<Wrong> {
        let over = self.over.take().filter(|_| self.due.is_none());
        self.due = None;
        self.reply = Reply::default();
        over.map(|over| {
            let (kind, why) = match over {
                Over::Error => ("after-error", "an error of the API"),
                Over::Interruption => ("after-interruption", "an interruption"),
                Over::Reply => ("after-reply", "a reply without calls"),
            };
            (kind, sentence!("a request is sent after {why}, and nothing was typed since", why), "no request")
        })
    }

    /// What is wrong when nothing more is done until somebody types.
    fn rest(&self, whole: bool) -> Vec<Wrong> {
        let late = self.due.filter(|_| whole).map(|due| {
            let kind = if let Due::Joined(_) = due { "prompt-not-sent" } else { "results-not-sent" };
            (kind, sentence!("no request is sent although {why}", why = due.in_words()), "a request")
        });
        let is_idle = self.over.is_some() && late.is_none();
        let left = self.typed.iter().find(|(_, queued)| is_idle || !queued);
        let left = left.map(|(input, queued)| {
            let (kind, found) = match queued {
                true => {
                    ("queued-input", sentence!("the turn is over, and input {input} does not join", input = *input))
                }
                false => ("input", sentence!("nothing runs, and input {input} does not join", input = *input)),
            };
            (kind, found, "a message of what was typed, and a request")
        });
        late.into_iter().chain(left).collect()
    }

    fn yielded(&mut self, event: &'a Value, whole: bool) -> Option<Wrong> {
        match kind(event) {
            // What is tried in memory alone is no part of the turn.
            _ if is_true(event, "isVirtual") => {}
            "stream_event" => return self.streamed(event.get("event").unwrap_or(&Value::Null), whole),
            "assistant" if is_true(event, "isApiErrorMessage") => self.ends(Over::Error),
            "assistant" if !is_synthetic(event) => self.reply.calls.extend(calls(event)),
            "tombstone" => {
                let gone = event.get("message").map(calls);
                gone.into_iter().flatten().for_each(|call| _ = self.reply.calls.remove(call));
            }
            "user" if is_interruption(event) => self.ends(Over::Interruption),
            "user" => {
                let mut results = answered(event).peekable();
                let has_results = results.peek().is_some();
                self.reply.answered.extend(results);
                if has_results {
                    self.answered();
                }
            }
            _ => {}
        }
        None
    }

    /// An event of the model's stream.
    fn streamed(&mut self, event: &'a Value, whole: bool) -> Option<Wrong> {
        match kind(event) {
            "message_start" => {
                let due = self.due.take().filter(|_| whole)?;
                let kind = if let Due::Joined(_) = due { "reply-to-unsent-prompt" } else { "reply-to-unsent-results" };
                let why = due.in_words();
                let found = sentence!("a reply streams, and no request was sent although {why}", why);
                return Some((kind, found, "a request first"));
            }
            "message_delta" => {
                self.reply.stop_reason = event.get("delta").and_then(|delta| text(delta, "stop_reason"));
            }
            "message_stop" => {
                self.reply.has_ended = true;
                match (self.reply.calls.is_empty(), self.reply.stop_reason) {
                    // What becomes of a reply that was cut, or that paused, is the subject's.
                    (true, Some("max_tokens" | "pause_turn")) => {}
                    (true, _) => self.ends(Over::Reply),
                    (false, _) => self.answered(),
                }
            }
            _ => {}
        }
        None
    }

    fn ends(&mut self, why: Over) {
        self.over = Some(why);
        self.due = None;
    }

    /// A request is due when the reply has ended and each of its calls is answered.
    fn answered(&mut self) {
        let Reply { calls, answered, has_ended, .. } = &self.reply;
        if *has_ended && !calls.is_empty() && calls.is_subset(answered) && self.over.is_none() {
            self.due = Some(Due::Answered);
        }
    }
}

fn is_synthetic(message: &Value) -> bool {
    message.get("message").and_then(|body| text(body, "model")) == Some(SYNTHETIC_MODEL)
}

/// Whether a message is the loop's notice that the user interrupted. What somebody typed joins after it was yielded.
fn is_interruption(message: &Value) -> bool {
    !is_true(message, "isMeta") && is_notice_of_interruption(message)
}
