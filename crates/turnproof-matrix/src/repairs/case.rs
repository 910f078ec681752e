//! A *case* is a session before and after one or two injuries.

use turnproof::check::{Class, verdict};
use turnproof::scenario::{INJURIES, Injury, Profile, Scenario};
use turnproof::transcript::Transcript;

/// The fewest messages of a session.
const FEWEST: u64 = 8;

/// So many sessions are injured.
const SESSIONS: usize = 120;

/// A session, whole and damaged.
pub struct Case {
    /// The injuries: one, or two in the order in which they happened.
    pub injuries: Vec<&'static str>,
    /// The number of the session among those of the seed.
    pub session: u64,
    pub whole: Vec<u8>,
    pub damaged: Vec<u8>,
}

/// Each injury alone, to as many sessions, then each pair of two to one session. Only what is damage counts.
pub fn cases(seed: u64, of_each: usize) -> Vec<Case> {
    let sessions = sessions(seed);
    let mut cases = Vec::new();
    for (at, injury) in INJURIES.iter().enumerate() {
        let tried = sessions.iter().cycle().skip(at * 7).take(sessions.len());
        cases.extend(tried.filter_map(|session| injured(session, &[injury], seed)).take(of_each));
    }
    for (at, first) in INJURIES.iter().enumerate() {
        for (other, second) in INJURIES.iter().enumerate().skip(at + 1) {
            let mut tried = sessions.iter().cycle().skip(at * 7 + other).take(sessions.len());
            cases.extend(tried.find_map(|session| injured(session, &[first, second], seed)));
        }
    }
    cases
}

/// Records at which the official reader stops in a session that is whole.
const STOPS: [&[u8]; 2] = [br#""type":"hook_result""#, br#""subtype":"local_command""#];

/// Healthy sessions of some length that readers agree on, each with its number.
fn sessions(seed: u64) -> Vec<(u64, Vec<u8>)> {
    let all = (0..).map(|case| (case, Scenario::from_seed(seed, case, Profile::Causal).transcript()));
    let is_fit = |(_, file): &(u64, Vec<u8>)| {
        let verdict = verdict(&Transcript::from_bytes(file.clone()));
        let has = |part: &[u8]| file.windows(part.len()).any(|window| window == part);
        verdict.class == Class::Healthy && verdict.comes_back >= FEWEST && !STOPS.into_iter().any(has)
    };
    all.filter(is_fit).take(SESSIONS).collect()
}

fn injured((number, whole): &(u64, Vec<u8>), injuries: &[&Injury], seed: u64) -> Option<Case> {
    let mut damaged = whole.clone();
    for (at, injury) in (0..).zip(injuries) {
        damaged = injury.injure(&damaged, seed.wrapping_mul(1_000_003) + number * 2 + at)?;
    }
    let class = verdict(&Transcript::from_bytes(damaged.clone())).class;
    let injuries = injuries.iter().map(|injury| injury.name).collect();
    class.is_broken().then(|| Case { injuries, session: *number, whole: whole.clone(), damaged })
}
