//! A *scenario* is a plan of a conversation or of a transcript (SPEC 9.1). The same plan always gives the same bytes.
//!
//! A plan comes from a seed, from fuzz bytes (through [`arbitrary`]), from a [proptest strategy](strategy) or from
//! JSON. One generator, [`Scenario::generate`], asks a [`Source`] for small choices. Plans are shrunk ([`simpler`]),
//! not bytes.
//!
//! Ids and texts come from small [pools](pool), so that a shrunk plan is easy to read.

mod action;
mod case;
mod causal;
mod choice;
mod cost;
mod damage;
mod extra_stream;
mod generate;
mod group;
mod large;
mod line;
mod linked;
mod make;
mod pattern;
pub mod plain;
mod plan_builder;
mod play;
pub mod pool;
mod rare;
mod record;
mod session_damage;
mod shrink;
mod source;
mod strategy;
mod stream_damage;
mod streamed;

pub use action::{Action, Denied, Gives, HookTime, Meta, Misfit, Stop, Written};
pub use case::Case;
pub use choice::Choice;
use choice::{Form, choices, forms};
pub use cost::UsageForm;
pub use damage::{Damage, Sort};
pub use extra_stream::{
    ExtraStreamBlock, ExtraStreamEnd, ExtraStreamFate, ExtraStreamPlan, ExtraStreamStart, ExtraStreamWire,
};
pub use group::GroupForm;
pub use large::Large;
pub use line::{BlockPlan, LineKind, LinePlan, Link};
pub use make::{FactoryName, MakeArguments, MakeContent, MakeIdentity, MakePlan};
pub use plain::TurnPlan;
pub use play::{LoopState, Phase, Taken};
pub use record::{AssistantForm, HookResultForm, ProgressForm, SystemForm, TombstoneForm, TypeForm, UserForm};
pub use session_damage::{SESSION_DAMAGES, SessionDamage};
pub(crate) use shrink::simplicity;
pub use shrink::{is_simpler, simpler};
pub use source::{Seeded, Source};
pub use strategy::{PlanTree, strategy};
pub use stream_damage::{LineEnd, StreamDamage, StreamSort};

use serde::{Deserialize, Serialize};

/// How wild a scenario is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// A conversation as it can really happen, with crashes and compactions, played on the engine.
    Causal,
    /// Message kinds in any order and number, with random flags, ids and links. Each line is well-formed.
    Shuffled,
    /// As shuffled, with damaged lines.
    Hostile,
    /// A dialogue that any client of the Messages API can hold: [plain]. It is played only when it is asked for.
    Plain,
}

impl Profile {
    /// The profiles of a usual run.
    pub const ALL: [Self; 3] = [Self::Causal, Self::Shuffled, Self::Hostile];

    /// Every profile: those of a usual run, then [`Plain`](Self::Plain).
    pub const EVERY: [Self; 4] = [Self::Causal, Self::Shuffled, Self::Hostile, Self::Plain];

    /// The profile's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Causal => "causal",
            Self::Shuffled => "shuffled",
            Self::Hostile => "hostile",
            Self::Plain => "plain",
        }
    }
}

/// A plan of a transcript.
///
/// ```
/// use turnproof_suite::scenario::{Profile, Scenario};
///
/// let scenario = Scenario::from_seed(7, 0, Profile::Shuffled);
/// assert_eq!(scenario.transcript(), Scenario::from_seed(7, 0, Profile::Shuffled).transcript());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scenario {
    /// Its profile, and what there is of it.
    #[serde(flatten)]
    pub plan: Plan,
    /// The block indexes for which ids are derived from the ids of the lines.
    pub indexes: Vec<u64>,
    /// Whether requests have project context.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub context: bool,
    /// Calls of factories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub makes: Vec<MakePlan>,
    /// Streams of their own, beside those of the lines or of the conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<ExtraStreamPlan>,
}

/// What happens, by profile.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "profile", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are named as their types")]
pub enum Plan {
    /// What happens in a conversation, step by step.
    Causal {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        actions: Vec<Action>,
    },
    /// The lines of a transcript, each well-formed.
    Shuffled {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lines: Vec<LinePlan>,
    },
    /// The lines of a transcript, with their damages. Their stream is bytes, which come in pieces of so many.
    Hostile {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lines: Vec<LinePlan>,
        #[serde(default = "one", skip_serializing_if = "is_one")]
        piece: u8,
    },
    /// What user and assistant say.
    Plain {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        turns: Vec<TurnPlan>,
    },
}

const fn one() -> u8 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_one(piece: &u8) -> bool {
    *piece == 1
}

impl Plan {
    /// A plan of nothing.
    pub const fn empty(profile: Profile) -> Self {
        match profile {
            Profile::Causal => Self::Causal { actions: Vec::new() },
            Profile::Shuffled => Self::Shuffled { lines: Vec::new() },
            Profile::Hostile => Self::Hostile { lines: Vec::new(), piece: one() },
            Profile::Plain => Self::Plain { turns: Vec::new() },
        }
    }
}

impl Scenario {
    /// How wild it is.
    pub const fn profile(&self) -> Profile {
        match self.plan {
            Plan::Causal { .. } => Profile::Causal,
            Plan::Shuffled { .. } => Profile::Shuffled,
            Plan::Hostile { .. } => Profile::Hostile,
            Plan::Plain { .. } => Profile::Plain,
        }
    }

    /// The lines of the transcript. A conversation and a plain dialogue are not planned by lines.
    pub fn lines(&self) -> &[LinePlan] {
        match &self.plan {
            Plan::Shuffled { lines } | Plan::Hostile { lines, .. } => lines,
            Plan::Causal { .. } | Plan::Plain { .. } => &[],
        }
    }

    /// The lines, to be changed.
    pub fn lines_mut(&mut self) -> &mut [LinePlan] {
        match &mut self.plan {
            Plan::Shuffled { lines } | Plan::Hostile { lines, .. } => lines,
            Plan::Causal { .. } | Plan::Plain { .. } => &mut [],
        }
    }

    /// What happens in the conversation, if it is one.
    pub fn actions(&self) -> &[Action] {
        if let Plan::Causal { actions } = &self.plan { actions } else { &[] }
    }

    /// What happens in the conversation, to be changed.
    pub fn actions_mut(&mut self) -> &mut [Action] {
        if let Plan::Causal { actions } = &mut self.plan { actions } else { &mut [] }
    }

    /// What user and assistant say, in a plain dialogue.
    pub fn turns(&self) -> &[TurnPlan] {
        if let Plan::Plain { turns } = &self.plan { turns } else { &[] }
    }

    /// The same, but for what happens.
    pub fn with(&self, plan: Plan) -> Self {
        Self { plan, ..self.clone() }
    }

    /// Case `case` of a seed. It depends on nothing else (SPEC 9.3).
    pub fn from_seed(seed: u64, case: u64, profile: Profile) -> Self {
        Self::generate(&mut Seeded::new(seed, case), profile)
    }
}

impl<'a> arbitrary::Arbitrary<'a> for Scenario {
    fn arbitrary(bytes: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::of_profiles(bytes, &Profile::ALL))
    }
}
