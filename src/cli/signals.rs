//! *Signals* end what runs until it is told to stop: Ctrl-C, or a request to terminate.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

use turnproof_suite::subject::Stop;

use super::{Exit, Failure};

/// The signals that are caught. The first one lets all end soon. A second one ends it at once, with all programs that
/// were started.
pub(super) struct Signals {
    stop: Stop,
    /// The first one that came; 0 before.
    first: Arc<AtomicUsize>,
}

impl Signals {
    /// Catches them from now on.
    pub(super) fn catch() -> Result<Self, Failure> {
        let signals = Self { stop: Stop::default(), first: Arc::default() };
        let caught = listen(signals.stop.clone(), Arc::clone(&signals.first));
        caught.map_err(|error| Failure::Internal(format!("signals cannot be caught: {error}")))?;
        Ok(signals)
    }

    /// What is set when one has come.
    pub(super) const fn stop(&self) -> &Stop {
        &self.stop
    }

    /// How a run ends that one has ended, and in which nothing failed.
    pub(super) fn ended(&self) -> Option<Exit> {
        match self.first.load(Ordering::SeqCst) as i32 {
            0 => None,
            SIGTERM => Some(Exit::Terminated),
            _ => Some(Exit::Interrupted),
        }
    }
}

#[cfg(unix)]
fn listen(stop: Stop, first: Arc<AtomicUsize>) -> io::Result<()> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let wait = move || {
        let mut signals = signals.forever();
        if let Some(signal) = signals.next() {
            first.store(signal as usize, Ordering::SeqCst);
            stop.set();
        }
        if let Some(signal) = signals.next() {
            turnproof_suite::subject::program::end_at_once(&stop);
            std::process::exit(128 + signal);
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Where signals cannot be waited for, it is looked for them.
#[cfg(not(unix))]
fn listen(stop: Stop, first: Arc<AtomicUsize>) -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register_usize(signal, Arc::clone(&first), signal as usize)?;
    }
    let look = move || {
        while first.load(Ordering::SeqCst) == 0 {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        stop.set();
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(look).map(drop)
}
