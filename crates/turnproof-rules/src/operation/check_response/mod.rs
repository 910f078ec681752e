//! The operation `check_response`: a reply to *legal*, or to what is wrong: what mock servers, gateways and validators
//! do with what a host sends back.

mod damage;
mod replies;

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::reply::{Reply, ReplyEvent, ReplyForm};
use super::violations::reply_violations;
use crate::rules::{
    Applies, Place, Report, Rule, RuleEntry, Sentence, Severity, Violation, applies, name_of, refusal, rule, sentence,
};
use crate::subject::Subject;
use crate::{Answers, Depth, Evidence, Material, Observation};

pub use damage::{Damage, damaged_reply, damages};
pub use replies::{known_replies, legal_blocks, legal_reply, replies};

use replies::whole_message;

/// What a validator finds wrong in a reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResponseRefusal {
    /// The event of the stream, from 0; `None` when it is about the reply as a whole.
    pub event: Option<u64>,
    /// The error, in the validator's own words; never judged.
    pub error: String,
}

/// What a subject said of a reply: what is wrong with it, empty when it is legal; or why there is no answer.
pub type CheckResponseAnswer = Result<Vec<ResponseRefusal>, String>;

/// A reply, and what a subject said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedResponse {
    /// The reply as it was sent: a stream of events, or JSON.
    pub response: String,
    /// The answer.
    pub answer: CheckResponseAnswer,
    /// The same question again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<CheckResponseAnswer>,
}

impl Observation for CheckedResponse {
    type WorkedOut<'a> = ResponseWorkedOut;

    /// Asks about the replies in the streams of the case as they are. Of the longest one a legal reply is made. It is
    /// asked about as a stream, as a message, and with one damage each. Known replies are asked about, too. A sample
    /// has a few of each; otherwise it is all of them.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let raw = replies(material.streams());
        let blocks = raw.iter().max_by_key(|reply| reply.len()).map(|reply| legal_blocks(reply)).unwrap_or_default();
        let legal = legal_reply(&blocks);
        let as_message = whole_message(&legal);
        let damaged = depth.asked(2 * damages().count(), SAMPLED).map(|number| damaged_reply(&blocks, number));
        let known = known_replies();
        let of_known = depth.asked(known.len(), SAMPLED).map(|number| known[number].1.clone());
        let as_they_are = depth.asked(raw.len(), SAMPLED).map(|number| raw[number].clone());
        let asked = as_they_are.chain([legal, as_message]).chain(damaged).chain(of_known);
        asked.map(|response| Self::ask(subject, response, depth)).collect::<Option<Vec<_>>>().map(Ok)
    }
}

/// How many replies of each sort are asked about in a sample.
const SAMPLED: usize = 2;

impl CheckedResponse {
    /// Asks about one reply; `None` when the subject does not do the operation.
    pub fn ask(subject: &dyn Subject, response: String, depth: Depth) -> Option<Self> {
        let ask = || subject.check_response(&response).into_answer();
        let answer = ask()?;
        let again = depth.asks_again(2).then(ask).flatten();
        Some(Self { response, answer, again })
    }
}

/// What the rules work out of an answer.
#[derive(Debug, Default)]
pub struct ResponseWorkedOut {
    broken: OnceCell<Broken>,
}

/// What is wrong with a reply.
#[derive(Debug, Default)]
struct Broken {
    /// Whether it breaks a rule that is an error.
    is_illegal: bool,
    /// Whether it breaks another rule, or is no text of a response: a validator may refuse it or not.
    is_unsettled: bool,
    /// The events that may be named; `None` where what is wrong is in no single event.
    events: Option<Vec<u64>>,
}

impl Evidence<'_, CheckedResponse> {
    fn broken(&self) -> &Broken {
        self.worked_out.broken.get_or_init(|| Broken::of(&self.response))
    }
}

impl Broken {
    fn of(response: &str) -> Self {
        let (Ok(violations), Ok(reply)) = (reply_violations(response), Reply::read(response.as_bytes())) else {
            return Self { is_illegal: true, ..Self::default() };
        };
        let is_error = |rule: &Rule, violation: &Violation| rule.severity_of(violation) == Severity::Error;
        let errors: Vec<&Violation> =
            violations.iter().filter(|(rule, violation)| is_error(rule, violation)).map(|(_, one)| one).collect();
        let named: Option<Vec<Vec<u64>>> = errors.iter().map(|violation| named(violation, &reply.events)).collect();
        Self {
            is_illegal: !errors.is_empty(),
            is_unsettled: violations.len() > errors.len() || reply.form == ReplyForm::Events,
            events: named.map(|named| named.concat()).filter(|events| !events.is_empty()),
        }
    }
}

