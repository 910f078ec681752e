//! A *conformance* is a subject with the operations and rules that it claims, each rule a test.
//!
//! It is the `main` of a test without the usual harness. In `Cargo.toml`:
//!
//! ```toml
//! [[test]]
//! name = "conformance"
//! harness = false
//! ```
//!
//! In `tests/conformance.rs`, with your subject in the place of the reference:
//!
//! ```no_run
//! use turnproof_rules::operation::Operation;
//! use turnproof_suite::subject::Reference;
//!
//! fn main() {
//!     turnproof_suite::conformance(&Reference)
//!         .operations([Operation::Parse, Operation::NormalizeApi])
//!         .rules(["*", "!wire/named-*"])
//!         .known([("api/alternation", "our hosts join neighbours of one role")])
//!         .run()
//! }
//! ```
//!
//! Each test is named after its rule, `normalize_api::pairing::results_first`, so `cargo test ::pairing::` runs a family.
//! Filters, `--list` and `cargo nextest` work as with other tests. The tests are made of the
//! [catalogue](crate::rules::CATALOGUE), so a new rule is a new test.
//!
//! A test never passes when there is nothing to judge:
//!
//! - A **panic** of the subject is a violation, with its file and line. It is not printed as well.
//! - A **crash** of a subject that is a process breaks no rule, and fails the tests of the operation: there is no answer.
//! - An operation that is **listed and not done** fails the tests of its rules. `operations_are_as_declared` fails when
//!   the list and the subject differ.
//! - A rule that **no case exercises** fails. A stored case that holds counts.
//! - A rule that is **not claimed** has no test, so a pipeline can adopt the rules family by family.
//! - A [known deviation](Known) that **does not deviate** any more fails. As long as it does, its test passes, and is
//!   marked `[known]`.
//!
//! Settings that mean nothing end the program with exit code 2 before any test: a glob that names no rule, a variable
//! that is no number, a stored case that cannot be read.
//!
//! The cases of an operation are played once for all its rules, on all cores. Under `cargo nextest` each test is a
//! process, which plays them for its own rule. Debug builds play faster with `opt-level = 1` in
//! `[profile.dev.package.turnproof]` and `[profile.dev.package.turnproof-rules]`.

mod answer;
mod judging;
mod quiet;
mod replay_command;
mod settings;

pub use replay_command::Again;
pub use settings::SettingsError;

use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use libtest_mimic::{Arguments, Conclusion, Failed, Trial};

use crate::operation::Operation;
use crate::rules::Rule;
use crate::scenario::Profile;
use crate::subject::Subject;

use super::known::Known;
use super::run::{Options, Report};
use judging::{Judging, Test};
use settings::Settings;

/// A subject, the operations and rules that it claims, and how it is judged.
#[derive(Clone)]
pub struct Conformance<'a> {
    subject: &'a dyn Subject,
    settings: Settings,
}

/// A conformance of a subject: all that it does, by every rule, in 1,000 cases of seed 1.
///
/// ```no_run
/// # use turnproof_suite::subject::{Outcome, Subject};
/// struct Mine;
///
/// impl Subject for Mine {
///     fn name(&self) -> &str {
///         "mine"
///     }
///
///     fn short_id(&self, uuid: &str) -> Outcome<String> {
///         match uuid.get(..6) {
///             Some(short) => Outcome::Output(short.to_owned()),
///             None => Outcome::Rejected("it is too short".to_owned()),
///         }
///     }
/// }
///
/// fn main() {
///     turnproof_suite::conformance(&Mine).run()
/// }
/// ```
pub fn conformance(subject: &dyn Subject) -> Conformance<'_> {
    Conformance { subject, settings: Settings::default() }
}

impl<'a> Conformance<'a> {
    /// The operations that the subject does. Without a list: those that it seems to do, which it can lose unnoticed.
    pub fn operations(mut self, operations: impl IntoIterator<Item = Operation>) -> Self {
        self.settings.operations = Some(operations.into_iter().collect());
        self
    }

