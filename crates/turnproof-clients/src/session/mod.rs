//! *Sessions* are files that a client resumes: generated ones, most of them damaged. What comes back is held against what
//! the file holds.

mod marks;
mod plain;
mod ways;

use std::fs;
use std::io;
use std::path::Path;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};
use turnproof_mock::{Exchange, Script};
use turnproof_suite::fuzzing::reduce;
use turnproof_suite::scenario::{Profile, SESSION_DAMAGES, Scenario};
use turnproof_suite::subject::Stop;

use crate::breach::{Breach, Outcome, last_words, of_exchange, request, without_numbers};
use crate::client::Client;
use crate::deck::{Deck, PlayError};
use crate::play::{CaseOutcome, Round, Stage};
use crate::process::Ending;
use marks::{PROMPT_MARK, REPLY_MARK, comes_back, lost};
use plain::plain;
use ways::WAYS;

/// A session that is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct SessionCase {
    /// What was done to it; empty where nothing was.
    pub damage: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A session in a file of JSON: its lines, or base64 where they are no text.
#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    damage: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lines: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    base64: String,
}

impl From<SessionCase> for Written {
    fn from(case: SessionCase) -> Self {
        match String::from_utf8(case.bytes) {
            Ok(text) => {
                let lines = text.split_inclusive('\n').map(str::to_owned).collect();
                Self { damage: case.damage, lines, base64: String::new() }
            }
            Err(error) => {
                Self { damage: case.damage, lines: Vec::new(), base64: BASE64_STANDARD.encode(error.into_bytes()) }
            }
        }
    }
}

impl From<Written> for SessionCase {
    fn from(written: Written) -> Self {
        let bytes = match written.base64.is_empty() {
            true => written.lines.concat().into_bytes(),
            false => BASE64_STANDARD.decode(written.base64).unwrap_or_default(),
        };
        Self { damage: written.damage, bytes }
    }
}

/// The deck of sessions.
#[derive(Debug)]
pub struct Sessions {
    client: Client,
    stop: Stop,
}

/// What the client is asked to do with a session.
const PROMPT: &str = "Prompt of the resumed session: please go on.";

/// How many generated sessions are looked at for one to which a damage can happen.
const LOOKED_AT: u64 = 40;

impl Sessions {
    /// The sessions that a client resumes.
    pub const fn new(client: Client, stop: Stop) -> Self {
        Self { client, stop }
    }

    /// What a resume of these bytes comes to.
    fn resumed(&self, bytes: &[u8]) -> Result<Round, PlayError> {
        let stage = Stage::new(&self.client, Script::default())?;
        let file = stage.session(bytes)?;
        let command = &self.client.manifest.resume;
        let round = stage.round(&self.client, command, PROMPT.to_owned(), &file, &self.stop)?;
        if round.ended.how == Ending::Stopped { Err(PlayError::Stopped) } else { Ok(round) }
    }
}

impl Deck for Sessions {
    type Case = SessionCase;

    fn client(&self) -> &Client {
        &self.client
    }

    fn draw(&self, seed: u64, number: u64) -> SessionCase {
        drawn(seed, number)
    }

    fn play(&self, case: &SessionCase) -> Result<CaseOutcome, PlayError> {
        let round = self.resumed(&case.bytes)?;
        let mut found = wrong(&case.bytes, &round);
        // A request that is refused says itself what is wrong; what is lost is another thing after each damage.
        for breach in found.iter_mut().filter(|breach| breach.key.outcome != Outcome::Refused) {
            breach.key.damage.clone_from(&case.damage);
        }
        Ok(CaseOutcome { breaches: found, is_partial: false })
    }

    fn smallest(&self, case: &SessionCase, tries: usize, shows: &mut dyn FnMut(&SessionCase) -> bool) -> SessionCase {
        let mut is_so = |bytes: &[u8]| {
            let case = SessionCase { damage: case.damage.clone(), bytes: bytes.to_vec() };
            if self.stop.is_set() { None } else { Some(shows(&case)) }
        };
        let reduced = reduce(&case.bytes, tries, &mut is_so);
        SessionCase { damage: case.damage.clone(), bytes: reduced.bytes }
    }

    fn size(&self, case: &SessionCase) -> String {
        let records = case.bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
        format!("{records} record{}", if records == 1 { "" } else { "s" })
    }

