//! The *ids of calls* that a request has used, and the legal ones made for those that the API refuses.
//!
//! An id is used once in a request. What replaces an id depends on the id itself and on what came before it. So a
//! request keeps its beginning while it grows.

use std::collections::HashMap;

use twox_hash::XxHash3_64;

/// What is known of the calls of a request: of those before the list that is normalized, and of those in it.
#[derive(Debug, Default)]
pub(super) struct Paired {
    /// The calls of the client's tools.
    pub(super) client: Ids,
    /// The calls of the server's tools.
    pub(super) server: Ids,
    /// Whether a result came for a call of an earlier run that had none.
    pub(super) reached_back: bool,
}

impl Paired {
    /// Begins a run: what the last one added is forgotten, unless it was to stay.
    pub(super) fn begin(&mut self, stays: bool) {
        self.reached_back = false;
        for ids in [&mut self.client, &mut self.server] {
            ids.run += 1;
            ids.stays = stays;
        }
    }
}

/// The ids of one kind of calls.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// The number of the current run.
    pub(super) run: u64,
    stays: bool,
    calls: HashMap<Box<str>, Call>,
    /// Ids that were made to replace others.
    made: HashMap<Box<str>, Added>,
}

/// A call whose id is used.
#[derive(Debug)]
pub(super) struct Call {
    added: Added,
    /// The id that is sent instead of its own.
    pub(super) sent: Option<Box<str>>,
    /// Where the call is noted in the current run.
    pub(super) slot: usize,
    /// Whether it has a result.
    pub(super) is_answered: bool,
}

/// In which run something was added.
#[derive(Clone, Copy, Debug)]
struct Added {
    run: u64,
    /// Whether later runs know it too.
    stays: bool,
}

impl Call {
    /// Whether the call was added before the current run.
    pub(super) fn is_settled(&self, ids_run: u64) -> bool {
        self.added.run != ids_run
    }
}

impl Ids {
    fn is_known(&self, added: Added) -> bool {
        added.stays || added.run == self.run
    }

    /// The call with this id, if the request has one.
    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Call> {
        let run = self.run;
        self.calls.get_mut(id).filter(|call| call.added.stays || call.added.run == run)
    }

    /// Whether a call uses this id.
    fn has(&self, id: &str) -> bool {
        self.calls.get(id).is_some_and(|call| self.is_known(call.added))
    }

    /// Adds a call whose id no other has; gives the id to send instead, when it is not `legal` or is
    /// one that was made for another call. `prefix` begins the ids that are made.
    pub(super) fn add(&mut self, id: &str, slot: usize, is_legal: bool, prefix: &str) -> Option<&str> {
        let is_made = |made: &str| self.made.get(made).is_some_and(|added| self.is_known(*added));
        let sent = if is_legal && !is_made(id) {
            None
        } else {
            let first = format!("{prefix}{:016x}", XxHash3_64::oneshot(id.as_bytes()));
            let others = (2..).map(|number: u64| format!("{first}_{number}"));
            std::iter::once(first.clone()).chain(others).find(|made| !is_made(made) && !self.has(made))
        };
        let added = Added { run: self.run, stays: self.stays };
        let sent: Option<Box<str>> = sent.map(String::into_boxed_str);
        self.made.extend(sent.iter().map(|sent| (sent.clone(), added)));
        let call = Call { added, sent, slot, is_answered: false };
        let entry = self.calls.entry(id.into()).insert_entry(call);
        entry.into_mut().sent.as_deref()
    }
}

/// Whether an id of a client's call matches `^[a-zA-Z0-9_-]+$`.
pub(super) fn is_legal(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Whether an id of a server's call matches `^srvtoolu_[a-zA-Z0-9_]+$`.
pub(super) fn is_legal_on_server(id: &str) -> bool {
    id.strip_prefix("srvtoolu_")
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}
