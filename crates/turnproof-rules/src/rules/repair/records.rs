//! The *records* of a file as values, for what is judged by their members.

use crate::json::{self, Value};
use crate::operation::Plain;
use crate::rules::wire::model::pieces;

/// The records of a file that can be read.
pub(super) fn records(file: &[u8]) -> Vec<Value> {
    bytes_of_records(file).filter_map(record).collect()
}

/// The same; `None` where one repeats a key: what counts may be in the value that the last one hides.
pub(super) fn records_of_one_meaning(file: &[u8]) -> Option<Vec<Value>> {
    let repeats_key = |bytes: &[u8]| json::read_all(bytes).is_ok_and(|tree| tree.has_repeated_key());
    let records = bytes_of_records(file).map(|bytes| (!repeats_key(bytes)).then(|| record(bytes)));
    Some(records.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

fn bytes_of_records(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    pieces(file).into_iter().map(|piece| &file[piece.start as usize..piece.end as usize])
}

fn record(bytes: &[u8]) -> Option<Value> {
    Plain::read_bytes(bytes).ok().map(Plain::into_value)
}
