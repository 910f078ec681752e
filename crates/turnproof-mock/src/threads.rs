//! The *threads* of a server. Each has a loop of its own and serves its connections alone, so that a request wakes no
//! other thread.

use std::io;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::oneshot;

/// Threads that run what is given to them until they are stopped or dropped.
#[derive(Debug)]
pub(crate) struct Threads {
    handles: Vec<Handle>,
    /// Each ends its thread when it is dropped.
    stops: Vec<oneshot::Sender<()>>,
    /// Closed when all threads have ended.
    ended: Mutex<Receiver<()>>,
}

impl Threads {
    /// Starts one thread a core.
    pub(crate) fn start() -> io::Result<Self> {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        let (runs, ended) = channel();
        let mut threads = Self { handles: Vec::new(), stops: Vec::new(), ended: Mutex::new(ended) };
        for _ in 0..count {
            let runtime = Builder::new_current_thread().enable_all().build()?;
            let (stop, stopped) = oneshot::channel();
            threads.handles.push(runtime.handle().clone());
            threads.stops.push(stop);
            let runs = runs.clone();
            std::thread::Builder::new().name("mock".to_owned()).spawn(move || run(runtime, stopped, runs))?;
        }
        Ok(threads)
    }

    /// The loops of all threads; there is one at least.
    pub(crate) fn handles(&self) -> &[Handle] {
        &self.handles
    }

    /// Drops all that runs. Waits for threads that calculate, but not for longer than that.
    pub(crate) fn stop(&mut self, longest: Duration) {
        self.stops.clear();
        // Nothing is sent: it ends with the last thread.
        let _ = self.ended.get_mut().map(|ended| ended.recv_timeout(longest));
    }
}

/// Runs until the other side of `stopped` is dropped; `runs` is held until everything is dropped.
fn run(runtime: Runtime, stopped: oneshot::Receiver<()>, runs: Sender<()>) {
    let _ = runtime.block_on(stopped);
    drop(runtime);
    drop(runs);
}
