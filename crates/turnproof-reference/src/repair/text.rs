//! *Texts and types* of single records: bytes that are not UTF-8, halves of surrogate pairs, values of a wrong type.

use super::edit;
use super::file::File;
use crate::json::{path_at, without_lone_surrogates};
use crate::transcript::{Defect, DefectKind, Detail, Transcript};

pub(super) fn fix(file: &mut File, drop_twins: bool) {
    let transcript = file.rows.transcript();
    let starts: Vec<u64> = transcript.records().map(|record| record.start).collect();
    let mut kinds: Vec<(usize, DefectKind)> = transcript
        .defects()
        .iter()
        .filter(|defect| is_repaired(defect.kind))
        .filter_map(|defect| Some((starts.binary_search(&defect.piece).ok()?, defect.kind)))
        .collect();
    kinds.dedup();
    for (row, kind) in kinds {
        match kind {
            DefectKind::Utf8 => {
                let text = String::from_utf8_lossy(&file.rows[row].bytes).into_owned();
                rewrite(file, row, &text, kind.rule(), "U+FFFD for bytes that are not UTF-8");
            }
            DefectKind::NoLoneSurrogate => {
                let text = String::from_utf8_lossy(&file.rows[row].bytes).into_owned();
                let text = without_lone_surrogates(&text).into_owned();
                rewrite(file, row, &text, kind.rule(), "U+FFFD for half a surrogate pair");
            }
            _ => drop_misfits(file, row, drop_twins),
        }
    }
}

fn is_repaired(kind: DefectKind) -> bool {
    matches!(kind, DefectKind::Utf8 | DefectKind::NoLoneSurrogate | DefectKind::TypedFields)
}

/// Puts the text in the place of the record, from the first byte that differs to the last.
fn rewrite(file: &mut File, row: usize, text: &str, rule: &'static str, what: &str) {
    let (old, new) = (&file.rows[row].bytes, text.as_bytes());
    let head = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let (range, new) = (head..old.len() - tail, &new[head..new.len() - tail]);
    file.edit(row, range, new, rule, what.to_owned());
}

/// Takes out of a record what counts as missing, since its type is another one.
fn drop_misfits(file: &mut File, row: usize, drop_twins: bool) {
    while let Some((defect, path)) = misfit(&file.rows[row].bytes) {
        let bytes = &file.rows[row].bytes;
        let what = match defect.detail {
            Detail::WrongType { expected, .. } => format!("without `{path}`, which is not {expected}"),
            _ => format!("without `{path}`"),
        };
        // A list that holds anything else is missing as a whole.
        let list = path.split(['[', '.']).next().unwrap_or_default();
        let whole = ["supersedesUuids", "retractedMessageUuids"].into_iter().find(|name| *name == list);
        let value = whole.and_then(|name| edit::member(bytes, name));
        file.take(row, value.unwrap_or(defect.start as usize..defect.end as usize), defect.kind.rule(), what);
        let name = whole.unwrap_or(&path);
        while let Some(twin) = edit::member(&file.rows[row].bytes, name).filter(|_| drop_twins) {
            let what = format!("without another `{name}`, which did not count");
            file.take(row, twin, defect.kind.rule(), what);
        }
    }
}

/// The first value of a wrong type, and its path. Without its `type` a record would be of another kind.
fn misfit(record: &[u8]) -> Option<(Defect, String)> {
    let transcript = Transcript::from_bytes(record.to_vec());
    let misfits = transcript.defects().iter().filter(|defect| defect.kind == DefectKind::TypedFields);
    let mut placed = misfits.map(|defect| (*defect, path_at(record, defect.start as usize)));
    placed.find(|(_, path)| path != "type" && !path.is_empty())
}
