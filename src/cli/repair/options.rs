//! The *options* that give something up or change what nobody objects to, and which of them helps where a repair does
//! not.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;

use super::super::Failure;
use crate::check::{Acceptance, Verdict, folder_of};
use turnproof_reference::repair::{Asked, Dropped, Refusal};
use turnproof_reference::transcript::Transcript;

#[derive(Args)]
pub(super) struct OnDemand {
    /// Put a text in the place of these blocks: media, thinking, server-tools or references; of one tool with =NAME
    #[arg(long, value_name = "WHAT")]
    drop: Vec<Dropped>,
    /// Keep at most so many bytes of each text of a result: its beginning and its end
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(100..))]
    shrink_results: Option<u32>,
    /// Let the branch with the record of this line be the end of the conversation
    #[arg(long, value_name = "LINE")]
    take: Option<u64>,
    /// Give each record the id of the session
    #[arg(long)]
    one_session_id: bool,
    /// Give the records another directory, in the place of the one that the session began in
    #[arg(long, value_name = "FOLDER")]
    move_to: Option<PathBuf>,
}

impl OnDemand {
    /// What is asked of the repair of a session with this id.
    pub(super) fn asked(&self, session: Option<&str>) -> Vec<Asked> {
        let mut asked: Vec<Asked> = self.take.map(Asked::Take).into_iter().collect();
        asked.extend(self.drop.iter().cloned().map(Asked::Drop));
        asked.extend(self.shrink_results.map(|most| Asked::ShrinkResults(most as usize)));
        asked.extend(session.filter(|_| self.one_session_id).map(|id| Asked::OneSessionId(id.to_owned())));
        asked.extend(self.move_to.as_ref().map(|folder| Asked::MoveTo(folder.display().to_string())));
        asked
    }

    /// The folder in which the client looks for a session of the directory that is asked for.
    pub(super) fn folder(&self) -> Option<String> {
        Some(folder_of(&self.move_to.as_ref()?.display().to_string()))
    }

    /// A line is one of one file, and the client looks for a session under an absolute directory.
    pub(super) fn verify(&self, inputs: usize) -> Result<(), Failure> {
        if self.take.is_some() && inputs > 1 {
            let problem = format!("--take names a line of one session, and these are {inputs}; name one");
            return Err(Failure::Usage(problem));
        }
        match &self.move_to {
            Some(folder) if !folder.is_absolute() => Err(Failure::Usage(format!(
                "--move-to takes the absolute directory in which the client runs, and {} is none",
                folder.display()
            ))),
            _ => Ok(()),
        }
    }
}

/// The options that help where the API refuses a session, or may: none where none is known.
pub(super) fn helpful(verdict: &Verdict) -> Vec<String> {
    let refused = match &verdict.acceptance {
        Acceptance::Refused(refusals) => &refusals[..],
        _ => &[],
    };
    let told = verdict.api_error.iter().map(|told| ("", told.error.as_str()));
    options(refused.iter().map(said).chain(told))
}

/// The options that help if the API refuses what it may refuse.
pub(super) fn helpful_if_refused(verdict: &Verdict) -> Vec<String> {
    options(verdict.doubts.iter().map(said))
}

fn said(refusal: &Refusal) -> (&str, &str) {
    (refusal.rule, &refusal.error)
}

fn options<'a>(refused: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    let options: BTreeSet<String> = refused.filter_map(|(rule, error)| of(rule, error)).collect();
    options.into_iter().collect()
}

/// The option that helps against a refusal, by the rule that is broken or by what the API says.
fn of(rule: &str, error: &str) -> Option<String> {
    let says = |parts: &[&str]| parts.iter().any(|part| error.contains(part));
    if let Some((_, rest)) = error.split_once("Tool reference '")
        && let Some((name, _)) = rest.split_once('\'')
    {
        return Some(format!("--drop references={name}"));
    }
    let option = match rule {
        // It lists all types of blocks.
        _ if says(&["Input tag"]) => return None,
        "api/media-limits" | "api/readable-documents" => "--drop media",
        "api/request-size" => "--shrink-results 20000",
        "api/tool-references" => "--drop references",
        "pairing/server-tools" => "--drop server-tools",
        _ if rule.starts_with("thinking/") || says(&["thinking` block", "thinking block"]) => "--drop thinking",
        _ if says(&["prompt is too long", "Prompt is too long", "request_too_large"]) => "--shrink-results 20000",
        _ if says(&["dvisor tool result", "advisor_tool_result"]) => "--drop server-tools=advisor",
        _ if says(&["server_tool_use", "_tool_result` block"]) => "--drop server-tools",
        _ if says(&["mage", "PDF", "document"]) => "--drop media",
        _ => return None,
    };
    Some(option.to_owned())
}

/// How many session ids the records of a file name.
pub(super) fn session_ids(transcript: &Transcript) -> usize {
    let named = transcript.records().filter_map(|record| Some(record.text(record.head.session?).into_owned()));
    named.collect::<BTreeSet<_>>().len()
}