/// The events that may be named for a violation: the one that the rule objects to, and those of its block. `None` where
/// what is wrong is between several events, or in none.
fn named(violation: &Violation, events: &[ReplyEvent]) -> Option<Vec<u64>> {
    let is_in_one = match violation.rule {
        "reply/order" | "reply/ids" | "reply/stop-reason" => false,
        "reply/framing" => !matches!(violation.kind, "no-event-lines" | "no-field" | "no-empty-line"),
        _ => true,
    };
    let Place::Event { number, .. } = violation.place else { return None };
    let event = events.get(number.checked_sub(1)? as usize).filter(|_| is_in_one)?;
    let of_block = |other: &&ReplyEvent| event.index().is_some() && other.index() == event.index();
    let others = events.iter().filter(of_block).map(|other| u64::from(other.number) - 1);
    Some(others.chain([u64::from(number) - 1]).collect())
}

/// The rules of the operation, the family `response`.
pub(crate) const RULES: &[RuleEntry] = &[
    rule!("response/accepts-legal", CheckResponse(accepts_legal)),
    rule!("response/refuses-illegal", CheckResponse(refuses_illegal)),
    rule!("response/names-event", CheckResponse(names_event)),
    rule!("response/deterministic", CheckResponse(deterministic)),
];

fn accepts_legal(case: &Evidence<'_, CheckedResponse>, report: &mut Report<'_>) -> Applies {
    let broken = case.broken();
    match &case.answer {
        Err(why) => report.whole("refused", refusal(why), "legal, or errors"),
        Ok(refusals) if !broken.is_illegal && !broken.is_unsettled => {
            for ResponseRefusal { error, .. } in refusals {
                let found = sentence!("a legal reply is refused: {error}", error);
                report.whole("legal-refused", found, "no error");
            }
        }
        Ok(_) => return Err("the reply is not legal, or not certainly so"),
    }
    Ok(())
}

fn refuses_illegal(case: &Evidence<'_, CheckedResponse>, report: &mut Report<'_>) -> Applies {
    let refusals = illegal(case).ok_or("the reply breaks no rule")?;
    if refusals.is_empty() {
        let violations = reply_violations(&case.response).unwrap_or_default();
        let first = violations.iter().find(|(rule, one)| rule.severity_of(one) == Severity::Error);
        let (kind, expected) = match first {
            Some((rule, violation)) => (name_of(rule.id), error_of(violation)),
            None => ("no-reply", "an error: this is no reply".into()),
        };
        report.whole(kind, "it is called legal", expected);
    }
    Ok(())
}

/// The error that is expected. A reply is drawn as text, so the place is said in words.
fn error_of(violation: &Violation) -> Sentence {
    let what = violation.found.to_string();
    match violation.place {
        place @ Place::Event { .. } => sentence!("an error at {place}: {what}", place = place.to_string(), what),
        _ => sentence!("an error: {what}", what),
    }
}

fn names_event(case: &Evidence<'_, CheckedResponse>, report: &mut Report<'_>) -> Applies {
    let refusals = illegal(case).filter(|refusals| !refusals.is_empty()).ok_or("the reply is not refused")?;
    let events = case.broken().events.as_deref().ok_or("what is wrong is in no single event")?;
    let is_named = |refusal: &ResponseRefusal| refusal.event.is_some_and(|event| events.contains(&event));
    if !refusals.iter().any(is_named) {
        let ResponseRefusal { event, error } = &refusals[0];
        let (kind, found) = match event {
            Some(event) => ("other-event", sentence!("event {event} is named: {error}", event, error)),
            None => ("no-event", sentence!("no event is named: {error}", error)),
        };
        let events: Vec<String> = events.iter().map(u64::to_string).collect();
        report.whole(kind, found, sentence!("one of the events {events}, from 0", events = events.join(", ")));
    }
    Ok(())
}

fn deterministic(case: &Evidence<'_, CheckedResponse>, report: &mut Report<'_>) -> Applies {
    let again = case.again.as_ref().ok_or("it was asked once")?;
    if *again != case.answer {
        report.whole("not-deterministic", "another answer to the same reply", "the same answer");
    }
    applies(case.answer.is_ok() || again.is_ok(), "there is no answer")
}

/// What a subject says of an illegal reply.
fn illegal<'a>(case: &'a Evidence<'_, CheckedResponse>) -> Option<&'a [ResponseRefusal]> {
    case.broken().is_illegal.then_some(())?;
    case.answer.as_deref().ok()
}
