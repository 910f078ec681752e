//! An *answer* is chosen for each request: a step of the script, a reply by the seed, or the usual one, and what
//! fails of it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::asked::Asked;
use crate::compose::of_step;
use crate::error::{ApiError, ErrorKind};
use crate::fault::Fault;
use crate::ids::Ids;
use crate::reply::Reply;
use crate::script::{ErrorPlan, Main, Script, Step, When};
use crate::seeded;
use crate::usual::{side, usual};

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) what: Result<Reply, ApiError>,
    pub(crate) faults: Vec<Fault>,
    pub(crate) delay: Duration,
    /// Where it is from, and what was left out of it.
    pub(crate) notes: Vec<String>,
}

/// Chooses answers.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    script: Script,
    seed: Option<u64>,
    faults: Vec<Vec<Fault>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Requests for messages.
    asked: u64,
    /// Of them, whole ones.
    whole: u64,
    /// How many steps in order were played.
    played: usize,
    /// How often each step was played.
    times: Vec<u64>,
    /// Whether a request has declared tools.
    had_tools: bool,
}

/// The place of a request among others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    is_side: bool,
    /// Which whole request it is, from 0.
    whole: u64,
    step: Option<usize>,
}

impl Answers {
    pub(crate) fn new(script: Script, seed: Option<u64>, faults: Vec<Vec<Fault>>) -> Self {
        let state = State { times: vec![0; script.steps.len()], ..State::default() };
        Self { script, seed, faults, state: Mutex::new(state) }
    }

    /// The number of the next request for a message, from 1.
    pub(crate) fn number(&self) -> u64 {
        let mut state = self.state();
        state.asked += 1;
        state.asked
    }

    /// The ids of the run.
    pub(crate) fn ids(&self) -> Ids {
        Ids { seed: self.seed.unwrap_or(0) }
    }

    /// The answer to a request.
    pub(crate) fn answer(&self, asked: &Asked<'_>) -> Answer {
        let place = self.take_place(asked);
        let faults = self.fault(place);
        if let Some(error) = faults.iter().find_map(Fault::error) {
            return Answer { what: Err(error), faults, delay: Duration::ZERO, notes: Vec::new() };
        }
        match place.step.and_then(|step| self.script.steps.get(step).map(|found| (step, found))) {
            Some((number, step)) => self.of_step(number, step, asked, faults),
            None => {
                let what = match (place.is_side, self.seed) {
                    (true, _) => side(asked, self.script.side.as_deref(), self.ids()),
                    (false, Some(seed)) if asked.forced().is_none() && asked.format().is_none() => {
                        seeded::reply(seed, asked, self.ids())
                    }
                    (false, _) => usual(asked, self.ids()),
                };
                let notes = if place.is_side { vec!["a side request".to_owned()] } else { Vec::new() };
                Answer { what: Ok(what), faults, delay: Duration::ZERO, notes }
            }
        }
    }

    fn of_step(&self, number: usize, step: &Step, asked: &Asked<'_>, mut faults: Vec<Fault>) -> Answer {
        let delay = Duration::from_millis(step.delay);
        let mut notes = vec![format!("step {}", number + 1)];
        faults.extend(step.faults.iter().cloned());
        let error = step.error.as_ref().map(planned).or_else(|| step.faults.iter().find_map(Fault::error));
        let what = match error {
            Some(error) => Err(error),
            None => {
                let composed = of_step(step, asked, self.ids());
                notes.extend(composed.left_out.iter().map(|what| format!("left out: {what}")));
                // What is left of nothing but what is left out is no reply.
                let is_nothing = composed.reply.blocks.is_empty() && !composed.left_out.is_empty();
                Ok(if is_nothing { usual(asked, self.ids()) } else { composed.reply })
            }
        };
        Answer { what, faults, delay, notes }
    }

