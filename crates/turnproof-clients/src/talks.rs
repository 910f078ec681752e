//! *Talks* are conversations that are played to a client: prompts, and replies of a model.

use turnproof_suite::smallest::smallest;
use turnproof_suite::subject::Stop;

use crate::client::Client;
use crate::deck::{Deck, PlayError};
use crate::plan::plan;
use crate::play::{Case, CaseOutcome, play};
use crate::simpler::{bare, simpler};

/// The deck of talks.
#[derive(Debug)]
pub struct Talks {
    client: Client,
    stop: Stop,
}

impl Talks {
    /// The talks with a client.
    pub const fn new(client: Client, stop: Stop) -> Self {
        Self { client, stop }
    }
}

impl Deck for Talks {
    type Case = Case;

    fn client(&self) -> &Client {
        &self.client
    }

    fn draw(&self, seed: u64, number: u64) -> Case {
        plan(seed, number)
    }

    fn play(&self, case: &Case) -> Result<CaseOutcome, PlayError> {
        play(&self.client, case, &self.stop)
    }

    fn smallest(&self, case: &Case, tries: usize, shows: &mut dyn FnMut(&Case) -> bool) -> Case {
        smallest(case.clone(), tries, simpler, shows)
    }

    fn size(&self, case: &Case) -> String {
        let blocks: usize = case.script.steps.iter().map(|step| step.blocks.len()).sum();
        let plural = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let of = [(case.prompts, "prompt"), (case.script.steps.len(), "answer"), (blocks, "block")];
        of.map(|(count, what)| plural(count, what)).join(", ")
    }

    fn text(&self, case: &Case) -> String {
        let steps = case.script.steps.iter().enumerate();
        let step = |(number, step)| format!("answer {}: {}", number + 1, bare(step));
        steps.map(step).collect::<Vec<_>>().join("\n")
    }
}
