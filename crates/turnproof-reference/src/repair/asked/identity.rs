//! A session gets *one id*, or another *directory*.

use crate::json::Raw;
use crate::repair::edit;
use crate::repair::file::File;
use crate::repair::quoted;

pub(super) fn one_session(file: &mut File, id: &str) {
    for row in 0..file.rows.len() {
        if text(&file.rows[row].bytes, "sessionId").is_some() {
            let what = "it is of the one session now".to_owned();
            file.set(row, "sessionId", quoted(id).as_bytes(), "--one-session-id", what);
        }
    }
}

pub(super) fn move_to(file: &mut File, folder: &str) {
    let named = |row: usize, file: &File| text(&file.rows[row].bytes, "cwd");
    let Some(old) = (0..file.rows.len()).find_map(|row| named(row, file)) else { return };
    for row in 0..file.rows.len() {
        let Some(own) = named(row, file) else { continue };
        let Some(below) = own.strip_prefix(&old).filter(|below| below.is_empty() || below.starts_with(['/', '\\']))
        else {
            continue;
        };
        let new = format!("{folder}{below}");
        let what = format!("its directory is {new} now");
        file.set(row, "cwd", quoted(&new).as_bytes(), "--move-to", what);
    }
}

/// A text of a record.
fn text(record: &[u8], name: &str) -> Option<String> {
    let value = edit::member(record, name)?;
    Some(Raw::from_bytes(&record[value]).ok()?.text()?.as_str().to_owned())
}
