//! A *scenario* is a plan: a few small events from which a transcript is written, always the same
//! bytes from the same plan.
//!
//! A plan can be made from a seed, from fuzz bytes (through [`arbitrary`]), by a
//! [proptest strategy](strategy) or from JSON; all by one generator, [`Scenario::generate`], that
//! asks a [`Source`] for small choices. Plans, not bytes, are what shrinks ([`simpler`]).
//!
//! Ids and texts come from small [pools](pool), so that a shrunk plan reads well.

mod action;
mod body;
mod bytes;
mod case;
mod choice;
mod course;
mod damage;
mod disorder;
mod drive;
mod generate;
mod label;
mod line;
mod play;
mod plot;
pub mod pool;
mod scene;
mod shrink;
mod source;
mod strategy;
mod streamed;

pub use action::{Action, Denied, Gives, HookTime, Meta, Stop, Written};
pub use body::{AssistantForm, HookResultForm, ProgressForm, SystemForm, TombstoneForm, UserForm};
pub use case::Case;
pub use choice::Choice;
use choice::{Form, choices, forms};
pub use damage::{Damage, Sort};
pub use drive::{Stage, Standing, Taken};
pub use label::{LABELS, Label, Labels};
pub use line::{BlockPlan, LineKind, LinePlan, Link};
pub use shrink::simpler;
pub use source::{Seeded, Source};
pub use strategy::{PlanTree, strategy};

use serde::{Deserialize, Serialize};

/// How wild a scenario is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// A conversation as it can really happen, played on the engine, with its crashes and compactions.
    Causal,
    /// Message kinds in any order and any number, every flag, random and colliding ids, random
    /// links; each line is well-formed.
    Shuffled,
    /// As shuffled, with lines damaged in the ways of the field.
    Hostile,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Causal, Self::Shuffled, Self::Hostile];

    /// The profile's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Causal => "causal",
            Self::Shuffled => "shuffled",
            Self::Hostile => "hostile",
        }
    }
}

/// A plan of a transcript.
///
/// ```
/// use turnproof::scenario::{Profile, Scenario};
///
/// let scenario = Scenario::from_seed(7, 0, Profile::Shuffled);
/// assert_eq!(scenario.transcript(), Scenario::from_seed(7, 0, Profile::Shuffled).transcript());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scenario {
    /// How wild it is.
    pub profile: Profile,
    /// The lines of the transcript; none in a causal scenario.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LinePlan>,
    /// What happens in the conversation, played on the engine; in a causal scenario this is all there is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// The block indexes for which ids are derived from the ids of the lines.
    pub indexes: Vec<u64>,
    /// Whether a request made of the messages has project context.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub context: bool,
}

impl Scenario {
    /// Case `case` of a seed; it depends on nothing else, so a run can be split at will.
    pub fn from_seed(seed: u64, case: u64, profile: Profile) -> Self {
        Self::generate(&mut Seeded::new(seed, case), profile)
    }
}

impl<'a> arbitrary::Arbitrary<'a> for Scenario {
    fn arbitrary(bytes: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self::of_profiles(bytes, &Profile::ALL))
    }
}
