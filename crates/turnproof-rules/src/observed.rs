//! To *observe* a case is to gather all that a subject does with it, for the rules.

use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;

use crate::depth::Depth;
use crate::material::Material;
use crate::operation::*;
use crate::subject::{Crash, Subject};

/// What a subject did, as often as it was asked; or why there is nothing to judge.
pub type Answers<T> = Result<Vec<T>, String>;

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
            pub fn crash(&self, operation: Operation) -> Option<&str> {
                let why = match operation {
                    $(Operation::$variant => self.$method.as_ref()?.as_ref().err()?,)*
                    Operation::Transcript => return None,
                };
                why.strip_prefix(Crash::WORDS)
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
pub(crate) fn guarded<T>(call: impl FnOnce() -> Option<Result<T, String>>) -> Option<Result<T, String>> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        if let Some(Crash(how)) = payload.downcast_ref() {
            return Some(Err(format!("{}{how}", Crash::WORDS)));
        }
        let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
        let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
        Some(Err(format!("the subject panicked: {}", message.unwrap_or_else(|| "without a message".into()))))
    })
}
