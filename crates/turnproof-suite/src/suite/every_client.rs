//! *Every client* of the Messages API must keep some of the rules on requests, whatever it is made for (SPEC 10.4.2).
//!
//! What is sent must be legal. How a broken history is repaired is a client's own affair: so rules that compare the
//! request with the history are asked of plain dialogues that are legal as they are.

use turnproof_rules::json;

use crate::operation::{ApiNormalized, Plain, Value};
use crate::rules::{Audience, CATALOGUE, History, NoSuchRule, Rule, Verdict, choose};
use crate::scenario::plain::{is_in_order, is_legal};
use crate::scenario::{Profile, Scenario, TurnPlan};

use super::Observed;

/// The name of the set on the command line.
pub const NAME: &str = "every-client";

/// The rules that every client must keep.
pub fn rules() -> Vec<&'static Rule> {
    CATALOGUE.iter().copied().filter(|rule| rule.audience == Some(Audience::EveryClient)).collect()
}

/// Which rules a run asks of a subject.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The rules.
    pub rules: Vec<&'static Rule>,
    /// Whether they are asked as of every client.
    pub every_client: bool,
}

/// Why rules cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// A glob matches no rule.
    #[error(transparent)]
    NoSuchRule(#[from] NoSuchRule),
    /// The set is named for other cases than plain ones.
    #[error("the rules `{NAME}` are for the profile `plain` alone")]
    NotPlain,
}

/// The rules that globs [choose] for cases of these profiles. For plain cases alone they are those
/// that every client must keep, unless others are named; [`NAME`] names them too.
///
/// # Errors
/// When a glob matches no rule, and when the set is named for other cases.
pub fn chosen<G: AsRef<str>>(globs: &[G], profiles: &[Profile]) -> Result<Choice, ChoiceError> {
    let globs = globs.iter().flat_map(|text| text.as_ref().split(',')).map(str::trim);
    let (named, globs): (Vec<&str>, Vec<&str>) = globs.partition(|glob| *glob == NAME);
    let (is_named, is_plain) = (!named.is_empty(), *profiles == [Profile::Plain]);
    if is_named && !is_plain {
        return Err(ChoiceError::NotPlain);
    }
    let chosen = choose(&globs)?;
    if !is_plain || !globs.iter().all(|glob| glob.starts_with('!')) {
        return Ok(Choice { rules: chosen, every_client: is_named });
    }
    let is_chosen = |rule: &&'static Rule| chosen.iter().any(|one| one.id == rule.id);
    Ok(Choice { rules: rules().into_iter().filter(is_chosen).collect(), every_client: true })
}

/// What a rule says of what a subject did, as asked of every client; `None` when the subject does not do the operation.
pub fn judge(rule: &Rule, scenario: &Scenario, observed: &Observed) -> Option<Verdict> {
    let is_legal = || scenario.profile() == Profile::Plain && is_legal(scenario.turns());
    let is_asked = match rule.history {
        History::Any => return super::judge(rule, observed),
        History::Legal => is_legal(),
        History::InOrder => is_legal() && is_in_order(scenario.turns()),
    };
    if !is_asked {
        return Some(Verdict::NotApplicable(
            "the history is not legal as it is, so a client may repair it as it likes",
        ));
    }
    super::judge(rule, &as_taken(observed))
}

/// What a subject made of the whole history, and that as hosts take it: with neighbours of one role joined. Beginnings
/// of a legal history need not be legal.
fn as_taken(observed: &Observed) -> Observed {
    let taken = |one: &ApiNormalized| ApiNormalized {
        request: one.request.clone().map(|request| joined(&request).into()),
        shorter: Vec::new(),
        renormalized: None,
        incremental: None,
        ..one.clone()
    };
    let of_all = |all: &Vec<ApiNormalized>| all.iter().map(taken).collect();
    let answers = observed.normalize_api.as_ref().map(|answers| answers.as_ref().map(of_all).map_err(Clone::clone));
    Observed { normalize_api: answers, ..Observed::default() }
}

/// Turns with neighbours of one role joined. What is no list of turns stays.
fn joined(request: &Plain) -> Value {
    let Some(turns) = request.value.as_array() else { return request.value.clone() };
    let mut joined: Vec<Value> = Vec::with_capacity(turns.len());
    for turn in turns {
        let blocks = turn.get("content").and_then(|content| match content.as_str() {
            Some(text) => Some(vec![json!({"type": "text", "text": text})]),
            None => content.as_array().cloned(),
        });
        let last = joined.last_mut().filter(|last| last.get("role") == turn.get("role"));
        let room = last.and_then(|last| last.get_mut("content")).and_then(Value::as_array_mut);
        match (room, blocks) {
            (Some(room), Some(blocks)) => room.extend(blocks),
            (_, Some(blocks)) => joined.push(json!({"role": turn.get("role").cloned(), "content": blocks})),
            (_, None) => joined.push(turn.clone()),
        }
    }
    Value::Array(joined)
}

/// Whether a smaller case may stand for a larger one: a legal history stays legal, and its results in their order.
pub fn may_stand_for(smaller: &Scenario, larger: &Scenario) -> bool {
    let keeps = |of: fn(&[TurnPlan]) -> bool| of(smaller.turns()) || !of(larger.turns());
    larger.profile() != Profile::Plain || keeps(is_legal) && keeps(is_in_order)
}
