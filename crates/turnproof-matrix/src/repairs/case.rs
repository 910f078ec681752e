//! A *case* is a session before and after one or two damages.

use turnproof::check::verdict;
use turnproof_reference::repair::refused_as_stored;
use turnproof_reference::transcript::Transcript;
use turnproof_suite::scenario::{Profile, SESSION_DAMAGES, Scenario, SessionDamage};

/// The fewest messages of a session.
const FEWEST: u64 = 8;

/// So many sessions are damaged.
const SESSIONS: usize = 120;

/// A session, whole and damaged.
pub(crate) struct Case {
    /// The damages: one, or two in the order in which they happened.
    pub damages: Vec<&'static str>,
    /// The number of the session among those of the seed.
    pub session: u64,
    pub whole: Vec<u8>,
    pub damaged: Vec<u8>,
}

/// Each damage alone, to as many sessions, then each pair of two to one session. Only what is damage counts.
pub(super) fn cases(seed: u64, of_each: usize) -> Vec<Case> {
    let sessions = sessions(seed);
    let mut cases = Vec::new();
    for (at, damage) in SESSION_DAMAGES.iter().enumerate() {
        let tried = sessions.iter().cycle().skip(at * 7).take(sessions.len());
        cases.extend(tried.filter_map(|session| damaged(session, &[damage], seed)).take(of_each));
    }
    for (at, first) in SESSION_DAMAGES.iter().enumerate() {
        for (other, second) in SESSION_DAMAGES.iter().enumerate().skip(at + 1) {
            let mut tried = sessions.iter().cycle().skip(at * 7 + other).take(sessions.len());
            cases.extend(tried.find_map(|session| damaged(session, &[first, second], seed)));
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
        let has = |part: &[u8]| file.windows(part.len()).any(|window| window == part);
        let transcript = Transcript::from_bytes(file.clone());
        !is_broken(&transcript) && verdict(&transcript).comes_back >= FEWEST && !STOPS.into_iter().any(has)
    };
    all.filter(is_fit).take(SESSIONS).collect()
}

fn damaged((number, whole): &(u64, Vec<u8>), damages: &[&SessionDamage], seed: u64) -> Option<Case> {
    let mut damaged = whole.clone();
    for (at, damage) in (0..).zip(damages) {
        damaged = damage.damage(&damaged, seed.wrapping_mul(1_000_003) + number * 2 + at)?;
    }
    let damages = damages.iter().map(|damage| damage.name).collect();
    is_broken(&Transcript::from_bytes(damaged.clone())).then(|| Case {
        damages,
        session: *number,
        whole: whole.clone(),
        damaged,
    })
}

/// Whether there is something to repair: for a reader, or for a host that gets the conversation as it is stored.
fn is_broken(transcript: &Transcript) -> bool {
    verdict(transcript).class.is_broken() || refused_as_stored(transcript).is_some()
}