    fn text(&self, case: &SessionCase) -> String {
        let lines = String::from_utf8_lossy(&case.bytes).into_owned();
        let cut = |line: &str| match line.char_indices().nth(LINE) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line.to_owned(),
        };
        lines.lines().map(cut).collect::<Vec<_>>().join("\n")
    }

    fn write_beside(&self, case: &SessionCase, file: &Path) -> io::Result<()> {
        fs::write(file.with_extension("jsonl"), &case.bytes)
    }
}

/// How much of a line is shown to people.
const LINE: usize = 200;

/// What is done to sessions, in the order of the cases: nothing first, which has no name.
pub fn damages() -> impl Iterator<Item = &'static str> {
    let ways = WAYS.iter().map(|way| way.name);
    std::iter::once("").chain(ways).chain(SESSION_DAMAGES.iter().map(|damage| damage.name))
}

/// The session of this number: each damage in its turn.
fn drawn(seed: u64, number: u64) -> SessionCase {
    let count = damages().count();
    let (turn, round) = ((number % count as u64) as usize, number / count as u64);
    let named = |damage: &str, bytes: Vec<u8>| SessionCase { damage: damage.to_owned(), bytes };
    // One round in four has sessions of all kinds.
    let is_plain = round % 4 != 3;
    let base = |case: u64| match is_plain {
        // The smallest to which it can happen show a mistake best.
        true => plain(seed, case, case / count as u64),
        false => Scenario::from_seed(seed, case, Profile::Causal).transcript(),
    };
    let cases = (number..).step_by(count).take(LOOKED_AT as usize);
    let at = |start: usize| turn.checked_sub(start);
    if let Some(way) = at(1).and_then(|at| WAYS.get(at)) {
        let damaged = cases.clone().find_map(|case| way.apply(&base(case), seed, case));
        return damaged.map_or_else(|| named("", base(number)), |bytes| named(way.name, bytes));
    }
    if let Some(damage) = at(1 + WAYS.len()).and_then(|at| SESSION_DAMAGES.get(at)) {
        let kinds = cases.map(|case| (case, base(case)));
        let rare = (0..LOOKED_AT).map(|case| (case, Scenario::from_seed(seed, case, Profile::Causal).transcript()));
        let damaged = kinds.chain(rare).find_map(|(case, bytes)| damage.damage(&bytes, seed.wrapping_add(case)));
        return damaged.map_or_else(|| named("", base(number)), |bytes| named(damage.name, bytes));
    }
    named("", base(number))
}

/// What is wrong with what a client makes of a session.
fn wrong(bytes: &[u8], round: &Round) -> Vec<Breach> {
    let back = comes_back(bytes);
    let asked: Vec<&Exchange> = round.seen.iter().filter(|exchange| !exchange.verdicts.is_empty()).collect();
    if asked.is_empty() {
        // Where nothing comes back, a client has nothing to go on with.
        return of_silence(round).filter(|_| back.messages > 0).into_iter().collect();
    }
    let taken: Vec<&&Exchange> = asked.iter().filter(|exchange| exchange.is_legal()).collect();
    if taken.is_empty() {
        return asked.first().map(|exchange| of_exchange(exchange)).unwrap_or_default().into_iter().take(1).collect();
    }
    let sent: Vec<String> = taken.iter().filter_map(|exchange| Some(request(exchange)?.to_string())).collect();
    let lost = lost(&back, &sent);
    if lost.is_empty() {
        return Vec::new();
    }
    let is_lost = |of: &str| lost.iter().any(|(lost, _)| *lost == of);
    let kind = match (is_lost(PROMPT_MARK), is_lost(REPLY_MARK)) {
        (true, _) => "lost-prompt",
        (false, true) => "lost-reply",
        (false, false) => "lost-result",
    };
    let lost = lost.iter().map(|(of, marks)| format!("{of} ({})", marks.join(", "))).collect::<Vec<_>>();
    let found = format!("in no request, and brought back by the file: {}", lost.join(", "));
    vec![Breach::of_client(Outcome::Loses, "comes-back", kind, found)]
}

/// What it is that nothing is asked.
fn of_silence(round: &Round) -> Option<Breach> {
    let said = last_words(&round.ended.said);
    match &round.ended.how {
        Ending::TimeOver => Some(Breach::of_client(Outcome::Hangs, "resumes", "time-over", "it does not end")),
        Ending::Stopped => None,
        Ending::Well | Ending::Failed(_) => {
            let found = format!("it asks nothing{said}");
            let mut breach = Breach::of_client(Outcome::Dies, "resumes", "no-request", found);
            breach.key.at = without_numbers(&said);
            Some(breach)
        }
    }
}
