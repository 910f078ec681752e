//! `turnproof check --verdict`: what becomes of each session alone.

use std::io::Write;

use crate::check::verdicts;
use crate::report::{Format, ROOM, note_lines, verdict_line, verdict_page};

use super::names_no_session;
use crate::cli::sessions::Sessions;
use crate::cli::{Exit, Failure, screen, stdout};

/// Prints the verdicts on sessions. `paths` is what was asked about.
pub(super) fn run(sessions: &Sessions, paths: &[String], format: Format) -> Result<Exit, Failure> {
    if !matches!(format, Format::Human | Format::Json) {
        return Err(Failure::Usage("verdicts alone have no such format: say --format human or json".into()));
    }
    let (judged, errors) = verdicts(&sessions.inputs);
    errors.iter().for_each(|error| eprintln!("turnproof: {error}"));
    let mut out = stdout();
    match format {
        Format::Json => {
            judged.iter().try_for_each(|judged| verdict_line(&mut out, judged))?;
            note_lines(&mut out, &judged)?;
        }
        _ => out.write_all(verdict_page(&judged, paths, ROOM, screen()).as_bytes())?,
    }
    out.flush()?;
    Ok(match sessions.unreadable + errors.len() as u64 {
        0 if judged.iter().any(|judged| judged.verdict.class.is_broken()) => Exit::Broken,
        0 if names_no_session(&judged, paths) => Exit::Usage,
        0 => Exit::Held,
        _ => Exit::Usage,
    })
}
