//! `turnproof resume --explain`: the chain as a tree.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use crate::report::outline;
use crate::report::tree::{LEGEND, Leaf, Mark, draw};
use turnproof_reference::message::Entry;
use turnproof_reference::transcript::resume::{ExplainedRecord, Fate, Note, NoteKind, Place};
use turnproof_reference::transcript::{Found, Line, Record, Scanner};

use super::{Surveyed, not_found, summary};
use crate::cli::{Exit, Failure, screen, stdout};

pub(super) fn run(surveyed: &Surveyed, is_quiet: bool) -> Result<Exit, Failure> {
    let explained = surveyed.survey.explain(&surveyed.options);
    let remarks = remarks(&explained.notes);
    let leaves: Vec<Leaf> = explained
        .records
        .iter()
        .enumerate()
        .map(|(index, record)| {
            let parent = record.parent.and_then(|parent| explained.records.get(parent as usize));
            Leaf {
                parent: record.parent,
                mark: mark(record.fate),
                is_main: record.is_on_path,
                remark: remark(record, parent, remarks.get(&record.place.start), index == 0),
            }
        })
        .collect();
    let mut file = BufReader::new(surveyed.reopen()?);
    let mut scanner = Scanner::default();
    let width = explained.records.last().map_or(1, |last| last.place.line.to_string().len());
    let mut label = |at: usize| {
        let place = explained.records[at].place;
        let text = label(&mut file, &mut scanner, place)?;
        Ok(format!("{:>width$}  {text}", place.line))
    };
    let mut out = stdout();
    draw(&leaves, screen(), &mut label, &mut out)?;
    if !leaves.is_empty() {
        write!(out, "\n{}", screen().wrap(LEGEND, 0))?;
    }
    out.flush()?;
    if let Some(why) = &explained.not_found {
        return Ok(not_found(&surveyed.input, why));
    }
    if !is_quiet {
        let comes_back = explained.records.iter().filter(|record| comes_back(record.fate)).count() as u64;
        summary::print(surveyed, &explained.notes, comes_back);
    }
    Ok(Exit::Held)
}

fn comes_back(fate: Fate) -> bool {
    matches!(fate, Fate::ComesBack | Fate::PutBack | Fate::Recovered)
}

fn mark(fate: Fate) -> Mark {
    match fate {
        Fate::ComesBack => Mark::Kept,
        Fate::PutBack | Fate::Recovered => Mark::Restored,
        Fate::Withdrawn => Mark::Withdrawn,
        Fate::NoMessage => Mark::Passed,
        Fate::BeforeBoundary | Fate::Left | Fate::Repeated => Mark::Left,
    }
}

/// What is to be said of single records, by their first byte.
fn remarks(notes: &[Note]) -> HashMap<u64, Vec<String>> {
    let mut remarks: HashMap<u64, Vec<String>> = HashMap::new();
    for note in notes {
        let remark = match note.kind {
            NoteKind::Bridged { to: Some(to), .. } => format!("parent missing, bridged to line {to}"),
            NoteKind::Bridged { to: None, .. } => "parent missing, nothing stands before".to_owned(),
            NoteKind::CircleCut { .. } => "parents ran in a circle, cut here".to_owned(),
            NoteKind::Withdrawn { by } => format!("withdrawn by line {by}"),
            NoteKind::WithdrawnResult => "withdrawn with its calls".to_owned(),
            NoteKind::PutBack { after, .. } => format!("pushed off by a notice, put back after line {after}"),
            NoteKind::TurnBack { after, .. } => format!("of another client, put back behind the call on line {after}"),
            NoteKind::Replaced { by } => format!("a placeholder; the true result is on line {by}"),
            NoteKind::Recovered { after: None } => "beside the chain, put back at the beginning".to_owned(),
            NoteKind::Recovered { after: Some(after) } => {
                format!("beside the chain, put back after line {after}")
            }
            NoteKind::NoticeBack { on } => format!("beside the chain, comes back with line {on}"),
            NoteKind::Relinked { count: 1, anchor } => format!("preserves 1 record, after line {anchor}"),
            NoteKind::Relinked { count, anchor } => format!("preserves {count} records, after line {anchor}"),
            NoteKind::PreservedMissing { what } => format!("preserves nothing: {what}"),
            NoteKind::RepeatedUuid { standing } => format!("its uuid stands again on line {standing}"),
            NoteKind::PassedOver { .. }
            | NoteKind::BeforeBoundary { .. }
            | NoteKind::OtherBranch { .. }
            | NoteKind::Sidechain { .. } => continue,
        };
        remarks.entry(note.start).or_default().push(remark);
    }
    remarks
}

/// The remarks on a record; of a stretch that was left, the first record says why.
fn remark(
    record: &ExplainedRecord,
    parent: Option<&ExplainedRecord>,
    remarks: Option<&Vec<String>>,
    is_first: bool,
) -> String {
    let mut words = remarks.cloned().unwrap_or_default();
    let begins = is_first || parent.is_none_or(|parent| parent.fate != record.fate);
    match record.fate {
        Fate::Left if begins => words.push("a branch that was left".to_owned()),
        Fate::BeforeBoundary if begins => words.push("before the last boundary".to_owned()),
        _ => {}
    }
    words.join("; ")
}

/// A record in a few words, read from its place.
fn label(file: &mut (impl Read + Seek), scanner: &mut Scanner, place: Place) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(place.start))?;
    file.take(place.end - place.start).read_to_end(&mut bytes)?;
    let mut words = String::new();
    let line = Line { number: place.line, offset: place.start, bytes: &bytes, terminated: true };
    scanner.line(&line, &mut |found| {
        if let Found::Record(record) = found {
            words = words_of(&record);
        }
    });
    Ok(words)
}

fn words_of(record: &Record<'_>) -> String {
    match record.entry() {
        Ok(Entry::Event(event)) => outline::message(&event),
        _ => {
            let (kind, uuid) = (record.type_name(), record.uuid().unwrap_or_default());
            let kind = if kind.is_empty() { "(no type)" } else { &*kind };
            outline::shortened(&format!("{kind} {uuid}"))
        }
    }
}
