//! *Versions* of a client resume sessions, most of them damaged: what each damage comes to in each version.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turnproof_clients::{Breach, Client, Deck, Outcome, Sessions, damages};
use turnproof_suite::subject::Stop;

use super::result::word;
use crate::{Arguments, Failure};

/// So many sessions of each damage are resumed. They are the same for all versions.
const ROUNDS: u64 = 2;

const SEED: u64 = 1;

/// What has come of the sessions, in a file beside the kept ones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Versions {
    /// The package.
    package: String,
    /// The day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// For each version, what has come of each damage.
    versions: Vec<Version>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Version {
    version: String,
    damages: BTreeMap<String, Resumed>,
}

/// What has come of the sessions with one damage.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Resumed {
    /// How many were resumed.
    played: u64,
    /// How many of them came to what is wrong, in two runs of two.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    wrong: BTreeMap<Outcome, u64>,
}

/// The clients of these versions, in the place of those that are pinned.
pub(super) fn of_versions(clients: Vec<Client>, versions: &[String]) -> Vec<Client> {
    let resumes = |client: &Client| !client.manifest.resume.is_empty();
    let each = |client: Client| versions.iter().map(move |version| client.clone().of_version(version));
    clients.into_iter().filter(resumes).flat_map(each).collect()
}

/// Lets a version of a client resume all sessions, and keeps what comes of it.
pub(super) fn judge(client: Client, arguments: &Arguments, stop: &Stop) -> Result<(), Failure> {
    let path = file(&arguments.kept_clients, &client.name);
    let mut all = Versions::read(&path)?.unwrap_or_default();
    all.package.clone_from(&client.manifest.package);
    all.date.clone_from(&arguments.date);
    let version = client.manifest.version.clone();
    let deck = Sessions::new(client, stop.clone());
    let mut damages_of_it: BTreeMap<String, Resumed> = BTreeMap::new();
    let count = damages().count() as u64;
    for number in 0..ROUNDS * count {
        let case = deck.draw(SEED, number);
        let first = deck.play(&case)?.breaches;
        let second = if first.is_empty() { Vec::new() } else { deck.play(&case)?.breaches };
        let is_shown_again = |breach: &&Breach| second.iter().any(|other| other.key == breach.key);
        let worst = first.iter().filter(is_shown_again).map(|breach| breach.key.outcome).max();
        let resumed = damages_of_it.entry(case.damage).or_default();
        resumed.played += 1;
        if let Some(worst) = worst {
            *resumed.wrong.entry(worst).or_default() += 1;
        }
    }
    all.versions.retain(|other| other.version != version);
    all.versions.push(Version { version, damages: damages_of_it });
    all.versions.sort_by_cached_key(|version| numbers(&version.version));
    fs::write(&path, serde_json::to_string_pretty(&all).map_err(io::Error::from)? + "\n")?;
    writeln!(io::stdout(), "written to {}", path.display())?;
    Ok(())
}

fn file(kept: &Path, name: &str) -> PathBuf {
    kept.join("sessions").join(format!("{name}.json"))
}

/// The numbers of a version, so that 2.1.100 is behind 2.1.20.
fn numbers(version: &str) -> Vec<u64> {
    version.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

impl Versions {
    fn read(path: &Path) -> Result<Option<Self>, Failure> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes).map_err(io::Error::from)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What was kept of a client, if its versions were judged.
    pub(super) fn of(kept: &Path, name: &str) -> Result<Option<Self>, Failure> {
        Self::read(&file(kept, name))
    }

    /// The table of damages and versions.
    pub(super) fn table(&self) -> String {
        let on = self.date.as_deref().map_or(String::new(), |day| format!("On {day}: "));
        let mut text = format!(
            "\nBy version of `{}`. {on}{ROUNDS} sessions of each damage, the same for\nall versions. A cell holds the \
             worst that comes of them, where two runs show it, and of how many.\n\n| what was done |",
            self.package
        );
        self.versions.iter().for_each(|version| _ = write!(text, " {} |", version.version));
        text.push_str("\n|---|");
        self.versions.iter().for_each(|_| text.push_str("---|"));
        text.push('\n');
        for damage in damages() {
            let cells: Vec<&Resumed> = self.versions.iter().filter_map(|version| version.damages.get(damage)).collect();
            if cells.len() < self.versions.len() {
                continue;
            }
            _ = write!(text, "| {} |", if damage.is_empty() { "nothing" } else { damage });
            cells.iter().for_each(|cell| _ = write!(text, " {} |", cell.words()));
            text.push('\n');
        }
        text
    }
}

impl Resumed {
    fn words(&self) -> String {
        match self.wrong.last_key_value() {
            Some((&outcome, count)) if *count == self.played => word(outcome).to_owned(),
            Some((&outcome, count)) => format!("{}, {count} of {}", word(outcome), self.played),
            None => word(Outcome::Right).to_owned(),
        }
    }
}
