//! A subagent's conversation stands in the session's file, or in a file of its own beside it.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::check::Input;
use crate::transcript::resume::NotFound;

use super::Surveyed;
use crate::cli::Failure;

/// The subagent's own file, when one is asked for that the session's file does not know.
pub(super) fn elsewhere(main: Surveyed, session: &Path) -> Result<Surveyed, Failure> {
    let Some(agent) = main.options.agent.clone() else { return Ok(main) };
    let is_unknown = matches!(
        main.survey.resume(&main.options),
        Err(NotFound::NoSuchAgent { .. } | NotFound::Empty | NotFound::SideRecordsOnly { .. })
    );
    match own_file(session, &agent).filter(|_| is_unknown) {
        Some(path) => Surveyed::new(Input::file(path), main.options),
        None => Ok(main),
    }
}

/// `<session>/subagents/agent-<ID>.jsonl`, a file of this name below there, or one beside the session.
fn own_file(session: &Path, agent: &str) -> Option<PathBuf> {
    if agent.is_empty() || agent.contains(['/', '\\']) {
        return None;
    }
    let name = format!("agent-{agent}.jsonl");
    let below = WalkDir::new(session.with_extension("").join("subagents")).sort_by_file_name();
    let nested = below.into_iter().flatten().map(walkdir::DirEntry::into_path);
    let mut places: Vec<PathBuf> = nested.filter(|path| path.ends_with(&name)).collect();
    places.sort_by_key(|path| path.components().count());
    places.push(session.with_file_name(&name));
    places.into_iter().find(|path| path.is_file())
}
