//! Fair *shares*: the target with the least time so far is the next one, and no target is on two cores.

use std::time::Duration;

/// Slices are not shorter than this, unless the time is too short for them.
const SHORTEST: Duration = Duration::from_secs(30);

/// Slices are not longer than this, so that a stop loses little and every target is seen soon.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// No slice is shorter than this: libFuzzer counts whole seconds.
pub(super) const LEAST: Duration = Duration::from_secs(1);

/// Where less is left of a slice or of the night, no run is worth its start.
pub(super) const WORTHWHILE: Duration = Duration::from_millis(500);

/// How long a slice is, where nobody says so: such that each target has two of them, within bounds; but never so
/// long that a target has none.
pub(super) fn slice(time: Duration, targets: usize, jobs: usize, wanted: Option<Duration>) -> Duration {
    let (targets, jobs) = (targets.max(1) as u32, jobs.max(1) as u32);
    let one_each = time.saturating_mul(jobs) / targets;
    let usual = (one_each / 2).clamp(SHORTEST, LONGEST);
    wanted.unwrap_or(usual).min(one_each).max(LEAST)
}

/// Who is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// The target of this index.
    Target(usize),
    /// None before this time.
    At(Duration),
    /// All of them run.
    AllRun,
}

/// The time that each target has had. All times count from the beginning of the night.
#[derive(Clone, Debug)]
pub(super) struct Shares(Vec<Share>);

#[derive(Clone, Copy, Debug)]
struct Share {
    taken: Duration,
    /// When the last slice began, and when it is over.
    slice: (Duration, Duration),
    runs: bool,
}

impl Shares {
    /// The targets in the order of the table, with what each has had.
    pub(super) fn new(taken: impl IntoIterator<Item = Duration>) -> Self {
        let share = |taken| Share { taken, slice: (Duration::ZERO, Duration::ZERO), runs: false };
        Self(taken.into_iter().map(share).collect())
    }

    /// Who is next on a free core. A target that ended early waits until its slice is over.
    pub(super) fn next(&self, now: Duration) -> Next {
        let waiting = || self.0.iter().enumerate().filter(|(_, share)| !share.runs);
        let free = waiting().filter(|(_, share)| share.slice.1 <= now);
        match free.min_by_key(|(_, share)| share.taken) {
            Some((index, _)) => Next::Target(index),
            None => waiting().map(|(_, share)| share.slice.1).min().map_or(Next::AllRun, Next::At),
        }
    }

    /// The target begins a slice that has so much time.
    pub(super) fn begin(&mut self, index: usize, now: Duration, given: Duration) {
        if let Some(share) = self.0.get_mut(index) {
            (share.slice, share.runs) = ((now, now + given), true);
        }
    }

    /// The target's slice has ended; gives what it has had by now. A slice counts whole where it ended early: else a
    /// target that cannot run would be next for ever.
    pub(super) fn end(&mut self, index: usize, now: Duration) -> Duration {
        let Some(share) = self.0.get_mut(index) else { return Duration::ZERO };
        share.taken += now.max(share.slice.1).saturating_sub(share.slice.0);
        share.runs = false;
        share.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn a_slice_is_half_a_share_within_bounds() {
        let of = |time, targets, jobs| slice(seconds(time), targets, jobs, None).as_secs();
        assert_eq!(of(8 * 3600, 11, 2), 900);
        assert_eq!(of(3600, 11, 2), 327);
        assert_eq!(of(600, 11, 2), 54);
        assert_eq!(of(60, 2, 1), 30);
    }

    #[test]
    fn each_target_gets_a_slice_however_short_the_time_is() {
        assert_eq!(slice(seconds(60), 11, 2, None), seconds(120) / 11);
        assert_eq!(slice(seconds(60), 6, 1, Some(seconds(60))), seconds(10));
        assert_eq!(slice(seconds(60), 6, 1, Some(seconds(4))), seconds(4));
        assert_eq!(slice(seconds(2), 11, 1, None), LEAST);
    }

    #[test]
    fn the_target_with_the_least_time_is_next_and_ties_go_by_the_table() {
        let mut shares = Shares::new([30, 10, 10, 40].map(seconds));
        let now = seconds(5);
        assert_eq!(shares.next(now), Next::Target(1));
        shares.begin(1, now, seconds(10));
        assert_eq!(shares.next(now), Next::Target(2));
        shares.begin(2, now, seconds(10));
        assert_eq!(shares.next(now), Next::Target(0));
        assert_eq!(shares.end(1, seconds(15)), seconds(20));
        assert_eq!(shares.next(seconds(15)), Next::Target(1));
    }

    #[test]
    fn nobody_is_on_two_cores() {
        let mut shares = Shares::new([seconds(0), seconds(0)]);
        for index in [0, 1] {
            assert_eq!(shares.next(seconds(0)), Next::Target(index));
            shares.begin(index, seconds(0), seconds(10));
        }
        assert_eq!(shares.next(seconds(3)), Next::AllRun);
    }

    #[test]
    fn who_ends_early_waits_until_the_slice_is_over_and_has_had_it_whole() {
        let mut shares = Shares::new([seconds(0), seconds(100)]);
        shares.begin(0, seconds(0), seconds(10));
        assert_eq!(shares.end(0, seconds(1)), seconds(10));
        assert_eq!(shares.next(seconds(1)), Next::Target(1));
        shares.begin(1, seconds(1), seconds(10));
        assert_eq!(shares.next(seconds(2)), Next::At(seconds(10)));
        assert_eq!(shares.next(seconds(10)), Next::Target(0));
        // Who takes longer has had that.
        assert_eq!(shares.end(1, seconds(15)), seconds(114));
    }

    #[test]
    fn over_a_night_all_get_the_same_within_a_slice() {
        let mut shares = Shares::new([seconds(0); 11]);
        let mut taken = [0_u64; 11];
        let mut now = 0;
        while now < 3600 {
            let mut running = Vec::new();
            while running.len() < 2 {
                let Next::Target(index) = shares.next(seconds(now)) else { panic!("all wait") };
                shares.begin(index, seconds(now), seconds(30));
                running.push(index);
            }
            now += 30;
            for index in running {
                shares.end(index, seconds(now));
                taken[index] += 30;
            }
        }
        let (least, most) = (taken.iter().min().unwrap_or(&0), taken.iter().max().unwrap_or(&0));
        assert!(*least > 600 && most - least <= 30, "{taken:?}");
    }
}
