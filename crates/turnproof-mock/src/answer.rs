//! An *answer* is chosen for each request: a step of the script, a reply by bytes or by the seed, or the usual one, and
//! what fails of it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use turnproof_suite::scenario::Seeded;

use crate::asked::Asked;
use crate::change::Change;
use crate::compose::of_step;
use crate::drawn::Drawn;
use crate::error::{ApiError, ErrorKind};
use crate::fault::Fault;
use crate::ids::Ids;
use crate::replay::{Played, Recording, Replay};
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
    /// How many blocks of its step the request does not allow.
    pub(crate) left_out: usize,
    /// It as it was recorded, where it was.
    pub(crate) recorded: Option<Arc<Recording>>,
}

/// Chooses answers.
#[derive(Debug, Default)]
pub(crate) struct Answers(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    script: Arc<Script>,
    seed: Option<u64>,
    drawn: Option<Drawn>,
    replay: Option<Replay>,
    faults: Vec<Vec<Fault>>,
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
    step: Option<usize>,
}

impl Answer {
    /// One that comes at once.
    fn of(what: Result<Reply, ApiError>, faults: Vec<Fault>, notes: Vec<String>) -> Self {
        Self { what, faults, delay: Duration::ZERO, notes, left_out: 0, recorded: None }
    }
}

impl Answers {
    pub(crate) fn new(script: Script, seed: Option<u64>, faults: Vec<Vec<Fault>>, replay: Vec<Recording>) -> Self {
        let times = vec![0; script.steps.len()];
        let replay = (!replay.is_empty()).then(|| Replay::new(replay));
        Self(Mutex::new(State { script: Arc::new(script), seed, faults, times, replay, ..State::default() }))
    }

    /// Plays something else from the next request on.
    pub(crate) fn change(&self, change: Change) {
        let Change { begin, script, seed, replies, faults } = change;
        let mut state = self.state();
        if begin {
            *state = State::default();
        }
        if let Some(script) = script {
            state.times = vec![0; script.steps.len()];
            state.played = 0;
            state.script = Arc::new(script);
        }
        state.seed = seed.or(state.seed);
        state.drawn = replies.map(Drawn::new).or_else(|| state.drawn.take());
        if let Some(faults) = faults {
            state.whole = 0;
            state.faults = faults;
        }
    }

    /// The number of the next request for a message, from 1.
    pub(crate) fn number(&self) -> u64 {
        let mut state = self.state();
        state.asked += 1;
        state.asked
    }

    /// The faults of the run and the steps of the script that no request has got.
    pub(crate) fn never_played(&self) -> Vec<String> {
        let state = self.state();
        let hit = usize::try_from(state.whole.div_ceil(2)).unwrap_or(usize::MAX);
        let faults = state.faults.iter().skip(hit).map(|faults| {
            let names: Vec<String> = faults.iter().map(Fault::to_string).collect();
            format!("fault {}", names.join("+"))
        });
        let steps = state.times.iter().enumerate().filter(|(_, times)| **times == 0);
        faults.chain(steps.map(|(index, _)| format!("step {}", index + 1))).collect()
    }

    /// The ids of the run.
    pub(crate) fn ids(&self) -> Ids {
        Ids { seed: self.state().seed.unwrap_or(0) }
    }

