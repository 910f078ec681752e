//! A *result* is what a client has come to in each situation, as a file beside its kept cases.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use turnproof_clients::{Breach, Client, Outcome};

/// A client that was judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Judged {
    /// The name of its folder.
    pub name: String,
    /// The package and the version.
    pub title: String,
    /// What it is built on.
    pub family: String,
    /// What it cannot, and what else has to be known of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cannot: String,
    /// The day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What has come of each situation, by its name.
    pub outcomes: BTreeMap<String, Outcomes>,
}

/// What has come of a situation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outcomes {
    /// What two runs have shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<Mistake>,
    /// How many mistakes only one of two runs has shown.
    #[serde(default, skip_serializing_if = "is_none")]
    pub unconfirmed: usize,
    /// Whether its requests do not allow what the situation says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// A mistake, and the file of its smallest case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mistake {
    /// What is wrong.
    #[serde(flatten)]
    pub breach: Breach,
    /// The file, in the folder of the client.
    pub file: String,
}

impl Judged {
    pub(crate) fn of(client: &Client, date: Option<String>) -> Self {
        let manifest = &client.manifest;
        Self {
            name: client.name.clone(),
            title: client.title(),
            family: manifest.family.clone(),
            cannot: manifest.cannot.clone(),
            date,
            outcomes: BTreeMap::new(),
        }
    }

    /// All mistakes, each with its situation.
    pub(crate) fn mistakes(&self) -> impl Iterator<Item = (&str, &Mistake)> {
        self.outcomes.iter().flat_map(|(situation, outcomes)| {
            outcomes.mistakes.iter().map(move |mistake| (situation.as_str(), mistake))
        })
    }

    /// Writes it beside the folder of its cases.
    pub(crate) fn save(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join(format!("{}.json", self.name)), serde_json::to_string_pretty(self)? + "\n")
    }

    /// All that were judged, by name.
    pub(crate) fn all(folder: &Path) -> io::Result<Vec<Self>> {
        let mut judged = Vec::new();
        let Ok(entries) = fs::read_dir(folder) else { return Ok(judged) };
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                judged.push(serde_json::from_slice::<Self>(&fs::read(&path)?)?);
            }
        }
        judged.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(judged)
    }
}

/// The ends of the names of rules on what comes back, and comes back otherwise.
const CHANGES: [&str; 5] = ["order", "changed", "split", "invented", "thinking-bound"];

impl Mistake {
    /// Whether nothing is lost by it.
    fn is_a_change(&self) -> bool {
        CHANGES.iter().any(|end| self.breach.key.rule.ends_with(end))
    }
}

impl Outcomes {
    /// The worst of its mistakes.
    pub(crate) fn worst(&self) -> Option<&Mistake> {
        self.mistakes.iter().max_by_key(|mistake| mistake.breach.key.outcome)
    }

    /// In one word, for a cell.
    pub(crate) fn word(&self) -> &'static str {
        match self.worst() {
            None => word(Outcome::Right),
            Some(mistake) if mistake.breach.key.outcome == Outcome::Loses && mistake.is_a_change() => "changes",
            Some(mistake) => word(mistake.breach.key.outcome),
        }
    }
}

/// An outcome in one word, for a cell.
pub(super) const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Right => "right",
        Outcome::Behaves => "retries",
        Outcome::Loses => "loses",
        Outcome::Refused => "refused",
        Outcome::Dies => "dies",
        Outcome::Hangs => "hangs",
    }
}
