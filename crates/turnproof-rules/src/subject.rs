//! A *subject* is what is judged: anything that does some of the [operations](crate::operation).
//!
//! Implement [`Subject`] for your own pipeline and give it to a suite. A method that is left out answers
//! [`Outcome::Unsupported`], which is reported as such and never counted as passed.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::operation::*;

/// What a subject answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<T> {
    /// The operation's output.
    Output(T),
    /// The subject refuses this input, and says why: a legal answer where the rule allows it.
    Rejected(String),
    /// The subject does not do this operation.
    Unsupported,
}

impl<T> Outcome<T> {
    /// The same with another output.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Self::Output(output) => Outcome::Output(change(output)),
            Self::Rejected(why) => Outcome::Rejected(why),
            Self::Unsupported => Outcome::Unsupported,
        }
    }

    /// The output, or why there is none; `None` when the operation is not supported.
    pub fn into_answer(self) -> Option<Result<T, String>> {
        match self {
            Self::Output(output) => Some(Ok(output)),
            Self::Rejected(why) => Some(Err(why)),
            Self::Unsupported => None,
        }
    }
}

/// The subject failed at a question instead of answering it: its process died, or what it printed is no answer.
///
/// Like a panic it ends the questions about one case to one operation, and is a finding of its own. It is no
/// [`Outcome`], so that nobody takes it for a refusal, which may be legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    /// In which way it failed.
    pub kind: CrashKind,
    /// How, in words.
    pub how: String,
    /// What distinguishes it from another crash of its kind: how a process ended, or the path of a member.
    pub at: Option<String>,
}

/// A way to fail at a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrashKind {
    /// It ended, or closed its input or output.
    Ended,
    /// It did not answer in time.
    TimedOut,
    /// It took too much memory.
    OutOfMemory,
    /// It printed something that is no answer to the question.
    NoAnswer,
    /// Its answer has another shape.
    WrongShape,
    /// It was never asked: it could not be started or spoken to, or all was to end.
    NotAsked,
}

impl CrashKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Ended, Self::TimedOut, Self::OutOfMemory, Self::NoAnswer, Self::WrongShape, Self::NotAsked];

    /// The kind's name, as violations have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ended => "crashed",
            Self::TimedOut => "timed-out",
            Self::OutOfMemory => "out-of-memory",
            Self::NoAnswer => "no-answer",
            Self::WrongShape => "wrong-shape",
            Self::NotAsked => "not-asked",
        }
    }

    /// Whether a kind of violation is one of these.
    pub fn is_name(kind: &str) -> bool {
        Self::ALL.iter().any(|one| one.name() == kind)
    }
}

impl Crash {
    /// A crash that nothing distinguishes from others of its kind.
    pub fn new(kind: CrashKind, how: impl Into<String>) -> Self {
        Self { kind, how: how.into(), at: None }
    }

    /// Ends the questions about this case. What counts is the panic's payload; nothing is printed.
    pub fn raise(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }
}

/// A panic of a subject whose place is known: the payload with which it is passed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// What the panic said.
    pub message: String,
    /// Where it happened, as `file:line:column`, when that is known.
    pub at: Option<String>,
}

impl Panic {
    /// The panic of a payload.
    pub fn of(payload: &(dyn std::any::Any + Send), at: Option<String>) -> Self {
        let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
        let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
        Self { message: message.unwrap_or_else(|| "without a message".into()), at }
    }

    /// Passes it on. Nothing is printed.
    pub fn raise(self) -> ! {
        std::panic::resume_unwind(Box::new(self))
    }
}

/// The output of an operation: plain data, with a form in JSON.
pub trait Output: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> Output for T {}

macro_rules! subjects {
    ($(
        #[doc = $_doc:literal]
        $variant:ident $_describe:literal => $_observation:ty {
            $(#[doc = $method_doc:literal])*
            $method:ident ( $($argument:ident: $type:ty = $empty:expr),* ) -> $output:ty;
            $(
                $(#[doc = $more_doc:literal])*
                $more:ident ( $($more_argument:ident: $more_type:ty = $_more_empty:expr),* ) -> $more_output:ty;
            )*
        }
    )*) => {
        /// What is judged.
        ///
        /// ```
        /// use turnproof_rules::subject::{Outcome, Subject};
        ///
        /// /// Derives ids by appending the index: shorter than the definition, and wrong.
        /// struct Appending;
        ///
        /// impl Subject for Appending {
        ///     fn name(&self) -> &str {
        ///         "appending"
        ///     }
        ///
        ///     fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        ///         Outcome::Output(format!("{parent}-{index}"))
        ///     }
        /// }
        ///
        /// assert_eq!(Appending.parse(b""), Outcome::Unsupported);
        /// ```
        pub trait Subject: Sync {
            /// The subject's name in reports.
            fn name(&self) -> &str;

            $(
                $(#[doc = $method_doc])*
                fn $method(&self, $($argument: $type),*) -> Outcome<$output> {
                    let _ = ($($argument,)*);
                    Outcome::Unsupported
                }

                $(
                    $(#[doc = $more_doc])*
                    fn $more(&self, $($more_argument: $more_type),*) -> Outcome<$more_output> {
                        let _ = ($($more_argument,)*);
                        Outcome::Unsupported
                    }
                )*
            )*

            /// Whether the subject does an operation, as far as an empty input shows.
            fn supports(&self, operation: Operation) -> bool {
                match operation {
                    $(Operation::$variant => self.$method($($empty),*) != Outcome::Unsupported,)*
                    Operation::Transcript => false,
                }
            }
        }

        impl<W: Wrap> Subject for Wrapped<W> {
            fn name(&self) -> &str {
                self.0.name()
            }

            $(
                fn $method(&self, $($argument: $type),*) -> Outcome<$output> {
                    self.0.ask(|subject| subject.$method($($argument),*))
                }

                $(
                    fn $more(&self, $($more_argument: $more_type),*) -> Outcome<$more_output> {
                        self.0.ask(|subject| subject.$more($($more_argument),*))
                    }
                )*
            )*

            fn supports(&self, operation: Operation) -> bool {
                self.0.supports(operation)
            }
        }
    };
}

table!(subjects);

/// What is done around each question to another subject. [`Wrapped`] makes a subject of it.
pub trait Wrap: Sync {
    /// The name of the subject that this makes.
    fn name(&self) -> &str;

    /// Asks the other subject, in its own way, and may change the answer.
    fn ask<T: Output>(&self, question: impl FnOnce(&dyn Subject) -> Outcome<T>) -> Outcome<T>;

    /// Whether the subject does an operation.
    fn supports(&self, operation: Operation) -> bool;
}

/// A subject that asks another one.
#[derive(Clone, Copy, Debug)]
pub struct Wrapped<W>(pub W);