    /// The answer to a request.
    pub(crate) fn answer(&self, asked: &Asked<'_>) -> Answer {
        let mut state = self.state();
        let (place, faults) = state.take_place(asked);
        if let Some(error) = faults.iter().find_map(Fault::error) {
            return Answer::of(Err(error), faults, Vec::new());
        }
        let script = Arc::clone(&state.script);
        match place.step.and_then(|step| script.steps.get(step).map(|found| (step, found))) {
            Some((number, step)) => state.of_step(number, step, asked, faults),
            None => state.of_no_step(place.is_side, asked, faults),
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // No panic leaves it half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn ids(&self) -> Ids {
        Ids { seed: self.seed.unwrap_or(0) }
    }

    /// What is said where no step says it: by bytes while there are some, else by the seed, else the usual answer.
    fn made(&mut self, asked: &Asked<'_>) -> Reply {
        let ids = self.ids();
        if asked.forced().is_some() || asked.format().is_some() {
            return usual(asked, ids);
        }
        match (&mut self.drawn, self.seed) {
            (Some(drawn), _) => drawn.reply(asked, ids).unwrap_or_else(|| usual(asked, ids)),
            (None, Some(seed)) => seeded::reply(&mut Seeded::new(seed, asked.number), asked, ids),
            (None, None) => usual(asked, ids),
        }
    }

    /// What was recorded, or what is made where nothing is left of it.
    fn of_no_step(&mut self, is_side: bool, asked: &Asked<'_>, faults: Vec<Fault>) -> Answer {
        let mut notes = if is_side { vec!["a side request".to_owned()] } else { Vec::new() };
        if let Some(replay) = &mut self.replay {
            let is_lost = faults.iter().any(Fault::is_a_loss);
            match replay.take(asked, is_side, is_lost) {
                Some(Played { recording, is_same }) => {
                    let other = if is_same { "" } else { ", which answered another request" };
                    notes.push(format!("recorded in {}{other}", recording.name));
                    let answer = Answer::of(recording.what(asked, self.ids()), faults, notes);
                    return Answer { recorded: Some(recording), ..answer };
                }
                None if is_side => {}
                None => notes.push("no recorded answer is left".to_owned()),
            }
        }
        let said = if is_side { side(asked, self.script.side.as_deref(), self.ids()) } else { self.made(asked) };
        Answer::of(Ok(said), faults, notes)
    }

    fn of_step(&self, number: usize, step: &Step, asked: &Asked<'_>, mut faults: Vec<Fault>) -> Answer {
        let delay = Duration::from_millis(step.delay);
        let mut notes = vec![format!("step {}", number + 1)];
        let mut left_out = 0;
        faults.extend(step.faults.iter().cloned());
        let error = step.error.as_ref().map(planned).or_else(|| step.faults.iter().find_map(Fault::error));
        let what = match error {
            Some(error) => Err(error),
            None => {
                let composed = of_step(step, asked, self.ids());
                left_out = composed.left_out.len();
                notes.extend(composed.left_out.iter().map(|what| format!("left out: {what}")));
                // What is left of nothing but what is left out is no reply.
                let is_nothing = composed.reply.blocks.is_empty() && !composed.left_out.is_empty();
                Ok(if is_nothing { usual(asked, self.ids()) } else { composed.reply })
            }
        };
        Answer { delay, left_out, ..Answer::of(what, faults, notes) }
    }

    /// Gives a request its place among others, the step that it takes, and what fails. Where the answer does not arrive
    /// whole, the step is played again: whoever asks again gets it.
    fn take_place(&mut self, asked: &Asked<'_>) -> (Place, Vec<Fault>) {
        let has_tools = !asked.tools().is_empty();
        let is_side = match self.script.main {
            Main::All => false,
            Main::Tools => !has_tools,
            Main::Auto => {
                let is_beside = self.had_tools && self.is_played();
                !has_tools && (is_beside || is_about_a_conversation(asked))
            }
        };
        self.had_tools |= has_tools;
        let whole = self.whole;
        self.whole += u64::from(!is_side);
        let faults = self.fault(is_side, whole);
        let played = self.played;
        let step = self.matching(asked, is_side).or_else(|| self.next(is_side));
        if faults.iter().any(Fault::is_a_loss) {
            self.played = played;
        } else if let Some(times) = step.and_then(|step| self.times.get_mut(step)) {
            *times += 1;
        }
        (Place { is_side, step }, faults)
    }

    /// Whether steps in order are still to come.
    fn is_played(&self) -> bool {
        let in_order = self.script.steps.iter().filter(|step| step.when.is_none()).count();
        in_order > 0 && (self.script.repeat || self.played < in_order)
    }

    /// The first step that matches a request and may be played once more.
    fn matching(&self, asked: &Asked<'_>, is_side: bool) -> Option<usize> {
        let fits = |(index, step): &(usize, &Step)| {
            let is_left = step.times.is_none_or(|most| self.times[*index] < most);
            is_left && step.when.as_ref().is_some_and(|when| matches(when, asked, is_side))
        };
        self.script.steps.iter().enumerate().find(fits).map(|(index, _)| index)
    }

    /// The next step in order, for a whole request.
    fn next(&mut self, is_side: bool) -> Option<usize> {
        let in_order: Vec<usize> =
            (0..self.script.steps.len()).filter(|index| self.script.steps[*index].when.is_none()).collect();
        if is_side || in_order.is_empty() {
            return None;
        }
        let at = if self.script.repeat { self.played % in_order.len() } else { self.played };
        let step = in_order.get(at).copied();
        let most = step.and_then(|step| self.script.steps[step].times).unwrap_or(1);
        let is_done = step.is_some_and(|step| (self.times[step] + 1).is_multiple_of(most.max(1)));
        self.played += usize::from(is_done);
        step
    }

    /// What fails with an answer. Each fault hits one whole request, and the next one is answered well.
    fn fault(&self, is_side: bool, whole: u64) -> Vec<Fault> {
        if is_side || whole % 2 == 1 {
            return Vec::new();
        }
        usize::try_from(whole / 2).ok().and_then(|at| self.faults.get(at)).cloned().unwrap_or_default()
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
