//! *Situations* are conversations with one thing each that a model, a host or a network does, and that clients get wrong.
//! They are data, in `situations.toml`.

use serde::Deserialize;
use turnproof_mock::{Script, Step};
use turnproof_suite::subject::Stop;

use crate::client::Client;
use crate::deck::{Deck, PlayError};
use crate::play::{Case, CaseOutcome};
use crate::talks::Talks;

/// Something that happens to clients.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Situation {
    /// Its name, in kebab case.
    pub name: String,
    /// What happens, in words.
    pub what: String,
    /// Whether the API itself does not do it: a gateway does, or it is of tomorrow.
    #[serde(default)]
    pub unusual: bool,
    #[serde(rename = "step")]
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Table {
    situation: Vec<Situation>,
}

impl Situation {
    /// All situations, in the order of the table.
    ///
    /// # Errors
    /// When the table is none, which a test rules out.
    pub fn all() -> Result<Vec<Self>, toml::de::Error> {
        toml::from_str::<Table>(include_str!("situations.toml")).map(|table| table.situation)
    }

    /// The conversation: two prompts, and what the model says.
    pub fn case(&self) -> Case {
        Case { prompts: 2, script: Script { steps: self.steps.clone(), ..Script::default() } }
    }
}

/// The deck of all situations, in the order of the table.
#[derive(Debug)]
pub struct Situations {
    talks: Talks,
    all: Vec<Situation>,
}

impl Situations {
    /// The situations for a client.
    ///
    /// # Errors
    /// When the table is none, which a test rules out.
    pub fn new(client: Client, stop: Stop) -> Result<Self, toml::de::Error> {
        Ok(Self { talks: Talks::new(client, stop), all: Situation::all()? })
    }

    /// Leaves out those that are not chosen.
    pub fn choose(&mut self, is_chosen: impl Fn(&Situation) -> bool) {
        self.all.retain(is_chosen);
    }

    /// Them, each under its number.
    pub fn all(&self) -> &[Situation] {
        &self.all
    }
}

impl Deck for Situations {
    type Case = Case;

    fn client(&self) -> &Client {
        self.talks.client()
    }

    fn draw(&self, _seed: u64, number: u64) -> Case {
        let at = usize::try_from(number).unwrap_or(usize::MAX) % self.all.len().max(1);
        self.all.get(at).map_or_else(|| self.talks.draw(0, number), Situation::case)
    }

    fn play(&self, case: &Case) -> Result<CaseOutcome, PlayError> {
        self.talks.play(case)
    }

    fn smallest(&self, case: &Case, tries: usize, shows: &mut dyn FnMut(&Case) -> bool) -> Case {
        self.talks.smallest(case, tries, shows)
    }

    fn size(&self, case: &Case) -> String {
        self.talks.size(case)
    }

    fn text(&self, case: &Case) -> String {
        self.talks.text(case)
    }
}
