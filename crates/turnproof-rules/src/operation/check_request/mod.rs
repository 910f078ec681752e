//! The operation `check_request`: a request and a host to *legal*, or to what is wrong: what mock servers, proxies and
//! validators do.

mod asked;
mod shapes;

use std::cell::OnceCell;

use crate::json;
use crate::json::Value;
use serde::{Deserialize, Serialize};

pub use asked::requests;
pub use shapes::{ShapeRequest, shape_requests};

use super::request::{Host, Request};
use super::violations::violations;
use crate::rules::{
    Applies, CATALOGUE, Place, Report, Rule, RuleEntry, Severity, Violation, applies, name_of, refusal, rule, sentence,
};
use crate::subject::Subject;
use crate::trial::{Judge, JudgeRequest};
use crate::{Answers, Depth, Evidence, Material, Observation};

/// What a validator finds wrong in a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// The turn, from 0; `None` when it is about the request as a whole.
    pub turn: Option<u64>,
    /// The error, in the validator's own words; never judged.
    pub error: String,
}

/// What a subject said of a request: what is wrong with it, empty when it is legal; or why there is no answer.
pub type CheckAnswer = Result<Vec<Refusal>, String>;

/// A request, and what a subject said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// The request, as JSON text.
    pub request: String,
    /// The host that it is for.
    pub host: Host,
    /// The answer.
    pub answer: CheckAnswer,
    /// The same question again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<CheckAnswer>,
}

impl Observation for Checked {
    type WorkedOut<'a> = CheckWorkedOut;

    /// Asks about the messages of the case as they are, about the legal request that is left of them, about that
    /// request with the example of a structural rule behind it, which half of the time has more turns behind it, and
    /// about requests at the border of each sentence and of each shape. A sample has a few of them; otherwise it is all
    /// of them.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let raw = turns(material.messages());
        let legal = legal_part(raw.clone());
        let (raw, legal) = (Value::Array(raw).to_string(), Value::Array(legal).to_string());
        // Messages that are legal as they are make one question.
        let legal_again = (raw != legal).then(|| (Host::Portable, legal.clone()));
        let asked = [(Host::Portable, raw), (Host::Anthropic, legal.clone())];
        let ask = |host, request: String, is_of_case: bool| {
            let answer = subject.check_request(&request, host).into_answer()?;
            let asks_again = is_of_case && depth.asks_again(2);
            let again = asks_again.then(|| subject.check_request(&request, host).into_answer()).flatten();
            Some(Self { request, host, answer, again })
        };
        let of_case = asked.into_iter().chain(legal_again).chain(asked::behind(&legal, depth));
        let of_sentences = asked::lines(depth).chain(asked::shapes(depth));
        of_case
            .map(|(host, request)| ask(host, request, true))
            .chain(of_sentences.map(|(host, request)| ask(host, request, false)))
            .collect::<Option<Vec<_>>>()
            .map(Ok)
    }
}

/// The user and assistant messages of a list as turns, unchanged.
fn turns(messages: &[String]) -> Vec<Value> {
    let turn = |message: &String| {
        let message = json::value(message).ok()?;
        let role = message["type"].as_str().filter(|role| matches!(*role, "user" | "assistant"))?;
        Some(json!({"role": role, "content": message["message"]["content"]}))
    };
    messages.iter().filter_map(turn).collect()
}

/// What is left of turns when all that breaks a structural rule is taken out, rule by rule.
fn legal_part(turns: Vec<Value>) -> Vec<Value> {
    let mut request = Request { messages: turns, ..Request::default() };
    while let Some(mut places) = first_broken(&request) {
        places.sort_unstable();
        places.dedup();
        for (turn, block) in places.into_iter().rev() {
            let Some(value) = request.messages.get_mut(turn) else { continue };
            match (block, value["content"].as_array_mut()) {
                (Some(block), Some(blocks)) if block < blocks.len() && blocks.len() > 1 => {
                    blocks.remove(block);
                }
                _ => {
                    request.messages.remove(turn);
                }
            }
        }
    }
    request.messages
}

/// The turns, and blocks in them, that break the first broken structural rule; `None` when no rule is broken.
fn first_broken(request: &Request) -> Option<Vec<(usize, Option<usize>)>> {
    structural().find_map(|(_, judge)| {
        let mut places = Vec::new();
        judge(request, Host::Portable, &mut |violation| {
            places.push(match violation.place {
                Place::Message { index, block } => (index as usize, block.map(|block| block as usize)),
                _ => (0, None),
            });
        });
        (!places.is_empty() && !request.messages.is_empty()).then_some(places)
    })
}

/// The rules that look at a request's structure, each with its function.
fn structural() -> impl Iterator<Item = (&'static Rule, JudgeRequest)> {
    CATALOGUE.iter().filter_map(|rule| match rule.judge {
        Judge::Request { structural: true, judge } => Some((*rule, judge)),
        _ => None,
    })
}

/// What the rules work out of an answer.
#[derive(Debug, Default)]
pub struct CheckWorkedOut {
    broken: OnceCell<Option<Broken>>,
}