    /// Gives a request its place among others, and the step that it takes.
    fn take_place(&self, asked: &Asked<'_>) -> Place {
        let mut state = self.state();
        let has_tools = !asked.tools().is_empty();
        let is_side = match self.script.main {
            Main::All => false,
            Main::Tools => !has_tools,
            Main::Auto => {
                let is_beside = state.had_tools && self.is_played(&state);
                !has_tools && (is_beside || is_about_a_conversation(asked))
            }
        };
        state.had_tools |= has_tools;
        let whole = state.whole;
        state.whole += u64::from(!is_side);
        let step = self.matching(asked, is_side, &state).or_else(|| self.next(is_side, &mut state));
        if let Some(times) = step.and_then(|step| state.times.get_mut(step)) {
            *times += 1;
        }
        Place { is_side, whole, step }
    }

    /// Whether steps in order are still to come.
    fn is_played(&self, state: &State) -> bool {
        let in_order = self.script.steps.iter().filter(|step| step.when.is_none()).count();
        in_order > 0 && (self.script.repeat || state.played < in_order)
    }

    /// The first step that matches a request and may be played once more.
    fn matching(&self, asked: &Asked<'_>, is_side: bool, state: &State) -> Option<usize> {
        let fits = |(index, step): &(usize, &Step)| {
            let is_left = step.times.is_none_or(|most| state.times[*index] < most);
            is_left && step.when.as_ref().is_some_and(|when| matches(when, asked, is_side))
        };
        self.script.steps.iter().enumerate().find(fits).map(|(index, _)| index)
    }

    /// The next step in order, for a whole request.
    fn next(&self, is_side: bool, state: &mut State) -> Option<usize> {
        let in_order: Vec<usize> =
            (0..self.script.steps.len()).filter(|index| self.script.steps[*index].when.is_none()).collect();
        if is_side || in_order.is_empty() {
            return None;
        }
        let at = if self.script.repeat { state.played % in_order.len() } else { state.played };
        let step = in_order.get(at).copied();
        let most = step.and_then(|step| self.script.steps[step].times).unwrap_or(1);
        let is_done = step.is_some_and(|step| (state.times[step] + 1).is_multiple_of(most.max(1)));
        state.played += usize::from(is_done);
        step
    }

    /// What fails with an answer. Each fault hits one whole request, and the next one is answered well.
    fn fault(&self, place: Place) -> Vec<Fault> {
        if place.is_side || place.whole % 2 == 1 {
            return Vec::new();
        }
        usize::try_from(place.whole / 2).ok().and_then(|at| self.faults.get(at)).cloned().unwrap_or_default()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // No panic leaves it half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Words by which clients ask about a conversation beside it.
const ABOUT: [&str; 5] = ["title", "topic", "summar", "file paths", "follow-up"];

/// Whether a request without tools asks for a title, a topic or a summary.
fn is_about_a_conversation(asked: &Asked<'_>) -> bool {
    let system = asked.system().to_lowercase();
    ABOUT.iter().any(|word| system.contains(word))
}

fn matches(when: &When, asked: &Asked<'_>, is_side: bool) -> bool {
    let When { prompt, system, model, tool, nth, side } = when;
    let has = |wanted: &Option<String>, text: &dyn Fn() -> String| {
        wanted.as_ref().is_none_or(|wanted| text().contains(wanted.as_str()))
    };
    nth.is_none_or(|nth| nth == asked.number)
        && side.is_none_or(|side| side == is_side)
        && has(model, &|| asked.model.to_owned())
        && has(prompt, &|| asked.prompt())
        && has(system, &|| asked.system())
        && tool.as_ref().is_none_or(|tool| asked.client_tools().any(|(name, _)| name == tool))
}

fn planned(plan: &ErrorPlan) -> ApiError {
    let kind = plan.kind.as_deref().and_then(ErrorKind::named).unwrap_or_else(|| ErrorKind::of_status(plan.status));
    let message = plan.message.clone().unwrap_or_else(|| kind.words().to_owned());
    ApiError { status: plan.status, retry_after: plan.retry_after, ..ApiError::new(kind, message) }
}
