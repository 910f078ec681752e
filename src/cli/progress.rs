//! *Progress* of long work: a bar on standard error, where that is a terminal.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar that shows itself when the work turns out to be long.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: AtomicBool,
    on_terminal: bool,
}

impl Progress {
    /// Progress towards `total` bytes.
    pub(super) fn new(total: u64) -> Self {
        Self::styled(total, "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
    }

    /// Progress towards `total` cases; `None` when the time decides how many there are.
    pub(super) fn of_cases(total: Option<u64>) -> Self {
        Self::of(total, "cases")
    }

    /// Progress towards `total` inputs.
    pub(super) fn of_inputs(total: Option<u64>) -> Self {
        Self::of(total, "inputs")
    }

    fn of(total: Option<u64>, what: &str) -> Self {
        match total {
            Some(total) => {
                Self::styled(total, &format!("{{wide_bar}} {{human_pos}}/{{human_len}} {what} {{per_sec}} {{eta}}"))
            }
            None => Self::styled(0, &format!("{{human_pos}} {what} {{per_sec}} {{elapsed}}")),
        }
    }

    fn styled(total: u64, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, started: Instant::now(), shown: AtomicBool::new(false), on_terminal: io::stderr().is_terminal() }
    }

    pub(super) fn add(&self, amount: u64) {
        self.bar.inc(amount);
        if self.on_terminal && !self.shown.load(Ordering::Relaxed) && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown.store(true, Ordering::Relaxed);
        }
    }

    /// Writes something else without tearing the bar.
    pub(super) fn suspend<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
