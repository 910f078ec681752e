//! A *quiet* subject prints no panics, since they are reported as violations. They name their place.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Once;

use crate::operation::Operation;
use crate::subject::{Crash, Outcome, Output, Panic, Subject, Wrap, Wrapped};

thread_local! {
    /// Whether this thread is in a call to a judged subject.
    static IN_A_CALL: Cell<bool> = const { Cell::new(false) };
    /// The file, line and column of the last panic in such a call.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A subject whose panics are not printed. Other panics at the same time are printed.
pub(super) type Quiet<'a> = Wrapped<Silence<'a>>;

/// The wrapper that makes a subject quiet.
pub(super) struct Silence<'a>(&'a dyn Subject);

pub(super) fn quiet(subject: &dyn Subject) -> Quiet<'_> {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| match IN_A_CALL.get() {
            true => PLACE.set(panic.location().map(ToString::to_string)),
            false => before(panic),
        }));
    });
    Wrapped(Silence(subject))
}

impl Silence<'_> {
    fn call<T>(&self, ask: impl FnOnce(&dyn Subject) -> T) -> T {
        IN_A_CALL.set(true);
        let answer = catch_unwind(AssertUnwindSafe(|| ask(self.0)));
        IN_A_CALL.set(false);
        answer.unwrap_or_else(|payload| match payload.is::<Crash>() || payload.is::<Panic>() {
            true => resume_unwind(payload),
            false => Panic::of(&*payload, PLACE.take()).raise(),
        })
    }
}

impl Wrap for Silence<'_> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn ask<T: Output>(&self, question: impl FnOnce(&dyn Subject) -> Outcome<T>) -> Outcome<T> {
        self.call(question)
    }

    /// Whether it does an operation. A panic counts as yes, so that cases are played and show it.
    fn supports(&self, operation: Operation) -> bool {
        let supports = || self.call(|subject| subject.supports(operation));
        catch_unwind(AssertUnwindSafe(supports)).unwrap_or(true)
    }
}
