//! The *summary* of a resume: what was done beyond following parents.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::report::count;
use turnproof_reference::transcript::resume::{NotFound, Note, Place, Resume};

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
    let place = |place: &Place| json!({"line": place.line, "start": place.start, "end": place.end});
    let note = |note: &Note| json!({"kind": note.kind.name(), "line": note.line, "start": note.start, "text": note.to_string()});
    let list = |elements: Vec<Value>| elements.iter().map(|it| format!("\n{it}")).collect::<Vec<_>>().join(",");
    let (places, notes) = (resume.places.iter().map(place).collect(), resume.notes.iter().map(note).collect());
    writeln!(
        out,
        "{{\"file\":{},\"records\":{},\"places\":[{}],\n\"notes\":[{}],\n\"not_found\":{}}}",
        json!(surveyed.input.name),
        surveyed.survey.records(),
        list(places),
        list(notes),
        json!(why)
    )?;
    out.flush()?;
    Ok(if why.is_none() { Exit::Held } else { Exit::Broken })
}