    /// The rules that are claimed, as [globs](crate::rules::choose): `family/*`, `family/rule`, `*`, or `!family/rule` to
    /// leave out. Without any: all, and for plain cases alone those that [every client](super::every_client) must keep.
    pub fn rules(mut self, globs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.settings.rules = globs.into_iter().map(Into::into).collect();
        self
    }

    /// How many cases are played for each operation. The variable `TURNPROOF_CASES` takes precedence.
    pub fn cases(mut self, cases: u64) -> Self {
        self.settings.cases = cases;
        self
    }

    /// The seed of all cases. The variable `TURNPROOF_SEED` takes precedence.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// The profiles that cases are drawn from. Without any: those of a usual run.
    pub fn profiles(mut self, profiles: impl IntoIterator<Item = Profile>) -> Self {
        self.settings.profiles = profiles.into_iter().collect();
        self
    }

    /// A folder, from the root of the package, that keeps cases which break a rule. They are replayed first.
    pub fn regressions(mut self, folder: impl Into<PathBuf>) -> Self {
        self.settings.regressions = Some(folder.into());
        self
    }

    /// Rules that the subject is known to break, each with the reason: `("family/rule", "why")`, or a [`Known`].
    pub fn known(mut self, known: impl IntoIterator<Item = impl Into<Known>>) -> Self {
        self.settings.known = known.into_iter().map(Into::into).collect();
        self
    }

    /// Runs the tests that the command line asks for, and ends the program as a test program does.
    pub fn run(self) -> ! {
        let arguments = Arguments::from_args();
        match self.judging() {
            Ok(judging) => conclusion(&judging, &arguments).exit(),
            Err(error) => {
                eprintln!("turnproof: the conformance of `{}` cannot be judged: {error}", self.subject.name());
                std::process::exit(2)
            }
        }
    }

    /// Plays the cases once, for all operations and rules; gives what was asked and what came of it. Cases that break a
    /// rule are stored where there is a folder for them.
    ///
    /// # Errors
    /// When a setting means nothing, and when the threads cannot be started.
    pub fn report(&self) -> Result<(Options, Report), SettingsError> {
        self.judging()?.report()
    }

    /// The subject, whose panics are not printed and name their place.
    pub fn subject(&self) -> impl Subject + 'a {
        quiet::quiet(self.subject)
    }

    fn judging(&self) -> Result<Judging<'a>, SettingsError> {
        Judging::new(self.subject, self.settings.in_environment(|name| std::env::var(name).ok())?)
    }
}

impl<'a, S: Subject> From<&'a S> for Conformance<'a> {
    fn from(subject: &'a S) -> Self {
        conformance(subject)
    }
}

/// Runs the tests. Those of `libtest_mimic` may outlive the subject, so they ask threads that may not.
fn conclusion(judging: &Judging<'_>, arguments: &Arguments) -> Conclusion {
    thread::scope(|scope| {
        let (ask, asked) = mpsc::channel::<(Test, mpsc::Sender<Result<(), String>>)>();
        scope.spawn(move || {
            for (test, answer) in asked {
                scope.spawn(move || answer.send(judging.test(test)));
            }
        });
        let trial = |test: Test| {
            let ask = ask.clone();
            let trial = Trial::test(judging.name_of(test), move || {
                let (answer, answered) = mpsc::channel();
                let gone = |_| Failed::from("internal error: nobody judges");
                ask.send((test, answer)).map_err(|_| gone(mpsc::RecvError))?;
                answered.recv().map_err(gone)?.map_err(Failed::from)
            });
            if judging.is_known(test) { trial.with_kind("known") } else { trial }
        };
        let trials = judging.tests().map(trial).collect();
        drop(ask);
        libtest_mimic::run(arguments, trials)
    })
}

/// The name of the test of a rule: `normalize_api::pairing::results_first`.
pub fn test_name(rule: &Rule) -> String {
    format!("{}::{}", rule.operation().name(), rule.id.replace('/', "::").replace('-', "_"))
}
