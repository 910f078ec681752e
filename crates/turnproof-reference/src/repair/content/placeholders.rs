//! *Placeholders* whose true results are in the file are removed. What followed either of the two comes back, in line.

use std::collections::{HashMap, HashSet};

use crate::repair::file::File;
use crate::repair::quoted;
use crate::repair::stored::Stored;
use crate::transcript::{Link, Transcript};

const RULE: &str = "tool/single-result";

/// A placeholder, and the true results of its calls: rows.
struct Replaced {
    placeholder: usize,
    results: Vec<usize>,
}

pub(super) fn fix(file: &mut File) {
    let transcript = file.rows.transcript();
    let replaced = replaced(file, &transcript);
    if replaced.is_empty() {
        return;
    }
    let stored = file.rows.stored();
    link(file, &transcript, &stored, &replaced);
    let mut moved = HashSet::new();
    let mut gone = Vec::new();
    for Replaced { placeholder, results } in &replaced {
        match results.iter().rev().find(|&&result| result > *placeholder && moved.insert(result)) {
            Some(&result) => file.move_up(result, *placeholder, RULE, WHY),
            None => gone.push(*placeholder),
        }
    }
    file.remove(&gone, RULE, WHY);
}

const WHY: &str = "it is a placeholder, and the true result is in the file";

fn replaced(file: &File, transcript: &Transcript) -> Vec<Replaced> {
    let speaker = file.rows.speaker();
    let replaced = speaker.survey.replaced(&speaker.options);
    if replaced.is_empty() {
        return Vec::new();
    }
    let rows: HashMap<u64, usize> = transcript.records().enumerate().map(|(row, record)| (record.start, row)).collect();
    let of_rows = |(placeholder, results): (u64, Vec<u64>)| Replaced {
        placeholder: rows[&placeholder],
        results: results.iter().map(|result| rows[result]).collect(),
    };
    replaced.into_iter().map(of_rows).collect()
}

/// What names a placeholder or its true result as its parent names what is before it in the conversation; what is not
/// of the conversation names the true result.
fn link(file: &mut File, transcript: &Transcript, stored: &Stored, replaced: &[Replaced]) {
    let uuid = |row: usize| transcript.record(row).uuid().map(|uuid| uuid.into_owned());
    let mut results: HashMap<String, Option<String>> = HashMap::new();
    for Replaced { placeholder, results: of_call } in replaced {
        let last = of_call.last().copied().and_then(uuid);
        for row in of_call.iter().chain([placeholder]) {
            results.extend(uuid(*row).map(|own| (own, last.clone())));
        }
    }
    let placeholders: HashSet<String> = replaced.iter().filter_map(|one| uuid(one.placeholder)).collect();
    let before = stored.rows.iter().skip(1).zip(&stored.rows).map(|(&row, &before)| (row, before));
    let before: HashMap<usize, usize> = before.collect();
    for (row, record) in transcript.records().enumerate() {
        let Link::To(parent) = record.parent() else { continue };
        let Some(result) = results.get(&*parent) else { continue };
        let new = match before.get(&row) {
            Some(&before) => uuid(before),
            None if placeholders.contains(&*parent) => result.clone(),
            None => continue,
        };
        if let Some(new) = new.filter(|new| *new != *parent) {
            let what = "its parent is the record before it in the conversation now".to_owned();
            file.set(row, "parentUuid", quoted(&new).as_bytes(), RULE, what);
        }
    }
}
