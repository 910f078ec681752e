//! *Signals* end what runs until it is told to stop: Ctrl-C, or a request to terminate.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::Failure;

/// What is set when a run is to end soon. A second signal ends it at once.
pub(super) fn stop() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let at_once = flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop));
        let soon = flag::register(signal, Arc::clone(&stop));
        at_once.and(soon).map_err(|error| Failure::Internal(format!("signals cannot be caught: {error}")))?;
    }
    Ok(stop)
}
