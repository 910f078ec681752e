//! A *pool* holds the processes of a program that wait for a question, so that several threads can ask.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Setup;
use super::crash::{BadEnd, Crash};
use super::dialogue::Dialogue;

/// Processes of one program.
pub(super) struct Pool {
    words: Vec<String>,
    setup: Setup,
    /// How many run at the same time.
    most: usize,
    state: Mutex<State>,
    returned: Condvar,
}

struct State {
    /// Processes that wait for a question.
    idle: Vec<Dialogue>,
    /// How many processes there are, idle or not.
    running: usize,
}

impl Pool {
    /// A pool of at most so many processes, of which one runs already.
    pub(super) const fn new(words: Vec<String>, setup: Setup, most: usize, first: Vec<Dialogue>) -> Self {
        let state = State { running: first.len(), idle: first };
        Self { words, setup, most, state: Mutex::new(state), returned: Condvar::new() }
    }

    /// Lends a process, and starts one where none is idle. After a crash the process is ended.
    pub(super) fn lend<T>(&self, work: impl FnOnce(&mut Dialogue) -> Result<T, Crash>) -> (Result<T, Crash>, String) {
        let mut dialogue = match self.take() {
            Ok(dialogue) => dialogue,
            Err(crash) => {
                self.give_back(None);
                return (Err(crash), String::new());
            }
        };
        let outcome = work(&mut dialogue);
        let said = dialogue.said();
        let is_sound = outcome.is_ok();
        let (kept, ended) = if is_sound { (Some(dialogue), None) } else { (None, Some(dialogue)) };
        // It is ended before another one takes its place.
        drop(ended);
        self.give_back(kept);
        (outcome, said)
    }

    /// Stops all processes; gives how the first one ended that did not end as it should.
    pub(super) fn stop(&self) -> Option<BadEnd> {
        let idle = std::mem::take(&mut self.state().idle);
        let ends: Vec<_> = std::thread::scope(|scope| {
            let stopping: Vec<_> = idle.into_iter().map(|dialogue| scope.spawn(|| dialogue.stop())).collect();
            stopping.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        self.state().running -= ends.len();
        ends.into_iter().find_map(Result::err)
    }

    /// An idle process, or a new one; waits while there are as many as there may be.
    fn take(&self) -> Result<Dialogue, Crash> {
        let mut state = self.state();
        loop {
            if let Some(dialogue) = state.idle.pop() {
                return Ok(dialogue);
            }
            if state.running < self.most {
                state.running += 1;
                drop(state);
                let started = Dialogue::start(&self.words, &self.setup);
                return started
                    .map(|(dialogue, _)| dialogue)
                    .map_err(|error| Crash::NotStarted { why: error.to_string() });
            }
            state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give_back(&self, dialogue: Option<Dialogue>) {
        let mut state = self.state();
        match dialogue {
            Some(dialogue) => state.idle.push(dialogue),
            None => state.running -= 1,
        }
        drop(state);
        self.returned.notify_one();
    }

    /// The state; nothing is left half done in it where a thread panics.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
