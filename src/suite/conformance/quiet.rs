//! A *quiet* subject prints no panics, since they are reported as violations.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use crate::operation::Operation;
use crate::subject::{Outcome, Output, Subject, Wrap, Wrapped};

thread_local! {
    /// Whether this thread is in a call to a judged subject.
    static IN_A_CALL: Cell<bool> = const { Cell::new(false) };
}

/// A subject whose panics are not printed. Other panics at the same time are printed.
pub(super) type Quiet = Wrapped<Silence>;

/// The wrapper that makes a subject quiet.
pub(super) struct Silence(Box<dyn Subject>);

/// A call under way. It ends when this is dropped, also by a panic.
struct Call;

impl Drop for Call {
    fn drop(&mut self) {
        IN_A_CALL.set(false);
    }
}

pub(super) fn quiet(subject: Box<dyn Subject>) -> Quiet {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IN_A_CALL.get() {
                before(panic);
            }
        }));
    });
    Wrapped(Silence(subject))
}

impl Silence {
    fn call<T>(&self, ask: impl FnOnce(&dyn Subject) -> T) -> T {
        IN_A_CALL.set(true);
        let _call = Call;
        ask(&*self.0)
    }
}

impl Wrap for Silence {
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
