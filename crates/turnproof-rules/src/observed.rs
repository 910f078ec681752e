//! To *observe* a case is to gather all that a subject does with it, for the rules.

use std::fmt;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;

use crate::depth::Depth;
use crate::material::Material;
use crate::operation::*;
use crate::rules::{Sentence, Violation, refusal, sentence};
use crate::subject::{Crash, Panic, Subject};

/// What a subject did, as often as it was asked; or why there is nothing to judge.
pub type Answers<T> = Result<Vec<T>, NoAnswer>;

/// Why there is nothing to judge. A refusal or a panic breaks each rule on the operation; a run counts a crash apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The subject refuses what it must not, and says why.
    Refused(String),
    /// The subject panicked.
    Panicked(Panic),
    /// The subject crashed, or did not answer in time.
    Crashed(Crash),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found().fmt(f)
    }
}

impl NoAnswer {
    /// The kind of the violations.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Refused(_) => Violation::REFUSED,
            Self::Panicked(_) => Violation::PANICKED,
            Self::Crashed(crash) => crash.kind.name(),
        }
    }

    /// What is found.
    pub(crate) fn found(&self) -> Sentence {
        match self {
            Self::Refused(why) => refusal(why),
            Self::Panicked(Panic { message, at: Some(at) }) => {
                sentence!("the subject panicked: {message} (at {at})", message, at)
            }
            Self::Panicked(Panic { message, at: None }) => sentence!("the subject panicked: {message}", message),
            Self::Crashed(Crash { how, .. }) => sentence!("the subject crashed: {how}", how),
        }
    }

    /// What distinguishes it from others of its kind.
    pub fn at(&self) -> Option<&str> {
        match self {
            Self::Refused(_) => None,
            Self::Panicked(panic) => panic.at.as_deref(),
            Self::Crashed(crash) => crash.at.as_deref(),
        }
    }
}

/// What a subject did when it was asked for one operation: the plain data that rules judge.
pub trait Observation: Sized {
    /// What rules work out of it; cells, filled when they are asked for.
    type WorkedOut<'a>: Default
    where
        Self: 'a;

    /// Asks a subject about a case, as much as the depth says; `None` when it does not do the operation.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>>;
}

/// *Evidence* is an observation, and what rules work out of it: worked out once, when the first rule asks, and shared
/// by all rules of the operation.
///
/// ```
/// use turnproof_rules::operation::Recorded;
/// use turnproof_rules::rules::{Evidence, Judge, find};
///
/// let rule = find("record/whole-lines").expect("a rule");
/// let recorded: Recorded = serde_json::from_slice(rule.example).expect("an example");
/// let Judge::Record(judge) = rule.judge else { panic!("it judges recorders") };
/// assert!(judge(&Evidence::new(&recorded)).is_broken());
/// ```
pub struct Evidence<'a, T: Observation + 'a> {
    given: &'a T,
    pub(crate) worked_out: T::WorkedOut<'a>,
}

impl<'a, T: Observation> Evidence<'a, T> {
    /// Evidence of which nothing has been worked out.
    pub fn new(given: &'a T) -> Self {
        Self { given, worked_out: T::WorkedOut::default() }
    }

    /// What was observed, for as long as it lives.
    pub(crate) fn given(&self) -> &'a T {
        self.given
    }
}

impl<T: Observation> Deref for Evidence<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.given
    }
}

macro_rules! observed {
    ($(
        #[doc = $doc:literal]
        $variant:ident $_describe:literal => $observation:ident { $(#[doc = $_method_doc:literal])* $method:ident $($_rest:tt)* }
    )*) => {
        /// What a subject did with a case; `None` for each operation that it does not do or was not asked for.
        #[derive(Clone, Debug, Default)]
        pub struct Observed {
            $(#[doc = $doc] pub $method: Option<Answers<$observation>>,)*
        }

        /// What a subject did once, whatever the operation.
        #[derive(Clone, Debug, Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        pub enum Shown {
            $(#[doc = $doc] $variant(Box<$observation>),)*
        }

        impl Observed {
            /// Asks a subject about a case, for the operations that are wanted. A panic of the subject is a finding of
            /// its own.
            pub fn of(
                subject: &dyn Subject,
                material: &dyn Material,
                operations: &[Operation],
                depth: Depth,
            ) -> Self {
                let mut observed = Self::default();
                for operation in operations {
                    match operation {
                        $(Operation::$variant => {
                            observed.$method = guarded(|| $observation::observe(subject, material, depth));
                        })*
                        Operation::Transcript => {}
                    }
                }
                observed
            }

            /// Whether the subject did the operation.
            pub fn has(&self, operation: Operation) -> bool {
                match operation {
                    $(Operation::$variant => self.$method.is_some(),)*
                    Operation::Transcript => false,
                }
            }

            /// How the subject crashed when it was asked for the operation, if it did.
            pub fn crash(&self, operation: Operation) -> Option<&Crash> {
                let why = match operation {
                    $(Operation::$variant => self.$method.as_ref()?.as_ref().err()?,)*
                    Operation::Transcript => return None,
                };
                if let NoAnswer::Crashed(crash) = why { Some(crash) } else { None }
            }

            /// What the subject did when it was asked for the operation, each time.
            pub fn shown(self, operation: Operation) -> Option<Answers<Shown>> {
                match operation {
                    $(Operation::$variant => {
                        let shown = |answers: Vec<$observation>| {
                            answers.into_iter().map(|answer| Shown::$variant(Box::new(answer))).collect()
                        };
                        self.$method.map(|answers| answers.map(shown))
                    })*
                    Operation::Transcript => None,
                }
            }
        }

        $(impl From<$observation> for Observed {
            fn from(observation: $observation) -> Self {
                Self { $method: Some(Ok(vec![observation])), ..Self::default() }
            }
        })*

        impl From<Shown> for Observed {
            fn from(shown: Shown) -> Self {
                match shown {
                    $(Shown::$variant(observation) => Self::from(*observation),)*
                }
            }
        }
    };
}

table!(observed);

/// Calls a subject; a panic is a finding of its own, and so is a [`Crash`].
pub fn guarded<T>(call: impl FnOnce() -> Option<Result<T, NoAnswer>>) -> Option<Result<T, NoAnswer>> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        Some(Err(match (payload.downcast_ref::<Crash>(), payload.downcast_ref::<Panic>()) {
            (Some(crash), _) => NoAnswer::Crashed(crash.clone()),
            (_, Some(panic)) => NoAnswer::Panicked(panic.clone()),
            _ => NoAnswer::Panicked(Panic::of(&*payload, None)),
        }))
    })
}
