//! A *quiet* subject: its panics are findings, so they are not printed as well.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use crate::operation::{
    Conversation, Operation, Parsed, Played, RecordAnswer, RecordStep, RequestOptions, RequestText,
    StreamItem, StreamText,
};
use crate::subject::{Outcome, Subject};

thread_local! {
    /// Whether this thread is in a call to a judged subject.
    static IN_A_CALL: Cell<bool> = const { Cell::new(false) };
}

/// A subject whose panics print nothing. Panics of anything else, at the same time, print as ever.
pub(super) struct Quiet(Box<dyn Subject>);

/// A call under way; it ends when this is dropped, by a panic too.
struct Call;

impl Drop for Call {
    fn drop(&mut self) {
        IN_A_CALL.set(false);
    }
}

impl Quiet {
    pub(super) fn new(subject: Box<dyn Subject>) -> Self {
        static INSTALLED: Once = Once::new();
        INSTALLED.call_once(|| {
            let before = std::panic::take_hook();
            std::panic::set_hook(Box::new(move |panic| {
                if !IN_A_CALL.get() {
                    before(panic);
                }
            }));
        });
        Self(subject)
    }

    fn call<T>(&self, ask: impl FnOnce(&dyn Subject) -> T) -> T {
        IN_A_CALL.set(true);
        let _call = Call;
        ask(&*self.0)
    }
}

impl Subject for Quiet {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        self.call(|subject| subject.parse(bytes))
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        self.call(|subject| subject.normalize_api(messages, options))
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        self.call(|subject| subject.normalize_api_incremental(messages, options))
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        self.call(|subject| subject.normalize_ui(messages))
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        self.call(|subject| subject.reorder_ui(messages))
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        self.call(|subject| subject.derive_uuid(parent, index))
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        self.call(|subject| subject.short_id(uuid))
    }

    fn record(&self, file: &[u8], session: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        self.call(|subject| subject.record(file, session, steps))
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        self.call(|subject| subject.resume(file))
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        self.call(|subject| subject.accumulate(items))
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        self.call(|subject| subject.play(inputs))
    }

    /// One that panics does something: the cases show what.
    fn supports(&self, operation: Operation) -> bool {
        let supports = || self.call(|subject| subject.supports(operation));
        catch_unwind(AssertUnwindSafe(supports)).unwrap_or(true)
    }
}
