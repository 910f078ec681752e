//! A *trace* says what each stage did to which message, and why.

use serde::Serialize;

use super::Stage;

/// What happened to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// It, or a block of it, is not sent.
    Dropped,
    /// It, or a block of it, is in another place.
    Moved,
    /// It says something else, or says it in another form.
    Changed,
    /// It became part of the turn that begins with the message at this place.
    Merged {
        /// The place in the input.
        into: u32,
    },
    /// Something was made up beside it.
    Made,
}

/// One thing that a stage did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageNote {
    /// The place in the input of the message; `None` when it comes from no message.
    pub message: Option<u32>,
    /// What happened.
    pub effect: Effect,
    /// What exactly and why, in a few words.
    pub why: String,
}

/// What one stage did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageTrace {
    /// The stage's name.
    pub stage: &'static str,
    /// How many messages or turns went in.
    pub before: usize,
    /// How many came out.
    pub after: usize,
    /// What happened, in the order of the list.
    pub notes: Vec<StageNote>,
}

/// What all stages did, in the order in which they ran.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// The stages.
    pub steps: Vec<StageTrace>,
}

/// The notes of a run, if a trace is wanted.
pub(super) struct Notes {
    trace: Option<Trace>,
    stage: Vec<StageNote>,
}

impl Notes {
    pub(super) fn new(are_wanted: bool) -> Self {
        Self { trace: are_wanted.then(Trace::default), stage: Vec::new() }
    }

    /// Notes what happened to the message at a place; `why` is only asked when a trace is wanted.
    pub(super) fn add<T: Into<String>>(
        &mut self,
        message: impl Into<Option<u32>>,
        effect: Effect,
        why: impl FnOnce() -> T,
    ) {
        if self.trace.is_some() {
            self.stage.push(StageNote { message: message.into(), effect, why: why().into() });
        }
    }

    pub(super) fn dropped<T: Into<String>>(&mut self, message: impl Into<Option<u32>>, why: impl FnOnce() -> T) {
        self.add(message, Effect::Dropped, why);
    }

    /// Notes a message that is dropped for a reason; gives whether it stays.
    pub(super) fn stays(&mut self, message: u32, reason: Option<&'static str>) -> bool {
        if let Some(reason) = reason {
            self.dropped(message, || reason);
        }
        reason.is_none()
    }

    pub(super) fn end_of_stage(&mut self, stage: &Stage, before: usize, after: usize) {
        if let Some(trace) = &mut self.trace {
            let notes = std::mem::take(&mut self.stage);
            trace.steps.push(StageTrace { stage: stage.name, before, after, notes });
        }
    }

    pub(super) fn into_trace(self) -> Trace {
        self.trace.unwrap_or_default()
    }
}