/// What is wrong with a request.
#[derive(Debug, Default)]
struct Broken {
    /// The structural rules that it breaks.
    rules: Vec<&'static str>,
    /// What the first of them found, in words.
    first: String,
    /// The turns that may be named: those that break a rule, and those that the errors of the API name. `None` means
    /// the whole request.
    turns: Vec<Option<u64>>,
    /// Whether it breaks another rule: a validator may refuse it or not.
    is_unsettled: bool,
}

impl Broken {
    fn place(&self) -> Place {
        place(self.turns.first().copied().flatten())
    }
}

impl Evidence<'_, Checked> {
    /// What is wrong with the request; `None` when it cannot be read.
    fn broken(&self) -> Option<&Broken> {
        let work_out = || {
            let mut broken = Broken::default();
            for (rule, violation) in violations(&self.request, self.host).ok()?.iter() {
                let is_structural = matches!(rule.judge, Judge::Request { structural: true, .. });
                if is_structural && rule.severity_of(violation) == Severity::Error {
                    if broken.rules.is_empty() {
                        broken.first = violation.found.to_string();
                    }
                    broken.rules.push(rule.id);
                    broken.turns.extend(named(violation));
                } else {
                    broken.is_unsettled = true;
                }
            }
            Some(broken)
        };
        self.worked_out.broken.get_or_init(work_out).as_ref()
    }
}

/// The turns that a violation is about.
fn named(violation: &Violation) -> impl Iterator<Item = Option<u64>> {
    let of_place = match violation.place {
        Place::Message { index, .. } => Some(u64::from(index)),
        _ => None,
    };
    let in_error = violation.error.as_deref().and_then(|error| error.split_once("messages."));
    let digits = in_error.map(|(_, rest)| rest.split(|character: char| !character.is_ascii_digit()).next());
    let of_error = digits.flatten().and_then(|digits| digits.parse().ok());
    [of_place].into_iter().chain(of_error.map(Some))
}

/// The rules of the operation, the family `check`.
pub(crate) const RULES: &[RuleEntry] = &[
    rule!("check/accepts-legal", CheckRequest(accepts_legal)),
    rule!("check/refuses-illegal", CheckRequest(refuses_illegal)),
    rule!("check/names-turn", CheckRequest(names_turn)),
    rule!("check/deterministic", CheckRequest(deterministic)),
];

fn accepts_legal(case: &Evidence<'_, Checked>, report: &mut Report<'_>) -> Applies {
    match (case.broken(), &case.answer) {
        (_, Err(why)) => report.whole("refused", refusal(why), "legal, or errors"),
        (Some(broken), Ok(refusals)) if broken.rules.is_empty() && !broken.is_unsettled => {
            for refusal in refusals {
                let found = sentence!("a legal request is refused: {error}", error = &refusal.error);
                report.add(place(refusal.turn), "legal-refused", found, "no error");
            }
        }
        _ => return Err("the request breaks a rule"),
    }
    Ok(())
}

fn refuses_illegal(case: &Evidence<'_, Checked>, report: &mut Report<'_>) -> Applies {
    let (broken, refusals) = illegal(case).ok_or("the request breaks no structural rule")?;
    if refusals.is_empty() {
        let found = sentence!("a request that breaks {rule} is called legal", rule = broken.rules[0]);
        let expected = sentence!("an error: {what}", what = &broken.first);
        report.add(broken.place(), name_of(broken.rules[0]), found, expected);
    }
    Ok(())
}

fn names_turn(case: &Evidence<'_, Checked>, report: &mut Report<'_>) -> Applies {
    let refused = illegal(case).filter(|(_, refusals)| !refusals.is_empty());
    let (broken, refusals) = refused.ok_or("the request is not refused for its structure")?;
    applies(!broken.is_unsettled, "it may be refused for something else")?;
    if !refusals.iter().any(|refusal| broken.turns.contains(&refusal.turn)) {
        let error = &refusals[0].error;
        let (kind, found) = match refusals[0].turn {
            Some(turn) => ("other-turn", sentence!("turn {turn} is named: {error}", turn, error)),
            None => ("no-turn", sentence!("no turn is named: {error}", error)),
        };
        report.add(broken.place(), kind, found, "the turn that is wrong");
    }
    Ok(())
}

fn deterministic(case: &Evidence<'_, Checked>, report: &mut Report<'_>) -> Applies {
    let again = case.again.as_ref().ok_or("it was asked once")?;
    if *again != case.answer {
        report.whole("not-deterministic", "another answer to the same request", "the same answer");
    }
    applies(case.answer.is_ok() || again.is_ok(), "there is no answer")
}

/// What is wrong with an illegal request, and what a subject says of it.
fn illegal<'a>(case: &'a Evidence<'_, Checked>) -> Option<(&'a Broken, &'a [Refusal])> {
    let broken = case.broken().filter(|broken| !broken.rules.is_empty())?;
    Some((broken, case.answer.as_deref().ok()?))
}

fn place(turn: Option<u64>) -> Place {
    match turn.and_then(|turn| u32::try_from(turn).ok()) {
        Some(index) => Place::Message { index, block: None },
        None => Place::Whole,
    }
}
