//! The *summary* of a resume: what was done beyond following parents.

use std::io::{self, Write};

use serde_json::json;

use crate::report::count;
use crate::transcript::resume::{NotFound, Note, Resume};

use super::Surveyed;
use crate::cli::{Exit, Failure, stdout};

/// So many notes of one kind are printed.
const PRINTED: usize = 10;

/// Prints on standard error how much comes back, and the notes.
pub(super) fn print(surveyed: &Surveyed, notes: &[Note], comes_back: u64) {
    // A closed standard error has no reader.
    let _ = print_to(&mut io::stderr().lock(), surveyed, notes, comes_back);
}

fn print_to(out: &mut dyn Write, surveyed: &Surveyed, notes: &[Note], comes_back: u64) -> io::Result<()> {
    let mut kinds: Vec<&str> = Vec::new();
    for note in notes {
        if !kinds.contains(&note.kind.name()) {
            kinds.push(note.kind.name());
        }
    }
    for kind in kinds {
        let mut same = notes.iter().filter(|note| note.kind.name() == kind);
        for note in same.by_ref().take(PRINTED) {
            writeln!(out, "turnproof: {note}")?;
        }
        let more = same.count() as u64;
        if more > 0 {
            writeln!(out, "turnproof: … and {} more like the last one", count(more))?;
        }
    }
    let records = count(surveyed.survey.records());
    writeln!(out, "turnproof: {} of {records} records come back", count(comes_back))
}

/// Writes places and notes as one JSON object.
pub(super) fn write_json(surveyed: &Surveyed, found: &Result<Resume, NotFound>) -> Result<Exit, Failure> {
    let nothing = Resume::default();
    let (resume, why) = match found {
        Ok(resume) => (resume, None),
        Err(why) => (&nothing, Some(why.to_string())),
    };
    let mut out = stdout();
    write!(out, "{{\"file\":{},\"records\":{},", json!(surveyed.input.name), surveyed.survey.records())?;
    out.write_all(b"\"places\":[")?;
    for (index, place) in resume.places.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let place = json!({"line": place.line, "start": place.start, "end": place.end});
        write!(out, "{comma}\n{place}")?;
    }
    out.write_all(b"],\n\"notes\":[")?;
    for (index, note) in resume.notes.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let text = note.to_string();
        let note = json!({"kind": note.kind.name(), "line": note.line, "start": note.start, "text": text});
        write!(out, "{comma}\n{note}")?;
    }
    writeln!(out, "],\n\"not_found\":{}}}", json!(why))?;
    out.flush()?;
    Ok(if why.is_none() { Exit::Held } else { Exit::Broken })
}
